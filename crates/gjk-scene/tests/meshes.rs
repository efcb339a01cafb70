//! Mesh files: what each format's reader makes of small files, and what each mistake says.

mod common;

use common::Folder;
use gjk_scene::{Mesh, SceneErrorKind, load_mesh};

fn mesh(name: &str, bytes: impl AsRef<[u8]>) -> Mesh {
    let folder = Folder::new(&format!("mesh-{name}"));
    load_mesh(&folder.write(name, bytes)).unwrap_or_else(|error| panic!("{error}"))
}

fn error(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let folder = Folder::new(&format!("error-{name}"));
    folder.shown(load_mesh(&folder.write(name, bytes)).expect_err("a bad file"))
}

const CORNER: [[f64; 3]; 3] = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];

/// 0.1 as the nearest double, not as the nearest float.
#[test]
fn decimals_in_text_formats_are_read_as_doubles() {
    let stl = "solid s\nfacet normal 0 0 0\nouter loop\nvertex .1 0 0\nVERTEX 0 1e-1 0\nvertex -0 0 0.1\nendloop\nendfacet\nendsolid s\n";
    assert_eq!(mesh("a.stl", stl).vertices, CORNER);
    assert_eq!(
        mesh(
            "a.obj",
            "v .1 0 0\nv 0 .1 0 1.0\nv 0 0 .1 1 0.5 nan\nf 1/1 2//2 3/3/3 # face\n"
        )
        .vertices,
        CORNER
    );
    assert_eq!(
        mesh(
            "a.off",
            "OFF 3 1 0\n.1 0 0\n0 .1 0 # comment\n\n0 0 .1\n3 0 1 2 0.5 0.5 0.5\n"
        )
        .vertices,
        CORNER
    );
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n\
        property list uchar int vertex_indices\nend_header\n.1 0 0\n0 .1 0\n0 0 .1\n3 0 1 2\n";
    assert_eq!(mesh("a.ply", ply).vertices, CORNER);
}

#[test]
fn obj_polygons_negative_indices_and_joined_lines() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf -1 \\\n-2 -3\np 1\nl 1 2\nl 2 3\n";
    let mesh = mesh("polygons.obj", text);
    assert_eq!(mesh.faces, [vec![0, 1, 2, 3], vec![3, 2, 1]]);
    assert_eq!(
        mesh.warnings,
        [
            "2 `l` statements are left out",
            "1 `p` statement is left out"
        ]
    );
}

