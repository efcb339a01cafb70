//! The call that answers rows of gradients.

use crate::given::length_of;
use crate::motions::{GivenMotionPair, motion_rows};
use crate::run::BODIES;
use crate::shape_set::ShapeSet;
use crate::single_rows::{
    GivenPair, GivenTwo, IntervalColumns, NamedArrays, NamedColumns, SingleCall, both_bodies,
    flattened, lengths,
};
use crate::space::{PySpace, SetOf};
use gjk::Vector;
use gjk::query::GradientVertex;
use gjk_batch::rows::{GradientColumns, ask_gradients, ways_to_move};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Columns for gradients.
struct GradientTable<V: Vector> {
    verdicts: Vec<u8>,
    exact: Vec<bool>,
    signed_distances: IntervalColumns,
    vectors: [Vec<f64>; 3],
    unique: Vec<bool>,
    by_pose: [Vec<f64>; 2],
    along: IntervalColumns,
    along_inside: IntervalColumns,
    vertices: Vec<Vec<GradientVertex<V>>>,
}

impl<V: PySpace> GradientTable<V> {
    fn new(rows: usize) -> Self {
        Self {
            verdicts: vec![0; rows],
            exact: vec![false; rows],
            signed_distances: IntervalColumns::new(rows),
            vectors: [0; 3].map(|_| vec![0.0; rows * V::DIM]),
            unique: vec![false; rows],
            by_pose: [0; 2].map(|_| vec![0.0; rows * ways_to_move(V::DIM)]),
            along: IntervalColumns::new(rows),
            along_inside: IntervalColumns::new(rows),
            vertices: vec![Vec::new(); rows],
        }
    }

    fn columns(&mut self) -> GradientColumns<'_, V> {
        let [normals, points_a, points_b] = self.vectors.each_mut();
        let [by_a, by_b] = self.by_pose.each_mut();
        GradientColumns {
            verdicts: &mut self.verdicts,
            exact: &mut self.exact,
            signed_distances: self.signed_distances.ends(),
            normals,
            points_a,
            points_b,
            unique: &mut self.unique,
            by_a,
            by_b,
            along: self.along.ends(),
            along_inside: self.along_inside.ends(),
            vertices: &mut self.vertices,
        }
    }

    fn named(self, py: Python<'_>, is_rated: bool) -> PyResult<Bound<'_, PyDict>> {
        let named = NamedArrays::new(py);
        named.put("verdict", self.verdicts)?;
        named.put("exact", self.exact)?;
        named.put_ends(["lower", "upper"], self.signed_distances)?;
        let names = ["normal", "point_a", "point_b"];
        for (name, column) in names.into_iter().zip(self.vectors) {
            named.put_rows(name, column, V::DIM)?;
        }
        named.put("unique", self.unique)?;
        for (name, column) in ["gradient_a", "gradient_b"].into_iter().zip(self.by_pose) {
            named.put_rows(name, column, ways_to_move(V::DIM))?;
        }
        let columns = [
            (["along_lower", "along_upper"], self.along),
            (
                ["along_inside_lower", "along_inside_upper"],
                self.along_inside,
            ),
        ];
        for (ends, column) in columns {
            if is_rated {
                named.put_ends(ends, column)?;
                continue;
            }
            for name in ends {
                named.0.set_item(name, py.None())?;
            }
        }
        let (offsets, vertices) = flattened(self.vertices)?;
        named.put("vertex_offsets", offsets)?;
        let all = vertices.iter();
        named.put_vectors("vertex_normal", all.clone().map(|of| of.normal))?;
        named.put_vectors("vertex_point_a", all.clone().map(|of| of.point_a))?;
        named.put_vectors("vertex_point_b", all.map(|of| of.point_b))?;
        Ok(named.0)
    }
}

/// Answers rows of gradients: `pair` are two shapes and their poses, `along` the motions of both, if a rate is asked for.
#[pyfunction]
pub(crate) fn answer_gradients<'py>(
    py: Python<'py>,
    shapes: &Bound<'py, PyAny>,
    pair: GivenPair<'py>,
    along: Option<GivenTwo<'py>>,
    errors: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
) -> PyResult<NamedColumns<'py>> {
    let (shapes, call) = (SetOf::new(shapes)?, SingleCall::new(errors, threads)?);
    let along = along.as_ref().map(|(a, b)| [a.as_ref(), b.as_ref()]);
    match shapes {
        SetOf::Plane(shapes) => gradients(py, shapes, &pair, along, &call),
        SetOf::Space(shapes) => gradients(py, shapes, &pair, along, &call),
    }
}

fn gradients<'py, V: PySpace>(
    py: Python<'py>,
    shapes: &ShapeSet<V>,
    pair: &GivenPair<'py>,
    along: Option<[Option<&Bound<'py, PyAny>>; 2]>,
    call: &SingleCall,
) -> PyResult<NamedColumns<'py>> {
    let bodies = both_bodies::<V>(pair)?;
    let motions = GivenMotionPair::new::<V>(["along[0]", "along[1]"], along.unwrap_or_default())?;
    let rows = length_of(&lengths(&bodies, motions.lengths()))?;
    let lent = motions.lent(py, shapes)?;
    let (of_a, of_b) = (motion_rows::<V>(&lent[0])?, motion_rows::<V>(&lent[1])?);
    let is_rated = along.is_some();
    let rated = is_rated.then_some([&of_a, &of_b]);
    let ([a, b], set) = ([bodies[0].lent(py)?, bodies[1].lent(py)?], shapes.read());
    let (a, b) = (a.rows::<V>()?, b.rows::<V>()?);
    let mut table = GradientTable::new(rows);
    let columns = table.columns();
    let wrong = call.run(py, rows, BODIES, |options| {
        ask_gradients(&set, [&a, &b], rated, options, columns)
    })?;
    Ok((table.named(py, is_rated)?, wrong))
}
