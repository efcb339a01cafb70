//! How convex parts relate to the mesh that they were made of.
//!
//! Where it sits: `commands/audit.rs` puts it under its table and into its JSON; `gjk_mesh::ConvexParts` finds it.

use crate::check::report::Interval;
use crate::text::short;
use gjk::hull;
use gjk_check::decomposition::PartMesh;
use gjk_mesh::{
    Containment, ConvexParts, Farthest, MeshBody, PartsAnswer, PartsOptions, TriMesh, triangulated,
};
use gjk_scene::{Mesh, SceneError, SceneErrorKind, counted};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// How parts relate to their mesh. The union is that of the parts' hulls.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PartsReport {
    /// The parts, in the order of their files.
    parts: Vec<AuditedPart>,
    /// Is the mesh's surface within the union: `contained`, `outside`, or `undecided` where the work ended before.
    containment: &'static str,
    /// A point of the surface that is outside.
    witness: Option<WitnessReport>,
    /// Triangles of the mesh that are not within the union as a whole.
    triangles_outside: usize,
    /// The part of the mesh's area that is outside.
    area_outside: f64,
    /// How far the mesh's surface is from the union at most.
    undershoot: FarthestReport,
    /// How far the union's boundary is from the mesh at most: from the solid, or from the triangles of a surface.
    overshoot: FarthestReport,
    /// Pairs of parts whose insides meet.
    overlapping_pairs: usize,
    /// The union's volume.
    volume: Interval,
    /// The mesh's volume; null for a surface, and for a solid of several pieces, which may overlap.
    mesh_volume: Option<Interval>,
    /// Whether rooms that the union leaves open within it may lie in the solid: `none` of one part with a volume, else `unchecked`.
    voids: &'static str,
}

/// A part.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct AuditedPart {
    /// Its file, with the number of its object where that has several.
    source: String,
    /// Whether it is proved convex; else its hull stands for it.
    convex: bool,
    /// Whether it has no volume: then it is left out of the union.
    flat: bool,
}

/// A point outside.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct WitnessReport {
    /// The face of the mesh that it is on.
    face: u32,
    /// The point, rounded.
    point: [f64; 3],
    /// Its distance to the union.
    distance: Interval,
}

/// The greatest distance of a surface to a body.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct FarthestReport {
    /// The distance.
    distance: Interval,
    /// A point of the surface that is at least the lower end away; null where that is zero.
    point: Option<[f64; 3]>,
    /// A point of the body near it.
    nearest: Option<[f64; 3]>,
    /// Whether the interval is as narrow as was asked.
    complete: bool,
}

impl PartsReport {
    /// The report of a mesh of a file.
    ///
    /// # Errors  a mesh without triangles, or parts of which none has a volume.
    pub fn new(
        mesh: &Mesh,
        parts: &[PartMesh],
        at: &Path,
        relative: f64,
    ) -> Result<Self, SceneError> {
        let refused = |message: String, file: &Path| {
            SceneError::new(SceneErrorKind::BadValue, message).with_file(file)
        };
        let (triangles, face_of) = triangulated(&mesh.faces);
        let body = TriMesh::new(&mesh.vertices, &triangles)
            .map_err(|error| refused(error.to_string(), &mesh.path))?;
        let points = parts.iter().map(|part| part.mesh.vertices.as_slice());
        let union = ConvexParts::new(points).map_err(|error| refused(error.to_string(), at))?;
        if union.flat().len() == parts.len() {
            return Err(refused("no part has a volume".to_owned(), at)
                .with_expected("meshes of convex bodies"));
        }
        let options = PartsOptions {
            relative,
            ..PartsOptions::default()
        };
        let answer = union.against(&MeshBody::new(body), &options);
        Ok(Self::of(parts, &union, &answer, &face_of))
    }

