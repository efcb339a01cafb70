//! Laws: samples never contradict a proof, and changes of a path that change nothing change no answer.

use crate::{Built, arm, contact, point};
use gjk::query::Verdict;
use gjk_check::states::Splitmix64;
use gjk_motion::{Interpolation, PathOptions, PathVerdict, SegmentAnswer};

/// Random edges: what is proved free is free in steps of 0.01 degrees, and a hit is shown by its state.
#[test]
fn samples_find_nothing_in_what_is_proved_free() {
    let arm = arm();
    let mut random = Splitmix64(7);
    let mut draw = || [0, 1].map(|_| random.unit() * 4.0 - 2.0);
    let mut counts = [0; 2];
    for _ in 0..20 {
        let (from, to) = (draw(), draw());
        let segment = arm.line(&from, &to);
        let answer = arm.check(std::slice::from_ref(&segment)).segments.remove(0);
        let end = match &answer.first {
            Some(first) => {
                counts[1] += 1;
                assert_eq!(
                    arm.verdict(first.bodies, &first.state),
                    Verdict::Overlapping
                );
                if first.part.upper == 0.0 {
                    continue;
                }
                first.part.lower
            }
            None => {
                counts[0] += 1;
                assert_eq!(answer.verdict, PathVerdict::Free);
                1.0
            }
        };
        let largest = (0..2).map(|k| (from[k] - to[k]).abs()).fold(0.0, f64::max);
        let steps = (largest / 0.01_f64.to_radians()).ceil();
        for k in 0..=steps as u32 {
            let state = segment.state(arm.robot(), end * f64::from(k) / steps);
            for bodies in [(0, 3), (1, 2), (1, 3)] {
                assert_eq!(arm.verdict(bodies, &state), Verdict::Separated);
            }
        }
    }
    assert!(counts[0] > 3 && counts[1] > 3, "{counts:?}");
}

/// From the other end the first hit is the last one.
#[test]
fn a_reversed_path_gives_the_mirrored_last_hit() {
    let arm = arm();
    let forth = arm.edge(&[-1.0], &[0.5]).first.unwrap();
    let back = arm.edge(&[0.5], &[-1.0]).first.unwrap();
    let close = |x: f64, y: f64| assert!((x - y).abs() < 1.1e-6, "{x} {y}");
    close(forth.time.upper, (1.0 - contact()) / 1.5);
    close(1.0 - back.time.upper, (1.0 + contact()) / 1.5);
}

/// Slower by a factor: the same times by that factor, and the same number of spans.
#[test]
fn a_slower_path_gives_the_slower_times() {
    let arm = arm();
    let of = |scale: f64| {
        let mut points = vec![
            point(0.0, &[-0.5, 0.2]),
            point(scale, &[-0.3, 0.1]),
            point(3.0 * scale, &[0.4, -0.2]),
        ];
        for (k, point) in points.iter_mut().enumerate() {
            point.velocities = Some(vec![(k as f64 - 1.0) / scale, 0.5 / scale]);
        }
        let options = PathOptions {
            resolution: 1e-6 * scale,
            ..PathOptions::default()
        };
        let segments = arm.segments(points, Interpolation::Auto);
        arm.path(options).check(&segments).unwrap()
    };
    let (one, slow) = (of(1.0), of(4.0));
    for (a, b) in one.segments.iter().zip(&slow.segments) {
        assert_eq!((a.verdict, a.cells), (b.verdict, b.cells));
        if let (Some(a), Some(b)) = (&a.first, &b.first) {
            assert_eq!(4.0 * a.time.upper, b.time.upper);
            assert_eq!(4.0 * a.time.lower, b.time.lower);
        }
    }
    assert!(one.segments.iter().any(|segment| segment.first.is_some()));
}

