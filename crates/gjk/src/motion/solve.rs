//! The steps of a ray's query, in order.
//!
//! 1. A point at rest is a pair at rest: the contact decides. So is a ray that starts in contact, under [`Start::Hit`].
//! 2. Polytopes without radii go to `sharp.rs`, which knows both ends of the contact on the whole line.
//! 3. Other bodies are asked for the contact at the start. If they are apart, `soft.rs` looks for the first contact; what it leaves open of rounded
//!    polytopes is decided by `rounded.rs`.
//! 4. The policies of the caller choose the answer.

use super::answer::{Meeting, MotionStop, RayAnswer, RayCertificate, RayProof};
use super::options::{RayOptions, Start, Touch};
use super::ray::Ray;
use super::rounded::RoundedLine;
use super::sharp::{Sharp, Side};
use super::shot::Shot;
use super::soft::Soft;
use super::track::Track;
use crate::answer::{Certificate, Contact, Verdict};
use crate::loops::gjk::Stop;
use crate::math::{Interval, Pose, Ring, Scalar, Vector};
use crate::support::{Posed, Support, Vertices};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A question: a body at its pose, a ray, and what the caller chose.
struct RayQuestion<'p, V: Vector, S: ?Sized> {
    shot: Shot<'p, V, S>,
    options: RayOptions,
    /// Whether the answer states why it is true, and the feature.
    proof: bool,
}

/// One end of the contact.
struct End<W> {
    time: [f64; 2],
    normal: Option<W>,
    feature: Vec<u32>,
    certificate: Option<RayCertificate>,
    stop: MotionStop,
    steps: u32,
}

/// What a body and a ray that starts apart from it have in common.
enum Ahead<W> {
    Free(Option<RayCertificate>),
    Hits { end: End<W>, grazes: bool },
    Undecided { lower: f64, upper: f64 },
}

/// The answer on a ray.
pub(crate) fn answer<V: Vector, S: Support<V> + ?Sized>(
    body: &S,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &RayOptions,
    proof: bool,
) -> RayProof<V> {
    let posed = Posed::new(body, *pose);
    let shot = Shot {
        body,
        pose,
        posed: &posed,
        ray,
        track: Track::of(ray),
    };
    let question = RayQuestion {
        shot,
        options: *options,
        proof,
    };
    let vertices = Vertices::of(&posed, posed.vertex_count());
    if !question.shot.is_finite() {
        let bare = RayAnswer::bare(Meeting::Undecided, false, MotionStop::Overflow);
        return RayProof {
            answer: RayAnswer {
                time: Some(Interval {
                    lower: V::Scalar::ZERO,
                    upper: V::Scalar::INFINITY,
                }),
                ..bare
            },
            feature: Vec::new(),
            certificate: None,
        };
    }
    if question.shot.track.rests() {
        return question.at_rest(vertices.is_some());
    }
    let radius = posed.radius() + question.shot.track.radius;
    match &vertices {
        Some(vertices) if radius == 0.0 => match Sharp::of(vertices, &question.shot.track) {
            Some(sharp) => question.sharp(&sharp),
            None => question.plain(Meeting::Undecided, MotionStop::IterationLimit, true),
        },
        _ => question.soft(vertices.as_ref()),
    }
}

