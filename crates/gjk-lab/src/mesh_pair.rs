//! A pair of triangle meshes: its relation, and every step of the query that found it, as frames to draw.
//!
//! Where it sits: over `gjk-mesh`, whose query reports its steps while it runs. `mesh_pair/frames.rs` turns steps into frames,
//! `cones.rs` draws what a body is near a point, `examples.rs` has the lab's own meshes.
//! Idea: nothing is searched or decided here. The poses are read and edited as those of a query of two points, so that dragging a mesh is
//! what dragging a shape is.

mod cones;
pub(crate) mod examples;
mod frames;
mod words;

use crate::drawn;
use crate::edit::{self, Edit};
use crate::many_body::Place;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gjk::{Pose3, Vec3};
use gjk_mesh::trace::Recorder;
use gjk_mesh::{MeshBody, MeshKind, TriMesh, triangulated};
use gjk_query::convert::{self, InputError};
use gjk_scene::{Mesh, PoseSpec, SceneError, SceneErrorKind, read_mesh, read_query_line};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::Path;

/// A mesh with more triangles than this is refused: each move of a body asks anew.
const TRIANGLES_MAX: usize = 200_000;

/// Two meshes that the lab was opened with.
pub struct MeshPair {
    meshes: [Named; 2],
}

/// A mesh as a body, and what it is called.
#[derive(Clone)]
struct Named {
    name: String,
    body: MeshBody,
    warnings: Vec<String>,
}

/// Where a mesh is from.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields, untagged)]
enum Source {
    /// One of the lab's own, by its name.
    Example { example: String },
    /// The first or the second of the files that the lab was opened with.
    File { file: usize },
    /// A file that was dropped onto the page.
    Dropped { name: String, base64: String },
}

/// One of the two bodies.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Body {
    mesh: Source,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pose: Value,
}

/// What is asked: two meshes and where they are.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeshQuery {
    #[serde(default)]
    id: String,
    /// Always 3, as of a query in space.
    #[serde(default)]
    dim: usize,
    a: Body,
    b: Body,
}

impl MeshPair {
    /// Two meshes as their files have them.
    ///
    /// # Errors  a mesh without a triangle, or with more than the lab shows.
    pub fn new(meshes: [Mesh; 2]) -> Result<Self, SceneError> {
        let [a, b] = meshes.map(|mesh| {
            let file = mesh.path.clone();
            Named::of_file(mesh).map_err(|message| {
                SceneError::new(SceneErrorKind::BadValue, message).with_file(&file)
            })
        });
        Ok(Self { meshes: [a?, b?] })
    }

    /// Both names.
    pub(crate) fn title(&self) -> String {
        let [a, b] = &self.meshes;
        format!("{} and {}", a.name, b.name)
    }
}

impl Named {
    fn of_file(mesh: Mesh) -> Result<Self, String> {
        let (triangles, _) = triangulated(&mesh.faces);
        if triangles.len() > TRIANGLES_MAX {
            let count = triangles.len();
            return Err(format!(
                "{count} triangles are more than the {TRIANGLES_MAX} that the lab shows: ask `gjk check` for their relation"
            ));
        }
        let own = TriMesh::new(&mesh.vertices, &triangles).map_err(|error| error.to_string())?;
        Ok(Self {
            name: mesh.name,
            body: MeshBody::new(own),
            warnings: mesh.warnings,
        })
    }

    /// What it is, in words.
    fn kind(&self) -> String {
        let count = self.body.mesh().triangles().len();
        match self.body.kind() {
            MeshKind::Solid {
                shells, cavities, ..
            } => {
                let shells = gjk_scene::counted(*shells, "shell", "shells");
                let cavities = match cavities {
                    0 => String::new(),
                    &n => format!(" and {}", gjk_scene::counted(n, "cavity", "cavities")),
                };
                format!("a solid of {shells}{cavities}, {count} triangles")
            }
            MeshKind::Surface(reason) => {
                format!("a surface without an inside ({reason}), {count} triangles")
            }
        }
    }
}

