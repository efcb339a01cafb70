//! Facets around the origin of which some are so thin that rounding turns them: edges of theirs are contracted.
//!
//! Where it sits: under `turning.rs`, which states the certificates of overlaps.
//! Idea: where two corners of a closed surface become one, the facets between them are gone, and the rest is closed as before. Whether the origin is inside of what is left is asked
//! of every facet anew; nothing here proves anything.

use crate::math::{Triple, length, subtract};
use alloc::vec::Vec;

/// A facet of the difference by its pairs of vertices; an edge in the plane repeats the second.
type PairFacet = [[u32; 2]; 3];

/// So many edges are contracted in all ways that there are; more only one after the other, the shortest first.
const TRIED: u32 = 4;

/// The surface without some edges of facets that are not clear, if all that is left is clear.
pub(super) fn contracted(
    facets: &[PairFacet],
    place: impl Fn([u32; 2]) -> Triple,
    is_clear: impl Fn([Triple; 3]) -> bool,
) -> Option<Vec<PairFacet>> {
    let unclear = |left: &[PairFacet]| {
        let found = left.iter().find(|facet| !is_clear(facet.map(&place)));
        found.map(|facet| edges(facet, &place))
    };
    let one_by_one = [0, 1].into_iter().find_map(|way| {
        let mut left = facets.to_vec();
        // A corner less each time.
        for _ in 0..3 * facets.len() {
            let Some(edges) = unclear(&left) else {
                return enough(left);
            };
            let [kept, gone] = *edges.get(way)?;
            left = without(&left, gone, kept);
        }
        None
    });
    one_by_one.or_else(|| searched(facets.to_vec(), &unclear, TRIED))
}

/// Facets, where they are so many that something can be between them.
fn enough(left: Vec<PairFacet>) -> Option<Vec<PairFacet>> {
    (left.len() >= 3).then_some(left)
}

/// The same by all ways to contract so many edges.
fn searched(
    left: Vec<PairFacet>,
    unclear: &impl Fn(&[PairFacet]) -> Option<Vec<[[u32; 2]; 2]>>,
    tries: u32,
) -> Option<Vec<PairFacet>> {
    let Some(edges) = unclear(&left) else {
        return enough(left);
    };
    let mut edges = edges.into_iter().filter(|_| tries > 0);
    edges.find_map(|[kept, gone]| searched(without(&left, gone, kept), unclear, tries - 1))
}

/// The edges of a facet, the shortest first, each with the lower pair of vertices first and then the other way around.
fn edges(facet: &PairFacet, place: impl Fn([u32; 2]) -> Triple) -> Vec<[[u32; 2]; 2]> {
    let [a, b, c] = *facet;
    let mut edges = [[a, b], [b, c], [c, a]].map(|[p, q]| if p < q { [p, q] } else { [q, p] });
    let size = |[p, q]: &[[u32; 2]; 2]| length(subtract(place(*p), place(*q)));
    edges.sort_by(|p, q| size(p).total_cmp(&size(q)));
    let real = edges.into_iter().filter(|[p, q]| p != q);
    real.flat_map(|[p, q]| [[p, q], [q, p]]).collect()
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

    /// The corner between the ends of a long edge goes, and not an end.
    #[test]
    fn a_corner_on_a_line_goes() {
        let corners = [
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [1.0, 1e-3, 0.0],
            [1.0, 1.0, 0.0],
            [-1.0, 1.0, 0.0],
        ];
        let place = |[k, _]: [u32; 2]| corners[k as usize];
        let long = |[a, b, _]: [Triple; 3]| length(subtract(a, b)) > 1.5;
        let left = contracted(&ring(&[0, 1, 2, 3, 4]), place, long);
        assert_eq!(left, Some(ring(&[0, 1, 3, 4])));
    }

    #[test]
    fn what_is_never_clear_is_nothing() {
        let place = |[k, _]: [u32; 2]| CORNERS[k as usize];
        assert_eq!(contracted(&ring(&[0, 1, 2]), place, |_| false), None);
    }
}
