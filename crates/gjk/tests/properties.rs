//! Laws on seeded random pairs, each for 2D and 3D, f32 and f64.

#![allow(clippy::unwrap_used, clippy::print_stderr)] // a test panics on purpose, and says what with

mod oracle;

use gjk::query::{self, Cache, Contact, Options, ProofOptions, Question, Verdict};
use gjk::shape::Shape;
use gjk::trace::Recorder;
use gjk::{Pose, Scalar, Support, Vec2, Vec3, Vector};
use oracle::Rng;
use oracle::pairs::{ALL, EXACT, Space, random_pose_near, random_shape, searched, world_core};

struct Pair<V: Vector> {
    a: Shape<V>,
    pose_a: Pose<V>,
    b: Shape<V>,
    pose_b: Pose<V>,
}

impl<V: Space> Pair<V> {
    fn random(rng: &mut Rng, kinds: u64) -> Self {
        let (a, b) = (random_shape(rng, kinds, 1.0), random_shape(rng, kinds, 1.0));
        Self {
            a,
            pose_a: random_pose_near(rng),
            b,
            pose_b: random_pose_near(rng),
        }
    }
    fn contact(&self) -> Contact<V> {
        query::contact(
            &self.a,
            &self.pose_a,
            &self.b,
            &self.pose_b,
            &Options::tight(),
        )
    }
    fn swapped(&self) -> Contact<V> {
        query::contact(
            &self.b,
            &self.pose_b,
            &self.a,
            &self.pose_a,
            &Options::tight(),
        )
    }
}

/// Runs a law over many pairs and checks that the pairs stay representative.
fn law<V: Space>(
    seed: u64,
    kinds: u64,
    cases: usize,
    check: impl Fn(&Pair<V>, &Contact<V>, &mut Rng),
) {
    let mut rng = Rng(seed);
    let mut overlapping = 0;
    for case in 0..cases {
        let pair = Pair::<V>::random(&mut rng, kinds);
        let answer = pair.contact();
        overlapping += usize::from(answer.verdict == Verdict::Overlapping);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            check(&pair, &answer, &mut rng)
        }));
        if let Err(panic) = result {
            eprintln!(
                "{} seed {seed} case {case}\nA {:?}\n  {:?}\nB {:?}\n  {:?}\n{answer:?}",
                V::NAME,
                pair.a,
                pair.pose_a,
                pair.b,
                pair.pose_b
            );
            std::panic::resume_unwind(panic);
        }
    }
    let share = overlapping as f64 / cases as f64;
    assert!(
        (0.2..0.8).contains(&share),
        "{}: {share} of the pairs overlap",
        V::NAME
    );
}

macro_rules! for_all_spaces {
    ($($name:ident($kinds:expr, $cases:expr, $seed:expr) = $check:ident;)*) => {$(
        #[test]
        fn $name() {
            law::<Vec2<f32>>($seed, $kinds, $cases, $check);
            law::<Vec2<f64>>($seed, $kinds, $cases, $check);
            law::<Vec3<f32>>($seed, $kinds, $cases, $check);
            law::<Vec3<f64>>($seed, $kinds, $cases, $check);
        }
    )*};
}

for_all_spaces! {
    answers_are_well_formed(ALL, 2000, 1) = well_formed;
    intervals_bracket_the_oracle(EXACT, 2000, 2) = brackets;
    smooth_intervals_agree_with_direct_search(ALL, 60, 3) = agrees_with_search;
    swapping_the_bodies_mirrors_the_answer(ALL, 1000, 4) = swap;
    scale_by_power_of_two_is_bit_equal(ALL, 1000, 5) = power_of_two;
    moving_by_the_signed_distance_makes_them_touch(ALL, 1000, 6) = separates;
    stale_warm_start_is_safe(ALL, 1000, 7) = warm;
    observed_equals_unobserved(ALL, 500, 8) = observed;
    witness_points_realise_the_distance(ALL, 1000, 9) = witnesses;
    rigid_motion_keeps_the_distance(ALL, 1000, 10) = rigid;
    all_queries_agree(ALL, 1000, 11) = queries_agree;
    every_limit_answers_with_true_bounds(ALL, 500, 12) = limits;
}

/// Rounding room of one answer: sizes are about 5, and an answer's own slack is 32 roundings of that.
fn room<V: Vector>() -> f64 {
    1500.0 * V::Scalar::ROUNDING.to_f64()
}

/// Room where smooth shapes stop at their default gap.
fn smooth_room<V: Vector>(answer: &Contact<V>) -> f64 {
    room::<V>() + answer.signed_distance.width().to_f64()
}

