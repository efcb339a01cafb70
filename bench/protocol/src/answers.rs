//! The answers file: one line a pair, `-` for what a library does not say.

use std::fmt::Write as _;

/// At most so many points of a manifold are judged.
pub const POINT_PAIRS_MAX: usize = 8;

/// The points of a manifold: of each the one on A and the one on B, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointPairs {
    count: usize,
    pairs: [[[f64; 3]; 2]; POINT_PAIRS_MAX],
}

impl PointPairs {
    /// One more; of more than [`POINT_PAIRS_MAX`] the first are kept.
    pub fn push(&mut self, pair: [[f64; 3]; 2]) {
        if let Some(slot) = self.pairs.get_mut(self.count) {
            *slot = pair;
            self.count += 1;
        }
    }

    /// All of them.
    pub fn as_slice(&self) -> &[[[f64; 3]; 2]] {
        &self.pairs[..self.count]
    }
}

/// What a library said of one pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer {
    /// Whether the bodies intersect; of a motion, whether they meet in it; of a manifold, whether it has a point.
    pub intersects: Option<bool>,
    /// Signed distance: positive apart, negative depth; of a motion the time of the first contact.
    pub value: Option<f64>,
    /// Unit, from A to B, world frame.
    pub normal: Option<[f64; 3]>,
    /// Witness points on A and on B, world frame.
    pub points: Option<[[f64; 3]; 2]>,
    /// An interval that holds the value, where a library proves one.
    pub interval: Option<[f64; 2]>,
    /// Of a manifold.
    pub manifold: PointPairs,
}

/// The file's text.
pub fn write_answers(answers: &[Answer]) -> String {
    let mut text = String::new();
    for answer in answers {
        text.push_str(match answer.intersects {
            Some(true) => "1",
            Some(false) => "0",
            None => "-",
        });
        let points = answer
            .points
            .map(|p| [Some(p[0]), Some(p[1])])
            .unwrap_or_default();
        let vectors = [answer.normal, points[0], points[1]];
        let numbers = std::iter::once(answer.value)
            .chain(vectors.iter().flat_map(|v| (0..3).map(|k| v.map(|v| v[k]))));
        for number in numbers {
            // Writing to a string does not fail.
            let _ = match number {
                Some(x) => write!(text, " {x}"),
                None => write!(text, " -"),
            };
        }
        if let Some([lower, upper]) = answer.interval {
            let _ = write!(text, " {lower} {upper}");
        }
        let points = answer.manifold.as_slice();
        if !points.is_empty() {
            let _ = write!(text, " {POINTS} {}", points.len());
            points.iter().flatten().flatten().for_each(|x| {
                let _ = write!(text, " {x}");
            });
        }
        text.push('\n');
    }
    text
}

/// Reads the answers to `pairs` questions.
pub fn read_answers(text: &str, pairs: usize) -> Result<Vec<Answer>, String> {
    let answers = text
        .lines()
        .enumerate()
        .map(|(at, line)| read(line).map_err(|why| format!("line {}: {why}", at + 1)));
    let answers: Vec<Answer> = answers.collect::<Result<_, _>>()?;
    if answers.len() != pairs {
        return Err(format!("{} answers to {pairs} pairs", answers.len()));
    }
    Ok(answers)
}

/// The last two only where a library proves them.
const NAMES: [&str; 13] = [
    "verdict", "value", "nx", "ny", "nz", "ax", "ay", "az", "bx", "by", "bz", "lower", "upper",
];
const ALWAYS: usize = 11;
/// Begins the points of a manifold, after all else.
const POINTS: &str = "points";

fn read(line: &str) -> Result<Answer, String> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let manifold = match words.iter().position(|word| *word == POINTS) {
        Some(at) => points(&words.split_off(at)[1..])?,
        None => PointPairs::default(),
    };
    if words.len() != ALWAYS && words.len() != NAMES.len() {
        return Err(format!(
            "{} fields, expected {ALWAYS}: `{}`",
            words.len(),
            NAMES[..ALWAYS].join(" ")
        ));
    }
    let intersects = match words[0] {
        "1" => Some(true),
        "0" => Some(false),
        "-" => None,
        other => return Err(format!("verdict is 1, 0 or -, not `{other}`")),
    };
    let mut numbers = [None; NAMES.len() - 1];
    for ((number, word), name) in numbers.iter_mut().zip(&words[1..]).zip(&NAMES[1..]) {
        if *word != "-" {
            let x: f64 = word
                .parse()
                .map_err(|_| format!("{name} is a number or -, not `{word}`"))?;
            *number = Some(x);
        }
    }
    // In 2D a third coordinate may be missing.
    let vector = |at: usize| {
        Some([
            numbers[at]?,
            numbers[at + 1]?,
            numbers[at + 2].unwrap_or(0.0),
        ])
    };
    let points = vector(4).zip(vector(7)).map(|(a, b)| [a, b]);
    Ok(Answer {
        intersects,
        value: numbers[0],
        normal: vector(1),
        points,
        interval: numbers[10].zip(numbers[11]).map(|(l, u)| [l, u]),
        manifold,
    })
}

/// A count, and the coordinates of so many pairs of points.
fn points(words: &[&str]) -> Result<PointPairs, String> {
    let wrong = || format!("after `{POINTS}` stand a count and 6 numbers a point");
    let (count, rest) = words.split_first().ok_or_else(wrong)?;
    let numbers: Result<Vec<f64>, _> = rest.iter().map(|word| word.parse()).collect();
    let numbers = numbers.map_err(|_| wrong())?;
    if count.parse() != Ok(numbers.len() / 6) || numbers.len() % 6 != 0 {
        return Err(wrong());
    }
    let mut pairs = PointPairs::default();
    for six in numbers.chunks_exact(6) {
        let point = |at: usize| [six[at], six[at + 1], six[at + 2]];
        pairs.push([point(0), point(3)]);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_read_back() {
        let full = Answer {
            intersects: Some(false),
            value: Some(0.1 + 0.2),
            normal: Some([0.0, 0.0, 1.0]),
            points: Some([[1.0, 2.0, 3.0], [1.0, 2.0, 3.25]]),
            interval: Some([0.3, 0.1 + 0.2]),
            manifold: PointPairs::default(),
        };
        let mut manifold = PointPairs::default();
        manifold.push([[0.1; 3], [0.2; 3]]);
        manifold.push([[1.0, 2.0, 3.0], [1e-9, 0.0, -2.0]]);
        let all = [
            full,
            Answer { manifold, ..full },
            Answer::default(),
            Answer {
                intersects: Some(true),
                ..Answer::default()
            },
        ];
        assert_eq!(read_answers(&write_answers(&all), 4), Ok(all.to_vec()));
    }

    #[test]
    fn errors_are_clear() {
        let says = |text: &str, pairs| read_answers(text, pairs).err().unwrap_or_default();
        assert_eq!(says("", 1), "0 answers to 1 pairs");
        assert!(says("1 2 3", 1).starts_with("line 1: 3 fields, expected 11"));
        assert_eq!(
            says("yes - - - - - - - - - -", 1),
            "line 1: verdict is 1, 0 or -, not `yes`"
        );
        assert_eq!(
            says("- - - - - - - - - - -\n- 0x1 - - - - - - - - -", 2),
            "line 2: value is a number or -, not `0x1`"
        );
        // NaN is read as what it is: the judge counts it as missing.
        assert!(
            read_answers("- NaN - - - - - - - - -", 1)
                .is_ok_and(|all| all[0].value.is_some_and(f64::is_nan))
        );
    }
}
