//! The batch prefilter: leaves out the pairs of bodies that a batch proves separated, before the narrow phase.
//!
//! Where it sits: between `broad_phase`, which lets rotated parts through that are separated, and `narrow_phase`. Read
//! [`BatchPrefilter::keep`].
//! Idea: where only overlaps and touches are wanted, a separated pair is not reported, so its verdict is all that matters, and
//! `gjk-batch` gives the verdicts of boxes at a fraction of a query's cost. What is reported comes from single queries: a
//! report says `exact`, and has intervals as narrow as they get, which a batch does not carry.
//! Two kinds of pairs are left to the narrow phase. Hulls of meshes touch more often than their boxes meet in vain, and a touch
//! that a batch cannot decide would be decided twice. Two boxes along the world's axes are separated where their bounding boxes
//! are.

use crate::Criteria;
use crate::pairs::Pairs;
use crate::parts::{Body, Part};
use crate::proximity::Placed;
use gjk::query::Verdict;
use gjk::shape::Shape;
use gjk::{Pose3, Vec3};
use gjk_batch::{Options, Pair, Poses, Shapes, World, classify_many};
use std::sync::atomic::AtomicBool;

/// So many pairs are classified first, to see whether it is worth it.
const PROBE: usize = 256;

/// It is where at most one pair of this many is left to a single query: such a touch costs as much as ten separated pairs save,
/// and the narrow phase decides it once more.
const TAIL_PART: usize = 16;

/// The boxes among the parts.
pub(crate) struct BatchPrefilter {
    shapes: Shapes<Vec3<f64>>,
    /// By body and part.
    index: Vec<Vec<Option<u32>>>,
}

impl BatchPrefilter {
    /// The prefilter of these bodies; `None` where it has no use.
    pub(crate) fn new(bodies: &[Body], criteria: &Criteria) -> Option<Self> {
        // Floats alone may leave a pair undecided that the batch's last resort decides.
        if criteria.reach() > 0.0 || criteria.float_only {
            return None;
        }
        let mut shapes = Shapes::new();
        let mut place = |part: &Part| {
            let is_box = matches!(*part.shape, Shape::Cuboid(_));
            is_box.then(|| shapes.push((*part.shape).clone()))
        };
        let index = bodies
            .iter()
            .map(|body| body.parts.iter().map(&mut place).collect())
            .collect();
        (shapes.len() > 1).then_some(Self { shapes, index })
    }

