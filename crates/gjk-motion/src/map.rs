//! Rigid and near-rigid maps of space, as the bounds compose them.
//!
//! Where it sits: under every other file of the crate.
//! Idea: a pose of the library keeps what tells a similarity; here maps are composed by the thousand and only applied, so they are
//! twelve numbers and no more.

use gjk::math::Vector;
use gjk::{Pose3, Vec3};
use gjk_scene::Affine;

/// A point or direction in space.
pub(crate) type V3 = Vec3<f64>;

/// `x ↦ L·x + t`, with `L` by columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkMap {
    pub(crate) columns: [V3; 3],
    pub(crate) translation: V3,
}

impl LinkMap {
    pub(crate) const IDENTITY: Self = Self {
        columns: [
            V3::new(1.0, 0.0, 0.0),
            V3::new(0.0, 1.0, 0.0),
            V3::new(0.0, 0.0, 1.0),
        ],
        translation: V3::new(0.0, 0.0, 0.0),
    };

    /// A map of a scene file or of a robot.
    pub(crate) fn of_affine(map: &Affine) -> Self {
        let column = |k: usize| V3::from_fn(|row| map.linear[row][k]);
        Self {
            columns: [column(0), column(1), column(2)],
            translation: V3::from_f64(map.translation),
        }
    }

    /// The same map as a robot has it.
    pub(crate) fn affine(&self) -> Affine {
        let [a, b, c] = self.columns;
        let V3 { x, y, z } = self.translation;
        Affine {
            linear: [[a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z]],
            translation: [x, y, z],
        }
    }

    /// A turn about a unit axis through the origin by the angle of this cosine and sine (Rodrigues' formula).
    #[inline(always)]
    pub(crate) fn turn(axis: V3, [cos, sin]: [f64; 2]) -> Self {
        let V3 { x, y, z } = axis;
        let (tx, ty, tz) = ((1.0 - cos) * x, (1.0 - cos) * y, (1.0 - cos) * z);
        let (sx, sy, sz) = (sin * x, sin * y, sin * z);
        Self {
            columns: [
                V3::new(tx * x + cos, tx * y + sz, tx * z - sy),
                V3::new(ty * x - sz, ty * y + cos, ty * z + sx),
                V3::new(tz * x + sy, tz * y - sx, tz * z + cos),
            ],
            translation: V3::ZERO,
        }
    }

    /// A shift.
    pub(crate) fn shift(translation: V3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// `L·x`.
    #[inline(always)]
    pub(crate) fn vector(&self, x: V3) -> V3 {
        self.columns[0] * x.x + self.columns[1] * x.y + self.columns[2] * x.z
    }

    /// `L·x + t`.
    #[inline(always)]
    pub(crate) fn point(&self, x: V3) -> V3 {
        self.vector(x) + self.translation
    }

    /// `Lᵀ·d`: the direction along which points have the heights here that their images have along `d`, but for `t`.
    #[inline(always)]
    pub(crate) fn local_direction(&self, d: V3) -> V3 {
        V3::new(
            self.columns[0].dot(d),
            self.columns[1].dot(d),
            self.columns[2].dot(d),
        )
    }

    /// First `inner`, then `self`.
    #[inline(always)]
    pub(crate) fn compose(&self, inner: &Self) -> Self {
        Self {
            columns: [
                self.vector(inner.columns[0]),
                self.vector(inner.columns[1]),
                self.vector(inner.columns[2]),
            ],
            translation: self.point(inner.translation),
        }
    }

    /// A map whose columns are moved towards those of a turn across its axis, by a share of them.
    #[inline(always)]
    pub(crate) fn moved_out(&self, turn: &Self, axis: V3, share: f64) -> Self {
        let column = |k: usize| {
            let along = axis * axis.component(k);
            self.columns[k] + (turn.columns[k] - along) * share
        };
        Self {
            columns: [column(0), column(1), column(2)],
            translation: self.translation,
        }
    }

    /// The inverse of a rigid map.
    pub(crate) fn inverse(&self) -> Self {
        let [a, b, c] = self.columns;
        Self {
            columns: [
                V3::new(a.x, b.x, c.x),
                V3::new(a.y, b.y, c.y),
                V3::new(a.z, b.z, c.z),
            ],
            translation: -self.local_direction(self.translation),
        }
    }

    /// The same map as a pose of the library.
    pub(crate) fn pose(&self) -> Pose3<f64> {
        Pose3::from_columns(self.columns, self.translation)
    }
}
