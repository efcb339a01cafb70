//! T4: the polygon article.

use super::*;

#[test]
fn t4_1_distance_and_verdict_agree() {
    let mut rng = Rng(41);
    for _ in 0..5000 {
        let mut body = || {
            let points: Vec<[f64; 2]> = (0..5)
                .map(|_| [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)])
                .collect();
            (polygon(&points), points)
        };
        let ((a, _), (b, _)) = (body(), body());
        let pose = Pose::from_translation(oracle::pairs::random_vector(&mut rng, 2.0));
        let answer = query::distance(&a, &Pose::identity(), &b, &pose, &Options::tight());
        let verdict =
            query::intersects(&a, &Pose::identity(), &b, &pose, &Options::tight()).verdict;
        assert_eq!(answer.verdict, verdict);
        assert_eq!(answer.distance.lower > 0.0, verdict == Verdict::Separated);
    }
}

#[test]
fn t4_3_support_of_a_sorted_polygon() {
    let ring: Vec<[f64; 2]> = (0..100)
        .map(|k| {
            let t = f64::from(k) * 0.0628;
            [t.cos(), t.sin()]
        })
        .collect();
    let shape = polygon(&ring);
    for k in 0..1000 {
        let t = f64::from(k) * 0.01;
        let d = Vec2::new(t.cos(), t.sin());
        let best = ring
            .iter()
            .map(|p| p[0] * d.x + p[1] * d.y)
            .fold(f64::MIN, f64::max);
        assert_eq!(shape.support(d, NO_ID).point.dot(d), best);
    }
}

#[test]
fn t4_5_one_loop_for_both_dimensions() {
    // The planar pair and its prism agree wherever the prism's height does not matter.
    let flat = polygon(&[[0.0, 0.0], [2.0, 0.0], [1.0, 1.5]]);
    let prism = hull(&[
        [0.0, 0.0, -9.0],
        [2.0, 0.0, -9.0],
        [1.0, 1.5, -9.0],
        [0.0, 0.0, 9.0],
        [2.0, 0.0, 9.0],
        [1.0, 1.5, 9.0],
    ]);
    for (x, y) in [(3.0, 0.5), (0.5, 0.25), (2.0, 0.0), (-1.0, 2.0)] {
        let pose = Pose::from_translation(Vec2::new(x, y));
        let planar = query::contact(&flat, &Pose::identity(), &flat, &pose, &Options::tight());
        let solid = contact3(&prism, &prism, &at3(x, y, 0.0));
        assert_eq!(planar.verdict, solid.verdict);
        assert!((planar.signed_distance.lower - solid.signed_distance.lower).abs() < 1e-12);
    }
}
