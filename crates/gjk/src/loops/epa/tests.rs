//! The polytope's storage and the loop's limits, which no query shows.

use super::caps::Caps;
use super::descent::descend;
use super::expanding_polytope::plane::FACET_NORMAL_ERROR_MAX;
use super::expanding_polytope::{ExpandingPolytope, VERTICES_MAX};
use super::{Settings, run};
use crate::Pose;
use crate::loops::gjk::Stop;
use crate::math::{Axis, Vec3, Vector};
use crate::random::Random;
use crate::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Point, Shape};
use crate::support::{MinkowskiDifference, NO_ID, Posed, SupportPair};
use alloc::vec::Vec;

type V = Vec3<f64>;

/// A vertex of the difference with B at the origin.
fn pair(w: V, id: u32) -> SupportPair<V> {
    SupportPair {
        a: w,
        b: Vec3::default(),
        w,
        ids: [id, if id == NO_ID { NO_ID } else { 0 }],
    }
}

/// A new vertex in the plane of a facet replaces it: no facet without that vertex may have it in its plane. A kept one
/// would stand beside a second facet in the same plane, with the foot of the normal in either.
#[test]
fn epa_absorbs_coplanar_facets() {
    let at = |x: f64, y: f64, z: f64, id: u32| pair(Vec3::new(x, y, z), id);
    let simplex = [
        at(0.0, 0.0, 0.0, 0),
        at(1.0, 0.0, 0.0, 1),
        at(0.0, 1.0, 0.0, 2),
        at(0.0, 0.0, 1.0, 3),
    ];
    let mut polytope = ExpandingPolytope::new();
    assert!(polytope.start(&simplex));
    let points = |polytope: &ExpandingPolytope<V>, facet: u16| -> Vec<V> {
        polytope.pairs(facet).map(|p| p.w).collect()
    };
    let apex = at(1.0, 1.0, 0.0, 4);
    let slanted = polytope
        .alive()
        .find(|&facet| Vector::side(&points(&polytope, facet), apex.w).is_gt());
    polytope
        .insert(slanted.expect("one facet is slanted"), apex)
        .expect("it is above that facet");
    let facets: Vec<_> = polytope
        .alive()
        .map(|facet| points(&polytope, facet))
        .collect();
    // A pyramid over a square: four sides and two halves of the base.
    assert_eq!(facets.len(), 6);
    for facet in facets {
        assert!(
            facet.contains(&apex.w) || Vector::side(&facet, apex.w).is_lt(),
            "{facet:?}"
        );
    }
}

/// A point of the sphere of radius 2.
fn on_sphere(random: &mut Random) -> V {
    loop {
        let x = V::from_f64(random.vector(3, 1.0));
        let norm = x.norm();
        if norm > 0.1 && norm <= 1.0 {
            return x * (2.0 / norm);
        }
    }
}

/// The polytope moves to the heap and goes on, up to its limit; it is closed and convex all the while.
#[test]
fn storage_grows_to_its_limit() {
    let mut random = Random(3);
    let mut polytope = ExpandingPolytope::new();
    let at = |x: f64, y: f64, z: f64| pair(Vec3::new(x, y, z), NO_ID);
    let simplex = [
        at(1.0, 1.0, 1.0),
        at(-1.0, -1.0, 1.0),
        at(1.0, -1.0, -1.0),
        at(-1.0, 1.0, -1.0),
    ];
    assert!(polytope.start(&simplex));
    let mut vertices = simplex.to_vec();
    let full = loop {
        let pair = pair(on_sphere(&mut random), NO_ID);
        let visible = polytope
            .alive()
            .find(|&facet| polytope.side(facet, &pair).is_gt());
        match polytope.insert(visible.expect("no vertex is on the sphere twice"), pair) {
            Ok(()) => vertices.push(pair),
            Err(stop) => break stop,
        }
        // Points of one sphere all stay vertices, but the first four, which are inside.
        if vertices.len() == 70 {
            let above = polytope
                .alive()
                .any(|facet| vertices.iter().any(|v| polytope.side(facet, v).is_gt()));
            assert!(!above);
        }
    };
    assert_eq!((full, vertices.len()), (Stop::StorageFull, VERTICES_MAX));
    // Euler: every vertex of the sphere is one of the polytope.
    assert_eq!(
        polytope.alive().count(),
        2 * (VERTICES_MAX - simplex.len()) - 4
    );
    let nearest = polytope.plane(polytope.nearest()).lower;
    assert!(
        polytope
            .alive()
            .all(|facet| polytope.plane(facet).lower >= nearest)
            && nearest > 1.8
    );
}

