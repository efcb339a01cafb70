//! Scenes: what `gjk check` reads, with the convex parts and the pairs that it makes of it.

use crate::errors::{GjkError, SceneError};
use crate::report::Report;
use crate::robot::States;
use crate::run::{interruptible, kept_pool};
use gjk_check::pairs::Pairs;
use gjk_check::parts::{self, Body, Meshes};
use gjk_check::{Check, Criteria, decomposition, example};
use gjk_scene::{
    Affine, Attachment, LoadOptions, Mesh, Robot, SceneErrorKind, Srdf, load, load_text, read_srdf,
};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A scene and what a check of it needs. It does not change.
#[pyclass(frozen, module = "gjk._gjk")]
pub struct Scene {
    pub(crate) read: Arc<Read>,
}

/// What was read, and what was made of it.
pub(crate) struct Read {
    pub(crate) scene: gjk_scene::Scene,
    pub(crate) bodies: Vec<Body>,
    pub(crate) pairs: Pairs,
    pub(crate) warnings: Vec<String>,
    pub(crate) srdf: Option<Srdf>,
    /// Whether links that fixed joints hold together are one body.
    pub(crate) is_grouped: bool,
}

/// How a scene is taken, by the words of `gjk check`.
#[derive(FromPyObject)]
pub(crate) struct Taken {
    #[pyo3(item)]
    srdf: Option<PathBuf>,
    #[pyo3(item)]
    packages: BTreeMap<String, PathBuf>,
    #[pyo3(item)]
    meshes: String,
    #[pyo3(item)]
    parts: Option<PathBuf>,
    #[pyo3(item)]
    include_adjacent: bool,
    #[pyo3(item)]
    group_fixed: bool,
    /// What stands around a robot.
    #[pyo3(item)]
    world: Option<PathBuf>,
    /// What its links carry: a link, a file, and a pose by rows.
    #[pyo3(item)]
    attach: Vec<(String, PathBuf, Option<[f64; 12]>)>,
    #[pyo3(item)]
    attach_touch: Vec<String>,
}

/// The error with what to do, and where it is.
pub(crate) fn refused(error: &gjk_scene::SceneError) -> PyErr {
    let help = error.help().map(|help| format!("\nhelp: {help}"));
    let text = format!("{error}{}", help.unwrap_or_default());
    let file = error.file().map(|file| file.display().to_string());
    SceneError::new_err((text, file, error.line(), error.kind().as_str()))
}

impl Taken {
    /// Puts what stands around a robot, and what it carries, into its scene.
    fn placed(&self, scene: &mut gjk_scene::Scene) -> Result<(), gjk_scene::SceneError> {
        let links = scene.robot.iter().flat_map(|robot| &robot.links);
        let options = LoadOptions {
            links: links.map(|link| link.name.clone()).collect(),
            ..LoadOptions::default()
        };
        let beside = |path: &PathBuf, scene: &mut gjk_scene::Scene| {
            let read = load(path, &options)?;
            scene.warnings.extend(read.warnings.iter().cloned());
            Ok::<_, gjk_scene::SceneError>(read)
        };
        if let Some(path) = &self.world {
            let world = beside(path, scene)?;
            scene.add_world(world, path)?;
        }
        for (link, file, pose) in &self.attach {
            let held = beside(file, scene)?;
            let pose = pose.map_or(Affine::IDENTITY, |rows| Affine {
                linear: [0, 4, 8].map(|k| [rows[k], rows[k + 1], rows[k + 2]]),
                translation: [3, 7, 11].map(|k| rows[k]),
            });
            let attachment = Attachment {
                link: link.clone(),
                file: file.clone(),
                pose,
            };
            scene.attach(held, &attachment, &self.attach_touch)?;
        }
        Ok(())
    }

    fn read(&self, mut scene: gjk_scene::Scene) -> Result<Read, gjk_scene::SceneError> {
        let srdf = match (&self.srdf, &scene.robot) {
            (Some(path), Some(robot)) => Some(read_srdf(path, robot)?),
            (Some(path), None) => {
                let message = format!("an SRDF file needs a robot, and `{}` is none", scene.name);
                return Err(
                    gjk_scene::SceneError::new(SceneErrorKind::BadValue, message).with_file(path),
                );
            }
            _ => None,
        };
        self.placed(&mut scene)?;
        let how = match (self.meshes.as_str(), &self.parts) {
            ("exact", None) => Meshes::Exact,
            ("hull", None) => Meshes::Hull,
            ("parts", Some(folder)) => {
                decomposition::replace(&mut scene, folder)?;
                Meshes::Hull
            }
            _ => {
                let message = format!("meshes is {:?}", self.meshes);
                return Err(
                    gjk_scene::SceneError::new(SceneErrorKind::BadValue, message).with_expected(
                        "\"exact\", \"hull\", or \"parts\" with the folder of the parts",
                    ),
                );
            }
        };
        let mut bodies = parts::build(&scene, how)?;
        if self.group_fixed {
            bodies = parts::group_fixed(bodies, &scene);
        }
        let pairs = Pairs::new(&scene, &bodies, srdf.as_ref(), self.include_adjacent);
        let of_srdf = srdf.iter().flat_map(|srdf| &srdf.warnings);
        let warnings = scene.warnings.iter().chain(of_srdf).cloned().collect();
        Ok(Read {
            scene,
            bodies,
            pairs,
            warnings,
            srdf,
            is_grouped: self.group_fixed,
        })
    }
}