/// A point more on a line changes nothing.
#[test]
fn a_split_segment_has_the_same_first_hit() {
    let arm = arm();
    let whole = [point(0.0, &[-1.0, 0.3]), point(2.0, &[1.0, -0.1])];
    let [a, b] = &whole;
    let third = |k: usize| a.positions[k] + (b.positions[k] - a.positions[k]) / 8.0;
    let split = vec![a.clone(), point(0.25, &[third(0), third(1)]), b.clone()];
    let of = |points| {
        let answer = arm.check(&arm.segments(points, Interpolation::Auto));
        let first = answer.segments.iter().find_map(|s| s.first.clone());
        first.unwrap()
    };
    let (one, other) = (of(whole.to_vec()), of(split));
    assert_eq!(one.bodies, other.bodies);
    assert!(one.time.lower <= other.time.upper && other.time.lower <= one.time.upper);
}

/// Only the first meeting: the segments up to it, each as before.
#[test]
fn first_only_ends_with_the_first_meeting() {
    let arm = arm();
    let states = [-1.0, -0.5, 0.5, 1.0, 0.5, -0.5];
    let points: Vec<_> = states
        .iter()
        .enumerate()
        .map(|(k, &at)| point(k as f64, &[at]))
        .collect();
    let segments = arm.segments(points, Interpolation::Auto);
    let all = arm.check(&segments);
    let words: Vec<_> = all.segments.iter().map(|s| s.verdict.as_str()).collect();
    assert_eq!(words, ["free", "hit", "free", "free", "hit"]);
    let options = PathOptions {
        first_only: true,
        ..PathOptions::default()
    };
    let first = arm.path(options).check(&segments).unwrap();
    assert_eq!(first.segments, all.segments[..2]);
}

/// What is out of spans is never free, and a stop leaves segments out.
#[test]
fn out_of_spans_is_undecided() {
    let arm = arm();
    let options = PathOptions {
        cells_max: 2,
        ..PathOptions::default()
    };
    let segments = [arm.line(&[-1.0], &[-contact() - 1e-4])];
    let answer = arm.path(options).check(&segments).unwrap();
    let answer: &SegmentAnswer = &answer.segments[0];
    assert_eq!(answer.verdict, PathVerdict::Undecided);
    assert_eq!(answer.open[0].part.upper, 1.0);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = arm.path(PathOptions::default()).stop(&stop);
    let answer = stopped.check(&segments).unwrap();
    assert!(answer.is_partial && answer.segments.is_empty());
}

/// Edges of all kinds at once are what each is by itself, on any number of threads.
#[test]
fn many_edges_are_answered_as_each_by_itself() {
    let arm: Built = arm();
    let mut random = Splitmix64(11);
    let mut draw = || [0, 1].map(|_| random.unit() * 4.0 - 2.0);
    let segments: Vec<_> = (0..40).map(|_| arm.line(&draw(), &draw())).collect();
    let many = arm.check(&segments);
    for (segment, answer) in segments.iter().zip(&many.segments) {
        let mut one = arm.check(std::slice::from_ref(segment)).segments.remove(0);
        one.index = answer.index;
        assert_eq!(&one, answer);
    }
}

/// A slide that another edge drives far away makes no bound of this edge wider.
#[test]
fn a_far_edge_changes_no_answer_of_another() {
    let slides = Built::new(
        r#"<robot name="slides">
      <link name="base"/>
      <link name="one"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
      <link name="other"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
      <joint name="x" type="prismatic"><parent link="base"/><child link="one"/><axis xyz="1 0 0"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
      <joint name="y" type="prismatic"><parent link="base"/><child link="other"/><origin xyz="2 0 0"/><axis xyz="0 1 0"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
    </robot>"#,
    );
    let near = slides.line(&[0.0, 0.0], &[0.5, 0.3]);
    let alone = slides.check(std::slice::from_ref(&near));
    assert_eq!(alone.segments[0].verdict, PathVerdict::Free);
    for far in [1e9, 1e18, 1e300] {
        let beside = slides.line(&[0.0, 0.0], &[-far, 0.0]);
        let both = slides.check(&[near.clone(), beside]);
        assert_eq!(both.segments[0], alone.segments[0], "{far}");
    }
}
