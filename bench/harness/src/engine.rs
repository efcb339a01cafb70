//! Engines as programs: what they offer, and one run.

use crate::chosen;
use bench_protocol::{Answer, read_answers};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One engine of one program.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) name: String,
    pub(crate) ops: Vec<String>,
    /// Version, arithmetic, flags.
    pub(crate) about: String,
    program: PathBuf,
}

/// What one process measured.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Measured {
    pub(crate) pairs: usize,
    pub(crate) ns_min: f64,
    pub(crate) ns_median: f64,
    /// Of `build`: what a triangle takes in memory.
    #[serde(default)]
    pub(crate) bytes: Option<f64>,
}

/// How a run ended.
pub(crate) enum Ran {
    Answered(Measured, Vec<Answer>),
    /// The engine does not offer this on these shapes, and says why.
    Declined(String),
}

impl Engine {
    /// Our own engines are named after the library.
    pub(crate) fn is_ours(&self) -> bool {
        is_ours(&self.name)
    }

    /// Runs one operation on one file.
    pub(crate) fn run(
        &self,
        op: &str,
        workload: &Path,
        passes: usize,
        scratch: &Path,
    ) -> Result<Ran, String> {
        self.run_in(op, workload, passes, scratch, &[])
    }

    /// The same with more in the environment.
    pub(crate) fn run_in(
        &self,
        op: &str,
        workload: &Path,
        passes: usize,
        scratch: &Path,
        environment: &[(&str, &str)],
    ) -> Result<Ran, String> {
        let failed = |why: String| format!("{} {op} {}: {why}", self.name, workload.display());
        let answers = scratch.join("answers");
        // What stood there is an older run's.
        let _ = std::fs::remove_file(&answers);
        let mut command = Command::new(&self.program);
        command
            .envs(environment.iter().copied())
            .args(["run", &self.name, op])
            .arg(workload)
            .arg(passes.to_string())
            .arg(&answers);
        let output = command.output().map_err(|why| failed(why.to_string()))?;
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        match output.status.code() {
            Some(0) => {}
            Some(3) => {
                // An engine may say its name first; the reason alone is the same for all files.
                let reason = said
                    .trim_start_matches(&format!("{} {op}: ", self.name))
                    .to_owned();
                return Ok(Ran::Declined(reason));
            }
            _ => return Err(failed(format!("{}: {said}", output.status))),
        }
        let measured: Measured =
            serde_json::from_slice(&output.stdout).map_err(|why| failed(why.to_string()))?;
        let text = std::fs::read_to_string(&answers)
            .map_err(|why| failed(format!("no answers: {why}")))?;
        let answers = read_answers(&text, measured.pairs).map_err(failed)?;
        Ok(Ran::Answered(measured, answers))
    }
}

/// Whether an engine's name is one of ours.
pub(crate) fn is_ours(name: &str) -> bool {
    name.starts_with("gjk-")
}

/// The engines that a program lists.
fn list(program: &Path) -> Result<Vec<Engine>, String> {
    let failed = |why: String| format!("{} list: {why}", program.display());
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(program)
        .arg("list")
        .output()
        .map_err(|why| failed(why.to_string()))?;
    if !status.success() {
        return Err(failed(String::from_utf8_lossy(&stderr).into_owned()));
    }
    let text = String::from_utf8_lossy(&stdout).into_owned();
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| read(line, program).map_err(&failed))
        .collect()
}

/// The engines of all programs whose names are among those asked for.
pub(crate) fn listed(programs: &[PathBuf], asked: &[String]) -> Result<Vec<Engine>, String> {
    let mut engines = Vec::new();
    for program in programs {
        engines.extend(list(program)?);
    }
    engines.retain(|engine: &Engine| chosen(&engine.name, asked));
    Ok(engines)
}

fn read(line: &str, program: &Path) -> Result<Engine, String> {
    let (words, about) = line
        .split_once('#')
        .ok_or(format!("no `#` before version and flags in `{line}`"))?;
    let mut words = words.split_whitespace().map(str::to_owned);
    let name = words.next().ok_or(format!("no engine in `{line}`"))?;
    let ops: Vec<String> = words.collect();
    if ops.is_empty() {
        return Err(format!("`{name}` offers nothing"));
    }
    Ok(Engine {
        name,
        ops,
        about: about.trim().to_owned(),
        program: program.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_line_is_name_ops_and_flags() -> Result<(), String> {
        let found = read("coal bool dist pen # 3.0.3, f64; wheel", Path::new("coal"))?;
        assert_eq!(
            (found.name.as_str(), found.ops.len(), found.about.as_str()),
            ("coal", 3, "3.0.3, f64; wheel")
        );
        assert!(
            read("coal bool", Path::new("coal")).is_err()
                && read("coal # f64", Path::new("coal")).is_err()
        );
        Ok(())
    }
}
