//! Splits triangles in two parts that later queries enter as seldom as may be.
//!
//! Idea: how often a box is entered grows with its surface, and what that costs with the triangles in it. So of planes across each axis
//! of the node's box the one is taken with the least sum of surface times triangles, these rounded up to full leaves.
//! Numbers: a part has at least an eighth of the triangles, or they are halved by number, so the depth is bounded whatever the
//! triangles are, a million in one plane or in one place.
//! Source: Wald 2007 (bins).

use super::WIDTH;
use super::fit::Corners;

/// Planes across an axis, and one.
const BINS: usize = 16;

/// The least part of the triangles that a split by surface may leave.
const LEAST_SHARE: usize = 8;

/// A box along a node's axes.
#[derive(Clone, Copy)]
struct Extent {
    low: [f32; 3],
    high: [f32; 3],
}

impl Extent {
    const NOTHING: Self = Self {
        low: [f32::INFINITY; 3],
        high: [f32::NEG_INFINITY; 3],
    };

    fn join(&mut self, other: &Self) {
        for k in 0..3 {
            self.low[k] = self.low[k].min(other.low[k]);
            self.high[k] = self.high[k].max(other.high[k]);
        }
    }

    /// Half the surface; 0 of nothing.
    fn surface(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|k| self.high[k] - self.low[k]);
        if x >= 0.0 { x * y + y * z + z * x } else { 0.0 }
    }
}

/// A triangle of a node.
#[derive(Clone, Copy)]
pub(super) struct Member {
    extent: Extent,
    pub(super) number: u32,
}

impl Member {
    pub(super) fn new(axes: &[[f32; 3]; 3], corners: &Corners, number: u32) -> Self {
        let mut extent = Extent::NOTHING;
        for corner in corners {
            let height =
                |axis: &[f32; 3]| axis[0] * corner[0] + axis[1] * corner[1] + axis[2] * corner[2];
            let at = [height(&axes[0]), height(&axes[1]), height(&axes[2])];
            extent.join(&Extent { low: at, high: at });
        }
        Self { extent, number }
    }

    /// Twice the middle along an axis.
    fn height(&self, axis: usize) -> f32 {
        self.extent.low[axis] + self.extent.high[axis]
    }
}

/// Triangles between two planes.
#[derive(Clone, Copy)]
struct Bin {
    extent: Extent,
    count: usize,
}

const EMPTY: Bin = Bin {
    extent: Extent::NOTHING,
    count: 0,
};

impl Bin {
    fn join(&mut self, other: &Self) {
        self.extent.join(&other.extent);
        self.count += other.count;
    }

    fn cost(&self) -> f32 {
        self.extent.surface() * self.count.next_multiple_of(WIDTH) as f32
    }
}

/// Orders triangles, which are more than a leaf's, so that a first part and the rest are good halves; how many the first part has.
pub(super) fn split(members: &mut [Member]) -> usize {
    let middles = middles(members);
    let (axis, first) = by_surface(members, &middles).unwrap_or_else(|| {
        let spread = |axis: usize| middles.high[axis] - middles.low[axis];
        let wider = |best: usize, k: usize| if spread(k) > spread(best) { k } else { best };
        let half = (members.len() / 2).next_multiple_of(WIDTH);
        (wider(wider(0, 1), 2), half)
    });
    members.select_nth_unstable_by(first, |x, y| {
        let by_height = x.height(axis).total_cmp(&y.height(axis));
        by_height.then(x.number.cmp(&y.number))
    });
    first
}

/// The box of the middles, twice.
fn middles(members: &[Member]) -> Extent {
    let mut all = Extent::NOTHING;
    for member in members {
        let at = [member.height(0), member.height(1), member.height(2)];
        all.join(&Extent { low: at, high: at });
    }
    all
}

/// The axis and how many triangles are before the best plane across it; `None` where that leaves too few on a side.
fn by_surface(members: &[Member], middles: &Extent) -> Option<(usize, usize)> {
    let mut bins = [[EMPTY; BINS]; 3];
    let scales = [0, 1, 2].map(|k| BINS as f32 / (middles.high[k] - middles.low[k]));
    for member in members {
        let own = Bin {
            extent: member.extent,
            count: 1,
        };
        for axis in 0..3 {
            // Where all are at one height that is no number, and they are in the first bin.
            let at = (member.height(axis) - middles.low[axis]) * scales[axis];
            bins[axis][(at as usize).min(BINS - 1)].join(&own);
        }
    }
    let (mut least, mut best) = (f32::INFINITY, None);
    for (axis, bins) in bins.iter().enumerate() {
        let mut after = [EMPTY; BINS];
        for k in (0..BINS - 1).rev() {
            after[k] = after[k + 1];
            after[k].join(&bins[k + 1]);
        }
        let mut before = EMPTY;
        for (bin, after) in bins.iter().zip(&after) {
            before.join(bin);
            let cost = before.cost() + after.cost();
            if before.count > 0 && after.count > 0 && cost < least {
                (least, best) = (cost, Some((axis, before.count)));
            }
        }
    }
    let share = members.len() / LEAST_SHARE;
    best.filter(|&(_, first)| first > share && members.len() - first > share)
}
