//! A piece's height about a direction, to second order.
//!
//! Where it sits: `step.rs` steps by it, and `epa/caps.rs`, which derives the bound, proves by it.

use crate::math::{Scalar, Vector64};
use crate::support::Piece;

/// A direction whose root is below this part of its axes' length is at a cap of a disc, where its gradient is not known.
pub(crate) const CAP_ROOT_MIN: f64 = 1e-3;

/// A direction with two across it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base<V> {
    normal: V,
    pub(crate) across: [V; 2],
}

impl<V: Vector64> Base<V> {
    pub(crate) fn about(direction: V) -> Option<Self> {
        let normal = direction.normalized()?;
        let first = normal.perpendicular().normalized()?;
        let across = [first, V::cross_product(normal, first)];
        Some(Self { normal, across })
    }

    #[inline(always)]
    pub(crate) fn vectors(&self) -> [V; 3] {
        [self.normal, self.across[0], self.across[1]]
    }

    pub(crate) fn normal(&self) -> V {
        self.normal
    }

    pub(crate) fn moved(&self, [x, y]: [f64; 2]) -> V {
        self.normal + self.across[0] * x + self.across[1] * y
    }
}

/// A symmetric quadratic form of two variables: `xx·x² + 2xy·xy + yy·y²`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quadratic {
    pub(crate) xx: f64,
    pub(crate) xy: f64,
    pub(crate) yy: f64,
}

impl Quadratic {
    /// Adds a multiple of another form.
    pub(crate) fn plus(self, other: Self, factor: f64) -> Self {
        Self {
            xx: self.xx + other.xx * factor,
            xy: self.xy + other.xy * factor,
            yy: self.yy + other.yy * factor,
        }
    }

    /// The square of a linear form.
    pub(crate) fn square([x, y]: [f64; 2]) -> Self {
        Self {
            xx: x * x,
            xy: x * y,
            yy: y * y,
        }
    }

    /// The least eigenvalue.
    pub(crate) fn least(self) -> f64 {
        let half = (self.xx - self.yy) * 0.5;
        (self.xx + self.yy) * 0.5 - Scalar::sqrt(half * half + self.xy * self.xy)
    }
}

/// A piece's height about a direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalHeight<V> {
    /// The piece's farthest point: the height's gradient.
    pub(crate) point: V,
    /// `|u|`, zero for a point.
    root: f64,
    /// `e²` of the module's documentation, as a form of `t`.
    curved: Quadratic,
    /// `|∇α|`.
    slope: f64,
    /// `|axes|`, across the direction.
    reach: f64,
}

impl<V: Vector64> LocalHeight<V> {
    /// `None` where the gradient is not known: the root is below this part of the axes.
    #[inline]
    pub(crate) fn of(piece: &Piece<V>, base: &Base<V>, root_min: f64) -> Option<Self> {
        let [normal, first, second] = base.vectors();
        let flat = piece.axes[0] == V::ZERO && piece.axes[1] == V::ZERO && piece.axes[2] == V::ZERO;
        let mut local = Self {
            point: piece.center,
            root: 0.0,
            curved: Quadratic::default(),
            slope: 0.0,
            reach: 0.0,
        };
        if !flat {
            let along = |direction: V| piece.axes.map(|axis| axis.dot(direction));
            let (u, v, w) = (along(normal), along(first), along(second));
            let dot = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
            let (root, length) = (Scalar::sqrt(dot(u, u)), dot(v, v) + dot(w, w));
            if !(root * root > root_min * root_min * length) {
                return None;
            }
            let unit = u.map(|x| x * (1.0 / root));
            for (axis, share) in piece.axes.iter().zip(unit) {
                local.point = local.point + *axis * share;
            }
            let slope = [dot(unit, v), dot(unit, w)];
            let all = Quadratic {
                xx: dot(v, v),
                xy: dot(v, w),
                yy: dot(w, w),
            };
            local.curved = all.plus(Quadratic::square(slope), -1.0);
            local.slope = Scalar::sqrt(slope[0] * slope[0] + slope[1] * slope[1]);
            (local.root, local.reach) = (root, Scalar::sqrt(length));
        }
        Some(local)
    }

    /// Half the second derivative at the direction itself.
    pub(crate) fn hessian(&self) -> Quadratic {
        if self.root > 0.0 {
            Quadratic::default().plus(self.curved, 1.0 / self.root)
        } else {
            Quadratic::default()
        }
    }

    /// The form of the lower bound on a cone of this tangent.
    pub(crate) fn form(&self, tangent: f64) -> Quadratic {
        if self.root == 0.0 {
            return Quadratic::default();
        }
        let far = self.root + self.slope * tangent;
        let across = self.reach * tangent;
        let share = 1.0 / (Scalar::sqrt(far * far + across * across) + far);
        Quadratic::default().plus(self.curved, share)
    }
}
