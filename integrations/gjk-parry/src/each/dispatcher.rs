//! Pairs at rest: do they meet, how far apart, how deep, and where.

use super::body::Body;
use super::composite::{Heights, Parts, heights, parts};
use super::kind::{Place, place, pose, vector};
use super::parry::math::{Pose, Real, Vector};
use super::parry::query::details::{
    closest_points_composite_shape_shape, closest_points_shape_composite_shape,
    contact_composite_shape_shape, contact_heightfield_shape, contact_shape_composite_shape,
    contact_shape_heightfield, distance_composite_shape_shape, distance_shape_composite_shape,
    intersection_test_composite_shape_shape, intersection_test_shape_composite_shape,
};
use super::parry::query::{
    ClosestPoints, Contact, NonlinearRigidMotion, QueryDispatcher, ShapeCastHit, ShapeCastOptions,
    ShapeDistance, ShapeIntersection, Unsupported,
};
use super::parry::shape::Shape;
use super::{GjkDispatcher, motion, with_parry};
use gjk::query::{Interval, Options, Verdict};
use gjk::{NO_ID, Pair, Scalar as _, Support, Vector as _};

type Wide = <Place as gjk::Vector>::Wide;

/// What heights of points may be off, in their sizes: far more than their roundings.
const ROUNDINGS: f64 = 1e-12;

/// Two convex bodies, the first at the origin.
pub(super) struct Bodies<'s> {
    a: Body<'s>,
    b: Body<'s>,
    origin: gjk::Pose<Place>,
    place_b: gjk::Pose<Place>,
}

impl<'s> Bodies<'s> {
    pub(super) fn new(
        pos12: &Pose,
        shape1: &'s dyn Shape,
        shape2: &'s dyn Shape,
    ) -> Result<Self, Unsupported> {
        let bodies = || {
            Some(Self {
                a: Body::new(shape1)?,
                b: Body::new(shape2)?,
                origin: gjk::Pose::identity(),
                place_b: pose(pos12)?,
            })
        };
        bodies().ok_or(Unsupported)
    }

    pub(super) fn supports(&self) -> [&dyn Support<Place>; 2] {
        [self.a.support(), self.b.support()]
    }

    pub(super) fn poses(&self) -> [&gjk::Pose<Place>; 2] {
        [&self.origin, &self.place_b]
    }

    /// A direction from A to B, of any length, along which they are farther apart than this.
    pub(super) fn are_beyond(&self, limit: Real, direction: Place) -> bool {
        let Some(direction) = direction.lift::<Wide>().normalized() else {
            return false;
        };
        let farthest = |body: &dyn Support<Place>, pose: &gjk::Pose<Place>, along: Wide| {
            let pose: gjk::Pose<Wide> = pose.lift();
            let local = pose.direction_to_local(along);
            let point = pose.point(body.support(local, NO_ID).point);
            (point.dot(along) + body.core().radius, point.sum_abs())
        };
        let ([a, b], [pose_a, pose_b]) = (self.supports(), self.poses());
        let (height_a, size_a) = farthest(a, pose_a, direction);
        let (height_b, size_b) = farthest(b, pose_b, -direction);
        // Beyond all rounding.
        -(height_a + height_b) > limit.to_f64() + ROUNDINGS * (size_a + size_b)
    }

    fn pair(&self) -> Pair<'_, Place, dyn Support<Place> + '_, dyn Support<Place> + '_> {
        let [a, b] = self.supports();
        Pair::new(a, &self.origin, b, &self.place_b)
    }
}

/// The middle of an interval; of an upper end that is not known, the lower one.
pub(super) fn middle(interval: Interval<Real>) -> Real {
    if interval.upper.is_finite() {
        interval.lower + (interval.upper - interval.lower) * 0.5
    } else {
        interval.lower
    }
}

/// Bodies farther apart than this need no answer.
fn within(limit: Real) -> Options<Real> {
    if limit.is_finite() && limit < Real::MAX {
        Options::default().with_cutoff(limit.max(0.0))
    } else {
        Options::default()
    }
}

impl QueryDispatcher for GjkDispatcher {
    fn intersection_test(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        let all = with_parry();
        match parts(shape1, shape2) {
            Some(Parts::First(c)) => {
                return Ok(intersection_test_composite_shape_shape(
                    &all, pos12, c, shape2,
                ));
            }
            Some(Parts::Second(c)) => {
                return Ok(intersection_test_shape_composite_shape(
                    &all, pos12, shape1, c,
                ));
            }
            None => {}
        }
        let bodies = Bodies::new(pos12, shape1, shape2)?;
        let answer = bodies.pair().with(&Options::default()).intersects();
        // Within rounding of a touch is a touch.
        Ok((answer.verdict != Verdict::Separated).into())
    }

