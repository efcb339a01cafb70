//! `Vec2`, `Vec3` and the trait that lets one loop serve both.

use super::scalar::{Ring, Scalar};
use crate::motion::compiled::CompiledMotion;
use crate::narrow::compiled::Compiled;
use core::cmp::Ordering;
use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};
use gjk_exact::measure;

/// A vector of 2 or 3 floats: the one type parameter of every query, which fixes scalar, dimension and pose.
pub trait Vector:
    Copy
    + Debug
    + Default
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<Self::Scalar, Output = Self>
    + Send
    + Sync
    + 'static
{
    /// `f32` or `f64`.
    type Scalar: Scalar + Compiled<Self> + CompiledMotion<Self>;
    /// `DIM` vectors: the columns of a linear map.
    type Columns: Copy + Debug + PartialEq + AsRef<[Self]> + AsMut<[Self]> + Send + Sync + 'static;
    /// Room for as many as two convex bodies bear on each other in, as a rule: two in the plane, four in space.
    #[doc(hidden)]
    type Few<T>: smallvec::Array<Item = T>;
    /// The same dimension in `f64`: what queries compute in.
    type Wide: Vector<Scalar = f64, Wide = Self::Wide>;
    /// Number of components.
    const DIM: usize;
    /// The zero vector.
    const ZERO: Self;

    /// Builds a vector from its components.
    fn from_fn(component: impl FnMut(usize) -> Self::Scalar) -> Self;
    /// Component `axis`; zero beyond the dimension.
    fn component(self, axis: usize) -> Self::Scalar;
    /// The identity's columns.
    fn identity() -> Self::Columns;
    /// Inner product.
    fn dot(self, other: Self) -> Self::Scalar;
    /// A normal of the hyperplane through `facet`'s first `DIM` points: degree `DIM − 1`, either sign.
    fn facet_normal(facet: &[Self]) -> Self;
    /// A vector orthogonal to the line through `a` along `ab`, pointing from the origin's side to the line.
    ///
    /// It is `a·|ab|² − ab·(a·ab)`, of degree 3, zero only when the computed line passes through the origin.
    fn edge_normal(a: Self, ab: Self) -> Self;
    /// Which facets of a full simplex at its first vertex have the origin not strictly on the simplex' side: the edges to
    /// vertex 1 and 2 in the plane, the triangles that leave out vertex 3, 2 and 1 in space.
    fn outer_facets(w: &[Self; 4]) -> [bool; 3];
    /// `a × b`; in the plane, where nothing uses it, zero.
    fn cross_product(a: Self, b: Self) -> Self;
    /// The determinant `a · (b × c)`; in the plane, where nothing uses it, zero.
    fn triple(a: Self, b: Self, c: Self) -> Self::Scalar;
    /// The exact side of `p` of the plane of `facet`, greater where [`Vector::facet_normal`] points.
    fn side(facet: &[Self], p: Self) -> Ordering {
        let corners: [[f64; 3]; 3] = core::array::from_fn(|k| facet[k.min(Self::DIM - 1)].to_f64());
        measure::side(Self::DIM, &corners[..Self::DIM], p.to_f64())
    }
    /// Some vector orthogonal to a non-zero `self`, of comparable length.
    fn perpendicular(self) -> Self;

    /// The unit vector of an axis.
    fn axis(axis: usize) -> Self {
        Self::from_fn(|k| {
            if k == axis {
                Self::Scalar::ONE
            } else {
                Self::Scalar::ZERO
            }
        })
    }
    /// `|self|²`.
    #[inline(always)]
    fn norm_squared(self) -> Self::Scalar {
        self.dot(self)
    }
    /// Euclidean length.
    #[inline(always)]
    fn norm(self) -> Self::Scalar {
        self.norm_squared().sqrt()
    }
    /// The sum of the components' magnitudes.
    #[inline(always)]
    fn sum_abs(self) -> Self::Scalar {
        (1..Self::DIM).fold(self.component(0).abs(), |sum, k| {
            sum + self.component(k).abs()
        })
    }
    /// The largest magnitude of a component.
    #[inline(always)]
    fn max_abs(self) -> Self::Scalar {
        (0..Self::DIM).fold(Self::Scalar::ZERO, |m, k| m.max(self.component(k).abs()))
    }
    /// The vector times `2^exponent`.
    fn scaled_by_power(self, exponent: i32) -> Self {
        Self::from_fn(|k| self.component(k).scale_by_power(exponent))
    }
    /// Unit vector of the same direction, safe against overflow and underflow; `None` for zero or non-finite input.
    #[inline(always)]
    fn normalized(self) -> Option<Self> {
        let squared = self.norm_squared();
        if squared > Self::Scalar::LEAST_SQUARE && squared < Self::Scalar::MAX {
            let norm = squared.sqrt();
            return Some(Self::from_fn(|k| self.component(k) / norm));
        }
        self.normalized_by_parts()
    }
    /// [`Self::normalized`] for what has no square in range.
    #[doc(hidden)]
    #[cold]
    fn normalized_by_parts(self) -> Option<Self> {
        let largest = self.max_abs();
        if !(largest > Self::Scalar::ZERO && largest.is_finite()) {
            return None;
        }
        // Divide twice: 1 / largest would overflow for subnormals.
        let scaled = Self::from_fn(|k| self.component(k) / largest);
        let norm = scaled.norm();
        Some(Self::from_fn(|k| scaled.component(k) / norm))
    }
    /// True when every component is finite.
    fn is_finite(self) -> bool {
        (0..Self::DIM).all(|k| self.component(k).is_finite())
    }
    /// The same vector over another scalar: exact when that is wider, rounded when it is narrower.
    fn lift<W: Vector>(self) -> W {
        W::from_fn(|k| W::Scalar::from_f64(self.component(k).to_f64()))
    }
    /// The components as `f64`, exactly; the third is zero in 2D.
    fn to_f64(self) -> [f64; 3] {
        core::array::from_fn(|k| self.component(k).to_f64())
    }
    /// Rounds `f64` components to this vector's scalar.
    fn from_f64(x: [f64; 3]) -> Self {
        Self::from_fn(|k| Self::Scalar::from_f64(x[k]))
    }
}

