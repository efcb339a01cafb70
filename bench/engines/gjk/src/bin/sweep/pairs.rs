//! What a batch costs by the number of its pairs, in time and in memory.
//!
//! The pairs are those of a workload file again and again, each at a random motion of its own, so that a batch of any size
//! has the file's regime and a pose of its own for every body: nothing is shared but the shapes. The answers to the file's
//! own pairs, by single queries, are what every answer is held against.
//! Memory is what the system counts as resident, so it is told in pages, and only where it can be asked.

use crate::{line, unit};
use bench_protocol::{Resident, Workload, resident};
use gjk::query::{self, Verdict};
use gjk::{Pose, Pose2, Pose3, Vec2, Vec3};
use gjk_batch::Options;
use gjk_engine::{Answers, Ask, Columns, Questions, Space};

/// Passes take about so long in all; at least one, and as many as make no more sense.
const BUDGET_NS: f64 = 3e9;
const ROUNDS_MAX: usize = 200;
/// More than the gap of any pair of the workloads, so that a motion changes the last digits of a distance and no more.
const REACH: f64 = 4.0;
/// Motion and rounding may change a distance by this part of itself.
const CHANGE_MAX: f64 = 1e-9;

/// Rigid motions by number.
pub(crate) trait Moved: Space {
    fn motion(number: usize) -> Pose<Self>;
}

impl Moved for Vec3<f64> {
    fn motion(number: usize) -> Pose<Self> {
        let x = |k: u64| 2.0 * unit((number as u64) << 3 | k) - 1.0;
        let at = Vec3::new(x(4), x(5), x(6)) * REACH;
        Pose3::from_quaternion([x(0), x(1), x(2), x(3)], at).unwrap_or(Pose::from_translation(at))
    }
}

impl Moved for Vec2<f64> {
    fn motion(number: usize) -> Pose<Self> {
        let x = |k: u64| 2.0 * unit((number as u64) << 3 | k) - 1.0;
        Pose2::from_angle(4.0 * x(0), Vec2::new(x(4), x(5)) * REACH)
    }
}

/// Measures one batch of `count` pairs.
pub(crate) fn run(file: &Workload, ask: Ask, op: &str, count: usize) -> Result<(), String> {
    if file.dim == 2 {
        measured::<Vec2<f64>>(file, ask, op, count)
    } else {
        measured::<Vec3<f64>>(file, ask, op, count)
    }
}

fn measured<V: Moved<Scalar = f64>>(
    file: &Workload,
    ask: Ask,
    op: &str,
    count: usize,
) -> Result<(), String> {
    let questions = Questions::<V>::new(file)?;
    let case = format!("{} {op}", file.name);
    let before = resident(Resident::Now);
    let columns = questions.columns(count, V::motion);
    let with_columns = resident(Resident::Now);
    forget_peak();
    let options = Options {
        threads: Some(1),
        ..Options::default()
    };
    let mut answers = Answers::default();
    let once =
        bench_protocol::measure::<()>(1, count, |_| _ = columns.ask(ask, &options, &mut answers));
    let rounds = ((BUDGET_NS / (once.0.ns_min * count as f64)) as usize).clamp(1, ROUNDS_MAX);
    let (times, _) = bench_protocol::measure::<()>(rounds, count, |_| {
        _ = columns.ask(ask, &options, &mut answers)
    });
    // Before the answers are looked at, which takes room of its own.
    let peak = resident(Resident::Peak);
    check(&questions, &columns, ask, &answers)?;
    let print = |measure: &str, value: f64| line("pairs", &case, count, measure, value);
    print("ns min", times.ns_min.min(once.0.ns_min));
    print("ns median", times.ns_median);
    if let (Some(before), Some(with_columns), Some(peak)) = (before, with_columns, peak) {
        print("bytes of columns", (with_columns - before) / count as f64);
        print("bytes at most", (peak - before) / count as f64);
    }
    Ok(())
}

/// Every answer is that of a single query on the unmoved pair.
fn check<V: Moved<Scalar = f64>>(
    questions: &Questions<V>,
    columns: &Columns<V>,
    ask: Ask,
    answers: &Answers<V>,
) -> Result<(), String> {
    let options = query::Options::default();
    let truth: Vec<_> = questions
        .each()
        .map(|(a, at, b, to)| {
            let found = query::contact(a, at, b, to, &options);
            (found.verdict, found.signed_distance.middle())
        })
        .collect();
    let of = |k: usize| truth[k % truth.len()];
    let wrong = |k: usize, what: &str| Err(format!("pair {k} of {}: {what}", columns.pairs.len()));
    for (k, &verdict) in answers.verdicts.iter().enumerate() {
        if verdict != of(k).0 {
            return wrong(k, &format!("{verdict:?} instead of {:?}", of(k).0));
        }
    }
    for (k, answer) in answers.measured.iter().enumerate() {
        let ((verdict, mut value), said) = (of(k), answer.interval.middle());
        if ask == Ask::Distance && verdict != Verdict::Separated {
            value = 0.0;
        }
        if answer.verdict != verdict || !((said - value).abs() <= CHANGE_MAX * value.abs()) {
            return wrong(
                k,
                &format!("{:?} {said} instead of {verdict:?} {value}", answer.verdict),
            );
        }
    }
    let asked = answers.verdicts.len() + answers.measured.len();
    if asked != columns.pairs.len() {
        return Err(format!("{asked} answers to {} pairs", columns.pairs.len()));
    }
    Ok(())
}

/// Peaks are counted anew from here, where the system allows it; else they include the making of the columns.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
