//! Robots, meshes, scenes and query lines: files in, plain numbers out.
//!
//! Where it sits: the CLI, the viewer and the Python module read files through this crate and hand the numbers to `gjk`.
//! **Invariant:** this crate knows formats and kinematics, and no algorithm: no hulls, no distances.
//! **Invariant:** no input panics; what cannot be read is an error that names file, place and element, and what is left out is a
//! warning.
#![forbid(unsafe_code)]

mod affine;
mod document;
mod error;
mod format;
mod gradient;
mod json;
#[cfg(feature = "schema")]
mod line_schema;
mod manifold;
mod mesh;
mod motion;
mod numbers;
mod placed;
mod pose;
mod query;
mod robot;
mod scene;
mod scene_file;
mod schema;
mod shape_list;
mod text;
mod twist;
mod value;
mod warnings;
mod xml;
#[cfg(feature = "yaml")]
mod yaml;

pub use affine::Affine;
pub use error::{QueryError, QueryErrorKind, SceneError, SceneErrorKind};
pub use gradient::{AlongSpec, GradientExpectSpec, GradientOptionsSpec, GradientQuerySpec};
#[cfg(feature = "schema")]
pub use line_schema::line_schema_json;
pub use manifold::{
    AllWord, ManifoldExpectSpec, ManifoldKindSpec, ManifoldOptionsSpec, ManifoldQuerySpec,
    POINTS_WANTED, PointsSpec, TILT_COSINES,
};
pub use mesh::{MESH_EXTENSIONS, Mesh, load_mesh, read_mesh};
pub use motion::{
    AnyLine, AnyQuery, MeetingSpec, MotionExpectSpec, MotionOptionsSpec, MotionQuerySpec,
    MoverSide, MoverSpec, MovingBodySpec, RaySpec, StartSpec, TouchSpec, VelocitySpec, read_line,
};
pub use numbers::{NumberVisitor, Place};
pub use placed::Attachment;
pub use pose::{PoseSpec, QUATERNION_TOLERANCE, RotationSpec};
pub use query::{
    ExpectSpec, OptionsSpec, QueryKind, QueryLine, QuerySpec, ScalarKind, VerdictSpec,
    read_query_line,
};
pub use robot::package::Packages;
pub use robot::{
    AdjacentPair, Collision, CollisionGeometry, DisabledPair, DisabledReason, EdgesFile,
    GroupState, Joint, JointKind, JointLimits, JointRange, LimitSet, Limits, LimitsFile, Link,
    LinkRole, Mimic, Robot, Srdf, SrdfEdit, StateEdge, States, Trajectory, TrajectoryFile,
    TrajectoryPoint, WantedPair, read_edges, read_limits, read_srdf, read_states,
    read_trajectories, read_urdf, write_srdf,
};
pub use scene::{Body, Geometry, LoadOptions, Part, Scene, load, load_text, load_watched};
#[cfg(feature = "schema")]
pub use scene_file::schema_json;
pub use scene_file::{MeshPartSpec, PartSpec, SceneBodySpec, SceneFileSpec};
pub use schema::{Axis, BodySpec, ShapeSpec};
pub use shape_list::{read_shapes, read_shapes_of, write_shapes};
pub use text::{be, counted};
pub use twist::{AngularSpec, BodyMotionSpec, InterpolationSpec, TurningBodySpec, TwistSpec};
