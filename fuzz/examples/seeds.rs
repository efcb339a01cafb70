//! Writes the seeds anew from the project's corpus: `cargo run --example seeds`.
//!
//! Few and small on purpose: libFuzzer grows its own corpus from them.

use gjk_fuzz::{case::Case, ladder, readers};
use gjk_scene::{PoseSpec, QuerySpec, ShapeSpec, read_query_line};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest seed, and seeds of a file of the corpus for each target.
const BYTES_MAX: usize = 200;
const SEEDS_PER_FILE: usize = 4;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = root.join("../corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&corpus)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    files.push(corpus.join("regress/public.jsonl"));
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    files.sort();
    let mut seeds: BTreeMap<(&str, String), Vec<u8>> = reader_seeds();
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let queries: Vec<QuerySpec> = text
            .lines()
            .filter_map(|line| read_query_line(line.as_bytes(), 2)?.query.ok())
            .collect();
        let mut add = |target: &'static str, bytes: &dyn Fn(&QuerySpec) -> Option<Vec<u8>>| {
            let made = queries
                .iter()
                .filter_map(|query| Some((query, bytes(query)?)));
            let small: Vec<_> = made.filter(|(_, bytes)| bytes.len() <= BYTES_MAX).collect();
            let step = small.len().div_ceil(SEEDS_PER_FILE).max(1);
            for (query, bytes) in small.into_iter().step_by(step) {
                seeds.insert((target, query.id.clone()), bytes);
            }
        };
        add("queries", &Case::encode);
        add("ladder", &|query| ladder_seed(query));
        add("hull", &|query| hull_seed(query));
    }
    for ((target, name), bytes) in seeds {
        let folder = root.join("seeds").join(target);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

/// The points of a polytope that is only moved.
fn points(shape: &ShapeSpec, pose: Option<&PoseSpec>, dim: usize) -> Option<Vec<[f64; 3]>> {
    let local: Vec<Vec<f64>> = match shape {
        ShapeSpec::Point { point } => vec![point.clone()],
        ShapeSpec::Segment { a, b } => vec![a.clone(), b.clone()],
        ShapeSpec::Triangle { a, b, c } => vec![a.clone(), b.clone(), c.clone()],
        ShapeSpec::Convex { points } => points.clone(),
        ShapeSpec::Box { half_extents } => (0..1 << dim)
            .map(|id| {
                (0..dim)
                    .map(|k| {
                        if id >> k & 1 == 1 {
                            half_extents[k]
                        } else {
                            -half_extents[k]
                        }
                    })
                    .collect()
            })
            .collect(),
        _ => return None,
    };
    let affine = pose.map(PoseSpec::affine).unwrap_or_default();
    Some(
        local
            .iter()
            .map(|p| affine.apply(core::array::from_fn(|k| p.get(k).copied().unwrap_or(0.0))))
            .collect(),
    )
}

fn ladder_seed(query: &QuerySpec) -> Option<Vec<u8>> {
    let a = points(&query.a.shape, query.a.pose.as_ref(), query.dim)?;
    let b = points(&query.b.shape, query.b.pose.as_ref(), query.dim)?;
    Some(ladder::encode(query.dim, [&a, &b]))
}

/// All points of the pair.
fn hull_seed(query: &QuerySpec) -> Option<Vec<u8>> {
    let mut all = points(&query.a.shape, query.a.pose.as_ref(), query.dim)?;
    all.extend(points(&query.b.shape, query.b.pose.as_ref(), query.dim)?);
    let mut writer = gjk_fuzz::bytes::Writer::default();
    writer.byte(if query.dim == 2 { 1 } else { 0 });
    all.iter().for_each(|p| writer.numbers(&p[..query.dim]));
    Some(writer.bytes)
}

/// A small file of every format.
fn reader_seeds() -> BTreeMap<(&'static str, String), Vec<u8>> {
    const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"translation":[1,0,0],"children":[]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":3}],"buffers":[{"byteLength":39,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC"}]}"#;
    const DAE: &str = r##"<COLLADA version="1.4.1"><asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#f" count="3" stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="x"><node><matrix>1 0 0 2 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#x"/></scene></COLLADA>"##;
    let mut stl = vec![0; 80];
    stl.extend(1u32.to_le_bytes());
    stl.extend(
        [
            0.0f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0,
        ]
        .iter()
        .flat_map(|x| x.to_le_bytes()),
    );
    stl.extend([0, 0]);
    let mut ply = b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n".to_vec();
    ply.extend(
        [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
            .iter()
            .flat_map(|x| x.to_le_bytes()),
    );
    ply.extend([3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    let files: [(&str, &str, Vec<u8>); 18] = [
        ("stl", "stl-ascii", b"solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n".to_vec()),
        ("stl", "stl-binary", stl),
        ("obj", "obj", b"# c\nv 0 0 0\nv 1 0 0\nv 0 1 0 1\nvn 0 0 1\nf 1//1 2//1 -1//1\n".to_vec()),
        ("ply", "ply-ascii", b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty double z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n".to_vec()),
        ("ply", "ply-binary", ply),
        ("off", "off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n".to_vec()),
        ("dae", "dae", DAE.into()),
        ("gltf", "gltf", GLTF.into()),
        ("glb", "glb", glb(GLTF)),
        ("urdf", "urdf-shapes", br#"<robot name="r"><link name="a"><collision><origin xyz="1 0 0" rpy="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision></link><link name="b"><collision><geometry><mesh filename="m.off" scale="1 1 -1"/></geometry></collision></link><joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/></joint></robot>"#.to_vec()),
        ("urdf", "urdf-joints", readers::ROBOT.into()),
        ("json", "scene-json", br#"{"unit":"m","bodies":[{"name":"p","pose":{"translation":[1,0,0]},"parts":[{"mesh":"m.off","scale":[1,1,-2]},{"shape":"capsule","half_height":1,"radius":0.5,"axis":"x","pose":{"rotation":[0,0,0,1]}}]},{"name":"q","parts":[{"mesh":"m.off"}]}],"allow":[["q","p"]]}"#.to_vec()),
        ("json", "scene-placed", br#"{"units":"mm","instances":[{"name":"x","part":"m.off","matrix_row_major":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}"#.to_vec()),
        ("toml", "scene-toml", b"unit = \"m\"\nallow = [[\"f\", \"p\"]]\n[[bodies]]\nname = \"p\"\nparts = [{ shape = \"ball\", radius = 1 }]\n[[bodies]]\nname = \"f\"\nparts = [{ mesh = \"m.off\" }]\n".to_vec()),
        ("srdf", "srdf", br#"<robot name="r"><disable_collisions link1="a" link2="b" reason="Adjacent"/><disable_default_collisions link="c"/><enable_collisions link1="a" link2="c"/></robot>"#.to_vec()),
        ("csv", "states", b"j\n0.5\n-2\n".to_vec()),
        ("jsonl", "query-line", br#"{"id":"x","dim":3,"scalar":"f32","query":"contact","a":{"shape":"rounded","core":{"shape":"box","half_extents":[1,1,0.01]},"radius":0.5},"b":{"shape":"convex","points":[[0,0,0],[1,0,0]],"pose":{"translation":[0,0,1e-3],"rotation":[0,0,0,1],"scale":[1,2,3]}},"options":{"tolerance_relative":1e-9,"iterations_max":64,"certificate":true,"trace":false},"expect":{"verdict":["touching"],"signed_distance":0,"tolerance":1,"normal":[0,0,1]}}"#.to_vec()),
        ("jsonl", "query-line-2d", br#"{"dim":2,"a":{"shape":"sum","of":[{"shape":"ball","radius":1},{"shape":"segment","a":[0,0],"b":[1,0]}]},"b":{"shape":"hull_of","of":[{"shape":"point","point":[1,2]}],"pose":{"rotation":0.5}}}"#.to_vec()),
    ];
    let mut seeds = BTreeMap::new();
    let mut add = |format: Option<usize>, name: &str, bytes: Vec<u8>| {
        let code = format.unwrap_or(0) as u8;
        seeds.insert(("readers", name.to_owned()), [vec![code], bytes].concat());
    };
    let position =
        |wanted: &dyn Fn(&(&str, readers::Kind)) -> bool| readers::FORMATS.iter().position(wanted);
    for (extension, name, bytes) in files {
        add(position(&|(own, _)| *own == extension), name, bytes);
    }
    for (extension, kind, name, text) in ROBOT_FILES {
        let format = position(&|own| *own == (extension, kind));
        add(format, name, text.into());
    }
    seeds
}

/// What is read beside a robot, of formats whose extensions others have too.
const ROBOT_FILES: [(&str, readers::Kind, &str, &str); 5] = [
    (
        "yaml",
        readers::Kind::Trajectory,
        "trajectory-yaml",
        "joint_names:\n- j\npoints:\n- positions: [0.5]\n  velocities: []\n  time_from_start: {sec: 0, nanosec: 5}\n- positions:\n  - -1\n  velocities: [1]\n  accelerations: [2]\n  time_from_start:\n    sec: 1\n    nanosec: 0\n---\n",
    ),
    (
        "json",
        readers::Kind::Trajectory,
        "trajectory-json",
        r#"{"trajectory_start":{"joint_state":{"name":["j"],"position":[0.5]}},"trajectory":[{"joint_trajectory":{"joint_names":["j"],"points":[{"positions":[0.5],"time_from_start":{"secs":0,"nsecs":5}}]},"multi_dof_joint_trajectory":{"joint_names":[]}}]}"#,
    ),
    (
        "csv",
        readers::Kind::Trajectory,
        "trajectory-csv",
        "time,j\n0,0.5\n1.5,-2\n",
    ),
    (
        "yml",
        readers::Kind::Limits,
        "limits-yaml",
        "joint_limits:\n  j: {has_position_limits: true, min_position: -0.5, max_position: 1}\n",
    ),
    (
        "srdf",
        readers::Kind::Srdf,
        "srdf-states",
        "<robot name=\"r\">\r\n  <group_state name=\"s\" group=\"g\"><joint name=\"j\" value=\"0.5\"/><joint name=\"k\" value=\"1\"/></group_state>\r\n  <disable_collisions link1=\"b\" link2=\"a\"/> <!-- c -->\r\n</robot>\r\n",
    ),
];

/// The same document in a binary container, with its data left inline.
fn glb(text: &str) -> Vec<u8> {
    let padded = format!("{text:<width$}", width = text.len().next_multiple_of(4));
    let length = padded.len() as u32;
    let head = [0x4654_6C67, 2, length + 20, length, 0x4E4F_534A];
    [
        head.iter().flat_map(|x: &u32| x.to_le_bytes()).collect(),
        padded.into_bytes(),
    ]
    .concat()
}
