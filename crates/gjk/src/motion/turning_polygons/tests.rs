//! The bound of heights against exact sums.

use super::*;
use crate::math::{Pose2, Vec2};
use crate::motion::Twist;
use crate::motion::options::ToiOptions;
use crate::random::Random;
use crate::shape::Polytope;
use crate::support::{Form, Support};
use crate::vertices::HullVertices;
use alloc::vec::Vec;
use gjk_exact::number::{Dyadic, Number};

type Flat = Vec2<f64>;

impl Random {
    fn flat(&mut self, size: f64) -> Flat {
        Vec2::new(self.next() * size, self.next() * size)
    }

    fn polygon(&mut self) -> Polytope<Flat> {
        let points: Vec<Flat> = (0..8).map(|_| self.flat(1.0)).collect();
        Polytope::new(&points).expect("points")
    }
}

fn exact(x: f64) -> Dyadic {
    Dyadic::difference(x, 0.0)
}

/// How high a vertex of B is over one of A along a direction, at a time: in the world, without a rounding but those of the vertices.
fn height(normal: [f64; 2], [from, to]: [Flat; 2], velocities: [Flat; 2], time: f64) -> Dyadic {
    let [u, v] = velocities;
    let along = |k: usize| {
        let moved = exact(time).times(&Dyadic::difference(v.component(k), u.component(k)));
        let way = Dyadic::difference(to.component(k), from.component(k)).plus(&moved);
        exact(normal[k]).times(&way)
    };
    along(0).plus(&along(1))
}

fn lowest(heights: impl Iterator<Item = Dyadic>) -> Dyadic {
    let least = |a: Dyadic, b: Dyadic| if is_negative(&b.minus(&a)) { b } else { a };
    heights.reduce(least).expect("vertices")
}

fn is_negative(x: &Dyadic) -> bool {
    x.sign() == Some(core::cmp::Ordering::Less)
}

/// Polygons at poses, with the velocities of their places.
type Placed<'p> = (&'p Polytope<Flat>, Pose2<f64>, Flat);

fn hull<'p>(body: &'p Placed<'_>) -> &'p HullVertices<Flat> {
    match body.0.core().form {
        Form::Hull(hull) => hull,
        _ => panic!("no hull"),
    }
}

/// How far a height over a side of A is from the exact one at a time, and its bound: with all of its terms, and without that of the way, of the reach and of the places.
fn errors(bodies: &[Placed<'_>; 2], center: Flat, time: f64) -> (f64, [f64; 4]) {
    let velocities = [bodies[0].2, bodies[1].2];
    let limits = ToiOptions::<f64>::default().limits();
    let courses = [0, 1].map(|k| {
        let twist = Twist::new(velocities[k], [0.0; 3], center).expect("finite");
        Course::of(&bodies[k].1, &twist, limits.end)
    });
    let moving = [0, 1].map(|k: usize| Moving {
        shape: bodies[k].0,
        pose: &bodies[k].1,
        velocity: Vec2::new(0.0, 0.0),
    });
    let sides = [0, 1].map(|k: usize| hull(&bodies[k]).sides().expect("sides"));
    let level = sides[0].level();
    let of = [(sides[0], &moving[0]), (sides[1], &moving[1])];
    let vertices = [0, 1].map(|k: usize| {
        let (body, pose, _) = &bodies[k];
        let count = body.core().vertex_count.unwrap_or(0);
        let all = (0..count).filter_map(|id| body.vertex(id));
        all.map(|x| pose.point(x)).collect::<Vec<_>>()
    });
    dispatch!(level, simd => {
        let pair = pair_of(simd, of, &courses, limits).expect("bounds");
        let mut largest = 0.0;
        for number in 0..vertices[0].len() {
            let side = OwnSide { own: 0, number };
            let over = pair.over(simd, side, &pair.spot(time));
            let (normal, _) = pair.bodies[0].side(number);
            let all = vertices[0].iter().flat_map(|&from| {
                let ends = move |&to| [from, to];
                vertices[1].iter().map(ends).map(|ends| height(normal, ends, velocities, time))
            });
            let found = exact(over.gap).plus(&exact(pair.error));
            let off = rounded(&lowest(all).minus(&found)).abs();
            largest = f64::max(largest, off);
        }
        let far = length(pair.centers.apart) + pair.centers.speed * limits.end;
        let places = bodies.each_ref().map(|body| body.1.translation().sum_abs());
        let terms = [
            TURNING_WAY_ROUNDINGS * far,
            TURNING_REACH_ROUNDINGS * (pair.reach[0] + pair.reach[1]),
            SIDE_PLACE_ROUNDINGS * (places[0] + places[1]),
        ];
        let without = terms.map(|term| pair.error - UNIT_ROUNDOFF * term);
        (largest, [pair.error, without[0], without[1], without[2]])
    })
}

/// About a number.
fn rounded(x: &Dyadic) -> f64 {
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if is_negative(&x.minus(&exact(middle))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

/// The bound holds, and not without a term where its size is the largest.
#[test]
fn heights_are_within_their_bound_and_need_each_of_its_terms() {
    let mut numbers = Random(17);
    let large = (1u64 << 30) as f64;
    for (needed, at, way, lever) in [
        (1, 0.5, large, 0.0),
        (2, 0.0, 1e-3, 0.0),
        (3, large, 1e-3, 0.0),
        (0, 0.5, 1.0, 0.5),
    ] {
        let (mut fails, zero) = (false, Vec2::new(0.0, 0.0));
        for _ in 0..100 {
            let bodies = [numbers.polygon(), numbers.polygon()];
            let place = if at == 0.0 { zero } else { numbers.flat(at) };
            let mut placed = |body| {
                let (sine, cosine) = libm::sincos(3.0 * numbers.next());
                let pose = Pose2::from_cos_sin(cosine, sine, place);
                (body, pose, numbers.flat(way))
            };
            let placed = [placed(&bodies[0]), placed(&bodies[1])];
            let (center, time) = (numbers.flat(lever), 0.5 + 0.5 * numbers.next());
            let (found, bounds) = errors(&placed, center, time);
            assert!(found <= bounds[0], "{found} {bounds:?}");
            fails |= found > bounds[needed];
        }
        assert_eq!(fails, needed > 0, "{needed} {at}");
    }
}