/// Answers a pair of meshes as it is after some edits; `models`: with the meshes themselves, which a page asks for once.
///
/// # Errors  what is no mesh or no pose, and edits that a mesh has no place for.
pub(crate) fn asked(
    mut query: MeshQuery,
    edits: &[Edit],
    models: bool,
    files: Option<&MeshPair>,
) -> Result<Value, InputError> {
    query.dim = 3;
    let poses = posed(&mut query, edits)?;
    let [a, b] = [("a", &query.a), ("b", &query.b)].map(|(at, body)| found(at, body, files));
    let named = [a?, b?];
    let placed = [0, 1].map(|k| named[k].body.at(&poses[k]));
    let mut recorder = Recorder::default();
    let answer = placed[0].relation_observed(&placed[1], &mut recorder);
    let boxes = placed[0].boxes(&placed[1]);
    let story = frames::Story {
        placed: &placed,
        names: ["A", "B"],
        answer: &answer,
        steps: &recorder.steps,
        boxes: &boxes,
        frame: answer.flush.then_some(&poses[0]),
    };
    let mut told = json!({
        "places": poses.each_ref().map(|pose| Place::new::<Vec3<f64>>(pose, false)),
        "answer": {
            "relation": words::relation(answer.relation),
            "verdict": words::verdict(answer.relation),
            "exact": answer.exact,
            "flush": answer.flush,
            "sentence": words::sentence(&answer, &recorder.steps),
            "bodies": named.each_ref().map(|one| format!("{}: {}", one.name, one.kind())),
            "warnings": named.iter().flat_map(|one| &one.warnings).collect::<Vec<_>>(),
        },
        "background": [],
        "handles": [],
        "frames": story.frames(),
        "query": query,
    });
    if models {
        told["models"] = json!([model("body_a", &named[0]), model("body_b", &named[1])]);
    }
    Ok(told)
}

/// A mesh as it is drawn, in its own frame.
fn model(layer: &str, named: &Named) -> Value {
    let mesh = named.body.mesh();
    json!({
        "name": named.name, "layer": layer, "figure": "mesh",
        "points": mesh.vertices(), "faces": mesh.triangles(),
        "edges": drawn::edges(mesh.vertices(), mesh.triangles()),
    })
}

/// The poses after the edits, which the query then has.
fn posed(query: &mut MeshQuery, edits: &[Edit]) -> Result<[Pose3<f64>; 2], InputError> {
    let point = |body: &Body| {
        let mut point = json!({"shape": "point", "point": [0.0, 0.0, 0.0]});
        if !body.pose.is_null() {
            point["pose"] = body.pose.clone();
        }
        point
    };
    let line = json!({"dim": 3, "a": point(&query.a), "b": point(&query.b)}).to_string();
    let refused = || InputError::new("bad_request", "query", "expected two poses");
    let mut spec = read_query_line(line.as_bytes(), 1)
        .ok_or_else(refused)?
        .query?;
    for edit in edits {
        match edit {
            Edit::Move { .. } | Edit::Place { .. } | Edit::Turn { .. } | Edit::Scale { .. } => {}
            Edit::Swap => std::mem::swap(&mut query.a.mesh, &mut query.b.mesh),
            _ => {
                let message = "a mesh can be moved, turned, scaled and swapped, not reshaped";
                return Err(InputError::new("bad_edit", "edits", message));
            }
        }
        edit::apply(&mut spec, edit)?;
    }
    let mut maps = [Pose3::identity(); 2];
    let bodies = [(&mut query.a, spec.a), (&mut query.b, spec.b)];
    for (k, (body, spec)) in bodies.into_iter().enumerate() {
        let pose: PoseSpec = spec.pose.unwrap_or_default();
        maps[k] = convert::affine::<Vec3<f64>>(&pose.affine());
        if !maps[k].is_valid() {
            let at = ["a.pose", "b.pose"][k];
            let message = "the pose leaves no volume, or is beyond the numbers";
            return Err(InputError::new("out_of_range", at, message));
        }
        body.pose = json!(pose);
    }
    Ok(maps)
}

/// The mesh that a source names.
fn found<'f>(
    at: &str,
    body: &Body,
    files: Option<&'f MeshPair>,
) -> Result<Cow<'f, Named>, InputError> {
    let at = format!("{at}.mesh");
    match &body.mesh {
        Source::Example { example } => {
            let none = || InputError::new("bad_request", &at, format!("no example `{example}`"));
            let mesh = examples::mesh(example).ok_or_else(none)?;
            let mesh = mesh.map_err(|error| InputError::new("bad_mesh", &at, error.to_string()))?;
            Ok(Cow::Owned(Named {
                name: example.clone(),
                body: MeshBody::new(mesh),
                warnings: Vec::new(),
            }))
        }
        Source::File { file } => {
            let message = "the lab was not opened with such a file";
            let mesh = files.and_then(|files| files.meshes.get(*file));
            mesh.map(Cow::Borrowed)
                .ok_or_else(|| InputError::new("bad_request", at, message))
        }
        Source::Dropped { name, base64 } => {
            let refused = |message: String| InputError::new("bad_mesh", name, message);
            let bytes = STANDARD
                .decode(base64)
                .map_err(|error| refused(error.to_string()))?;
            let mesh =
                read_mesh(&bytes, Path::new(name)).map_err(|error| refused(error.to_string()))?;
            Named::of_file(mesh).map(Cow::Owned).map_err(refused)
        }
    }
}