/// A smooth pair at a tolerance that it cannot meet stops with true bounds, whatever the limit.
#[test]
fn limits_leave_true_bounds() {
    let ellipsoid = |x: f64, y: f64, z: f64| Ellipsoid::new(Vec3::new(x, y, z)).expect("positive");
    let (a, b) = (ellipsoid(1.0, 2.0, 3.0), ellipsoid(1.0, 1.2, 1.4));
    let place = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0));
    // Along x the bodies reach 2 together, and elsewhere more.
    let (near, far) = (place(0.0), place(0.5));
    let difference = MinkowskiDifference {
        a: Posed::new(&a, near),
        b: Posed::new(&b, far),
    };
    for iterations_max in [3, 20, 80, 400, 4000] {
        let slack = 1e-13;
        let settings = Settings {
            hulls: false,
            tolerance_relative: 1e-16,
            iterations_max,
            slack,
            narrow: 0.0,
            list_facets: false,
        };
        let found = run(&difference, &[], &settings, None, &mut ()).expect("it has an interior");
        assert!(
            found.lower <= 1.5 + slack && found.upper >= 1.5 - slack,
            "{found:?}"
        );
        assert!(
            found.iterations <= iterations_max
                && found.upper - found.lower <= 10.0 / f64::from(iterations_max.min(100))
        );
    }
}

/// A body of any smooth kind, some of them flat or thin, and a sharp one.
fn round_body(random: &mut Random) -> Shape<V> {
    let mut size = || {
        let x = random.next();
        let thin = random.next() > 0.7;
        (0.1 + x * x) * if thin { 1e-2 } else { 1.0 }
    };
    let (x, y, z) = (size(), size(), size());
    let axis = Axis::Y;
    match (random.next() * 2.5 + 2.5) as u32 {
        0 => Cylinder::new(x, y, axis).expect("positive").into(),
        1 => Cone::new(x, y, axis).expect("positive").into(),
        2 => Ellipsoid::new(Vec3::new(x, y, z)).expect("positive").into(),
        3 => Cuboid::new(Vec3::new(x, y, z)).expect("positive").into(),
        _ => Capsule::new(x, y, axis).expect("positive").into(),
    }
}

/// In the cone of a cap no height is below the caps' bound, but for rounding.
#[test]
fn caps_hold_in_their_cones() {
    let mut random = Random(5);
    let (mut caps_seen, mut near) = (0, 0);
    for _ in 0..6000 {
        let (a, b) = (round_body(&mut random), round_body(&mut random));
        let q: [f64; 4] = core::array::from_fn(|_| random.next() + 1e-3);
        let to = Vec3::from_f64(random.vector(3, 0.2));
        let pose = Pose::from_quaternion(q, to).expect("not zero");
        let difference = MinkowskiDifference {
            a: Posed::new(&a, Pose::identity()),
            b: Posed::new(&b, pose),
        };
        let height = |n: V| difference.support_pair(n).w.dot(n);
        let mut caps = Caps::new();
        for _ in 0..3 {
            let from = Vec3::from_f64(random.vector(3, 1.0));
            let found = descend(&difference, from).filter(|found| found.height() > 0.0);
            let Some(found) = found else { continue };
            let normal = found.base.normal();
            caps_seen += u32::from(caps.add(&found, height(normal)));
        }
        for (normal, cosine) in caps.cones() {
            let tangent = f64::sqrt(1.0 - cosine * cosine) / cosine;
            for k in 0..60 {
                let across = Vec3::from_f64(random.vector(3, 1.0));
                let across = across - normal * across.dot(normal);
                let Some(across) = across.normalized() else {
                    continue;
                };
                let far = tangent * [1.0, random.next().abs(), 1e-2, 1e-4][k % 4];
                let Some(direction) = (normal + across * far).normalized() else {
                    continue;
                };
                let over = height(direction) - caps.lower();
                assert!(
                    over > -1e-14,
                    "{a:?} {b:?} {pose:?} {normal:?} {far} {over}"
                );
                near += u32::from(over < 1e-3 * caps.lower());
            }
        }
    }
    assert!(caps_seen > 2000 && near > 1000, "{caps_seen} {near}");
}

