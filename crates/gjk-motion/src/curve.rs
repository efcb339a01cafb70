//! Joint values over time: a segment between two points of a trajectory, with bounds of its value and its first two derivatives.
//!
//! Where it sits: `path.rs` checks segments; `span.rs` asks for bounds on a part of one. docs/paths.md says what controllers run.
//! Idea: each joint runs on a polynomial of degree one, three or five in `u`, which goes from 0 to 1 over the segment. In Bernstein's basis
//! a polynomial is between its least and its greatest coefficient, on any part of it by the coefficients of that part, which are convex
//! combinations of those of the whole. Its derivatives have the differences of its coefficients as theirs.
//! Numbers: [`CURVE_ROUNDINGS`] holds what rounding adds.
//! Source: ros2_controllers, joint_trajectory_controller/doc/trajectory.rst, for the rule of [`Interpolation::Auto`].

use gjk_scene::{Limits, Robot, SceneError, SceneErrorKind, Trajectory, TrajectoryPoint};

/// A bound of a polynomial, or of its first or second derivative by `u`, is off by at most so many roundings (of one) of the largest
/// coefficient, times the degree once a derivative. A coefficient has terms of at most six times the largest one and four roundings, which
/// is 12; its differences double that twice, which is 48; the evaluation adds three a level, which is 15 halves.
/// Test: `bounds_hold_where_numbers_cancel`.
pub(crate) const CURVE_ROUNDINGS: f64 = 64.0;

/// What joints do between two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// What ros2_controllers' joint_trajectory_controller does, a segment at a time: linear where points have positions alone, cubic where
    /// both have velocities, quintic where both have accelerations as well.
    #[default]
    Auto,
    /// Straight lines, whatever else the points have.
    Linear,
    /// Cubic polynomials through positions and velocities.
    Cubic,
    /// Quintic polynomials through positions, velocities and accelerations.
    Quintic,
}

/// What was chosen for a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CurveKind {
    /// One state.
    State,
    /// A straight line.
    Linear,
    /// A polynomial of degree three.
    Cubic,
    /// A polynomial of degree five.
    Quintic,
}

impl CurveKind {
    /// The word of reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Linear => "linear",
            Self::Cubic => "cubic",
            Self::Quintic => "quintic",
        }
    }
}

/// The value of one joint over a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointCurve {
    degree: usize,
    /// Bernstein coefficients by `u`.
    value: [f64; 6],
    /// Those of the first derivative.
    slope: [f64; 5],
    /// Those of the second one.
    bend: [f64; 4],
    /// What rounding may add to a bound of the value.
    slack: f64,
    is_still: bool,
    /// Velocities and accelerations at both ends, as far as it has them.
    rates: [f64; 4],
}

/// How fast a curve may run on a part of its segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CurveRates {
    /// At least the largest magnitude of the derivative by `u`.
    pub(crate) speed: f64,
    /// The same of the second derivative.
    pub(crate) acceleration: f64,
}

impl JointCurve {
    pub(crate) fn constant(value: f64) -> Self {
        Self::of(&[value, value])
    }

    fn linear(from: f64, to: f64) -> Self {
        Self::of(&[from, to])
    }

    /// Through positions and velocities at both ends; the segment takes `duration`.
    fn cubic([p, q]: [f64; 2], [v, w]: [f64; 2], duration: f64) -> Self {
        let third = duration / 3.0;
        Self {
            rates: [v, w, 0.0, 0.0],
            ..Self::of(&[p, p + v * third, q - w * third, q])
        }
    }

    /// Through accelerations too.
    fn quintic([p, q]: [f64; 2], [v, w]: [f64; 2], [a, b]: [f64; 2], duration: f64) -> Self {
        let fifth = duration / 5.0;
        let square = duration * duration / 20.0;
        let made = Self::of(&[
            p,
            p + v * fifth,
            p + 2.0 * v * fifth + a * square,
            q - 2.0 * w * fifth + b * square,
            q - w * fifth,
            q,
        ]);
        Self {
            rates: [v, w, a, b],
            ..made
        }
    }

    fn of(coefficients: &[f64]) -> Self {
        let degree = coefficients.len() - 1;
        let mut curve = Self {
            degree,
            value: [0.0; 6],
            slope: [0.0; 5],
            bend: [0.0; 4],
            slack: 0.0,
            is_still: coefficients.iter().all(|&c| c == coefficients[0]),
            rates: [0.0; 4],
        };
        curve.value[..=degree].copy_from_slice(coefficients);
        let n = degree as f64;
        for k in 0..degree {
            curve.slope[k] = n * (curve.value[k + 1] - curve.value[k]);
        }
        for k in 0..degree - 1 {
            curve.bend[k] = (n - 1.0) * (curve.slope[k + 1] - curve.slope[k]);
        }
        if !curve.is_still {
            let largest = coefficients.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
            curve.slack = CURVE_ROUNDINGS * f64::EPSILON * largest;
        }
        curve
    }

