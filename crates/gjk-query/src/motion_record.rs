//! A motion recorded: its answer, the steps of the search that found it, and what proves that the bodies are apart.
//!
//! Where it sits: over [`crate::motion`], as [`crate::record`] is for pairs at rest. `gjk trace` and the lab show it.
//! Idea: the steps are told by the search that answers. A plane that separates is one that the search or the certificate names; none is computed here.

use crate::answer::Bounds;
use crate::certificate::exact;
use crate::convert::{Body, InputError, Space};
use crate::motion::{Asked, Motion, MotionAnswer, stated};
use crate::pair::Pair;
use gjk::math::{Ring, Scalar};
use gjk::query::{Carrier, CastCertificate, CastProof, Direction, Meeting, MotionStep, Ray, Twist};
use gjk::shape::{MovingVertices, Shape};
use gjk::{NO_ID, Pose, Support};
use gjk_exact::integer::to_float;
use gjk_scene::MotionQuerySpec;
use serde::Serialize;
use std::cell::RefCell;

/// A time on which planes of one direction separate the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ApartPiece {
    /// Its beginning.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// From A to B along the world's axes, at the time 0 of what it turns with; of no length in particular.
    pub direction: [f64; 3],
    /// `world`, `a` or `b`: what it turns with.
    #[serde(rename = "in", serialize_with = "carrier_name")]
    pub carrier: Carrier,
}

/// What was seen.
pub struct RecordedMotion<V: Space> {
    /// The bodies at the start; a ray is a point at its origin.
    pub pair: Pair<V>,
    /// How they move.
    twists: [Twist<V>; 2],
    /// The answer, with its certificate.
    pub answer: MotionAnswer,
    /// The steps of the search.
    pub steps: Vec<MotionStep>,
    /// Where the bodies are proved apart, in the order of time.
    pub pieces: Vec<ApartPiece>,
}

fn carrier_name<S: serde::Serializer>(carrier: &Carrier, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(carrier.name())
}

/// Answers a motion and keeps the steps. Without `certificate` in its options the answer has none.
///
/// # Errors  a body that is none, numbers beyond the scalar, an answer that the scalar cannot hold.
pub fn record_motion<V: Space>(spec: &MotionQuerySpec) -> Result<RecordedMotion<V>, InputError> {
    let asked = Asked::<V>::new(spec)?;
    let steps = watched(&asked);
    let proof = asked.proof();
    let mut answer = stated(&spec.id, &asked, &proof)?;
    if spec.options.certificate != Some(true) {
        answer.certificate = None;
    }
    let straight = |velocity: V| {
        let zero = V::Scalar::ZERO;
        Twist::new(velocity, [zero; 3], V::ZERO).map_err(crate::motion::refused)
    };
    let twists = match asked.motion {
        Motion::Ray(ray) => [Twist::rest(), straight(Ray::direction(&ray))?],
        Motion::Cast([a, b]) => [straight(a)?, straight(b)?],
        Motion::Toi(twists) => twists,
    };
    let until = spec.options.max_time.unwrap_or(f64::INFINITY);
    let pieces = match asked.motion {
        Motion::Toi(_) => chained(&steps),
        _ => one_plane(&proof, &steps, until).into_iter().collect(),
    };
    Ok(RecordedMotion {
        pair: asked.pair,
        twists,
        answer,
        steps,
        pieces,
    })
}

/// A shape at a time: of vertices that move by themselves, where they are.
fn shape_at<V: Space>(shape: &Shape<V>, time: f64) -> Shape<V> {
    let Shape::MovingVertices(moving) = shape else {
        return shape.clone();
    };
    let there = moving.at(time);
    // A place beyond the scalar's largest number is no shape: it stays.
    MovingVertices::new(&there, &there).map_or_else(|_| shape.clone(), Shape::from)
}

/// The steps of the search.
pub(crate) fn watched<V: Space>(asked: &Asked<V>) -> Vec<MotionStep> {
    let steps = RefCell::new(Vec::new());
    asked.observed(&|step| steps.borrow_mut().push(step));
    steps.into_inner()
}

/// The steps as JSON has them.
pub(crate) fn written<V: Space>(steps: &[MotionStep], pair: &Pair<V>) -> Vec<MotionStepText> {
    steps.iter().map(|step| text(step, pair)).collect()
}

/// The pieces of bodies that turn.
fn chained(steps: &[MotionStep]) -> Vec<ApartPiece> {
    let piece = |step: &MotionStep| match step {
        MotionStep::Piece { from, piece } => Some(ApartPiece {
            from: *from,
            to: piece.to,
            direction: piece.direction,
            carrier: piece.carrier,
        }),
        _ => None,
    };
    steps.iter().filter_map(piece).collect()
}

