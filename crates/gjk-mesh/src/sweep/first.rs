//! The answers about triangles put together: what of a mesh is met first.

use super::answer::MeshCast;
use super::walk::Walk;
use crate::in_place::InPlace;
use gjk::query::{self, CastAnswer, Hit, Interval, Meeting, MotionStop, Verdict};
use gjk::{Vec3, Vector};

pub(super) type Answer = CastAnswer<Vec3<f64>>;

/// Nothing is known of a depth.
const ANY_DEPTH: Interval<f64> = Interval {
    lower: f64::NEG_INFINITY,
    upper: 0.0,
};

/// An answer of which only the verdict is known.
pub(super) fn bare(verdict: Meeting, exact: bool, stop: MotionStop) -> Answer {
    let at = |lower, upper| Some(Interval { lower, upper });
    CastAnswer {
        verdict,
        exact,
        time: match verdict {
            Meeting::Free => None,
            Meeting::Undecided => at(0.0, f64::INFINITY),
            _ => at(0.0, 0.0),
        },
        exit: None,
        normal: None,
        point_a: None,
        point_b: None,
        grazing: false,
        signed_distance: None,
        iterations: 0,
        stop,
    }
}

/// The answer on what leaves the range of floats at its pose.
pub(super) fn beyond_range() -> Answer {
    bare(Meeting::Undecided, false, MotionStop::Overflow)
}

/// The answer on a start inside of a solid, off its surface.
pub(super) fn starts_inside(found: Verdict) -> MeshCast {
    let stop = MotionStop::Start(gjk::Stop::Exact);
    let answer = Answer {
        signed_distance: Some(ANY_DEPTH),
        ..bare(
            Meeting::StartsOverlapping,
            found == Verdict::Overlapping,
            stop,
        )
    };
    MeshCast {
        answer,
        triangles: Vec::new(),
        inside: true,
    }
}

/// The triangles that may be the first, and what is known beside.
pub(super) struct First {
    pub(super) hits: Vec<Hit<u32, Vec3<f64>>>,
    /// Every answer is exact.
    exact: bool,
    iterations: u32,
}

impl First {
    /// Asks the triangles of a walk, the nearest first, as long as they may be.
    pub(super) fn of(
        walk: &mut Walk<'_>,
        end: f64,
        mut ask: impl FnMut(u32) -> Option<Answer>,
    ) -> Self {
        let (mut exact, mut iterations) = (true, 0_u32);
        let hits = query::first_hits(|until: Option<f64>| {
            let triangle = walk.next(until.unwrap_or(end))?;
            let answer = ask(triangle).unwrap_or_else(beyond_range);
            exact &= answer.exact;
            iterations = iterations.saturating_add(answer.iterations);
            Some((triangle, answer))
        });
        Self {
            hits,
            exact,
            iterations,
        }
    }

    /// Triangles that are met at one time.
    pub(super) fn of_one_time(hits: Vec<Hit<u32, Vec3<f64>>>, exact: bool) -> Self {
        let steps = hits.iter().map(|hit| hit.answer.iterations);
        Self {
            exact,
            iterations: steps.fold(0, u32::saturating_add),
            hits,
        }
    }

    /// The answer for the whole mesh. `along` is the direction of the motion as the mesh sees it.
    pub(super) fn told(&self, mesh: &InPlace<'_>, along: Vec3<f64>) -> MeshCast {
        let verdict = self.verdict();
        let of_verdict = || {
            let all = self.hits.iter();
            all.filter(move |hit| hit.answer.verdict == verdict)
        };
        let facing = |hit: &Hit<u32, Vec3<f64>>| hit.answer.normal.map_or(0.0, |n| n.dot(along));
        let number = |hit: &Hit<u32, Vec3<f64>>| mesh.mesh.source(hit.key);
        let told = of_verdict().min_by(|x, y| {
            let by_number = || number(x).cmp(&number(y));
            facing(x).total_cmp(&facing(y)).then_with(by_number)
        });
        let found = told.map_or_else(
            || bare(Meeting::Free, self.exact, MotionStop::SeparatingPlane),
            |hit| hit.answer,
        );
        let mut triangles: Vec<u32> = match verdict {
            Meeting::Hits | Meeting::Undecided => self.hits.iter().map(number).collect(),
            _ => of_verdict().map(number).collect(),
        };
        triangles.sort_unstable();
        MeshCast {
            answer: CastAnswer {
                time: self.time(verdict),
                exact: self.exact || (found.exact && is_start(verdict)),
                exit: None,
                grazing: of_verdict().all(|hit| hit.answer.grazing) && told.is_some(),
                signed_distance: match verdict {
                    Meeting::StartsOverlapping => Some(ANY_DEPTH),
                    Meeting::StartsTouching => found.signed_distance,
                    _ => None,
                },
                iterations: self.iterations,
                ..found
            },
            triangles,
            inside: false,
        }
    }

    /// The most severe of the verdicts.
    fn verdict(&self) -> Meeting {
        let has = |verdict| self.hits.iter().any(|hit| hit.answer.verdict == verdict);
        let starts_unknown = self.hits.iter().any(|hit| {
            let answer = &hit.answer;
            answer.verdict == Meeting::Undecided && answer.time.is_none_or(|t| t.lower <= 0.0)
        });
        if has(Meeting::StartsOverlapping) {
            Meeting::StartsOverlapping
        } else if starts_unknown {
            Meeting::Undecided
        } else if has(Meeting::StartsTouching) {
            Meeting::StartsTouching
        } else if has(Meeting::Hits) {
            Meeting::Hits
        } else if has(Meeting::Undecided) {
            Meeting::Undecided
        } else {
            Meeting::Free
        }
    }

    /// From the earliest begin to the earliest proved contact.
    fn time(&self, verdict: Meeting) -> Option<Interval<f64>> {
        if verdict == Meeting::Free {
            return None;
        }
        let of = |hit: &Hit<u32, Vec3<f64>>| match hit.answer.time {
            Some(time) => [time.lower, time.upper],
            None => [0.0, f64::INFINITY],
        };
        let ends = self.hits.iter().map(of);
        let [lower, upper] = ends.fold([f64::INFINITY; 2], |all, [lower, upper]| {
            [all[0].min(lower), all[1].min(upper)]
        });
        Some(if is_start(verdict) {
            Interval {
                lower: 0.0,
                upper: 0.0,
            }
        } else {
            Interval { lower, upper }
        })
    }
}

fn is_start(verdict: Meeting) -> bool {
    matches!(
        verdict,
        Meeting::StartsTouching | Meeting::StartsOverlapping
    )
}
