//! Groups of a part's triangles, as a certificate divides them.
//!
//! Where it sits: `whole.rs` reads them once; `tree.rs` goes from a group to its halves.
//! Idea: a certificate lists the first half only. The second is what is left, so the two together are the group whatever is listed.

use crate::certificate::PartDivisions;

/// All groups together have at most so many triangles for each of the part: a division into halves needs one a level. A list that
/// takes one triangle off at a time would be as large as the square of their number.
const GROUP_SHARE_MAX: usize = 64;

/// The groups of a part; the first is all of it.
#[derive(Debug, Default)]
pub(super) struct TriangleGroups {
    groups: Vec<Vec<u32>>,
    /// The first half of each group, where it is divided.
    halves: Vec<Option<usize>>,
}

impl TriangleGroups {
    /// The groups of so many triangles.
    ///
    /// # Errors  a list that is no proper part of its group, in words.
    pub(super) fn new(count: usize, listed: &PartDivisions) -> Result<Self, String> {
        let all = u32::try_from(count).map_err(|_| "the part has too many triangles")?;
        let mut made = Self {
            groups: vec![(0..all).collect()],
            halves: vec![None],
        };
        let mut total = 0;
        for (index, division) in listed.divisions.iter().enumerate() {
            let fault = |what: &str| {
                let (link, part) = (&listed.link, listed.part);
                format!("link `{link}`, part {part}, division {index}: {what}")
            };
            let group = division.group as usize;
            let Some(parent) = made.groups.get(group) else {
                return Err(fault("there is no such group"));
            };
            if made.halves[group].is_some() {
                return Err(fault("the group is divided twice"));
            }
            total += parent.len();
            if total > count.saturating_mul(GROUP_SHARE_MAX) {
                return Err(fault("the groups are too many and too large"));
            }
            let mut first = division.first.clone();
            first.sort_unstable();
            if first.windows(2).any(|two| two[0] == two[1]) {
                return Err(fault("a triangle is there twice"));
            }
            if first.iter().any(|id| parent.binary_search(id).is_err()) {
                return Err(fault("a triangle is not of the group"));
            }
            let is_second = |id: &&u32| first.binary_search(id).is_err();
            let second: Vec<u32> = parent.iter().filter(is_second).copied().collect();
            if first.is_empty() || second.is_empty() {
                return Err(fault("a half is empty"));
            }
            made.halves[group] = Some(made.groups.len());
            made.groups.extend([first, second]);
            made.halves.extend([None, None]);
        }
        Ok(made)
    }

    /// The halves of a group; the second is behind the first.
    pub(super) fn first_half(&self, group: usize) -> Option<usize> {
        self.halves.get(group).copied().flatten()
    }

    /// The triangles of a group; `None` for all of the part.
    pub(super) fn triangles(&self, group: usize) -> Option<&[u32]> {
        let is_part = group > 0;
        self.groups
            .get(group)
            .filter(|_| is_part)
            .map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::TriangleDivision;

    /// Divisions of 1,000 triangles, each of the second half of the one before, which takes off so many.
    fn peeled(by: u32) -> Result<TriangleGroups, String> {
        let division = |k: u32| TriangleDivision {
            group: 2 * k,
            first: (k * by..(k + 1) * by).collect(),
        };
        let listed = PartDivisions {
            link: "l".to_owned(),
            part: 0,
            divisions: (0..1000 / by - 1).map(division).collect(),
        };
        TriangleGroups::new(1000, &listed)
    }

    #[test]
    fn groups_that_would_fill_the_memory_are_rejected() {
        let fault = peeled(1).expect_err("half a million triangles");
        assert!(fault.contains("too many and too large"), "{fault}");
        let groups = peeled(50).expect("ten thousand");
        assert_eq!(groups.first_half(0), Some(1));
        assert_eq!(groups.triangles(1).map(<[u32]>::len), Some(50));
        assert_eq!(groups.triangles(2).map(<[u32]>::len), Some(950));
    }
}
