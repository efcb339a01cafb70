//! Shapes made of shapes: Minkowski sum, hull of several, affine image.
//!
//! Numbers: radii, extents and centres are computed in the shape's scalar, points in `f64`.

use super::Shape;
use super::error::ShapeError;
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::{Core, NO_ID, Piece, Support, SupportPoint, error_in_local_frame, swept};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The Minkowski sum `{x + y}` of two shapes. Vertex `(i, j)` has id `i · m + j`, with `m` the second's vertex count.
///
/// A sum's vertices are rounded sums of floats; its verdicts are exact for those.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum<V: Vector> {
    parts: Box<[Shape<V>; 2]>,
    /// The parts' vertices, if both are numbered and their pairs can be.
    counts: Option<[u32; 2]>,
}

impl<V: Vector> Sum<V> {
    /// The sum of two shapes.
    pub fn new(first: Shape<V>, second: Shape<V>) -> Self {
        let counts = [&first, &second].map(|part| part.core().vertex_count);
        let counts = match counts {
            [Some(n), Some(m)] => {
                let fits = n.checked_mul(m).is_some_and(|count| count < NO_ID);
                fits.then_some([n, m])
            }
            _ => None,
        };
        Self {
            parts: Box::new([first, second]),
            counts,
        }
    }
}

impl<V: Vector> Support<V> for Sum<V> {
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        let [x, y] = [&self.parts[0], &self.parts[1]].map(|part| part.support(direction, NO_ID));
        let id = match self.counts {
            Some([_, m]) if ![x.id, y.id].contains(&NO_ID) => x.id * m + y.id,
            _ => NO_ID,
        };
        SupportPoint {
            point: x.point + y.point,
            id,
        }
    }
    #[inline(never)] // its parts may be sums
    fn core(&self) -> Core<'_, V> {
        let [a, b] = [self.parts[0].core(), self.parts[1].core()];
        let sum = |a: V::Wide, b: V::Wide| (a.lift::<V>() + b.lift::<V>()).lift();
        let [radius_a, radius_b] = [a.radius, b.radius].map(V::Scalar::from_f64);
        Core {
            radius: (radius_a + radius_b).to_f64(),
            vertex_count: self.counts.map(|[n, m]| n * m),
            ..Core::new(sum(a.center, b.center), sum(a.extent, b.extent))
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        let [_, m] = self.counts.filter(|&[_, m]| m > 0)?;
        Some(self.parts[0].vertex(id / m)? + self.parts[1].vertex(id % m)?)
    }
}

/// The convex hull of several shapes. When all radii are equal they stay outside the core.
#[derive(Clone, Debug, PartialEq)]
pub struct HullOf<V: Vector> {
    parts: Vec<Part<V>>,
    radius: V::Scalar,
    /// All vertices, if all parts are numbered and sharp but for the common radius.
    vertex_count: Option<u32>,
}

/// A shape in a hull.
#[derive(Clone, Debug, PartialEq)]
struct Part<V: Vector> {
    shape: Shape<V>,
    /// The radius that is not swept outside the hull's core.
    inner_radius: V::Scalar,
    vertex_count: Option<u32>,
}

impl<V: Vector> HullOf<V> {
    /// The hull of at least one shape.
    ///
    /// # Errors  no shapes.
    pub fn new(parts: Vec<Shape<V>>) -> Result<Self, ShapeError> {
        let radius_of = |part: &Shape<V>| V::Scalar::from_f64(part.core().radius);
        let first = parts
            .first()
            .map(radius_of)
            .ok_or(ShapeError::Empty { field: "of".into() })?;
        let same = parts.iter().all(|part| radius_of(part) == first);
        let radius = if same { first } else { V::Scalar::ZERO };
        let part = |shape: Shape<V>| Part {
            inner_radius: radius_of(&shape) - radius,
            vertex_count: shape.core().vertex_count,
            shape,
        };
        let parts: Vec<Part<V>> = parts.into_iter().map(part).collect();
        let vertex_count = parts.iter().try_fold(0u32, |sum, part| {
            let sharp = part.inner_radius == V::Scalar::ZERO;
            sum.checked_add(part.vertex_count.filter(|_| sharp)?)
        });
        Ok(Self {
            parts,
            radius,
            vertex_count,
        })
    }
}

