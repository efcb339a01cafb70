//! A body against a convex shape of another kind: a ball, a capsule, a cone.
//!
//! Idea: where no triangle goes inside of the shape, the shape is inside or outside of a solid as a whole, and any point of its inside
//! tells. A triangle is a convex body, and the library answers for it and the shape.

use crate::Side;
use crate::body::PosedBody;
use crate::boxes::Box3;
use crate::bvh::{SearchLimits, WorldBox};
use crate::distance::convex;
use crate::inside::side_of_shells;
use crate::signs::Triangle;
use core::cell::Cell;
use gjk::query::{Contact, Interval, Options, Verdict};
use gjk::{NO_ID, Pair, Pose3, Posed, Support, Vec3, Vector};

/// How a body is to a convex shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeContact {
    /// Overlapping also where a surface goes into the shape, and where the shape is inside of a solid.
    pub verdict: Verdict,
    /// Whether the verdict is proved.
    pub exact: bool,
    /// Whether the shape is inside of a solid, and meets no triangle.
    pub inside: bool,
    /// What is known of the signed distance of the body and the shape: of bodies that overlap that it is not positive, and of a distance beyond
    /// reach that it is.
    pub signed_distance: Interval<f64>,
    /// The nearest triangle's contact, from the body to the shape. `None` where no triangle is within reach.
    pub nearest: Option<Contact<Vec3<f64>>>,
    /// That triangle, by the numbers of the input.
    pub triangle: Option<u32>,
}

impl ShapeContact {
    /// What a verdict and the triangles within reach tell of the signed distance.
    fn bounded(&self, reach: f64) -> Interval<f64> {
        let of = |lower, upper| Interval { lower, upper };
        match (self.verdict, &self.nearest) {
            (Verdict::Overlapping, _) => of(f64::NEG_INFINITY, 0.0),
            (Verdict::Touching, _) => of(0.0, 0.0),
            (Verdict::Separated, None) => of(reach, f64::INFINITY),
            (Verdict::Separated, Some(found)) => {
                let near = found.signed_distance;
                of(near.lower.min(reach), near.upper)
            }
            (Verdict::Undecided, found) => {
                found.map_or(of(f64::NEG_INFINITY, f64::INFINITY), |found| {
                    let near = found.signed_distance;
                    of(near.lower.min(0.0), near.upper.max(0.0))
                })
            }
        }
    }
}

impl PosedBody<'_> {
    /// How the body is to a convex shape that is within a box, `bounds`, of least and largest corner.
    ///
    /// # Accuracy  that of [`gjk::query::contact`] for each triangle; beyond `reach` nothing is measured.
    /// # Complexity  a query for each triangle that boxes do not tell to be farther than the nearest so far.
    pub fn contact_with<S: Support<Vec3<f64>> + ?Sized>(
        &self,
        shape: &S,
        pose: &Pose3<f64>,
        bounds: [[f64; 3]; 2],
        reach: f64,
    ) -> ShapeContact {
        self.contact_within(shape, pose, bounds, (reach, true), &mut |_, _| {})
    }

    /// The same, and each triangle that may be within reach with its contact.
    pub(crate) fn contact_and_near<S: Support<Vec3<f64>> + ?Sized>(
        &self,
        shape: &S,
        pose: &Pose3<f64>,
        bounds: [[f64; 3]; 2],
        reach: f64,
        near: &mut dyn FnMut(u32, &Contact<Vec3<f64>>),
    ) -> ShapeContact {
        self.contact_within(shape, pose, bounds, (reach, false), near)
    }

    /// `is_nearest`: triangles that are farther than the nearest so far are not asked.
    fn contact_within<S: Support<Vec3<f64>> + ?Sized>(
        &self,
        shape: &S,
        pose: &Pose3<f64>,
        bounds: [[f64; 3]; 2],
        (reach, is_nearest): (f64, bool),
        near: &mut dyn FnMut(u32, &Contact<Vec3<f64>>),
    ) -> ShapeContact {
        let mesh = self.in_place(false);
        let limits = SearchLimits {
            limit: Cell::new(reach),
            plane: Cell::new(None),
        };
        let mut search = ShapeSearch {
            shape,
            pose,
            limits: is_nearest.then_some(&limits),
            nearest: None,
            exact: true,
        };
        let (of, around) = around(shape, pose);
        let of = (of.as_ref(), around);
        mesh.near_shape(of, &Box3::of(&bounds), &limits, &mut |k| {
            if let Some(found) = search.ask(k, &mesh.corners(k)) {
                near(k, &found);
            }
        });
        let ShapeSearch { nearest, exact, .. } = search;
        let triangle = nearest.map(|(_, k)| mesh.mesh.source(k));
        let nearest = nearest.map(|(found, _)| found);
        let verdict = nearest.map_or(Verdict::Separated, |found| found.verdict);
        let mut answer = ShapeContact {
            verdict,
            exact: exact || verdict == Verdict::Overlapping,
            inside: false,
            signed_distance: Interval {
                lower: f64::NEG_INFINITY,
                upper: f64::INFINITY,
            },
            nearest,
            triangle,
        };
        if verdict == Verdict::Separated || verdict == Verdict::Touching {
            self.look_inside(&mut answer, shape, pose);
        }
        answer.signed_distance = answer.bounded(reach);
        answer
    }

    /// Where no triangle goes inside of the shape: whether the shape is inside of the solid.
    fn look_inside<S: Support<Vec3<f64>> + ?Sized>(
        &self,
        answer: &mut ShapeContact,
        shape: &S,
        pose: &Pose3<f64>,
    ) {
        if !self.is_solid() {
            return;
        }
        let center = pose.point(shape.core().center);
        let (mesh, reversed) = (self.in_place(false), self.is_reversed(false));
        let of_solid = |shell| self.piece_of_shell(shell).is_some();
        match side_of_shells(&mesh, [center.x, center.y, center.z], reversed, of_solid) {
            Some(Side::Inside) => {
                answer.verdict = Verdict::Overlapping;
                answer.inside = true;
            }
            Some(Side::Outside) => {}
            // A shape without an inside, or no ray that avoids all edges.
            Some(Side::Boundary) | None => answer.exact = false,
        }
    }
}

