//! Planes asked in lanes, against one plane after the other.

use super::*;
use crate::math::{Vec2, Vec3, plus, subtract};
use crate::random::Random;
use crate::shape::Polytope;
use crate::support::{Form, Support};
use crate::vertices::scan::every_level;

/// The oracle: one plane after the other. Times, the facet that is entered if it is one, and what is along.
fn crossed(
    facets: &Facets,
    count: usize,
    line: &FacetLine,
) -> ([[f64; 2]; 2], Option<usize>, [bool; 2]) {
    let mut times = [[f64::NEG_INFINITY; 2], [f64::INFINITY; 2]];
    let (mut late, mut sides) = (Vec::new(), [false; 2]);
    for facet in 0..count {
        let (normal, offset) = facets.plane(facet);
        let speed = dot(normal, line.velocity);
        let height = dot(normal, line.point) - offset;
        let at = |error: f64| (error - height) * (1.0 / speed);
        let (over, under) = (at(line.error), at(-line.error));
        if speed < -line.slow {
            times[0] = [times[0][0].max(over), times[0][1].max(under)];
            late.push((under, facet));
        } else if speed > line.slow {
            times[1] = [times[1][0].min(under), times[1][1].min(over)];
        } else if height >= -line.drift {
            sides[0] |= height > line.drift;
            sides[1] = true;
        }
    }
    let mut last = late.iter().filter(|(under, _)| *under >= times[0][0]);
    let one = last.next().filter(|_| last.next().is_none());
    (times, one.map(|&(_, facet)| facet), sides)
}

/// Against one plane after the other.
fn check_most_along(facets: &Facets, count: usize, level: Level, direction: Triple) {
    let rise = |facet: usize| dot(facets.plane(facet).0, direction);
    let (facet, [most, next]) = facets.most_along_at(level, &direction);
    assert_eq!(rise(facet), most, "{level:?}");
    let others = (0..count).filter(|&k| k != facet).map(rise);
    let highest = others.fold(f64::NEG_INFINITY, f64::max);
    // Rows are filled up with planes of no normal.
    assert!(
        highest <= most && (next == highest || next == 0.0),
        "{level:?}"
    );
}

/// Against one plane after the other: a facet that no other is farther behind than.
fn check_facing(facets: &Facets, count: usize, level: Level, points: &[Triple; 2]) {
    let found = Facets::facing_at(level, [facets; 2], points);
    for (facet, &point) in found.into_iter().zip(points) {
        let height = |k: usize| {
            let (normal, offset) = facets.plane(k);
            dot(normal, point) - offset
        };
        assert!(facet < count, "{level:?}");
        assert!((0..count).all(|k| height(k) <= height(facet)), "{level:?}");
    }
}

fn check<V: Vector>(body: &Polytope<V>, unit: &mut Random) {
    let core = body.core();
    let Form::Hull(hull) = core.form else {
        panic!("no hull");
    };
    let facets = hull.facets().expect("facets");
    let count = facets.starts.len() - 1;
    // No vertex is beyond a plane, and those of its ring are on it.
    for facet in 0..count {
        let (normal, offset) = facets.plane(facet);
        assert!((length(normal) - 1.0).abs() < 4.0 * UNIT_ROUNDOFF);
        let height = |x: &V| dot(normal, x.to_f64()) - offset;
        assert!(body.vertices().iter().all(|x| height(x) < 1e-14));
        let ring = facets.ring(facet);
        assert!(ring.len() >= V::DIM);
        assert!(
            ring.iter()
                .all(|&id| height(&body.vertices()[id as usize]) > -1e-14)
        );
    }
    for k in 0..20 {
        let (point, velocity) = (
            unit.vector(V::DIM, 1.0).map(|x| 3.0 * x),
            unit.vector(V::DIM, 1.0),
        );
        let line = FacetLine {
            point,
            velocity,
            // Now and then an edge may be entered by either facet.
            error: [1e-14, 1e-2][k % 3 / 2],
            // And many planes are slow.
            slow: [1e-14, 0.3][k % 2],
            drift: [1e-13, 0.5][k % 2],
            lengths: length(point) + 10.0 + 2.0,
            speed: length(velocity),
        };
        let (times, one, sides) = crossed(facets, count, &line);
        for level in every_level() {
            let found = facets.crossings_at(level, &line);
            assert_eq!([found.enter, found.exit], times, "{level:?}");
            let entered = found.is_one.then_some(found.entered);
            assert_eq!(entered, one, "{level:?}");
            assert_eq!([found.misses, found.along], sides, "{level:?}");
            check_most_along(facets, count, level, velocity);
            check_facing(facets, count, level, &[point, velocity]);
        }
    }
}

