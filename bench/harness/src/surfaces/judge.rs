//! Whether answers about surfaces are right.
//!
//! Idea: our distances are intervals that are proved, and our booleans exact, so every other answer is held against them; a peer that is
//! outside says something else than we do, and one of the two is wrong. Ours are held against a search of all pairs of triangles on a
//! sample (`brute.rs`), and against one another on all pairs.
//! Numbers: a peer works with relative transforms, whose roundings grow with the bodies' size, so a distance has the slack of
//! [`RELATIVE`] of itself and [`ROUNDING`] of the sizes.

use super::brute::Brute;
use super::sets::{Set, around, vertices};
use bench_protocol::{Answer, Pair, Shape};

/// Slack of a peer's distance, of itself and of the bodies' sizes and places.
const RELATIVE: f64 = 1e-9;
const ROUNDING: f64 = 1e-12;
/// So many triangles times triangles a search of all pairs may have, and so many pairs of a set are searched.
const PRODUCT_MAX: usize = 4_000_000;
/// The same of a pair about which a peer says something else, and how many of them are searched of an operation.
const DISPUTED_MAX: usize = 400_000_000;
const DISPUTED: usize = 3;
const SAMPLE: usize = 12;
/// Points whose winding number is summed over all triangles.
const POINTS: usize = 20;

/// What is true of a set's pairs, as far as we say it.
pub(super) struct Truth {
    /// Of the distance; none where nothing was said.
    intervals: Vec<Option<[f64; 2]>>,
    meets: Vec<Option<bool>>,
    /// Of each pair.
    slack: Vec<f64>,
    within: f64,
}

impl Truth {
    /// From our answers to `surface-dist` and `meet`, either of which may not have been asked.
    pub(super) fn new(set: &Set, distances: Option<&[Answer]>, meets: Option<&[Answer]>) -> Self {
        let count = set.workload.pairs.len();
        let intervals = distances.map_or_else(
            || vec![None; count],
            |all| all.iter().map(|answer| answer.interval).collect(),
        );
        let meets = meets.map_or_else(
            || vec![None; count],
            |all| all.iter().map(|answer| answer.intersects).collect(),
        );
        Self {
            intervals,
            meets,
            slack: slack(set),
            within: set.workload.within,
        }
    }

    /// The pairs whose answers are not right, or did not come. Where nothing is known, none is wrong.
    pub(super) fn wrong(&self, op: &str, answers: &[Answer]) -> Vec<usize> {
        let wrong = |(number, answer): (usize, &Answer)| {
            let fine = match op {
                "meet" => self.is_verdict(answer, self.meets[number]),
                "within" => self.is_verdict(answer, self.nearer(number)),
                "relation" => self.is_relation(number, answer),
                "surface-dist" | "surface-dist-warm" => self.is_distance(number, answer),
                _ => true,
            };
            (!fine).then_some(number)
        };
        answers.iter().enumerate().filter_map(wrong).collect()
    }

    fn is_verdict(&self, answer: &Answer, truth: Option<bool>) -> bool {
        answer
            .intersects
            .is_some_and(|said| truth.is_none_or(|truth| said == truth))
    }

    /// What the interval tells about the file's `within`.
    fn nearer(&self, number: usize) -> Option<bool> {
        let [lower, upper] = self.intervals[number]?;
        let slack = self.slack[number];
        if upper + slack <= self.within {
            return Some(true);
        }
        (lower - slack > self.within).then_some(false)
    }

    fn is_distance(&self, number: usize, answer: &Answer) -> bool {
        let Some(value) = answer.value else {
            return false;
        };
        self.intervals[number].is_none_or(|[lower, upper]| {
            let slack = self.slack[number];
            value >= lower * (1.0 - RELATIVE) - slack && value <= upper * (1.0 + RELATIVE) + slack
        })
    }

    /// Surfaces that meet are not separated; those that do not are separated or in one another.
    fn is_relation(&self, number: usize, answer: &Answer) -> bool {
        let apart = answer.value.map(|relation| relation == 0.0);
        let within = answer
            .value
            .map(|relation| relation == 4.0 || relation == 5.0);
        self.meets[number].is_none_or(|meets| match meets {
            true => apart == Some(false),
            false => apart == Some(true) || within == Some(true),
        })
    }

