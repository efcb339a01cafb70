//! Certificates of what the prover found hold for the checker, and changed ones do not.

mod common;

use common::{Proved, data, gripper, hooked, planar_arm, rails, scene_of_file};
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
