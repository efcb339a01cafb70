//! A motion's trace told for people: a line or a few a step.
//!
//! Where it sits: beside [`crate::explain`], which tells pairs at rest, and whose numbers these are.

use crate::answer::Bounds;
use crate::convert::Space;
use crate::explain::{exact, number, tuple};
use crate::motion::MotionAnswer;
use crate::motion_record::{MotionStepText, RecordedMotion};
use crate::style::{self, styled};
use gjk::query::Meeting;
use gjk_scene::counted;

/// What a direction turns with, in words.
#[must_use]
pub fn carrier_words(carrier: &str) -> &'static str {
    match carrier {
        "a" => "turns with A",
        "b" => "turns with B",
        "edges" => "is across an edge of each",
        _ => "is fixed in the world",
    }
}

/// The lines of all steps, each step counted from 1.
#[must_use]
pub fn steps<V: Space>(recorded: &RecordedMotion<V>) -> Vec<String> {
    let trace = recorded.trace();
    let told = trace.iter().enumerate().flat_map(|(k, step)| {
        let mut lines = step_lines(step, V::DIM);
        lines[0] = format!(
            "{}  {}",
            styled(style::STRONG, format!("{:>3}", k + 1)),
            lines[0]
        );
        lines
    });
    told.collect()
}

fn vector(direction: &[f64; 3], dim: usize) -> String {
    tuple(direction[..dim.min(3)].iter().copied())
}

/// The lines of a step.
#[must_use]
pub fn step_lines(step: &MotionStepText, dim: usize) -> Vec<String> {
    match step {
        MotionStepText::Looked {
            time,
            distance: Bounds { lower, upper },
            normal,
        } => vec![
            format!("looks at t = {}", number(*time)),
            format!(
                "     signed distance from {} to {}, normal {}",
                number(*lower),
                number(*upper),
                vector(normal, dim)
            ),
        ],
        MotionStepText::Planes {
            direction,
            gap,
            rate,
            bound,
            free,
        } => {
            let proves = match (free, bound) {
                (true, _) => "apart to the end".to_owned(),
                (false, Some(time)) if *rate > 0.0 => {
                    format!("apart from t = {} on", number(*time))
                }
                (false, Some(time)) => format!("apart until t = {}", number(*time)),
                (false, None) => "they do not approach".to_owned(),
            };
            let sign = if *rate < 0.0 { "−" } else { "+" };
            let (gap, rate) = (number(*gap), number(rate.abs()));
            vec![
                format!("planes across {}", vector(direction, dim)),
                format!("     gap {gap} {sign} {rate}·t: {proves}"),
            ]
        }
        MotionStepText::Tried { .. } | MotionStepText::Piece { .. } => vec![piece_line(step, dim)],
        MotionStepText::Portal {
            side,
            corners,
            direction,
            support,
            gap,
        } => {
            let end = if *side == "enter" { "begins" } else { "ends" };
            let corners: Vec<String> = corners.iter().map(pair).collect();
            let (along, far) = (vector(direction, dim), pair(support));
            vec![
                format!("portal, where contact {end}"),
                format!("     corners {}", corners.join(", ")),
                format!(
                    "     farthest along {along}: {far}, beyond by {}",
                    number(*gap)
                ),
            ]
        }
        MotionStepText::Exact => vec!["exact signs decide".to_owned()],
    }
}

/// A piece that is tried, or proved.
fn piece_line(step: &MotionStepText, dim: usize) -> String {
    match step {
        MotionStepText::Tried {
            from,
            to,
            carrier,
            gaps: [start, end],
            sag,
            proved,
            ..
        } => {
            let end_words = if *proved { "proved" } else { "not proved" };
            let turns = carrier_words(carrier);
            let [from, to, start, end, sag] = [from, to, start, end, sag].map(|x| number(*x));
            format!(
                "  tries {from} to {to}, a plane that {turns}: gaps {start}, {end}, sag {sag}: {end_words}"
            )
        }
        MotionStepText::Piece {
            from,
            to,
            direction,
            carrier,
        } => {
            let (across, turns) = (vector(direction, dim), carrier_words(carrier));
            let [from, to] = [from, to].map(|x| number(*x));
            let line = format!("apart from t = {from} to {to}: the plane across {across} {turns}");
            styled(style::GOOD, line)
        }
        _ => String::new(),
    }
}

/// `A2-B0`; of a point within no names.
fn pair(ids: &Option<[u64; 2]>) -> String {
    match ids {
        Some([a, b]) => format!("A{a}-B{b}"),
        None => "a point within".to_owned(),
    }
}

/// The verdict and what stands behind it.
#[must_use]
pub fn meeting_lines(answer: &MotionAnswer) -> Vec<String> {
    let (colour, mark) = match answer.verdict {
        Meeting::Free => (style::GOOD, "○→ "),
        Meeting::Hits => (style::BAD, "○→●"),
        Meeting::StartsTouching => (style::WARN, "○|○"),
        Meeting::StartsOverlapping => (style::BAD, "(●)"),
        Meeting::Exits => (style::WARN, "●→○"),
        Meeting::Undecided => (style::WARN, " ? "),
    };
    let proof = if answer.exact {
        "proved by exact signs"
    } else {
        "proved with all roundings counted"
    };
    let mut lines = vec![format!(
        "{mark} {}, {proof}",
        styled(colour, answer.verdict.name())
    )];
    if let Some(time) = answer.time {
        lines.push(format!(
            "  time in [{}, {}]",
            exact(time.lower),
            exact(time.upper)
        ));
    }
    if let Some(distance) = answer.signed_distance {
        lines.push(format!(
            "  signed distance in [{}, {}]",
            exact(distance.lower),
            exact(distance.upper)
        ));
    }
    for (label, v) in [
        ("normal ", &answer.normal),
        ("point A", &answer.point_a),
        ("point B", &answer.point_b),
    ] {
        if let Some(v) = v {
            lines.push(format!("  {label}  {}", tuple(v.iter().copied())));
        }
    }
    if answer.grazing {
        lines.push("  no inner points meet".to_owned());
    }
    lines.push(format!(
        "  {}, stopped: {}",
        counted(answer.iterations as usize, "step", "steps"),
        answer.stop.name()
    ));
    lines
}
