//! Each search of a hull's highest vertex by itself, for measurements: `cargo xtask sweep` shows where one overtakes the other.
//!
//! Where it sits: beside [`super::Polytope`], which chooses between `scan.rs` and `climb.rs` by the number of vertices. Not
//! part of the public interface.

use super::climb::{self, Graph};
use super::error::ShapeError;
use super::polytope::extreme_points;
use super::primitive::extent;
use super::scan::Columns;
use crate::math::Vector;
use alloc::vec::Vec;

/// A hull with both searches, whatever its size. Its vertex ids are those of the [`super::Polytope`] of the same points.
#[doc(hidden)]
#[derive(Debug)]
pub struct Searches<V: Vector> {
    vertices: Vec<V>,
    extent: [f64; 3],
    columns: Columns,
    graph: Option<Graph>,
}

impl<V: Vector> Searches<V> {
    /// The hull of finite points.
    ///
    /// # Errors  no points.
    pub fn new(points: &[V]) -> Result<Self, ShapeError> {
        let wide: Vec<[f64; 3]> = points.iter().map(|p| p.to_f64()).collect();
        let extreme = extreme_points(V::DIM, &wide).ok_or(ShapeError::Empty {
            field: "points".into(),
        })?;
        let vertices: Vec<V> = extreme.source.iter().map(|&i| points[i as usize]).collect();
        let columns = Columns::new(V::DIM, vertices.len(), |i| vertices[i].to_f64());
        let graph = extreme.edges.map(|edges| Graph::new(&vertices, edges));
        Ok(Self {
            extent: extent(&vertices).to_f64(),
            vertices,
            columns,
            graph,
        })
    }

    /// By looking at every vertex.
    pub fn scan(&self, direction: [f64; 3]) -> u32 {
        self.columns.highest(direction)
    }

    /// Along the edges, from the table or from `hint`; `None` where it gives up.
    pub fn climb(&self, direction: [f64; 3], hint: u32) -> Option<u32> {
        let band = climb::band(self.extent, direction);
        self.graph
            .as_ref()?
            .highest(&self.vertices, direction, band, hint)
    }
}
