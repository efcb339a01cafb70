//! The report for people: what the shapes leave out, the pairs, and one line that sums up.
//!
//! Idea: a pair of bodies has one row, that of its worst state, however many states there are; the most severe rows come first.
//! Verdicts are words with a sign, so that nothing depends on colour.

use super::report::Rounding;
use crate::printer::{style, styled};
use crate::text::{Cell, aligned, heading, plain, short};
use gjk::Stop;
use gjk::query::Verdict;
use gjk_check::pairs::Pairs;
use gjk_check::parts::{Body, Fidelity, NEARLY_CONVEX, Part};
use gjk_check::{CheckResult, Criteria, PairProximity, Proximity, SearchStop, severity};
use gjk_mesh::Relation;
use gjk_scene::{be, counted};
use std::collections::BTreeMap;

/// How many hulls are listed; the rest are counted.
const HULLS_LISTED: usize = 10;

/// What the table is made of.
pub struct Table<'a> {
    /// The length unit, where it is known.
    pub unit: Option<&'a str>,
    /// The bodies.
    pub bodies: &'a [Body],
    /// Which pairs were looked at.
    pub pairs: &'a Pairs,
    /// What was looked for.
    pub criteria: &'a Criteria,
    /// What was found.
    pub result: &'a CheckResult,
    /// How many rows to print; all when 0.
    pub rows: usize,
}

/// A pair of bodies over all states.
pub(super) struct PairRow<'a> {
    pub(super) worst: &'a PairProximity,
    /// States with the worst verdict.
    pub(super) states: usize,
}