/// The plane that separates bodies that do not turn until they meet, or to the end: the certificate's, the contact's, or the best that the search found.
fn one_plane<V: Space>(
    proof: &CastProof<V>,
    steps: &[MotionStep],
    until: f64,
) -> Option<ApartPiece> {
    let found = &proof.answer;
    let to = match found.verdict {
        Meeting::Free => until,
        Meeting::Hits | Meeting::Undecided => found.time?.lower.to_f64(),
        _ => return None,
    };
    let stated = match &proof.certificate {
        Some(CastCertificate::Free { direction } | CastCertificate::Facet { direction, .. }) => {
            Some(in_floats(direction))
        }
        Some(CastCertificate::Rounded { before, .. }) => Some(in_floats(before)),
        _ => None,
    };
    let of_contact = || found.normal.map(|normal| normal.to_f64());
    let direction = stated.or_else(of_contact).or_else(|| best_planes(steps))?;
    Some(ApartPiece {
        from: 0.0,
        to,
        direction,
        carrier: Carrier::World,
    })
}

/// The direction of the planes that prove most.
fn best_planes(steps: &[MotionStep]) -> Option<[f64; 3]> {
    let planes = steps.iter().filter_map(|step| match step {
        MotionStep::Planes {
            direction,
            rate,
            bound,
            free,
            ..
        } => {
            let until = bound.filter(|_| *rate < 0.0);
            let until = until.unwrap_or(f64::NEG_INFINITY);
            Some((*direction, if *free { f64::INFINITY } else { until }))
        }
        _ => None,
    });
    let best = planes.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(direction, _)| direction)
}

/// A direction's components as floats, near enough to draw.
fn in_floats(direction: &Direction) -> [f64; 3] {
    match direction {
        Direction::Float(components) => *components,
        Direction::Integer(components) => {
            let [x, y, z] = components;
            let integers = exact(&[x.clone(), y.clone(), z.clone()]);
            to_float(&[
                integers[0].clone(),
                integers[1].clone(),
                integers[2].clone(),
            ])
        }
    }
}

impl<V: Space> RecordedMotion<V> {
    /// Where both bodies are at a time.
    pub fn poses_at(&self, time: f64) -> [Pose<V>; 2] {
        let [of_a, of_b] = &self.twists;
        [
            of_a.pose_at(&self.pair.a.pose, time),
            of_b.pose_at(&self.pair.b.pose, time),
        ]
    }

    /// The bodies where and as they are at a time.
    pub fn pair_at(&self, time: f64) -> Pair<V> {
        let [pose_a, pose_b] = self.poses_at(time);
        let at = |body: &Body<V>, pose: Pose<V>| Body {
            pose,
            shape: shape_at(&body.shape, time),
            numbering: body.numbering.clone(),
        };
        Pair {
            a: at(&self.pair.a, pose_a),
            b: at(&self.pair.b, pose_b),
        }
    }

    /// Whether each of the bodies moves at all.
    pub fn moves(&self) -> [bool; 2] {
        let bodies = [&self.pair.a, &self.pair.b];
        [0, 1].map(|k| {
            let twist = &self.twists[k];
            let still =
                twist.angular() == [0.0; 3] && twist.linear() == <V::Wide as gjk::Vector>::ZERO;
            !still || matches!(bodies[k].shape, Shape::MovingVertices(_))
        })
    }

    /// The number of the piece that a time is on.
    pub fn piece_at(&self, time: f64) -> Option<usize> {
        let holds = |piece: &ApartPiece| piece.from <= time && time <= piece.to;
        self.pieces.iter().position(holds)
    }

    /// The unit direction of a piece where it has turned to at a time.
    pub fn direction_at(&self, piece: &ApartPiece, time: f64) -> Option<V> {
        let largest = piece.direction.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let direction = V::from_f64(piece.direction.map(|x| x / largest));
        let turned = match piece.carrier {
            Carrier::World => direction,
            Carrier::A => self.twists[0]
                .pose_at(&Pose::identity(), time)
                .vector(direction),
            Carrier::B => self.twists[1]
                .pose_at(&Pose::identity(), time)
                .vector(direction),
            Carrier::Edges(ids) => self.product_at(ids, time)?,
        };
        turned.normalized()
    }

