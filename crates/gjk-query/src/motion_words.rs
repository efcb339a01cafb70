//! A motion's trace told for people: a line or a few a step.
//!
//! Where it sits: beside [`crate::explain`], which tells pairs at rest, and whose numbers these are.

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
            distance: [lower, upper],
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
            until,
            free,
        } => {
            let proves = match (free, until) {
                (true, _) => "apart to the end".to_owned(),
                (false, Some(until)) => format!("apart until t = {}", number(*until)),
                (false, None) => "they do not approach".to_owned(),
            };
            vec![
                format!("planes across {}", vector(direction, dim)),
                format!(
                    "     gap {} {} {}·t: {proves}",
                    number(*gap),
                    if *rate < 0.0 { "−" } else { "+" },
                    number(rate.abs())
                ),
            ]
        }
        MotionStepText::Tried {
            from,
            to,
            carrier,
            gaps,
            sag,
            proved,
            ..
        } => {
            let relation = if *proved { ">" } else { "not both >" };
            vec![format!(
                "  tries {} to {}, a plane that {}: gaps {}, {} {relation} sag {}",
                number(*from),
                number(*to),
                carrier_words(carrier),
                number(gaps[0]),
                number(gaps[1]),
                number(*sag)
            )]
        }
        MotionStepText::Piece {
            from,
            to,
            direction,
            carrier,
        } => vec![styled(
            style::GOOD,
            format!(
                "apart from t = {} to {}: the plane across {} {}",
                number(*from),
                number(*to),
                vector(direction, dim),
                carrier_words(carrier)
            ),
        )],
        MotionStepText::Portal {
            side,
            corners,
            direction,
            support,
            gap,
        } => vec![
            format!(
                "portal, where contact {}s",
                if *side == "enter" { "begin" } else { "end" }
            ),
            format!(
                "     corners {}",
                corners.iter().map(pair).collect::<Vec<_>>().join(", ")
            ),
            format!(
                "     farthest along {}: {}, beyond by {}",
                vector(direction, dim),
                pair(support),
                number(*gap)
            ),
        ],
        MotionStepText::Exact => vec!["exact signs decide".to_owned()],
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