/// A vector of `f64`: what the loops compute in, whatever the scalar of the shapes.
pub trait Vector64: Vector<Scalar = f64, Wide = Self> {}

impl<W: Vector<Scalar = f64, Wide = W>> Vector64 for W {}

/// A vector in the plane. `repr(C)`: two scalars in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "[T; 2]", from = "[T; 2]")
)]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Copy + serde::Serialize",
        deserialize = "T: serde::Deserialize<'de>"
    ))
)]
#[repr(C)]
pub struct Vec2<T> {
    /// First component.
    pub x: T,
    /// Second component.
    pub y: T,
}

/// A vector in space. `repr(C)`: three scalars in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "[T; 3]", from = "[T; 3]")
)]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Copy + serde::Serialize",
        deserialize = "T: serde::Deserialize<'de>"
    ))
)]
#[repr(C)]
pub struct Vec3<T> {
    /// First component.
    pub x: T,
    /// Second component.
    pub y: T,
    /// Third component.
    pub z: T,
}

impl<T> Vec2<T> {
    /// Builds from components.
    pub const fn new(x: T, y: T) -> Self {
        Self { x, y }
    }
}

impl<T> Vec3<T> {
    /// Builds from components.
    pub const fn new(x: T, y: T, z: T) -> Self {
        Self { x, y, z }
    }
}

impl<T: Ring> Vec2<T> {
    /// Quarter turn counter-clockwise.
    pub fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }
    /// `x·y′ − y·x′`: twice the signed area spanned.
    #[inline]
    pub fn cross(self, other: Self) -> T {
        self.x * other.y - self.y * other.x
    }
}

impl<T: Ring> Vec3<T> {
    /// Cross product (right-handed). No fused operations, so that `v × v` is exactly zero.
    #[inline]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }
}

macro_rules! operators {
    ($v:ident { $($c:ident),* } $n:literal) => {
        impl<T: Ring> Add for $v<T> {
            type Output = Self;
            #[inline]
            fn add(self, o: Self) -> Self { Self { $($c: self.$c + o.$c),* } }
        }
        impl<T: Ring> Sub for $v<T> {
            type Output = Self;
            #[inline]
            fn sub(self, o: Self) -> Self { Self { $($c: self.$c - o.$c),* } }
        }
        impl<T: Ring> Neg for $v<T> {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self { Self { $($c: -self.$c),* } }
        }
        impl<T: Ring> Mul<T> for $v<T> {
            type Output = Self;
            #[inline]
            fn mul(self, s: T) -> Self { Self { $($c: self.$c * s),* } }
        }
        impl<T> From<[T; $n]> for $v<T> {
            fn from([$($c),*]: [T; $n]) -> Self { Self { $($c),* } }
        }
        impl<T> From<$v<T>> for [T; $n] {
            fn from(v: $v<T>) -> Self { [$(v.$c),*] }
        }
    };
}
operators!(Vec2 { x, y } 2);
operators!(Vec3 { x, y, z } 3);

