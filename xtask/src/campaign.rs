//! Random pairs of all shapes against the oracles: how tight, how many iterations, why the loops stopped, what missed.

use crate::oracle::Rng;
use crate::oracle::pairs::{ALL, EXACT, SHARP, Space, random_shape, searched, world_core};
use crate::oracle::signed_distance;
use gjk::query::{self, Contact, Options, Verdict};
use gjk::shape::Shape;
use gjk::{Pose, Scalar, Stop, Vec2, Vec3, Vector};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Every n-th smooth pair is searched directly: a search costs some ten thousand supports.
const SEARCH_EVERY: usize = 50;

struct Settings {
    pairs: usize,
    seed: u64,
    scale: f64,
}

/// Runs the campaign over both dimensions and scalars.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let mut settings = Settings {
        pairs: 200_000,
        seed: 1,
        scale: 1.0,
    };
    for pair in arguments.chunks(2) {
        let value = pair.get(1).map(String::as_str).unwrap_or("");
        let parsed = match pair[0].as_str() {
            "--pairs" => value.parse().map(|v| settings.pairs = v).is_ok(),
            "--seed" => value.parse().map(|v| settings.seed = v).is_ok(),
            "--scale" => value.parse().map(|v| settings.scale = v).is_ok(),
            _ => false,
        };
        if !parsed {
            eprintln!("cannot read `{} {value}`", pair[0]);
            return ExitCode::from(2);
        }
    }
    println!(
        "{} pairs a space, seed {}, scale {:e}",
        settings.pairs, settings.seed, settings.scale
    );
    println!("gap: (upper - lower) / size of the pair");
    let mut missed = 0;
    for (kinds, name) in [
        (SHARP, "polytopes"),
        (EXACT, "and rounded"),
        (ALL, "all shapes"),
    ] {
        println!("\n{name}");
        println!(
            "{:7} {:>9} {:>9} {:>9} {:>6} {:>4} {:>6} {:>4} {:>6} {:>6} {:>6} {:>7} {:>6}  stops",
            "",
            "median",
            "p99",
            "max",
            "gjk",
            "max",
            "epa",
            "max",
            "sep",
            "touch",
            "over",
            "undecid",
            "missed"
        );
        missed += space::<Vec2<f32>>(&settings, kinds);
        missed += space::<Vec2<f64>>(&settings, kinds);
        missed += space::<Vec3<f32>>(&settings, kinds);
        missed += space::<Vec3<f64>>(&settings, kinds);
    }
    println!("\nintervals that miss the oracle, or limits reached on polytopes: {missed}");
    if missed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

#[derive(Default)]
struct Table {
    gaps: Vec<f64>,
    gjk: Vec<u32>,
    epa: Vec<u32>,
    verdicts: [usize; 4],
    stops: BTreeMap<&'static str, usize>,
    missed: usize,
}

fn space<V: Space>(settings: &Settings, kinds: u64) -> usize {
    let progress = indicatif::ProgressBar::new(settings.pairs as u64).with_style(
        indicatif::ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}")
            .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()),
    );
    let mut rng = Rng(settings.seed);
    let mut table = Table::default();
    for case in 0..settings.pairs {
        let size = settings.scale;
        let (a, b) = (
            random_shape::<V>(&mut rng, kinds, size),
            random_shape::<V>(&mut rng, kinds, size),
        );
        let (pose_a, pose_b) = (
            V::random_pose(&mut rng, size),
            V::random_pose(&mut rng, size),
        );
        let answer = query::contact(&a, &pose_a, &b, &pose_b, &Options::tight());
        let search = (case % SEARCH_EVERY == 0).then_some(&mut rng);
        if let Err(why) = table.add(
            &answer,
            size,
            truth(&a, &pose_a, &b, &pose_b, &answer, search),
        ) {
            table.missed += 1;
            eprintln!(
                "{}",
                format_args!(
                    "{} seed {} case {case}: {why}\nA {a:?}\n  {pose_a:?}\nB {b:?}\n  {pose_b:?}\n{answer:?}",
                    V::NAME,
                    settings.seed
                )
            );
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    table.print(V::NAME);
    table.missed
}

/// What an oracle knows of the signed distance: both bounds for polytope cores, a lower bound by search otherwise.
fn truth<V: Space>(
    a: &Shape<V>,
    pose_a: &Pose<V>,
    b: &Shape<V>,
    pose_b: &Pose<V>,
    answer: &Contact<V>,
    search: Option<&mut Rng>,
) -> Option<[f64; 2]> {
    match (world_core(a, pose_a), world_core(b, pose_b)) {
        (Some((p, r)), Some((q, s))) => {
            let exact = signed_distance(V::DIM, &p, &q) - r - s;
            Some([exact, exact])
        }
        _ => search.map(|rng| {
            [
                searched(a, pose_a, b, pose_b, answer.normal, rng),
                f64::INFINITY,
            ]
        }),
    }
}

impl Table {
    fn add<V: Vector>(
        &mut self,
        answer: &Contact<V>,
        size: f64,
        truth: Option<[f64; 2]>,
    ) -> Result<(), String> {
        let [lower, upper] =
            [answer.signed_distance.lower, answer.signed_distance.upper].map(Scalar::to_f64);
        self.gaps.push((upper - lower) / size);
        self.gjk.push(answer.iterations.gjk);
        self.epa.push(answer.iterations.epa);
        let slot = [
            Verdict::Separated,
            Verdict::Touching,
            Verdict::Overlapping,
            Verdict::Undecided,
        ];
        self.verdicts[slot.iter().position(|v| *v == answer.verdict).unwrap_or(3)] += 1;
        *self.stops.entry(answer.stop.name()).or_default() += 1;
        if answer.exact && matches!(answer.stop, Stop::IterationLimit | Stop::StorageFull) {
            return Err("a limit was reached on polytopes".into());
        }
        // The oracles compute in f64 with errors of their own.
        let room = 1e-13 * size;
        match truth {
            Some([low, _]) if low > upper + room => Err(format!("the truth is at least {low}")),
            Some([_, high]) if high < lower - room => Err(format!("the truth is at most {high}")),
            _ if !(lower <= upper) => Err("an empty interval".into()),
            _ => Ok(()),
        }
    }

    fn print(&mut self, name: &str) {
        self.gaps.sort_by(f64::total_cmp);
        let at = |q: f64| self.gaps[((self.gaps.len() - 1) as f64 * q) as usize];
        let mean = |x: &[u32]| x.iter().map(|&i| f64::from(i)).sum::<f64>() / x.len() as f64;
        let max = |x: &[u32]| x.iter().copied().max().unwrap_or(0);
        let percent = |n: usize| format!("{:.1}%", 100.0 * n as f64 / self.gaps.len() as f64);
        let stops: Vec<String> = self
            .stops
            .iter()
            .map(|(stop, n)| format!("{stop} {n}"))
            .collect();
        println!(
            "{name:7} {:>9.1e} {:>9.1e} {:>9.1e} {:>6.1} {:>4} {:>6.1} {:>4} {:>6} {:>6} {:>6} {:>7} {:>6}  {}",
            at(0.5),
            at(0.99),
            at(1.0),
            mean(&self.gjk),
            max(&self.gjk),
            mean(&self.epa),
            max(&self.epa),
            percent(self.verdicts[0]),
            self.verdicts[1],
            percent(self.verdicts[2]),
            self.verdicts[3],
            self.missed,
            stops.join(", ")
        );
    }
}
