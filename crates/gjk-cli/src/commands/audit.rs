//! `gjk audit`: what is wrong with meshes, before anyone trusts an answer about them.

use super::check::share;
use crate::audit::{PartsReport, SurfaceReport};
use crate::exit::ExitStatus;
use crate::printer::{Printer, style};
use crate::text::{Cell, aligned, heading, plain, short};
use gjk::hull::{self, ConvexityError, HullError, SpatialHull};
use gjk_check::decomposition::{parts_of, parts_of_only};
use gjk_check::parts::{NEARLY_CONVEX, volume_ratio};
use gjk_scene::{MESH_EXTENSIONS, Mesh, SceneError, SceneErrorKind, load_mesh};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

const HELP: &str = "\
Examples:
  gjk audit part.stl
  gjk audit meshes/ --json
  gjk audit meshes/*.stl --require-convex
  gjk audit arm.stl --parts arm/        how near convex parts are to the mesh that they were made of

The parts of arm.stl are the mesh files in DIR/arm/, or DIR/arm_0.obj and so on, or DIR/arm.obj; of
the only mesh that is asked for also all mesh files in DIR.
A mesh whose largest extent is over 100 or under 0.001 gets a remark about its unit: robots and
buildings are modelled in metres, and a part in millimetres is 1000 times too large there.
Exit codes: 0 all meshes were read, 1 one is not what --require-convex or --require-contained asks
for, 2 one could not be read (the others are reported), 3 a bug.";

/// Largest extents from here on make one ask for the unit: a robot part of 100 m is one in millimetres.
const EXTENT_LARGE: f64 = 100.0;

/// Largest extents up to here do: no part is smaller than a millimetre.
const EXTENT_SMALL: f64 = 1e-3;

/// Options of `gjk audit`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct AuditArgs {
    /// Mesh files, or folders, which are searched with all that is in them.
    #[arg(required = true, value_name = "MESH")]
    meshes: Vec<PathBuf>,
    /// Exit with 1 when a mesh is not proved convex.
    #[arg(long)]
    require_convex: bool,
    /// Say also how convex parts relate to each mesh: a folder of them, or a file.
    #[arg(long, value_name = "DIR")]
    parts: Option<PathBuf>,
    /// How precise the distances of parts are: to this part of themselves, `0.01` or `1%`.
    #[arg(long, value_name = "RELATIVE", value_parser = share, default_value = "1%", requires = "parts")]
    depth: f64,
    /// Exit with 1 when a mesh is not proved to be within its parts.
    #[arg(long, requires = "parts")]
    require_contained: bool,
    /// Print the report as JSON (its layout: `gjk schema audit`).
    #[arg(long)]
    json: bool,
}

/// What `gjk audit --json` prints.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct AuditReport {
    /// The layout's name: `gjk-audit/1`.
    schema: &'static str,
    /// The files in the order given, a folder's by path.
    meshes: Vec<FileReport>,
    /// How many were read and are proved convex.
    convex: usize,
    /// How many were read and are not.
    not_convex: usize,
    /// How many could not be read.
    unreadable: usize,
}

/// A file: what was found, or why it could not be read.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
enum FileReport {
    /// It was read.
    Mesh(Box<MeshReport>),
    /// It was not.
    Error(ErrorReport),
}

/// Why a file could not be read.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct ErrorReport {
    /// The file.
    file: String,
    /// For programs.
    kind: &'static str,
    /// For people.
    error: String,
    /// What to do.
    help: Option<String>,
}

/// A mesh, as it is in its file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct MeshReport {
    /// The file.
    file: String,
    /// Vertices that a face uses.
    vertices: usize,
    /// Triangles; a polygon of n corners counts as n - 2.
    triangles: usize,
    /// Corners of the hull.
    hull_vertices: usize,
    /// What it is as a body.
    body: SurfaceReport,
    /// Edges of one face only: the mesh is not closed there.
    open_edges: usize,
    /// Edges of three or more faces.
    nonmanifold_edges: usize,
    /// Edges at which two faces disagree on inside and outside.
    misoriented_edges: usize,
    /// Faces without area.
    degenerate_faces: usize,
    /// True when the mesh is proved to be the surface of a convex body.
    convex: bool,
    /// Why it is not, with the worst edge or vertex.
    defect: Option<String>,
    /// How far off the worst edge, face or vertex is, where that is what is wrong.
    defect_depth: Option<f64>,
    /// The mesh's volume over its hull's; null when the mesh is not a closed surface or the hull is flat.
    volume_ratio: Option<f64>,
    /// Sizes along the axes.
    extents: [f64; 3],
    /// How its convex parts relate to it; null where no parts were given.
    parts: Option<PartsReport>,
    /// What is odd.
    warnings: Vec<String>,
}

/// The JSON Schema of the report.
pub fn json_schema() -> schemars::Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<AuditReport>()
}

/// Runs the command.
pub fn run(args: &AuditArgs, printer: &mut Printer) -> ExitStatus {
    let files: Vec<Result<PathBuf, SceneError>> =
        args.meshes.iter().flat_map(|path| files(path)).collect();
    let is_only = files.len() == 1;
    let audited: Vec<Result<MeshReport, SceneError>> = files
        .into_par_iter()
        .map(|file| {
            let file = file?;
            let mesh = load_mesh(&file)?;
            let parts = parts(args, &mesh, is_only)?;
            Ok(MeshReport {
                parts,
                ..audit(&file, &mesh)?
            })
        })
        .collect();
    let report = AuditReport::new(&audited);
    audited
        .iter()
        .filter_map(|mesh| mesh.as_ref().err())
        .for_each(|error| printer.scene_error(error));
    if args.json {
        printer.json_line(&report);
    } else {
        table(&audited).iter().for_each(|line| printer.line(line));
        let AuditReport {
            convex,
            not_convex,
            unreadable,
            ..
        } = report;
        printer.line(format!(
            "{convex} convex, {not_convex} not convex, {unreadable} unreadable"
        ));
    }
    if report.unreadable > 0 {
        ExitStatus::BadInput
    } else if args.require_convex && report.not_convex > 0
        || args.require_contained && !audited.iter().flatten().all(MeshReport::is_contained)
    {
        ExitStatus::Failure
    } else {
        ExitStatus::Success
    }
}

/// How the parts of a mesh relate to it, where that is asked for.
fn parts(args: &AuditArgs, mesh: &Mesh, is_only: bool) -> Result<Option<PartsReport>, SceneError> {
    let Some(at) = &args.parts else {
        return Ok(None);
    };
    let find = if is_only { parts_of_only } else { parts_of };
    let parts = find(&mesh.path, at)?;
    PartsReport::new(mesh, &parts, at, args.depth).map(Some)
}

impl MeshReport {
    /// Whether its surface is proved to be within its parts.
    fn is_contained(&self) -> bool {
        self.parts.as_ref().is_some_and(PartsReport::is_contained)
    }
}

impl AuditReport {
    fn new(audited: &[Result<MeshReport, SceneError>]) -> Self {
        let count = |is: fn(&Result<MeshReport, SceneError>) -> bool| {
            audited.iter().filter(|mesh| is(mesh)).count()
        };
        Self {
            schema: "gjk-audit/1",
            meshes: audited.iter().map(FileReport::new).collect(),
            convex: count(|mesh| mesh.as_ref().is_ok_and(|mesh| mesh.convex)),
            not_convex: count(|mesh| mesh.as_ref().is_ok_and(|mesh| !mesh.convex)),
            unreadable: count(Result::is_err),
        }
    }
}

impl FileReport {
    fn new(audited: &Result<MeshReport, SceneError>) -> Self {
        match audited {
            Ok(mesh) => Self::Mesh(Box::new(mesh.clone())),
            Err(error) => Self::Error(ErrorReport {
                file: error
                    .file()
                    .map(|file| file.display().to_string())
                    .unwrap_or_default(),
                kind: error.kind().as_str(),
                error: error.to_string(),
                help: error.help().map(str::to_owned),
            }),
        }
    }
}

/// The file itself, or the mesh files in a folder and the folders in it, by path.
fn files(path: &Path) -> Vec<Result<PathBuf, SceneError>> {
    if !path.is_dir() {
        return vec![Ok(path.to_path_buf())];
    }
    let mut found = Vec::new();
    let mut failed = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("cannot read the folder: {error}");
                failed.push(Err(
                    SceneError::new(SceneErrorKind::Io, message).with_file(&folder)
                ));
                continue;
            }
        };
        for entry in entries.flatten() {
            // A link to a folder is not followed: it may lead in a circle.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let path = entry.path();
            if is_folder {
                folders.push(path);
            } else if path.extension().is_some_and(|word| {
                MESH_EXTENSIONS.contains(&&*word.to_string_lossy().to_lowercase())
            }) {
                found.push(path);
            }
        }
    }
    if found.is_empty() && failed.is_empty() {
        failed.push(Err(SceneError::new(
            SceneErrorKind::Missing,
            "the folder holds no mesh file",
        )
        .with_file(path)
        .with_expected(format!("files of {}", MESH_EXTENSIONS.join(", ")))));
    }
    found.sort();
    found.into_iter().map(Ok).chain(failed).collect()
}

fn audit(file: &Path, mesh: &Mesh) -> Result<MeshReport, SceneError> {
    let stats = hull::mesh_stats(&mesh.vertices, &mesh.faces);
    let corners = hull_corners(mesh).map_err(|error| {
        SceneError::new(SceneErrorKind::BadValue, error.to_string()).with_file(file)
    })?;
    let defect = hull::check_convex_mesh(&mesh.vertices, &mesh.faces).err();
    let extents = [0, 1, 2].map(|k| {
        let along = mesh.vertices.iter().map(|vertex| vertex[k]);
        along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
    });
    let mut warnings = mesh.warnings.clone();
    warnings.extend(unit_warning(extents, mesh.unit.is_some()));
    Ok(MeshReport {
        file: file.display().to_string(),
        vertices: mesh.vertices.len(),
        triangles: mesh
            .faces
            .iter()
            .map(|face| face.len().saturating_sub(2))
            .sum(),
        hull_vertices: corners,
        body: SurfaceReport::new(mesh),
        open_edges: stats.open_edges,
        nonmanifold_edges: stats.nonmanifold_edges,
        misoriented_edges: stats.misoriented_edges,
        degenerate_faces: stats.degenerate_faces,
        convex: defect.is_none(),
        defect_depth: defect.as_ref().and_then(depth),
        defect: defect.as_ref().map(words),
        volume_ratio: volume_ratio(mesh),
        extents,
        parts: None,
        warnings,
    })
}

fn hull_corners(mesh: &Mesh) -> Result<usize, HullError> {
    Ok(match hull::convex_hull_3(&mesh.vertices)? {
        SpatialHull::Point(_) => 1,
        SpatialHull::Segment(..) => 2,
        SpatialHull::Polygon { ring } => ring.len(),
        SpatialHull::Polyhedron(hull) => hull.vertices.len(),
    })
}

fn depth(defect: &ConvexityError) -> Option<f64> {
    match defect {
        ConvexityError::NonPlanarFace { depth, .. }
        | ConvexityError::ReflexEdge { depth, .. }
        | ConvexityError::VertexOutsideFace { depth, .. } => Some(*depth),
        _ => None,
    }
}

/// The library's words, with a depth that people can read.
fn words(defect: &ConvexityError) -> String {
    match defect {
        ConvexityError::ReflexEdge { a, b, depth } => {
            format!("edge {a}-{b}: a valley, {} deep", short(*depth))
        }
        ConvexityError::NonPlanarFace {
            face,
            vertex,
            depth,
        } => {
            format!(
                "face {face}: its corner {vertex} is {} off its plane",
                short(*depth)
            )
        }
        ConvexityError::VertexOutsideFace {
            vertex,
            face,
            depth,
        } => {
            format!("vertex {vertex}: {} outside of face {face}", short(*depth))
        }
        other => other.to_string(),
    }
}

fn unit_warning(extents: [f64; 3], is_unit_known: bool) -> Option<String> {
    let largest = extents.into_iter().fold(0.0, f64::max);
    if is_unit_known {
        return None;
    }
    if largest > EXTENT_LARGE {
        return Some(format!(
            "its largest extent is {}: millimetres? Where metres are meant, scale it by 0.001",
            short(largest)
        ));
    }
    (largest < EXTENT_SMALL).then(|| {
        format!(
            "its largest extent is {}: is its unit the one that you think?",
            short(largest)
        )
    })
}

fn table(audited: &[Result<MeshReport, SceneError>]) -> Vec<String> {
    let head = [
        "mesh",
        "triangles",
        "body",
        "hull",
        "convex",
        "of hull",
        "open",
        "non-mf",
        "flat",
        "extents",
        "why not convex",
    ];
    let mut cells = vec![head.map(heading).to_vec()];
    let (mut remarks, mut parts) = (Vec::new(), Vec::new());
    let folder = common_folder(audited.iter().flatten().map(|mesh| Path::new(&mesh.file)));
    for mesh in audited.iter().flatten() {
        let file = Path::new(&mesh.file);
        let name = folder
            .and_then(|folder| file.strip_prefix(folder).ok())
            .unwrap_or(file)
            .display()
            .to_string();
        remarks.extend(
            [mesh.body.remark()]
                .iter()
                .filter(|remark| !remark.is_empty())
                .chain(&mesh.warnings)
                .map(|remark| format!("  {name}: {remark}")),
        );
        if let Some(found) = &mesh.parts {
            let [x, y, z] = mesh.extents;
            parts.extend(found.lines(&name, x.hypot(y).hypot(z)));
        }
        cells.push(row(name, mesh));
    }
    if cells.len() == 1 {
        return Vec::new();
    }
    let mut lines = Vec::new();
    lines.extend(folder.map(|folder| format!("in {}:", folder.display())));
    lines.extend(aligned(cells));
    if !remarks.is_empty() {
        lines.push(String::new());
        lines.extend(remarks);
    }
    if !parts.is_empty() {
        lines.push(String::new());
        lines.extend(parts);
    }
    lines.push(String::new());
    lines
}

fn row(name: String, mesh: &MeshReport) -> Vec<Cell> {
    let (word, colour) = match (mesh.convex, mesh.volume_ratio) {
        (true, _) => ("✓ yes", style::GOOD),
        (false, Some(ratio)) if ratio >= NEARLY_CONVEX => ("~ nearly", style::WARN),
        (false, _) => ("✗ no", style::WARN),
    };
    let share = mesh
        .volume_ratio
        .map_or_else(|| "?".to_owned(), |ratio| format!("{:.1} %", ratio * 100.0));
    let defects = [
        mesh.open_edges,
        mesh.nonmanifold_edges,
        mesh.degenerate_faces,
    ]
    .map(|count| count.to_string());
    let mut row = vec![plain(&name)];
    row.extend([
        plain(&mesh.triangles.to_string()),
        plain(&mesh.body.short()),
        plain(&mesh.hull_vertices.to_string()),
        Cell {
            text: word.to_owned(),
            style: colour,
        },
        plain(&share),
    ]);
    row.extend(defects.iter().map(|count| plain(count)));
    row.push(plain(&mesh.extents.map(short).join(" × ")));
    row.extend(mesh.defect.iter().map(|defect| plain(defect)));
    row
}

/// The innermost folder that all files are in, when there are several and it has a name.
fn common_folder<'a>(mut files: impl Iterator<Item = &'a Path>) -> Option<&'a Path> {
    let first = files.next()?.parent()?;
    let mut common = None;
    for file in files {
        common = common
            .unwrap_or(first)
            .ancestors()
            .find(|folder| file.starts_with(folder))
            .map(Some)?;
    }
    common.filter(|folder| !folder.as_os_str().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_rule_asks_at_its_limits_only() {
        assert_eq!(unit_warning([100.0, 1.0, 1.0], false), None);
        assert_eq!(unit_warning([1e-3, 1e-4, 0.0], false), None);
        assert!(
            unit_warning([1.0, 250.0, 1.0], false).is_some_and(|text| text.contains("millimetres"))
        );
        assert!(unit_warning([9e-4, 1e-4, 0.0], false).is_some());
        assert_eq!(
            unit_warning([250.0; 3], true),
            None,
            "a format that fixes the unit needs no guess"
        );
    }
}
