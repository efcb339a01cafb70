//! Scene files and folders: what is read, and what each mistake says.

mod common;

use common::Folder;
use gjk_scene::{Geometry, LoadOptions, SceneErrorKind, load, load_watched, schema_json};
use std::cell::RefCell;

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

fn error(name: &str, text: &str) -> String {
    let folder = Folder::new(&format!("scene-error-{}", name.len() + text.len()));
    folder.shown(load(&folder.write(name, text), &LoadOptions::default()).expect_err(text))
}

const JSON: &str = r#"{"$schema":"scene.schema.json","unit":"m","bodies":[
 {"name":"plate","pose":{"translation":[1,0,0]},"parts":[
   {"mesh":"meshes/plate.obj","scale":[1,1,-2],"pose":{"translation":[0,5,0]}},
   {"shape":"box","half_extents":[1,1,1],"pose":{"rotation":[0,0,0,1]}}]},
 {"name":"frame","parts":[{"mesh":"meshes/plate.obj"}]}],
 "allow":[["frame","plate"]]}"#;

const TOML: &str = r#"
unit = "m"
allow = [["frame", "plate"]]
[[bodies]]
name = "plate"
pose = { translation = [1, 0, 0] }
parts = [
  { mesh = "meshes/plate.obj", scale = [1, 1, -2], pose = { translation = [0, 5, 0] } },
  { shape = "box", half_extents = [1, 1, 1], pose = { rotation = [0, 0, 0, 1] } },
]
[[bodies]]
name = "frame"
parts = [{ mesh = "meshes/plate.obj" }]
"#;

