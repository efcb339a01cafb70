//! The `main` of an engine written in Rust, and the timing loop that all of them share.

use crate::{Answer, Workload, write_answers};
use std::process::ExitCode;

/// One engine of a program: a library in one arithmetic.
#[derive(Debug)]
pub struct Offer {
    /// Its name in the tables.
    pub name: &'static str,
    /// The operations it knows.
    pub ops: &'static [&'static str],
    /// Version, arithmetic, flags.
    pub about: String,
    /// Runs one operation of a workload for some timed passes; an error says why the engine does not offer it.
    pub run: fn(&Workload, &str, usize) -> Result<Outcome, String>,
}

/// Times and the answers of the last pass.
pub type Outcome = (Times, Vec<Answer>);

/// Thread CPU time of the passes, a pair.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Least of the rounds, in ns.
    pub ns_min: f64,
    /// Median of the rounds, in ns.
    pub ns_median: f64,
    /// Of `build`: what the shapes take in memory.
    pub bytes: Option<f64>,
}

/// One warm pass, then `rounds` timed ones. A pass fills the emptied vector with one result a pair.
///
/// Results are in the library's own types, so that their conversion stays outside the clock.
pub fn measure<T>(
    rounds: usize,
    pairs: usize,
    mut pass: impl FnMut(&mut Vec<T>),
) -> (Times, Vec<T>) {
    let mut results = Vec::with_capacity(pairs);
    pass(&mut results);
    let mut times: Vec<f64> = Vec::with_capacity(rounds);
    for _ in 0..rounds.max(1) {
        results.clear();
        let start = thread_ns();
        pass(std::hint::black_box(&mut results));
        std::hint::black_box(&results);
        times.push((thread_ns() - start) / pairs.max(1) as f64);
    }
    times.sort_by(f64::total_cmp);
    (
        Times {
            ns_min: times[0],
            ns_median: times[times.len() / 2],
            bytes: None,
        },
        results,
    )
}

/// `build`: times of making all of a workload's shapes, and what they take in memory; both a triangle. No answers.
pub fn measure_build<T>(
    rounds: usize,
    workload: &Workload,
    mut build: impl FnMut(&mut Vec<T>) -> Result<(), String>,
) -> Result<Outcome, String> {
    let triangles = workload.triangles().max(1);
    let mut first = Vec::with_capacity(workload.shapes.len());
    let before = resident(Resident::Now);
    build(&mut first)?;
    let after = resident(Resident::Now);
    drop(first);
    let mut broken = None;
    let (mut times, _) = measure(rounds, triangles, |results| {
        broken = build(results).err().or(broken.take());
    });
    times.bytes = after.zip(before).map(|(a, b)| (a - b) / triangles as f64);
    broken.map_or(Ok((times, Vec::new())), Err)
}

/// Which number of bytes.
#[derive(Clone, Copy, Debug)]
pub enum Resident {
    /// Now.
    Now,
    /// At most so far.
    Peak,
}

/// Bytes of this process in memory, where the system tells them.
pub fn resident(which: Resident) -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let key = match which {
        Resident::Now => "VmRSS:",
        Resident::Peak => "VmHWM:",
    };
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kib)
}

/// CPU time of this thread in ns: what other programs on the machine take is not in it.
#[cfg(unix)]
fn thread_ns() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

/// Wall time, where the thread's own is not to be had.
#[cfg(not(unix))]
fn thread_ns() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START
        .get_or_init(std::time::Instant::now)
        .elapsed()
        .as_secs_f64()
        * 1e9
}

/// The instruction set that the program was compiled for, and whether it was optimised.
pub fn target_flags() -> String {
    let features = [
        (cfg!(target_feature = "avx512f"), "avx512f"),
        (cfg!(target_feature = "avx2"), "avx2"),
        (cfg!(target_feature = "fma"), "fma"),
        (cfg!(target_feature = "sse4.2"), "sse4.2"),
    ];
    let on: Vec<&str> = features.iter().filter(|f| f.0).map(|f| f.1).collect();
    let set = if on.is_empty() {
        "baseline".to_owned()
    } else {
        on.join("+")
    };
    let debug = if cfg!(debug_assertions) {
        ", DEBUG BUILD"
    } else {
        ""
    };
    format!("{} {set}{debug}", std::env::consts::ARCH)
}

/// The version of a package in a lock file's text.
pub fn locked_version<'a>(lock: &'a str, package: &str) -> &'a str {
    let name = format!("name = \"{package}\"\nversion = \"");
    let after = lock.split_once(&name).map_or("?\"", |(_, after)| after);
    after.split('"').next().unwrap_or("?")
}

/// The program: `list`, or `run <engine> <op> <workload> <rounds> <answers>`.
pub fn serve(offers: &[Offer]) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => {
            for offer in offers {
                println!("{} {} # {}", offer.name, offer.ops.join(" "), offer.about);
            }
            ExitCode::SUCCESS
        }
        ["run", engine, op, workload, rounds, answers] => {
            match run(offers, engine, op, [workload, rounds, answers]) {
                Ok(line) => {
                    println!("{line}");
                    ExitCode::SUCCESS
                }
                Err(Failure::NotOffered(why)) => {
                    eprintln!("{engine} {op}: {why}");
                    ExitCode::from(3)
                }
                Err(Failure::Broken(why)) => {
                    eprintln!("{why}");
                    ExitCode::FAILURE
                }
            }
        }
        _ => {
            eprintln!("usage: list | run <engine> <op> <workload> <rounds> <answers>");
            ExitCode::from(2)
        }
    }
}

enum Failure {
    NotOffered(String),
    Broken(String),
}

fn run(offers: &[Offer], engine: &str, op: &str, files: [&str; 3]) -> Result<String, Failure> {
    let [workload, rounds, answers] = files;
    let offer = offers
        .iter()
        .find(|offer| offer.name == engine && offer.ops.contains(&op));
    let offer =
        offer.ok_or_else(|| Failure::NotOffered("no such engine, or not this operation".into()))?;
    let rounds = rounds
        .parse()
        .map_err(|_| Failure::Broken(format!("rounds is a count, not `{rounds}`")))?;
    let text = std::fs::read_to_string(workload)
        .map_err(|why| Failure::Broken(format!("{workload}: {why}")))?;
    let questions =
        Workload::parse(&text).map_err(|why| Failure::Broken(format!("{workload}: {why}")))?;
    let (times, found) = (offer.run)(&questions, op, rounds).map_err(Failure::NotOffered)?;
    std::fs::write(answers, write_answers(&found))
        .map_err(|why| Failure::Broken(format!("{answers}: {why}")))?;
    let Times {
        ns_min,
        ns_median,
        bytes,
    } = times;
    let bytes = bytes.map_or_else(String::new, |bytes| format!(", \"bytes\": {bytes}"));
    Ok(format!(
        "{{\"pairs\": {}, \"ns_min\": {ns_min}, \"ns_median\": {ns_median}{bytes}}}",
        found.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_the_version() {
        let lock = "[[package]]\nname = \"parry3d\"\nversion = \"0.31.1\"\nsource = \"registry\"\n";
        assert_eq!(locked_version(lock, "parry3d"), "0.31.1");
        assert_eq!(locked_version(lock, "parry"), "?");
    }

    #[test]
    fn the_answers_are_those_of_the_last_pass() {
        let mut passes = 0;
        let (times, results) = measure(4, 3, |results| {
            passes += 1;
            results.extend([passes; 3]);
        });
        assert_eq!((passes, results), (5, vec![5; 3]));
        assert!(times.ns_min >= 0.0 && times.ns_min <= times.ns_median);
    }
}