impl<V: Vector, S: Support<V> + ?Sized> RayQuestion<'_, V, S> {
    /// An answer without numbers.
    fn plain(&self, verdict: Meeting, stop: MotionStop, exact: bool) -> RayProof<V> {
        RayProof {
            answer: RayAnswer::bare(verdict, exact, stop),
            feature: Vec::new(),
            certificate: None,
        }
    }

    /// The answer of a ray without contact.
    fn free(&self, certificate: Option<RayCertificate>, exact: bool) -> RayProof<V> {
        RayProof {
            certificate: certificate.filter(|_| self.proof),
            ..self.plain(Meeting::Free, MotionStop::SeparatingPlane, exact)
        }
    }

    /// The answer of a ray whose contact is passed over because inner points do not meet.
    fn passed(&self, grazing: bool, exact: bool) -> RayProof<V> {
        let mut found = self.plain(Meeting::Free, MotionStop::Facet, exact);
        found.answer.grazing = grazing;
        found
    }

    /// The answer of a start in contact.
    fn starts(
        &self,
        found: Contact<V>,
        certificate: Option<Certificate>,
        grazing: bool,
    ) -> RayProof<V> {
        let verdict = match found.verdict {
            Verdict::Touching => Meeting::StartsTouching,
            Verdict::Overlapping => Meeting::StartsOverlapping,
            _ => Meeting::Undecided,
        };
        let zero = V::Scalar::ZERO;
        let undecided = verdict == Meeting::Undecided;
        let upper = if undecided { V::Scalar::INFINITY } else { zero };
        let bare = RayAnswer::bare(verdict, found.exact, MotionStop::Start(found.stop));
        // Where signs alone decided, there are no numbers.
        let measured = found.stop != Stop::Overflow;
        RayProof {
            answer: RayAnswer {
                time: Some(Interval { lower: zero, upper }),
                normal: Some(found.normal).filter(|_| measured),
                point_a: Some(found.point_a).filter(|_| measured),
                point_b: Some(found.point_b).filter(|_| measured),
                signed_distance: Some(found.signed_distance),
                grazing,
                iterations: found.iterations.gjk.saturating_add(found.iterations.epa),
                ..bare
            },
            feature: Vec::new(),
            certificate: certificate
                .filter(|_| !undecided)
                .map(RayCertificate::Start),
        }
    }

    /// The answer of a contact that begins or ends.
    fn ends(&self, verdict: Meeting, end: End<V::Wide>, grazing: bool, exact: bool) -> RayProof<V> {
        let [lower, upper] = end.time;
        let place = self.shot.track.place(upper);
        let normal = end.normal.unwrap_or(V::Wide::ZERO);
        let on_body = place - normal * self.shot.track.radius;
        RayProof {
            answer: RayAnswer {
                time: Some(outward(end.time)),
                normal: end.normal.map(|n| n.lift()),
                point_a: Some(on_body.lift()).filter(|_| upper.is_finite()),
                point_b: Some(place.lift()).filter(|_| upper.is_finite()),
                grazing,
                iterations: end.steps,
                ..RayAnswer::bare(verdict, exact, end.stop)
            },
            feature: end.feature,
            certificate: end.certificate.filter(|_| self.proof && lower <= upper),
        }
    }

    /// A point that does not move.
    fn at_rest(&self, exact: bool) -> RayProof<V> {
        let (found, certificate) = self.shot.start(self.proof);
        if found.verdict == Verdict::Separated {
            let direction = match certificate {
                Some(Certificate::Separated { direction, .. }) => Some(direction),
                _ => None,
            };
            let certificate = direction.map(|direction| RayCertificate::Free { direction });
            let by_signs = || {
                let vertices = Vertices::of(self.shot.posed, self.shot.posed.vertex_count())?;
                let track = self.shot.through_start();
                RoundedLine::of(&vertices, &track, self.shot.posed.radius())?.apart()
            };
            let certificate = certificate.or_else(|| self.stated(by_signs));
            return self.free(certificate, exact);
        }
        let touches = found.verdict == Verdict::Touching;
        let passes = touches && self.options.touch == Touch::Passes;
        if passes || self.options.start == Start::Approach && found.verdict != Verdict::Undecided {
            return self.passed(touches, exact);
        }
        self.starts(found, certificate, touches)
    }

    /// What the policies make of a start in contact. `closes` says whether a start in touch is about to meet inner points.
    fn by_policy(
        &self,
        closes: bool,
        exit: impl FnOnce() -> Option<End<V::Wide>>,
        exact: bool,
    ) -> RayProof<V> {
        let (found, certificate) = self.shot.start(self.proof);
        let touches = found.verdict == Verdict::Touching;
        let grazing = touches && !closes;
        if grazing && (self.options.touch == Touch::Passes || self.options.start == Start::Approach)
        {
            return self.passed(true, exact);
        }
        match self.options.start {
            Start::Approach if !touches && !self.shot.deepens(&found) => {
                let rises = self.shot.track.leaves_along(found.normal);
                self.passed(false, exact && found.exact && rises)
            }
            Start::Exit if found.verdict != Verdict::Undecided => match exit() {
                Some(mut end) if end.time[1] <= self.shot.track.end => {
                    end.certificate = end.certificate.zip(certificate).map(|(end, start)| {
                        let end = Box::new(end);
                        RayCertificate::Exit { start, end }
                    });
                    self.ends(Meeting::Exits, end, grazing, exact)
                }
                _ => self.starts(found, certificate, grazing),
            },
            _ => self.starts(found, certificate, grazing),
        }
    }

    /// A polytope without radius.
    fn sharp(&self, sharp: &Sharp<'_, V::Wide, Posed<'_, V, S>>) -> RayProof<V> {
        let (Some(enter), Some(exit)) = (sharp.sign(Side::Enter), sharp.sign(Side::Exit)) else {
            return self.free(self.stated(|| sharp.free(Side::Enter)), true);
        };
        if exit.is_lt() {
            return self.free(self.stated(|| sharp.free(Side::Exit)), true);
        }
        let ended = |side: Side| {
            Some(End {
                time: sharp.time(side)?,
                normal: sharp.normal(side),
                feature: if self.proof {
                    sharp.feature(side)
                } else {
                    Vec::new()
                },
                certificate: self.stated(|| sharp.facet(side)),
                stop: MotionStop::Facet,
                steps: 0,
            })
        };
        let mut found = if enter.is_gt() {
            let (Some(end), grazes) = (ended(Side::Enter), sharp.grazes()) else {
                return self.plain(Meeting::Undecided, MotionStop::IterationLimit, true);
            };
            let [lower, upper] = end.time;
            if upper > self.shot.track.end || lower > self.shot.track.end {
                return self.free(self.stated(|| sharp.free(Side::Enter)), true);
            }
            let at_end = lower == upper && lower == self.shot.track.end;
            if self.options.touch == Touch::Passes && (grazes || at_end) {
                return self.passed(true, true);
            }
            self.ends(Meeting::Hits, end, grazes, true)
        } else {
            let closes = !sharp.grazes() && exit.is_gt();
            self.by_policy(closes, || ended(Side::Exit), true)
        };
        let in_contact = found.answer.verdict != Meeting::Free;
        found.answer.exit = sharp.time(Side::Exit).filter(|_| in_contact).map(outward);
        found
    }

    /// A certificate, where one is wanted.
    fn stated(&self, make: impl FnOnce() -> Option<RayCertificate>) -> Option<RayCertificate> {
        if self.proof { make() } else { None }
    }

    /// A body with a radius, or without numbered vertices.
    fn soft(&self, vertices: Option<&Vertices<'_, V::Wide, Posed<'_, V, S>>>) -> RayProof<V> {
        let exact = vertices.is_some();
        let rounded = || {
            vertices.and_then(|v| RoundedLine::of(v, &self.shot.track, self.shot.posed.radius()))
        };
        let soft = Soft {
            posed: self.shot.posed,
            track: self.shot.track,
        };
        // Only the verdict counts here.
        let at_start = match soft.contact_at(0.0).verdict {
            Verdict::Undecided => self.shot.start_by_signs().unwrap_or(Verdict::Undecided),
            decided => decided,
        };
        if at_start == Verdict::Separated {
            return match self.ahead(&soft, &rounded, 0.0) {
                Ahead::Free(certificate) => self.free(certificate, exact),
                Ahead::Hits { end, grazes } => {
                    let at_end = end.time[0] == self.shot.track.end;
                    if self.options.touch == Touch::Passes && (grazes || at_end) {
                        return self.passed(true, exact);
                    }
                    self.ends(Meeting::Hits, end, grazes, exact)
                }
                Ahead::Undecided { lower, upper } => {
                    let mut found =
                        self.plain(Meeting::Undecided, MotionStop::TimeResolution, false);
                    found.answer.time = Some(outward([lower, upper]));
                    found
                }
            };
        }
        let closes = match rounded() {
            Some(rounded) => rounded.closes_in(),
            None => soft.contact_at(0.0).normal.dot(self.shot.track.direction) < 0.0,
        };
        let leaves = || {
            let mut last = self.last(&vertices)?;
            let ([lower, upper], end) = (last.time, self.shot.track.end);
            // Apart at the end: contact ends before.
            if lower <= end && end < upper {
                let order = rounded()?.order_at(end)?;
                last.time[1] = order.is_gt().then_some(end)?;
            }
            Some(last)
        };
        self.by_policy(closes, leaves, exact)
    }

    /// The first contact of a ray that is apart at a time.
    fn ahead<'r>(
        &self,
        soft: &Soft<'_, V, S>,
        rounded: &dyn Fn() -> Option<RoundedLine<'r, V::Wide, Posed<'r, V, S>>>,
        from: f64,
    ) -> Ahead<V::Wide>
    where
        V: 'r,
        S: 'r,
    {
        let end = soft.track.end;
        let found = soft.first(from);
        let decided = found.free || found.upper <= end && found.inner;
        let exactly = if decided && !self.proof {
            None
        } else {
            rounded()
        };
        if found.free {
            return Ahead::Free(exactly.and_then(|rounded| rounded.free(end)));
        }
        let (time, stop) = match &exactly {
            _ if decided => ([found.lower, found.upper], MotionStop::GapClosed),
            Some(rounded) => match rounded.first(from, end) {
                Some(time) => (time, MotionStop::Exact),
                None => return Ahead::Free(rounded.free(end)),
            },
            None => {
                let upper = if found.upper <= end {
                    found.upper
                } else {
                    f64::INFINITY
                };
                return Ahead::Undecided {
                    lower: found.lower,
                    upper,
                };
            }
        };
        let contact = exactly.as_ref().and_then(|r| r.contact(time[1]));
        let (normal, feature) = match contact {
            Some((normal, feature)) => (Some(normal), feature),
            None => (found.normal, Vec::new()),
        };
        Ahead::Hits {
            grazes: exactly.as_ref().is_some_and(|r| r.order().is_eq()),
            end: End {
                time,
                normal,
                feature,
                certificate: exactly.as_ref().and_then(|r| r.ends(time[0], time[1])),
                stop,
                steps: found.steps,
            },
        }
    }

    /// The end of contact: the first contact of the ray that comes back from beyond the body.
    fn last(
        &self,
        vertices: &Option<&Vertices<'_, V::Wide, Posed<'_, V, S>>>,
    ) -> Option<End<V::Wide>> {
        let track = Track {
            direction: -self.shot.track.direction,
            // There is contact at the start.
            end: 0.0,
            ..self.shot.track
        };
        let soft = Soft {
            posed: self.shot.posed,
            track,
        };
        let [shape, world] = self.shot.posed.sizes();
        let reach =
            shape + world + self.shot.posed.radius() + track.radius + track.origin.sum_abs();
        // Twice as far as any point of the body, so that rounding does not matter.
        let from = -(2.0 * reach / track.speed()).min(f64::MAX);
        if soft.contact_at(from).verdict != Verdict::Separated {
            return None;
        }
        let rounded =
            || vertices.and_then(|v| RoundedLine::of(v, &track, self.shot.posed.radius()));
        match self.ahead(&soft, &rounded, from) {
            Ahead::Hits { end, .. } => Some(End {
                time: [-end.time[1] + 0.0, -end.time[0] + 0.0],
                certificate: end.certificate.map(reversed),
                ..end
            }),
            _ => None,
        }
    }
}

/// The certificate of a ray that comes back, for the ray that leaves.
fn reversed(certificate: RayCertificate) -> RayCertificate {
    match certificate {
        RayCertificate::Rounded {
            outside,
            before,
            inside,
            after,
            touch,
        } => RayCertificate::Rounded {
            outside: -outside,
            before,
            inside: -inside,
            after,
            touch,
        },
        other => other,
    }
}

/// Times rounded outward to the scalar.
fn outward<S: Scalar>([lower, upper]: [f64; 2]) -> Interval<S> {
    Interval {
        lower: S::round_down(lower),
        upper: -S::round_down(-upper),
    }
}