    pub(crate) fn is_finite(&self) -> bool {
        let all = self.value.iter().chain(&self.slope).chain(&self.bend);
        all.copied().all(f64::is_finite) && self.slack.is_finite()
    }

    /// True where the value is one number.
    pub(crate) fn is_still(&self) -> bool {
        self.is_still
    }

    /// The numbers that it is made of: its value where that is all, else the values at both ends and what it has of velocities and
    /// accelerations.
    fn numbers(&self) -> Vec<f64> {
        let ends = [self.value[0], self.value[self.degree]];
        let count = self.degree - 1;
        if ends[0] == ends[1] && self.rates == [0.0; 4] {
            return vec![ends[0]];
        }
        [&ends[..], &self.rates[..count]].concat()
    }

    /// What rounding may add to the value.
    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }

    /// The largest value, without its sign.
    pub(crate) fn extent(&self) -> f64 {
        let coefficients = self.value[..=self.degree].iter();
        self.slack + coefficients.fold(0.0, |most: f64, c| most.max(c.abs()))
    }

    pub(crate) fn value(&self, u: f64) -> f64 {
        if self.is_still {
            return self.value[0];
        }
        if self.degree == 1 {
            return (1.0 - u) * self.value[0] + u * self.value[1];
        }
        blossom(&self.value[..=self.degree], |_| u)
    }

    /// The rates for `u` between the two.
    pub(crate) fn rates(&self, span: [f64; 2]) -> CurveRates {
        if self.is_still() {
            return CurveRates {
                speed: 0.0,
                acceleration: 0.0,
            };
        }
        let n = self.degree as f64;
        let largest = |[low, high]: [f64; 2]| low.abs().max(high.abs());
        if self.degree == 1 {
            return CurveRates {
                speed: self.slope[0].abs() + self.slack,
                acceleration: 0.0,
            };
        }
        let slope = range(&self.slope[..self.degree], span);
        let bend = range(&self.bend[..self.degree - 1], span);
        CurveRates {
            speed: largest(slope) + n * self.slack,
            acceleration: largest(bend) + n * n * self.slack,
        }
    }
}

/// The polynomial's polar form: each round of de Casteljau's scheme at its own place.
fn blossom(coefficients: &[f64], at: impl Fn(usize) -> f64) -> f64 {
    let mut row = [0.0; 6];
    row[..coefficients.len()].copy_from_slice(coefficients);
    for round in 1..coefficients.len() {
        let u = at(round - 1);
        for k in 0..coefficients.len() - round {
            row[k] = (1.0 - u) * row[k] + u * row[k + 1];
        }
    }
    row[0]
}

/// The least and the greatest Bernstein coefficient of a part.
fn range(coefficients: &[f64], [from, to]: [f64; 2]) -> [f64; 2] {
    let degree = coefficients.len() - 1;
    let (mut low, mut high) = (f64::INFINITY, -f64::INFINITY);
    for k in 0..=degree {
        let at = blossom(coefficients, |round| if round < k { to } else { from });
        low = low.min(at);
        high = high.max(at);
    }
    [low, high]
}

/// A part of a path that is checked by itself: between two points of a trajectory, or an edge of a planner.
#[derive(Clone, Debug)]
pub struct PathSegment {
    /// When it begins and ends.
    pub time: [f64; 2],
    /// What joints do in between.
    pub kind: CurveKind,
    /// A curve a joint of the robot; those of joints that follow others are not read.
    pub(crate) curves: Vec<JointCurve>,
}

impl PathSegment {
    /// The straight line between two states, a value a joint each; time goes from 0 to 1.
    ///
    /// # Errors  numbers that are not finite.
    pub fn line(robot: &Robot, from: &[f64], to: &[f64]) -> Result<Self, SceneError> {
        let value = |state: &[f64], joint: usize| state.get(joint).copied().unwrap_or(0.0);
        let curves = 0..robot.joints.len();
        let segment = Self {
            time: [0.0, 1.0],
            kind: CurveKind::Linear,
            curves: curves
                .map(|joint| JointCurve::linear(value(from, joint), value(to, joint)))
                .collect(),
        };
        segment.checked(robot, 0)
    }

