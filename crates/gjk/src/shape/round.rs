//! Round shapes. Ball, capsule and rounded shapes are a core plus a radius; cylinder, cone and ellipsoid are smooth, so
//! their answers are intervals and their verdicts never claim to be exact.

use super::Shape;
use super::error::{ShapeError, positive};
use crate::math::{Axis, Scalar, Vec3, Vector};
use crate::support::{Core, Discs, Form, NO_ID, Piece, Revolution, Support, SupportPoint};
use alloc::boxed::Box;

/// A ball (a disc in 2D) centred at the origin. Its core is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<V: Vector> {
    radius: V::Scalar,
    /// The origin, which its core refers to.
    center: V,
}

impl<V: Vector> Ball<V> {
    /// A ball of this radius.
    ///
    /// # Errors  a radius that is not positive and finite; a ball of radius zero is a [`super::Point`].
    pub fn new(radius: V::Scalar) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: positive("radius", radius)?,
            center: V::ZERO,
        })
    }
}

impl<V: Vector> Support<V> for Ball<V> {
    #[inline]
    fn support(&self, _direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        SupportPoint {
            point: V::Wide::ZERO,
            id: 0,
        }
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        Core {
            form: Form::Point(&self.center),
            radius: self.radius.to_f64(),
            vertex_count: Some(1),
            revolution: Some(Revolution {
                center: V::Wide::ZERO,
                axis: None,
            }),
            ..Core::new(V::Wide::ZERO, V::Wide::ZERO)
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        (id == 0).then_some(V::Wide::ZERO)
    }
}

/// A capsule along an axis, centred at the origin; `half_height` leaves out the caps. Its core is a segment whose vertex
/// 0 is at the negative end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule<V: Vector> {
    /// The negative one first.
    ends: [V; 2],
    radius: V::Scalar,
    axis: usize,
}

