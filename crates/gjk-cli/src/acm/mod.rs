//! The reports of `gjk acm`: for programs, for people, and what becomes of an SRDF file.

pub mod cases;
pub mod changes;
pub mod confusion;
pub mod page;
pub mod report;
pub mod table;
