//! What a run of GJK ends with.
//!
//! Where it sits: `gjk.rs` and `facet.rs` make it; `narrow/` makes answers of it.

use super::simplex::Simplex;
use crate::Stop;
use crate::math::Vector64;

/// The result of a run. The bounds are as computed: they hold once widened by [`super::gjk::Settings::slack`].
#[derive(Clone, Copy, Debug)]
pub struct Outcome<V: Vector64> {
    /// The last simplex that improved the distance, with weights unless enclosed.
    pub simplex: Simplex<V>,
    /// The simplex's nearest point, and its points on A and B.
    pub points: [V; 3],
    /// The direction with the best lower bound, from the origin to the difference: from B to A.
    pub direction: V,
    /// The direction of the simplex's own nearest point. Near the optimum a lower bound hardly depends on the direction,
    /// so this one fits the witness points better.
    pub nearest: V,
    /// Best `d·w/|d|` seen; negative infinity when no support step was made.
    pub lower: f64,
    /// Distance of the simplex; zero when enclosed.
    pub upper: f64,
    /// Support steps.
    pub iterations: u32,
    /// Why it ended.
    pub stop: Stop,
}

/// The numbers of an [`Outcome`], without the simplex.
#[derive(Clone, Copy, Debug)]
pub struct Ending<V> {
    /// See [`Outcome::points`], and so on.
    pub(crate) points: [V; 3],
    pub(crate) direction: V,
    pub(crate) nearest: V,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) iterations: u32,
    pub(crate) stop: Stop,
}

impl<V: Vector64> Outcome<V> {
    #[inline(always)]
    pub(crate) fn ending(&self) -> Ending<V> {
        Ending {
            points: self.points,
            direction: self.direction,
            nearest: self.nearest,
            lower: self.lower,
            upper: self.upper,
            iterations: self.iterations,
            stop: self.stop,
        }
    }
}
