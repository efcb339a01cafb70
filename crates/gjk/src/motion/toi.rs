//! The steps of a time of impact, in order.
//!
//! 1. The contact at the start is that of a pair at rest. Under [`Start::Hit`] a start in contact is the answer.
//! 2. Else the bodies must first part: `impact.rs` finds when, or that they go deeper.
//! 3. From where they are apart, `impact.rs` looks for the first contact.

use super::answer::{
    CastAnswer, CastCertificate, CastProof, ChainContact, Meeting, MotionStop, outward,
};
use super::course::Course;
use super::impact::{Exit, Impact, ImpactSearch, NARROW, Relation};
use super::mobile::Mobile;
use super::options::{Limits, Start, Touch};
use super::rounded::vertices_of;
use super::soft::TRIAL_GROWTH;
use super::solve::MotionQuestion;
use super::turning::Turning;
use crate::answer::{Certificate, Contact, Verdict};
use crate::math::{Interval, Scalar, Vector};
use alloc::vec::Vec;

/// A question about two bodies that turn.
pub(super) struct ToiQuestion<'p, V: Vector> {
    /// The bodies and the policies; the velocities there are not used.
    pub(super) question: MotionQuestion<'p, V>,
    pub(super) courses: &'p [Course<V::Wide>; 2],
    pub(super) limits: Limits,
}

/// What a motion does with the contact of its start.
enum Onset {
    /// It goes deeper.
    Closes,
    /// They are apart at this time.
    Parts(f64),
    /// They are in contact as long as it is known: to the end, or within rounding.
    Stays { proved: bool },
}

