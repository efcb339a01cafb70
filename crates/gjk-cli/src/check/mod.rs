//! What `gjk check` prints: `report` for programs, `table` for people. `gjk-check` finds it.

pub mod report;
pub mod table;
