//! Convex bodies that move, without turning and with it, against a mesh.
//!
//! Numbers: a body that turns is within a ball about its centre, which moves in a straight line, and so is each box of a mesh that turns. Balls hold what they hold whatever the law of
//! the turn is.

use super::answer::{MeshCast, SweepError};
use super::course::Course;
use super::first::{First, starts_inside};
use super::walk::Walk;
use crate::body::PosedBody;
use crate::boxes::Box3;
use crate::distance::convex;
use crate::signs::Point;
use gjk::query::{self, Meeting, MotionError, MotionOptions, Start, ToiOptions, Twist};
use gjk::{Pose3, Posed, Support, Vec3, Vector};

/// Roundings of the place of a centre and of the distance of a box's corner, in parts of their coordinates: four of a posed point, and eight of a length. The rest is room.
const BALL_ROUNDINGS: f64 = 32.0;

/// A body at its start, and the question.
struct MovingBody<'p, S: ?Sized> {
    shape: &'p S,
    pose: &'p Pose3<f64>,
    bounds: Box3,
}

impl<'p, S: Support<Vec3<f64>> + ?Sized> MovingBody<'p, S> {
    fn new(shape: &'p S, pose: &'p Pose3<f64>) -> Self {
        let corners = Posed::new(shape, *pose).bounds().map(Vector::to_f64);
        let bounds = if corners.as_flattened().iter().any(|x| x.is_nan()) {
            EVERYTHING
        } else {
            let [low, high] = corners;
            Box3::of(&[low, high])
        };
        Self {
            shape,
            pose,
            bounds,
        }
    }
}

/// A box that excludes nothing.
const EVERYTHING: Box3 = Box3::spanning([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]);

