//! What goes in and out of rows of motions and manifolds by value.

use crate::types::Poses;

/// How two bodies in motion meet.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// No contact at any time of the motion.
    Free = 0,
    /// Apart at the start, in contact later.
    Hits = 1,
    /// They touch at the start.
    StartsTouching = 2,
    /// They share inner points at the start.
    StartsOverlapping = 3,
    /// In contact at the start, and it ends.
    Exits = 4,
    /// Not known from the lower end of the time on.
    Undecided = 5,
    /// The row is wrong: its numbers are NaN.
    WrongRow = 255,
}

/// What a start in contact means.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionStart {
    /// It is the answer.
    Hit = 0,
    /// It is the answer if the motion goes deeper, and else passed over.
    Approach = 1,
    /// The end of contact is the answer.
    Exit = 2,
}

/// What a contact without common inner points means.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionTouch {
    /// It is a contact.
    Counts = 0,
    /// It is passed over.
    Passes = 1,
}

/// What is asked about a motion. `gjk_motion_defaults` fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MotionOptions {
    /// The end of the motion, which belongs to it. Infinite for none, which a time of impact may not be.
    pub max_time: f64,
    /// Contact is a signed distance of at most this; 0 or more.
    pub distance: f64,
    /// A `gjk_motion_start`.
    pub start: u32,
    /// A `gjk_motion_touch`.
    pub touch: u32,
    /// Of a time of impact: the part of the motion's duration below which the search ends.
    pub time_resolution: f64,
    /// Of a time of impact: at most so many proved pieces.
    pub pieces_max: u32,
}

/// Three numbers a row. The stride is in bytes, from a row to the next one; 0 has one for all rows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Vectors {
    /// The numbers; NULL for zeros.
    pub numbers: *const f64,
    /// 0, or at least the bytes of three numbers.
    pub stride: usize,
}

/// A point that moves, for each row: it is at `origin` at the time 0, and goes by `direction` in a unit of time.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Rays {
    /// Where it starts.
    pub origin: Vectors,
    /// It need not be unit: times are in its lengths. Zero is a point at rest.
    pub direction: Vectors,
}

/// How a body moves and turns.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionKind {
    /// By velocities. All zero bytes are a body at rest.
    Velocities = 0,
    /// To a pose in a unit of time, by the shortest arc at a constant rate.
    ToSlerp = 1,
    /// The same, as a straight line of quaternions goes that are normalised.
    ToNlerp = 2,
}

/// How a body of each row moves and turns from its pose.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Motions {
    /// A `gjk_motion_kind`.
    pub kind: u32,
    /// The point that moves in a straight line, in the body's frame.
    pub center: Vectors,
    /// By velocities: how far the centre moves in a unit of time.
    pub velocity: Vectors,
    /// By velocities: the angle in radians that the body turns in a unit of time, along its axis, in the world.
    pub angular: Vectors,
    /// To a pose: where the body is at the time 1. It turns and moves, and does not scale.
    pub to: Poses,
}

/// Where answers on motions go: columns of as many rows as the call has, without gaps. NULL for those that are not wanted.
/// What an answer does not have is NaN: the time of a row that is free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MotionColumns {
    /// A `gjk_meeting` a row.
    pub verdicts: *mut u8,
    /// 1 where the verdict rests on exact signs: of rays and casts of polytopes, rounded or not.
    pub exact: *mut u8,
    /// 1 where there is contact, and no inner point is ever met.
    pub grazing: *mut u8,
    /// At most the time of the verdict: of first contact, or of its end where it exits; 0 for a start in contact. Where it is
    /// undecided there is no contact before.
    pub time_lower: *mut f64,
    /// At least that time. Where it is undecided, contact until then if it is finite.
    pub time_upper: *mut f64,
    /// At most the time at which contact ends, where that is known: of rays and casts of polytopes.
    pub exit_lower: *mut f64,
    /// At least that time.
    pub exit_upper: *mut f64,
    /// Three numbers a row: unit, in the world, from A to B at the contact; of a ray out of the body.
    pub normals: *mut f64,
    /// Three numbers a row: a point on the surface of A, in the world, at the upper end of the time.
    pub points_a: *mut f64,
    /// Three numbers a row: a point on the surface of B, likewise; of a ray its place.
    pub points_b: *mut f64,
    /// Of a start in contact: at most the signed distance.
    pub signed_lower: *mut f64,
    /// Of a start in contact: at least the signed distance.
    pub signed_upper: *mut f64,
}