    fn distance(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        let all = with_parry();
        match parts(shape1, shape2) {
            Some(Parts::First(c)) => {
                return Ok(distance_composite_shape_shape(&all, pos12, c, shape2));
            }
            Some(Parts::Second(c)) => {
                return Ok(distance_shape_composite_shape(&all, pos12, shape1, c));
            }
            None => {}
        }
        let bodies = Bodies::new(pos12, shape1, shape2)?;
        let answer = bodies.pair().distance();
        if !answer.distance.upper.is_finite() {
            return Err(Unsupported);
        }
        Ok(middle(answer.distance).into())
    }

    fn contact(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        prediction: Real,
    ) -> Result<Option<Contact>, Unsupported> {
        let all = with_parry();
        match heights(shape1, shape2) {
            Some(Heights::First(h)) => {
                return Ok(contact_heightfield_shape(
                    &all, pos12, h, shape2, prediction,
                ));
            }
            Some(Heights::Second(h)) => {
                return Ok(contact_shape_heightfield(
                    &all, pos12, shape1, h, prediction,
                ));
            }
            None => {}
        }
        match parts(shape1, shape2) {
            Some(Parts::First(c)) => {
                return Ok(contact_composite_shape_shape(
                    &all, pos12, c, shape2, prediction,
                ));
            }
            Some(Parts::Second(c)) => {
                return Ok(contact_shape_composite_shape(
                    &all, pos12, shape1, c, prediction,
                ));
            }
            None => {}
        }
        let bodies = Bodies::new(pos12, shape1, shape2)?;
        let answer = bodies.pair().with(&within(prediction)).contact();
        if answer.signed_distance.lower > prediction {
            return Ok(None);
        }
        let known = answer.point_a.is_finite() && answer.point_b.is_finite();
        if !known || !answer.normal.is_finite() {
            return Err(Unsupported);
        }
        let normal = vector(answer.normal);
        Ok(Some(Contact::new(
            vector(answer.point_a),
            pos12.inverse_transform_point(vector(answer.point_b)),
            normal,
            pos12.rotation.inverse() * -normal,
            middle(answer.signed_distance),
        )))
    }

    fn closest_points(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        max_dist: Real,
    ) -> Result<ClosestPoints, Unsupported> {
        let all = with_parry();
        match parts(shape1, shape2) {
            Some(Parts::First(c)) => {
                return Ok(closest_points_composite_shape_shape(
                    &all, pos12, c, shape2, max_dist,
                ));
            }
            Some(Parts::Second(c)) => {
                return Ok(closest_points_shape_composite_shape(
                    &all, pos12, shape1, c, max_dist,
                ));
            }
            None => {}
        }
        let bodies = Bodies::new(pos12, shape1, shape2)?;
        let answer = bodies.pair().with(&within(max_dist)).distance();
        if answer.verdict != Verdict::Separated {
            return Ok(ClosestPoints::Intersecting);
        }
        if answer.distance.lower > max_dist {
            return Ok(ClosestPoints::Disjoint);
        }
        if !(answer.point_a.is_finite() && answer.point_b.is_finite()) {
            return Err(Unsupported);
        }
        Ok(ClosestPoints::WithinMargin(
            vector(answer.point_a),
            pos12.inverse_transform_point(vector(answer.point_b)),
        ))
    }

    fn cast_shapes(
        &self,
        pos12: &Pose,
        local_vel12: Vector,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        options: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        match motion::cast_of_parts(pos12, local_vel12, [shape1, shape2], options) {
            Some(answer) => answer,
            None => {
                let bodies = Bodies::new(pos12, shape1, shape2)?;
                motion::cast(&bodies, pos12, place(local_vel12), options)
            }
        }
    }

    fn cast_shapes_nonlinear(
        &self,
        motion1: &NonlinearRigidMotion,
        shape1: &dyn Shape,
        motion2: &NonlinearRigidMotion,
        shape2: &dyn Shape,
        start_time: Real,
        end_time: Real,
        stop_at_penetration: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        let span = motion::Span {
            start: start_time,
            end: end_time,
            stop_at_penetration,
        };
        motion::turning([motion1, motion2], [shape1, shape2], span)
    }
}
