//! How fast a body turns at most on a piece of time, for the checker of times of impact.
//!
//! Where it sits: under `chain.rs`. A body turns about one axis: by a constant angular velocity, or by a quaternion `q(t) = [1 − t·lost, t·vector]`, whose
//! length does not count. The angle `φ` of such a quaternion has the rate `φ' = 2·|vector|/q²`, and `q²` is a polynomial of `t` that is convex.

use super::span::{Rotation, Span, Span3, cross, dot, length_above, scale};

/// How a body turns about its centre.
pub(super) enum TurnedPace {
    Constant {
        angular: Span3,
        rate: Span,
        /// The most that `|angular × arm|` is.
        whirl: Span,
    },
    Nlerp(TurnedNlerp),
}

/// By a quaternion that goes on a straight line.
pub(super) struct TurnedNlerp {
    vector: Span3,
    lost: Span,
    /// At least the length of the vector, and the square of that.
    sine: Span,
    square: Span,
    /// At least the distance of every vertex from the axis.
    reach: Span,
}

impl TurnedPace {
    pub(super) fn constant(angular: Span3, arms: &[Span3]) -> Self {
        let whirl = arms.iter().fold(Span::zero(), |most, arm| {
            most.larger(length_above(&cross(&angular, arm)))
        });
        Self::Constant {
            rate: length_above(&angular),
            whirl,
            angular,
        }
    }

    pub(super) fn nlerp(vector: Span3, lost: Span, arms: &[Span3]) -> Self {
        let mut found = TurnedNlerp {
            sine: length_above(&vector),
            square: dot(&vector, &vector),
            vector,
            lost,
            reach: Span::zero(),
        };
        let reach = |most: Span, arm: &Span3| most.larger(found.off_axis(arm));
        found.reach = arms.iter().fold(Span::zero(), reach);
        Self::Nlerp(found)
    }

    /// The turn at a time; `None` where there are too few digits for it.
    pub(super) fn turn(&self, time: &Span) -> Option<Rotation> {
        match self {
            Self::Constant { angular, .. } => Rotation::by(&scale(angular, time)),
            Self::Nlerp(nlerp) => {
                let scalar = Span::of(1.0, 0).minus(&nlerp.lost.times(time));
                Rotation::of(scalar, scale(&nlerp.vector, time))
            }
        }
    }

    /// At least the rate of the angle on a piece of time; `None` where there are too few digits for it.
    pub(super) fn rate(&self, times: &[Span; 2]) -> Option<Span> {
        match self {
            Self::Constant { rate, .. } => Some(rate.clone()),
            Self::Nlerp(nlerp) => nlerp.rates(times).map(|[rate, _]| rate),
        }
    }

    /// At least the speed of every vertex about the centre on a piece of time.
    pub(super) fn whirl(&self, times: &[Span; 2]) -> Option<Span> {
        match self {
            Self::Constant { whirl, .. } => Some(whirl.clone()),
            Self::Nlerp(nlerp) => Some(self.rate(times)?.times(&nlerp.reach)),
        }
    }

    /// At least the acceleration of a point at a unit's distance from the axis.
    pub(super) fn acceleration(&self, times: &[Span; 2]) -> Option<Span> {
        match self {
            Self::Constant { rate, .. } => Some(rate.times(rate)),
            Self::Nlerp(nlerp) => {
                let [rate, change] = nlerp.rates(times)?;
                Some(rate.times(&rate).plus(&change))
            }
        }
    }

    /// At least the acceleration of every vertex along a direction that is fixed in the world. The vertices change their arms by at most the `drift` in a unit of time.
    pub(super) fn along(&self, direction: &Span3, drift: &Span, times: &[Span; 2]) -> Option<Span> {
        // ω²·ρ·|n⊥ω| is |ω×arm|·|ω×n|, and a drift adds twice |ω×n| of it.
        let (own, slide) = match self {
            Self::Constant { angular, whirl, .. } => {
                let across = length_above(&cross(angular, direction));
                (whirl.times(&across), across.times(drift))
            }
            Self::Nlerp(nlerp) => {
                let across = nlerp.off_axis(direction);
                let lever = nlerp.reach.times(&across);
                let slide = self.rate(times)?.times(&across).times(drift);
                (self.acceleration(times)?.times(&lever), slide)
            }
        };
        Some(own.plus(&slide).plus(&slide))
    }
}

impl TurnedNlerp {
    /// At least the part of a vector that is across the axis.
    fn off_axis(&self, x: &Span3) -> Span {
        let across = cross(&self.vector, x);
        let part = dot(&across, &across).quotient(&self.square);
        part.map_or_else(|| length_above(x), |part| part.root_above())
    }

    /// At least the angle's rate on a piece of time, and the rate of that.
    fn rates(&self, times: &[Span; 2]) -> Option<[Span; 2]> {
        let bend = self.lost.times(&self.lost).plus(&self.square);
        // Half the rate of q².
        let slope = |time: &Span| time.times(&bend).minus(&self.lost);
        let square = |time: &Span| {
            let scalar = Span::of(1.0, 0).minus(&self.lost.times(time));
            let vector = time.times(time).times(&self.square);
            scalar.times(&scalar).plus(&vector)
        };
        let slopes = times.each_ref().map(slope);
        let least = if slopes[0].is_positive() {
            square(&times[0])
        } else if slopes[1].is_negative() {
            square(&times[1])
        } else if bend.is_positive() {
            self.square.quotient(&bend)?
        } else {
            square(&times[0]).least(square(&times[1]))
        };
        let double = |x: &Span| x.plus(x);
        let rate = double(&self.sine).quotient(&least)?.size_above();
        let steepest = slopes[0].size_above().larger(slopes[1].size_above());
        let change = rate.times(&double(&steepest)).quotient(&least)?;
        Some([rate, change.size_above()])
    }
}
