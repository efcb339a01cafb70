//! What stays of a run: `record/<machine>/<date>.csv`, the plot, the goals' table, and the machine's `lscpu.txt`.

use crate::engine::Engine;
use crate::run::Series;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The machine as a folder name, and `lscpu`'s text.
pub(crate) fn machine() -> (String, String) {
    let text = said("lscpu", &[]).unwrap_or_default();
    let field = |key: &str| {
        text.lines()
            .find_map(|line| line.trim().strip_prefix(key))
            .map(str::trim)
    };
    let model = field("Model name:").unwrap_or(std::env::consts::ARCH);
    let name = slug(&format!("{model} {}cpu", field("CPU(s):").unwrap_or("0")));
    (name, text)
}

/// Small letters and digits, dashes between.
fn slug(text: &str) -> String {
    let small = text.to_lowercase();
    let words = small
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Facts of a run, as comments of a CSV.
pub(crate) fn facts(engines: &[Engine], machine: &str) -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let facts = [
        (
            "date",
            jiff::Timestamp::now().strftime("%F %T UTC").to_string(),
        ),
        ("machine", machine.to_owned()),
        (
            "load average at the end",
            load.split_whitespace()
                .take(3)
                .collect::<Vec<_>>()
                .join(" "),
        ),
        (
            "revision",
            said("git", &["describe", "--always", "--dirty"]).unwrap_or_else(|| "?".into()),
        ),
        (
            "compiler",
            said("rustc", &["--version"]).unwrap_or_else(|| "?".into()),
        ),
    ];
    let mut text: String = facts
        .iter()
        .map(|(key, value)| format!("# {key}: {value}\n"))
        .collect();
    // Writing to a string does not fail.
    engines
        .iter()
        .for_each(|engine| _ = writeln!(text, "# engine {}: {}", engine.name, engine.about));
    text
}

/// The CSV: facts of the run as comments, then a row a series.
pub(crate) fn csv(
    series: &[Series],
    engines: &[Engine],
    machine: &str,
    gap: f64,
    rounds: usize,
) -> String {
    let mut text = facts(engines, machine);
    let _ = writeln!(
        text,
        "# rounds: {rounds}\n# reference's largest gap: {gap:e}"
    );
    text.push_str(
        "workload,op,engine,ns_min,ns_median,processes,pairs,error_median,error_p99,error_max,missing,off,wrong,",
    );
    text.push_str("points_p99,normal_p99,right\n");
    for s in series {
        let (a, [median, p99, max]) = (&s.accuracy, s.accuracy.errors);
        let (points, normal) = (a.points, a.normal);
        let _ = write!(
            text,
            "{},{},{},{:.2},{:.2},{}",
            s.workload, s.op, s.engine, s.ns_min, s.ns_median, s.processes
        );
        let _ = write!(
            text,
            ",{},{median:.2e},{p99:.2e},{max:.2e},{},{},{}",
            a.pairs, a.missing, a.off, a.wrong
        );
        let _ = writeln!(text, ",{points:.2e},{normal:.2e},{}", a.right);
    }
    text
}

/// Writes a run's files, each named by its ending, and the machine's; their paths.
pub(crate) fn write(
    folder: &Path,
    stem: &str,
    texts: &[(&str, &str)],
    lscpu: &str,
) -> Result<Vec<PathBuf>, String> {
    std::fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut written = Vec::new();
    let named = texts
        .iter()
        .map(|(ending, text)| (format!("{stem}{ending}"), *text));
    for (name, text) in named.chain([("lscpu.txt".into(), lscpu)]) {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|why| format!("{}: {why}", path.display()))?;
        written.push(path);
    }
    Ok(written)
}

/// Today, for a file's name.
pub(crate) fn today() -> String {
    jiff::Timestamp::now().strftime("%F").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_a_folder_name() {
        assert_eq!(
            slug("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz 2cpu"),
            "intel-r-xeon-r-platinum-8481c-cpu-2-70ghz-2cpu"
        );
    }
}
