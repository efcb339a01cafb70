//! The groups of triangles that a certificate's trees ask for, by number.
//!
//! Where it sits: `certify.rs` and `certify_path.rs` number the groups with it as they write trees.

use crate::certificate::{PartDivisions, TriangleDivision};
use crate::piece::{LinkPiece, LinkPieces};
use gjk_scene::Scene;
use std::collections::BTreeMap;

/// The divisions of all parts so far.
pub(crate) struct DividedParts<'p> {
    links: &'p [LinkPieces],
    parts: BTreeMap<(usize, usize), DividedPart<'p>>,
}

/// The groups of a part that were asked for.
struct DividedPart<'p> {
    divisions: Vec<TriangleDivision>,
    pieces: Vec<Option<&'p LinkPiece>>,
    /// The first half of each group.
    halves: Vec<Option<usize>>,
}

impl<'p> DividedParts<'p> {
    /// None yet, of these bodies.
    pub(crate) fn new(links: &'p [LinkPieces]) -> Self {
        Self {
            links,
            parts: BTreeMap::new(),
        }
    }

    /// The halves of a group of a body's part, the one that is looked at first last.
    pub(crate) fn halves(&mut self, body: usize, part: usize, group: usize) -> [usize; 2] {
        let links = self.links;
        let whole = &links[body].pieces[part];
        let known = self
            .parts
            .entry((body, part))
            .or_insert_with(|| DividedPart::new(whole));
        let first = known.divide(group);
        [first + 1, first]
    }

    /// As a certificate lists them.
    pub(crate) fn listed(self, scene: &Scene) -> Vec<PartDivisions> {
        let parts = self.parts.into_iter();
        let parts = parts.filter(|(_, part)| !part.divisions.is_empty());
        parts
            .map(|((body, part), found)| PartDivisions {
                link: scene.bodies[body].name.clone(),
                part,
                divisions: found.divisions,
            })
            .collect()
    }
}

impl<'p> DividedPart<'p> {
    fn new(whole: &'p LinkPiece) -> Self {
        Self {
            divisions: Vec::new(),
            pieces: vec![Some(whole)],
            halves: vec![None],
        }
    }

    /// The first half of a group; the other one is behind it.
    fn divide(&mut self, group: usize) -> usize {
        if let Some(first) = self.halves[group] {
            return first;
        }
        let first = self.pieces.len();
        // The prover looks at the second half first.
        let halves = self.pieces[group].and_then(LinkPiece::halves);
        let ids = halves.map_or(&[][..], |[_, upper]| upper.triangle_ids());
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        self.divisions.push(TriangleDivision {
            group: group as u32,
            first: ids,
        });
        self.pieces.push(halves.map(|[_, upper]| upper));
        self.pieces.push(halves.map(|[lower, _]| lower));
        self.halves[group] = Some(first);
        self.halves.extend([None, None]);
        first
    }
}