#[test]
fn json_and_toml_give_the_same_scene_and_share_the_mesh() {
    let folder = Folder::new("scene");
    folder.write("meshes/plate.obj", TRIANGLE);
    let options = LoadOptions::default();
    let json =
        load(&folder.write("s.json", JSON), &options).unwrap_or_else(|error| panic!("{error}"));
    let toml =
        load(&folder.write("s.toml", TOML), &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(json.bodies, toml.bodies);
    assert_eq!(
        (json.allow.as_slice(), json.unit.as_deref()),
        ([(0, 1)].as_slice(), Some("m"))
    );
    assert_eq!(json.bodies[0].pose.translation, [1.0, 0.0, 0.0]);
    let parts = (&json.bodies[0].parts[0], &json.bodies[1].parts[0]);
    assert_eq!(parts.0.source, "plate.obj");
    match (&parts.0.geometry, &parts.1.geometry) {
        (Geometry::Mesh { mesh: a, scale }, Geometry::Mesh { mesh: b, .. }) => {
            assert!(std::sync::Arc::ptr_eq(a, b));
            assert_eq!(*scale, [1.0, 1.0, -2.0]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn mistakes_in_scene_files_name_their_path() {
    let ball = r#"{"shape":"ball","radius":1}"#;
    for (name, text, expected) in [
        ("a.json", r#"{"bodies":[],"color":1}"#.to_owned(), "a.json: color: unknown key `color`; the keys here are $schema, unit, bodies, allow"),
        (
            "b.json",
            format!(r#"{{"bodies":[{{"name":"x","parts":[{ball},{{"shape":"ball","radius":1,"skale":[1]}}]}}]}}"#),
            "b.json: bodies[0].parts[1].skale: unknown key `skale`; the keys here are shape, radius, pose",
        ),
        (
            "c.json",
            format!(r#"{{"bodies":[{{"name":"x","parts":[{ball}]}},{{"name":"x","parts":[{ball}]}}]}}"#),
            "c.json: bodies 0 and 1 (counted from 0): two bodies are named `x`",
        ),
        (
            "d.json",
            format!(r#"{{"bodies":[{{"name":"x","parts":[{ball}]}}],"allow":[["x","y"]]}}"#),
            "d.json: allow[0]: there is no body `y`",
        ),
        ("e.json", r#"{"bodies":[{"name":"x","parts":[]}]}"#.to_owned(), "e.json: bodies[0].parts: expected at least one part"),
        ("f.json", "{\"bodies\":\n [,]}".to_owned(), "f.json:2:3: not JSON: expected value at line 2 column 3"),
        ("g.toml", "bodies = [\n".to_owned(), "g.toml:1:11: not TOML: unclosed array, expected `]`"),
        (
            "h.toml",
            "[[bodies]]\nname='x'\nparts=[{shape='ball',radius=inf}]\n".to_owned(),
            "h.toml: bodies[0].parts[0].radius: inf is not finite",
        ),
        (
            "i.json",
            r#"{"elements":[]}"#.to_owned(),
            "i.json: elements: a list of `elements` is not a scene file; if it lists mesh files, give their folder instead",
        ),
        (
            "j.json",
            r#"{"bodies":[{"name":"x","parts":[{"mesh":"gone.stl","shape":"ball"}]}]}"#.to_owned(),
            "j.json: bodies[0].parts[0].shape: unknown key `shape`; the keys here are mesh, scale, pose",
        ),
        (
            "k.json",
            r#"{"units":"mm","instances":[{"name":"x","part":"p.obj","matrix_row_major":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]}]}"#.to_owned(),
            "k.json: instances[0].matrix_row_major: the last row is not 0 0 0 1",
        ),
    ] {
        assert_eq!(error(name, &text), expected);
    }
}

#[test]
fn formats_that_are_not_read_say_what_to_do() {
    let folder = Folder::new("unsupported");
    for (name, text, help) in [
        ("hand.xml", "<mujoco/>", "convert it to URDF"),
        ("arm.urdf.xacro", "<robot/>", "expand it first: `xacro "),
        ("arm.srdf", "<robot/>", "--srdf FILE"),
        ("part.step", "", "export a mesh a part"),
        ("world.sdf", "<sdf/>", "gz sdf"),
        ("notes", "", "gjk schema scene"),
    ] {
        let error = load(&folder.write(name, text), &LoadOptions::default()).expect_err(name);
        assert_eq!(error.kind(), SceneErrorKind::Unsupported, "{error}");
        assert!(
            error.help().is_some_and(|found| found.contains(help)),
            "{name}: {:?}",
            error.help()
        );
    }
    let gone = load(&folder.path("gone.stp"), &LoadOptions::default()).expect_err("no file");
    assert_eq!(gone.kind(), SceneErrorKind::Io);
}

#[test]
fn who_watches_is_told_of_each_mesh_file_once() {
    let folder = Folder::new("watched");
    folder.write("parts/b.obj", TRIANGLE);
    folder.write("parts/a.obj", TRIANGLE);
    let told = RefCell::new(Vec::new());
    let scene = load_watched(&folder.path("parts"), &LoadOptions::default(), &|path| {
        told.borrow_mut().push(path.to_path_buf());
    });
    assert_eq!(scene.expect("two meshes").bodies.len(), 2);
    let expected = ["parts/a.obj", "parts/b.obj"].map(|name| folder.path(name));
    assert_eq!(told.into_inner(), expected);
}

#[test]
fn a_folder_tells_what_it_leaves_out_and_keeps_equal_stems_apart() {
    let folder = Folder::new("folder");
    folder.write("parts/b.obj", TRIANGLE);
    folder.write("parts/a.obj", TRIANGLE);
    folder.write("parts/a.off", "OFF\n1 0 0\n1 2 3\n");
    folder.write("parts/a.mtl", "");
    folder.write("parts/old/c.obj", TRIANGLE);
    folder.write("parts/drawing.step", "");
    let scene = load(&folder.path("parts"), &LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<_> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["a.obj", "a.off", "b"]);
    let shown: Vec<_> = scene
        .warnings
        .iter()
        .map(|warning| folder.shown(warning))
        .collect();
    assert_eq!(
        shown,
        [
            "parts: 1 `.step` file is left out",
            "parts: 1 folder is left out",
            "parts/a.off: no faces: read as a cloud of 1 point"
        ]
    );
    let empty =
        load(&folder.path("parts/old/none"), &LoadOptions::default()).expect_err("no folder");
    assert_eq!(empty.kind(), SceneErrorKind::Io);
}

#[test]
fn the_schema_names_every_key() {
    let schema = schema_json();
    for key in [
        "bodies",
        "parts",
        "half_extents",
        "rotation_matrix",
        "scale",
        "hull_of",
        "allow",
        "mesh",
        "units",
        "instances",
        "part",
        "matrix_row_major",
    ] {
        assert!(
            schema.contains(&format!("\"{key}\"")),
            "{key} is not in {schema}"
        );
    }
}
