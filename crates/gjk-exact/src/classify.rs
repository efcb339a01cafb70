//! Separated, touching or overlapping: the exact three-way answer with its certificate.

use crate::direction::{DirectionKind, Operand, SymbolicDirection};
use crate::interior::{self, Enclosure, Interior};
use crate::nearest::Nearest;
use crate::problem::{Points, Problem};
use crate::sign::{AdaptiveSigns, SignOracle};
use crate::solver::{self, Simplex};
use crate::vertex::Vertex;
use core::cmp::Ordering::Less;

/// The exact relation of two polytopes.
///
/// Sign: every direction points from A to B, as `gjk`'s normals do.
#[derive(Clone, Copy, Debug)]
pub enum Class {
    /// `direction · a < direction · b` for all points.
    Separated {
        /// Parallel to the shortest vector from A to B.
        direction: SymbolicDirection,
        /// The face of the difference nearest the origin: at most as many vertex pairs as the dimension.
        nearest: Nearest,
    },
    /// `direction · a ≤ direction · b` for all points, and the bodies share one.
    Touching {
        /// Normal of a plane that supports both bodies.
        direction: SymbolicDirection,
        /// Vertex pairs and weights of a common point.
        nearest: Nearest,
    },
    /// The origin is strictly inside the hull of the pairs' differences: 3 or 4 pairs in 2D, 4 to 6 in 3D.
    Overlapping(Enclosure),
}

/// Where the descent ended: the minimal simplex and the direction of its nearest point, `None` when that is the origin.
struct Descent {
    simplex: Simplex,
    direction: Option<SymbolicDirection>,
}

/// Wolfe's descent from the first of `start` with the given support function.
///
/// Every step brings the simplex strictly nearer the origin, so no simplex comes back and the walk ends without a tie
/// rule. The other vertices of `start` are tried first, each taken only if it is such a step.
fn descend<S: SignOracle>(
    signs: &S,
    dim: usize,
    start: &[Vertex],
    support: impl Fn(&SymbolicDirection) -> Option<Vertex>,
) -> Descent {
    let mut simplex = Simplex::new(&start[..1]);
    let mut offered = start[1..].iter().copied();
    let mut face = solver::nearest(signs, dim, &simplex);
    while let Some(direction) = face.direction {
        simplex = face.simplex;
        let nearer = |w: &Vertex| {
            signs.sign(&direction, &Operand::Between(simplex.vertices()[0], *w)) == Less
        };
        let next = offered
            .by_ref()
            .find(nearer)
            .or_else(|| support(&-direction).filter(nearer));
        match next {
            Some(w) => face = solver::nearest(signs, dim, &simplex.with(w)),
            None => {
                return Descent {
                    simplex,
                    direction: Some(direction),
                };
            }
        }
    }
    Descent {
        simplex: face.simplex,
        direction: None,
    }
}

/// Classifies the hulls of two point sets exactly.
///
/// Frame: both sets in one frame; with `dim` 2 the third coordinates must be zero.  `hint` is a first direction from A
/// to B (any, zero allowed); it changes only the work.  Flat bodies: two coplanar bodies in 3D, or collinear ones in 2D,
/// have a Minkowski difference without interior, so they can at most touch.
///
/// Returns `None` only for an empty set or a coordinate that is not finite.
/// # Complexity  O(n + m) a step.
/// # Examples
/// ```
/// use gjk_exact::{Class, classify};
/// let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let b = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0]];
/// assert!(matches!(classify(2, &a, &b, [1.0, 0.0, 0.0]), Some(Class::Touching { .. })));
/// ```
pub fn classify(dim: usize, a: &[[f64; 3]], b: &[[f64; 3]], hint: [f64; 3]) -> Option<Class> {
    let finite = |set: &[[f64; 3]]| !set.is_empty() && set.iter().flatten().all(|x| x.is_finite());
    if !finite(a) || !finite(b) {
        return None;
    }
    let hint = if hint.iter().all(|x| x.is_finite()) {
        hint
    } else {
        [0.0; 3]
    };
    let signs = AdaptiveSigns::default();
    let problem = Problem::new(dim, a, b, &signs);
    Some(problem.classify(&[problem.support(&DirectionKind::Given(hint).into())]))
}

impl<'a, A: Points + ?Sized, B: Points + ?Sized, S: SignOracle> Problem<'a, A, B, S> {
    /// Two sets of finite points in `dim` (2 or 3) dimensions; in the plane the third coordinates are zero.
    pub fn new(dim: usize, a: &'a A, b: &'a B, signs: &'a S) -> Self {
        Self { dim, a, b, signs }
    }

    /// The exact relation, from any non-empty list of vertices: good ones save steps.
    pub fn classify(&self, start: &[Vertex]) -> Class {
        let descent = descend(self.signs, self.dim, start, |d| Some(self.support(d)));
        let nearest = Nearest::new(self.dim, descent.simplex);
        if let Some(direction) = descent.direction {
            return Class::Separated {
                direction: -direction,
                nearest,
            };
        }
        let around = if descent.simplex.vertices().len() > 1 {
            descent
        } else {
            self.around_zero()
        };
        if let Some(direction) = around.direction {
            return Class::Touching {
                direction: -direction,
                nearest,
            };
        }
        match interior::decide(self, &around.simplex) {
            Interior::Touching(direction) => Class::Touching { direction, nearest },
            Interior::Overlapping(enclosure) => Class::Overlapping(enclosure),
        }
    }

    /// Two points coincide: a simplex of non-zero vertices around the origin, or a direction below which all of them lie.
    fn around_zero(&self) -> Descent {
        let any: SymbolicDirection = DirectionKind::Given([1.0, 0.0, 0.0]).into();
        match self.support_nonzero(&any) {
            Some(w) => descend(self.signs, self.dim, &[w], |d| self.support_nonzero(d)),
            // Zero is all there is: every direction supports it.
            None => Descent {
                simplex: Simplex::new(&[self.vertex([0, 0])]),
                direction: Some(any),
            },
        }
    }
}
