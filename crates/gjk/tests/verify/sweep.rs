//! Random pairs through the queries and the checker; the counts are printed with `--nocapture`.

#![allow(clippy::print_stdout)]

use crate::oracle::Rng;
use crate::oracle::pairs::{ALL, EXACT, SHARP, Space, random_shape};
use gjk::query::{Options, Proof, ProofOptions, Question, Verdict};
use gjk::shape::{Polytope, Rounded, Shape};
use gjk::verify::{Verified, VerifyError, verify, verify_verdict};
use gjk::{Pose, Scalar, Support, Vec2, Vec3, Vector};

/// What was proved, by verdict.
#[derive(Debug, Default)]
struct Counts {
    answers: usize,
    verdicts: usize,
    lower: usize,
    upper: usize,
    by_verdict: [usize; 4],
    /// VerifyErrors to the witness points of smooth pairs.
    smooth_witnesses: usize,
}

impl Counts {
    fn add(&mut self, verdict: Verdict, proved: Verified) {
        self.answers += 1;
        self.verdicts += usize::from(proved.verdict);
        self.lower += usize::from(proved.lower);
        self.upper += usize::from(proved.upper);
        self.by_verdict[verdict as usize] += 1;
    }

    /// Every verdict and both ends of every interval.
    fn all_proved(&self) {
        assert_eq!(
            [self.verdicts, self.lower, self.upper],
            [self.answers; 3],
            "{self:?}"
        );
    }
}

/// A pair through every query that has something to verify.
struct Pair<'a, V: Vector> {
    a: &'a Shape<V>,
    pose_a: Pose<V>,
    b: &'a Shape<V>,
    pose_b: Pose<V>,
}

impl<V: Vector> Pair<'_, V> {
    /// The default answer, counted; and answers that end early, or for a verdict alone.
    fn ask(&self, rng: &mut Rng, what: &str, counts: &mut Counts) {
        let Self {
            a,
            pose_a,
            b,
            pose_b,
        } = self;
        let pair = gjk::Pair::new(*a, pose_a, *b, pose_b);
        let facets = ProofOptions::default().with_facets(true);
        let answer = pair.with(&Options::default()).prove_with(&facets);
        if let Some(proved) = self.hold(&answer, what, counts) {
            counts.add(answer.contact.verdict, proved);
        }
        let mut early = Options::default().with_iterations_max(1 + rng.below(4) as u32);
        early.cutoff = (rng.below(3) == 0).then_some(V::Scalar::from_f64(0.0));
        early.tolerance_relative = (rng.below(2) == 0).then_some(V::Scalar::from_f64(0.25));
        self.hold(&pair.with(&early).prove_with(&facets), what, counts);
        let tutorial = facets.with_question(Question::Tutorial);
        self.hold(&pair.with(&early).prove_with(&tutorial), what, counts);
        for options in [&Options::default(), &early] {
            let verdict = ProofOptions::default().with_question(Question::Verdict);
            let answer = pair.with(options).prove_with(&verdict);
            if let Err(objection) = verify_verdict(
                *a,
                pose_a,
                *b,
                pose_b,
                answer.contact.verdict,
                answer.certificate.as_ref(),
            ) {
                panic!(
                    "intersects, {what}: {objection}\n{answer:?}\n{a:?}\n{pose_a:?}\n{b:?}\n{pose_b:?}"
                );
            }
        }
    }

    fn hold(&self, answer: &Proof<V>, what: &str, counts: &mut Counts) -> Option<Verified> {
        let Self {
            a,
            pose_a,
            b,
            pose_b,
        } = self;
        match verify(*a, pose_a, *b, pose_b, answer) {
            Ok(proved) => return Some(proved),
            Err(VerifyError::Witnesses { .. })
                if a.core().vertex_count.is_none() || b.core().vertex_count.is_none() =>
            {
                counts.smooth_witnesses += 1;
            }
            Err(objection) => {
                panic!("{what}: {objection}\n{answer:?}\n{a:?}\n{pose_a:?}\n{b:?}\n{pose_b:?}")
            }
        }
        None
    }
}

/// A polytope of small integer points: touching, flat and coincident pairs are frequent.
fn lattice<V: Vector>(rng: &mut Rng) -> Shape<V> {
    let radius = 1 + rng.below(4);
    let n = 1 + rng.below(7);
    let flat = rng.below(4) == 0;
    let points: Vec<V> = (0..n)
        .map(|_| {
            V::from_f64(core::array::from_fn(|k| {
                let x = rng.below(2 * radius + 1) as f64 - radius as f64;
                if flat && k + 1 == V::DIM { 0.0 } else { x }
            }))
        })
        .collect();
    Polytope::new(&points).unwrap().into()
}