/// The nearest triangle to a shape, or the one that goes deepest.
struct ShapeSearch<'s, S: ?Sized> {
    shape: &'s S,
    pose: &'s Pose3<f64>,
    /// What is to be left out; `None` where all within reach are asked for.
    limits: Option<&'s SearchLimits>,
    nearest: Option<(Contact<Vec3<f64>>, u32)>,
    exact: bool,
}

impl<S: Support<Vec3<f64>> + ?Sized> ShapeSearch<'_, S> {
    /// The contact of a triangle; `None` where it is none.
    fn ask(&mut self, number: u32, corners: &Triangle) -> Option<Contact<Vec3<f64>>> {
        let Some(triangle) = convex(corners) else {
            self.exact = false;
            return None;
        };
        let limit = self.limits.map(|limits| limits.limit.get());
        let mut options = Options::tight();
        options.cutoff = limit.filter(|limit| limit.is_finite());
        let found = Pair::new(&triangle, &Pose3::identity(), self.shape, self.pose)
            .with(&options)
            .contact();
        self.exact &= found.exact;
        let Interval { lower, upper } = found.signed_distance;
        if limit.is_some_and(|limit| lower >= limit && lower > 0.0) {
            return Some(found);
        }
        let best = |best| worse(best, (found, number));
        self.nearest = Some(self.nearest.map_or((found, number), best));
        if let Some(limits) = self.limits
            && upper.max(0.0) < limits.limit.get()
        {
            limits.limit.set(upper.max(0.0));
            let posed = Posed::new(self.shape, *self.pose);
            limits.plane.set(behind(&posed, -found.normal));
        }
        Some(found)
    }
}

/// The plane across a direction that has the core of a shape behind it.
fn behind<B: Support<Vec3<f64>>>(posed: &B, along: Vec3<f64>) -> Option<(Vec3<f64>, f64)> {
    let normal = along.normalized()?;
    Some((normal, posed.support(normal, NO_ID).point.dot(normal)))
}

/// A box around a shape's core at a pose, and how far the shape reaches beyond the core; `None` where a pose makes no box of it.
fn around<S: Support<Vec3<f64>> + ?Sized>(shape: &S, pose: &Pose3<f64>) -> (Option<WorldBox>, f64) {
    let end = |k: usize, sign: f64| {
        shape
            .support(Vec3::axis(k) * sign, NO_ID)
            .point
            .component(k)
    };
    let corner = |sign: f64| Vec3::new(end(0, sign), end(1, sign), end(2, sign));
    let own = WorldBox::along_axes([corner(-1.0), corner(1.0)]);
    (own.posed(pose), Posed::new(shape, *pose).radius())
}

/// The more severe of two contacts, then the nearer, with an interval that holds for both.
fn worse(a: (Contact<Vec3<f64>>, u32), b: (Contact<Vec3<f64>>, u32)) -> (Contact<Vec3<f64>>, u32) {
    let severity = |found: &Contact<Vec3<f64>>| match found.verdict {
        Verdict::Overlapping => 0,
        Verdict::Undecided => 1,
        Verdict::Touching => 2,
        Verdict::Separated => 3,
    };
    let key = |found: &Contact<Vec3<f64>>| (severity(found), found.signed_distance.upper);
    let (mut first, second) = if key(&b.0) < key(&a.0) {
        (b, a)
    } else {
        (a, b)
    };
    let interval = &mut first.0.signed_distance;
    interval.lower = interval.lower.min(second.0.signed_distance.lower);
    first
}
