//! The steps of a query about a motion, in order.
//!
//! 1. Bodies at rest are a pair at rest: the contact decides. So does it for a start in contact, under [`Start::Hit`].
//! 2. Polytopes without radii go to `float_ends.rs`, or to `sharp.rs` for a proof and where floats do not decide: either knows both ends of the contact on the
//!    whole line.
//! 3. Other bodies go to `curved_ends.rs`, which knows both ends by floats. Where it does not decide, they are asked for the contact at the start. If they are apart, `soft.rs` looks for the first contact; what it leaves open of rounded
//!    polytopes is decided by `rounded.rs`.
//! 4. The policies of the caller choose the answer.

use super::answer::{CastAnswer, CastCertificate, CastProof, Meeting, MotionStop, outward};
use super::cores::Cores;
use super::ends::{LineEnds, Side};
use super::float_ends::FloatEnds;
use super::options::{MotionOptions, Start, Touch};
use super::rounded::RoundedLine;
use super::sharp::Sharp;
use super::shot::Shot;
use super::soft::Soft;
use super::watch::{self, MotionStep};
use crate::answer::{Certificate, Contact, Verdict};
use crate::loops::gjk::Stop;
use crate::math::{Interval, Ring, Scalar, Vector};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A time of rounded polytopes that floats leave wider than this part of itself is looked for by integers.
const SOFT_WIDTH: f64 = 1.0 / (1u64 << 20) as f64;

/// A question: two bodies in motion, and what the caller chose.
pub(super) struct MotionQuestion<'p, V: Vector> {
    pub(super) shot: Shot<'p, V>,
    pub(super) options: MotionOptions<V::Scalar>,
    /// Whether the answer states why it is true, and the features.
    pub(super) proof: bool,
}

/// One end of the contact.
struct End<W> {
    time: [f64; 2],
    normal: Option<W>,
    /// The points that meet, where they are known without a contact.
    point: Option<W>,
    features: [Vec<u32>; 2],
    certificate: Option<CastCertificate>,
    stop: MotionStop,
    steps: u32,
}

/// What bodies that start apart have in common.
enum Ahead<W> {
    Free(Option<CastCertificate>),
    Hits { end: End<W>, grazes: bool },
    Undecided { time: [f64; 2], steps: u32 },
}

