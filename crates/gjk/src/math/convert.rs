//! Conversions at the boundary: `mint` always possible, `glam` and `nalgebra` by version-named features.

#[cfg(any(feature = "mint", feature = "glam-034", feature = "nalgebra-035"))]
use super::vector::{Vec2, Vec3};

#[cfg(feature = "mint")]
mod with_mint {
    use super::{Vec2, Vec3};

    macro_rules! mint {
        ($v:ident { $($c:ident),* } $m:ident) => {
            impl<T> From<mint::$m<T>> for $v<T> {
                fn from(v: mint::$m<T>) -> Self { Self { $($c: v.$c),* } }
            }
            impl<T> From<$v<T>> for mint::$m<T> {
                fn from(v: $v<T>) -> Self { Self { $($c: v.$c),* } }
            }
        };
    }
    mint!(Vec2 { x, y } Vector2);
    mint!(Vec2 { x, y } Point2);
    mint!(Vec3 { x, y, z } Vector3);
    mint!(Vec3 { x, y, z } Point3);
}

#[cfg(feature = "glam-034")]
mod with_glam {
    use super::{Vec2, Vec3};

    macro_rules! glam {
        ($v:ident<$t:ty> { $($c:ident),* } $g:ident) => {
            impl From<glam_034::$g> for $v<$t> {
                fn from(v: glam_034::$g) -> Self { Self { $($c: v.$c),* } }
            }
            impl From<$v<$t>> for glam_034::$g {
                fn from(v: $v<$t>) -> Self { Self::new($(v.$c),*) }
            }
        };
    }
    glam!(Vec2<f32> { x, y } Vec2);
    glam!(Vec2<f64> { x, y } DVec2);
    glam!(Vec3<f32> { x, y, z } Vec3);
    glam!(Vec3<f64> { x, y, z } DVec3);
}

#[cfg(feature = "nalgebra-035")]
mod with_nalgebra {
    use super::{Vec2, Vec3};
    use nalgebra_035 as na;

    macro_rules! nalgebra {
        ($v:ident { $($c:ident),* } $n:ident) => {
            impl<T: na::Scalar + Copy> From<na::$n<T>> for $v<T> {
                fn from(v: na::$n<T>) -> Self { Self { $($c: v.$c),* } }
            }
            impl<T: na::Scalar> From<$v<T>> for na::$n<T> {
                fn from(v: $v<T>) -> Self { Self::new($(v.$c),*) }
            }
        };
    }
    nalgebra!(Vec2 { x, y } Vector2);
    nalgebra!(Vec2 { x, y } Point2);
    nalgebra!(Vec3 { x, y, z } Vector3);
    nalgebra!(Vec3 { x, y, z } Point3);
}
