//! Batches against single queries: pairs of all regimes, every instruction set of this machine, one and two threads.
//!
//! The pairs are the scenes of `gjk-batch`'s own tests, many more of each: boxes, small hulls, polygons, segments, triangles,
//! balls, capsules, cylinders; at random, touching on grids, thin, aligned, nested, far from the origin, tiny, huge, mirrored,
//! sheared. Verdicts must be those of single queries, answers the same bits for every width and every number of threads,
//! and intervals must share a point with the single query's, since both contain the truth.

use crate::scenes::{Scene, Space, all};
use crate::{line, widths};
use gjk::query::{self, Interval, Verdict};
use gjk::{Scalar, Vec2, Vec3, Vector};
use gjk_batch::{Lanes, Options};
use gjk_engine::{Answers, Ask, Columns};

/// Scenes of each kind of vector.
const SCENES: usize = 17;
const KINDS: usize = 4;
const ASKS: [Ask; 3] = [Ask::Classify, Ask::Distance, Ask::Contact];

/// What was counted.
#[derive(Clone, Copy, Default)]
struct Counts {
    pairs: usize,
    separated: usize,
    touching: usize,
    overlapping: usize,
    undecided: usize,
    /// Answers, over all operations, widths and thread counts.
    answers: usize,
    /// Verdicts that are not the single query's.
    verdicts: usize,
    /// Intervals that share no point with the single query's.
    intervals: usize,
    /// Answers that are not the first run's, bit by bit.
    bits: usize,
}

/// Compares some `pairs` pairs; an error where anything differs.
pub(crate) fn run(pairs: usize) -> Result<(), String> {
    let each = pairs.div_ceil(SCENES * KINDS);
    let found = [
        kind::<Vec3<f64>>("3D f64", each)?,
        kind::<Vec3<f32>>("3D f32", each)?,
        kind::<Vec2<f64>>("2D f64", each)?,
        kind::<Vec2<f32>>("2D f32", each)?,
    ];
    let wrong: usize = found
        .iter()
        .map(|c| c.verdicts + c.intervals + c.bits)
        .sum();
    if wrong > 0 {
        Err(format!(
            "{wrong} answers are not those of single queries, or not the same everywhere"
        ))
    } else {
        Ok(())
    }
}

fn kind<V: Space>(name: &str, each: usize) -> Result<Counts, String> {
    let mut counts = Counts::default();
    for scene in all::<V>(each) {
        eprintln!("{name}: {}", scene.name);
        compare(&scene, &mut counts)?;
    }
    let c = counts;
    let rows = [
        ("pairs", c.pairs),
        ("separated", c.separated),
        ("touching", c.touching),
        ("overlapping", c.overlapping),
        ("undecided", c.undecided),
        ("answers compared", c.answers),
        ("verdicts not those of single queries", c.verdicts),
        ("intervals without a common point", c.intervals),
        ("answers whose bits differ", c.bits),
    ];
    rows.iter()
        .for_each(|(measure, value)| line("same", name, c.pairs, measure, *value as f64));
    Ok(counts)
}

/// A verdict and an interval for each operation.
type Single<T> = [(Verdict, Option<Interval<T>>); 3];

fn compare<V: Space>(scene: &Scene<V>, counts: &mut Counts) -> Result<(), String> {
    let single = singles(scene).ok_or("a pair without bodies")?;
    counts.pairs += single.len();
    for [(verdict, _), ..] in &single {
        *(match verdict {
            Verdict::Separated => &mut counts.separated,
            Verdict::Touching => &mut counts.touching,
            Verdict::Overlapping => &mut counts.overlapping,
            Verdict::Undecided => &mut counts.undecided,
        }) += 1;
    }
    let columns = Columns {
        shapes: scene.shapes.clone(),
        poses: scene.poses.clone(),
        pairs: scene.pairs.clone(),
    };
    for (at, ask) in ASKS.into_iter().enumerate() {
        let mut first: Option<Vec<u64>> = None;
        for (lanes, threads) in runs() {
            let options = Options {
                threads: Some(threads),
                lanes,
                ..Options::default()
            };
            let mut answers = Answers::default();
            columns
                .ask(ask, &options, &mut answers)
                .map_err(|why| why.to_string())?;
            let of_verdicts = answers.verdicts.iter().map(|&verdict| (verdict, None));
            let found = of_verdicts.chain(
                answers
                    .measured
                    .iter()
                    .map(|a| (a.verdict, Some(a.interval))),
            );
            for ((verdict, interval), single) in found.zip(&single) {
                let (wanted, truth) = single[at];
                counts.answers += 1;
                counts.verdicts += usize::from(verdict != wanted);
                let apart = |(found, truth): (Interval<V::Scalar>, Interval<V::Scalar>)| {
                    !(found.lower <= truth.upper
                        && truth.lower <= found.upper
                        && found.lower <= found.upper)
                };
                counts.intervals += usize::from(interval.zip(truth).is_some_and(apart));
            }
            let bits = bits(&answers);
            let first = first.get_or_insert_with(|| bits.clone());
            let words = bits.len() / single.len().max(1);
            let differs = |(a, b): &(&[u64], &[u64])| a != b;
            counts.bits += bits
                .chunks(words.max(1))
                .zip(first.chunks(words.max(1)))
                .filter(differs)
                .count();
        }
    }
    Ok(())
}

/// Every width on one thread and on two.
fn runs() -> Vec<(Lanes, usize)> {
    widths()
        .into_iter()
        .flat_map(|lanes| [(lanes, 1), (lanes, 2)])
        .collect()
}

/// The answers of single queries.
fn singles<V: Vector>(scene: &Scene<V>) -> Option<Vec<Single<V::Scalar>>> {
    let options = query::Options::default();
    let one = |pair: &gjk_batch::Pair| {
        let (a, b) = (
            scene.shapes.get(pair.a.shape)?,
            scene.shapes.get(pair.b.shape)?,
        );
        let (at, to) = (scene.poses.get(pair.a.pose)?, scene.poses.get(pair.b.pose)?);
        let told = query::intersects(a, at, b, to, &options).verdict;
        let distance = query::distance(a, at, b, to, &options);
        let contact = query::contact(a, at, b, to, &options);
        Some([
            (told, None),
            (distance.verdict, Some(distance.distance)),
            (contact.verdict, Some(contact.signed_distance)),
        ])
    };
    scene.pairs.iter().map(one).collect()
}

/// Every number of the answers as it is stored; a single one a verdict.
pub(crate) fn bits<V: Vector>(answers: &Answers<V>) -> Vec<u64> {
    let verdicts = answers.verdicts.iter().map(|&verdict| verdict as u64);
    let measured = answers.measured.iter().flat_map(|a| {
        let bounds = [a.interval.lower.to_f64(), a.interval.upper.to_f64()];
        let vectors = [a.normal, a.point_a, a.point_b].map(|v| v.to_f64());
        let numbers = bounds.into_iter().chain(vectors.into_iter().flatten());
        // Widening keeps every float apart from every other.
        std::iter::once(a.verdict as u64)
            .chain(numbers.map(f64::to_bits))
            .collect::<Vec<u64>>()
    });
    verdicts.chain(measured).collect()
}