fn binary_stl(header: &str, count: u32, triangles: &[[f32; 9]]) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, b' ');
    bytes.extend(count.to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        triangle.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn binary_stl_may_begin_with_solid_and_have_bytes_after_its_end() {
    let triangle = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let back = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -0.0];
    let mut bytes = binary_stl("solid facet", 2, &[triangle, back]);
    assert_eq!(mesh("solid.stl", &bytes).vertices.len(), 3);
    bytes[6..11].fill(b' ');
    bytes.extend([7; 9]);
    assert_eq!(
        mesh("extra.STL", &bytes).warnings,
        ["9 bytes after the last triangle are left out"]
    );
    assert_eq!(
        error("cut.stl", binary_stl("x", 3, &[triangle])),
        "cut.stl: the header promises 3 triangles, the file ends after 1, expected 234 bytes, found 134"
    );
    let bad = [f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    assert!(
        error("nan.stl", binary_stl("x", 1, &[bad]))
            .starts_with("nan.stl: triangle 0 (counted from 0): the vertex (NaN")
    );
}

#[test]
fn big_endian_ply_with_other_properties() {
    let mut bytes = b"ply\r\nformat binary_big_endian 1.0\r\ncomment odd\r\nelement vertex 3\r\nproperty uchar red\r\n\
        property double x\r\nproperty double y\r\nproperty float z\r\nelement camera 1\r\nproperty list uchar short view\r\n\
        element face 1\r\nproperty list uint ushort vertex_index\r\nproperty char flag\r\nend_header\r\n"
        .to_vec();
    for [x, y, z] in CORNER {
        bytes.push(255);
        bytes.extend(x.to_be_bytes());
        bytes.extend(y.to_be_bytes());
        bytes.extend((z as f32).to_be_bytes());
    }
    bytes.extend([2, 0, 1, 0, 2]);
    bytes.extend(3_u32.to_be_bytes());
    bytes.extend([0, 2, 0, 1, 0, 0, 0xff]);
    let mesh = mesh("big.ply", bytes);
    assert_eq!(mesh.faces, [[2, 1, 0]]);
    assert_eq!(mesh.vertices[1], CORNER[1]);
    assert_eq!(mesh.vertices[2][2], f64::from(0.1_f32));
}

/// A small file that promises much must not be believed: neither memory nor time for it.
#[test]
fn counts_that_lie_end_in_an_error() {
    let vertex = "property float x\nproperty float y\nproperty float z\n";
    let ply = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\n{vertex}end_header\n"
    );
    assert_eq!(
        error("v.ply", ply),
        "v.ply: the file ends before all elements that its header promises"
    );
    let nothing = format!(
        "ply\nformat ascii 1.0\nelement air 18446744073709551615\nelement vertex 1\n{vertex}element face 18446744073709551615\nend_header\n0 0 0\n"
    );
    assert!(error("air.ply", nothing).contains("no list `vertex_indices`"));
    assert_eq!(
        error("v.off", "OFF\n99999999999 1 0\n0 0 0\n"),
        "v.off:3: the file ends too early, expected vertex 2 of 99999999999"
    );
}

#[test]
fn mistakes_name_their_line() {
    for (name, text, expected) in [
        (
            "a.obj",
            "v 0 0\n",
            "a.obj:1: the vertex has fewer than 3 coordinates, expected three numbers",
        ),
        (
            "b.obj",
            "v 0 0 0\nf 1 2 0\n",
            "b.obj:2: index 0 names no vertex; there is 1 so far, expected an index from 1 on, or a negative one from the latest vertex back",
        ),
        (
            "c.obj",
            "v 0 0 0\nf 1 1 7\n",
            "c.obj: face 0 (counted from 0): index 6 names no vertex, expected 0 to 0",
        ),
        (
            "d.obj",
            "v 0 1e999 0\n",
            "d.obj:1: the vertex (0, inf, 0) is not finite, expected three finite coordinates",
        ),
        (
            "e.obj",
            "# nothing\n",
            "e.obj: the mesh has no vertex, expected at least one vertex",
        ),
        (
            "f.off",
            "2 x 0\n",
            "f.off:1: the counts are not whole numbers, expected counts of vertices, faces and edges",
        ),
        (
            "g.off",
            "OFF BINARY\n",
            "g.off:1: binary OFF is not read, expected ASCII OFF",
        ),
        (
            "h.off",
            "OFF\n1 1 0\n0 0 0\n3 0 0\n",
            "h.off:4: the face has 2 vertex indices, expected 3",
        ),
        (
            "i.ply",
            "plx\n",
            "i.ply:1: the file does not begin with `ply`, expected `ply`",
        ),
        (
            "j.ply",
            "ply\nformat ascii 1.0\n",
            "j.ply:3: the header is not complete, expected `format` and `end_header`",
        ),
        (
            "k.stl",
            "solid\nfacet\nouter loop\nvertex 0 0 0\nendloop\n",
            "k.stl:5: the facet has 1 vertex, expected 3",
        ),
        (
            "l.stl",
            "solid",
            "l.stl: 5 bytes are too few for an STL file, expected `solid` (ASCII) or an 84 byte header (binary)",
        ),
        (
            "m.step",
            "",
            "m.step: `.step` is no mesh format that is read here, expected one of stl, obj, ply, off, dae, gltf, glb",
        ),
        (
            "n.gltf",
            "{",
            "n.gltf:1: not JSON: EOF while parsing an object at line 1 column 1",
        ),
        ("o.glb", "glTF", "o.glb: the file ends inside a chunk"),
        (
            "p.dae",
            "<x/>",
            "p.dae:1:1: the root element is `<x>`, expected `<COLLADA>`",
        ),
    ] {
        assert_eq!(error(name, text), expected);
    }
}

