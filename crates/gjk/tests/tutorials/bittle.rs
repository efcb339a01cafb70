//! T5: Bittle.

use super::*;

#[test]
fn t5_1_any_shape_with_a_support_function() {
    struct Lens;
    impl Support<Vec2<f64>> for Lens {
        fn support(&self, d: Vec2<f64>, _hint: u32) -> SupportPoint<Vec2<f64>> {
            // Two unit discs with centres at (0, ±0.5), intersected: arcs and two corners.
            let unit = d.normalized().unwrap_or(Vec2::new(1.0, 0.0));
            let corner = 0.75f64.sqrt();
            let point = if unit.x.abs() >= corner {
                Vec2::new(corner * unit.x.signum(), 0.0)
            } else {
                Vec2::new(unit.x, unit.y - 0.5 * unit.y.signum())
            };
            SupportPoint { point, id: NO_ID }
        }
    }
    let disc = Ball::new(0.25).unwrap();
    for (center, truth) in [
        ([0.0, 2.0], 1.25),
        ([2.0, 0.0], 2.0 - 0.75f64.sqrt() - 0.25),
    ] {
        let pose = Pose::from_translation(Vec2::from(center));
        let answer = query::contact(&Lens, &Pose::identity(), &disc, &pose, &Options::tight());
        assert!(
            (answer.signed_distance.lower - truth).abs() < 1e-9,
            "{answer:?}"
        );
        assert!(!answer.exact);
    }
}

#[test]
fn t5_2_a_warm_start_saves_steps_on_a_moving_pair() {
    let mut rng = Rng(52);
    let sphere: Vec<[f64; 3]> = (0..64).map(|_| rng.direction(3)).collect();
    let body = hull(&sphere);
    let (mut cold, mut warm, mut start) = ([0; 2], 0, Cache::new());
    let here = Pose::identity();
    for step in 0..500 {
        let t = f64::from(step) * 0.01;
        let pose = Pose::from_quaternion(
            [0.0, (t / 2.0).sin(), 0.0, (t / 2.0).cos()],
            Vec3::new(2.3, 0.3 * t.cos(), 0.2),
        )
        .unwrap();
        let options = Options::tight();
        let pair = gjk::Pair::new(&body, &here, &body, &pose);
        // From a direction, as the tutorial does, and from the facet that faces the other body.
        let from_direction = ProofOptions::default().with_first_direction(pose.translation());
        let proof = pair.with(&options).prove_with(&from_direction);
        cold[0] += proof.contact.iterations.gjk;
        cold[1] += pair.with(&options).contact().iterations.gjk;
        warm += pair
            .with(&options)
            .warm(&mut start)
            .contact()
            .iterations
            .gjk;
    }
    assert!(
        warm * 2 < cold[0] && warm < cold[1],
        "warm {warm}, cold {cold:?}"
    );
}

#[test]
fn t5_3_and_t5_4_the_worked_example_step_by_step() {
    let a = polygon(&[[4.0, 11.0], [4.0, 5.0], [9.0, 9.0]]);
    let b = polygon(&[[5.0, 7.0], [12.0, 7.0], [10.0, 2.0], [7.0, 3.0]]);
    let options = ProofOptions::default()
        .with_question(Question::Tutorial)
        .with_first_direction(Vec2::new(1.0, -1.0));
    let mut recorder = Recorder::new();
    let here = Pose::identity();
    let answer = gjk::Pair::new(&a, &here, &b, &here)
        .with(&Options::default())
        .prove_observed(&options, &mut recorder)
        .contact;
    assert_eq!(answer.verdict, Verdict::Overlapping);
    let expected = [
        ([1.0, -1.0], [4.0, 2.0], 2.0),
        ([-1.0, 1.0], [-6.0, 9.0], 15.0),
        ([-336.0, -480.0], [-8.0, -2.0], 3648.0),
        ([32.0, -96.0], [-1.0, -2.0], 160.0),
    ];
    assert_eq!(recorder.steps.len(), expected.len());
    for (step, (direction, w, projection)) in recorder.steps.iter().zip(expected) {
        let Step::Gjk {
            direction: d,
            support,
            projection: p,
            ..
        } = step
        else {
            panic!("only GJK steps")
        };
        assert_eq!(
            (*d, support.w, *p),
            (Vec2::from(direction), Vec2::from(w), projection)
        );
    }
    let Some(Step::Gjk { region, .. }) = recorder.steps.last() else {
        panic!("four steps")
    };
    assert_eq!(*region, Region::Enclosed);
}

#[test]
fn t5_5_touching_is_the_callers_policy_over_a_proved_verdict() {
    let body = cube(0.5);
    for (touching_counts, expected) in [(true, Some(true)), (false, Some(false))] {
        let options = Options::tight().with_touching_counts(touching_counts);
        let answer = query::intersects(
            &body,
            &Pose::identity(),
            &body,
            &at3(1.0, 0.0, 0.0),
            &options,
        );
        assert_eq!(
            (answer.verdict, answer.intersects),
            (Verdict::Touching, expected)
        );
    }
}

#[test]
fn t5_6_the_follow_ups_distance() {
    let a = polygon(&[[4.0, 11.0], [4.0, 5.0], [9.0, 9.0]]);
    let b = polygon(&[[8.0, 6.0], [15.0, 6.0], [13.0, 1.0], [10.0, 2.0]]);
    let here = Pose::identity();
    let answer = query::distance(&a, &here, &b, &here, &Options::tight());
    let truth = 11.0 / 41.0f64.sqrt();
    assert!(answer.distance.lower <= truth && truth <= answer.distance.upper);
    let nearest = answer.point_a - answer.point_b;
    assert!((nearest.x + 44.0 / 41.0).abs() < 1e-14 && (nearest.y - 55.0 / 41.0).abs() < 1e-14);
}
