//! Round shapes. Ball, capsule and rounded shapes are a core plus a radius; cylinder, cone and ellipsoid are smooth, so
//! their answers are intervals and their verdicts never claim to be exact.

use super::Shape;
use super::error::{ShapeError, positive};
use crate::math::{Axis, Ring, Scalar, Vec3, Vector};
use crate::support::{Form, NO_ID, Revolution, Support, SupportPoint};
use alloc::boxed::Box;
use core::marker::PhantomData;

/// A ball (a disc in 2D) centred at the origin. Its core is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<V: Vector> {
    radius: V::Scalar,
    frame: PhantomData<V>,
}

impl<V: Vector> Ball<V> {
    /// A ball of this radius.
    ///
    /// # Errors  a radius that is not positive and finite; a ball of radius zero is a [`super::Point`].
    pub fn new(radius: V::Scalar) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: positive("radius", radius)?,
            frame: PhantomData,
        })
    }
}

impl<V: Vector> Ball<V> {
    pub(super) fn support_in<W: Vector>(&self, _: W) -> SupportPoint<W> {
        SupportPoint {
            point: W::ZERO,
            id: 0,
        }
    }
}

impl<V: Vector> Support<V> for Ball<V> {
    support_in_any_scalar!();
    fn revolution(&self) -> Option<Revolution<V>> {
        Some(Revolution {
            center: V::ZERO,
            axis: None,
        })
    }
    fn form(&self) -> Form<'_, V> {
        Form::Point(V::ZERO)
    }
    fn radius(&self) -> V::Scalar {
        self.radius
    }
    fn vertex_count(&self) -> Option<u32> {
        Some(1)
    }
    fn vertex(&self, id: u32) -> Option<V> {
        (id == 0).then_some(V::ZERO)
    }
    fn extent(&self) -> V {
        V::ZERO
    }
}

/// A capsule along an axis, centred at the origin; `half_height` leaves out the caps. Its core is a segment whose vertex
/// 0 is at the negative end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule<V: Vector> {
    half_height: V::Scalar,
    radius: V::Scalar,
    axis: usize,
}

impl<V: Vector> Capsule<V> {
    /// A capsule along an axis.
    ///
    /// # Errors  a size that is not positive and finite; [`Axis::Z`] in 2D. Without radius it is a
    /// [`super::Segment`], without height a [`Ball`].
    pub fn new(half_height: V::Scalar, radius: V::Scalar, axis: Axis) -> Result<Self, ShapeError> {
        Ok(Self {
            half_height: positive("half_height", half_height)?,
            radius: positive("radius", radius)?,
            axis: axis_of::<V>(axis)?,
        })
    }
}

/// The number of an axis that the dimension has.
fn axis_of<V: Vector>(axis: Axis) -> Result<usize, ShapeError> {
    let index = axis.index();
    if index < V::DIM {
        return Ok(index);
    }
    Err(ShapeError::OutOfRange {
        field: "axis".into(),
        value: index as f64,
        expected: "0 or 1",
    })
}

impl<V: Vector> Capsule<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        let up = direction.component(self.axis) >= W::Scalar::ZERO;
        let h: W::Scalar = lift(if up {
            self.half_height
        } else {
            -self.half_height
        });
        SupportPoint {
            point: W::axis(self.axis) * h,
            id: u32::from(up),
        }
    }
}

impl<V: Vector> Support<V> for Capsule<V> {
    support_in_any_scalar!();
    fn revolution(&self) -> Option<Revolution<V>> {
        Some(Revolution {
            center: V::ZERO,
            axis: Some(V::axis(self.axis)),
        })
    }
    fn radius(&self) -> V::Scalar {
        self.radius
    }
    fn form(&self) -> Form<'_, V> {
        let end = V::axis(self.axis) * self.half_height;
        Form::Segment([-end, end])
    }
    fn vertex_count(&self) -> Option<u32> {
        Some(2)
    }
    fn vertex(&self, id: u32) -> Option<V> {
        let end = V::axis(self.axis) * self.half_height;
        match id {
            0 => Some(-end),
            1 => Some(end),
            _ => None,
        }
    }
    fn extent(&self) -> V {
        V::axis(self.axis) * self.half_height
    }
    fn center(&self) -> V {
        V::ZERO
    }
}

