//! The narrow phase: from a pair and a request to an answer.
//!
//! Where it sits: called by [`crate::query`], the public face. Read [`ladder`], then [`dispatch`].
//! Idea: closed forms and loops propose; an answer is given only with a proof. A lower bound above the rounding slack proves
//! separation; a simplex whose determinants exceed their error bound proves overlap; what is left of polytopes goes to exact
//! signs, what is left of smooth shapes is reported as an interval.

mod at_once;
mod beyond;
pub(crate) mod compiled;
mod core_answer;
pub(crate) mod dispatch;
mod facing;
mod float_bounds;
pub(crate) mod frame;
mod hulls;
pub(crate) mod ladder;
mod proposal;
mod smooth;
mod statement;
mod steps;
mod vertices;
