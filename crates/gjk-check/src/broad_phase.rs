//! Boxes around parts, and the pairs of bodies whose boxes are near enough.
//!
//! Idea: a box is built from six support points and widened by a bound of their rounding, so that a pair it rules out is
//! ruled out by proof. The boxes of many bodies go into an R-tree, anew for each state; of few, such as a robot's, each is compared with each.

use gjk::shape::Shape;
use gjk::{Pose3, Posed, Vec3, Vector};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

/// A box along the world's axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aabb {
    lower: [f64; 3],
    upper: [f64; 3],
}

/// The least and the largest corner of a box, along the world's axes, around a shape at a pose.
///
/// # Accuracy  it contains the shape, and is wider by roundings of its coordinates.
pub fn bounds(shape: &Shape<Vec3<f64>>, pose: &Pose3<f64>) -> [[f64; 3]; 2] {
    Aabb::of(&Posed::new(shape, *pose)).corners()
}

impl Aabb {
    /// Contains nothing.
    const EMPTY: Self = Self {
        lower: [f64::INFINITY; 3],
        upper: [f64::NEG_INFINITY; 3],
    };

    /// The box of a shape at a pose.
    pub(crate) fn of(posed: &Posed<'_, Vec3<f64>, Shape<Vec3<f64>>>) -> Self {
        let [lower, upper] = posed.bounds().map(Vector::to_f64);
        Self { lower, upper }
    }

    /// The box around boxes.
    pub(crate) fn around(boxes: impl Iterator<Item = Self>) -> Self {
        boxes.fold(Self::EMPTY, |a, b| Self {
            lower: [0, 1, 2].map(|k| a.lower[k].min(b.lower[k])),
            upper: [0, 1, 2].map(|k| a.upper[k].max(b.upper[k])),
        })
    }

    /// The corners of least and largest coordinates.
    pub(crate) fn corners(&self) -> [[f64; 3]; 2] {
        [self.lower, self.upper]
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.lower.iter().chain(&self.upper).all(|x| x.is_finite())
    }

    /// A lower bound of the distance of what is in the two boxes.
    pub(crate) fn gap(&self, other: &Self) -> f64 {
        let along = |k: usize| {
            (other.lower[k] - self.upper[k])
                .max(self.lower[k] - other.upper[k])
                .max(0.0)
        };
        let [x, y, z] = [along(0), along(1), along(2)];
        // Eight roundings at most stand between this and the truth.
        (x * x + y * y + z * z).sqrt() * (1.0 - 8.0 * f64::EPSILON)
    }

    fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.lower[k] <= other.upper[k] && other.lower[k] <= self.upper[k])
    }

    fn grown(&self, by: f64) -> Self {
        Self {
            lower: self.lower.map(|x| (x - by).next_down()),
            upper: self.upper.map(|x| (x + by).next_up()),
        }
    }
}

/// So few boxes are compared each with each: in checks of PR2 a tree took more than a tenth of the time.
const FEW: usize = 100;

/// The pairs of boxes at most `reach` apart that `keep` lets through, in input order, the lower index first.
pub(crate) fn near_pairs(
    boxes: &[Aabb],
    reach: f64,
    keep: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    if boxes.len() <= FEW {
        return all_near_pairs(boxes, reach, keep);
    }
    let entry = |(index, aabb): (usize, &Aabb)| {
        GeomWithData::new(Rectangle::from_corners(aabb.lower, aabb.upper), index)
    };
    let tree = RTree::bulk_load(boxes.iter().enumerate().map(entry).collect());
    let mut pairs = Vec::new();
    for (a, aabb) in boxes.iter().enumerate() {
        let grown = aabb.grown(reach);
        let near =
            tree.locate_in_envelope_intersecting(&AABB::from_corners(grown.lower, grown.upper));
        let from = pairs.len();
        pairs.extend(
            near.map(|entry| (a, entry.data))
                .filter(|&(a, b)| a < b && keep(a, b)),
        );
        // The tree gives no order.
        pairs[from..].sort_unstable();
    }
    pairs
}

/// The same without a tree.
fn all_near_pairs(
    boxes: &[Aabb],
    reach: f64,
    keep: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (a, aabb) in boxes.iter().enumerate() {
        let grown = aabb.grown(reach);
        let later = boxes.iter().enumerate().skip(a + 1);
        let near = later.filter(|(_, other)| grown.meets(other));
        pairs.extend(near.map(|(b, _)| (a, b)).filter(|&(a, b)| keep(a, b)));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(at: f64) -> Aabb {
        Aabb {
            lower: [at, 0.0, 0.0],
            upper: [at + 1.0, 1.0, 1.0],
        }
    }

    #[test]
    fn pairs_come_in_input_order_and_touching_boxes_are_near() {
        let boxes = [cube(2.0), cube(0.0), cube(1.0), cube(3.5)];
        assert_eq!(near_pairs(&boxes, 0.0, |_, _| true), [(0, 2), (1, 2)]);
        assert_eq!(
            near_pairs(&boxes, 0.5, |_, _| true),
            [(0, 2), (0, 3), (1, 2)]
        );
        assert_eq!(near_pairs(&boxes, 0.5, |a, _| a == 1), [(1, 2)]);
    }

    /// More boxes than go without a tree, of which some touch.
    #[test]
    fn a_tree_finds_the_pairs_that_are_found_without_one() {
        let boxes: Vec<Aabb> = (0..2 * FEW)
            .map(|k| cube((k * k % 97) as f64 / 2.0))
            .collect();
        for reach in [0.0, 0.5, 0.75] {
            let keep = |a: usize, b: usize| !(a + b).is_multiple_of(3);
            let found = near_pairs(&boxes, reach, keep);
            assert!(found.len() > FEW);
            assert_eq!(found, all_near_pairs(&boxes, reach, keep));
        }
    }

    #[test]
    fn a_box_contains_its_turned_shape_and_the_gap_is_a_lower_bound() {
        let corners = [
            Vec3::new(0.1, 0.2, 0.3),
            Vec3::new(1.7, 0.2, 0.3),
            Vec3::new(0.1, 2.9, 0.3),
            Vec3::new(0.1, 0.2, 3.1),
        ];
        let Ok(hull) = gjk::shape::Polytope::new(&corners) else {
            panic!("four corners have a hull")
        };
        let shape = Shape::from(hull);
        let pose = Pose3::from_quaternion([0.1, 0.2, 0.3, 0.9], Vec3::new(5.0, -7.0, 11.0))
            .unwrap_or_default();
        let aabb = Aabb::of(&Posed::new(&shape, pose));
        for corner in corners.map(|corner| pose.point(corner)) {
            for k in 0..3 {
                assert!(aabb.lower[k] < corner.component(k) && corner.component(k) < aabb.upper[k]);
            }
        }
        assert_eq!(cube(0.0).gap(&cube(0.5)), 0.0);
        assert!(cube(0.0).gap(&cube(3.0)) <= 2.0 && cube(0.0).gap(&cube(3.0)) > 2.0 - 1e-14);
    }
}