fn well_formed<V: Space>(pair: &Pair<V>, answer: &Contact<V>, _: &mut Rng) {
    let (lower, upper) = (
        answer.signed_distance.lower.to_f64(),
        answer.signed_distance.upper.to_f64(),
    );
    assert!(lower <= upper && lower.is_finite() && upper.is_finite());
    assert!((answer.normal.norm().to_f64() - 1.0).abs() < 4.0 * V::Scalar::ROUNDING.to_f64());
    assert!(answer.point_a.is_finite() && answer.point_b.is_finite());
    match answer.verdict {
        Verdict::Separated => assert!(lower > 0.0),
        Verdict::Touching => assert!(lower == 0.0 && upper == 0.0),
        Verdict::Overlapping => assert!(upper < 0.0),
        Verdict::Undecided => assert!(lower <= 0.0 && upper >= 0.0 && !answer.exact),
    }
    let polytopes =
        world_core(&pair.a, &pair.pose_a).is_some() && world_core(&pair.b, &pair.pose_b).is_some();
    assert_eq!(answer.exact, polytopes);
    if polytopes {
        assert!(answer.stop != gjk::Stop::IterationLimit && answer.stop != gjk::Stop::StorageFull);
        assert!(upper - lower < room::<V>(), "width {}", upper - lower);
    }
}

fn brackets<V: Space>(pair: &Pair<V>, answer: &Contact<V>, _: &mut Rng) {
    let (a, radius_a) = world_core(&pair.a, &pair.pose_a).unwrap();
    let (b, radius_b) = world_core(&pair.b, &pair.pose_b).unwrap();
    let truth = oracle::signed_distance(V::DIM, &a, &b) - radius_a - radius_b;
    let interval = answer.signed_distance;
    // The oracle computes in f64 with errors of its own.
    let room = 1e-13;
    assert!(
        interval.lower.to_f64() <= truth + room && truth - room <= interval.upper.to_f64(),
        "{truth} is not in {interval:?}"
    );
}

fn agrees_with_search<V: Space>(pair: &Pair<V>, answer: &Contact<V>, rng: &mut Rng) {
    let found = searched(
        &pair.a,
        &pair.pose_a,
        &pair.b,
        &pair.pose_b,
        answer.normal,
        rng,
    );
    let interval = answer.signed_distance;
    let (lower, upper) = (interval.lower.to_f64(), interval.upper.to_f64());
    let slack = room::<V>();
    assert!(
        found <= upper + slack,
        "search found {found}, above {interval:?}"
    );
    // The search may end early on a curved ridge, never by much from the answer's own normal.
    assert!(
        found >= lower - 1e-6 - slack,
        "search found {found}, below {interval:?}"
    );
}

fn swap<V: Space>(pair: &Pair<V>, answer: &Contact<V>, _: &mut Rng) {
    let other = pair.swapped();
    if answer.exact {
        assert_eq!(other.verdict, answer.verdict);
    }
    let (x, y) = (answer.signed_distance, other.signed_distance);
    assert!(x.overlaps(&y), "{x:?} and {y:?} share no number");
}

fn power_of_two<V: Space>(pair: &Pair<V>, answer: &Contact<V>, _: &mut Rng) {
    for exponent in [-20, 20, 3] {
        let scaled = query::contact(
            &pair.a,
            &pair.pose_a.scaled_by_power(exponent),
            &pair.b,
            &pair.pose_b.scaled_by_power(exponent),
            &Options::tight(),
        );
        let up = |x: V::Scalar| x.scale_by_power(exponent);
        assert_eq!(scaled.verdict, answer.verdict);
        assert_eq!(
            scaled.signed_distance.lower,
            up(answer.signed_distance.lower)
        );
        assert_eq!(
            scaled.signed_distance.upper,
            up(answer.signed_distance.upper)
        );
        assert_eq!(scaled.normal, answer.normal);
        assert_eq!(scaled.iterations, answer.iterations);
        assert_eq!(
            scaled.point_a,
            V::from_fn(|k| up(answer.point_a.component(k)))
        );
    }
}

fn separates<V: Space>(pair: &Pair<V>, answer: &Contact<V>, _: &mut Rng) {
    let moved = Pose::from_translation(-(answer.normal * answer.signed_distance.upper))
        .compose(&pair.pose_b);
    let after = query::contact(&pair.a, &pair.pose_a, &pair.b, &moved, &Options::tight());
    let signed = after.signed_distance;
    let allowed = smooth_room(answer) + smooth_room(&after);
    assert!(
        signed.lower.to_f64() <= allowed && signed.upper.to_f64() >= -allowed,
        "after moving by {:?}: {signed:?}",
        answer.signed_distance.upper
    );
}

fn warm<V: Space>(pair: &Pair<V>, answer: &Contact<V>, rng: &mut Rng) {
    let mut start = Cache::new();
    // First the vertices of another pose, then those of other shapes.
    let elsewhere = random_pose_near(rng);
    let other = random_shape::<V>(rng, ALL, 1.0);
    // Without a certificate the facets of an earlier depth serve too.
    let bare = Options::default();
    let options = if rng.below(2) == 0 {
        Options::tight()
    } else {
        bare
    };
    gjk::Pair::new(&pair.a, &elsewhere, &pair.b, &pair.pose_b)
        .with(&options)
        .warm(&mut start)
        .contact();
    for _ in 0..3 {
        let warmed = gjk::Pair::new(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b)
            .with(&options)
            .warm(&mut start)
            .contact();
        let (x, y) = (answer.signed_distance, warmed.signed_distance);
        assert!(x.overlaps(&y), "{x:?} and {y:?} share no number");
        if answer.exact {
            assert_eq!(warmed.verdict, answer.verdict);
        }
        gjk::Pair::new(&other, &elsewhere, &pair.b, &pair.pose_b)
            .with(&options)
            .warm(&mut start)
            .contact();
    }
}

