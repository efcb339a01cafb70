//! Poses as plain numbers: a linear map and a translation.
//! Where it sits: the robot's joints, a file's nodes and a body's parts are all placed by [`Affine`]; the CLI turns it into the
//! library's pose.
//! Numbers: a quaternion of exact quarter turns gives a matrix of exact 0 and ±1, because the formula divides by
//! |q|² at the end.

use serde::Serialize;

/// An invertible affine map `p ↦ linear · p + translation`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Affine {
    /// The linear map, by rows.
    pub linear: [[f64; 3]; 3],
    /// The image of the origin.
    pub translation: [f64; 3],
}

impl Default for Affine {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Affine {
    /// The map that leaves everything where it is.
    pub const IDENTITY: Self = Self {
        linear: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        translation: [0.0, 0.0, 0.0],
    };

    /// A translation.
    #[must_use]
    pub fn from_translation(translation: [f64; 3]) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// A linear map about the origin.
    #[must_use]
    pub fn from_linear(linear: [[f64; 3]; 3]) -> Self {
        Self {
            linear,
            ..Self::IDENTITY
        }
    }

    /// A rotation by a quaternion `[x, y, z, w]` of any length but zero.
    #[must_use]
    pub fn from_quaternion([x, y, z, w]: [f64; 4]) -> Self {
        let n = x * x + y * y + z * z + w * w;
        let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
        let rows = [
            [
                ww + xx - yy - zz,
                2.0 * (x * y - w * z),
                2.0 * (x * z + w * y),
            ],
            [
                2.0 * (x * y + w * z),
                ww - xx + yy - zz,
                2.0 * (y * z - w * x),
            ],
            [
                2.0 * (x * z - w * y),
                2.0 * (y * z + w * x),
                ww - xx - yy + zz,
            ],
        ];
        Self::from_linear(rows.map(|row| row.map(|entry| entry / n)))
    }

    /// URDF's `rpy`: a roll about x, then a pitch about y, then a yaw about z, all about fixed axes, in radians.
    #[must_use]
    pub fn from_roll_pitch_yaw([roll, pitch, yaw]: [f64; 3]) -> Self {
        let ((sr, cr), (sp, cp), (sy, cy)) =
            (libm::sincos(roll), libm::sincos(pitch), libm::sincos(yaw));
        Self::from_linear([
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ])
    }

    /// A rotation by `angle` radians about a unit `axis` through the origin (Rodrigues' formula).
    #[must_use]
    pub fn from_axis_angle([x, y, z]: [f64; 3], angle: f64) -> Self {
        let (s, c) = libm::sincos(angle);
        let t = 1.0 - c;
        Self::from_linear([
            [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
        ])
    }

    /// A map from 16 numbers of a 4×4 matrix by rows; `None` unless the last row is `0 0 0 1` and all are finite.
    #[must_use]
    pub fn from_row_major(m: &[f64; 16]) -> Option<Self> {
        if m[12..] != [0.0, 0.0, 0.0, 1.0] || m.iter().any(|entry| !entry.is_finite()) {
            return None;
        }
        Some(Self {
            linear: [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]],
            translation: [m[3], m[7], m[11]],
        })
    }

    /// The image of a point.
    #[must_use]
    #[inline]
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = self.apply_vector(point);
        let [a, b, c] = self.translation;
        [x + a, y + b, z + c]
    }

    /// The image of a direction: without the translation.
    #[must_use]
    #[inline]
    pub fn apply_vector(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = &self.linear;
        [
            a[0] * x + a[1] * y + a[2] * z,
            b[0] * x + b[1] * y + b[2] * z,
            c[0] * x + c[1] * y + c[2] * z,
        ]
    }

    /// `self` after `inner`: places in `inner`'s frame, seen from the frame of `self`.
    #[must_use]
    #[inline]
    pub fn compose(&self, inner: &Self) -> Self {
        let mut linear = inner.linear;
        let mut translation = inner.translation;
        for (k, &[a, b, c]) in self.linear.iter().enumerate() {
            let [x, y, z] = &inner.linear;
            for (j, entry) in linear[k].iter_mut().enumerate() {
                *entry = a * x[j] + b * y[j] + c * z[j];
            }
            let [x, y, z] = inner.translation;
            translation[k] = a * x + b * y + c * z + self.translation[k];
        }
        Self {
            linear,
            translation,
        }
    }

    /// `self` after a scaling of the three axes.
    #[must_use]
    pub fn scaled(&self, scale: [f64; 3]) -> Self {
        Self {
            linear: self.linear.map(|row| [0, 1, 2].map(|j| row[j] * scale[j])),
            translation: self.translation,
        }
    }

    /// True when all twelve numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.linear
            .as_flattened()
            .iter()
            .chain(&self.translation)
            .all(|entry| entry.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_exact() {
        let h = core::f64::consts::FRAC_1_SQRT_2;
        let turn = Affine::from_quaternion([0.0, 0.0, h, h]);
        assert_eq!(
            turn.linear,
            [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
        );
    }

    #[test]
    fn rpy_equals_three_turns_about_fixed_axes() {
        let [r, p, y] = [0.3, -0.7, 1.9];
        let turns = Affine::from_axis_angle([0.0, 0.0, 1.0], y)
            .compose(&Affine::from_axis_angle([0.0, 1.0, 0.0], p))
            .compose(&Affine::from_axis_angle([1.0, 0.0, 0.0], r));
        let rpy = Affine::from_roll_pitch_yaw([r, p, y]);
        for (a, b) in turns
            .linear
            .as_flattened()
            .iter()
            .zip(rpy.linear.as_flattened())
        {
            assert!((a - b).abs() < 1e-15, "{a} {b}");
        }
    }

    #[test]
    fn composing_equals_applying_twice() {
        let a = Affine {
            translation: [1.0, 2.0, 3.0],
            ..Affine::from_quaternion([1.0, 2.0, 3.0, 4.0])
        };
        let b = Affine::from_translation([-4.0, 0.5, 2.0]).scaled([2.0, -1.0, 0.5]);
        let p = [0.25, -3.0, 7.0];
        let (once, twice) = (a.compose(&b).apply(p), a.apply(b.apply(p)));
        for i in 0..3 {
            assert!((once[i] - twice[i]).abs() < 1e-13);
        }
    }
}
