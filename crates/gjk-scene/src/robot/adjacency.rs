//! Which links are next to each other when links without collision geometry do not count.
//! Where it sits: a method of [`Robot`], beside [`Robot::adjacent_links`], which knows one joint only.
//! Idea: MoveIt contracts links without geometry until none is left. The links are a tree, so two links become neighbours by that
//! exactly when only such links are on the way from one to the other; the way itself says why to people.

use super::Robot;

/// Two links with collision geometry that a joint joins, or a chain of links without any.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AdjacentPair {
    /// One link, as an index into [`Robot::links`]; the lower one.
    pub a: usize,
    /// The other link.
    pub b: usize,
    /// The links without geometry from `a` to `b`; none where one joint joins them.
    pub through: Vec<usize>,
}

impl Robot {
    /// The pairs of links with geometry that are adjacent once links without geometry are contracted, sorted.
    #[must_use]
    pub fn adjacent_by_contraction(&self) -> Vec<AdjacentPair> {
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); self.links.len()];
        for joint in &self.joints {
            neighbours[joint.parent].push(joint.child);
            neighbours[joint.child].push(joint.parent);
        }
        let has_geometry = |link: usize| !self.links[link].collisions.is_empty();
        let mut pairs = Vec::new();
        for a in (0..self.links.len()).filter(|link| has_geometry(*link)) {
            // Each step: a link, the one before it, and how many links without geometry are before it.
            let mut waiting: Vec<(usize, usize, usize)> =
                neighbours[a].iter().map(|next| (*next, a, 0)).collect();
            let mut way: Vec<usize> = Vec::new();
            while let Some((link, before, depth)) = waiting.pop() {
                way.truncate(depth);
                if has_geometry(link) {
                    if a < link {
                        let (b, through) = (link, way.clone());
                        pairs.push(AdjacentPair { a, b, through });
                    }
                    continue;
                }
                way.push(link);
                let next = neighbours[link].iter().filter(|next| **next != before);
                waiting.extend(next.map(|next| (*next, link, depth + 1)));
            }
        }
        pairs.sort_unstable();
        pairs
    }
}
