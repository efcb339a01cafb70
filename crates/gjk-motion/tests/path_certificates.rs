//! Certificates of paths: what was proved holds for the checker.
#![allow(clippy::print_stdout)]

mod common;

use common::motion::ProvedMotion;
use common::{beside_a_post, data, gripper, hooked, planar_arm, rails, scene_of_file};
use gjk_check::states::Splitmix64;
use gjk_motion::{PathOptions, PathSegment, PathVerdict};

fn robots() -> [(&'static str, String); 5] {
    [
        ("planar arm", planar_arm()),
        ("gripper", gripper()),
        ("rails", rails()),
        ("hook", hooked()),
        ("arm beside a post", beside_a_post()),
    ]
}

#[test]
fn what_is_proved_of_lines_is_verified() {
    let (mut free, mut halved) = (0, 0);
    for (name, text) in robots() {
        let proved = ProvedMotion::lines(&text, 40, PathOptions::default());
        let checked = proved.checked();
        println!("{name}: {checked:?}");
        assert_eq!(checked.segments, 40);
        assert_eq!(checked.free, proved.count(PathVerdict::Free), "{name}");
        assert_eq!(checked.meetings, proved.count(PathVerdict::Hit), "{name}");
        free += checked.free;
        halved += checked.halved;
    }
    assert!(free > 100, "{free}");
    // The prover's bound is the checker's but for rounding.
    assert!(halved < 10, "{halved}");
}

#[test]
fn what_is_proved_of_polynomials_is_verified() {
    for (name, text) in robots() {
        for accelerates in [false, true] {
            let proved = ProvedMotion::curved(&text, 20, accelerates);
            let curve = if accelerates { "quintic" } else { "cubic" };
            assert!(proved.path().segments.iter().all(|one| one.curve == curve));
            let checked = proved.checked();
            println!("{name} {curve}: {checked:?}");
            assert_eq!(checked.free, proved.count(PathVerdict::Free), "{name}");
        }
    }
}

/// With a clearance, a segment keeps it, or comes too near from a time on, or hits; each is proved up to its meeting.
#[test]
fn what_is_proved_with_a_clearance_is_verified() {
    let options = PathOptions {
        clearance: 0.05,
        ..PathOptions::default()
    };
    let (mut close, mut hit, mut free) = (0, 0, 0);
    for (name, text) in robots() {
        let proved = ProvedMotion::lines(&text, 40, options);
        let checked = proved.checked();
        println!("{name}: {checked:?}");
        free += checked.free;
        close += proved.count(PathVerdict::Close);
        hit += proved.count(PathVerdict::Hit);
        assert_eq!(checked.free, proved.count(PathVerdict::Free), "{name}");
    }
    assert!(close > 2 && hit > 10 && free > 50, "{close} {hit} {free}");
}

/// Links that touch all the time are open in the certificate, and count as that.
#[test]
fn what_touches_is_open() {
    let text = common::robot(&[
        common::link("base", r#"<box size="1 1 1"/>"#, "0 0 0"),
        common::link("hub", r#"<sphere radius="0.01"/>"#, "0 0 5"),
        common::link("cart", r#"<box size="0.2 0.2 0.2"/>"#, "0 0 0.6"),
        common::joint(
            "lift",
            "prismatic",
            ["base", "hub"],
            "0 0 0",
            r#"<axis xyz="0 0 1"/><limit lower="-1" upper="1"/>"#,
        ),
        common::joint(
            "go",
            "prismatic",
            ["hub", "cart"],
            "0 0 0",
            r#"<axis xyz="1 0 0"/><limit lower="-1" upper="1"/>"#,
        ),
    ]);
    let options = PathOptions {
        cells_max: 2000,
        ..PathOptions::default()
    };
    let proved = ProvedMotion::line(&text, &[0.0, -0.3], &[0.0, 0.3], options);
    assert_ne!(proved.verdicts, [PathVerdict::Free]);
    let checked = proved.checked();
    assert_eq!((checked.free, checked.open, checked.meetings), (0, 1, 0));
}

#[test]
fn edges_of_published_robots_are_verified() {
    let Some(data) = data() else { return };
    for file in ["robots/panda/panda.urdf", "robots/ur5/ur5_robot.urdf"] {
        let scene = scene_of_file(&data.join(file));
        let robot = scene.robot.as_ref().expect("it is a robot");
        let mut draw = Splitmix64(3);
        let mut lines = Vec::new();
        for _ in 0..12 {
            let from = robot.sample(&mut || draw.unit());
            let other = robot.sample(&mut || draw.unit());
            let near = from.iter().zip(other).map(|(a, b)| a + 0.2 * (b - a));
            let near: Vec<f64> = near.collect();
            lines.push(PathSegment::line(robot, &from, &near).expect("numbers"));
        }
        let proved = ProvedMotion::new(scene.clone(), lines, PathOptions::default());
        let checked = proved.checked();
        let json = serde_json::to_vec(&proved.certificate).expect("JSON").len();
        println!("{file}: {json} bytes, {checked:?}");
        assert_eq!(checked.free, proved.count(PathVerdict::Free), "{file}");
        assert_eq!(checked.open, 0, "{file}");
    }
}
