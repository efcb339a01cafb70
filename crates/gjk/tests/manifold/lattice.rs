//! Prisms on a lattice against the intersection of their bases in fractions: every corner, no other, and the area.

use crate::laws::options;
use crate::oracle::Rng;
use gjk::hull::{PlanarHull, convex_hull_2};
use gjk::query::{Verdict, manifold};
use gjk::shape::Polytope;
use gjk::verify::verify_manifold;
use gjk::{Pose, Vec3, Vector};
use std::cmp::Ordering;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(above: i128, below: i128) -> Self {
        let (mut a, mut b) = (above.abs(), below.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let a = a.max(1) * below.signum();
        Self(above / a, below / a)
    }
    fn plus(self, other: Self) -> Self {
        Self::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }
    fn minus(self, other: Self) -> Self {
        self.plus(Self(-other.0, other.1))
    }
    fn times(self, other: Self) -> Self {
        Self::new(self.0 * other.0, self.1 * other.1)
    }
    fn over(self, other: Self) -> Self {
        Self::new(self.0 * other.1, self.1 * other.0)
    }
    fn sign(self) -> Ordering {
        self.0.cmp(&0)
    }
    fn float(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

type Exact = [Fraction; 2];

fn turn(a: Exact, b: Exact, c: Exact) -> Fraction {
    let [u, v] = [b, c].map(|p| [p[0].minus(a[0]), p[1].minus(a[1])]);
    u[0].times(v[1]).minus(u[1].times(v[0]))
}

/// The corners of the intersection of two convex rings, without those on a side.
fn intersection(subject: &[Exact], clip: &[Exact]) -> Vec<Exact> {
    let mut ring = subject.to_vec();
    for k in 0..clip.len() {
        let (from, to) = (clip[k], clip[(k + 1) % clip.len()]);
        let mut next = Vec::new();
        for i in 0..ring.len() {
            let (p, q) = (ring[i], ring[(i + 1) % ring.len()]);
            let (s, t) = (turn(from, to, p), turn(from, to, q));
            if s.sign().is_ge() {
                next.push(p);
            }
            if s.sign() == t.sign().reverse() && s.sign().is_ne() {
                let part = s.over(s.minus(t));
                let along = |k: usize| p[k].plus(part.times(q[k].minus(p[k])));
                next.push([along(0), along(1)]);
            }
        }
        ring = next;
    }
    ring.dedup();
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    let count = ring.len();
    if count < 3 {
        return ring;
    }
    let is_corner = |&k: &usize| {
        let (before, after) = (ring[(k + count - 1) % count], ring[(k + 1) % count]);
        turn(before, ring[k], after).sign().is_ne()
    };
    (0..count).filter(is_corner).map(|k| ring[k]).collect()
}

/// A convex ring of lattice points.
fn ring(rng: &mut Rng) -> Option<Vec<[f64; 2]>> {
    let points: Vec<[f64; 2]> = (0..rng.below(6) + 3)
        .map(|_| [0, 1].map(|_| rng.below(9) as f64 - 4.0))
        .collect();
    match convex_hull_2(&points).unwrap() {
        PlanarHull::Polygon(corners) => Some(corners.iter().map(|&k| points[k as usize]).collect()),
        _ => None,
    }
}

fn prism(ring: &[[f64; 2]], low: f64, high: f64) -> Polytope<Vec3<f64>> {
    let points: Vec<_> = [low, high]
        .iter()
        .flat_map(|&z| ring.iter().map(move |&[x, y]| Vec3::new(x, y, z)))
        .collect();
    Polytope::new(&points).unwrap()
}

#[test]
fn the_corners_are_those_that_fractions_say() {
    let mut rng = Rng(61);
    let (mut polygons, mut touching) = (0, 0);
    for case in 0..4000 {
        let (Some(a), Some(b)) = (ring(&mut rng), ring(&mut rng)) else {
            continue;
        };
        let exact = |ring: &[[f64; 2]]| -> Vec<Exact> {
            ring.iter()
                .map(|p| p.map(|x| Fraction(x as i128, 1)))
                .collect()
        };
        let expected = intersection(&exact(&a), &exact(&b));
        if expected.is_empty() {
            continue;
        }
        let (lower, upper) = (prism(&a, -9.0, 0.0), prism(&b, 0.0, 9.0));
        let here = Pose::identity();
        let found = manifold(&lower, &here, &upper, &here, &options());
        verify_manifold(&lower, &here, &upper, &here, &options(), &found).unwrap();
        assert_eq!(found.contact.verdict, Verdict::Touching);
        touching += 1;
        // Where the bases share no inner point, other normals are right as well.
        if expected.len() < 3 || found.contact.normal != Vec3::new(0.0, 0.0, 1.0) {
            continue;
        }
        polygons += 1;
        assert_eq!(
            found.points.len(),
            expected.len(),
            "{case} {a:?} {b:?} {found:?}"
        );
        for [x, y] in &expected {
            let right = Vec3::new(x.float(), y.float(), 0.0);
            let is_there = found
                .points
                .iter()
                .any(|p| (p.point_a - right).norm() < 1e-12);
            assert!(is_there, "{case} {right:?} {found:?}");
        }
        let doubled = (1..expected.len() - 1).fold(Fraction(0, 1), |sum, k| {
            sum.plus(turn(expected[0], expected[k], expected[k + 1]))
        });
        assert!((found.area - doubled.float() / 2.0).abs() < 1e-12);
    }
    assert!(polygons > 1500, "{polygons} of {touching}");
}
