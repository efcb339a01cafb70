//! Whether motions, manifolds and gradients are right.
//!
//! Times are held against the reference's, normals and points against the bodies where they are at that time. A manifold's points are
//! held against both surfaces, and its deepest against the signed distance. The turns of a gradient are held against differences.

use super::{
    Accuracy, Asked, BAD_MAX, OFF, P99_MAX, judge_distance, of_booleans, quantile, sorted,
};
use crate::reference::{self, Core};
use bench_protocol::{Answer, Move, Pair};

/// Physics engines stop a cast or an impact short by a slop, by design: they are right when 99 % of their times are off by no more
/// than this part of the motion.
const SLOP_P99_MAX: f64 = 1e-2;
/// Of a turn, for the differences of the reference's signed distance.
const TURN: f64 = 1e-5;

/// The bodies' mean size.
fn size(asked: Asked<'_>, pair: &Pair) -> f64 {
    let [a, b] = pair.shapes.map(|id| asked.cores[id].diameter());
    0.5 * (a + b)
}

/// Of rays, casts and times of impact.
pub(super) fn judge_motion(op: &str, asked: Asked<'_>, answers: &[Answer]) -> Accuracy {
    let Asked {
        workload,
        cores,
        truths,
    } = asked;
    let pairs = truths.len();
    let each = || truths.iter().zip(answers);
    let wrong = each().filter(|(t, a)| a.intersects.is_some_and(|hit| hit != t.value.is_finite()));
    let wrong = wrong.count();
    if op.ends_with("bool") {
        let missing = answers.iter().filter(|a| a.intersects.is_none()).count();
        return of_booleans(pairs, missing, wrong);
    }
    let errors = each().filter(|(t, _)| t.value.is_finite());
    let errors = sorted(errors.filter_map(|(t, a)| Some((a.value? - t.value).abs())));
    let hits = truths.iter().filter(|t| t.value.is_finite()).count();
    let undecided = each().filter(|(t, a)| !t.value.is_finite() && a.intersects.is_none());
    let missing = hits - errors.len() + undecided.count();
    // The bodies at the first contact, of what is said of it.
    let (mut points, mut normals) = (Vec::new(), Vec::new());
    for (k, (t, answer)) in each().enumerate() {
        if !t.value.is_finite() || answer.value.is_none() {
            continue;
        }
        let pair = &workload.pairs[k];
        let met = reference::at(pair, &workload.moves[k], workload.dim, t.value);
        let size = size(asked, pair);
        let off = |normal| reference::separation(cores, &met, normal).abs() / size;
        normals.extend(answer.normal.map(off));
        let off = |points| off_both(cores, &met, points) / size;
        points.extend(answer.points.map(off));
    }
    let p99_max = if op == "ray" { P99_MAX } else { SLOP_P99_MAX };
    let found = Found {
        errors,
        missing,
        wrong,
        points: sorted(points.into_iter()),
        normals: sorted(normals.into_iter()),
    };
    // A hit that is denied is missing and wrong; a miss that is denied is wrong alone.
    let false_hits = each().filter(|(t, a)| !t.value.is_finite() && a.intersects == Some(true));
    let bad = found.missing + found.off() + false_hits.count();
    found.judged(pairs, p99_max, bad)
}

/// What was measured of answers, ascending.
struct Found {
    errors: Vec<f64>,
    points: Vec<f64>,
    normals: Vec<f64>,
    missing: usize,
    wrong: usize,
}

impl Found {
    fn off(&self) -> usize {
        self.errors.iter().filter(|&&e| e > OFF).count()
    }

    fn judged(&self, pairs: usize, p99_max: f64, bad: usize) -> Accuracy {
        let errors = [0.5, 0.99, 1.0].map(|part| quantile(&self.errors, part));
        Accuracy {
            pairs,
            errors,
            missing: self.missing,
            off: self.off(),
            wrong: self.wrong,
            points: quantile(&self.points, 0.99),
            normal: quantile(&self.normals, 0.99),
            right: errors[1] <= p99_max && bad as f64 <= BAD_MAX * pairs as f64,
        }
    }
}