const DAE: &str = r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="millimeter" meter="0.001"/><up_axis>UP</up_axis></asset>
<library_geometries>
<geometry id="g"><mesh>
 <source id="p"><float_array id="pa" count="12">1 0 0  0 2 0  0 0 3  9 9 9</float_array>
  <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
 <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
 <triangles count="1"><input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#n" offset="0"/>
  <p>7 0 7 1 7 2</p></triangles>
</mesh></geometry>
<geometry id="h"><mesh>
 <source id="q"><float_array id="qa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array></source>
 <vertices id="w"><input semantic="POSITION" source="#q"/></vertices>
 <polylist count="2"><input semantic="VERTEX" source="#w" offset="0"/><vcount>4 3</vcount><p>0 1 2 3 0 1 2</p></polylist>
 <lines count="1"><input semantic="VERTEX" source="#w" offset="0"/><p>0 1</p></lines>
</mesh></geometry>
</library_geometries>
<library_visual_scenes><visual_scene id="s">
 <node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale><instance_geometry url="#g"/>
  <node><matrix>1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</matrix><instance_geometry url="#h"/></node></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"##;

#[test]
fn collada_nodes_units_and_up_axes_are_honoured() {
    // The first vertex (1, 0, 0): scaled (2, 0, 0), turned (0, 2, 0), moved (10, 2, 0), in millimetres.
    for (up, expected) in [
        ("Z_UP", [0.010, 0.002, 0.0]),
        ("Y_UP", [0.010, 0.0, 0.002]),
        ("X_UP", [-0.002, 0.0, 0.010]),
    ] {
        let mesh = mesh(
            &format!("{up}.DAE"),
            DAE.replace(">UP<", &format!(">{up}<")),
        );
        assert_eq!(
            (mesh.vertices.len(), mesh.faces.len(), mesh.unit),
            (7, 3, Some("m"))
        );
        for (own, expected) in mesh.vertices[0].iter().zip(expected) {
            assert!(
                (own - expected).abs() < 1e-15,
                "{up}: {:?}",
                mesh.vertices[0]
            );
        }
        assert!(
            mesh.warnings
                .iter()
                .any(|warning| warning.contains("`<lines>` is left out"))
        );
        assert!(
            mesh.warnings
                .contains(&"the file's unit is 0.001 m: lengths are turned to metres".to_owned())
        );
    }
}

#[test]
fn collada_nodes_in_a_circle_and_bad_indices_are_errors() {
    let circle = DAE.replace(
        "<instance_geometry url=\"#g\"/>",
        "<instance_node url=\"#s\"/>",
    );
    assert!(error("circle.dae", circle).contains("too deeply or too often"));
    let bad = DAE.replace("7 0 7 1 7 2", "7 0 7 1 7 4");
    assert_eq!(
        error("index.dae", bad),
        "index.dae:9:2: index 4 names no vertex; there are 4"
    );
    let gone = DAE.replace("url=\"#h\"", "url=\"#gone\"");
    assert!(error("gone.dae", gone).ends_with("`#gone` names nothing in this file"));
}

fn gltf(buffer: &str, nodes: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":{nodes},
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}},{{"attributes":{{"POSITION":0}},"mode":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
                     {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
        "buffers":[{{"byteLength":42{buffer}}}]}}"#
    )
}