    /// Ours against one another, and on a sample against a search of all pairs of triangles; what differs, and how many were searched.
    pub(super) fn check_ours(&self, set: &Set) -> (Vec<String>, usize) {
        let (mut differ, mut searched) = (Vec::new(), 0);
        for (number, pair) in set.workload.pairs.iter().enumerate() {
            let meets = self.meets[number];
            let zero = self.intervals[number].map(|[lower, upper]| (lower == 0.0, upper == 0.0));
            if let (Some(meets), Some((low, high))) = (meets, zero)
                && (meets && !low || !meets && high)
            {
                differ.push(format!("{}: pair {number}: meet and distance", set.name));
            }
            let sampled = sampled(set, number, pair);
            if sampled && searched < SAMPLE {
                searched += 1;
                differ.extend(self.check_pair(set, number, pair));
            }
        }
        (differ, searched)
    }

    /// Searches the first pairs about which a peer says something else, and tells how many of these searches say as we do; what of ours
    /// differs.
    pub(super) fn settle(&self, set: &Set, disputed: &[usize]) -> (Vec<String>, usize) {
        let (mut differ, mut with_us) = (Vec::new(), 0);
        for &number in disputed.iter().take(DISPUTED) {
            let pair = &set.workload.pairs[number];
            if product(set, pair) <= DISPUTED_MAX {
                let found = self.check_pair(set, number, pair);
                with_us += usize::from(found.is_none());
                differ.extend(found);
            }
        }
        (differ, with_us)
    }

    fn check_pair(&self, set: &Set, number: usize, pair: &Pair) -> Option<String> {
        let brute = Brute::new(&set.workload, pair)?;
        let at = |what: &str| Some(format!("{}: pair {number}: {what}", set.name));
        if self.meets[number].is_some_and(|meets| meets != brute.meets()) {
            return at("all pairs of triangles say otherwise whether they meet");
        }
        let [low, high] = brute.distance();
        let apart = self.intervals[number].is_some_and(|[l, u]| l > high || u < low);
        if apart {
            return at(&format!(
                "all pairs of triangles are {low:e} to {high:e} apart, we say {:?}",
                self.intervals[number]
            ));
        }
        None
    }
}

/// Whether a pair is one of the sample: small enough, and spread over the set.
fn sampled(set: &Set, number: usize, pair: &Pair) -> bool {
    let step = (set.workload.pairs.len() / (2 * SAMPLE)).max(1);
    product(set, pair) <= PRODUCT_MAX && number.is_multiple_of(step)
}

/// Triangles of one times triangles of the other.
fn product(set: &Set, pair: &Pair) -> usize {
    let count = |id: usize| match &set.workload.shapes[id] {
        Shape::Mesh(_, triangles) => triangles.len(),
        _ => usize::MAX,
    };
    count(pair.shapes[0]).saturating_mul(count(pair.shapes[1]))
}

/// What roundings of coordinates as large as these amount to.
fn slack(set: &Set) -> Vec<f64> {
    let reach: Vec<f64> = set
        .workload
        .shapes
        .iter()
        .map(|shape| {
            let [low, high] = around(vertices(shape).iter().copied());
            (0..3)
                .map(|k| high[k].abs().max(low[k].abs()))
                .fold(0.0, f64::max)
        })
        .collect();
    let of_pair = |pair: &Pair| {
        let places = pair.places.iter().flat_map(|place| place.translation);
        let far = places.map(f64::abs).fold(0.0, f64::max);
        ROUNDING * (far + pair.shapes.iter().map(|&id| reach[id]).sum::<f64>())
    };
    set.workload.pairs.iter().map(of_pair).collect()
}

/// The answers about points in solids that the winding number contradicts.
pub(super) fn wrong_sides(set: &Set, answers: &[Answer]) -> Vec<usize> {
    let wrong = |(number, (pair, answer)): (usize, (&Pair, &Answer))| {
        let winding = winding(
            &set.workload.shapes[pair.shapes[0]],
            pair.places[1].translation,
        );
        let fine = answer.intersects == Some(winding > 0.5);
        (!fine).then_some(number)
    };
    let asked = set.workload.pairs.iter().zip(answers).take(POINTS);
    asked.enumerate().filter_map(wrong).collect()
}

/// How often a surface winds around a point, by the solid angles of its triangles (van Oosterom and Strackee 1983).
fn winding(shape: &Shape, point: [f64; 3]) -> f64 {
    let Shape::Mesh(vertices, triangles) = shape else {
        return f64::NAN;
    };
    let angle = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|id| [0, 1, 2].map(|k| vertices[id as usize][k] - point[k]));
        let dot = |p: [f64; 3], q: [f64; 3]| (0..3).map(|k| p[k] * q[k]).sum::<f64>();
        let [x, y, z] = [a, b, c].map(|p| dot(p, p).sqrt());
        let volume: f64 = (0..3)
            .map(|k| {
                let (l, m) = ((k + 1) % 3, (k + 2) % 3);
                a[k] * (b[l] * c[m] - b[m] * c[l])
            })
            .sum();
        let level = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y;
        2.0 * volume.atan2(level)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