/// How far the worse of two points is off its body.
fn off_both(cores: &[Core], pair: &Pair, points: [[f64; 3]; 2]) -> f64 {
    let off = |k: usize| {
        let core = &cores[pair.shapes[k]];
        reference::off_surface(core, &pair.places[k], points[k])
    };
    off(0).max(off(1))
}

/// Of manifolds.
pub(super) fn judge_manifold(asked: Asked<'_>, answers: &[Answer]) -> Accuracy {
    let Asked {
        workload,
        cores,
        truths,
    } = asked;
    let each = || truths.iter().zip(answers).zip(&workload.pairs);
    let bears = |value: f64| value <= workload.within;
    let wrong = each().filter(|((t, a), _)| a.intersects.is_some_and(|b| b != bears(t.value)));
    let wrong = wrong.count();
    let errors = each().filter(|((t, _), _)| bears(t.value));
    let errors =
        errors.filter_map(|((t, a), pair)| Some((a.value? - t.value).abs() / size(asked, pair)));
    let errors = sorted(errors);
    let missing = each().filter(|((t, _), _)| bears(t.value)).count() - errors.len();
    let points = each().filter_map(|((_, a), pair)| {
        let off = a.manifold.as_slice().iter();
        let off = off.map(|&points| off_both(cores, pair, points) / size(asked, pair));
        off.reduce(f64::max)
    });
    let normals = each().filter_map(|((t, a), pair)| {
        let said = reference::separation(cores, pair, a.normal?);
        Some((said - t.value).abs() / size(asked, pair))
    });
    let found = Found {
        errors,
        missing,
        wrong,
        points: sorted(points),
        normals: sorted(normals),
    };
    let strays = found.points.iter().filter(|&&off| off > OFF).count();
    let bad = found.missing + found.off() + strays;
    found.judged(truths.len(), P99_MAX, bad)
}

/// Of gradients: the signed distance and its change by B's translation as for a distance, by turns as "points".
pub(super) fn judge_gradient(asked: Asked<'_>, answers: &[Answer]) -> Accuracy {
    let distance = judge_distance("dist", asked, answers);
    let each = asked.workload.pairs.iter().zip(answers);
    let errors = each.filter_map(|(pair, answer)| {
        let said = answer.points?;
        let error = |side: usize, axis: usize| {
            Some((said[side][axis] - by_turn(asked, pair, side, axis)?).abs())
        };
        let all = (0..6).map(|k| error(k / 3, k % 3).unwrap_or(0.0));
        Some(all.fold(0.0, f64::max) / size(asked, pair))
    });
    let turns = quantile(&sorted(errors), 0.99);
    Accuracy {
        points: turns,
        right: distance.right && turns <= P99_MAX,
        ..distance
    }
}

/// The change of the signed distance by a turn of a body about its origin, along an axis of the world.
fn by_turn(asked: Asked<'_>, pair: &Pair, side: usize, axis: usize) -> Option<f64> {
    let mut moves = [Move::default(); 2];
    moves[side].angular[axis] = 1.0;
    let at = |time: f64| {
        let turned = reference::at(pair, &moves, asked.workload.dim, time);
        reference::estimate(asked.cores, &turned).ok()
    };
    Some((at(TURN)?.value - at(-TURN)?.value) / (2.0 * TURN))
}

#[cfg(test)]
mod tests {
    use super::super::judge;
    use super::*;
    use crate::reference::Truth;
    use bench_protocol::{Place, PointPairs, Shape, Workload};

    /// Two cubes a thousand times, B above A by a gap.
    fn cubes(gap: f64, moves: [Move; 2]) -> (Workload, Vec<Core>) {
        let place = |z: f64| Place {
            rotation: reference::unturned(3),
            translation: [0.0, 0.0, z],
        };
        let pair = Pair {
            shapes: [0, 0],
            places: [place(0.0), place(2.0 + gap)],
        };
        let workload = Workload {
            name: "cubes".into(),
            dim: 3,
            op: "cast".into(),
            track: false,
            within: 0.02,
            shapes: vec![Shape::Box([1.0; 3])],
            pairs: vec![pair; 1000],
            moves: vec![moves; 1000],
        };
        let cores = reference::cores(&workload).expect("boxes");
        (workload, cores)
    }

