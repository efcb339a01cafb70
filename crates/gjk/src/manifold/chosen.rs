//! The points of a manifold: those within the prediction, as many as wanted, with their numbers in the world's unit.

use super::answer::{ContactFeature, Manifold, ManifoldKind, ManifoldPoint, feature_id};
use super::few::{FEW, FewCorners};
use super::options::ManifoldOptions;
use super::polygon::{PlaceOrder, counter_clockwise};
use super::reduce::{Candidate, ContactPolygon};
use crate::math::triple::{Triple, plus};
use crate::math::{Interval, Scalar, Vector};

/// Where a normal comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Normal {
    /// It is the contact's, so that there is a point.
    OfContact,
    /// It is the caller's: parts that are not over one another, or farther apart than the prediction, have none.
    Given,
}

/// What the corners of a contact polygon have in common.
#[derive(Clone, Copy)]
pub(super) struct CornerFrame {
    /// The unit normal.
    pub(super) along: Triple,
    /// The face of B has lower numbers than that of A.
    pub(super) exchanged: bool,
    /// What a separation may be off.
    pub(super) off: f64,
    /// The power of two by which the world is scaled.
    pub(super) exponent: i32,
    pub(super) normal: Normal,
}

impl CornerFrame {
    /// Features of A and B in the order of their faces' numbers, and back.
    #[inline(always)]
    pub(super) fn in_order(&self, [a, b]: [ContactFeature; 2]) -> [ContactFeature; 2] {
        if self.exchanged { [b, a] } else { [a, b] }
    }

    /// Keeps the points within the prediction, and as many as wanted.
    pub(super) fn choose<V: Vector>(
        &self,
        manifold: &mut Manifold<V>,
        found: &[Candidate],
        options: &ManifoldOptions<V::Scalar>,
    ) {
        let exponent = -self.exponent;
        let prediction = options.prediction();
        let is_near = |corner: &Candidate| {
            // Rounding downward keeps what is near.
            let within = corner.separation - self.off <= prediction.to_f64();
            within && exponent == 0
                || separation::<V>(corner.separation, self.off, exponent).lower <= prediction
        };
        let order = counter_clockwise(found.len(), |k| found[k].place);
        let mut near = PlaceOrder::new();
        for &k in &order[..] {
            if is_near(&found[k]) {
                near.push(k);
            }
        }
        let polygon = |order| ContactPolygon {
            corners: found,
            order,
            off: self.off,
        };
        if near.is_empty() {
            if self.normal == Normal::Given {
                return;
            }
            near.push(order[polygon(&order).deepest()]);
        }
        let most = options
            .points_max()
            .map_or(usize::MAX, |most| most as usize);
        if near.len() <= FEW {
            let few = FewCorners::new(found, &near, self.off);
            self.measure(manifold, || few.area());
            let mut kept = few.reduced(most);
            manifold.complete = kept.count == near.len();
            self.take(manifold, found, &mut kept.numbers[..kept.count]);
        } else {
            let polygon = polygon(&near);
            self.measure(manifold, || polygon.area());
            let mut kept = polygon.reduced(most);
            manifold.complete = kept.len() == near.len();
            kept.iter_mut().for_each(|k| *k = near[*k]);
            self.take(manifold, found, &mut kept);
        }
    }

    /// States the area of two faces' polygon.
    #[inline(always)]
    fn measure<V: Vector>(&self, manifold: &mut Manifold<V>, area: impl Fn() -> f64) {
        if manifold.kind == ManifoldKind::FaceFace {
            let area = area().scale_by_power(-self.exponent);
            manifold.area = V::Scalar::from_f64(area.scale_by_power(-self.exponent));
        }
    }

    /// Takes the corners of these numbers as points.
    #[inline(always)]
    fn take<V: Vector>(&self, manifold: &mut Manifold<V>, found: &[Candidate], kept: &mut [usize]) {
        if V::DIM == 2 {
            kept.sort_by(|&i, &j| found[i].place[0].total_cmp(&found[j].place[0]));
        }
        let exponent = -self.exponent;
        for &k in &*kept {
            let kept = &found[k];
            let on_b = plus(kept.point_a, self.along, kept.separation);
            let points = [world(kept.point_a, exponent), world(on_b, exponent)];
            let interval = separation::<V>(kept.separation, self.off, exponent);
            manifold.take(points, interval, self.in_order(kept.features));
        }
    }
}

impl<V: Vector> Manifold<V> {
    /// Takes a point, and gives it its id.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        [point_a, point_b]: [V; 2],
        separation: Interval<V::Scalar>,
        features: [ContactFeature; 2],
    ) {
        self.points.push(ManifoldPoint {
            point_a,
            point_b,
            separation,
            feature_a: features[0],
            feature_b: features[1],
            id: feature_id(features, [&self.face_a, &self.face_b]),
        });
    }
}

/// A point in the world's unit; adding zero leaves no negative zeros.
#[inline(always)]
pub(super) fn world<V: Vector>(x: Triple, exponent: i32) -> V {
    let [x, y, z] = x;
    if exponent == 0 {
        return V::from_f64([x + 0.0, y + 0.0, z + 0.0]);
    }
    V::from_f64([x, y, z].map(|c| c.scale_by_power(exponent) + 0.0))
}

/// A separation in the world's unit.
#[inline(always)]
pub(super) fn separation<V: Vector>(
    separation: f64,
    off: f64,
    exponent: i32,
) -> Interval<V::Scalar> {
    let lower = |x: f64| {
        if exponent == 0 && (x == 0.0 || x.abs() >= 2.0 * f64::MIN_POSITIVE) {
            return V::Scalar::round_down(x);
        }
        let length = x.scale_by_power(exponent);
        // Subnormal numbers are rounded.
        let rounded = x != 0.0 && length.abs() < 2.0 * f64::MIN_POSITIVE;
        V::Scalar::round_down(if rounded { length.next_down() } else { length })
    };
    Interval {
        lower: lower((separation - off).next_down()),
        upper: -lower((-separation - off).next_down()),
    }
}
