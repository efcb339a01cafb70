//! Sharp primitives: point, segment, triangle, cuboid. All are hulls of numbered vertices, so their verdicts are exact.

use super::error::{ShapeError, finite, positive};
use crate::math::Vector;
use crate::support::{Core, Form, Revolution, Support, SupportPoint};
use crate::vertices::{extent, highest_of};

/// A point; vertex id 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<V> {
    at: V,
}

impl<V: Vector> Point<V> {
    /// A point at `at`.
    ///
    /// # Errors  a component that is not finite.
    pub fn new(at: V) -> Result<Self, ShapeError> {
        Ok(Self {
            at: finite("point", at)?,
        })
    }
}

/// A segment from vertex 0 to vertex 1; the ends may coincide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<V> {
    ends: [V; 2],
}

impl<V: Vector> Segment<V> {
    /// The segment from `a` to `b`.
    ///
    /// # Errors  a component that is not finite.
    pub fn new(a: V, b: V) -> Result<Self, ShapeError> {
        Ok(Self {
            ends: [finite("a", a)?, finite("b", b)?],
        })
    }

    /// The two ends.
    pub fn ends(&self) -> [V; 2] {
        self.ends
    }
}

/// A triangle with vertices 0, 1, 2 in any order; it may be degenerate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle<V> {
    corners: [V; 3],
}

impl<V: Vector> Triangle<V> {
    /// The triangle `a b c`.
    ///
    /// # Errors  a component that is not finite.
    pub fn new(a: V, b: V, c: V) -> Result<Self, ShapeError> {
        Ok(Self {
            corners: [finite("a", a)?, finite("b", b)?, finite("c", c)?],
        })
    }
}

/// A shape is the hull of the points that it stores; the last argument is the other facts of its core.
macro_rules! vertices {
    ($shape:ident, $self:ident => $points:expr, $facts:expr) => {
        impl<V: Vector> Support<V> for $shape<V> {
            #[inline]
            fn support(&$self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
                let (id, point) = highest_of(&$points[..], direction);
                SupportPoint { point, id }
            }
            #[inline(always)]
            fn core(&$self) -> Core<'_, V> {
                let points = &$points[..];
                let plain = Core::new(points[0].lift(), extent(points).lift());
                let (form, revolution) = $facts;
                Core {
                    form,
                    revolution,
                    vertex_count: Some(points.len() as u32),
                    ..plain
                }
            }
            fn vertex(&$self, id: u32) -> Option<V::Wide> {
                $points.get(id as usize).map(|x| x.lift())
            }
        }
    };
}
vertices!(Point, self => [self.at], (
    Form::Point(&self.at),
    Some(Revolution { center: self.at.lift(), axis: None }),
));
vertices!(Segment, self => self.ends, (Form::Segment(&self.ends), None));
vertices!(Triangle, self => self.corners, (Form::Other, None));

/// A box (a rectangle in 2D) centred at the origin. Bit `k` of a vertex id is set on the positive side of axis `k`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<V> {
    half_extents: V,
}

impl<V: Vector> Cuboid<V> {
    /// A box with these half extents.
    ///
    /// # Errors  a half extent that is not positive and finite; a flat box is a [`super::Polytope`] of its corners.
    pub fn new(half_extents: V) -> Result<Self, ShapeError> {
        for k in 0..V::DIM {
            positive(
                &alloc::format!("half_extents[{k}]"),
                half_extents.component(k),
            )?;
        }
        Ok(Self { half_extents })
    }

    /// Half the edge lengths.
    pub fn half_extents(&self) -> V {
        self.half_extents
    }

    fn corner(&self, id: u32) -> V {
        V::from_fn(|k| {
            let h = self.half_extents.component(k);
            if id >> k & 1 == 1 { h } else { -h }
        })
    }
}

impl<V: Vector> Support<V> for Cuboid<V> {
    #[inline]
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        // A zero component counts as positive, so that ties repeat.
        let id = (0..V::DIM)
            .filter(|&k| direction.component(k) >= 0.0)
            .fold(0, |id, k| id | 1 << k);
        SupportPoint {
            point: self.corner(id).lift(),
            id,
        }
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        Core {
            form: Form::Cuboid(&self.half_extents),
            vertex_count: Some(1 << V::DIM),
            ..Core::new(V::Wide::ZERO, self.half_extents.lift())
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        (id < 1 << V::DIM).then(|| self.corner(id).lift())
    }
}
