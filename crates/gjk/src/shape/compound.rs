//! Shapes made of shapes: Minkowski sum, hull of several, affine image.

use super::Shape;
use super::error::ShapeError;
use super::round::lift;
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::{NO_ID, Support, SupportPoint, asked_inside, swept};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The Minkowski sum `{x + y}` of two shapes. Vertex `(i, j)` has id `i · m + j`, with `m` the second's vertex count.
///
/// A sum's vertices are rounded sums of floats; its verdicts are exact for those.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum<V: Vector> {
    parts: Box<[Shape<V>; 2]>,
}

impl<V: Vector> Sum<V> {
    /// The sum of two shapes.
    pub fn new(first: Shape<V>, second: Shape<V>) -> Self {
        Self {
            parts: Box::new([first, second]),
        }
    }

    fn id(&self, ids: [u32; 2]) -> u32 {
        let numbered = self.vertex_count().is_some() && !ids.contains(&NO_ID);
        if numbered {
            ids[0] * self.parts[1].vertex_count().unwrap_or(0) + ids[1]
        } else {
            NO_ID
        }
    }
}

impl<V: Vector> Sum<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        let [x, y] = [&self.parts[0], &self.parts[1]].map(|part| part.support_in(direction));
        SupportPoint {
            point: x.point + y.point,
            id: self.id([x.id, y.id]),
        }
    }
}

impl<V: Vector> Sum<V> {
    pub(super) fn vertex_in<W: Vector>(&self, id: u32) -> Option<W> {
        let m = self.parts[1].vertex_count().filter(|&m| m > 0)?;
        Some(self.parts[0].vertex_in::<W>(id / m)? + self.parts[1].vertex_in(id % m)?)
    }
}

impl<V: Vector> Support<V> for Sum<V> {
    support_in_any_scalar!();
    fn radius(&self) -> V::Scalar {
        self.parts[0].radius() + self.parts[1].radius()
    }
    fn vertex_count(&self) -> Option<u32> {
        let count = self.parts[0]
            .vertex_count()?
            .checked_mul(self.parts[1].vertex_count()?)?;
        (count < NO_ID).then_some(count)
    }
    vertex_in_any_scalar!();
    fn extent(&self) -> V {
        self.parts[0].extent() + self.parts[1].extent()
    }
    fn center(&self) -> V {
        self.parts[0].center() + self.parts[1].center()
    }
}

/// The convex hull of several shapes. When all radii are equal they stay outside the core.
#[derive(Clone, Debug, PartialEq)]
pub struct HullOf<V: Vector> {
    parts: Vec<Shape<V>>,
    radius: V::Scalar,
}

impl<V: Vector> HullOf<V> {
    /// The hull of at least one shape.
    ///
    /// # Errors  no shapes.
    pub fn new(parts: Vec<Shape<V>>) -> Result<Self, ShapeError> {
        let first = parts
            .first()
            .ok_or(ShapeError::Empty { field: "of".into() })?
            .radius();
        let same = parts.iter().all(|part| part.radius() == first);
        Ok(Self {
            radius: if same { first } else { V::Scalar::ZERO },
            parts,
        })
    }

    /// The radius of a part that is not swept outside the core.
    fn inner_radius(&self, part: &Shape<V>) -> V::Scalar {
        part.radius() - self.radius
    }
}

impl<V: Vector> HullOf<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        let mut offset = 0;
        let mut best: Option<(W::Scalar, SupportPoint<W>)> = None;
        for part in &self.parts {
            let mut found = swept(
                part.support_in(direction),
                lift(self.inner_radius(part)),
                direction,
            );
            found.id = if found.id == NO_ID {
                NO_ID
            } else {
                offset + found.id
            };
            offset += part.vertex_count().unwrap_or(0);
            let height = found.point.dot(direction);
            if best.is_none_or(|(b, _)| height > b) {
                best = Some((height, found));
            }
        }
        // At least one part, by construction.
        let mut found = best.map_or(
            SupportPoint {
                point: W::ZERO,
                id: NO_ID,
            },
            |(_, found)| found,
        );
        if self.vertex_count().is_none() {
            found.id = NO_ID;
        }
        found
    }
}

