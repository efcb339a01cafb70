//! Splits triangles in two parts that later queries enter as seldom as may be.
//!
//! Idea: how often a box is entered grows with its surface, and what that costs with the triangles in it. So of planes across each axis
//! of the node's box the one is taken with the least sum of surface times triangles, these rounded up to full leaves.
//! Where few triangles are left, a part has whole leaves.
//! Numbers: a part has at least an eighth of the triangles, or they are halved by number, so the depth is bounded whatever the
//! triangles are, a million in one plane or in one place.
//! Source: Wald 2007 (bins).

use super::WIDTH;
use super::fit::Corners;

/// Planes across an axis, and one.
const BINS: usize = 16;

/// So many triangles, or fewer, are split where leaves are full.
const SMALL: usize = 16 * WIDTH;

/// So many triangles, at most twice, tell a plane.
const SAMPLES: usize = 512;

/// The least part of the triangles that a split by surface may leave.
const LEAST_SHARE: usize = 8;

/// A box along a node's axes: its low sides, and its high ones with the other sign, so that the least of both is what holds two boxes.
#[derive(Clone, Copy)]
struct Extent([[f32; 4]; 2]);

impl Extent {
    const NOTHING: Self = Self([[f32::INFINITY; 4]; 2]);

    #[inline(always)]
    fn join(&mut self, other: &Self) {
        for (sides, others) in self.0.iter_mut().zip(&other.0) {
            for (side, &other) in sides.iter_mut().zip(others) {
                *side = if other < *side { other } else { *side };
            }
        }
    }

    /// Half the surface; 0 of nothing.
    #[inline(always)]
    fn surface(&self) -> f32 {
        let [low, high] = &self.0;
        let [x, y, z] = [-high[0] - low[0], -high[1] - low[1], -high[2] - low[2]];
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
    #[inline(always)]
    pub(super) fn new(axes: &[[f32; 3]; 3], corners: &Corners, number: u32) -> Self {
        let mut extent = Extent::NOTHING;
        for corner in corners {
            let height =
                |axis: &[f32; 3]| axis[0] * corner[0] + axis[1] * corner[1] + axis[2] * corner[2];
            let low = [height(&axes[0]), height(&axes[1]), height(&axes[2]), 0.0];
            extent.join(&Extent([low, low.map(|x| -x)]));
        }
        Self { extent, number }
    }

    /// Twice the middle along an axis.
    #[inline(always)]
    fn height(&self, axis: usize) -> f32 {
        let [low, high] = &self.extent.0;
        low[axis] - high[axis]
    }
}

/// Triangles between two planes.
#[derive(Clone, Copy)]
struct Bin {
    extent: Extent,
    count: u32,
}

const EMPTY: Bin = Bin {
    extent: Extent::NOTHING,
    count: 0,
};

impl Bin {
    #[inline(always)]
    fn join(&mut self, other: &Self) {
        self.extent.join(&other.extent);
        self.count += other.count;
    }

    #[inline(always)]
    fn cost(&self) -> f32 {
        self.extent.surface() * self.count.next_multiple_of(WIDTH as u32) as f32
    }
}

/// From here on `f32` has whole numbers only.
const WHOLE: f32 = (1 << 23) as f32;

/// The bins of a node's triangles along each axis; the last of four is none.
struct Bins {
    low: [f32; 4],
    scales: [f32; 4],
}

impl Bins {
    fn new(middles: &Extent) -> Self {
        let [low, high] = &middles.0;
        Self {
            low: *low,
            scales: [0, 1, 2, 3].map(|k| BINS as f32 / (-high[k] - low[k])),
        }
    }