    /// The candidates without those that are proved separated, in their order. A batch that `stop` ended proves none.
    ///
    /// What is left out depends on the candidates alone, not on threads; and where it is less, no answer changes.
    pub(crate) fn keep(
        &self,
        candidates: Vec<(usize, usize)>,
        placed: &[Vec<Placed<'_>>],
        pairs: &Pairs,
        stop: Option<&AtomicBool>,
    ) -> Vec<(usize, usize)> {
        let mut poses = Poses::new();
        let mut posed: Vec<Option<u32>> = vec![None; placed.len()];
        let mut batch: Vec<Pair> = Vec::new();
        // By candidate, how many pairs of parts are in the batch; none where one is not for the batch.
        let mut counts = Vec::with_capacity(candidates.len());
        for &(a, b) in &candidates {
            let from = batch.len();
            let are_all_added = self.add_parts(
                a,
                b,
                placed,
                pairs,
                |body: usize, part: usize| {
                    let first = *posed[body].get_or_insert_with(|| {
                        let first = poses.len() as u32;
                        placed[body]
                            .iter()
                            .for_each(|part| _ = poses.push(part.pose));
                        first
                    });
                    first + part as u32
                },
                &mut batch,
            );
            if !are_all_added {
                batch.truncate(from);
            }
            counts.push(batch.len() - from);
        }
        let verdicts = self.classify(&poses, &batch, stop);
        // Pairs beyond the last verdict were not classified.
        let mut answers = verdicts.iter();
        let mut is_kept = |count: usize| {
            let separated = answers
                .by_ref()
                .take(count)
                .filter(|&&verdict| verdict == Verdict::Separated)
                .count();
            count == 0 || separated < count
        };
        candidates
            .into_iter()
            .zip(counts)
            .filter(|&(_, count)| is_kept(count))
            .map(|(pair, _)| pair)
            .collect()
    }

    /// The verdicts of the first pairs, or of all where the lanes decide most.
    fn classify(
        &self,
        poses: &Poses<Vec3<f64>>,
        batch: &[Pair],
        stop: Option<&AtomicBool>,
    ) -> Vec<Verdict> {
        let options = Options {
            cancel: stop,
            ..Options::default()
        };
        let world = World {
            shapes: &self.shapes,
            poses,
        };
        let (probe, rest) = batch.split_at(batch.len().min(PROBE));
        let Ok(first) = classify_many(world, probe, &options) else {
            return Vec::new();
        };
        let mut verdicts = first.answers;
        if first.statistics.fallback * TAIL_PART <= probe.len()
            && let Ok(more) = classify_many(world, rest, &options)
        {
            verdicts.extend(more.answers);
        }
        verdicts
    }

    /// Adds the pairs of parts of two bodies whose boxes meet; false where one of them is not for the batch.
    fn add_parts(
        &self,
        a: usize,
        b: usize,
        placed: &[Vec<Placed<'_>>],
        pairs: &Pairs,
        mut pose: impl FnMut(usize, usize) -> u32,
        batch: &mut Vec<Pair>,
    ) -> bool {
        for (i, one) in placed[a].iter().enumerate() {
            for (j, other) in placed[b].iter().enumerate() {
                if one.bounds().gap(other.bounds()) > 0.0
                    || pairs.is_skipped_in_scene(one.scene_body, other.scene_body)
                {
                    continue;
                }
                let (Some(shape_a), Some(shape_b)) = (self.index[a][i], self.index[b][j]) else {
                    return false;
                };
                if is_aligned(&one.pose) && is_aligned(&other.pose) {
                    return false;
                }
                batch.push(Pair::new((shape_a, pose(a, i)), (shape_b, pose(b, j))));
            }
        }
        true
    }
}

/// True when the body's axes are parallel to the world's.
fn is_aligned(pose: &Pose3<f64>) -> bool {
    pose.columns().iter().all(|column| {
        [column.x, column.y, column.z]
            .iter()
            .filter(|x| **x != 0.0)
            .count()
            == 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::states::States;
    use crate::{Check, broad_phase, parts, place};
    use gjk_scene::{LoadOptions, Scene, load_text};

    use std::path::Path;

    /// Boxes strewn about, every fourth axis-aligned, every fifth with a ball as its second part.
    fn scene() -> Scene {
        let mut state = 7u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24) * 2.0 - 1.0
        };
        let mut bodies = Vec::new();
        for k in 0..150 {
            let [x, y, z] = [draw(), draw(), draw()].map(|x| 3.0 * x);
            let turn = if k % 4 == 0 {
                [0.0, 0.0, 0.0, 1.0]
            } else {
                [draw(), draw(), draw(), 1.0]
            };
            let size = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            let ball = if k % 5 == 0 {
                r#",{"shape":"ball","radius":0.3}"#
            } else {
                ""
            };
            bodies.push(format!(
                r#"{{"name":"{k}","pose":{{"translation":[{x},{y},{z}],"rotation":{:?}}},"parts":[{{"shape":"box","half_extents":[0.3,0.9,0.2]}}{ball}]}}"#,
                turn.map(|x| x / size)
            ));
        }
        let text = format!(r#"{{"bodies":[{}]}}"#, bodies.join(","));
        load_text(&text, Path::new("boxes.json"), &LoadOptions::default())
            .unwrap_or_else(|error| panic!("{error}"))
    }

    fn built(scene: &Scene) -> Vec<Body> {
        parts::build(scene, parts::Meshes::Exact).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_is_left_out_is_separated_and_the_report_is_that_of_single_queries() {
        let scene = scene();
        let bodies = built(&scene);
        let pairs = Pairs::new(&scene, &bodies, None, false);
        let answer = |criteria: Criteria| {
            Check::new(&bodies, &pairs)
                .criteria(criteria)
                .run(&States::zero(&scene))
                .unwrap_or_else(|error| panic!("{error}"))
                .pairs
        };
        let mut all = answer(Criteria {
            all_pairs: true,
            ..Criteria::default()
        });
        all.retain(|pair| pair.proximity.verdict != Verdict::Separated);
        let found = answer(Criteria::default());
        assert!(found.len() > 100, "{}", found.len());
        let plain = |pairs: &[crate::PairProximity]| -> Vec<String> {
            pairs.iter().map(|p| format!("{p:?}")).collect()
        };
        assert_eq!(plain(&found), plain(&all));
    }

    /// Boxes rotated alike that touch face to face: nothing to leave out, and no second decision of each.
    #[test]
    fn it_gives_up_where_touches_are_many() {
        let prefilter = BatchPrefilter {
            shapes: one_cube(),
            index: Vec::new(),
        };
        let turn = [0.0, 0.0, 0.6, 0.8];
        let at =
            |x: f64, y: f64| Pose3::from_quaternion(turn, Vec3::new(x, y, 0.0)).unwrap_or_default();
        // The first axis of the rotated cube is (0.28, 0.96, 0).
        let poses: Poses<Vec3<f64>> = [at(0.0, 0.0), at(0.28, 0.96), at(3.0, 0.0)]
            .into_iter()
            .collect();
        let touch = Pair::new((0, 0), (0, 1));
        let apart = Pair::new((0, 0), (0, 2));
        let go = AtomicBool::new(false);
        let classify = |batch: &[Pair]| prefilter.classify(&poses, batch, Some(&go));
        assert_eq!(classify(&[touch; 2 * PROBE]).len(), PROBE);
        assert_eq!(
            classify(&[apart; 2 * PROBE]),
            [Verdict::Separated; 2 * PROBE]
        );
        assert!(
            prefilter
                .classify(&poses, &[apart], Some(&AtomicBool::new(true)))
                .is_empty()
        );
    }

    fn one_cube() -> Shapes<Vec3<f64>> {
        let cube = gjk::shape::Cuboid::new(Vec3::new(0.5, 0.5, 0.5))
            .unwrap_or_else(|error| panic!("{error}"));
        Shapes::from(cube)
    }

    #[test]
    fn it_keeps_the_order_and_everything_when_stopped() {
        let scene = scene();
        let bodies = built(&scene);
        let pairs = Pairs::new(&scene, &bodies, None, false);
        let placed: Vec<_> = bodies
            .iter()
            .map(|body| place(body, &[], false).unwrap_or_else(|error| panic!("{error}")))
            .collect();
        let boxes: Vec<_> = placed
            .iter()
            .map(|parts| broad_phase::Aabb::around(parts.iter().map(|part| *part.bounds())))
            .collect();
        let candidates = broad_phase::near_pairs(&boxes, 0.0, |_, _| true);
        let prefilter = BatchPrefilter::new(&bodies, &Criteria::default())
            .unwrap_or_else(|| panic!("there are boxes"));
        let kept = prefilter.keep(candidates.clone(), &placed, &pairs, None);
        assert!(
            kept.len() + 100 < candidates.len(),
            "{} of {}",
            kept.len(),
            candidates.len()
        );
        let mut rest = candidates.iter();
        assert!(
            kept.iter().all(|pair| rest.any(|other| other == pair)),
            "the order of the candidates"
        );
        assert_eq!(
            prefilter.keep(
                candidates.clone(),
                &placed,
                &pairs,
                Some(&AtomicBool::new(true))
            ),
            candidates
        );
        for criteria in [
            Criteria {
                clearance: Some(0.1),
                ..Criteria::default()
            },
            Criteria {
                touch_band: 1e-6,
                ..Criteria::default()
            },
            Criteria {
                float_only: true,
                ..Criteria::default()
            },
            Criteria {
                all_pairs: true,
                ..Criteria::default()
            },
        ] {
            assert!(
                BatchPrefilter::new(&bodies, &criteria).is_none(),
                "{criteria:?}"
            );
        }
    }
}