    fn of(parts: &[PartMesh], union: &ConvexParts, answer: &PartsAnswer, face_of: &[u32]) -> Self {
        let (containment, witness) = match answer.containment {
            Containment::Contained => ("contained", None),
            Containment::Undecided => ("undecided", None),
            Containment::Outside {
                triangle,
                point,
                distance,
            } => {
                let face = face_of.get(triangle as usize).copied().unwrap_or(triangle);
                let distance = interval(distance);
                let witness = WitnessReport {
                    face,
                    point,
                    distance,
                };
                ("outside", Some(witness))
            }
        };
        let part = |(number, part): (usize, &PartMesh)| AuditedPart {
            source: part.source.clone(),
            convex: hull::check_convex_mesh(&part.mesh.vertices, &part.mesh.faces).is_ok(),
            flat: union.flat().contains(&number),
        };
        Self {
            parts: parts.iter().enumerate().map(part).collect(),
            containment,
            witness,
            triangles_outside: answer.triangles_outside,
            area_outside: answer.area_outside,
            undershoot: FarthestReport::of(&answer.undershoot),
            overshoot: FarthestReport::of(&answer.overshoot),
            overlapping_pairs: answer.overlapping_pairs,
            volume: interval(answer.volume),
            mesh_volume: answer.mesh_volume.map(interval),
            voids: if parts.len() == union.flat().len() + 1 {
                "none"
            } else {
                "unchecked"
            },
        }
    }

    /// Whether the mesh's surface is proved to be within the union.
    pub fn is_contained(&self) -> bool {
        self.containment == "contained"
    }

    /// What it says to people; lengths also as parts of the mesh's `diagonal`.
    pub fn lines(&self, name: &str, diagonal: f64) -> Vec<String> {
        let mut lines = vec![format!("{name}: {}", self.counts())];
        lines.push(format!("  containment  {}", self.containment_words()));
        let undershoot = self.undershoot.words(diagonal);
        lines.push(format!(
            "  undershoot   {undershoot}: the surface beyond the parts"
        ));
        let overshoot = self.overshoot.words(diagonal);
        lines.push(format!(
            "  overshoot    {overshoot}: the parts beyond the mesh"
        ));
        let of_mesh = self.mesh_volume.map_or_else(
            || "not defined".to_owned(),
            |volume| range(volume.lower, volume.upper),
        );
        let volume = range(self.volume.lower, self.volume.upper);
        lines.push(format!(
            "  volume       {volume}, that of the mesh {of_mesh}"
        ));
        if self.is_contained() && self.voids != "none" {
            lines.push(
                "  voids        unchecked: rooms between the parts may lie in the mesh".to_owned(),
            );
        }
        lines
    }

    fn counts(&self) -> String {
        let mut words = vec![counted(self.parts.len(), "convex part", "convex parts")];
        if self.overlapping_pairs > 0 {
            let pairs = counted(self.overlapping_pairs, "pair overlaps", "pairs overlap");
            words.push(pairs);
        }
        let named = |what: &str, is: fn(&AuditedPart) -> bool| {
            let parts = self.parts.iter().filter(|part| is(part));
            let names: Vec<&str> = parts.map(|part| part.source.as_str()).collect();
            (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
        };
        words.extend(named("taken as hulls", |part| !part.convex && !part.flat));
        words.extend(named("flat, left out", |part| part.flat));
        words.join("; ")
    }

    fn containment_words(&self) -> String {
        match (self.containment, &self.witness) {
            ("contained", _) => "proved: the surface is within the union of the parts".to_owned(),
            (_, Some(witness)) => format!(
                "no: {} not within, {:.1} % of the area outside; face {} at ({}) is {} outside",
                counted(self.triangles_outside, "triangle is", "triangles are"),
                100.0 * self.area_outside,
                witness.face,
                witness.point.map(short).join(", "),
                range(witness.distance.lower, witness.distance.upper),
            ),
            _ => "undecided: the cuts that are made were not enough".to_owned(),
        }
    }
}

impl FarthestReport {
    fn of(found: &Farthest) -> Self {
        Self {
            distance: interval(found.distance),
            point: found.points.map(|[point, _]| point),
            nearest: found.points.map(|[_, nearest]| nearest),
            complete: found.ended,
        }
    }

    fn words(&self, diagonal: f64) -> String {
        let Interval { lower, upper } = self.distance;
        let share = if upper > 0.0 && diagonal > 0.0 {
            format!(" ({} % of the diagonal)", short(100.0 * upper / diagonal))
        } else {
            String::new()
        };
        let more = if self.complete {
            ""
        } else {
            ", not as narrow as asked"
        };
        format!("{}{share}{more}", range(lower, upper))
    }
}

fn interval(of: gjk::query::Interval<f64>) -> Interval {
    Interval {
        lower: of.lower,
        upper: of.upper,
    }
}

/// An interval in few digits: one number where both ends read the same.
fn range(lower: f64, upper: f64) -> String {
    let (lower, upper) = (short(lower), short(upper));
    if lower == upper {
        lower
    } else {
        format!("{lower} to {upper}")
    }
}
