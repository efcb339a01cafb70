//! The points of a manifold: those within the prediction, as many as wanted, with their numbers in the world's unit.

use super::answer::{ContactFeature, Manifold, ManifoldKind, ManifoldPoint, feature_id};
use super::box_plan::BoxPlan;
use super::few::{ChoiceTerms, CornerNumbers, FEW, FewKept, chosen_few};
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
        let corner = |k: usize| {
            let corner = &found[k];
            let features = self.in_order(corner.features);
            (corner.point_a, corner.separation, features)
        };
        if found.len() <= FEW {
            let near = (0..found.len()).fold(0, |set, k| {
                set | u32::from(self.is_near(found[k].separation, options)) << k
            });
            let terms = self.terms(found.len(), near, options.points_most());
            let features = |k: usize| found[k].features;
            let mut kept = FewKept::default();
            if chosen_few(&CornerNumbers::of(found), &terms, &features, &mut kept).is_none() {
                return;
            }
            if V::DIM == 2 {
                let place = |k: usize| found[k].place[0];
                kept.numbers[..kept.count].sort_by(|&i, &j| place(i).total_cmp(&place(j)));
            }
            self.take_few(manifold, &kept, corner, None);
            return;
        }
        let order = counter_clockwise(found.len(), |k| found[k].place);
        let is_near = |k: usize| self.is_near(found[k].separation, options);
        let mut near: PlaceOrder = order.iter().copied().filter(|&k| is_near(k)).collect();
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
        let polygon = polygon(&near);
        self.measure(manifold, polygon.area());
        let most = options.points_most();
        let mut kept = polygon.reduced(most);
        manifold.complete = kept.len() == near.len();
        kept.iter_mut().for_each(|k| *k = near[*k]);
        self.take_all(manifold, &kept, corner, None);
    }

    /// What is chosen by among so many corners.
    #[inline(always)]
    fn terms(&self, count: usize, near: u32, most: usize) -> ChoiceTerms {
        ChoiceTerms {
            count,
            near,
            must_be: self.normal == Normal::OfContact,
            most,
            off: self.off,
        }
    }

    /// Takes those that were kept of no more than eight corners, with the ids that a plan has.
    #[inline(always)]
    pub(super) fn take_few<V: Vector>(
        &self,
        manifold: &mut Manifold<V>,
        kept: &FewKept,
        corner: impl Fn(usize) -> (Triple, f64, [ContactFeature; 2]),
        plan: Option<&mut BoxPlan>,
    ) {
        self.measure(manifold, kept.area);
        manifold.complete = kept.is_complete;
        let kept = &kept.numbers[..kept.count.min(FEW)];
        self.take_all(manifold, kept, corner, plan);
    }

    /// Whether a separation may be within the prediction.
    #[inline(always)]
    fn is_near<S: Scalar>(&self, separation: f64, options: &ManifoldOptions<S>) -> bool {
        if self.exponent == 0 {
            return separation - self.off <= near_limit(options);
        }
        stated::<S>(separation, self.off, -self.exponent).lower <= options.prediction()
    }

    /// States the area of two faces' polygon.
    #[inline(always)]
    fn measure<V: Vector>(&self, manifold: &mut Manifold<V>, area: f64) {
        if manifold.kind == ManifoldKind::FaceFace {
            let area = area.scale_by_power(-self.exponent);
            manifold.area = V::Scalar::from_f64(area.scale_by_power(-self.exponent));
        }
    }

    /// Takes the corners of these numbers as points, with the features of A and B.
    #[inline(always)]
    fn take_all<V: Vector>(
        &self,
        manifold: &mut Manifold<V>,
        kept: &[usize],
        corner: impl Fn(usize) -> (Triple, f64, [ContactFeature; 2]),
        mut plan: Option<&mut BoxPlan>,
    ) {
        let exponent = -self.exponent;
        for &k in kept {
            let (point_a, apart, [feature_a, feature_b]) = corner(k);
            let on_b = plus(point_a, self.along, apart);
            let features = [feature_a, feature_b];
            let id = || feature_id(features, [&manifold.face_a[..], &manifold.face_b[..]]);
            let id = match plan.as_deref_mut() {
                Some(plan) => plan.id(k, id),
                None => id(),
            };
            manifold.points.push(ManifoldPoint {
                point_a: world(point_a, exponent),
                point_b: world(on_b, exponent),
                separation: stated::<V::Scalar>(apart, self.off, exponent),
                feature_a,
                feature_b,
                id,
            });
        }
    }
}

/// A number is stated as one within the prediction, rounded down to a float below it, if and only if it is no larger than this.
#[inline(always)]
pub(super) fn near_limit<S: Scalar>(options: &ManifoldOptions<S>) -> f64 {
    options.prediction().next_up().to_f64()
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
    stated(separation, off, exponent)
}

/// The same by its scalar.
#[inline(always)]
fn stated<S: Scalar>(separation: f64, off: f64, exponent: i32) -> Interval<S> {
    Interval {
        lower: below(separation - off, exponent),
        upper: -below::<S>(-separation - off, exponent),
    }
}

/// What is below a length times a power of two, rounded down.
#[inline(always)]
fn below<S: Scalar>(x: f64, exponent: i32) -> S {
    // Of numbers of middle size the next one below is one step of their bits: up where they are negative.
    if exponent == 0 && x.abs() >= 4.0 * f64::MIN_POSITIVE && x.is_finite() {
        let step = ((x.to_bits() >> 63) << 1).wrapping_sub(1);
        return S::round_down(f64::from_bits(x.to_bits().wrapping_add(step)));
    }
    floor_of(x.next_down(), exponent)
}

/// A length times a power of two, rounded down.
#[cold]
#[inline(never)]
fn floor_of<S: Scalar>(x: f64, exponent: i32) -> S {
    let length = x.scale_by_power(exponent);
    // Subnormal numbers are rounded.
    let rounded = x != 0.0 && length.abs() < 2.0 * f64::MIN_POSITIVE;
    S::round_down(if rounded { length.next_down() } else { length })
}
