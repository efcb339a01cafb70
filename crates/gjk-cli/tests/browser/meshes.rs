//! Pairs of meshes in the lab: what is said, what is drawn, and what moving a body does.

use super::driver::Browser;
use super::{Lab, READY, open};
use serde_json::{Value, json};
use std::path::Path;

/// Chooses a pair of the list and waits for its answer.
fn choose(browser: &Browser, scene: &str) {
    browser.click(&format!("[data-scene={scene}]"));
    browser.wait(&format!(
        "return document.getElementById('verdict').dataset.query === '{scene}'"
    ));
}

/// The relation that the page says.
fn relation(browser: &Browser) -> String {
    browser
        .run("return document.querySelector('#verdict strong').textContent")
        .as_str()
        .unwrap()
        .to_owned()
}

fn wait_for(browser: &Browser, relation: &str) {
    browser.wait(&format!(
        "return document.querySelector('#verdict strong')?.textContent === '{relation}'"
    ));
}

/// Steps to the first frame whose title begins so.
fn step_to(browser: &Browser, title: &str) {
    browser.run("document.getElementById('first').click(); return 0");
    for _ in 0..100 {
        if browser.text("step-title").starts_with(title) {
            return;
        }
        browser.run("document.getElementById('next').click(); return 0");
    }
    panic!("no step `{title}`");
}

/// The layers of the legend.
fn layers(browser: &Browser) -> String {
    let script = "return [...document.querySelectorAll('#legend li:not([hidden])')].map((li) => li.dataset.layer).join()";
    browser.run(script).as_str().unwrap().to_owned()
}

/// How many dots of a view's picture are coloured.
fn coloured(browser: &Browser, view: &str) -> u64 {
    let script = format!(
        "const canvas = document.querySelector('#{view} canvas'), copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d');
        context.drawImage(canvas, 0, 0);
        const dots = context.getImageData(0, 0, copy.width, copy.height).data;
        let count = 0;
        for (let k = 0; k < dots.length; k += 4) if (dots[k + 3] > 60 && Math.abs(dots[k] - dots[k + 2]) > 40) count++;
        return count"
    );
    browser.run(&script).as_u64().unwrap()
}

fn picture(browser: &Browser, name: &str) {
    if let Some(folder) = std::env::var_os("GJK_LAB_PICTURES") {
        std::fs::write(Path::new(&folder).join(name), browser.picture()).unwrap();
    }
}

/// The pairs are what their construction says (`gjk-lab`'s own tests), and their steps show how that was found.
#[test]
fn meshes_are_told_step_by_step() {
    let Some((lab, browser)) = open("meshes_are_told_step_by_step") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    choose(&browser, "ring-pole");
    assert_eq!(relation(&browser), "separated");
    assert!(browser.text("mesh-bodies").contains("768 triangles"));
    step_to(&browser, "Boxes of level 1");
    assert!(layers(&browser).contains("box_a"), "{}", layers(&browser));
    assert!(coloured(&browser, "world-space") > 5000);
    picture(&browser, "ring-boxes.png");
    choose(&browser, "walls-aligned");
    assert_eq!(relation(&browser), "overlapping");
    assert!(
        browser
            .text("verdict")
            .contains("no edge passes through a face")
    );
    step_to(&browser, "Contact 1");
    for layer in ["cone_a", "cone_b", "cone_both", "common"] {
        assert!(layers(&browser).contains(layer), "{layer}");
    }
    assert!(coloured(&browser, "difference-space") > 2000);
    picture(&browser, "walls-cones.png");
    // The keys step, as in every other scene.
    browser.run("document.activeElement.blur(); return 0");
    browser.press("\u{e010}");
    browser
        .wait("return document.getElementById('step-title').textContent === 'Answer: overlapping'");
    for (scene, told) in [
        ("boxes-flush", "touching"),
        ("spike-box", "touching"),
        ("ball-inside", "contains"),
        ("ball-cavity", "separated"),
        ("cube-cavity", "touching"),
        ("sheets-crossing", "crossing"),
    ] {
        choose(&browser, scene);
        assert_eq!(relation(&browser), told, "{scene}");
        browser.click("#last");
        picture(&browser, &format!("{scene}.png"));
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{scene}");
    }
    // A pair of shapes has its own panel again.
    browser.click("[data-scene=cube-cone]");
    browser.wait("return document.getElementById('verdict').dataset.query === 'cube-cone' && !document.body.classList.contains('meshes')");
}