impl PosedBody<'_> {
    /// When a convex body first meets the mesh that moves in a straight line without turning, and where.
    ///
    /// `velocity` is the mesh's, `pose` where the body is at the time 0, and `own` its velocity. Sign: the normal points from the mesh to the body.
    /// A start in contact is told, also one inside of a solid. Under [`Start::Approach`] a triangle that the body is in contact with at the start is passed over unless the motion makes its
    /// signed distance fall at once; a start inside of a solid, off its surface, is contact all the same.
    /// # Accuracy  as [`query::cast`]: exact verdicts of polytopes and rounded polytopes, and no contact before `time.lower`.
    /// # Errors  a velocity that is not finite; [`Start::Exit`].
    /// # Complexity  a cast at each of the triangles whose boxes may be met before the first contact; O(n log n) the first time.
    /// # Examples
    /// ```
    /// use gjk::{Pose3, Vec3, query::Meeting, shape::Cuboid};
    /// use gjk_mesh::{MeshBody, TriMesh};
    /// let corners = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]];
    /// let floor = MeshBody::new(TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]])?);
    /// let cube = Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap();
    /// let above = Pose3::from_translation(Vec3::new(0.0, 0.0, 3.5));
    /// let (rest, falls) = (Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, -2.0));
    /// let found = floor.at(&Pose3::identity()).cast(rest, &cube, &above, falls, &Default::default()).unwrap();
    /// assert_eq!((found.answer.verdict, found.triangles), (Meeting::Hits, vec![0, 1]));
    /// assert!(found.answer.time.unwrap().contains(1.5));
    /// # Ok::<(), gjk_mesh::MeshError>(())
    /// ```
    pub fn cast<S: Support<Vec3<f64>> + ?Sized>(
        &self,
        velocity: Vec3<f64>,
        shape: &S,
        pose: &Pose3<f64>,
        own: Vec3<f64>,
        options: &MotionOptions<f64>,
    ) -> Result<MeshCast, SweepError> {
        if ![velocity, own].iter().all(|v| v.is_finite()) {
            return Err(MotionError::NotFinite { field: "velocity" }.into());
        }
        let moved = MovingBody::new(shape, pose);
        let end = options.max_time().unwrap_or(f64::INFINITY);
        let around = moved.bounds.grown(options.distance());
        let course = Course::new(around, [velocity, own].map(Vector::to_f64), end);
        let mesh = self.in_place(false);
        let here = Pose3::identity();
        let mut walk = Walk::new(&mesh, course, None);
        let first = First::of(&mut walk, end, |k| {
            let triangle = convex(&mesh.corners(k))?;
            Some(query::cast(
                &triangle, &here, velocity, shape, pose, own, options,
            ))
        });
        self.with_inside(&moved, options, || first.told(&mesh, own - velocity))
    }

    /// When a convex body that moves and turns first meets the mesh, and where: the time of impact.
    ///
    /// `twist` is how the mesh moves from its pose, `pose` where the body is at the time 0, and `own` how it moves from there. Sign: the normal points from the mesh to the body.
    /// A start in contact is told as by [`PosedBody::cast`].
    /// # Accuracy  as [`query::toi`]: no contact before `time.lower`, and contact at `time.upper`; it never rests on samples.
    /// # Errors  [`Start::Exit`].
    /// # Complexity  a time of impact for each of the triangles whose boxes the ball around the body may meet before the first contact. The boxes of a mesh that turns are balls about
    /// its centre, which exclude little: let the mesh rest where it can.
    /// # Examples
    /// ```
    /// use gjk::{Pose3, Vec3, query::{Meeting, Twist}, shape::Cuboid};
    /// use gjk_mesh::{MeshBody, TriMesh};
    /// let corners = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]];
    /// let floor = MeshBody::new(TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]])?);
    /// let bar = Cuboid::new(Vec3::new(1.0, 0.1, 0.1)).unwrap();
    /// let above = Pose3::from_translation(Vec3::new(0.0, 0.0, 0.5));
    /// let zero = Vec3::new(0.0, 0.0, 0.0);
    /// // A tip reaches the floor at the sine of about 0.4.
    /// let swings = Twist::new(zero, [0.0, 1.0, 0.0], zero).unwrap();
    /// let found = floor.at(&Pose3::identity()).toi(&Twist::rest(), &bar, &above, &swings, &Default::default()).unwrap();
    /// assert_eq!(found.answer.verdict, Meeting::Hits);
    /// let time = found.answer.time.unwrap().upper;
    /// assert!((time.sin() + 0.1 * time.cos() - 0.5).abs() < 1e-9);
    /// # Ok::<(), gjk_mesh::MeshError>(())
    /// ```
    pub fn toi<S: Support<Vec3<f64>> + ?Sized>(
        &self,
        twist: &Twist<Vec3<f64>>,
        shape: &S,
        pose: &Pose3<f64>,
        own: &Twist<Vec3<f64>>,
        options: &ToiOptions<f64>,
    ) -> Result<MeshCast, SweepError> {
        let moved = MovingBody::new(shape, pose);
        let motion = options.motion();
        let around = if shape.end_vertex(0).is_some() {
            // Its vertices move by themselves.
            EVERYTHING
        } else {
            turning(&moved.bounds, pose, own)
        };
        let velocities = [twist.linear(), own.linear()].map(|v| v.to_f64());
        let around = around.grown(motion.distance());
        let course = Course::new(around, velocities, options.max_time());
        let mesh = self.in_place(false);
        let widen = |bounds: &Box3| turning(bounds, self.pose(), twist);
        let widen = turns(twist).then_some(&widen as &dyn Fn(&Box3) -> Box3);
        let mut walk = Walk::new(&mesh, course, widen);
        let first = First::of(&mut walk, options.max_time(), |k| {
            // The pose rounds its corners to those in the world.
            let triangle = convex(&self.mesh().corners(k))?;
            Some(query::toi(
                &triangle,
                self.pose(),
                twist,
                shape,
                pose,
                own,
                options,
            ))
        });
        let along = own.linear() - twist.linear();
        self.with_inside(&moved, &motion, || first.told(&mesh, along))
    }

    /// The answer on a body that may start inside of a solid.
    fn with_inside<S: Support<Vec3<f64>> + ?Sized>(
        &self,
        moved: &MovingBody<'_, S>,
        options: &MotionOptions<f64>,
        of_triangles: impl FnOnce() -> MeshCast,
    ) -> Result<MeshCast, SweepError> {
        if options.start == Start::Exit {
            return Err(SweepError::ExitOfBody);
        }
        let mut found = of_triangles();
        let starts = matches!(
            found.answer.verdict,
            Meeting::StartsOverlapping | Meeting::StartsTouching
        );
        let around = self.in_place(false).bounds();
        let may_be_inside = self.is_solid() && around.is_finite() && around.meets(&moved.bounds);
        if starts || !may_be_inside {
            return Ok(found);
        }
        let bounds = moved.bounds.corners();
        let start = self.contact_with(moved.shape, moved.pose, bounds, options.distance());
        if start.inside {
            return Ok(starts_inside(start.verdict));
        }
        found.answer.exact &= start.exact;
        Ok(found)
    }
}

/// Whether a body turns.
fn turns(twist: &Twist<Vec3<f64>>) -> bool {
    twist.quaternion().is_some() || twist.angular().iter().any(|&x| x != 0.0)
}

/// A box that holds what is in one at the start, however far the body has turned about its centre, but for the way of the centre.
fn turning(bounds: &Box3, pose: &Pose3<f64>, twist: &Twist<Vec3<f64>>) -> Box3 {
    if !turns(twist) {
        return *bounds;
    }
    let center: Point = pose.point(twist.center()).to_f64();
    let [low, high] = bounds.corners();
    let mut square = 0.0;
    let [x, y, z] = twist.center().to_f64().map(f64::abs);
    let mut size = pose.bound(Vec3::new(x, y, z)) + pose.translation().sum_abs();
    for k in 0..3 {
        let far = (high[k] - center[k]).max(center[k] - low[k]);
        square += far * far;
        size += high[k].abs().max(low[k].abs());
    }
    let radius = square.sqrt() + size * BALL_ROUNDINGS * 0.5 * f64::EPSILON + f64::MIN_POSITIVE;
    if !radius.is_finite() {
        return EVERYTHING;
    }
    Box3::of(&[center]).grown(radius)
}
