//! What a pair solver answers: the one result of all of them.
//!
//! Where it sits: between [`crate::narrow`], which calls, and [`crate::pairs`], which answer.
//! Idea: a solver returns a [`Conclusion`] and writes its numbers into the caller's [`Bounds`]. Writing in place is measured:
//! returning the numbers with the conclusion sends them through memory twice, which costs 8 % on boxes far apart.

use crate::math::{Triple, plus};
use crate::request::{Request, Wanted};

/// What a pair solver proves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Conclusion {
    /// The bodies share no point.
    Separated,
    /// The bodies share inner points.
    Overlapping,
    /// Floats do not prove enough. The next solver is tried.
    Undecided,
}

/// The numbers of a conclusion. They are valid as far as the request wanted them.
#[derive(Debug)]
pub(crate) struct Bounds {
    /// A lower bound of the signed distance.
    pub(crate) lower: f64,
    /// An upper bound of the signed distance. Negative for an undecided pair whose cores are proved to overlap.
    pub(crate) upper: f64,
    /// From A to B; a unit vector, but for the axis of a separation where only the verdict is wanted.
    pub(crate) normal: Triple,
    /// A point of A and one of B, from A's translation.
    pub(crate) points: [Triple; 2],
    /// Of an undecided pair, the direction from which the loop starts well; zero where there is none better than from centre to
    /// centre.
    pub(crate) first_direction: Triple,
    /// Of two polygons that a solver concluded on by their edges.
    pub(crate) highest: Option<HighestVertices>,
}

/// What was found of two polygons beside their contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HighestVertices {
    /// The vertex of A that is highest along the normal, and that of B against it, but for roundings; of two rectangles any, because half edges tell
    /// more.
    pub(crate) ids: [u32; 2],
    /// The largest magnitude of a vertex's coordinates in the world.
    pub(crate) largest: f64,
}

impl Default for Bounds {
    #[inline(always)]
    fn default() -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            normal: [0.0; 3],
            points: [[0.0; 3]; 2],
            first_direction: [0.0; 3],
            highest: None,
        }
    }
}

impl Bounds {
    /// Bodies that overlap, of which no depth is wanted: a point of each, and no number.
    #[inline(always)]
    pub(crate) fn overlap_without_depth(&mut self, points: [Triple; 2]) {
        (self.lower, self.upper) = (f64::NEG_INFINITY, -0.0);
        (self.normal, self.points) = ([1.0, 0.0, 0.0], points);
    }

    /// Whether the interval of a conclusion is as narrow as `width`, in parts of the distance or depth.
    #[inline(always)]
    pub(crate) fn is_narrow(&self, conclusion: Conclusion, width: f64) -> bool {
        match conclusion {
            Conclusion::Separated => self.upper - self.lower <= self.lower * width,
            Conclusion::Overlapping => self.upper - self.lower <= -self.upper * width,
            Conclusion::Undecided => false,
        }
    }

    /// What the interval proves, where it is as narrow as the numbers that are wanted must be.
    #[inline(always)]
    pub(crate) fn conclude(&self, request: &Request) -> Conclusion {
        let conclusion = if self.lower > 0.0 {
            Conclusion::Separated
        } else if self.upper < 0.0 {
            Conclusion::Overlapping
        } else {
            Conclusion::Undecided
        };
        let numbers_wanted = match conclusion {
            Conclusion::Separated => request.wanted != Wanted::Verdict,
            _ => request.wanted == Wanted::Contact,
        };
        if numbers_wanted && !request.float_only && !self.is_narrow(conclusion, request.width) {
            return Conclusion::Undecided;
        }
        conclusion
    }

    /// Takes the bounds of two cores to those of the bodies with their radii.
    #[inline(always)]
    pub(crate) fn sweep(&mut self, radii: [f64; 2]) {
        [self.lower, self.upper] = less_radii([self.lower, self.upper], radii);
        let [x, y] = self.points;
        self.points = [
            plus(x, self.normal, radii[0]),
            plus(y, self.normal, -radii[1]),
        ];
    }
}

/// Bounds of the cores' distance with the radii subtracted.
///
/// One radius at a time, rounded outward: their rounded sum could be off by more than the interval is wide.
#[inline(always)]
pub(crate) fn less_radii(bounds: [f64; 2], radii: [f64; 2]) -> [f64; 2] {
    let less = |[lower, upper]: [f64; 2], r: f64| {
        if r == 0.0 {
            [lower, upper]
        } else {
            [(lower - r).next_down(), (upper - r).next_up()]
        }
    };
    less(less(bounds, radii[0]), radii[1])
}