/// A line of which heights are known to 1e-14.
fn line(point: Triple, velocity: Triple, size: f64) -> FacetLine {
    let speed = length(velocity);
    let way = 2.0 * (length(point) + size);
    FacetLine {
        point,
        velocity,
        error: 1e-14 * way,
        slow: 1e-14 * speed,
        drift: 2e-14 * way,
        lengths: length(point) + way + size,
        speed,
    }
}

/// A line at an edge of a facet, at the beginning or the middle of it or beside it, or every fifth nearly along the facet.
fn line_at(
    facets: &Facets,
    corners: &[Vec3<f64>],
    facet: usize,
    k: usize,
    unit: &mut Random,
) -> FacetLine {
    let ring = facets.ring(facet);
    let [a, b] = [ring[0], ring[1]].map(|id| corners[id as usize].to_f64());
    let sum = |x: Triple, factor: f64, y: Triple| plus(x, y, factor);
    let edge = subtract(b, a);
    if k % 5 == 4 {
        let normal = facets.plane(facet).0;
        let [off, tilt] = [1e-7, 1e-5].map(|x| x * unit.next());
        let along = sum(edge, tilt, normal);
        let from = sum(sum(sum(a, 0.5, edge), -5.0, along), off, normal);
        return line(from, along, 1.0);
    }
    let beside = [1e-9, 1e-6, 1e-3, 0.5][k % 5];
    let target = sum(
        sum(a, [0.5, 0.0, 0.3][k % 3], edge),
        beside,
        unit.vector(3, 1.0),
    );
    let point = unit.vector(3, 1.0).map(|x| 5.0 * x);
    line(point, subtract(target, point), 1.0)
}

/// Planes in `f32` tell the facets, and with them the times, that all planes tell, of lines at edges and corners too, or nothing.
#[test]
fn rough_planes_tell_what_all_planes_do() {
    let mut unit = Random(11);
    let mut told = [0; 3];
    for case in 0..40 {
        let on_ball = |x: Triple| Vec3::from_f64(x.map(|c| c / length(x)));
        let points: Vec<Vec3<f64>> = (0..20 + 10 * (case % 20))
            .map(|_| on_ball(unit.vector(3, 1.0)))
            .collect();
        let body = Polytope::new(&points).expect("points");
        let Form::Hull(hull) = body.core().form else {
            panic!("no hull");
        };
        let facets = hull.facets().expect("facets");
        let rough = facets.rough.as_ref().expect("many facets");
        for k in 0..100 {
            let facet = (case * 100 + k) % (facets.starts.len() - 1);
            let line = line_at(facets, body.vertices(), facet, k, &mut unit);
            let all = facets.crossings_at(facets.level, &line);
            let found = rough.passage(facets.level, &line);
            for level in every_level() {
                assert_eq!(rough.passage(level, &line), found, "{level:?}");
            }
            match found {
                RoughPassage::Misses => {
                    told[0] += 1;
                    assert!(all.misses || all.enter[0] > all.exit[1]);
                }
                RoughPassage::Between(ends) => {
                    told[1] += 1;
                    let found = facets.between(&line, ends);
                    assert!(all.is_one && !all.along && !all.misses);
                    assert_eq!(found.entered, all.entered);
                    assert_eq!([found.enter, found.exit], [all.enter, all.exit]);
                }
                RoughPassage::Unknown => told[2] += 1,
            }
        }
    }
    assert!(told.iter().all(|&count| count > 300), "{told:?}");
}

#[test]
fn every_level_finds_what_one_plane_after_the_other_does() {
    let mut unit = Random(7);
    for n in [3, 4, 5, 8, 9, 17, 40, 150] {
        let flat: Vec<_> = (0..n)
            .map(|_| unit.vector(2, 1.0))
            .map(|[x, y, _]| Vec2::new(x, y))
            .collect();
        check(&Polytope::new(&flat).expect("points"), &mut unit);
        let solid: Vec<_> = (0..n + 1)
            .map(|_| unit.vector(3, 1.0))
            .map(|[x, y, z]| Vec3::new(x, y, z))
            .collect();
        check(&Polytope::new(&solid).expect("points"), &mut unit);
    }
}

/// A needle's normal is as good as any: by floats alone it would be off by more than rounding.
#[test]
fn planes_of_needles_are_known_to_rounding() {
    let points = [
        [0.3, 0.1, 0.7],
        [1.3, 0.7, 0.9],
        [0.8 + 1e-13, 0.4, 0.8],
        [0.2, 0.9, -3.0],
    ];
    let body = Polytope::new(&points.map(|[x, y, z]| Vec3::new(x, y, z))).expect("points");
    check(&body, &mut Random(3));
}