/// A number moves a body to the bit, and the relation follows; the address keeps it.
#[test]
fn a_mesh_is_moved_and_asked_again() {
    let Some((lab, browser)) = open("a_mesh_is_moved_and_asked_again") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    choose(&browser, "boxes-flush");
    let place = |body: &str, axis: u32, to: f64| {
        browser.run(&format!(
            "const hold = document.getElementById('hold'); hold.value = '{body}'; hold.dispatchEvent(new Event('change')); \
             const field = document.getElementById('place-{axis}'); field.value = '{to}'; field.dispatchEvent(new Event('change')); return 0"
        ));
    };
    for (x, told) in [
        (2.5, "separated"),
        (2.0, "touching"),
        (1.95, "overlapping"),
        (2.0, "touching"),
    ] {
        place("b", 0, x);
        wait_for(&browser, told);
    }
    place("b", 1, 0.0);
    place("b", 2, 0.0);
    place("b", 0, 0.0);
    wait_for(&browser, "equal");
    let address = browser.run("return location.href");
    browser.go("about:blank");
    browser.go(address.as_str().unwrap());
    browser.wait(READY);
    assert_eq!(relation(&browser), "equal");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n\
    f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

/// Two files that are dropped together, one that takes the place of a body, a bad one, and the command line.
#[test]
fn files_of_meshes_open() {
    let Some((lab, browser)) = open("files_of_meshes_open") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    let moved = CUBE.replace("v 1 ", "v 3 ");
    let drop = |files: &[(&str, &str)]| {
        let files: Vec<Value> = files
            .iter()
            .map(|(name, text)| json!([name, text]))
            .collect();
        browser.run(&format!(
            "const data = new DataTransfer(); for (const [name, text] of {}) data.items.add(new File([text], name)); \
             dispatchEvent(new DragEvent('drop', {{dataTransfer: data, cancelable: true}})); return 0",
            json!(files)
        ));
    };
    drop(&[("one.obj", CUBE), ("two.obj", &moved)]);
    wait_for(&browser, "inside");
    assert!(browser.text("about").contains("one.obj and two.obj"));
    drop(&[("bad.obj", "v 0 0 zero\n")]);
    browser.wait("return document.getElementById('error').textContent.includes('bad.obj')");
    let folder = tempfile::tempdir().unwrap();
    let paths = [("one.obj", CUBE), ("two.obj", &moved)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    });
    let opened = Lab::run(&["lab", &paths[1], &paths[0], "--no-open", "--port", "0"]);
    browser.go("about:blank");
    browser.go(&opened.address);
    browser.wait(READY);
    assert_eq!(relation(&browser), "contains");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// On a phone and in the dark nothing is wider than the screen, and everything is there.
#[test]
fn a_phone_shows_meshes() {
    let Some((lab, browser)) = open("a_phone_shows_meshes") else {
        return;
    };
    browser.phone(390, 844);
    browser.dark();
    browser.go(&lab.address);
    browser.wait(READY);
    browser.run("document.querySelector('[data-scene=walls-aligned]').click(); return 0");
    browser.wait("return document.getElementById('verdict').dataset.query === 'walls-aligned'");
    step_to(&browser, "Contact 1");
    assert_eq!(
        browser.run("return document.documentElement.scrollWidth <= innerWidth"),
        true
    );
    picture(&browser, "phone.png");
    browser.run("document.getElementById('verdict').scrollIntoView(); return 0");
    picture(&browser, "phone-told.png");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
