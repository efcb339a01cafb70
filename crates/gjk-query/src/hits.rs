//! One ray or one moving body against many: the answers of its lines in the order of time, and which may be the first.
//!
//! Where it sits: above [`crate::motion`], which answers the lines. `gjk hits` prints what comes out. The order is the library's.

use crate::convert::{InputError, Space};
use crate::motion::{MotionAnswer, solved};
use gjk::math::Scalar;
use gjk::query::{Hit, all_hits, first_hits};
use gjk::{Vec2, Vec3};
use gjk_scene::{MotionQuerySpec, ScalarKind};
use serde::Serialize;

/// The hits of one against many, in the key order of the format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, title = "Hits")
)]
pub struct HitsAnswer {
    /// That of the first line.
    pub id: String,
    /// `ray`, `cast` or `toi`.
    pub query: &'static str,
    /// How many lines have an answer.
    pub answered: usize,
    /// The ids of those of `hits` that may be the first: its first ones.
    pub first: Vec<String>,
    /// The answers that are not `free`, by the lower end of `time`, then by the upper one.
    pub hits: Vec<MotionAnswer>,
}

/// Which hits are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitsWanted {
    /// All of them.
    All,
    /// Those that may be the first: what is later than a contact that is known already need not be found.
    First,
}

/// Answers the lines of one ray or one body, which have the same space. `told` hears of each line's answer, by its place in `specs`.
pub fn hits(
    specs: &[&MotionQuerySpec],
    wanted: HitsWanted,
    verify: bool,
    told: &mut dyn FnMut(usize, Result<&MotionAnswer, &InputError>),
) -> Option<HitsAnswer> {
    let first = specs.first()?;
    let group = Group {
        specs,
        wanted,
        verify,
    };
    let (answered, first_count, hits) = match (first.dim, first.scalar) {
        (2, ScalarKind::F32) => group.ordered::<Vec2<f32>>(told),
        (2, ScalarKind::F64) => group.ordered::<Vec2<f64>>(told),
        (_, ScalarKind::F32) => group.ordered::<Vec3<f32>>(told),
        (_, ScalarKind::F64) => group.ordered::<Vec3<f64>>(told),
    };
    let of_first = hits.iter().take(first_count);
    Some(HitsAnswer {
        id: first.id.clone(),
        query: first.kind_name(),
        answered,
        first: of_first.map(|answer| answer.id.clone()).collect(),
        hits,
    })
}

/// The lines, and how they are answered.
struct Group<'g> {
    specs: &'g [&'g MotionQuerySpec],
    wanted: HitsWanted,
    verify: bool,
}

impl Group<'_> {
    /// How many lines have an answer, how many hits may be the first, and the hits in order.
    fn ordered<V: Space>(
        &self,
        told: &mut dyn FnMut(usize, Result<&MotionAnswer, &InputError>),
    ) -> (usize, usize, Vec<MotionAnswer>) {
        let mut answered = 0;
        let mut lines = self.specs.iter().enumerate();
        let mut next = |until: Option<V::Scalar>| {
            lines.find_map(|(k, spec)| {
                let solved = match until {
                    Some(until) => solved::<V>(&ended(spec, until.to_f64()), self.verify),
                    None => solved::<V>(spec, self.verify),
                };
                told(k, solved.as_ref().map(|(text, _)| text));
                let solved = solved.ok()?;
                answered += 1;
                Some(solved)
            })
        };
        let (first, hits) = match self.wanted {
            HitsWanted::First => {
                let hits = first_hits(next);
                (hits.len(), hits)
            }
            HitsWanted::All => {
                let answers: Vec<_> = std::iter::from_fn(|| next(None)).collect();
                let mut found = answers.iter().map(|(_, answer)| ((), *answer));
                let first = first_hits(|_| found.next()).len();
                (first, all_hits(answers))
            }
        };
        let text = |hit: Hit<MotionAnswer, V>| hit.key;
        (answered, first, hits.into_iter().map(text).collect())
    }
}

/// A line whose motion ends at a time, if not before.
fn ended(spec: &MotionQuerySpec, until: f64) -> MotionQuerySpec {
    let mut spec = spec.clone();
    let own = match spec.kind_name() {
        "toi" => spec.options.max_time.or(Some(1.0)),
        _ => spec.options.max_time,
    };
    spec.options.max_time = Some(own.map_or(until, |own| own.min(until)));
    spec
}
