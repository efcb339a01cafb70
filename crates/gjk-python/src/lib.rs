//! The module `gjk._gjk`: shapes by index, meshes, and the queries over columns of numpy; scenes, robots and their reports; the command.
//!
//! Where it sits: below `python/gjk`, which turns what a caller gives into columns and names what comes back. Nothing here is meant to be called
//! by users, and no rule of geometry stands here.
//! Idea: arrays are read as slices and written as new arrays; the interpreter's lock is free while rows are answered.

mod answers;
mod certificate;
mod command;
mod drawn;
mod given;
mod gradient_rows;
mod hits;
mod manifold_rows;
mod mesh_manifolds;
mod mesh_motions;
mod mesh_shapes;
mod meshes;
mod motion_rows;
mod motions;
mod planar;
mod poses;
mod report;
mod robot;
mod robot_matrix;
mod robot_path;
mod robot_states;
mod run;
mod scene;
mod shape_set;
mod shapes;
mod single;
mod single_rows;
mod space;

use pyo3::prelude::*;

#[allow(missing_docs)] // what the macros write
mod errors {
    use pyo3::create_exception;
    use pyo3::exceptions::PyValueError;

    create_exception!(
        gjk,
        GjkError,
        PyValueError,
        "What is wrong with a call; the base of the module's errors."
    );
    create_exception!(
        gjk,
        ShapeError,
        GjkError,
        "A shape that cannot be built: `args` are the text, the field and the kind of fault."
    );
    create_exception!(
        gjk,
        RowError,
        GjkError,
        "A row that is wrong: `args` are the text, the row and the body, `a` or `b`; of the states of a robot the text and the row."
    );
    create_exception!(
        gjk,
        SceneError,
        GjkError,
        "A scene, robot or mesh that cannot be read: `args` are the text with what to do, the file, the line and the kind of fault."
    );
}

#[pymodule]
mod _gjk {
    #[pymodule_export]
    use super::answers::Answers;
    #[pymodule_export]
    use super::certificate::{Certificate, certificate};
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::drawn::{drawn_shape, matrix_of_row};
    #[pymodule_export]
    use super::errors::{GjkError, RowError, SceneError, ShapeError};
    #[pymodule_export]
    use super::given::{
        as_numbers, check_errors, common_length, count_of_threads, ids, vectors, whole_of,
    };
    #[pymodule_export]
    use super::gradient_rows::answer_gradients;
    #[pymodule_export]
    use super::hits::order_hits;
    #[pymodule_export]
    use super::manifold_rows::{ManifoldCaches, answer_manifolds};
    #[pymodule_export]
    use super::mesh_manifolds::answer_mesh_manifolds;
    #[pymodule_export]
    use super::mesh_motions::{answer_mesh_motions, answer_mesh_rays};
    #[pymodule_export]
    use super::mesh_shapes::answer_mesh_shape_rows;
    #[pymodule_export]
    use super::meshes::{Mesh, answer_mesh_rows};
    #[pymodule_export]
    use super::motion_rows::{answer_casts, answer_rays, answer_tois, motion_stops};
    #[pymodule_export]
    use super::motions::{Motions, PlanarMotions};
    #[pymodule_export]
    use super::planar::{PlanarPoses, PlanarShapes};
    #[pymodule_export]
    use super::poses::{Poses, as_poses};
    #[pymodule_export]
    use super::report::Report;
    #[pymodule_export]
    use super::robot::{answer_states, robot_joints, robot_links, robot_poses, robot_sample};
    #[pymodule_export]
    use super::robot_matrix::robot_matrix;
    #[pymodule_export]
    use super::robot_path::{robot_edges, robot_path};
    #[pymodule_export]
    use super::robot_states::robot_states;
    #[pymodule_export]
    use super::run::{answer_rows, instruction_set};
    #[pymodule_export]
    use super::scene::Scene;
    #[pymodule_export]
    use super::shapes::Shapes;
    #[pymodule_export]
    use super::single::{
        Pose, Shape, mesh_contact, mesh_distance, mesh_escape, mesh_meetings, shape_contact,
        shape_impact, shape_sweep, shape_verdict,
    };

    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