    /// The product of an edge of each body at a time.
    fn product_at(&self, ids: [[u32; 2]; 2], time: f64) -> Option<V> {
        let bodies = [&self.pair.a, &self.pair.b];
        let poses = self.poses_at(time);
        let edge = |k: usize| {
            let end = |id: u32| {
                Some(
                    poses[k]
                        .lift::<V::Wide>()
                        .point(bodies[k].shape.vertex(id)?),
                )
            };
            let [from, to] = ids[k];
            Some(gjk::Vector::to_f64(end(to)? - end(from)?))
        };
        let ([a, b, c], [x, y, z]) = (edge(0)?, edge(1)?);
        Some(V::from_f64([b * z - c * y, c * x - a * z, a * y - b * x]))
    }

    /// The steps as JSON has them.
    pub fn trace(&self) -> Vec<MotionStepText> {
        written(&self.steps, &self.pair)
    }
}

/// A step as it is written: vertices by the input's own points.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum MotionStepText {
    /// The bodies were looked at at a time.
    Looked {
        /// When.
        time: f64,
        /// Of the signed distance.
        distance: Bounds,
        /// Unit.
        normal: [f64; 3],
    },
    /// Supporting planes of bodies that do not turn.
    Planes {
        /// Unit.
        direction: [f64; 3],
        /// At the time 0.
        gap: f64,
        /// How fast it grows.
        rate: f64,
        /// Apart until here; where the gap grows, from here on.
        bound: Option<f64>,
        /// Apart to the end.
        free: bool,
    },
    /// An end of a piece was tried.
    Tried {
        /// Where it begins.
        from: f64,
        /// The end that was tried.
        to: f64,
        /// At the time 0 of what it turns with.
        direction: [f64; 3],
        /// What it turns with.
        #[serde(rename = "in")]
        carrier: &'static str,
        /// At both times.
        gaps: [f64; 2],
        /// How far below them the gap may be.
        sag: f64,
        /// Whether it is proved.
        proved: bool,
    },
    /// A piece on which the bodies are apart.
    Piece {
        /// Where it begins.
        from: f64,
        /// Its end.
        to: f64,
        /// At the time 0 of what it turns with.
        direction: [f64; 3],
        /// What it turns with.
        #[serde(rename = "in")]
        carrier: &'static str,
    },
    /// Points of the difference whose shadow holds the line.
    Portal {
        /// `enter` or `exit`.
        side: &'static str,
        /// A pair of vertices each; a point within has none.
        corners: Vec<Option<[u64; 2]>>,
        /// Outward.
        direction: [f64; 3],
        /// The farthest vertices along it.
        support: Option<[u64; 2]>,
        /// How far they are beyond.
        gap: f64,
    },
    /// Signs or integers decide.
    Exact,
}

fn text<V: Space>(step: &MotionStep, pair: &Pair<V>) -> MotionStepText {
    match step {
        MotionStep::Looked {
            time,
            distance,
            normal,
        } => MotionStepText::Looked {
            time: *time,
            distance: Bounds {
                lower: distance[0],
                upper: distance[1],
            },
            normal: *normal,
        },
        MotionStep::Planes {
            direction,
            gap,
            rate,
            bound,
            free,
        } => MotionStepText::Planes {
            direction: *direction,
            gap: *gap,
            rate: *rate,
            bound: *bound,
            free: *free,
        },
        MotionStep::Tried {
            times: [from, to],
            direction,
            carrier,
            gaps,
            sag,
            proved,
        } => MotionStepText::Tried {
            from: *from,
            to: *to,
            direction: *direction,
            carrier: carrier.name(),
            gaps: *gaps,
            sag: *sag,
            proved: *proved,
        },
        MotionStep::Piece { from, piece } => MotionStepText::Piece {
            from: *from,
            to: piece.to,
            direction: piece.direction,
            carrier: piece.carrier.name(),
        },
        MotionStep::Portal { .. } => portal(step, pair),
        _ => MotionStepText::Exact,
    }
}

fn portal<V: Space>(step: &MotionStep, pair: &Pair<V>) -> MotionStepText {
    let index = |ids: &[u32; 2]| {
        let of = |body: &Body<V>, id: u32| body.numbering.index(u64::from(id));
        (*ids != [NO_ID; 2]).then(|| [of(&pair.a, ids[0]), of(&pair.b, ids[1])])
    };
    match step {
        MotionStep::Portal {
            exit,
            corners,
            direction,
            support,
            gap,
        } => MotionStepText::Portal {
            side: if *exit { "exit" } else { "enter" },
            corners: corners.iter().map(index).collect(),
            direction: *direction,
            support: index(support),
            gap: *gap,
        },
        _ => MotionStepText::Exact,
    }
}