/// A scalar over another type.
pub(super) fn lift<S: Scalar, T: Scalar>(x: S) -> T {
    T::from_f64(x.to_f64())
}

/// `d` without its component along `axis`, scaled to length `radius`; zero for a direction along the axis.
fn rim<V: Vector>(direction: V, axis: usize, radius: V::Scalar) -> V {
    let radial = V::from_fn(|k| {
        if k == axis {
            V::Scalar::ZERO
        } else {
            direction.component(k)
        }
    });
    radial.normalized().map_or(V::ZERO, |unit| unit * radius)
}

/// A cylinder along an axis, centred at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder<V: Vector> {
    half_height: V::Scalar,
    radius: V::Scalar,
    axis: usize,
}

impl<T: Scalar> Cylinder<Vec3<T>> {
    /// A cylinder along an axis.
    ///
    /// # Errors  a size that is not positive and finite.
    pub fn new(half_height: T, radius: T, axis: Axis) -> Result<Self, ShapeError> {
        Ok(Self {
            half_height: positive("half_height", half_height)?,
            radius: positive("radius", radius)?,
            axis: axis.index(),
        })
    }
}

impl<V: Vector> Cylinder<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        let up = direction.component(self.axis) >= W::Scalar::ZERO;
        let h: W::Scalar = lift(if up {
            self.half_height
        } else {
            -self.half_height
        });
        SupportPoint {
            point: rim(direction, self.axis, lift(self.radius)) + W::axis(self.axis) * h,
            id: NO_ID,
        }
    }
}

impl<V: Vector> Support<V> for Cylinder<V> {
    support_in_any_scalar!();
    fn revolution(&self) -> Option<Revolution<V>> {
        Some(Revolution {
            center: V::ZERO,
            axis: Some(V::axis(self.axis)),
        })
    }
    fn extent(&self) -> V {
        V::from_fn(|k| {
            if k == self.axis {
                self.half_height
            } else {
                self.radius
            }
        })
    }
    fn center(&self) -> V {
        V::ZERO
    }
}

/// A cone along an axis: apex at `+half_height`, base disc at `−half_height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone<V: Vector> {
    half_height: V::Scalar,
    radius: V::Scalar,
    axis: usize,
}

impl<T: Scalar> Cone<Vec3<T>> {
    /// A cone along an axis.
    ///
    /// # Errors  a size that is not positive and finite.
    pub fn new(half_height: T, radius: T, axis: Axis) -> Result<Self, ShapeError> {
        Ok(Self {
            half_height: positive("half_height", half_height)?,
            radius: positive("radius", radius)?,
            axis: axis.index(),
        })
    }
}

impl<V: Vector> Cone<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        let half_height: W::Scalar = lift(self.half_height);
        let base = rim(direction, self.axis, lift(self.radius)) - W::axis(self.axis) * half_height;
        let apex = W::axis(self.axis) * half_height;
        // The difference first: comparing two heights would lose the small one's digits.
        let point = if direction.dot(apex - base) >= W::Scalar::ZERO {
            apex
        } else {
            base
        };
        SupportPoint { point, id: NO_ID }
    }
}

impl<V: Vector> Support<V> for Cone<V> {
    support_in_any_scalar!();
    fn revolution(&self) -> Option<Revolution<V>> {
        Some(Revolution {
            center: V::ZERO,
            axis: Some(V::axis(self.axis)),
        })
    }
    fn extent(&self) -> V {
        V::from_fn(|k| {
            if k == self.axis {
                self.half_height
            } else {
                self.radius
            }
        })
    }
    fn center(&self) -> V {
        V::ZERO
    }
}

/// An ellipsoid (an ellipse in 2D) centred at the origin with half axes along the coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<V> {
    radii: V,
}

