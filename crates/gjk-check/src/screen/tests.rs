//! Blocks of states against the same states one by one.

use super::*;
use crate::parts::{Meshes, build};
use crate::states::{Splitmix64, States};
use crate::{Check, Criteria, PairProximity, StateVerdict};
use gjk_scene::{LoadOptions, Scene, load_text};
use std::path::Path;

/// An arm of boxes, balls, cylinders and capsules whose links meet often; two of them have two parts.
fn arm() -> Scene {
    let shapes = [
        r#"<box size="0.5 0.5 0.2"/>"#,
        r#"<cylinder radius="0.12" length="0.5"/>"#,
        r#"<box size="0.2 0.15 0.6"/>"#,
        r#"<sphere radius="0.2"/>"#,
        r#"<cylinder radius="0.1" length="0.4"/>"#,
        r#"<box size="0.3 0.1 0.4"/>"#,
    ];
    let mut text = String::from(r#"<robot name="arm">"#);
    for (k, shape) in shapes.iter().enumerate() {
        let second = if k % 3 == 2 {
            r#"<collision><origin xyz="0.2 0 0.1" rpy="0.3 0 0"/><geometry><sphere radius="0.1"/></geometry></collision>"#
        } else {
            ""
        };
        text += &format!(
            r#"<link name="l{k}"><collision><origin xyz="0 0 0.2" rpy="0 0.2 0"/><geometry>{shape}</geometry></collision>{second}</link>"#
        );
    }
    for k in 1..shapes.len() {
        let (parent, axis) = (k - 1, ["0 0 1", "0 1 0", "1 0 0"][k % 3]);
        text += &format!(
            r#"<joint name="j{k}" type="revolute"><parent link="l{parent}"/><child link="l{k}"/><origin xyz="0 0 0.4"/><axis xyz="{axis}"/><limit lower="-2.5" upper="2.5" effort="1" velocity="1"/></joint>"#
        );
    }
    text += "</robot>";
    load_text(&text, Path::new("arm.urdf"), &LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn plain(pairs: &[PairProximity]) -> Vec<String> {
    pairs
        .iter()
        .map(|p| format!("{:?} {:?}", p.bodies, p.proximity))
        .collect()
}

/// States asked at once give what each state by itself gives, and the verdict of a state is the worst of its pairs.
#[test]
fn a_block_of_states_is_its_states() {
    let scene = arm();
    let robot = scene.robot.as_ref().unwrap_or_else(|| panic!("no robot"));
    let bodies = build(&scene, Meshes::Exact).unwrap_or_else(|error| panic!("{error}"));
    let pairs = Pairs::new(&scene, &bodies, None, false);
    let check = Check::new(&bodies, &pairs);
    let states = States::random(&scene, robot, 400, 3);
    let at_once = check.each_state(&states);
    let verdicts = check.each_verdict(&states);
    let mut counts = [0, 0];
    for (k, values) in states.values().iter().enumerate() {
        let one = States::new(&scene, vec![values.clone()]);
        let alone = check.each_state(&one).remove(0);
        let alone = alone.ok().flatten().unwrap_or_else(|| panic!("state {k}"));
        let block = at_once[k].as_ref().ok().and_then(Option::as_ref);
        let block = block.unwrap_or_else(|| panic!("state {k}"));
        assert_eq!(plain(block), plain(&alone), "state {k}");
        let verdict = verdicts[k].as_ref().ok().and_then(Option::as_ref);
        let verdict = verdict.unwrap_or_else(|| panic!("state {k}"));
        let worst = alone.iter().fold(StateVerdict::FREE, |worst, pair| {
            worst.or(pair.proximity.verdict, pair.bodies)
        });
        assert_eq!(verdict.verdict, worst.verdict, "state {k}");
        let is_one_of_them = |bodies| alone.iter().any(|p| p.bodies == bodies);
        assert!(verdict.bodies.is_none_or(is_one_of_them), "state {k}");
        counts[usize::from(verdict.bodies.is_some())] += 1;
    }
    assert!(counts[0] > 50 && counts[1] > 50, "{counts:?}");
}

/// Links on both sides of touching, by less than a part in 10⁹: the screen leaves them, or says what a query says.
#[test]
fn near_touch_it_says_nothing_wrong() {
    let text = r#"<robot name="slide"><link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <link name="b"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <joint name="j" type="prismatic"><parent link="a"/><child link="b"/><origin rpy="0 0 0"/><axis xyz="1 0 0"/>
        <limit lower="0" upper="3" effort="1" velocity="1"/></joint></robot>"#;
    let scene = load_text(text, Path::new("slide.urdf"), &LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let bodies = build(&scene, Meshes::Exact).unwrap_or_else(|error| panic!("{error}"));
    let pairs = Pairs::new(&scene, &bodies, None, true);
    let mut values = vec![1.0];
    for k in 0..60 {
        let step = 0.5_f64.powi(k);
        values.extend([1.0 - step, 1.0 + step]);
    }
    let states = States::new(&scene, values.iter().map(|&x| vec![x]).collect());
    let verdicts = Check::new(&bodies, &pairs).each_verdict(&states);
    for (&x, found) in values.iter().zip(verdicts) {
        let verdict = found.ok().flatten().map(|found| found.verdict);
        let expected = match x.total_cmp(&1.0) {
            std::cmp::Ordering::Less => Verdict::Overlapping,
            std::cmp::Ordering::Equal => Verdict::Touching,
            std::cmp::Ordering::Greater => Verdict::Separated,
        };
        assert_eq!(verdict, Some(expected), "{x:e}");
    }
}

/// What is wrong with a state is said of it alone.
#[test]
fn a_state_beyond_numbers_is_named_and_changes_no_other() {
    let scene = arm();
    let robot = scene.robot.as_ref().unwrap_or_else(|| panic!("no robot"));
    let bodies = build(&scene, Meshes::Exact).unwrap_or_else(|error| panic!("{error}"));
    let pairs = Pairs::new(&scene, &bodies, None, false);
    let check = Check::new(&bodies, &pairs);
    let mut draw = Splitmix64(1);
    let good: Vec<Vec<f64>> = (0..20).map(|_| robot.sample(&mut || draw.unit())).collect();
    for bad in [f64::NAN, f64::INFINITY] {
        let mut values = good.clone();
        values[7][2] = bad;
        let found = check.each_verdict(&States::new(&scene, values.clone()));
        let reports = check.each_state(&States::new(&scene, values));
        let expected = check.each_verdict(&States::new(&scene, good.clone()));
        for k in 0..20 {
            assert_eq!(found[k].is_err(), k == 7, "{k}");
            assert_eq!(reports[k].is_err(), k == 7, "{k}");
            if k != 7 {
                assert_eq!(found[k].as_ref().ok(), expected[k].as_ref().ok(), "{k}");
            }
        }
    }
}

/// Criteria that ask for more than overlaps are answered without the screen.
#[test]
fn it_is_used_for_overlaps_alone() {
    let scene = arm();
    let robot = scene.robot.as_ref().unwrap_or_else(|| panic!("no robot"));
    let bodies = build(&scene, Meshes::Exact).unwrap_or_else(|error| panic!("{error}"));
    let pairs = Pairs::new(&scene, &bodies, None, false);
    let states = States::random(&scene, robot, 4, 0);
    let with = |criteria: Criteria| {
        let check = Check::new(&bodies, &pairs).criteria(criteria);
        check.screen(&states).is_some()
    };
    assert!(with(Criteria::default()));
    for criteria in [
        Criteria {
            clearance: Some(0.1),
            ..Criteria::default()
        },
        Criteria {
            all_pairs: true,
            ..Criteria::default()
        },
        Criteria {
            float_only: true,
            ..Criteria::default()
        },
    ] {
        assert!(!with(criteria), "{criteria:?}");
    }
}
