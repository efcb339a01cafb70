//! Bodies in motion, and rays: whether, when and where they meet.
//!
//! Where it sits: above `narrow/`, which answers for the start, and below [`crate::query`], which is the face. Read `cast.rs`, and `solve.rs`: it has the
//! steps, in order. `ray.rs`, `options.rs` and `answer.rs` are what goes in and out.
//! Idea: a ray is a cast whose second body is a point. Convex bodies in relative motion are in contact on one interval of times, so three things are wanted:
//! whether they start in contact, when contact begins, and when it ends (`ends.rs`). Closed forms tell it at once: `slabs.rs` of boxes (`ray_box.rs`, `cast_box.rs`), `ray_hull.rs` by facets, `polygons.rs` by sides, `ray_quadric.rs` and `ray_round.rs` (on `tube.rs`) by roots. `float_ends.rs` answers for polytopes by floats with bounds that prove
//! it, and where they do not, `sharp.rs` answers by exact signs. `curved_ends.rs` is the same for all other bodies. Where it does not decide, `soft.rs` answers
//! by planes, which bound the time from below, and by contacts, which bound it from above; what it leaves open of rounded polytopes goes to
//! `rounded.rs`, which compares distances in integers. Bodies that turn may meet and part many times: `toi.rs` has their steps, `impact.rs` the search, `pieces.rs` its pieces, `chain.rs` those of a certificate, `common_point.rs` a point that shows a contact, and
//! `turning.rs` what a plane proves of a piece of time, for bodies as `mobile.rs` has them; `crossing.rs` proves
//! that bodies without volume pass through each other, and `held.rs` that a contact lasts. `twist.rs` says how a body turns, and `course.rs` where that takes it.
//! `turning_polygons.rs` tells at once when small polygons that turn meet. `watch.rs` is what a search tells who watches it.

mod answer;
mod cast;
mod cast_box;
mod chain;
mod common_point;
pub(crate) mod compiled;
mod cores;
mod course;
mod crossing;
mod curved_ends;
mod ends;
mod float_ends;
mod found;
mod held;
mod impact;
mod local_line;
mod mobile;
mod normal;
mod options;
mod pieces;
mod polygons;
mod ray;
mod ray_box;
mod ray_hull;
mod ray_quadric;
mod ray_round;
mod rounded;
mod sharp;
mod short;
mod shot;
mod slabs;
mod soft;
mod solve;
mod toi;
mod track;
mod tube;
mod tube_box;
mod tube_segment;
mod turning;
mod turning_polygons;
mod twist;
mod watch;

pub use answer::{
    Apart, Carrier, CastAnswer, CastCertificate, CastProof, ChainContact, ChainPiece, Crossing,
    HeldPiece, Meeting, MotionStop,
};
pub(crate) use cast::Moving;
pub use options::{MotionError, MotionOptions, Start, ToiOptions, Touch};
pub use ray::Ray;
pub(crate) use twist::TurnLaw;
pub use twist::Twist;
pub use watch::MotionStep;