#[cfg(test)]
mod tests {
    use super::super::sets::Kind;
    use super::*;
    use bench_protocol::Workload;

    fn set() -> Result<Set, String> {
        let text = "gjk-workload 1\nname x\ndim 3\nop surface-dist\nkind pairs\nwithin 0.5\nshapes 1\nmesh 4 4\n\
                    0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 2 1\n0 1 3\n1 2 3\n2 0 3\npairs 3\n\
                    0 0  0 0 0 1  0 0 0  0 0 0 1  2 0 0\n0 0  0 0 0 1  0 0 0  0 0 0 1  0.25 0.25 0.125\n\
                    0 0  0 0 0 1  0 0 0  0 0 0 1  1.25 0 0\n";
        Ok(Set {
            name: "x".into(),
            path: "x".into(),
            workload: Workload::parse(text)?,
            kind: Kind::Pairs,
        })
    }

    fn distance(interval: [f64; 2]) -> Answer {
        Answer {
            intersects: Some(interval[1] == 0.0),
            value: Some(interval[1]),
            interval: Some(interval),
            ..Answer::default()
        }
    }

    fn verdict(said: bool) -> Answer {
        Answer {
            intersects: Some(said),
            ..Answer::default()
        }
    }

    /// Tetrahedra of side one, apart by 1, crossing, apart by 0.25.
    fn right() -> ([Answer; 3], [Answer; 3]) {
        let distances = [[1.0, 1.0], [0.0, 0.0], [0.25, 0.25]].map(distance);
        (distances, [false, true, false].map(verdict))
    }

    #[test]
    fn right_answers_are_right_and_agree_with_all_pairs_of_triangles() -> Result<(), String> {
        let (set, (distances, meets)) = (set()?, right());
        let truth = Truth::new(&set, Some(&distances), Some(&meets));
        assert!(truth.wrong("surface-dist", &distances).is_empty());
        assert!(truth.wrong("meet", &meets).is_empty());
        assert!(
            truth
                .wrong("within", &[false, true, true].map(verdict))
                .is_empty()
        );
        assert_eq!(truth.check_ours(&set), (vec![], 3));
        Ok(())
    }

    #[test]
    fn wrong_answers_are_seen() -> Result<(), String> {
        let (set, (mut distances, mut meets)) = (set()?, right());
        let truth = Truth::new(&set, Some(&distances), Some(&meets));
        assert_eq!(
            truth.wrong("within", &[false, true, false].map(verdict)),
            [2]
        );
        assert_eq!(truth.wrong("meet", &[true, true, false].map(verdict)), [0]);
        distances[0].value = Some(1.0 + 1e-8);
        distances[2].value = None;
        assert_eq!(truth.wrong("surface-dist", &distances), [0, 2]);
        let said = |relations: [f64; 3]| {
            relations.map(|value| Answer {
                value: Some(value),
                ..Answer::default()
            })
        };
        assert!(truth.wrong("relation", &said([0.0, 2.0, 4.0])).is_empty());
        assert_eq!(truth.wrong("relation", &said([1.0, 0.0, 0.0])), [0, 1]);
        // Ours too, by all pairs of triangles.
        distances[0].interval = Some([1.1, 1.2]);
        meets[2] = verdict(true);
        let (differ, searched) = Truth::new(&set, Some(&distances), Some(&meets)).check_ours(&set);
        assert_eq!((differ.len(), searched), (3, 3), "{differ:?}");
        let truth = Truth::new(&set, Some(&distances), Some(&meets));
        let (differ, with_us) = truth.settle(&set, &[1, 2]);
        assert_eq!((differ.len(), with_us), (1, 1), "{differ:?}");
        Ok(())
    }

    #[test]
    fn a_winding_number_tells_inside() -> Result<(), String> {
        let set = set()?;
        let shape = &set.workload.shapes[0];
        assert!((winding(shape, [0.1, 0.1, 0.1]) - 1.0).abs() < 1e-12);
        assert!(winding(shape, [0.5, 0.5, 0.5]).abs() < 1e-12);
        // The places of B are points outside, inside's rim and outside of A.
        assert!(wrong_sides(&set, &[false, true, false].map(verdict)).is_empty());
        assert_eq!(wrong_sides(&set, &[true, true, false].map(verdict)), [0]);
        Ok(())
    }
}