impl<V: Vector> Capsule<V> {
    /// A capsule along an axis.
    ///
    /// # Errors  a size that is not positive and finite; [`Axis::Z`] in 2D. Without radius it is a
    /// [`super::Segment`], without height a [`Ball`].
    pub fn new(half_height: V::Scalar, radius: V::Scalar, axis: Axis) -> Result<Self, ShapeError> {
        let half_height = positive("half_height", half_height)?;
        let radius = positive("radius", radius)?;
        let axis = axis_of::<V>(axis)?;
        let end = V::axis(axis) * half_height;
        Ok(Self {
            ends: [-end, end],
            radius,
            axis,
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

impl<V: Vector> Support<V> for Capsule<V> {
    #[inline]
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        let id = usize::from(direction.component(self.axis) >= 0.0);
        SupportPoint {
            point: self.ends[id].lift(),
            id: id as u32,
        }
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        Core {
            form: Form::Segment(&self.ends),
            radius: self.radius.to_f64(),
            vertex_count: Some(2),
            ..about_axis(self.axis, self.ends[1].lift())
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.ends.get(id as usize).map(|end| end.lift())
    }
}

/// A core about a coordinate axis and the origin.
#[inline(always)]
fn about_axis<V: Vector>(axis: usize, extent: V::Wide) -> Core<'static, V> {
    let revolution = Revolution {
        center: V::Wide::ZERO,
        axis: Some(V::Wide::axis(axis)),
    };
    Core {
        revolution: Some(revolution),
        ..Core::new(V::Wide::ZERO, extent)
    }
}

/// `d` without its component along `axis`, scaled to length `radius`; zero for a direction along the axis.
fn rim<W: Vector<Scalar = f64>>(direction: W, axis: usize, radius: f64) -> W {
    let radial = W::from_fn(|k| {
        if k == axis {
            0.0
        } else {
            direction.component(k)
        }
    });
    radial.normalized().map_or(W::ZERO, |unit| unit * radius)
}

/// The core of a body that is upright along an axis.
#[inline(always)]
fn upright<V: Vector>(axis: usize, half_height: f64, radii: [f64; 2]) -> Core<'static, V> {
    let widest = radii[0].max(radii[1]);
    let extent = V::Wide::from_fn(|k| if k == axis { half_height } else { widest });
    Core {
        form: Form::Discs(Discs {
            axis,
            half_height,
            radii,
        }),
        ..about_axis(axis, extent)
    }
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

impl<V: Vector> Support<V> for Cylinder<V> {
    #[inline]
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        let up = direction.component(self.axis) >= 0.0;
        let half_height = self.half_height.to_f64();
        let h = if up { half_height } else { -half_height };
        let rim = rim(direction, self.axis, self.radius.to_f64());
        SupportPoint {
            point: rim + V::Wide::axis(self.axis) * h,
            id: NO_ID,
        }
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        let (half_height, radius) = (self.half_height.to_f64(), self.radius.to_f64());
        upright(self.axis, half_height, [radius, radius])
    }
    fn piece(&self, direction: V::Wide, _hint: u32) -> Option<Piece<V::Wide>> {
        let up = direction.component(self.axis) >= 0.0;
        let half_height = self.half_height.to_f64();
        let h = if up { half_height } else { -half_height };
        let center = V::Wide::axis(self.axis) * h;
        let radius = self.radius.to_f64();
        Some(Piece::disc(center, self.axis, radius, u32::from(up)))
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

impl<V: Vector> Support<V> for Cone<V> {
    #[inline]
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        let apex = V::Wide::axis(self.axis) * self.half_height.to_f64();
        let base = rim(direction, self.axis, self.radius.to_f64()) - apex;
        // The difference first: comparing two heights would lose the small one's digits.
        let point = if direction.dot(apex - base) >= 0.0 {
            apex
        } else {
            base
        };
        SupportPoint { point, id: NO_ID }
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        let (half_height, radius) = (self.half_height.to_f64(), self.radius.to_f64());
        upright(self.axis, half_height, [radius, 0.0])
    }
    fn piece(&self, direction: V::Wide, hint: u32) -> Option<Piece<V::Wide>> {
        let apex = V::Wide::axis(self.axis) * self.half_height.to_f64();
        let at_apex = self.support(direction, hint).point == apex;
        Some(if at_apex {
            Piece::point(apex, 1)
        } else {
            Piece::disc(-apex, self.axis, self.radius.to_f64(), 0)
        })
    }
}

/// An ellipsoid (an ellipse in 2D) centred at the origin with half axes along the coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<V> {
    radii: V,
    /// The origin, which the core of a ball refers to.
    center: V,
}

impl<V: Vector> Ellipsoid<V> {
    /// An ellipsoid with these half axes.
    ///
    /// # Errors  a radius that is not positive and finite.
    pub fn new(radii: V) -> Result<Self, ShapeError> {
        for k in 0..V::DIM {
            positive(&alloc::format!("radii[{k}]"), radii.component(k))?;
        }
        Ok(Self {
            radii,
            center: V::ZERO,
        })
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

    /// What it is symmetric about: the coordinate axis along which it differs.
    #[inline(always)]
    fn revolution(&self) -> Option<Revolution<V::Wide>> {
        let equal = |i: usize, j: usize| self.radii.component(i) == self.radii.component(j);
        let axis = match (equal(0, 1), equal(1, 2)) {
            (true, true) => None,
            (true, false) => Some(V::Wide::axis(2)),
            (false, true) => Some(V::Wide::axis(0)),
            (false, false) if equal(0, 2) => Some(V::Wide::axis(1)),
            (false, false) => return None,
        };
        Some(Revolution {
            center: V::Wide::ZERO,
            axis,
        })
    }
}

impl<V: Vector> Support<V> for Ellipsoid<V> {
    #[inline]
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        if self.common_radius().is_some() {
            return SupportPoint {
                point: V::Wide::ZERO,
                id: 0,
            };
        }
        let radii: V::Wide = self.radii.lift();
        let scaled = V::Wide::from_fn(|k| direction.component(k) * radii.component(k));
        let unit = scaled.normalized().unwrap_or(V::Wide::axis(0));
        SupportPoint {
            point: V::Wide::from_fn(|k| unit.component(k) * radii.component(k)),
            id: NO_ID,
        }
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        let common = self.common_radius();
        Core {
            form: match common {
                Some(_) => Form::Point(&self.center),
                None => Form::Ellipsoid(&self.radii),
            },
            radius: common.map_or(0.0, Scalar::to_f64),
            vertex_count: common.map(|_| 1),
            revolution: self.revolution(),
            ..Core::new(V::Wide::ZERO, self.radii.lift())
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        (id == 0 && self.common_radius().is_some()).then_some(V::Wide::ZERO)
    }
    fn piece(&self, direction: V::Wide, hint: u32) -> Option<Piece<V::Wide>> {
        if self.common_radius().is_some() {
            return Piece::of_vertex(self.support(direction, hint));
        }
        let axis = |k: usize| V::Wide::axis(k) * self.radii.component(k).to_f64();
        Some(Piece {
            axes: [0, 1, 2].map(axis),
            ..Piece::point(V::Wide::ZERO, 0)
        })
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

impl<V: Vector> Support<V> for Rounded<V> {
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        self.core.support(direction, hint)
    }
    #[inline(never)] // it may be made of rounded shapes
    fn core(&self) -> Core<'_, V> {
        let core = self.core.core();
        let radius = V::Scalar::from_f64(core.radius) + self.radius;
        Core {
            radius: radius.to_f64(),
            ..core
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.core.vertex(id)
    }
    fn end_vertex(&self, id: u32) -> Option<V::Wide> {
        self.core.end_vertex(id)
    }
    fn piece(&self, direction: V::Wide, hint: u32) -> Option<Piece<V::Wide>> {
        self.core.piece(direction, hint)
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        self.core.highest_vertices(direction, error, slack, found)
    }
}