    /// The segments of a trajectory; one of a single point is its state.
    ///
    /// # Errors  `Cubic` without velocities, `Quintic` without accelerations; polynomials beyond the range of numbers.
    pub fn of_trajectory(
        robot: &Robot,
        trajectory: &Trajectory,
        interpolation: Interpolation,
    ) -> Result<Vec<Self>, SceneError> {
        if let [only] = trajectory.points.as_slice() {
            let state = trajectory.state(robot, &only.positions);
            let segment = Self {
                time: [only.time; 2],
                kind: CurveKind::State,
                curves: state.into_iter().map(JointCurve::constant).collect(),
            };
            return Ok(vec![segment.checked(robot, 0)?]);
        }
        let pairs = trajectory.points.windows(2).enumerate();
        pairs
            .map(|(index, pair)| {
                let ends = [&pair[0], &pair[1]];
                let kind = chosen(interpolation, ends, index)?;
                let mut curves: Vec<JointCurve> = trajectory
                    .start
                    .iter()
                    .map(|&value| JointCurve::constant(value))
                    .collect();
                for (column, &joint) in trajectory.joints.iter().enumerate() {
                    curves[joint] = between(kind, ends, column);
                }
                let segment = Self {
                    time: ends.map(|point| point.time),
                    kind,
                    curves,
                };
                segment.checked(robot, index)
            })
            .collect()
    }

    /// A quintic a joint of the robot, by Bernstein coefficients.
    #[cfg(test)]
    pub(crate) fn of_coefficients(coefficients: Vec<[f64; 6]>) -> Self {
        Self {
            time: [0.0, 1.0],
            kind: CurveKind::Quintic,
            curves: coefficients.iter().map(|of| JointCurve::of(of)).collect(),
        }
    }

    fn checked(self, robot: &Robot, index: usize) -> Result<Self, SceneError> {
        let beyond = self.curves.iter().position(|curve| !curve.is_finite());
        let Some(joint) = beyond else {
            return Ok(self);
        };
        let message = "its polynomial is beyond the range of numbers";
        Err(SceneError::new(SceneErrorKind::BadValue, message)
            .with_element(format!("joint `{}`", robot.joints[joint].name))
            .with_element(format!("segment {index}"))
            .with_help("look for huge positions, velocities or accelerations"))
    }

    /// The numbers that a joint's curve is made of, as a certificate has them.
    pub(crate) fn numbers(&self, joint: usize) -> Vec<f64> {
        self.curves
            .get(joint)
            .map_or_else(Vec::new, JointCurve::numbers)
    }

    /// The state of the whole robot at a part `u` of the segment, from 0 to 1.
    #[must_use]
    pub fn state(&self, robot: &Robot, u: f64) -> Vec<f64> {
        let mut state: Vec<f64> = self.curves.iter().map(|curve| curve.value(u)).collect();
        robot.follow_mimics(&mut state);
        state
    }

    /// By how much a joint leaves a range at most, of some hundred states, and at which part of the segment.
    #[must_use]
    pub fn outside(&self, joint: usize, range: Limits) -> Option<(f64, f64)> {
        let curve = self.curves.get(joint)?;
        let states = if curve.degree > 1 { 128_u32 } else { 1 };
        let excess = |k: u32| {
            let u = f64::from(k) / f64::from(states);
            let value = curve.value(u);
            (u, (value - range.upper).max(range.lower - value))
        };
        let worst = (0..=states).map(excess).max_by(|a, b| a.1.total_cmp(&b.1));
        worst.filter(|&(_, excess)| excess > 0.0)
    }

    /// The time at a part `u` of the segment.
    #[must_use]
    pub fn time_at(&self, u: f64) -> f64 {
        let [from, to] = self.time;
        ((1.0 - u) * from + u * to).clamp(from, to)
    }
}

/// What joints do between two points.
fn chosen(
    interpolation: Interpolation,
    ends: [&TrajectoryPoint; 2],
    index: usize,
) -> Result<CurveKind, SceneError> {
    let velocities = ends.iter().all(|point| point.velocities.is_some());
    let accelerations = ends.iter().all(|point| point.accelerations.is_some());
    let lacks = |what: &str, help: &str| {
        let message = format!("a point of segment {index} has no {what}");
        Err(SceneError::new(SceneErrorKind::Missing, message)
            .with_expected(format!("{what} at all points"))
            .with_help(help))
    };
    match interpolation {
        Interpolation::Auto => Ok(match (velocities, accelerations) {
            (true, true) => CurveKind::Quintic,
            (true, false) => CurveKind::Cubic,
            (false, _) => CurveKind::Linear,
        }),
        Interpolation::Linear => Ok(CurveKind::Linear),
        Interpolation::Cubic if velocities => Ok(CurveKind::Cubic),
        Interpolation::Quintic if velocities && accelerations => Ok(CurveKind::Quintic),
        Interpolation::Cubic => lacks(
            "velocities",
            "`auto` takes what the points have, as controllers do",
        ),
        Interpolation::Quintic => lacks(
            "velocities and accelerations",
            "`auto` takes what the points have, as controllers do",
        ),
    }
}