impl<V: Vector> MotionQuestion<'_, V> {
    /// The answer.
    pub(super) fn answer(&self) -> CastProof<V> {
        if !self.shot.is_finite() {
            return self.beyond_range();
        }
        let cores = self.shot.cores();
        if self.shot.track.rests() {
            return self.at_rest(cores.is_some());
        }
        match &cores {
            Some(cores) if self.shot.is_sharp() => self.polytopes(cores),
            _ => self.soft(cores.as_ref()),
        }
    }

    /// The answer of polytopes without radii.
    fn polytopes(&self, cores: &Cores<'_, V::Wide>) -> CastProof<V> {
        let by_floats = if self.proof {
            None
        } else {
            FloatEnds::of(&self.shot, self.options.exit)
        };
        if let Some(ends) = by_floats {
            return self.by_ends(&ends, true, MotionStop::Facet);
        }
        self.told_exact();
        match Sharp::of(cores, &self.shot.track) {
            Some(sharp) => self.by_ends(&sharp, true, MotionStop::Facet),
            None => self.plain(Meeting::Undecided, MotionStop::IterationLimit, true),
        }
    }

    /// Tells who watches that signs or integers decide.
    fn told_exact(&self) {
        if let Some(watch) = self.shot.watch {
            watch(MotionStep::Exact);
        }
    }

    /// The answer of bodies or motions that leave the range of floats.
    pub(super) fn beyond_range(&self) -> CastProof<V> {
        let mut found = self.plain(Meeting::Undecided, MotionStop::Overflow, false);
        found.answer.time = Some(Interval {
            lower: V::Scalar::ZERO,
            upper: V::Scalar::INFINITY,
        });
        found
    }

    /// An answer without numbers.
    pub(super) fn plain(&self, verdict: Meeting, stop: MotionStop, exact: bool) -> CastProof<V> {
        CastProof {
            answer: CastAnswer::bare(verdict, exact, stop),
            features: Default::default(),
            certificate: None,
        }
    }

    /// The answer of a ray without contact.
    fn free(&self, certificate: Option<CastCertificate>, exact: bool) -> CastProof<V> {
        CastProof {
            certificate: certificate.filter(|_| self.proof),
            ..self.plain(Meeting::Free, MotionStop::SeparatingPlane, exact)
        }
    }

    /// The answer of a ray whose contact is passed over because inner points do not meet.
    pub(super) fn passed(&self, grazing: bool, exact: bool) -> CastProof<V> {
        let mut found = self.plain(Meeting::Free, MotionStop::Facet, exact);
        found.answer.grazing = grazing;
        found
    }

    /// The answer of a start in contact.
    pub(super) fn starts(
        &self,
        found: Contact<V>,
        certificate: Option<Certificate>,
        grazing: bool,
    ) -> CastProof<V> {
        let verdict = match found.verdict {
            Verdict::Touching => Meeting::StartsTouching,
            Verdict::Overlapping => Meeting::StartsOverlapping,
            _ => Meeting::Undecided,
        };
        let zero = V::Scalar::ZERO;
        let undecided = verdict == Meeting::Undecided;
        let upper = if undecided { V::Scalar::INFINITY } else { zero };
        let bare = CastAnswer::bare(verdict, found.exact, MotionStop::Start(found.stop));
        // Where signs alone decided, there are no numbers.
        let measured = found.stop != Stop::Overflow;
        CastProof {
            answer: CastAnswer {
                time: Some(Interval { lower: zero, upper }),
                normal: Some(found.normal).filter(|_| measured),
                point_a: Some(found.point_a).filter(|_| measured),
                point_b: Some(found.point_b).filter(|_| measured),
                signed_distance: Some(found.signed_distance),
                grazing,
                iterations: found.iterations.gjk.saturating_add(found.iterations.epa),
                ..bare
            },
            features: Default::default(),
            certificate: certificate
                .filter(|_| !undecided)
                .map(CastCertificate::Start),
        }
    }

    /// The answer of a contact that begins or ends.
    fn ends(
        &self,
        verdict: Meeting,
        end: End<V::Wide>,
        grazing: bool,
        exact: bool,
    ) -> CastProof<V> {
        let [lower, upper] = end.time;
        let shot = &self.shot;
        let meeting = end.point.filter(|_| upper.is_finite());
        let points = match meeting {
            Some(point) => {
                let [_, _, distance] = shot.radii;
                let at = point + shot.track.velocities[1] * upper;
                let normal = end.normal.unwrap_or(V::Wide::ZERO);
                Some([at, at + normal * distance])
            }
            None => shot.points_at(upper, end.normal),
        };
        // A place may be beyond the scalar's largest number.
        let points = points.map(|ends| ends.map(|point| point.lift::<V>()));
        let points = points.filter(|ends| ends.iter().all(|point| point.is_finite()));
        CastProof {
            answer: CastAnswer {
                time: Some(outward(end.time)),
                normal: end.normal.map(|n| n.lift()),
                point_a: points.map(|[a, _]| a),
                point_b: points.map(|[_, b]| b),
                grazing,
                iterations: end.steps,
                ..CastAnswer::bare(verdict, exact, end.stop)
            },
            features: end.features,
            certificate: end.certificate.filter(|_| self.proof && lower <= upper),
        }
    }

    /// Bodies that do not move.
    fn at_rest(&self, exact: bool) -> CastProof<V> {
        let (found, certificate) = self.shot.start(self.proof);
        if found.verdict == Verdict::Separated {
            let direction = match certificate {
                Some(Certificate::Separated { direction, .. }) => Some(direction),
                _ => None,
            };
            let certificate = direction.map(|direction| CastCertificate::Free { direction });
            let by_signs = || {
                let (cores, track) = (self.shot.cores()?, self.shot.through_start());
                RoundedLine::of(&cores, &track, self.shot.radii)?.apart()
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
    ) -> CastProof<V> {
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
                        CastCertificate::Exit { start, end }
                    });
                    self.ends(Meeting::Exits, end, grazing, exact)
                }
                _ => self.starts(found, certificate, grazing),
            },
            _ => self.starts(found, certificate, grazing),
        }
    }

    /// The answer where both ends of the contact are known, or what decides without one of them.
    fn by_ends(
        &self,
        ends: &impl LineEnds<V::Wide>,
        exact: bool,
        stop: MotionStop,
    ) -> CastProof<V> {
        let (Some(enter), Some(exit)) = (ends.sign(Side::Enter), ends.sign(Side::Exit)) else {
            return self.free(self.stated(|| ends.free(Side::Enter)), exact);
        };
        if exit.is_lt() {
            return self.free(self.stated(|| ends.free(Side::Exit)), exact);
        }
        let ended = |side: Side| {
            Some(End {
                time: ends.time(side)?,
                normal: ends.normal(side),
                point: ends.point(side),
                features: if self.proof {
                    ends.features(side)
                } else {
                    Default::default()
                },
                certificate: self.stated(|| ends.facet(side)),
                stop,
                steps: 0,
            })
        };
        let mut found = if enter.is_gt() {
            let (Some(end), grazes) = (ended(Side::Enter), ends.grazes()) else {
                return self.plain(Meeting::Undecided, MotionStop::IterationLimit, exact);
            };
            let [lower, upper] = end.time;
            if upper > self.shot.track.end || lower > self.shot.track.end {
                return self.free(self.stated(|| ends.free(Side::Enter)), exact);
            }
            let at_end = lower == upper && lower == self.shot.track.end;
            if self.options.touch == Touch::Passes && (grazes || at_end) {
                return self.passed(true, exact);
            }
            self.ends(Meeting::Hits, end, grazes, exact)
        } else {
            let closes = !ends.grazes() && exit.is_gt();
            self.by_policy(closes, || ended(Side::Exit), exact)
        };
        let in_contact = found.answer.verdict != Meeting::Free;
        found.answer.exit = ends.time(Side::Exit).filter(|_| in_contact).map(outward);
        found
    }

    /// A certificate, where one is wanted.
    fn stated(&self, make: impl FnOnce() -> Option<CastCertificate>) -> Option<CastCertificate> {
        if self.proof { make() } else { None }
    }

    /// Bodies with a radius, or without numbered vertices.
    fn soft(&self, cores: Option<&Cores<'_, V::Wide>>) -> CastProof<V> {
        let exact = cores.is_some();
        // Of other bodies there are no certificates.
        if !(self.proof && exact)
            && let Some(ends) = FloatEnds::curved(&self.shot, self.options.exit)
        {
            return self.by_ends(&ends, exact, MotionStop::GapClosed);
        }
        let rounded = || cores.and_then(|c| RoundedLine::of(c, &self.shot.track, self.shot.radii));
        let soft = self.shot.soft(self.shot.track);
        // Only the verdict counts here.
        let at_start = self.shot.verdict_at_start(&soft);
        if at_start == Verdict::Separated {
            return match self.ahead((&soft, exact), &rounded, 0.0) {
                Ahead::Free(certificate) => self.free(certificate, exact),
                Ahead::Hits { end, grazes } => {
                    let at_end = end.time[0] == self.shot.track.end;
                    if self.options.touch == Touch::Passes && (grazes || at_end) {
                        return self.passed(true, exact);
                    }
                    self.ends(Meeting::Hits, end, grazes, exact)
                }
                Ahead::Undecided { time, steps } => {
                    let mut found =
                        self.plain(Meeting::Undecided, MotionStop::TimeResolution, false);
                    found.answer.time = Some(outward(time));
                    found.answer.iterations = steps;
                    found
                }
            };
        }
        let closes = match rounded() {
            Some(rounded) => rounded.closes_in(),
            None => soft.contact_at(0.0).normal.dot(self.shot.track.direction) < 0.0,
        };
        let leaves = || {
            let mut last = self.last(cores)?;
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

    /// The first contact of bodies that are apart at a time; of `polytopes` integers know it too.
    fn ahead<'c>(
        &self,
        (soft, polytopes): (&Soft<'_, V>, bool),
        rounded: &dyn Fn() -> Option<RoundedLine<'c>>,
        from: f64,
    ) -> Ahead<V::Wide> {
        let end = soft.track.end;
        let found = soft.first(from);
        // Sizes beyond what floats multiply may leave an interval wide, which integers narrow.
        let width = found.upper - found.lower;
        let is_narrow = width <= SOFT_WIDTH * Scalar::max(found.lower.abs(), found.upper.abs());
        let ends = found.upper <= end && found.inner && (is_narrow || !polytopes);
        let decided = found.free || ends;
        let exactly = if decided && !self.proof {
            None
        } else {
            rounded()
        };
        if !decided && exactly.is_some() {
            self.told_exact();
        }
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
                    time: [found.lower, upper],
                    steps: found.steps,
                };
            }
        };
        let contact = exactly.as_ref().and_then(|r| r.contact(time[1]));
        let (normal, features) = match contact {
            Some((normal, features)) => (Some(normal), features),
            None => (found.normal, Default::default()),
        };
        Ahead::Hits {
            grazes: exactly.as_ref().is_some_and(|r| r.order().is_eq()),
            end: End {
                time,
                normal,
                point: None,
                features,
                certificate: exactly.as_ref().and_then(|r| r.ends(time[0], time[1])),
                stop,
                steps: found.steps,
            },
        }
    }

    /// The end of contact: the first contact of the motion back from beyond.
    fn last(&self, cores: Option<&Cores<'_, V::Wide>>) -> Option<End<V::Wide>> {
        let shot = &self.shot;
        // There is contact at the start.
        let track = shot.track.reversed();
        let tell = |step: MotionStep| {
            if let Some(watch) = shot.watch {
                watch(watch::reversed(step));
            }
        };
        let soft = Soft {
            watch: shot.watch.is_some().then_some(&tell as &dyn Fn(MotionStep)),
            ..shot.soft(track)
        };
        let (of_a, of_b) = (shot.a.sizes(), shot.b.sizes());
        let reach = of_a[0] + of_a[1] + shot.a.radius() + of_b[0] + of_b[1] + shot.b.radius();
        // Twice as far as any point of the bodies, so that rounding does not matter.
        let from = -(2.0 * reach / track.speed()).min(f64::MAX);
        if soft.contact_at(from).verdict != Verdict::Separated {
            return None;
        }
        let rounded = || cores.and_then(|c| RoundedLine::of(c, &track, shot.radii));
        match self.ahead((&soft, cores.is_some()), &rounded, from) {
            Ahead::Hits { end, .. } => Some(End {
                time: [-end.time[1] + 0.0, -end.time[0] + 0.0],
                certificate: end.certificate.map(reversed),
                ..end
            }),
            _ => None,
        }
    }
}

/// The certificate of the motion back, for the motion.
fn reversed(certificate: CastCertificate) -> CastCertificate {
    match certificate {
        CastCertificate::Rounded {
            outside,
            before,
            inside,
            after,
            touch,
        } => CastCertificate::Rounded {
            outside: -outside,
            before,
            inside: -inside,
            after,
            touch,
        },
        other => other,
    }
}
