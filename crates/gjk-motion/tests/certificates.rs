//! Certificates of what the prover found hold for the checker, and changed ones do not.
#![allow(clippy::print_stdout)]

mod common;

use common::{Proved, data, gripper, hooked, joint, link, planar_arm, rails, robot, scene_of_file};
use gjk_motion::MatrixOptions;
use gjk_scene::LimitSet;

#[test]
fn small_robots_are_verified() {
    let robots = [
        ("planar arm", planar_arm()),
        ("gripper", gripper()),
        ("rails", rails()),
        ("hook", hooked()),
    ];
    for (name, text) in robots {
        for limits in [LimitSet::Soft, LimitSet::Hard, LimitSet::Unlimited] {
            let proved = Proved::of_text(&text, limits);
            let checked = proved
                .check()
                .unwrap_or_else(|objection| panic!("{name}: {objection}"));
            println!("{name} {limits:?} {checked:?}");
            if limits == LimitSet::Soft {
                assert!(checked.pairs > 0, "{name}");
            }
        }
    }
}

/// A joint that follows one that is fixed stands at its offset, here where the slider's post passes. At zero the two would be apart.
#[test]
fn a_joint_that_follows_a_fixed_one_stands_at_its_offset() {
    let post = r#"<box size="0.1 0.1 0.1"/>"#;
    let text = robot(&[
        link("base", r#"<sphere radius="0.01"/>"#, "0 0 -1"),
        link("flag", r#"<sphere radius="0.01"/>"#, "0 0 -2"),
        link("arm", post, "0.5 0 0"),
        link("post", post, "0 0.5 0"),
        joint("held", "fixed", ["base", "flag"], "0 0 0", ""),
        joint(
            "turned",
            "revolute",
            ["base", "arm"],
            "0 0 0",
            r#"<axis xyz="0 0 1"/><limit lower="-2" upper="2"/><mimic joint="held" offset="1.5707963"/>"#,
        ),
        joint(
            "slide",
            "prismatic",
            ["base", "post"],
            "0 0 0",
            r#"<axis xyz="0.2 -0.2 1"/><limit lower="-1" upper="1"/>"#,
        ),
    ]);
    let proved = Proved::of_text(&text, LimitSet::Soft);
    let certificate = &proved.certificate;
    let is_of = |a: &str, b: &str| a == "arm" && b == "post";
    assert!(!certificate.pairs.iter().any(|pair| is_of(&pair.a, &pair.b)));
    let mut witnesses = certificate.witnesses.iter();
    assert!(witnesses.any(|pair| is_of(&pair.a, &pair.b) && pair.overlaps));
    let checked = proved.check().expect("what was proved holds");
    assert!(checked.pairs > 0);
}

#[test]
fn published_robots_are_verified() {
    let Some(data) = data() else { return };
    let files = std::env::var("GJK_ROBOTS")
        .unwrap_or_else(|_| "robots/panda/panda.urdf robots/ur5/ur5_robot.urdf".to_owned());
    for file in files.split_whitespace() {
        let start = std::time::Instant::now();
        let proved = Proved::new(scene_of_file(&data.join(file)), MatrixOptions::default());
        let found = start.elapsed().as_secs_f64();
        let start = std::time::Instant::now();
        let checked = proved
            .check()
            .unwrap_or_else(|objection| panic!("{file}: {objection}"));
        let json = serde_json::to_vec(&proved.certificate).expect("JSON").len();
        println!(
            "{file}: proved in {found:.2} s, checked in {:.2} s, {json} bytes, {checked:?}",
            start.elapsed().as_secs_f64()
        );
        assert!(checked.pairs >= 3, "{file}");
    }
}

/// Links that no joint moves against each other, behind a joint whose default state is not its zero state: rounding places them a little
/// otherwise in either, and the claim must hold in both. `gjk fuzz --family ranges` found it.
#[test]
fn rigid_pairs_behind_a_joint_hold_in_any_state() {
    let mut apart = Vec::new();
    for k in 0..60 {
        let limits = format!(
            r#"<axis xyz="0 1 0"/><limit lower="-{}" upper="-1"/>"#,
            1.5 + 0.03 * f64::from(k)
        );
        let text = robot(&[
            link("base", r#"<sphere radius="0.1"/>"#, "0 0 0"),
            link("arm", r#"<sphere radius="0.05"/>"#, "0.17 0.12 0.04"),
            link("one", r#"<sphere radius="0.07"/>"#, "-0.19 -0.13 -0.03"),
            link(
                "other",
                r#"<capsule radius="0.03" length="0.19"/>"#,
                "-0.12 -0.07 -0.02",
            ),
            joint(
                "turned",
                "revolute",
                ["base", "arm"],
                "0.2 0.4 0.6",
                &limits,
            ),
            joint("held", "fixed", ["arm", "one"], "0.29 0.24 0.18", ""),
            joint("kept", "fixed", ["arm", "other"], "-0.05 -0.4 -0.22", ""),
        ]);
        let proved = Proved::of_text(&text, LimitSet::Soft);
        let checked = proved.check();
        let checked = checked.unwrap_or_else(|objection| panic!("{k}: {objection}"));
        assert_eq!(checked.rigid, 1);
        apart.push(proved.certificate.rigid[0].distance);
    }
    // One number for one pair, whatever stands above it.
    let spread = apart
        .iter()
        .fold(0.0_f64, |most, x| most.max((x - apart[0]).abs()));
    assert_eq!(spread, 0.0);
}