impl<T: Scalar> Vector for Vec2<T> {
    type Scalar = T;
    type Columns = [Self; 2];
    type Few<U> = [U; 2];
    type Wide = Vec2<f64>;
    const DIM: usize = 2;
    const ZERO: Self = Self::new(T::ZERO, T::ZERO);

    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> T) -> Self {
        Self::new(component(0), component(1))
    }
    #[inline]
    fn component(self, axis: usize) -> T {
        match axis {
            0 => self.x,
            1 => self.y,
            _ => T::ZERO,
        }
    }
    fn identity() -> [Self; 2] {
        [Self::axis(0), Self::axis(1)]
    }
    #[inline]
    fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y
    }
    fn facet_normal(facet: &[Self]) -> Self {
        -(facet[1] - facet[0]).perp()
    }
    #[inline(always)]
    fn edge_normal(a: Self, ab: Self) -> Self {
        // perp(ab) is exactly orthogonal to ab; the factor orients it and makes it the 3D formula's length.
        ab.perp() * ab.cross(a)
    }
    #[inline(always)]
    fn outer_facets(&[a, b, c, _]: &[Self; 4]) -> [bool; 3] {
        let (ab, ac) = (b - a, c - a);
        let area = ab.cross(ac);
        // A flat simplex has no inner side.
        let inside =
            |side: T| (side > T::ZERO && area > T::ZERO) || (side < T::ZERO && area < T::ZERO);
        [!inside(a.cross(ab)), !inside(ac.cross(a)), false]
    }
    fn cross_product(_: Self, _: Self) -> Self {
        Self::ZERO
    }
    fn triple(_: Self, _: Self, _: Self) -> T {
        T::ZERO
    }
    fn perpendicular(self) -> Self {
        self.perp()
    }
}

impl<T: Scalar> Vector for Vec3<T> {
    type Scalar = T;
    type Columns = [Self; 3];
    type Few<U> = [U; 4];
    type Wide = Vec3<f64>;
    const DIM: usize = 3;
    const ZERO: Self = Self::new(T::ZERO, T::ZERO, T::ZERO);

    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> T) -> Self {
        Self::new(component(0), component(1), component(2))
    }
    #[inline]
    fn component(self, axis: usize) -> T {
        match axis {
            0 => self.x,
            1 => self.y,
            2 => self.z,
            _ => T::ZERO,
        }
    }
    fn identity() -> [Self; 3] {
        [Self::axis(0), Self::axis(1), Self::axis(2)]
    }
    #[inline]
    fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    #[inline(always)]
    fn facet_normal(facet: &[Self]) -> Self {
        // The two shortest edges give the least cancellation on needles.
        let (ab, bc, ca) = (
            facet[1] - facet[0],
            facet[2] - facet[1],
            facet[0] - facet[2],
        );
        let (lab, lbc, lca) = (ab.norm_squared(), bc.norm_squared(), ca.norm_squared());
        // Chosen before the product, without a branch: which edge is longest is as good as random.
        let (ab_longest, bc_longest) = (lab >= lbc && lab >= lca, lbc >= lca);
        let choose = |if_ab: Self, if_bc: Self, if_ca: Self| {
            let pick = |x: T, y: T, z: T| {
                let other = if bc_longest { y } else { z };
                if ab_longest { x } else { other }
            };
            Self::new(
                pick(if_ab.x, if_bc.x, if_ca.x),
                pick(if_ab.y, if_bc.y, if_ca.y),
                pick(if_ab.z, if_bc.z, if_ca.z),
            )
        };
        choose(bc, ca, ab).cross(choose(ca, ab, bc))
    }
    #[inline(always)]
    fn edge_normal(a: Self, ab: Self) -> Self {
        // Two cross products rather than a difference: the result is orthogonal to the edge at working precision even where
        // the line passes near the origin, and takes no division.
        ab.cross(a).cross(ab)
    }
    #[inline(always)]
    fn outer_facets(&[a, b, c, d]: &[Self; 4]) -> [bool; 3] {
        let (ab, ac, ad) = (b - a, c - a, d - a);
        let (abc, acd, adb) = (ab.cross(ac), ac.cross(ad), ad.cross(ab));
        let volume = abc.dot(ad);
        // A flat simplex has no inner side.
        let inside =
            |side: T| (side > T::ZERO && volume > T::ZERO) || (side < T::ZERO && volume < T::ZERO);
        [
            !inside(-abc.dot(a)),
            !inside(-adb.dot(a)),
            !inside(-acd.dot(a)),
        ]
    }
    #[inline(always)]
    fn cross_product(a: Self, b: Self) -> Self {
        a.cross(b)
    }
    fn triple(a: Self, b: Self, c: Self) -> T {
        a.dot(b.cross(c))
    }
    fn perpendicular(self) -> Self {
        let (x, y, z) = (self.x.abs(), self.y.abs(), self.z.abs());
        let axis = if x <= y && x <= z {
            Self::axis(0)
        } else if y <= z {
            Self::axis(1)
        } else {
            Self::axis(2)
        };
        self.cross(axis)
    }
}