    /// The bin along each axis: the whole number below, as a sum rounds it. Where all are at one height that is no number, and they are in
    /// the first bin.
    #[inline(always)]
    fn of(&self, member: &Member) -> [usize; 4] {
        let [low, high] = &member.extent.0;
        let last = (BINS - 1) as f32;
        let mut at = [0.0_f32; 4];
        for k in 0..4 {
            let height = (low[k] - high[k] - self.low[k]) * self.scales[k] - 0.5;
            let height = if height > 0.0 { height } else { 0.0 };
            let height = if height < last { height } else { last };
            at[k] = height + WHOLE;
        }
        at.map(|x| (x.to_bits() - WHOLE.to_bits()) as usize)
    }
}

/// A plane across an axis: the bins before it, and the triangles in them.
struct SplitPlane {
    axis: usize,
    bins: usize,
    first: usize,
}

/// Orders triangles, which are more than a leaf's, so that a first part and the rest are good halves; how many the first part has.
pub(super) fn split(members: &mut [Member]) -> usize {
    let step = (members.len() / SAMPLES).max(1);
    let middles = middles(members.iter().step_by(step));
    let bins = Bins::new(&middles);
    let plane = by_surface(members, step, &bins);
    let (axis, first) = match plane {
        Some(plane) if members.len() > SMALL => {
            let first = part(members, |member| bins.of(member)[plane.axis] < plane.bins);
            if is_balanced(first, members.len()) {
                return first;
            }
            (plane.axis, full_leaves(members.len() / 2, members.len()))
        }
        Some(plane) => (plane.axis, full_leaves(plane.first, members.len())),
        None => {
            let [low, high] = &middles.0;
            let spread = |axis: usize| -high[axis] - low[axis];
            let wider = |best: usize, k: usize| if spread(k) > spread(best) { k } else { best };
            let half = full_leaves(members.len() / 2, members.len());
            (wider(wider(0, 1), 2), half)
        }
    };
    members.select_nth_unstable_by(first, |x, y| {
        let by_height = x.height(axis).total_cmp(&y.height(axis));
        by_height.then(x.number.cmp(&y.number))
    });
    first
}

/// Whether both parts have enough.
fn is_balanced(first: usize, all: usize) -> bool {
    let share = all / LEAST_SHARE;
    first > share && all - first > share
}

/// The multiple of a leaf's triangles that is nearest to `first`, of more than a leaf's, both parts not empty.
fn full_leaves(first: usize, all: usize) -> usize {
    let nearest = (first + WIDTH / 2) / WIDTH * WIDTH;
    nearest.clamp(WIDTH, (all - 1) / WIDTH * WIDTH)
}

/// Brings those before a plane to the front; how many they are.
fn part(members: &mut [Member], is_before: impl Fn(&Member) -> bool) -> usize {
    let (mut first, mut end) = (0, members.len());
    while first < end {
        if is_before(&members[first]) {
            first += 1;
        } else {
            end -= 1;
            members.swap(first, end);
        }
    }
    first
}

/// The box of the middles, twice.
fn middles<'m>(members: impl Iterator<Item = &'m Member>) -> Extent {
    let mut all = Extent::NOTHING;
    for member in members {
        let [low, high] = &member.extent.0;
        let mut at = [[0.0; 4]; 2];
        for k in 0..4 {
            (at[0][k], at[1][k]) = (low[k] - high[k], high[k] - low[k]);
        }
        all.join(&Extent(at));
    }
    all
}

/// The best plane across an axis, by one of so many triangles; `None` where that leaves too few on a side.
fn by_surface(members: &[Member], step: usize, at: &Bins) -> Option<SplitPlane> {
    let mut bins = [[EMPTY; BINS]; 3];
    for member in members.iter().step_by(step) {
        for (bins, at) in bins.iter_mut().zip(at.of(member)) {
            let bin = &mut bins[at.min(BINS - 1)];
            bin.extent.join(&member.extent);
            bin.count += step as u32;
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
        for (number, (bin, after)) in bins.iter().zip(&after).enumerate() {
            // The plane before it is as good.
            if bin.count == 0 {
                continue;
            }
            before.join(bin);
            let cost = before.cost() + after.cost();
            if after.count > 0 && cost < least {
                let (bins, first) = (number + 1, before.count as usize);
                (least, best) = (cost, Some(SplitPlane { axis, bins, first }));
            }
        }
    }
    best.filter(|plane| is_balanced(plane.first, members.len().max(plane.first)))
}
