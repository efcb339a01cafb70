//! One query, from the line that states it to its answer, its steps and the words for both.
//!
//! Where it sits: between `gjk-scene`, which reads, `gjk`, which decides, and those who show: the command line and the lab, which
//! so say the same.
//! Reading order: [`convert`] turns what was read into the library's shapes, [`answer`] answers, [`record`] answers and keeps the
//! steps, [`explain`] says them in words. [`motion`] is the same for bodies in motion, [`manifold`] for a manifold, [`gradient`] for
//! a gradient, [`hits`] for one in motion against many.

pub mod answer;
#[cfg(feature = "schema")]
pub mod answer_schema;
pub mod certificate;
pub mod convert;
pub mod expect;
pub mod explain;
pub mod gradient;
pub mod hits;
pub mod manifold;
pub mod motion;
pub mod motion_certificate;
pub mod motion_record;
pub mod motion_words;
pub mod pair;
pub mod record;
pub mod style;
mod turning;