impl<V: Vector> ToiQuestion<'_, V> {
    /// The answer.
    pub(super) fn answer(&self) -> CastProof<V> {
        let question = &self.question;
        let shot = &question.shot;
        let Limits {
            end,
            least,
            pieces_max,
        } = self.limits;
        let [of_a, of_b] = self.courses;
        // They stay where they are made, because copies of them are long.
        let (a, b) = (
            Mobile::new(shot.a, of_a, end),
            Mobile::new(shot.b, of_b, end),
        );
        let turning = Turning::new(shot.pair, &a, &b);
        if !shot.is_finite() || !turning.is_finite(end) {
            return question.beyond_range();
        }
        let search = ImpactSearch {
            bodies: &turning,
            end,
            least,
            pieces_max,
            keeps: question.proof && shot.cores().is_some(),
            watch: shot.watch,
        };
        if shot.is_radius_exact() {
            let trial = turning.trial_at(0.0);
            if trial.verdict == Verdict::Separated {
                return self.ahead(&search, 0.0, Some(&trial));
            }
        }
        let (start, certificate) = shot.start(question.proof);
        match start.verdict {
            Verdict::Separated => self.ahead(&search, 0.0, None),
            Verdict::Undecided => question.starts(start, certificate, false),
            _ => self.by_policy(&search, start, certificate),
        }
    }

    /// What the policies make of a start in contact.
    fn by_policy(
        &self,
        search: &ImpactSearch<'_, '_, V>,
        start: Contact<V>,
        certificate: Option<Certificate>,
    ) -> CastProof<V> {
        let question = &self.question;
        let touches = start.verdict == Verdict::Touching;
        let passes = touches && question.options.touch == Touch::Passes;
        let depth = start.signed_distance;
        if question.options.start == Start::Exit && !passes {
            let Some((mut found, exit)) = self.exits(search) else {
                return question.starts(start, certificate, false);
            };
            found.certificate = certificate.and_then(|start| held(search, &exit, start));
            return found;
        }
        if question.options.start == Start::Hit && !passes {
            return question.starts(start, certificate, false);
        }
        match self.onset(search, depth) {
            Onset::Parts(time) => self.ahead(search, time, None),
            Onset::Stays { proved: true } => question.passed(false, false),
            Onset::Closes => question.starts(start, certificate, false),
            Onset::Stays { proved: false } => {
                let mut found = question.starts(start, certificate, false);
                found.answer.stop = MotionStop::Resting;
                found
            }
        }
    }

    /// What the motion does with a contact of the start: by the first time at which it is deeper, less deep or gone beyond rounding.
    fn onset(&self, search: &ImpactSearch<'_, '_, V>, depth: Interval<V::Scalar>) -> Onset {
        let (lower, upper) = (depth.lower.to_f64(), depth.upper.to_f64());
        let mut trial = search.first_trial(0.0);
        loop {
            let time = trial.min(search.end);
            let (relation, found) = search.relation(time);
            let error = search.bodies.place_error(time);
            let apart = relation == Relation::Apart;
            if apart {
                // Far enough for a plane to prove more.
                let piece = search.pieces().longest(&found, time);
                let goes_on = piece.is_some_and(|piece| piece.to >= search.end.min(2.0 * time));
                if goes_on || time >= search.end {
                    return Onset::Parts(time);
                }
            }
            if found.signed_distance.upper + error < lower {
                return Onset::Closes;
            }
            if !apart && found.signed_distance.lower - error > upper {
                break;
            }
            if time >= search.end {
                return Onset::Stays { proved: false };
            }
            trial *= TRIAL_GROWTH;
        }
        let exit = search.exit();
        if exit.outlasts {
            Onset::Stays { proved: true }
        } else if exit.upper.is_finite() {
            Onset::Parts(exit.upper)
        } else {
            Onset::Stays { proved: false }
        }
    }

    /// The end of the contact of the start; `None` where it outlasts the motion.
    fn exits(&self, search: &ImpactSearch<'_, '_, V>) -> Option<(CastProof<V>, Exit)> {
        let exit = search.exit();
        let mut found = self
            .question
            .plain(Meeting::Exits, MotionStop::GapClosed, false);
        if !exit.upper.is_finite() {
            return None;
        }
        if exit.upper - exit.lower > NARROW * search.least {
            found.answer.stop = MotionStop::TimeResolution;
        }
        found.answer.time = Some(outward([exit.lower, exit.upper]));
        found.answer.iterations = exit.steps;
        Some((found, exit))
    }

    /// The first contact from a time on at which the bodies are apart.
    fn ahead(
        &self,
        search: &ImpactSearch<'_, '_, V>,
        from: f64,
        known: Option<&Contact<V::Wide>>,
    ) -> CastProof<V> {
        let question = &self.question;
        let mut impact = search.first(from, known);
        let polytopes = question.shot.cores().is_some();
        let stated = question.proof && polytopes;
        let crossing = impact.crossing.take().map(ChainContact::Crossing);
        let contact = crossing.filter(|_| stated).or_else(|| {
            let met = stated && impact.upper.is_finite() && !impact.open;
            let time = impact.upper;
            let why = met.then(|| search.bodies.why_at(time)).flatten()?;
            Some(ChainContact::Overlap { time, why })
        });
        let complete = impact.free || contact.is_some();
        let pieces = (stated && complete)
            .then(|| {
                search
                    .pieces()
                    .stated(from, &impact.pieces, search.pieces_max)
            })
            .flatten();
        let certificate = pieces.map(|pieces| CastCertificate::Chain {
            from,
            pieces,
            contact,
        });
        if impact.free {
            return CastProof {
                answer: CastAnswer {
                    iterations: impact.steps,
                    ..CastAnswer::bare(Meeting::Free, false, impact.stop)
                },
                features: Default::default(),
                certificate,
            };
        }
        let features = match &certificate {
            Some(_) => nearest(search.bodies.why_at(impact.lower)),
            None => Default::default(),
        };
        CastProof {
            answer: self.met(&impact),
            features,
            certificate,
        }
    }

    /// The answer of a motion that is not free.
    fn met(&self, impact: &Impact<V::Wide>) -> CastAnswer<V> {
        let hits = impact.upper.is_finite() && !impact.open;
        let verdict = if hits {
            Meeting::Hits
        } else {
            Meeting::Undecided
        };
        let mut answer = CastAnswer {
            time: Some(outward([impact.lower, impact.upper])),
            iterations: impact.steps,
            ..CastAnswer::bare(verdict, false, impact.stop)
        };
        let Some(at_upper) = impact.contact.filter(|_| hits) else {
            return answer;
        };
        let normal = impact.normal.unwrap_or(at_upper.normal);
        let [_, _, distance] = self.question.shot.radii;
        let points = [at_upper.a, at_upper.b + at_upper.normal * distance];
        let points = points.map(|point| point.lift::<V>());
        if points.iter().all(|point| point.is_finite()) {
            [answer.point_a, answer.point_b] = points.map(Some);
        }
        answer.normal = normal.normalized().map(|n| n.lift());
        answer
    }
}

/// Why a contact of the start lasts and ends.
fn held<V: Vector>(
    search: &ImpactSearch<'_, '_, V>,
    exit: &Exit,
    start: Certificate,
) -> Option<CastCertificate> {
    let apart = search.bodies.apart(exit.upper)?;
    let pieces = search.bodies.held(exit.lower, search.pieces_max);
    Some(CastCertificate::Held {
        start,
        pieces,
        apart,
    })
}

/// The vertices of the nearest points of bodies that are apart, of each.
fn nearest(why: Option<Certificate>) -> [Vec<u32>; 2] {
    let pairs = match why {
        Some(Certificate::Separated {
            nearest: Some(nearest),
            ..
        }) => nearest.pairs,
        _ => Vec::new(),
    };
    vertices_of(&pairs)
}