impl<V: Vector> Ellipsoid<V> {
    /// An ellipsoid with these half axes.
    ///
    /// # Errors  a radius that is not positive and finite.
    pub fn new(radii: V) -> Result<Self, ShapeError> {
        for k in 0..V::DIM {
            positive(&alloc::format!("radii[{k}]"), radii.component(k))?;
        }
        Ok(Self { radii })
    }
}

impl<V: Vector> Ellipsoid<V> {
    /// The common radius when all are equal: the core is then a point, and the verdict exact, as for a [`Ball`].
    fn common_radius(&self) -> Option<V::Scalar> {
        let first = self.radii.component(0);
        (1..V::DIM)
            .all(|k| self.radii.component(k) == first)
            .then_some(first)
    }

    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        if self.common_radius().is_some() {
            return SupportPoint {
                point: W::ZERO,
                id: 0,
            };
        }
        let radii: W = self.radii.lift();
        let scaled = W::from_fn(|k| direction.component(k) * radii.component(k));
        let unit = scaled.normalized().unwrap_or(W::axis(0));
        SupportPoint {
            point: W::from_fn(|k| unit.component(k) * radii.component(k)),
            id: NO_ID,
        }
    }
}

impl<V: Vector> Support<V> for Ellipsoid<V> {
    support_in_any_scalar!();
    fn radius(&self) -> V::Scalar {
        self.common_radius().unwrap_or(V::Scalar::ZERO)
    }
    fn vertex_count(&self) -> Option<u32> {
        self.common_radius().map(|_| 1)
    }
    fn vertex(&self, id: u32) -> Option<V> {
        (id == 0 && self.common_radius().is_some()).then_some(V::ZERO)
    }
    fn revolution(&self) -> Option<Revolution<V>> {
        let equal = |i: usize, j: usize| self.radii.component(i) == self.radii.component(j);
        let axis = match (equal(0, 1), equal(1, 2)) {
            (true, true) => None,
            (true, false) => Some(V::axis(2)),
            (false, true) => Some(V::axis(0)),
            (false, false) if equal(0, 2) => Some(V::axis(1)),
            (false, false) => return None,
        };
        Some(Revolution {
            center: V::ZERO,
            axis,
        })
    }
    fn extent(&self) -> V {
        self.radii
    }
    fn center(&self) -> V {
        V::ZERO
    }
}

/// A shape with a ball swept over it: a rounded box, a rounded hull.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounded<V: Vector> {
    core: Box<Shape<V>>,
    radius: V::Scalar,
}

impl<V: Vector> Rounded<V> {
    /// `core` swept by a ball of this radius.
    ///
    /// # Errors  a radius that is not positive and finite.
    pub fn new(core: Shape<V>, radius: V::Scalar) -> Result<Self, ShapeError> {
        Ok(Self {
            core: Box::new(core),
            radius: positive("radius", radius)?,
        })
    }
}

impl<V: Vector> Rounded<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        self.core.support_in(direction)
    }

    pub(super) fn support_from<W: Vector>(&self, direction: W, hint: u32) -> SupportPoint<W> {
        self.core.support_from(direction, hint)
    }

    pub(super) fn vertex_in<W: Vector>(&self, id: u32) -> Option<W> {
        self.core.vertex_in(id)
    }
}

impl<V: Vector> Support<V> for Rounded<V> {
    support_in_any_scalar!();
    support_from_any_scalar!();
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        self.core.highest_vertices(direction, error, slack, found)
    }
    fn revolution(&self) -> Option<Revolution<V>> {
        self.core.revolution()
    }
    fn form(&self) -> Form<'_, V> {
        self.core.form()
    }
    fn radius(&self) -> V::Scalar {
        self.core.radius() + self.radius
    }
    fn vertex_count(&self) -> Option<u32> {
        self.core.vertex_count()
    }
    vertex_in_any_scalar!();
    fn extent(&self) -> V {
        self.core.extent()
    }
    fn center(&self) -> V {
        self.core.center()
    }
}
