//! Gaps at many times of a motion, between which the least is looked for by halving.
//!
//! Where it sits: under `tois.rs`, which knows the gap at a time.

/// Points that are nearer to each other than this part of a body's size make slivers, whose planes are not known; so do those that are all so near a plane, and not on it.
const SLIVER_PART: f64 = 1e-9;

/// Times at which the bodies are placed.
const SAMPLES: u32 = 48;

/// Halvings around the sample with the least gap.
const REFINEMENTS: u32 = 24;

/// Whether two points of a body are nearer to each other than a part of its size, and not one, or all of them as near a plane, in the plane a line, and not on it.
pub(super) fn has_sliver(dim: usize, points: &[[f64; 3]]) -> bool {
    let far = |x: f64| points.iter().flatten().fold(x, |m, c| m.max(c.abs()));
    let least = SLIVER_PART * far(0.0);
    let apart = |p: &[f64; 3], q: &[f64; 3]| {
        let between: [f64; 3] = std::array::from_fn(|k| q[k] - p[k]);
        between.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
    };
    let mut pairs = points
        .iter()
        .enumerate()
        .flat_map(|(k, p)| points[k + 1..].iter().map(move |q| (p, q)));
    let is_thin = |apart: f64| apart > 0.0 && apart < least;
    pairs.any(|(p, q)| is_thin(apart(p, q))) || thickness(dim, points).is_some_and(is_thin)
}

/// How far points are from the plane of three that are far from each other, or in the plane from the line of two; `None` where there are none such.
fn thickness(dim: usize, points: &[[f64; 3]]) -> Option<f64> {
    let first = points.first()?;
    let arms = || {
        points
            .iter()
            .map(|p| std::array::from_fn(|k| p[k] - first[k]))
    };
    let longest = |all: &mut dyn Iterator<Item = [f64; 3]>| {
        all.max_by(|x, y| dot(*x, *x).total_cmp(&dot(*y, *y)))
    };
    let along = longest(&mut arms())?;
    let normal = if dim == 2 {
        [-along[1], along[0], 0.0]
    } else {
        longest(&mut arms().map(|arm| cross(along, arm)))?
    };
    let size = dot(normal, normal).sqrt();
    let height = |arm: [f64; 3]| (dot(arm, normal) / size).abs();
    (size > 0.0).then(|| arms().map(height).fold(0.0, f64::max))
}

/// Holds the end of a contact against samples: they meet until its lower end, and are apart at its upper one.
pub(super) fn lasted(
    [lower, upper]: [f64; 2],
    margin: f64,
    gap_at: impl Fn(f64) -> f64,
) -> Result<(), String> {
    let apart = gap_at(upper);
    if apart < -margin {
        return Err(format!("they are {:e} deep at the upper end", -apart));
    }
    let (gap, time) = deepest(lower, |time| -gap_at(time));
    if gap < -margin {
        return Err(format!(
            "exits from {lower}, but at {time} they are {:e} apart",
            -gap
        ));
    }
    Ok(())
}

/// Holds a contact against samples: they meet at its upper end, or before it where a contact is so short that the end, rounded outward in `f32`, is after it.
pub(super) fn meets_until(
    [lower, upper]: [f64; 2],
    margin: f64,
    gap_at: impl Fn(f64) -> f64,
) -> Result<(), String> {
    let apart = gap_at(upper);
    let least = |apart: f64| {
        deepest(upper - lower, |time| gap_at(lower + time))
            .0
            .min(apart)
    };
    if apart > margin && least(apart) > margin {
        return Err(format!("they are {apart:e} apart at the upper end"));
    }
    Ok(())
}

/// The least gap until a time that is found, and when it is.
pub(super) fn deepest(clear: f64, gap_at: impl Fn(f64) -> f64) -> (f64, f64) {
    let mut deepest = (f64::INFINITY, 0.0);
    for k in 0..=SAMPLES {
        let time = clear * f64::from(k) / f64::from(SAMPLES);
        let found = gap_at(time);
        if found < deepest.0 {
            deepest = (found, time);
        }
    }
    let mut step = clear / f64::from(SAMPLES);
    for _ in 0..REFINEMENTS {
        step *= 0.5;
        for time in [deepest.1 - step, deepest.1 + step] {
            let time = time.clamp(0.0, clear);
            let found = gap_at(time);
            if found < deepest.0 {
                deepest = (found, time);
            }
        }
    }
    deepest
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polygon is thin across its longest line, though all of it is in one plane; in space it is flat.
    #[test]
    fn slivers_of_the_plane_are_seen() {
        let next = 1.0 + f64::EPSILON;
        let polygon = [
            [1.0, -1.0, 0.0],
            [1.0, 0.0, 0.0],
            [next, -2.0, 0.0],
            [next, 2.0, 0.0],
        ];
        assert!(has_sliver(2, &polygon));
        assert!(!has_sliver(3, &polygon));
        let square = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        assert!(!has_sliver(2, &square) && !has_sliver(2, &square[..2]));
    }

    /// The bodies meet for a part of the interval only.
    #[test]
    fn a_contact_may_end_before_its_upper_end() {
        let gap_at = |time: f64| (time - 0.25).abs() - 1e-3;
        assert_eq!(meets_until([0.125, 0.5], 1e-9, gap_at), Ok(()));
        assert!(meets_until([0.125, 0.5], 1e-9, |time| gap_at(time) + 2e-3).is_err());
    }
}