/// Expansions of a pair; `None` where it does not overlap.
fn expansions(a: &Shape<V>, b: &Shape<V>, pose: Pose<V>) -> Option<u32> {
    let difference = MinkowskiDifference {
        a: Posed::new(a, Pose::identity()),
        b: Posed::new(b, pose),
    };
    let settings = Settings {
        hulls: false,
        tolerance_relative: 4.5e-13,
        iterations_max: 1000,
        slack: 1e-14,
        narrow: 0.0,
        list_facets: false,
    };
    let found = run(&difference, &[], &settings, None, &mut ())?;
    (found.lower > 0.0).then_some(found.iterations)
}

/// Without caps two ellipsoids take a hundred expansions, and two cylinders thirty.
#[test]
fn caps_spare_rings_of_facets() {
    let size = |random: &mut Random| 0.3 + 0.25 * f64::abs(random.next());
    let mut random = Random(8);
    for ellipsoids in [true, false] {
        let body = |random: &mut Random| -> Shape<V> {
            let (x, y, z) = (size(random), size(random), size(random));
            if ellipsoids {
                Ellipsoid::new(Vec3::new(x, y, z)).expect("positive").into()
            } else {
                Cylinder::new(x, y, Axis::Y).expect("positive").into()
            }
        };
        let (mut sum, mut count) = (0, 0);
        while count < 300 {
            let (a, b) = (body(&mut random), body(&mut random));
            let q: [f64; 4] = core::array::from_fn(|_| random.next() + 1e-3);
            let to = Vec3::from_f64(random.vector(3, 0.3));
            let pose = Pose::from_quaternion(q, to).expect("not zero");
            if let Some(expansions) = expansions(&a, &b, pose) {
                (sum, count) = (sum + expansions, count + 1);
            }
        }
        assert!(sum < 25 * count, "{sum} of {count}");
    }
}

/// A facet at the rim of a cap is looked at, though its normal, as rounded, says that all beyond it is in the cap.
#[test]
fn a_facet_at_the_rim_is_not_excused() {
    let ball: Shape<V> = Ellipsoid::new(Vec3::new(1.0, 1.1, 1.2))
        .expect("positive")
        .into();
    let point: Shape<V> = Point::new(Vec3::new(0.1, 0.1, 0.1)).expect("finite").into();
    let difference = MinkowskiDifference {
        a: Posed::new(&ball, Pose::identity()),
        b: Posed::new(&point, Pose::identity()),
    };
    let mut caps = Caps::new();
    let found = descend(&difference, Vec3::new(1.0, 0.0, 0.0)).expect("it is smooth");
    assert!(caps.add(&found, found.height()));
    let (normal, cosine) = caps.cones().next().expect("it is a cap");
    let (across, lower) = (
        normal.perpendicular().normalized().expect("unit"),
        caps.lower(),
    );
    // The plane is as near as the bound, but for rounding: what is below it is along the facet's normal.
    let rim = f64::acos(cosine);
    let excused = |angle: f64| {
        let along = normal * angle.cos() + across * angle.sin();
        let foot = along * (lower * (1.0 - 1e-14));
        let second = V::cross_product(along, across).normalized().expect("unit") * 1e-3;
        let first = V::cross_product(second, along).normalized().expect("unit") * 1e-3;
        let corner = |w: V, id: u32| pair(w, id);
        let mut polytope = ExpandingPolytope::new();
        let corners = [
            corner(foot - first - second, 0),
            corner(foot + first - second, 1),
            corner(foot + second, 2),
            corner(-along, 3),
        ];
        assert!(polytope.start(&corners));
        let facet = polytope
            .alive()
            .find(|&facet| polytope.plane(facet).unit_normal().dot(along) > 0.999)
            .expect("it faces along");
        polytope.refine(facet);
        caps.excuse(polytope.plane(facet))
    };
    assert!(excused(rim - 1e-3));
    assert!(!excused(rim - FACET_NORMAL_ERROR_MAX));
}