fn gltf_buffer() -> Vec<u8> {
    let mut bytes: Vec<u8> = [1.0_f32, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    bytes.extend([0, 0, 1, 0, 2, 0]);
    bytes
}

const NODES: &str = r#"[{"children":[1],"translation":[10,0,0.1]},{"mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476]}]"#;

#[test]
fn gltf_text_and_binary_with_nodes() {
    let folder = Folder::new("gltf");
    folder.write("a b.bin", gltf_buffer());
    let text = folder.write("a.gltf", gltf(r#","uri":"a%20b.bin""#, NODES));
    let json = gltf("", NODES);
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, chunk) in [(b"JSON", json.into_bytes()), (b"BIN\0", gltf_buffer())] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    let binary = folder.write("a.glb", glb);
    for path in [text, binary] {
        let mesh = load_mesh(&path).unwrap_or_else(|error| panic!("{error}"));
        // (1, 0, 0) turned to (0, 1, 0), moved to (10, 1, 0.1), then y up to z up.
        assert_eq!(
            mesh.vertices,
            [[10.0, -0.1, 1.0], [8.0, -0.1, 0.0], [10.0, -3.1, 0.0]]
        );
        assert_eq!(
            mesh.warnings,
            ["mesh 0: points or lines (mode 1) are left out"]
        );
    }
}

#[test]
fn gltf_mistakes() {
    let inline = r#","uri":"data:application/octet-stream;base64,AAAA""#;
    assert_eq!(
        error("short.gltf", gltf(inline, NODES)),
        "short.gltf: node 1: accessor 0: its buffer view of 0 bytes is too short for 3 entries"
    );
    assert!(
        error("gone.gltf", gltf(r#","uri":"gone.bin""#, NODES)).contains("cannot read the buffer")
    );
    assert!(
        error("circle.gltf", gltf("", r#"[{"children":[0,0]}]"#))
            .contains("too deeply or too often")
    );
    assert!(
        error("node.gltf", gltf("", r#"[{"children":[5]}]"#))
            .ends_with("there is no node 5, expected one of 1 nodes")
    );
    let draco = gltf("", NODES).replacen(
        '{',
        r#"{"extensionsRequired":["KHR_draco_mesh_compression"],"#,
        1,
    );
    assert!(
        error("draco.gltf", draco).contains("needs the extension `KHR_draco_mesh_compression`")
    );
}

#[test]
fn a_missing_file_is_an_io_error() {
    let folder = Folder::new("missing");
    let error = load_mesh(&folder.path("gone.stl")).expect_err("no file");
    assert_eq!(error.kind(), SceneErrorKind::Io);
}

/// Bytes changed at random in every format: an error or a mesh, never a panic.
#[test]
fn changed_bytes_never_panic() {
    let folder = Folder::new("changed");
    let glb = [
        b"glTF\x02\0\0\0\0\0\0\0".to_vec(),
        gltf("", NODES).into_bytes(),
    ]
    .concat();
    let files: [(&str, Vec<u8>); 6] = [
        ("a.dae", DAE.replace(">UP<", ">Z_UP<").into_bytes()),
        ("a.gltf", gltf(r#","uri":"a.bin""#, NODES).into_bytes()),
        ("a.glb", glb),
        ("a.stl", binary_stl("solid", 2, &[[0.5; 9], [1.5; 9]])),
        (
            "a.obj",
            b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf -1 \\\n-2 -3\n".to_vec(),
        ),
        (
            "a.off",
            b"OFF 3 1 0\n.1 0 0\n0 .1 0\n0 0 .1\n3 0 1 2\n".to_vec(),
        ),
    ];
    folder.write("a.bin", gltf_buffer());
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for (name, bytes) in files {
        for _ in 0..300 {
            let mut changed = bytes.clone();
            for _ in 0..=random(3) {
                let at = random(changed.len());
                changed[at] = [b'9', b'-', b'0', b' ', b'<', b'\n', 0xff, 0][random(8)];
            }
            let path = folder.write(name, changed);
            let _ = load_mesh(&path);
        }
    }
}