/// The curve of a column.
fn between(kind: CurveKind, ends: [&TrajectoryPoint; 2], column: usize) -> JointCurve {
    let of = |list: fn(&TrajectoryPoint) -> Option<&Vec<f64>>| {
        ends.map(|point| list(point).map_or(0.0, |values| values[column]))
    };
    let positions = ends.map(|point| point.positions[column]);
    let duration = ends[1].time - ends[0].time;
    let velocities = of(|point| point.velocities.as_ref());
    match kind {
        CurveKind::State | CurveKind::Linear => JointCurve::linear(positions[0], positions[1]),
        CurveKind::Cubic => JointCurve::cubic(positions, velocities, duration),
        CurveKind::Quintic => JointCurve::quintic(
            positions,
            velocities,
            of(|point| point.accelerations.as_ref()),
            duration,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_check::states::Splitmix64;

    fn draw(random: &mut Splitmix64) -> f64 {
        random.unit() * 4.0 - 2.0
    }

    fn curves(random: &mut Splitmix64) -> [JointCurve; 3] {
        let mut two = || [draw(random), draw(random)];
        let (p, v, a) = (two(), two(), two());
        let duration = 0.25 + v[0].abs();
        [
            JointCurve::linear(p[0], p[1]),
            JointCurve::cubic(p, v, duration),
            JointCurve::quintic(p, v, a, duration),
        ]
    }

    /// Values, and differences of them, against the bounds on random parts.
    #[test]
    fn bounds_hold_at_dense_samples() {
        let mut random = Splitmix64(1);
        for _ in 0..300 {
            let (x, y) = (random.unit(), random.unit());
            let span = [x.min(y), (x.max(y) + 1e-3).min(1.0)];
            for curve in curves(&mut random) {
                let rates = curve.rates(span);
                let step = (span[1] - span[0]) / 200.0;
                let at = |k: f64| curve.value(span[0] + k * step);
                for k in 0..=200 {
                    let k = f64::from(k);
                    let value = at(k);
                    assert!(value.abs() <= curve.extent());
                    if k < 200.0 {
                        let slope = (at(k + 1.0) - value) / step;
                        assert!(slope.abs() <= rates.speed * (1.0 + 1e-9) + 1e-9, "{slope}");
                    }
                    if k < 199.0 {
                        let bend = (at(k + 2.0) - 2.0 * at(k + 1.0) + value) / (step * step);
                        let rounding = 4e-15 / (step * step);
                        assert!(bend.abs() <= rates.acceleration + rounding, "{bend}");
                    }
                }
            }
        }
    }

    /// Positions, velocities and accelerations at both ends are those of the points.
    #[test]
    fn polynomials_pass_through_what_the_points_state() {
        let (p, v, a) = ([0.25, -1.0], [2.0, 0.5], [-3.0, 1.5]);
        let duration = 2.0;
        let curve = JointCurve::quintic(p, v, a, duration);
        for (end, k) in [(0, 0), (1, 4)] {
            let slope = curve.slope[k] / duration;
            assert!((slope - v[end]).abs() < 1e-14);
            let bend = curve.bend[if end == 0 { 0 } else { 3 }] / (duration * duration);
            assert!((bend - a[end]).abs() < 1e-13);
        }
        let cubic = JointCurve::cubic(p, v, duration);
        assert_eq!([cubic.value(0.0), cubic.value(1.0)], p);
        assert!((cubic.slope[2] / duration - v[1]).abs() < 1e-14);
    }

    /// A cubic far from zero whose speed is near zero: its bound must not fall below what rounding hides.
    #[test]
    fn bounds_hold_where_numbers_cancel() {
        let far = 1e6;
        let curve = JointCurve::cubic([far, far + 1e-9], [0.0; 2], 3.0);
        assert!(curve.rates([0.0, 1.0]).speed >= 1.5e-9);
        assert!(curve.extent() >= far + 1e-9);
        let still = JointCurve::constant(far);
        assert_eq!((still.rates([0.0, 1.0]).speed, still.extent()), (0.0, far));
    }
}