/// What bears on what.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManifoldKind {
    /// Two faces.
    FaceFace = 0,
    /// A face and an edge.
    FaceEdge = 1,
    /// Two edges that are parallel.
    EdgeEdge = 2,
    /// A point.
    Point = 3,
    /// The row is wrong.
    WrongRow = 255,
}

/// What is asked about a manifold. `gjk_manifold_defaults` fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ManifoldOptions {
    /// Points up to this separation; 0 or more.
    pub prediction: f64,
    /// At most so many points a row, 1 to 64: each row has so many places in `points`.
    pub points_max: u32,
    /// A face counts as facing the other body within this angle of the normal: its cosine, 0.5 to 1.
    pub cos_max_tilt: f64,
}

/// A point at which bodies bear on each other. All zero bytes where a row has no more of them.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// On A, in the world.
    pub point_a: [f64; 3],
    /// On B, in the world: `separation` times the normal from it.
    pub point_b: [f64; 3],
    /// At most how far the supporting faces are apart there.
    pub separation_lower: f64,
    /// At least that.
    pub separation_upper: f64,
    /// Names it from step to step.
    pub id: u64,
    /// The same where the bodies are exchanged.
    pub exchanged_id: u64,
}

/// Where manifolds go: columns of as many rows as the call has, without gaps. NULL for those that are not wanted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ManifoldColumns {
    /// A `gjk_verdict` a row.
    pub verdicts: *mut u8,
    /// A `gjk_manifold_kind` a row.
    pub kinds: *mut u8,
    /// 1 where no point was left out.
    pub complete: *mut u8,
    /// How many points a row has.
    pub counts: *mut u32,
    /// Those of row k begin at `points[k * points_max]`.
    pub points: *mut ManifoldPoint,
    /// Lower ends of the signed distance.
    pub lower: *mut f64,
    /// Upper ends of it.
    pub upper: *mut f64,
    /// Three numbers a row: unit, in the world, from A to B, of every point.
    pub normals: *mut f64,
    /// Of the polygon of all points.
    pub areas: *mut f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk::query::{ManifoldKind as Kind, Meeting as Met};
    use gjk_batch::rows::{WRONG_ROW, kind_code, meeting_code};

    #[test]
    fn codes_are_those_of_the_batch() {
        for (ours, theirs) in [
            (Meeting::Free, Met::Free),
            (Meeting::Hits, Met::Hits),
            (Meeting::StartsTouching, Met::StartsTouching),
            (Meeting::StartsOverlapping, Met::StartsOverlapping),
            (Meeting::Exits, Met::Exits),
            (Meeting::Undecided, Met::Undecided),
        ] {
            assert_eq!(ours as u32, u32::from(meeting_code(theirs)));
        }
        for (ours, theirs) in [
            (ManifoldKind::FaceFace, Kind::FaceFace),
            (ManifoldKind::FaceEdge, Kind::FaceEdge),
            (ManifoldKind::EdgeEdge, Kind::EdgeEdge),
            (ManifoldKind::Point, Kind::Point),
        ] {
            assert_eq!(ours as u32, u32::from(kind_code(theirs)));
        }
        assert_eq!(Meeting::WrongRow as u32, u32::from(WRONG_ROW));
        assert_eq!(ManifoldKind::WrongRow as u32, u32::from(WRONG_ROW));
    }
}
