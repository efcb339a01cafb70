//! Support functions: all that the algorithms need of a shape.
//!
//! Where it sits: between the shapes and the loops. A shape answers [`Support`] in its own frame; [`Posed`] answers for
//! the shape placed in the world; [`MinkowskiDifference`] answers for the pair, with both bodies' points kept.
//!
//! Round shapes are a *core* plus a *radius*: the loops see only the core, and queries subtract the radius once. A
//! capsule is then as accurate as its segment.

mod difference;
mod form;
mod function;
mod hull;
mod inflated;
mod piece;
mod posed;

pub(crate) use difference::Vertices;
pub use difference::{MinkowskiDifference, SupportPair};
pub(crate) use form::box_corners;
pub use form::{Core, Discs, Form, Revolution};
pub(crate) use function::{AnyBody, swept};
pub use function::{NO_ID, Support, SupportPoint};
pub(crate) use inflated::Inflated;
pub(crate) use piece::Piece;
pub use posed::Posed;
pub(crate) use posed::error_in_local_frame;