/// What a check is to look for; lengths and parts were looked at by `python/gjk/scene.py`.
#[derive(FromPyObject)]
pub(crate) struct Wanted {
    #[pyo3(item)]
    clearance: Option<f64>,
    #[pyo3(item)]
    touch_band: f64,
    #[pyo3(item)]
    depth: Option<f64>,
    #[pyo3(item)]
    verify: bool,
    #[pyo3(item)]
    all_pairs: bool,
}

impl Wanted {
    pub(crate) fn criteria(&self) -> Criteria {
        Criteria {
            clearance: self.clearance,
            touch_band: self.touch_band,
            depth: self.depth,
            verify: self.verify,
            all_pairs: self.all_pairs,
            ..Criteria::default()
        }
    }
}

/// A mesh by its name in a scene's text: places and faces.
type GivenMesh<'py> = (
    String,
    PyReadonlyArray2<'py, f64>,
    PyReadonlyArray2<'py, i64>,
);

/// The meshes that are in memory, by the names that the text has for them.
fn in_memory(given: &[GivenMesh<'_>]) -> PyResult<BTreeMap<PathBuf, Arc<Mesh>>> {
    let mut meshes = BTreeMap::new();
    for (name, vertices, faces) in given {
        let vertices = vertices.as_array();
        let vertices = vertices
            .rows()
            .into_iter()
            .map(|row| [row[0], row[1], row[2]]);
        let faces = faces.as_array();
        // What is no number of a vertex is the reader's to refuse.
        let index = |&index: &i64| u32::try_from(index).unwrap_or(u32::MAX);
        let faces = faces
            .rows()
            .into_iter()
            .map(|row| row.iter().map(index).collect());
        let path = PathBuf::from(name);
        let mesh = Mesh::from_arrays(&path, vertices.collect(), faces.collect());
        meshes.insert(path, Arc::new(mesh.map_err(|error| refused(&error))?));
    }
    Ok(meshes)
}

#[pymethods]
impl Scene {
    /// Reads a file or a folder; the built-in example where there is none.
    #[staticmethod]
    fn load(py: Python<'_>, path: Option<PathBuf>, taken: Taken) -> PyResult<Self> {
        let read = || {
            let options = LoadOptions {
                packages: taken.packages.clone(),
                ..LoadOptions::default()
            };
            let scene = path.as_deref().map(|path| load(path, &options));
            taken.read(scene.unwrap_or_else(example::scene)?)
        };
        let read = py.detach(|| kept_pool(0).map(|pool| pool.install(read)))?;
        let read = Arc::new(read.map_err(|error| refused(&error))?);
        Ok(Self { read })
    }

    /// The text of a scene file or of a URDF, as the extension of `path` says, with the meshes in memory that it names.
    #[staticmethod]
    fn from_text(
        py: Python<'_>,
        path: PathBuf,
        text: &str,
        meshes: Vec<GivenMesh<'_>>,
        taken: Taken,
    ) -> PyResult<Self> {
        let options = LoadOptions {
            meshes: in_memory(&meshes)?,
            packages: taken.packages.clone(),
            ..LoadOptions::default()
        };
        let read = || taken.read(load_text(text, &path, &options)?);
        let read = py.detach(|| kept_pool(0).map(|pool| pool.install(read)))?;
        let read = Arc::new(read.map_err(|error| refused(&error))?);
        Ok(Self { read })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.read.scene.name
    }

    #[getter]
    fn unit(&self) -> Option<&str> {
        self.read.scene.unit.as_deref()
    }

    /// The names of the bodies.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        let bodies = self.read.bodies.iter();
        bodies.map(|body| body.name.as_str()).collect()
    }

    /// How many pairs of bodies a check looks at, leaves out as neighbours, and leaves out because a file says so.
    #[getter]
    fn pair_counts(&self) -> (usize, usize, usize) {
        let pairs = &self.read.pairs;
        (pairs.considered, pairs.adjacent, pairs.disabled)
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.read.warnings.clone()
    }

    /// Checks all pairs in the states of a robot; in the zero state where none are given. A state that is wrong is an error.
    fn check(
        &self,
        py: Python<'_>,
        states: Option<States<'_>>,
        wanted: Wanted,
        threads: usize,
    ) -> PyResult<Report> {
        let read = Arc::clone(&self.read);
        let values = match &states {
            Some(states) => states.all(&read.scene)?,
            None => gjk_check::states::States::zero(&read.scene)
                .values()
                .to_vec(),
        };
        let criteria = wanted.criteria();
        let stop = AtomicBool::new(false);
        let pool = kept_pool(threads)?;
        let result = interruptible(py, &stop, || {
            let states = gjk_check::states::States::new(&read.scene, values.clone());
            let check = Check::new(&read.bodies, &read.pairs).criteria(criteria);
            pool.install(|| check.stop(&stop).run(&states))
        })?;
        let result = result.map_err(|error| refused(&error))?;
        if result.is_partial {
            return Err(PyKeyboardInterrupt::new_err(()));
        }
        Ok(Report {
            read,
            values,
            criteria,
            result,
        })
    }
}

/// The robot of a scene.
pub(crate) fn robot(scene: &gjk_scene::Scene) -> PyResult<&Robot> {
    scene.robot.as_ref().ok_or_else(|| {
        GjkError::new_err(format!(
            "`{}` is no robot (URDF): it has no states",
            scene.name
        ))
    })
}
