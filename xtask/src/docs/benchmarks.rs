//! The newest records of the benchmark as a page: each query here and in its fastest right peer.
//!
//! Idea: no number is typed. A record's rows are read by the names of its columns; those where a peer leads come first.

use crate::files::{entries, read, write};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The ends of the records' names, and what each is about.
const RECORDS: [(&str, &str); 3] = [
    ("", "Convex bodies"),
    (".surfaces", "Triangle meshes"),
    (".python", "Rows as called from Python"),
];

/// A query of a record: ours and the fastest right peer's, in nanoseconds.
#[derive(Default)]
struct Row {
    ours: Option<(f64, String)>,
    peer: Option<(f64, String)>,
}

/// Writes the page, and says how many rows it has.
pub(super) fn write_page(root: &Path, pages: &Path) -> Result<usize, String> {
    let mut text = String::from(
        "# Benchmarks\n\nMade from the newest records in `bench/record`: no number is typed. [How it is measured](bench/README.md).\n\n\
         - A row is a file of pairs and a query. Of convex bodies `bool` is whether they overlap, `dist` how far apart, `pen` how deep, \
         `track` the same from frame to frame. Of meshes `meet` is whether surfaces meet, `within` whether they are nearer than a length, \
         `build` what is done once for each mesh.\n\
         - `-batch` is one call for all pairs. Peers have no such call, so that it is held against their single queries.\n\
         - From Python one call of ours has so many rows; a peer's call has one, and it pays for setting two transforms.\n\
         - Times are nanoseconds a query on one thread, medians.\n\
         - Shown is the fastest right series: of ours, and of all peers. Right is a relative error of at most 1e-4, and no wrong verdict.\n\
         - The ratio is the peer's time by ours: below 1 the peer is faster. Those rows come first, the largest loss at the top.\n",
    );
    let mut count = 0;
    for (kind, title) in RECORDS {
        let path = newest(root, kind)?;
        let record = read(&path)?;
        let about = |name: &str| {
            let start = format!("# {name}: ");
            record
                .lines()
                .find_map(|line| line.strip_prefix(&start).map(str::to_owned))
                .unwrap_or_default()
        };
        let rows =
            rows(&record).ok_or_else(|| format!("{}: a column is missing", path.display()))?;
        let mut both: Vec<_> = rows
            .iter()
            .filter_map(|(name, row)| Some((name, ratio(row)?, row)))
            .collect();
        both.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (lead, others): (Vec<_>, Vec<_>) =
            both.into_iter().partition(|(_, ratio, _)| *ratio < 1.0);
        text += &format!(
            "\n## {title}\n\nRecord of {}, machine `{}`, revision `{}`, {}.\n",
            about("date"),
            about("machine"),
            about("revision"),
            about("compiler")
        );
        text += &format!(
            "\n### Where a peer leads: {} of {} rows\n\n{}",
            lead.len(),
            lead.len() + others.len(),
            table(&lead)
        );
        text += &format!("\n### The other rows\n\n{}", table(&others));
        let goals = read(&path.with_extension("goals.txt"))?;
        text += &format!("\n### Goals\n\n```text\n{goals}```\n");
        if path.with_extension("svg").exists() {
            let plot = format!("bench-record{kind}.svg");
            write(&pages.join(&plot), &read(&path.with_extension("svg"))?)?;
            text += &format!("\n![The record as a plot]({plot})\n");
        }
        count += lead.len() + others.len();
    }
    write(&pages.join("benchmarks.md"), &text)?;
    Ok(count)
}

/// The newest record of a kind: names begin with the date.
fn newest(root: &Path, kind: &str) -> Result<PathBuf, String> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for machine in entries(&root.join("bench/record"))? {
        for file in entries(&machine)? {
            let name = file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let date = name
                .strip_suffix(&format!("{kind}.csv"))
                .filter(|date| !date.contains('.'));
            found.extend(date.map(|date| (date.to_owned(), file.clone())));
        }
    }
    found.sort();
    found
        .pop()
        .map(|(_, file)| file)
        .ok_or_else(|| format!("bench/record has no *{kind}.csv"))
}

/// The rows by workload and query; a batch is held against single queries of peers, as they have no batches.
fn rows(record: &str) -> Option<BTreeMap<String, Row>> {
    let mut lines = record.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next()?.split(',').collect();
    let column = |name: &str| names.iter().position(|other| *other == name);
    let (engine, time, right) = (column("engine")?, column("ns_median")?, column("right"));
    let calls = column("rows");
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut peers: Vec<(String, f64, &str)> = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let ns: f64 = fields.get(time)?.parse().ok()?;
        let is_right = right.is_none_or(|at| fields.get(at) == Some(&"true"));
        if !is_right || !ns.is_finite() {
            continue;
        }
        let query = format!("{} {}", fields[0], fields[1]);
        let engine = fields[engine];
        if engine.starts_with("gjk") {
            let called =
                calls.map_or_else(String::new, |at| format!(", rows a call: {}", fields[at]));
            better(
                &mut rows.entry(query + &called).or_default().ours,
                ns,
                engine,
            );
        } else {
            peers.push((query, ns, engine));
        }
    }
    for (name, row) in &mut rows {
        let query = name.split(',').next().unwrap_or_default();
        for (asked, ns, engine) in &peers {
            if query.strip_suffix("-batch").unwrap_or(query) == asked || query == asked {
                better(&mut row.peer, *ns, engine);
            }
        }
    }
    Some(rows)
}

/// Keeps the faster one.
fn better(kept: &mut Option<(f64, String)>, ns: f64, name: &str) {
    if kept.as_ref().is_none_or(|(least, _)| ns < *least) {
        *kept = Some((ns, name.to_owned()));
    }
}

/// How many times as long the peer takes, where both answered.
fn ratio(row: &Row) -> Option<f64> {
    Some(row.peer.as_ref()?.0 / row.ours.as_ref()?.0)
}

fn table(rows: &[(&String, f64, &Row)]) -> String {
    let mut text = String::from(
        "| query | ours | ns | fastest peer | ns | ratio |\n|---|---|---:|---|---:|---:|\n",
    );
    for (name, ratio, row) in rows {
        if let (Some((ours, engine)), Some((theirs, peer))) = (&row.ours, &row.peer) {
            text +=
                &format!("| {name} | {engine} | {ours:.1} | {peer} | {theirs:.1} | {ratio:.2} |\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_right_peer_is_shown_and_batches_meet_single_queries() {
        let record = "# date: x\nworkload,op,engine,ns_median,right\nbox,bool,gjk-f64,4,true\nbox,bool,a,2,true\nbox,bool,b,1,false\nbox,bool-batch,gjk-f32,1,true\n";
        let rows = rows(record).expect("all columns");
        assert_eq!(ratio(&rows["box bool"]), Some(0.5));
        assert_eq!(ratio(&rows["box bool-batch"]), Some(2.0));
    }

    #[test]
    fn calls_of_many_rows_meet_the_single_ones_of_peers() {
        let record = "workload,op,rows,engine,ns_median\nbox,boolean,1000,gjk,2\nbox,boolean,1,gjk,9\nbox,boolean,1,peer,18\n";
        let rows = super::rows(record).expect("all columns");
        assert_eq!(ratio(&rows["box boolean, rows a call: 1000"]), Some(9.0));
        assert_eq!(ratio(&rows["box boolean, rows a call: 1"]), Some(2.0));
    }
}
