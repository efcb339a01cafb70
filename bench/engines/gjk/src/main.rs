//! The engine of this project: `gjk-f32` and `gjk-f64` with the default options, and `gjk-f64-tight` with those of
//! `Precision::Tight`, all by the public queries on the public `Shape`.
//!
//! Shapes are the enum [`Shape`], which is what a caller with a mixed set holds; the match on its kind is inside the clock.
//! Read [`answer`] for one query a pair, `batch.rs` for all pairs in one call, `motion.rs` for bodies that move.

use bench_protocol::{
    Answer, Offer, Outcome, Workload, locked_version, measure, serve, target_flags,
};
use gjk::query::{self, Cache, Contact, Distance, Options, Pair, Verdict};
use gjk::{Pose, Scalar, Vec2, Vec3, Vector};
use gjk_engine::{Ask, Questions, Space, motion, said, surfaces};
use std::process::ExitCode;

const OPS: &[&str] = &[
    "bool",
    "dist",
    "pen",
    "bool-batch",
    "dist-batch",
    "pen-batch",
    "track-dist-cold",
    "track-dist-warm",
    "track-pen-cold",
    "track-pen-warm",
    "ray",
    "cast",
    "cast-bool",
    "toi",
    "manifold",
    "track-manifold-cold",
    "track-manifold-warm",
    "gradient",
];

/// What has numbers to be tight.
const TIGHT_OPS: &[&str] = &["dist", "pen"];

fn main() -> ExitCode {
    let version = locked_version(include_str!("../Cargo.lock"), "gjk");
    let about = |scalar: &str| {
        format!(
            "gjk {version}, {scalar}; opt 3, fat LTO, {}",
            target_flags()
        )
    };
    serve(&[
        Offer {
            name: "gjk-f32",
            ops: OPS,
            about: about("f32"),
            run: run::<f32>,
        },
        Offer {
            name: "gjk-f64",
            ops: OPS,
            about: about("f64"),
            run: run::<f64>,
        },
        Offer {
            name: "gjk-f64-tight",
            ops: TIGHT_OPS,
            about: about("f64, Precision::Tight"),
            run: tight,
        },
        Offer {
            name: "gjk-mesh",
            ops: surfaces::OPS,
            about: about("f64, surfaces by gjk-mesh"),
            run: surfaces::run,
        },
    ])
}

fn run<T: Scalar>(workload: &Workload, op: &str, rounds: usize) -> Result<Outcome, String> {
    run_with(workload, op, rounds, Options::<T>::default())
}

fn tight(workload: &Workload, op: &str, rounds: usize) -> Result<Outcome, String> {
    run_with(workload, op, rounds, Options::<f64>::tight())
}

/// Other libraries state no certificates; verdicts and intervals are proved either way.
fn run_with<T: Scalar>(
    workload: &Workload,
    op: &str,
    rounds: usize,
    options: Options<T>,
) -> Result<Outcome, String> {
    if workload.dim == 2 {
        return answer::<Vec2<T>>(workload, op, rounds, &options);
    }
    answer::<Vec3<T>>(workload, op, rounds, &options)
}

fn answer<V: Space>(
    workload: &Workload,
    op: &str,
    rounds: usize,
    options: &Options<V::Scalar>,
) -> Result<Outcome, String> {
    let questions = &Questions::<V>::new(workload)?;
    if motion::OPS.contains(&op) {
        return motion::run(workload, questions, op, rounds);
    }
    if let Some(asked) = Ask::of(op) {
        // Multiplying by one and adding zero changes no pose.
        return questions
            .columns(questions.pairs.len(), |_| Pose::default())
            .measured(asked, rounds);
    }
    match op {
        "bool" => Ok(booleans(questions, rounds, options)),
        "dist" | "track-dist-cold" => Ok(distances(questions, rounds, options)),
        "pen" | "track-pen-cold" => Ok(depths(questions, rounds, options)),
        "track-dist-warm" => Ok(warm_distances(questions, rounds, options)),
        "track-pen-warm" => Ok(warm_contacts(questions, rounds, options)),
        _ => Err("no such operation".into()),
    }
}

fn booleans<V: Space>(
    questions: &Questions<V>,
    rounds: usize,
    options: &Options<V::Scalar>,
) -> Outcome {
    let (times, all) = measure(rounds, questions.pairs.len(), |results| {
        let found = questions
            .each()
            .map(|(a, pa, b, pb)| query::intersects(a, pa, b, pb, options).intersects);
        results.extend(found);
    });
    let answer = |intersects| Answer {
        intersects,
        ..Answer::default()
    };
    (times, all.into_iter().map(answer).collect())
}

fn distances<V: Space>(
    questions: &Questions<V>,
    rounds: usize,
    options: &Options<V::Scalar>,
) -> Outcome {
    let (times, all) = measure(rounds, questions.pairs.len(), |results| {
        results.extend(
            questions
                .each()
                .map(|(a, pa, b, pb)| query::distance(a, pa, b, pb, options)),
        );
    });
    (times, all.iter().map(of_distance).collect())
}

/// A depth is asked: bodies that are separated need no distance.
fn depths<V: Space>(
    questions: &Questions<V>,
    rounds: usize,
    options: &Options<V::Scalar>,
) -> Outcome {
    let overlap = options.with_cutoff(V::Scalar::from_f64(0.0));
    let (times, all) = measure(rounds, questions.pairs.len(), |results| {
        results.extend(
            questions
                .each()
                .map(|(a, pa, b, pb)| query::contact(a, pa, b, pb, &overlap)),
        );
    });
    let answer = |found: &Contact<V>| match found.verdict {
        Verdict::Separated => separated(),
        _ => of_contact(found),
    };
    (times, all.iter().map(answer).collect())
}

/// Each pair of a track begins where the one before it ended.
fn warm_distances<V: Space>(
    questions: &Questions<V>,
    rounds: usize,
    options: &Options<V::Scalar>,
) -> Outcome {
    let (times, all) = measure(rounds, questions.pairs.len(), |results| {
        let warm = &mut Cache::new();
        let each = questions.each();
        results.extend(
            each.map(|(a, pa, b, pb)| Pair::new(a, pa, b, pb).with(options).warm(warm).distance()),
        );
    });
    (times, all.iter().map(of_distance).collect())
}

/// The same for contacts.
fn warm_contacts<V: Space>(
    questions: &Questions<V>,
    rounds: usize,
    options: &Options<V::Scalar>,
) -> Outcome {
    let (times, all) = measure(rounds, questions.pairs.len(), |results| {
        let warm = &mut Cache::new();
        let each = questions.each();
        results.extend(
            each.map(|(a, pa, b, pb)| Pair::new(a, pa, b, pb).with(options).warm(warm).contact()),
        );
    });
    (times, all.iter().map(of_contact).collect())
}

/// The depth of bodies that are proved separated.
fn separated() -> Answer {
    Answer {
        intersects: Some(false),
        ..Answer::default()
    }
}

fn of_contact<V: Vector>(found: &Contact<V>) -> Answer {
    said(
        found.verdict,
        found.signed_distance,
        found.normal,
        [found.point_a, found.point_b],
    )
}

fn of_distance<V: Vector>(found: &Distance<V>) -> Answer {
    said(
        found.verdict,
        found.distance,
        found.normal,
        [found.point_a, found.point_b],
    )
}