impl<V: Vector> Support<V> for HullOf<V> {
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        let mut offset = 0;
        let mut best: Option<(f64, SupportPoint<V::Wide>)> = None;
        for part in &self.parts {
            let core = part.shape.support(direction, NO_ID);
            let mut found = swept(core, part.inner_radius.to_f64(), direction);
            found.id = if found.id == NO_ID {
                NO_ID
            } else {
                offset + found.id
            };
            offset += part.vertex_count.unwrap_or(0);
            let height = found.point.dot(direction);
            if best.is_none_or(|(b, _)| height > b) {
                best = Some((height, found));
            }
        }
        // At least one part, by construction.
        let mut found = best.map_or(
            SupportPoint {
                point: V::Wide::ZERO,
                id: NO_ID,
            },
            |(_, found)| found,
        );
        if self.vertex_count.is_none() {
            found.id = NO_ID;
        }
        found
    }
    #[inline(never)] // its parts may be hulls of several
    fn core(&self) -> Core<'_, V> {
        let extent = self.parts.iter().fold(V::ZERO, |m, part| {
            let e: V = part.shape.core().extent.lift();
            V::from_fn(|k| m.component(k).max(e.component(k) + part.inner_radius))
        });
        Core {
            radius: self.radius.to_f64(),
            vertex_count: self.vertex_count,
            ..Core::new(self.parts[0].shape.core().center, extent.lift())
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        let mut rest = id;
        for part in &self.parts {
            let count = part.vertex_count?;
            if rest < count {
                return part.shape.vertex(rest);
            }
            rest -= count;
        }
        None
    }
}

/// A shape under an affine map: scaled, sheared, mirrored, rotated or moved within its parent's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Affine<V: Vector> {
    shape: Box<Shape<V>>,
    pose: Pose<V>,
    /// The shape's radius when the map does not keep balls round.
    inner_radius: V::Scalar,
}

impl<V: Vector> Affine<V> {
    /// `shape` placed by `pose`.
    ///
    /// # Errors  a map that is singular or not finite.
    pub fn new(shape: Shape<V>, pose: Pose<V>) -> Result<Self, ShapeError> {
        if !pose.is_valid() {
            return Err(ShapeError::Singular {
                field: "pose".into(),
            });
        }
        Ok(Self {
            inner_radius: if pose.uniform_scale().is_some() {
                V::Scalar::ZERO
            } else {
                V::Scalar::from_f64(shape.core().radius)
            },
            shape: Box::new(shape),
            pose,
        })
    }
}

impl<V: Vector> Support<V> for Affine<V> {
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        let pose: Pose<V::Wide> = self.pose.lift();
        let local = pose.direction_to_local(direction);
        let found = swept(
            self.shape.support(local, hint),
            self.inner_radius.to_f64(),
            local,
        );
        SupportPoint {
            point: pose.point(found.point),
            id: found.id,
        }
    }
    #[inline(never)] // its shape may be an image
    fn core(&self) -> Core<'_, V> {
        let (core, inner) = (self.shape.core(), self.inner_radius);
        let (extent, center): (V, V) = (core.extent.lift(), core.center.lift());
        let reach = self.pose.bound(V::from_fn(|k| extent.component(k) + inner));
        let extent = V::from_fn(|k| reach + self.pose.translation().component(k).abs());
        let radius = V::Scalar::from_f64(core.radius);
        let scaled = |scale: V::Scalar| (radius * scale).to_f64();
        Core {
            radius: self.pose.uniform_scale().map_or(0.0, scaled),
            vertex_count: core.vertex_count.filter(|_| inner == V::Scalar::ZERO),
            ..Core::new(self.pose.point(center).lift(), extent.lift())
        }
    }
    fn piece(&self, direction: V::Wide, hint: u32) -> Option<Piece<V::Wide>> {
        let pose: Pose<V::Wide> = self.pose.lift();
        let piece = self.shape.piece(pose.direction_to_local(direction), hint)?;
        Some(piece.swept(self.inner_radius.to_f64())?.posed(&pose))
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.shape
            .vertex(id)
            .map(|x| self.pose.lift::<V::Wide>().point(x))
    }
    fn end_vertex(&self, id: u32) -> Option<V::Wide> {
        self.shape
            .end_vertex(id)
            .map(|x| self.pose.lift::<V::Wide>().point(x))
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        let (direction, error, slack) =
            error_in_local_frame(&self.pose.lift(), direction, error, slack);
        self.shape.highest_vertices(direction, error, slack, found)
    }
}
