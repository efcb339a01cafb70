//! Facets around the origin of which some have an edge so short that rounding turns it: the edge is contracted.
//!
//! Where it sits: under `turning.rs`, which states the certificates of overlaps.
//! Idea: where two corners of a closed surface become one, the facets between them are gone, and the rest is closed as before. Whether the origin is inside of what is left is asked
//! of every facet anew; nothing here proves anything.

use crate::math::{Triple, length, subtract};
use alloc::vec::Vec;

/// A facet of the difference by its pairs of vertices; an edge in the plane repeats the second.
type PairFacet = [[u32; 2]; 3];

/// The surface without the shortest edges of facets that are not clear, if all that is left is clear. The second corner of an edge gives way, or all the first ones do.
pub(super) fn contracted(
    facets: &[PairFacet],
    place: impl Fn([u32; 2]) -> Triple,
    is_clear: impl Fn([Triple; 3]) -> bool,
) -> Option<Vec<PairFacet>> {
    [false, true]
        .into_iter()
        .find_map(|first_goes| {
            let mut left = facets.to_vec();
            // A corner less each time.
            for _ in 0..3 * facets.len() {
                let unclear = |facet: &&PairFacet| !is_clear(facet.map(&place));
                let Some(facet) = left.iter().find(unclear) else {
                    return Some(left);
                };
                let [kept, gone] = shortest(facet, &place)?;
                let [kept, gone] = if first_goes {
                    [gone, kept]
                } else {
                    [kept, gone]
                };
                left = without(&left, gone, kept);
            }
            None
        })
        .filter(|left| left.len() >= 3)
}

/// The ends of the shortest edge of a facet, the lower numbers first.
fn shortest(facet: &PairFacet, place: impl Fn([u32; 2]) -> Triple) -> Option<[[u32; 2]; 2]> {
    let [a, b, c] = *facet;
    let edges = [[a, b], [b, c], [c, a]].into_iter().filter(|[p, q]| p != q);
    let size = |[p, q]: &[[u32; 2]; 2]| length(subtract(place(*p), place(*q)));
    let found = edges.min_by(|p, q| size(p).total_cmp(&size(q)));
    found.map(|[p, q]| if p < q { [p, q] } else { [q, p] })
}

/// The surface with one corner in the place of another.
fn without(facets: &[PairFacet], gone: [u32; 2], kept: [u32; 2]) -> Vec<PairFacet> {
    let corners =
        |[a, b, c]: &PairFacet| usize::from(a != b) + usize::from(b != c) + usize::from(c != a);
    let moved = facets.iter().map(|facet| {
        let next = facet.map(|ids| if ids == gone { kept } else { ids });
        (corners(&next) == corners(facet)).then_some(next)
    });
    moved.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Triple; 5] = [
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, 1.0 + 1e-12, 0.0],
        [-1.0, 1.0, 0.0],
    ];

    fn ring(numbers: &[u32]) -> Vec<PairFacet> {
        let next = numbers.iter().cycle().skip(1);
        let pair = |k: u32| [k, 0];
        numbers
            .iter()
            .zip(next)
            .map(|(&k, &j)| [pair(k), pair(j), pair(j)])
            .collect()
    }

    #[test]
    fn a_short_edge_goes_and_the_ring_stays_closed() {
        let place = |[k, _]: [u32; 2]| CORNERS[k as usize];
        let long = |[a, b, _]: [Triple; 3]| length(subtract(a, b)) > 1e-6;
        let left = contracted(&ring(&[0, 1, 2, 3, 4]), place, long);
        assert_eq!(left, Some(ring(&[0, 1, 2, 4])));
    }

    #[test]
    fn what_is_never_clear_is_nothing() {
        let place = |[k, _]: [u32; 2]| CORNERS[k as usize];
        assert_eq!(contracted(&ring(&[0, 1, 2]), place, |_| false), None);
    }
}
