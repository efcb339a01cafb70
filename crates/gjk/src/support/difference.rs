//! The Minkowski difference of two bodies, and their vertices as the exact layer reads them.

use super::function::{NO_ID, Support};
use super::posed::Posed;
use crate::math::{Vector, Vector64};
use crate::vertices::Scan;
use core::marker::PhantomData;

/// The numbered vertices of a body, as the exact layer reads them: computed at each read, none stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertices<'a, V, S: ?Sized> {
    body: &'a S,
    count: u32,
    vector: PhantomData<V>,
}

impl<'a, V: Vector64, S: Support<V> + ?Sized> Vertices<'a, V, S> {
    /// The vertices of a hull of so many; `None` for other bodies.
    pub(crate) fn of(body: &'a S, vertex_count: Option<u32>) -> Option<Self> {
        let count = vertex_count.filter(|&n| n > 0)?;
        Some(Self {
            body,
            count,
            vector: PhantomData,
        })
    }
}

impl<V: Vector64, S: Support<V> + ?Sized> gjk_exact::Points for Vertices<'_, V, S> {
    fn count(&self) -> u32 {
        self.count
    }
    fn point(&self, index: u32) -> [f64; 3] {
        self.body.vertex(index).unwrap_or(V::ZERO).to_f64()
    }
    fn farthest(&self, direction: [f64; 3], error: [f64; 3], found: &mut [u32]) -> Option<usize> {
        self.body
            .highest_vertices(V::from_f64(direction), V::from_f64(error), 0.0, found)
    }
}

/// A point of the Minkowski difference with the points that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SupportPair<V> {
    /// The point on A.
    pub a: V,
    /// The point on B.
    pub b: V,
    /// `a − b`.
    pub w: V,
    /// Vertex ids on A and B, [`NO_ID`] where smooth.
    pub ids: [u32; 2],
}

impl<V: Vector> SupportPair<V> {
    /// The pair for exact signs: of the difference `a − b` itself, not of its rounded value.
    pub fn exact(&self) -> gjk_exact::Vertex {
        gjk_exact::Vertex::new(self.ids, self.a.to_f64(), self.b.to_f64())
    }

    /// True when both are numbered vertices and the same ones, or smooth and equal.
    pub fn same(&self, other: &Self) -> bool {
        if self.ids.contains(&NO_ID) {
            self.w == other.w
        } else {
            self.ids == other.ids
        }
    }
}

/// The Minkowski difference `A − B` of two bodies in one frame, in `f64`: bodies of another scalar take part as [`Posed`].
#[derive(Clone, Copy, Debug)]
pub struct MinkowskiDifference<A, B> {
    /// A in the pair's frame.
    pub a: A,
    /// B in the pair's frame.
    pub b: B,
}

impl<A, B> MinkowskiDifference<A, B> {
    /// The pair farthest along `direction`.
    pub fn support_pair<V: Vector64>(&self, direction: V) -> SupportPair<V>
    where
        A: Support<V>,
        B: Support<V>,
    {
        self.support_pair_from(direction, [NO_ID; 2])
    }

    /// [`MinkowskiDifference::support_pair`] from the ids of a pair not far from the answer: see the hint of
    /// [`Support::support`].
    #[inline(always)]
    pub fn support_pair_from<V: Vector64>(&self, direction: V, hints: [u32; 2]) -> SupportPair<V>
    where
        A: Support<V>,
        B: Support<V>,
    {
        if let (Some(a), Some(b)) = (self.a.scan(direction), self.b.scan(-direction))
            && let Some(pair) = self.vertex_pair(Scan::both(a, b))
        {
            return pair;
        }
        let a = self.a.support(direction, hints[0]);
        let b = self.b.support(-direction, hints[1]);
        SupportPair {
            a: a.point,
            b: b.point,
            w: a.point - b.point,
            ids: [a.id, b.id],
        }
    }

    /// The pair of two numbered vertices, if both exist.
    #[inline(always)]
    pub fn vertex_pair<V: Vector64>(&self, ids: [u32; 2]) -> Option<SupportPair<V>>
    where
        A: Support<V>,
        B: Support<V>,
    {
        let (a, b) = (self.a.vertex(ids[0])?, self.b.vertex(ids[1])?);
        Some(SupportPair {
            a,
            b,
            w: a - b,
            ids,
        })
    }
}

impl<V: Vector, A, B> MinkowskiDifference<Posed<'_, V, A>, Posed<'_, V, B>>
where
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    /// True when both cores are hulls of numbered vertices.
    #[inline(always)]
    pub fn is_polytope(&self) -> bool {
        self.a.vertex_count().is_some() && self.b.vertex_count().is_some()
    }

    /// The sum of the swept radii.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.a.radius() + self.b.radius()
    }
}
