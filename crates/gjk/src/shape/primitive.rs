//! Sharp primitives: point, segment, triangle, cuboid. All are hulls of numbered vertices, so their verdicts are exact.

use super::error::{ShapeError, finite, positive};
use crate::math::{Ring, Vector};
use crate::support::{Form, Revolution, Support, SupportPoint};

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

/// The lowest-numbered of the points farthest along a direction.
#[inline]
pub(super) fn farthest<V: Vector, W: Vector>(points: &[V], direction: W) -> SupportPoint<W> {
    let (mut best, mut id) = (points[0].lift::<W>().dot(direction), 0);
    for (k, point) in points.iter().enumerate().skip(1) {
        let height = point.lift::<W>().dot(direction);
        // Two choices instead of a branch, which would be mispredicted about as often as a vertex is the highest so far.
        let better = height > best;
        best = if better { height } else { best };
        id = if better { k } else { id };
    }
    SupportPoint {
        point: points[id].lift(),
        id: id as u32,
    }
}

/// Per axis, the largest magnitude of a coordinate.
pub(super) fn extent<V: Vector>(points: &[V]) -> V {
    use crate::math::Scalar;
    V::from_fn(|k| {
        points
            .iter()
            .fold(V::Scalar::ZERO, |m, p| m.max(p.component(k).abs()))
    })
}

macro_rules! vertices {
    ($shape:ident, $self:ident => $points:expr $(; $($more:item)+)?) => {
        impl<V: Vector> $shape<V> {
            pub(super) fn support_in<W: Vector>(&$self, direction: W) -> SupportPoint<W> {
                farthest(&$points[..], direction)
            }
        }

        impl<V: Vector> Support<V> for $shape<V> {
            support_in_any_scalar!();
            fn vertex_count(&$self) -> Option<u32> {
                Some($points.len() as u32)
            }
            fn vertex(&$self, id: u32) -> Option<V> {
                $points.get(id as usize).copied()
            }
            fn extent(&$self) -> V {
                extent(&$points[..])
            }
            fn center(&$self) -> V {
                $points[0]
            }
            $($($more)+)?
        }
    };
}
vertices!(Point, self => [self.at]; fn revolution(&self) -> Option<Revolution<V>> {
    Some(Revolution { center: self.at, axis: None })
}
fn form(&self) -> Form<'_, V> {
    Form::Point(self.at)
});
vertices!(Segment, self => self.ends; fn form(&self) -> Form<'_, V> {
    Form::Segment(self.ends)
});
vertices!(Triangle, self => self.corners);

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

impl<V: Vector> Cuboid<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        // A zero component counts as positive, so that ties repeat.
        let id = (0..V::DIM)
            .filter(|&k| direction.component(k) >= W::Scalar::ZERO)
            .fold(0, |id, k| id | 1 << k);
        SupportPoint {
            point: self.corner(id).lift(),
            id,
        }
    }
}

impl<V: Vector> Support<V> for Cuboid<V> {
    support_in_any_scalar!();
    fn vertex_count(&self) -> Option<u32> {
        Some(1 << V::DIM)
    }
    fn vertex(&self, id: u32) -> Option<V> {
        (id < 1 << V::DIM).then(|| self.corner(id))
    }
    fn form(&self) -> Form<'_, V> {
        Form::Cuboid(self.half_extents)
    }
    fn extent(&self) -> V {
        self.half_extents
    }
    fn center(&self) -> V {
        V::ZERO
    }
}
