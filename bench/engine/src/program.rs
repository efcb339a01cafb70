//! The command line and the timed passes.

use crate::{Answer, Engine, Offer, Op, Query, Unsupported, Workload, parse};
use rustix::time::{ClockId, clock_gettime};
use std::{
    env, fs,
    io::{BufWriter, Write},
    process::ExitCode,
};

/// The rounds' times of a pass over all pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// How many pairs a pass answers.
    pub pairs: usize,
    /// CPU time of each round, in nanoseconds.
    pub rounds: Vec<u64>,
    /// Of `build`, whose rounds are of triangles: what the shapes take in memory, in bytes a triangle.
    pub bytes: Option<f64>,
}

impl Timing {
    /// Nanoseconds a pair in the fastest round, and in the median one (of an even count, the mean of the middle two).
    pub fn per_pair(&self) -> (f64, f64) {
        let mut rounds = self.rounds.clone();
        rounds.sort_unstable();
        let (pairs, n) = (self.pairs.max(1) as f64, rounds.len());
        let Some(&min) = rounds.first() else { return (f64::NAN, f64::NAN) };
        (min as f64 / pairs, (rounds[(n - 1) / 2] + rounds[n / 2]) as f64 / 2.0 / pairs)
    }
}

/// An [`Engine`] whose scene's type is forgotten; every engine is one.
pub trait Runner {
    /// As in [`Engine`].
    fn offer(&self) -> Offer;

    /// Prepares, warms up by one pass, times `rounds` passes and returns the answers of the last.
    fn run(&self, op: Op, workload: &Workload, rounds: usize) -> Result<(Timing, Vec<Answer>), Unsupported>;
}

impl<E: Engine> Runner for E {
    fn offer(&self) -> Offer {
        Engine::offer(self)
    }

    fn run(&self, op: Op, workload: &Workload, rounds: usize) -> Result<(Timing, Vec<Answer>), Unsupported> {
        let mut scene = self.prepare(op, workload)?;
        let builds = op.query == Query::Build;
        let before = resident();
        self.pass(op, &mut scene);
        let taken = resident().zip(before).map(|(after, before)| after - before).filter(|_| builds);
        let pairs = if builds { workload.triangles() } else { workload.pairs.len() };
        let rounds = (0..rounds)
            .map(|_| {
                let start = thread_time();
                self.pass(op, &mut scene);
                thread_time().saturating_sub(start)
            })
            .collect();
        let answers = if builds { Vec::new() } else { self.answers(op, &scene) };
        Ok((Timing { pairs, rounds, bytes: taken.map(|bytes| bytes / pairs.max(1) as f64) }, answers))
    }
}

/// Bytes of this process in memory, where the system tells them.
fn resident() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kib)
}

/// This thread's CPU time in nanoseconds.
fn thread_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

enum Failure {
    Usage(String),
    Unsupported(String),
}

/// The program: `list`, or `run <engine> <op> <workload> <rounds> <answers>`.
///
/// Ends with 0, with 3 if the engine does not offer the operation on these shapes, or with 2 if something is wrong.
pub fn main(engines: &[&dyn Runner]) -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["list"] => list(engines),
        ["run", engine, op, workload, rounds, answers] => run(engines, engine, op, workload, rounds, answers),
        _ => Err(Failure::Usage("usage: list | run <engine> <op> <workload> <rounds> <answers>".to_owned())),
    };
    let (code, message) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => (2, message),
        Err(Failure::Unsupported(message)) => (3, message),
    };
    eprintln!("{message}");
    ExitCode::from(code)
}

fn list(engines: &[&dyn Runner]) -> Result<(), Failure> {
    for engine in engines {
        let offer = engine.offer();
        let ops: Vec<String> = offer.ops.iter().map(Op::to_string).collect();
        println!("{} {} # {}", offer.name, ops.join(" "), offer.note);
    }
    Ok(())
}

fn run(
    engines: &[&dyn Runner],
    name: &str,
    op: &str,
    path: &str,
    rounds: &str,
    answers_path: &str,
) -> Result<(), Failure> {
    let engine = engines.iter().find(|engine| engine.offer().name == name);
    let engine = engine.ok_or_else(|| Failure::Usage(format!("no engine `{name}` here; see `list`")))?;
    let op: Op = op.parse().map_err(Failure::Usage)?;
    let rounds = rounds.parse().ok().filter(|&rounds: &usize| rounds > 0);
    let rounds = rounds.ok_or_else(|| Failure::Usage("rounds must be a positive number".to_owned()))?;
    let at = |why: String| Failure::Usage(format!("{path}: {why}"));
    let text = fs::read_to_string(path).map_err(|error| at(error.to_string()))?;
    let workload = parse(&text).map_err(at)?;
    if !engine.offer().ops.contains(&op) {
        return Err(Failure::Unsupported(format!("{name} does not offer {op}")));
    }
    if op.is_track() && !workload.track {
        return Err(Failure::Unsupported(format!("{op} is for tracks, and {} is not one", workload.name)));
    }
    let outcome = engine.run(op, &workload, rounds);
    let (timing, answers) = outcome.map_err(|Unsupported(why)| Failure::Unsupported(format!("{name} {op}: {why}")))?;
    write(answers_path, &answers).map_err(|error| Failure::Usage(format!("{answers_path}: {error}")))?;
    let (min, median) = timing.per_pair();
    let bytes = timing.bytes.map_or_else(String::new, |bytes| format!(r#", "bytes": {bytes:.1}"#));
    println!(r#"{{"pairs": {}, "ns_min": {min:.3}, "ns_median": {median:.3}{bytes}}}"#, answers.len());
    Ok(())
}

fn write(path: &str, answers: &[Answer]) -> std::io::Result<()> {
    let mut file = BufWriter::new(fs::File::create(path)?);
    for answer in answers {
        writeln!(file, "{answer}")?;
    }
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimum_and_median() {
        let timing = Timing { pairs: 10, rounds: vec![400, 100, 300, 200], bytes: None };
        assert_eq!(timing.per_pair(), (10.0, 25.0));
        let timing = Timing { pairs: 10, rounds: vec![400, 100, 300], bytes: None };
        assert_eq!(timing.per_pair(), (10.0, 30.0));
    }

    #[test]
    fn the_clock_runs() {
        let start = thread_time();
        let mut sum = 0_u64;
        while thread_time() == start {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(thread_time() > start);
    }
}
