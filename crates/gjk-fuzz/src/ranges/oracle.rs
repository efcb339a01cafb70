//! Where a robot's links stand, and between what bounds two of them are apart: by nothing of the library's.
//!
//! Idea: the nearest point of the difference of two convex bodies to the origin, by pairwise Frank-Wolfe steps: weight goes from the worst
//! point of a combination to the best vertex. Each combination is a difference of two points of the bodies, so its length bounds the distance
//! from above; the best vertex along it is a plane that bounds it from below. It needs no simplex and ends when it likes.
//! Source: Lacoste-Julien and Jaggi, "On the global linear convergence of Frank-Wolfe optimization variants" (2015).
//! Numbers: bounds are floats, off by some roundings of the robot's size; [`ROUNDING`] is what is granted.

use super::arm::{Arm, ArmJointKind, Solid};

/// What floats of a robot of about a metre may be off.
pub const ROUNDING: f64 = 1e-11;

type Vector3 = [f64; 3];

fn dot(a: Vector3, b: Vector3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sub(a: Vector3, b: Vector3) -> Vector3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A rotation by rows, and a translation.
#[derive(Clone, Copy, Debug)]
pub struct LinkPlace {
    turn: [Vector3; 3],
    shift: Vector3,
}

impl LinkPlace {
    const IDENTITY: Self = Self {
        turn: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        shift: [0.0; 3],
    };

    fn point(&self, p: Vector3) -> Vector3 {
        [0, 1, 2].map(|i: usize| dot(self.turn[i], p) + self.shift[i])
    }

    /// Where the origin stands.
    #[cfg(test)]
    pub(super) fn point_of_origin(&self) -> [f64; 3] {
        self.shift
    }

    /// A direction in the frame of what is placed.
    fn back(&self, d: Vector3) -> Vector3 {
        [0, 1, 2].map(|j: usize| (0..3).map(|i| self.turn[i][j] * d[i]).sum())
    }

    fn then(&self, inner: &Self) -> Self {
        let column = |j: usize| [inner.turn[0][j], inner.turn[1][j], inner.turn[2][j]];
        Self {
            turn: self
                .turn
                .map(|row| [0, 1, 2].map(|j: usize| dot(row, column(j)))),
            shift: self.point(inner.shift),
        }
    }

    /// About a unit axis (Rodrigues).
    fn about([x, y, z]: Vector3, angle: f64) -> Self {
        let (s, c) = angle.sin_cos();
        let v = 1.0 - c;
        Self {
            turn: [
                [c + x * x * v, x * y * v - z * s, x * z * v + y * s],
                [y * x * v + z * s, c + y * y * v, y * z * v - x * s],
                [z * x * v - y * s, z * y * v + x * s, c + z * z * v],
            ],
            shift: [0.0; 3],
        }
    }

    /// URDF's origin: about x, then y, then z, and a shift.
    fn origin([shift, [roll, pitch, yaw]]: [Vector3; 2]) -> Self {
        let x = Self::about([1.0, 0.0, 0.0], roll);
        let y = Self::about([0.0, 1.0, 0.0], pitch);
        let z = Self::about([0.0, 0.0, 1.0], yaw);
        let turned = z.then(&y).then(&x);
        Self { shift, ..turned }
    }
}

/// Where the links stand.
pub fn places(arm: &Arm, values: &[f64]) -> Vec<LinkPlace> {
    let mut places = vec![LinkPlace::IDENTITY];
    for (joint, &value) in arm.joints.iter().zip(values) {
        let length = dot(joint.axis, joint.axis).sqrt();
        let axis = joint.axis.map(|x| x / length);
        let motion = match joint.kind {
            ArmJointKind::Fixed => LinkPlace::IDENTITY,
            ArmJointKind::Prismatic => LinkPlace {
                shift: axis.map(|x| x * value),
                ..LinkPlace::IDENTITY
            },
            _ => LinkPlace::about(axis, value),
        };
        let placed = places[joint.parent].then(&LinkPlace::origin(joint.origin));
        places.push(placed.then(&motion));
    }
    places
}

/// A distance between two ends; the lower one is below zero where no plane was found.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// At least.
    pub lower: f64,
    /// At most: zero where the bodies have a point in common.
    pub upper: f64,
}

impl Solid {
    fn radius(&self) -> f64 {
        match self {
            Self::Points(_, radius) => *radius,
            Self::Cylinder { .. } => 0.0,
        }
    }

    /// The farthest point, without the radius.
    fn farthest(&self, d: Vector3) -> Vector3 {
        match self {
            Self::Points(points, _) => {
                let mut best = points[0];
                for &point in &points[1..] {
                    if dot(point, d) > dot(best, d) {
                        best = point;
                    }
                }
                best
            }
            Self::Cylinder { half, radius } => {
                let across = d[0].hypot(d[1]);
                let part = if across > 0.0 { radius / across } else { 0.0 };
                [d[0] * part, d[1] * part, half.copysign(d[2])]
            }
        }
    }
}

fn farthest(solid: &Solid, place: &LinkPlace, d: Vector3) -> Vector3 {
    place.point(solid.farthest(place.back(d)))
}

/// Between what bounds two convex bodies are apart, after at most so many steps.
fn between(one: (&Solid, &LinkPlace), other: (&Solid, &LinkPlace), steps: usize) -> Bounds {
    let vertex = |d: Vector3| {
        let back = d.map(|x| -x);
        sub(farthest(one.0, one.1, d), farthest(other.0, other.1, back))
    };
    let radii = one.0.radius() + other.0.radius();
    let mut active = vec![(vertex([1.0, 0.3, 0.2]), 1.0)];
    let mut best = Bounds {
        lower: -radii,
        upper: f64::INFINITY,
    };
    for _ in 0..steps {
        let mut x = [0.0; 3];
        for &(w, weight) in &active {
            x = [0, 1, 2].map(|i: usize| x[i] + weight * w[i]);
        }
        let length = dot(x, x).sqrt();
        best.upper = best.upper.min(length - radii);
        if length < 1e-14 {
            break;
        }
        let near = vertex(x.map(|c| -c));
        best.lower = best.lower.max(dot(x, near) / length - radii);
        let away =
            (0..active.len()).max_by(|&a, &b| dot(active[a].0, x).total_cmp(&dot(active[b].0, x)));
        let Some(away) = away else { break };
        let way = sub(near, active[away].0);
        let square = dot(way, way);
        if !(square > 0.0) || best.upper - best.lower < 1e-13 {
            break;
        }
        let step = (-dot(x, way) / square).clamp(0.0, active[away].1);
        active[away].1 -= step;
        match active.iter_mut().find(|(w, _)| *w == near) {
            Some((_, weight)) => *weight += step,
            None => active.push((near, step)),
        }
        active.retain(|(_, weight)| *weight > 0.0);
    }
    best.upper = best.upper.max(0.0);
    best
}

/// Between what bounds two links are apart in a state.
pub fn distance(arm: &Arm, [a, b]: [usize; 2], places: &[LinkPlace], steps: usize) -> Bounds {
    let [one, other] = [a, b].map(|k| places[k].then(&LinkPlace::origin(arm.links[k].origin)));
    let mut nearest = Bounds {
        lower: f64::INFINITY,
        upper: f64::INFINITY,
    };
    for first in &arm.links[a].pieces {
        for second in &arm.links[b].pieces {
            let found = between((first, &one), (second, &other), steps);
            nearest.lower = nearest.lower.min(found.lower);
            nearest.upper = nearest.upper.min(found.upper);
        }
    }
    nearest
}