    fn judged(op: &str, gap: f64, truth: f64, speed: f64, answers: &[Answer]) -> Accuracy {
        let down = Move {
            linear: [0.0, 0.0, -speed],
            angular: [0.0; 3],
        };
        let (workload, cores) = cubes(gap, [Move::default(), down]);
        let truth = Truth {
            value: truth,
            gap: 0.0,
            normal: [0.0, 0.0, 1.0],
        };
        let asked = Asked {
            workload: &workload,
            cores: &cores,
            truths: &vec![truth; 1000],
        };
        judge(op, asked, answers)
    }

    fn hit(time: f64) -> Answer {
        Answer {
            intersects: Some(true),
            value: Some(time),
            normal: Some([0.0, 0.0, 1.0]),
            points: Some([[0.5, 0.5, 1.0], [0.5, 0.5, 1.0]]),
            ..Answer::default()
        }
    }

    #[test]
    fn times_are_judged_and_a_slop_is_right_for_bodies_alone() {
        let cast = |time: f64| judged("cast", 1.0, 0.5, 2.0, &vec![hit(time); 1000]);
        let found = cast(0.5);
        assert!(found.right && found.points < 1e-12 && found.normal < 1e-12);
        assert!(cast(0.497).right && !cast(0.48).right);
        assert!(!judged("ray", 1.0, 0.5, 2.0, &vec![hit(0.497); 1000]).right);
    }

    #[test]
    fn verdicts_count_on_both_sides() {
        let (free, mut all) = (
            Answer {
                intersects: Some(false),
                ..Answer::default()
            },
            vec![hit(0.5); 1000],
        );
        all[3] = free;
        all[4] = free;
        let found = judged("cast", 1.0, 0.5, 2.0, &all);
        assert_eq!((found.wrong, found.missing, found.right), (2, 2, false));
        let mut all = vec![free; 1000];
        all[3] = hit(0.5);
        all[4] = hit(0.5);
        let found = judged("cast", 1.0, f64::INFINITY, 0.5, &all);
        assert_eq!((found.wrong, found.missing, found.right), (2, 0, false));
        assert!(!judged("cast-bool", 1.0, f64::INFINITY, 0.5, &all).right);
        assert!(judged("cast-bool", 1.0, f64::INFINITY, 0.5, &vec![free; 1000]).right);
    }

    #[test]
    fn a_manifolds_points_are_on_both_bodies_and_its_deepest_is_the_distance() {
        let bears = |value: f64, z: f64| {
            let mut manifold = PointPairs::default();
            manifold.push([[0.5, 0.5, 1.0], [0.5, 0.5, z]]);
            Answer {
                intersects: Some(true),
                value: Some(value),
                normal: Some([0.0, 0.0, 1.0]),
                manifold,
                ..Answer::default()
            }
        };
        let rest = |answer| judged("manifold", 0.01, 0.01, 0.0, &vec![answer; 1000]);
        let found = rest(bears(0.01, 1.01));
        assert!(found.right && found.errors[2] < 1e-12 && found.points < 1e-12);
        assert!(!rest(bears(0.011, 1.01)).right);
        let found = rest(bears(0.01, 1.11));
        assert!(!found.right && found.points > 0.02);
        assert_eq!(
            rest(Answer {
                intersects: Some(false),
                ..Answer::default()
            })
            .wrong,
            1000
        );
    }

    #[test]
    fn a_gradients_turns_are_held_against_differences() {
        let said = |turn: f64| Answer {
            intersects: Some(false),
            value: Some(0.5),
            normal: Some([0.0, 0.0, 1.0]),
            points: Some([[0.0, 0.0, turn], [0.0; 3]]),
            ..Answer::default()
        };
        // About the normal a turn changes nothing.
        let one = |answer| judged("gradient", 0.5, 0.5, 0.0, &vec![answer; 1000]).points;
        assert!(one(said(0.5)) > 0.1);
    }
}