fn lattice_sweep<V: Vector>(name: &str, rounded: bool, pairs: usize) -> Counts {
    let mut rng = Rng(2024);
    let mut counts = Counts::default();
    let radius =
        |rng: &mut Rng| V::from_f64([0.25 * (1 + rng.below(8)) as f64, 0.0, 0.0]).component(0);
    for case in 0..pairs {
        let (mut a, mut b) = (lattice::<V>(&mut rng), lattice::<V>(&mut rng));
        if rounded {
            let radii = [radius(&mut rng), radius(&mut rng)];
            a = Rounded::new(a, radii[0]).unwrap().into();
            b = Rounded::new(b, radii[1]).unwrap().into();
        }
        let shift = V::from_f64(core::array::from_fn(|_| rng.below(5) as f64 - 2.0));
        let pair = Pair {
            a: &a,
            pose_a: Pose::identity(),
            b: &b,
            pose_b: Pose::from_translation(shift),
        };
        pair.ask(&mut rng, &format!("{name} {case}"), &mut counts);
    }
    println!("{name}, rounded {rounded}: {counts:?}");
    counts
}

fn posed_sweep<V: Space>(kinds: u64, pairs: usize) -> Counts {
    let mut rng = Rng(99);
    let mut counts = Counts::default();
    for case in 0..pairs {
        let size = [1.0, 1e-3, 1e4][case % 3];
        let (a, b) = (
            random_shape::<V>(&mut rng, kinds, size),
            random_shape::<V>(&mut rng, kinds, size),
        );
        let spread = size * [1.0, 2.0, 0.1, 300.0][case % 4];
        let (pose_a, pose_b) = (
            V::random_pose(&mut rng, spread),
            V::random_pose(&mut rng, spread),
        );
        let pair = Pair {
            a: &a,
            pose_a,
            b: &b,
            pose_b,
        };
        pair.ask(
            &mut rng,
            &format!("{} kinds {kinds} {case}", V::NAME),
            &mut counts,
        );
    }
    println!("{}, kinds {kinds}: {counts:?}", V::NAME);
    counts
}

#[test]
fn lattice_polytopes_are_all_proved() {
    let all = [
        lattice_sweep::<Vec2<f32>>("2D f32", false, 2000),
        lattice_sweep::<Vec2<f64>>("2D f64", false, 2000),
        lattice_sweep::<Vec3<f32>>("3D f32", false, 2000),
        lattice_sweep::<Vec3<f64>>("3D f64", false, 2000),
    ];
    for counts in all {
        counts.all_proved();
        let [separated, touching, overlapping, undecided] = counts.by_verdict;
        assert!(
            separated > 100 && touching > 30 && overlapping > 300 && undecided == 0,
            "{counts:?}"
        );
    }
}

#[test]
fn rounded_lattice_polytopes_are_all_proved() {
    for counts in [
        lattice_sweep::<Vec2<f32>>("2D f32", true, 1000),
        lattice_sweep::<Vec2<f64>>("2D f64", true, 1000),
        lattice_sweep::<Vec3<f32>>("3D f32", true, 1000),
        lattice_sweep::<Vec3<f64>>("3D f64", true, 1000),
    ] {
        counts.all_proved();
    }
}

#[test]
fn posed_polytopes_are_all_proved_with_or_without_radii() {
    for kinds in [SHARP, EXACT] {
        for counts in [
            posed_sweep::<Vec2<f32>>(kinds, 800),
            posed_sweep::<Vec2<f64>>(kinds, 800),
            posed_sweep::<Vec3<f32>>(kinds, 800),
            posed_sweep::<Vec3<f64>>(kinds, 800),
        ] {
            counts.all_proved();
        }
    }
}

#[test]
fn shapes_of_all_kinds_meet_no_objection() {
    for counts in [
        posed_sweep::<Vec2<f32>>(ALL, 800),
        posed_sweep::<Vec2<f64>>(ALL, 800),
        posed_sweep::<Vec3<f32>>(ALL, 800),
        posed_sweep::<Vec3<f64>>(ALL, 800),
    ] {
        // An iteration limit may leave a smooth pair with radii whose points and interval are of different steps.
        assert!(counts.smooth_witnesses * 400 < counts.answers, "{counts:?}");
    }
}