impl Table<'_> {
    /// The lines of the report.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.fidelity();
        lines.push(String::new());
        let rows = self.most_severe_first();
        if !rows.is_empty() {
            let shown = if self.rows == 0 {
                rows.len()
            } else {
                self.rows.min(rows.len())
            };
            lines.extend(aligned(self.cells(&rows[..shown])));
            if shown < rows.len() {
                let left = rows.len() - shown;
                lines.push(styled(
                    style::DIM,
                    format!(
                        "… and {}: `--rows 0` prints all, `--json` too",
                        counted(left, "more pair", "more pairs")
                    ),
                ));
            }
            if rows[..shown]
                .iter()
                .any(|row| self.is_coarse(row.worst, true) || self.is_coarse(row.worst, false))
            {
                lines.push(styled(
                    style::DIM,
                    "* a hull stands for this part: what it shows may be the hull's and not the part's",
                ));
            }
            lines.extend(Self::reasons(&rows[..shown]));
            lines.push(String::new());
        }
        lines.extend(self.summary(&rows));
        lines.extend(self.rounding_hint());
        lines
    }

    /// Says which overlaps come from rounding, and what to do. A pair counts in every state where it does.
    pub(super) fn rounding_hint(&self) -> Option<String> {
        let Rounding {
            overlaps,
            touch_band,
        } = Rounding::of(&self.result.pairs)?;
        Some(styled(
            style::DIM,
            format!(
                "{overlaps} of the overlaps {} no deeper than rounding: `--touch-band {touch_band:.0e}` calls that touching",
                be(overlaps)
            ),
        ))
    }

    /// A line for each reason that left an interval of these rows wide.
    fn reasons(rows: &[PairRow<'_>]) -> Vec<String> {
        let wide = rows.iter().map(|row| &row.worst.proximity);
        let mut stops: Vec<SearchStop> = wide.filter(|f| f.is_wide()).map(|f| f.stop).collect();
        stops.sort_by_key(|stop| stop.name());
        stops.dedup();
        let line = |stop: SearchStop| format!("{}: {}", stop.name(), reason(stop));
        stops
            .into_iter()
            .map(|stop| styled(style::DIM, line(stop)))
            .collect()
    }

    /// How many parts are what, and which hulls are more than their part.
    pub(super) fn fidelity(&self) -> Vec<String> {
        let parts = || {
            self.bodies
                .iter()
                .flat_map(|body| body.parts.iter().map(move |part| (body, part)))
        };
        let mut hulls: Vec<(&Body, &Part, Option<f64>)> = Vec::new();
        let (mut primitives, mut convex, mut solids, mut surfaces) = (0, 0, 0, 0);
        for (body, part) in parts() {
            match part.fidelity {
                Fidelity::Primitive => primitives += 1,
                Fidelity::ConvexMesh { .. } => convex += 1,
                Fidelity::Solid { .. } => solids += 1,
                Fidelity::Surface { .. } => surfaces += 1,
                Fidelity::Hull { volume_ratio, .. } => hulls.push((body, part, volume_ratio)),
            }
        }
        let bodies = counted(self.bodies.len(), "body", "bodies");
        let total = primitives + convex + solids + surfaces + hulls.len();
        let total = counted(total, "part", "parts");
        let mut words = vec![
            counted(primitives, "primitive", "primitives"),
            counted(convex, "convex mesh", "convex meshes"),
            counted(solids, "solid", "solids"),
            counted(surfaces, "surface", "surfaces"),
            counted(hulls.len(), "hull", "hulls"),
        ];
        words.retain(|word| !word.starts_with("0 "));
        let all_hulls = hulls.len();
        hulls.retain(|(_, _, ratio)| ratio.is_none_or(|ratio| ratio < NEARLY_CONVEX));
        let nearly = match all_hulls - hulls.len() {
            0 => String::new(),
            filled => format!(" ({filled} filled to 99.9 % by their meshes)"),
        };
        let mut lines = vec![format!("{bodies} of {total}: {}{nearly}", words.join(", "))];
        lines.extend(hull_rows(hulls));
        lines
    }

    pub(super) fn most_severe_first(&self) -> Vec<PairRow<'_>> {
        let mut rows: BTreeMap<(usize, usize), PairRow<'_>> = BTreeMap::new();
        let key = |pair: &PairProximity| {
            let found = &pair.proximity;
            // Of measured overlaps how far one reaches into the other tells more than how far they must be moved.
            let reach = found.depths.and_then(|depths| depths.proved());
            (
                severity(found.verdict),
                reach.map_or(found.lower, |reach| -reach),
            )
        };
        for pair in &self.result.pairs {
            let row = rows.entry(pair.bodies).or_insert(PairRow {
                worst: pair,
                states: 0,
            });
            if pair.proximity.verdict != row.worst.proximity.verdict && key(pair) < key(row.worst) {
                row.states = 0;
            }
            if key(pair) < key(row.worst) {
                row.worst = pair;
            }
            row.states += usize::from(pair.proximity.verdict == row.worst.proximity.verdict);
        }
        let mut rows: Vec<PairRow<'_>> = rows.into_values().collect();
        rows.sort_by(|a, b| {
            let (a, b) = (key(a.worst), key(b.worst));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        rows
    }

    fn states_with_overlap(&self) -> usize {
        let overlaps = self
            .result
            .pairs
            .iter()
            .filter(|pair| pair.proximity.verdict == Verdict::Overlapping);
        let mut states: Vec<usize> = overlaps.map(|pair| pair.state).collect();
        // Pairs are sorted by state.
        states.dedup();
        states.len()
    }

    fn cells(&self, rows: &[PairRow<'_>]) -> Vec<Vec<Cell>> {
        let has_states = self.result.states > 1;
        let distance = self.unit.map_or_else(
            || "distance".to_owned(),
            |unit| format!("distance ({unit})"),
        );
        let mut head = vec!["", "a", "b", &distance];
        if has_states {
            head.extend(["states", "worst"]);
        }
        let has_depths = rows.iter().any(|row| row.worst.proximity.depths.is_some());
        if has_depths {
            head.extend(["a reaches", "b reaches"]);
        }
        head.extend(["normal", "point of a", "point of b"]);
        // A column that nobody needs is not there.
        if rows.iter().any(|row| row.worst.proximity.is_wide()) {
            head.push("why wide");
        }
        let mut cells = vec![head.into_iter().map(heading).collect::<Vec<_>>()];
        for row in rows {
            let (pair, found) = (row.worst, &row.worst.proximity);
            let (word, colour) = self.verdict(pair);
            let name = |index: usize, is_a| {
                let mark = if self.is_coarse(pair, is_a) { "*" } else { "" };
                plain(&format!("{}{mark}", self.bodies[index].name))
            };
            let mut cell = vec![Cell {
                text: word.to_owned(),
                style: colour,
            }];
            cell.extend([
                name(pair.bodies.0, true),
                name(pair.bodies.1, false),
                plain(&interval(found.lower, found.upper)),
            ]);
            if has_states {
                cell.extend([
                    plain(&row.states.to_string()),
                    plain(&format!("#{}", pair.state)),
                ]);
            }
            if has_depths {
                cell.extend(reaches(found));
            }
            let [a, b] = found
                .known_points()
                .map_or([None; 2], |points| points.map(Some));
            cell.extend([found.known_normal(), a, b].map(|v| plain(&v.map_or_else(none, vector))));
            cell.extend(found.is_wide().then(|| plain(found.stop.name())));
            cells.push(cell);
        }
        cells
    }

    pub(super) fn verdict(&self, pair: &PairProximity) -> (&'static str, anstyle::Style) {
        match pair.proximity.verdict {
            Verdict::Overlapping => (overlap(pair.proximity.relation), style::BAD),
            Verdict::Touching => ("= touching", style::WARN),
            Verdict::Undecided => ("? undecided", style::WARN),
            Verdict::Separated if self.criteria.is_under_clearance(&pair.proximity) => {
                ("< too close", style::WARN)
            }
            Verdict::Separated => ("✓ separated", style::GOOD),
        }
    }

    /// True when the part that was found of A (or B) is a hull that is more than the part.
    fn is_coarse(&self, pair: &PairProximity, of_a: bool) -> bool {
        let (body, part) = if of_a {
            (pair.bodies.0, pair.proximity.parts.0)
        } else {
            (pair.bodies.1, pair.proximity.parts.1)
        };
        match self.bodies[body].parts[part].fidelity {
            Fidelity::Hull { volume_ratio, .. } => {
                volume_ratio.is_none_or(|ratio| ratio < NEARLY_CONVEX)
            }
            _ => false,
        }
    }

    pub(super) fn summary(&self, rows: &[PairRow<'_>]) -> Vec<String> {
        let Pairs {
            considered,
            adjacent,
            disabled,
            ..
        } = self.pairs;
        let with_overlap = match self.result.states {
            0 | 1 => String::new(),
            _ => format!(", {} of them with an overlap", self.states_with_overlap()),
        };
        let mut lines = vec![
            styled(style::STRONG, self.counts(rows, true).join(", ")),
            format!(
                "{} looked at in {}{with_overlap}; skipped: {adjacent} adjacent, {disabled} disabled",
                counted(*considered, "pair", "pairs"),
                counted(self.result.states, "state", "states"),
            ),
        ];
        if self.result.is_partial {
            lines.push(styled(style::WARN, "partial: stopped before the end"));
        }
        lines
    }

    /// How many pairs are what, each with its worst where the names are wanted.
    pub(super) fn counts(&self, rows: &[PairRow<'_>], with_names: bool) -> Vec<String> {
        let unit = self.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
        let (overlaps, deepest) = count_of(rows, Verdict::Overlapping);
        let (touches, _) = count_of(rows, Verdict::Touching);
        let (undecided, _) = count_of(rows, Verdict::Undecided);
        let mut counts = vec![
            format!(
                "{} {}{}",
                counted(overlaps, "pair", "pairs"),
                verb(overlaps, "overlap"),
                self.named(deepest.filter(|_| with_names), "deepest", &unit)
            ),
            format!("{touches} {}", verb(touches, "touch")),
        ];
        if let Some(clearance) = self.criteria.clearance {
            let near: Vec<&PairRow<'_>> = rows
                .iter()
                .filter(|row| {
                    row.worst.proximity.verdict == Verdict::Separated
                        && self.criteria.is_under_clearance(&row.worst.proximity)
                })
                .collect();
            counts.push(format!(
                "{} {} nearer than {}{unit}{}",
                near.len(),
                be(near.len()),
                short(clearance),
                self.named(
                    near.first().map(|row| row.worst).filter(|_| with_names),
                    "nearest",
                    &unit
                )
            ));
        }
        if undecided > 0 {
            counts.push(format!("{undecided} {} undecided", be(undecided)));
        }
        counts
    }

    /// A pair with its depth or distance, in brackets.
    fn named(&self, pair: Option<&PairProximity>, what: &str, unit: &str) -> String {
        let Some(pair) = pair else {
            return String::new();
        };
        let [a, b] = [pair.bodies.0, pair.bodies.1].map(|index| self.bodies[index].name.as_str());
        let found = &pair.proximity;
        let reach = found.depths.and_then(|depths| depths.proved());
        // The depth of parts that are not convex is only bounded: by how far one reaches into the other, or by the hulls.
        let (bound, size) = match (reach, found.stop) {
            (Some(reach), _) => (" at least", reach),
            (None, SearchStop::HullDepth) => (" at most", found.lower.abs()),
            (None, _) => ("", found.lower.abs()),
        };
        let size = short(size);
        format!(" ({what}{bound} {size}{unit}: {a}, {b})")
    }
}

/// How many rows have a verdict, and the worst of them.
fn count_of<'a>(rows: &[PairRow<'a>], verdict: Verdict) -> (usize, Option<&'a PairProximity>) {
    let mut of = rows
        .iter()
        .filter(|row| row.worst.proximity.verdict == verdict)
        .map(|row| row.worst);
    let worst = of.clone().next();
    (of.by_ref().count(), worst)
}

fn verb(count: usize, plural: &str) -> String {
    match (count, plural) {
        (1, "touch") => "touches".to_owned(),
        (1, _) => format!("{plural}s"),
        _ => plural.to_owned(),
    }
}

/// Why a search may leave an interval wide, for people.
pub(super) fn reason(stop: SearchStop) -> &'static str {
    let stop = match stop {
        SearchStop::HullDepth => {
            return "the hulls are no deeper; how deep the parts are at least was not measured";
        }
        SearchStop::TriangleLimit => return "too many pairs of triangles are as near",
        SearchStop::DepthSearch => {
            return "a translation that separates them is at most so long, a ball inside of both at least so thick";
        }
        SearchStop::Query(stop) => stop,
    };
    match stop {
        Stop::IterationLimit => "the search used up its iterations",
        Stop::StorageFull => "the search used up its storage",
        Stop::NoProgress => "the search came no nearer in double precision",
        Stop::OriginReached => "the distance is below the rounding of the coordinates",
        Stop::BeyondCutoff => {
            "the distance is proved beyond what was asked for, and was not measured"
        }
        Stop::Overflow => "coordinates leave the range of numbers, or span more than it",
        _ => "the rounding of the coordinates is as large as the interval",
    }
}

/// The hulls that are most larger than their meshes.
fn hull_rows(mut hulls: Vec<(&Body, &Part, Option<f64>)>) -> Vec<String> {
    let mut lines = Vec::new();
    // Meshes without a volume come last: about them nothing is known.
    hulls.sort_by(|a, b| {
        a.2.unwrap_or(f64::INFINITY)
            .total_cmp(&b.2.unwrap_or(f64::INFINITY))
    });
    let listed = hulls.len().min(HULLS_LISTED);
    if listed > 0 {
        let mut cells = vec![["body", "mesh", "mesh / hull"].map(heading).to_vec()];
        cells.extend(hulls[..listed].iter().map(|(body, part, ratio)| {
            let share = ratio.map_or_else(
                || "unknown: not a closed surface".to_owned(),
                |ratio| format!("{:.1} %", ratio * 100.0),
            );
            [body.name.as_str(), &part.source, &share]
                .map(plain)
                .to_vec()
        }));
        lines.extend(aligned(cells));
    }
    if listed < hulls.len() {
        lines.push(styled(
            style::DIM,
            format!(
                "… and {}: `--json` lists all",
                counted(hulls.len() - listed, "more hull", "more hulls")
            ),
        ));
    }
    lines
}

/// The word for an overlap.
fn overlap(relation: Option<Relation>) -> &'static str {
    match relation {
        Some(Relation::Crossing) => "✗ crossing",
        Some(Relation::Inside) => "✗ inside",
        Some(Relation::Contains) => "✗ contains",
        Some(Relation::Equal) => "✗ duplicate",
        _ => "✗ overlapping",
    }
}

/// An interval as one number where its ends agree to six digits.
fn interval(lower: f64, upper: f64) -> String {
    if upper - lower <= 1e-6 * lower.abs().max(upper.abs()) {
        return short(if lower.abs() > upper.abs() {
            lower
        } else {
            upper
        });
    }
    format!("[{}, {}]", short(lower), short(upper))
}

/// How far each body reaches into the other.
fn reaches(found: &Proximity) -> [Cell; 2] {
    let protrusion = found.depths.map_or([None; 2], |depths| depths.protrusion);
    protrusion.map(|one| plain(&one.map_or_else(none, |one| interval(one.lower, one.upper))))
}

/// What stands where nothing is known.
fn none() -> String {
    "–".to_owned()
}

fn vector(v: [f64; 3]) -> String {
    // A component that is rounding beside the others is shown as none.
    let size = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let [x, y, z] = v.map(|x| short(if x.abs() < 1e-9 * size { 0.0 } else { x }));
    format!("({x}, {y}, {z})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_one_number_where_its_ends_agree() {
        assert_eq!(interval(-1e-17, 2e-17), "[-1.00e-17, 2.00e-17]");
        assert_eq!(interval(0.5, 0.5 + 1e-12), "0.5");
    }
}
