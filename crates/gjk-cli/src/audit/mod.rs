//! What a mesh is as a body: solid or surface, its shells, and where it meets itself.
//!
//! Where it sits: `commands/audit.rs` puts it into its table and its JSON.

mod parts;

use crate::text::short;
use gjk_mesh::{Contact, LeftOut, MeshKind, SurfaceReason, TriMesh, triangulated};
use gjk_scene::Mesh;
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::ControlFlow;

pub use parts::PartsReport;

/// So many contacts of a mesh with itself are counted: a soup has more than anyone waits for.
const CONTACTS_MAX: usize = 100_000;

/// What a mesh is as a body. Faces and vertices have the numbers of the file, counted from 0.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SurfaceReport {
    /// `solid` (closed shells, less their cavities), `surface` (its triangles, no inside) or `points` (no triangle).
    pub kind: &'static str,
    /// Why it is no solid.
    pub reason: Option<String>,
    /// Shells: sets of triangles that edges connect.
    pub shells: usize,
    /// Shells of a solid that face inward, within others.
    pub cavities: usize,
    /// True when all of a solid faces inward; its outside is meant.
    pub inside_out: bool,
    /// Triangles that faced another way than their neighbours, and are taken as turned.
    pub turned_triangles: usize,
    /// Triangles with two corners at one place.
    pub collapsed_triangles: usize,
    /// Triangles that are copies of others.
    pub doubled_triangles: usize,
    /// Triangles that lie on their own back.
    pub cancelled_triangles: usize,
    /// Of a mesh with open edges: the distance of the nearest two vertices at them that no edge connects. Near ones are often meant
    /// to be one.
    pub nearest_open_vertices: Option<OpenVertices>,
    /// Where the mesh meets itself.
    pub self_contacts: SelfContactReport,
}

/// Two vertices at open edges.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OpenVertices {
    /// Their numbers.
    pub vertices: [u32; 2],
    /// How far they are apart.
    pub distance: f64,
}

/// Pairs of triangles that meet beyond the corners that they have in common.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct SelfContactReport {
    /// Pairs of one shell where an edge passes through a triangle's inside.
    pub crossing: usize,
    /// Pairs of one shell that share an area.
    pub coplanar: usize,
    /// Pairs of one shell that share no more than points of an edge.
    pub touching: usize,
    /// Pairs of two shells.
    pub between_shells: usize,
    /// The faces of the worst pair of one shell.
    pub faces: Option<[u32; 2]>,
    /// False when there may be more pairs than were counted.
    pub complete: bool,
}

impl SurfaceReport {
    /// The report of a mesh of a file.
    pub fn new(mesh: &Mesh) -> Self {
        let (triangles, face_of) = triangulated(&mesh.faces);
        // The reader has checked what else could be an error; without faces the mesh is a cloud of points.
        match TriMesh::new(&mesh.vertices, &triangles) {
            Ok(mesh) => Self::of(&mesh, &face_of),
            Err(_) => Self::points(),
        }
    }

    fn points() -> Self {
        Self {
            kind: "points",
            reason: None,
            shells: 0,
            cavities: 0,
            inside_out: false,
            turned_triangles: 0,
            collapsed_triangles: 0,
            doubled_triangles: 0,
            cancelled_triangles: 0,
            nearest_open_vertices: None,
            self_contacts: SelfContactReport {
                complete: true,
                ..SelfContactReport::default()
            },
        }
    }

    fn of(mesh: &TriMesh, face_of: &[u32]) -> Self {
        let LeftOut {
            collapsed,
            cancelled,
        } = mesh.left_out();
        let (reason, cavities, inside_out) = match mesh.kind() {
            MeshKind::Solid {
                cavities,
                inside_out,
                ..
            } => (None, cavities, inside_out),
            MeshKind::Surface(reason) => (Some(words(reason, face_of)), 0, false),
        };
        Self {
            kind: if reason.is_none() { "solid" } else { "surface" },
            reason,
            shells: mesh.shells().len(),
            cavities,
            inside_out,
            turned_triangles: mesh.shells().iter().map(|shell| shell.turned).sum(),
            collapsed_triangles: collapsed,
            doubled_triangles: mesh.copies(),
            cancelled_triangles: cancelled,
            nearest_open_vertices: mesh.nearest_open_vertices().map(|near| OpenVertices {
                vertices: near.vertices.map(|k| mesh.vertex_source(k)),
                distance: near.distance,
            }),
            self_contacts: SelfContactReport::of(mesh, face_of),
        }
    }

