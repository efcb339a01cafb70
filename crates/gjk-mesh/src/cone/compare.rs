//! What two bodies share near a point at which their surfaces meet.
//!
//! Idea: near the point both are cones. If the insides of two cones meet, then at a corner of what they share: a direction on one
//! surface that goes inside of the other, a direction on both surfaces about which the insides meet, or two sectors that cross. So
//! it is enough to look at the ends of the sectors and at their crossings. The same tells whether one leaves the other.

use super::{Around, Star};
use crate::signs::Span;

/// What is known of two bodies, or of pieces of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The insides meet; of a surface: it goes inside of the other, or passes through it.
    pub overlap: bool,
    /// The inside of one, or a surface, goes outside of the other.
    pub leaves: [bool; 2],
    /// Something could not be told.
    pub unclear: bool,
}

impl Facts {
    /// What follows from surfaces that pass through each other.
    pub(crate) fn crossing(solid: [bool; 2]) -> Self {
        Self {
            overlap: true,
            leaves: [solid[1], solid[0]],
            unclear: false,
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.overlap |= other.overlap;
        self.leaves[0] |= other.leaves[0];
        self.leaves[1] |= other.leaves[1];
        self.unclear |= other.unclear;
    }

    /// Whether nothing more can become known. A surface without an inside is left by everything.
    pub(crate) fn is_complete(&self, solid: [bool; 2]) -> bool {
        self.overlap && (0..2).all(|k| self.leaves[k] || !solid[1 - k])
    }
}

/// Directions that tell facts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told {
    /// Two sectors cross, that have these ends.
    Crossing([[Span; 2]; 2]),
    /// One on the surface of this body, and off the other's.
    OnOne(usize, Span),
    /// One on both surfaces.
    OnBoth(Span),
}

/// The facts of two bodies near a point; `solid`: which of them have an inside. `tell` hears of what follows from which direction.
pub(crate) fn compare(
    stars: &[Star; 2],
    solid: [bool; 2],
    mut tell: impl FnMut(Told, Facts),
) -> Facts {
    let mut facts = Facts::default();
    let sides = [0, 1].map(|k| stars[k].sides(stars[1 - k].directions()));
    if let Some(arcs) = stars[0].crossing(&stars[1], &sides[0], &sides[1]) {
        facts.add(Facts::crossing(solid));
        tell(Told::Crossing(arcs), facts);
        return facts;
    }
    for k in 0..2 {
        let (mine, other) = (&stars[k], &stars[1 - k]);
        for (number, direction) in mine.directions().iter().enumerate() {
            if facts.is_complete(solid) {
                return facts;
            }
            let on_other = other.around_known(direction, &sides[1 - k], number);
            if on_other.is_empty() {
                if solid[1 - k] {
                    let inside = other.contains(direction);
                    let here = of_direction(k, inside, solid[k]);
                    tell(Told::OnOne(k, *direction), here);
                    facts.add(here);
                }
                continue;
            }
            let on_mine = mine.around(direction);
            let mut on = [&on_mine[..], &on_other[..]];
            on.rotate_left(k);
            let around = Around::new(direction, on);
            let here = about(&around, direction, stars, solid);
            tell(Told::OnBoth(*direction), here);
            facts.add(here);
        }
    }
    facts
}

/// What follows from a direction on the surface of one body that is inside or outside of the other.
fn of_direction(body: usize, inside: Option<bool>, solid: bool) -> Facts {
    let mut facts = Facts::default();
    match inside {
        None => facts.unclear = true,
        // What is near a surface is on both of its sides.
        Some(true) => {
            facts.overlap = true;
            facts.leaves[1 - body] = solid;
        }
        Some(false) => facts.leaves[body] = true,
    }
    facts
}

/// What follows from the half-planes about a direction on both surfaces.
fn about(around: &Around, direction: &Span, stars: &[Star; 2], solid: [bool; 2]) -> Facts {
    let mut facts = Facts::default();
    let regions = |body: usize| {
        around.regions(body).or_else(|| {
            let even = around.is_even(body);
            let inside = even.then(|| stars[body].contains(direction)).flatten()?;
            Some(around.on().map(|_| inside).collect())
        })
    };
    match solid {
        [true, true] => match (regions(0), regions(1)) {
            (Some(in_a), Some(in_b)) => {
                for (a, b) in in_a.into_iter().zip(in_b) {
                    facts.overlap |= a && b;
                    facts.leaves[0] |= a && !b;
                    facts.leaves[1] |= b && !a;
                }
            }
            _ => facts.unclear = true,
        },
        [false, false] => facts.overlap = around.alternate(),
        _ => {
            let surface = usize::from(solid[0]);
            match regions(1 - surface) {
                None => facts.unclear = true,
                Some(inside) => {
                    for (k, on) in around.on().enumerate() {
                        // On the solid's surface it is neither inside nor outside.
                        if on[surface] && !on[1 - surface] {
                            facts.overlap |= inside[k];
                            facts.leaves[surface] |= !inside[k];
                        }
                    }
                }
            }
        }
    }
    facts
}
