//! What `gjk check` tells: `report` to programs, `table` to people, `page` to people with a browser, `junit` to CI systems.
//! `gjk-check` finds it.

pub mod certificates;
pub mod checked;
pub mod files;
pub mod junit;
mod pack;
pub mod page;
mod page_scene;
pub mod report;
mod sentence;
pub mod table;