impl<V: Vector> HullOf<V> {
    pub(super) fn vertex_in<W: Vector>(&self, id: u32) -> Option<W> {
        let mut rest = id;
        for part in &self.parts {
            let count = part.vertex_count()?;
            if rest < count {
                return part.vertex_in(rest);
            }
            rest -= count;
        }
        None
    }
}

impl<V: Vector> Support<V> for HullOf<V> {
    support_in_any_scalar!();
    fn radius(&self) -> V::Scalar {
        self.radius
    }
    fn vertex_count(&self) -> Option<u32> {
        self.parts.iter().try_fold(0u32, |sum, part| {
            let sharp = self.inner_radius(part) == V::Scalar::ZERO;
            sum.checked_add(part.vertex_count().filter(|_| sharp)?)
        })
    }
    vertex_in_any_scalar!();
    fn extent(&self) -> V {
        self.parts.iter().fold(V::ZERO, |m, part| {
            let (e, r) = (part.extent(), self.inner_radius(part));
            V::from_fn(|k| m.component(k).max(e.component(k) + r))
        })
    }
    fn center(&self) -> V {
        self.parts[0].center()
    }
}

/// A shape under an affine map: scaled, sheared, mirrored, rotated or moved within its parent's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Affine<V: Vector> {
    shape: Box<Shape<V>>,
    pose: Pose<V>,
}

impl<V: Vector> Affine<V> {
    /// `shape` placed by `pose`.
    ///
    /// # Errors  a map that is singular or not finite.
    pub fn new(shape: Shape<V>, pose: Pose<V>) -> Result<Self, ShapeError> {
        let affine = Self {
            shape: Box::new(shape),
            pose,
        };
        if affine.pose.is_valid() {
            Ok(affine)
        } else {
            Err(ShapeError::Singular {
                field: "pose".into(),
            })
        }
    }

    /// The shape's radius when the map does not keep balls round.
    fn inner_radius(&self) -> V::Scalar {
        if self.pose.uniform_scale().is_some() {
            V::Scalar::ZERO
        } else {
            self.shape.radius()
        }
    }

    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        self.support_from(direction, NO_ID)
    }

    pub(super) fn support_from<W: Vector>(&self, direction: W, hint: u32) -> SupportPoint<W> {
        let pose: Pose<W> = self.pose.lift();
        let local = pose.direction_to_local(direction);
        let found = swept(
            self.shape.support_from(local, hint),
            lift(self.inner_radius()),
            local,
        );
        SupportPoint {
            point: pose.point(found.point),
            id: found.id,
        }
    }

    pub(super) fn vertex_in<W: Vector>(&self, id: u32) -> Option<W> {
        self.shape
            .vertex_in(id)
            .map(|x| self.pose.lift::<W>().point(x))
    }
}

impl<V: Vector> Support<V> for Affine<V> {
    support_in_any_scalar!();
    support_from_any_scalar!();
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        let (direction, error, slack) = asked_inside(&self.pose.lift(), direction, error, slack);
        self.shape.highest_vertices(direction, error, slack, found)
    }
    fn radius(&self) -> V::Scalar {
        self.pose
            .uniform_scale()
            .map_or(V::Scalar::ZERO, |scale| self.shape.radius() * scale)
    }
    fn vertex_count(&self) -> Option<u32> {
        if self.inner_radius() == V::Scalar::ZERO {
            self.shape.vertex_count()
        } else {
            None
        }
    }
    vertex_in_any_scalar!();
    fn extent(&self) -> V {
        let (extent, radius) = (self.shape.extent(), self.inner_radius());
        let reach = self
            .pose
            .bound(V::from_fn(|k| extent.component(k) + radius));
        V::from_fn(|k| reach + self.pose.translation().component(k).abs())
    }
    fn center(&self) -> V {
        self.pose.point(self.shape.center())
    }
}