fn observed<V: Space>(pair: &Pair<V>, _: &Contact<V>, _: &mut Rng) {
    let mut recorder = Recorder::new();
    let options = Options::tight().with_iterations_max(200);
    let bodies = gjk::Pair::new(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
    let unseen = bodies.with(&options).prove();
    let seen = bodies
        .with(&options)
        .prove_observed(&ProofOptions::default(), &mut recorder);
    assert_eq!(seen.contact.verdict, unseen.contact.verdict);
    // Points and segments have a closed form, which nobody can observe.
    if unseen.contact.stop != gjk::Stop::ClosedForm && unseen.contact.iterations.gjk > 0 {
        assert_eq!(seen, unseen);
        let steps = seen.contact.iterations;
        assert_eq!(recorder.steps.len() as u32, steps.gjk + steps.epa);
    }
}

fn witnesses<V: Space>(pair: &Pair<V>, answer: &Contact<V>, _: &mut Rng) {
    let room = smooth_room(answer);
    let between = (answer.point_b - answer.point_a)
        .dot(answer.normal)
        .to_f64();
    let signed = answer.signed_distance;
    assert!(
        between >= signed.lower.to_f64() - room && between <= signed.upper.to_f64() + room,
        "{between}"
    );
    // On the surface: no point of the body is farther along the normal, and the point itself is in the body.
    for (shape, pose, point, d) in [
        (&pair.a, &pair.pose_a, answer.point_a, answer.normal),
        (&pair.b, &pair.pose_b, answer.point_b, -answer.normal),
    ] {
        let local = pose.direction_to_local(d);
        let scale = pose.uniform_scale().unwrap();
        let farthest: V = shape.support(local.lift(), gjk::NO_ID).point.lift();
        let radius = V::Scalar::from_f64(shape.core().radius);
        let height = pose.point(farthest).dot(d) + radius * scale;
        let gap = (height - point.dot(d)).to_f64();
        // A direction off by δ on a curved body costs δ², and δ² is of the order of the relative gap.
        assert!(
            gap.abs() <= 40.0 * room,
            "the witness is {gap} below the surface"
        );
    }
}

fn rigid<V: Space>(pair: &Pair<V>, answer: &Contact<V>, rng: &mut Rng) {
    let motion = random_pose_near::<V>(rng);
    let (pose_a, pose_b) = (motion.compose(&pair.pose_a), motion.compose(&pair.pose_b));
    let moved = query::contact(&pair.a, &pose_a, &pair.b, &pose_b, &Options::tight());
    let (x, y) = (answer.signed_distance, moved.signed_distance);
    let room = smooth_room(answer) + smooth_room(&moved);
    assert!(
        (x.lower - y.lower).to_f64().abs() <= room,
        "{x:?} became {y:?}"
    );
}

fn queries_agree<V: Space>(pair: &Pair<V>, answer: &Contact<V>, _: &mut Rng) {
    let options = Options::tight();
    let boolean = query::intersects(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &options);
    let distance = query::distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &options);
    let tutorial = gjk::Pair::new(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b)
        .with(&options)
        .prove_observed(
            &ProofOptions::default().with_question(Question::Tutorial),
            &mut (),
        )
        .contact
        .verdict;
    let zero = V::Scalar::from_f64(0.0);
    let bounded = options.with_cutoff(zero);
    let depth = query::contact(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &bounded);
    if answer.exact {
        assert_eq!(boolean.verdict, answer.verdict);
        assert_eq!(distance.verdict, answer.verdict);
        assert_eq!(tutorial, answer.verdict);
        assert_eq!(depth.verdict, answer.verdict);
    }
    if answer.verdict == Verdict::Separated {
        assert!(distance.distance.lower <= answer.signed_distance.upper);
        assert!(distance.distance.upper >= answer.signed_distance.lower);
    }
    let allowed = [answer.verdict, Verdict::Undecided];
    assert!(answer.verdict == Verdict::Undecided || allowed.contains(&boolean.verdict));
    assert!(answer.verdict == Verdict::Undecided || allowed.contains(&distance.verdict));
}

fn limits<V: Space>(pair: &Pair<V>, answer: &Contact<V>, _: &mut Rng) {
    for iterations_max in [0, 1, 2, 3, 5] {
        let options = Options::tight().with_iterations_max(iterations_max);
        let short = query::contact(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &options);
        let (x, y) = (answer.signed_distance, short.signed_distance);
        assert!(
            x.overlaps(&y),
            "{iterations_max}: {x:?} and {y:?} share no number"
        );
        if answer.exact {
            assert_eq!(short.verdict, answer.verdict, "{iterations_max} {short:?}");
        }
    }
}