    /// The kind as the table has it.
    pub fn short(&self) -> String {
        match self.shells {
            2.. => format!("{} ({} shells)", self.kind, self.shells),
            _ => self.kind.to_owned(),
        }
    }

    /// What people should know before they trust an answer about the mesh, in one line; empty if there is nothing.
    pub fn remark(&self) -> String {
        let contacts = &self.self_contacts;
        let more = if contacts.complete { "" } else { "at least " };
        let counts = [
            (
                self.turned_triangles,
                "triangles that face another way than their neighbours",
            ),
            (
                self.collapsed_triangles,
                "triangles with two corners at one place",
            ),
            (self.doubled_triangles, "copies of triangles"),
            (self.cancelled_triangles, "triangles that lie back to back"),
            (contacts.crossing, "pairs of triangles that cross"),
            (contacts.coplanar, "pairs of triangles that share an area"),
            (
                contacts.touching,
                "pairs of triangles that touch and are no neighbours",
            ),
            (
                contacts.between_shells,
                "pairs of triangles of two shells that meet",
            ),
        ];
        let counted = (0..).zip(counts).filter(|(_, (count, _))| *count > 0);
        let counted = counted.map(|(at, (count, what))| {
            let more = if at >= 4 { more } else { "" };
            format!("{what}: {more}{count}")
        });
        let reason = self
            .reason
            .iter()
            .map(|reason| format!("no solid: {reason}"));
        let inside_out = self.inside_out.then(|| "it faces inward".to_owned());
        let near = self.nearest_open_vertices.iter().map(|near| {
            let [a, b] = near.vertices;
            format!(
                "vertices {a} and {b} at open edges are {} apart",
                short(near.distance)
            )
        });
        let parts: Vec<String> = reason
            .chain(near)
            .chain(inside_out)
            .chain(counted)
            .collect();
        parts.join("; ")
    }
}

impl SelfContactReport {
    fn of(mesh: &TriMesh, face_of: &[u32]) -> Self {
        let mut report = Self {
            complete: true,
            ..Self::default()
        };
        let (mut count, mut worst) = (0, None);
        mesh.self_contacts(|pair| {
            let counter = match (pair.same_shell, pair.contact) {
                (false, _) => &mut report.between_shells,
                (true, Contact::Crossing) => &mut report.crossing,
                (true, Contact::Coplanar) => &mut report.coplanar,
                (true, Contact::Touching) => &mut report.touching,
            };
            *counter += 1;
            count += 1;
            let faces = pair.triangles.map(|k| face_of[mesh.source(k) as usize]);
            if pair.same_shell {
                worst = worst.max(Some((pair.contact, std::cmp::Reverse(faces))));
            }
            if count < CONTACTS_MAX {
                return ControlFlow::Continue(());
            }
            report.complete = false;
            ControlFlow::Break(())
        });
        Self {
            faces: worst.map(|(_, faces)| faces.0),
            ..report
        }
    }
}

/// The reason in the numbers of the file: of triangles those of their faces.
fn words(reason: SurfaceReason, face_of: &[u32]) -> String {
    let faces = |triangles: [u32; 2]| triangles.map(|k| face_of[k as usize]);
    match reason {
        SurfaceReason::CrossesItself(triangles) => {
            let [a, b] = faces(triangles);
            format!("a shell crosses itself at faces {a} and {b}")
        }
        SurfaceReason::TouchesItself(triangles) => {
            let [a, b] = faces(triangles);
            format!("a shell touches itself at faces {a} and {b}")
        }
        other => other.to_string(),
    }
}
