//! Surfaces that are not convex: a peg in a channel, whose hull it is in.

use crate::{Built, joint, link};
use gjk_motion::PathVerdict;
use gjk_scene::{LoadOptions, load};

/// A channel with walls of 1 at x = ±1 to ±2 and a floor from y = -1 to 0, along z from -2 to 2: as OBJ.
fn channel() -> String {
    // The profile, counter-clockwise.
    let profile = [
        [-2.0, -1.0],
        [2.0, -1.0],
        [2.0, 2.0],
        [1.0, 2.0],
        [1.0, 0.0],
        [-1.0, 0.0],
        [-1.0, 2.0],
        [-2.0, 2.0],
    ];
    let mut text = String::new();
    for z in [-2.0, 2.0] {
        for [x, y] in profile {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    for k in 1..=8 {
        let next = k % 8 + 1;
        text += &format!("f {k} {next} {} {}\n", next + 8, k + 8);
    }
    for cap in [[1, 2, 5, 6], [2, 3, 4, 5], [1, 6, 7, 8]] {
        let [a, b, c, d] = cap;
        text += &format!("f {a} {d} {c} {b}\n");
        text += &format!("f {} {} {} {}\n", a + 8, b + 8, c + 8, d + 8);
    }
    text
}

/// A peg of half size 0.5 on two slides, in a channel.
fn peg() -> Built {
    peg_of("peg", "<box size=\"1 1 1\"/>")
}

/// A peg of a form, with a folder of its own.
fn peg_of(name: &str, form: &str) -> Built {
    let folder = format!("gjk-motion-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("channel.obj"), channel()).unwrap();
    let parts = [
        link("channel", "<mesh filename=\"channel.obj\"/>", ""),
        "<link name=\"carriage\"/><link name=\"guide\"/>".to_owned(),
        link("rail", "<sphere radius=\"0.1\"/>", "xyz=\"0 0 9\""),
        link("peg", form, ""),
        joint("beside", "fixed", "channel", "rail", "0 0 0", "0 0 1"),
        joint("across", "prismatic", "rail", "carriage", "0 1 0", "1 0 0"),
        joint("up", "prismatic", "carriage", "guide", "0 0 0", "0 1 0"),
        joint("turn", "revolute", "guide", "peg", "0 0 0", "0 0 1"),
    ];
    let urdf = folder.join("peg.urdf");
    let text = format!("<robot name=\"peg\">{}</robot>", parts.concat());
    std::fs::write(&urdf, text).unwrap();
    let scene = load(&urdf, &LoadOptions::default()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    Built::of(scene)
}

#[test]
fn a_peg_in_a_channel_is_free_until_it_meets_the_wall() {
    let peg = peg();
    // From above into the channel, and along it to and fro.
    let free = peg.edge(&[0.0, 2.0], &[0.0, 0.0]);
    assert_eq!(free.verdict, PathVerdict::Free, "{free:?}");
    let free = peg.edge(&[-0.4, 0.0], &[0.4, 0.1]);
    assert_eq!(free.verdict, PathVerdict::Free, "{free:?}");
    let hit = peg.edge(&[0.0, 0.0], &[1.0, 0.0]);
    let first = hit.first.unwrap();
    assert!(
        first.time.lower <= 0.5 && 0.5 <= first.time.upper,
        "{first:?}"
    );
    assert!(first.time.upper - first.time.lower <= 1.1e-6);
    // Turned, its corner is √½ from its middle.
    let hit = peg
        .edge(&[0.0, 0.25, 0.25], &[1.0, 0.25, 0.25])
        .first
        .unwrap();
    let at = 1.0 - 0.5 * (0.25_f64.cos() + 0.25_f64.sin());
    assert!(hit.time.lower <= at + 1e-9 && at <= hit.time.upper + 1e-9);
}

/// Wholly inside of the floor no surface meets another: only solids tell. What no one can tell is not free.
#[test]
fn a_path_inside_of_a_solid_is_no_free_one() {
    let inside = |name: &str, form: &str| {
        let peg = peg_of(name, form);
        let answer = peg.edge(&[0.0, -1.55], &[0.1, -1.45]);
        (answer.verdict, answer.first.map(|first| first.part.upper))
    };
    let cube = inside("cube", "<box size=\"0.25 0.25 0.25\"/>");
    assert_eq!(cube, (PathVerdict::Hit, Some(0.0)));
    for (name, form) in [
        ("ball", "<sphere radius=\"0.1\"/>"),
        ("can", "<cylinder radius=\"0.1\" length=\"0.2\"/>"),
    ] {
        let (verdict, _) = inside(name, form);
        assert!(verdict >= PathVerdict::Undecided, "{name} {verdict:?}");
    }
}
