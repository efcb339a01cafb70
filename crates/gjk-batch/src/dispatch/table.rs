//! The dispatch table: which solvers answer which kinds of pairs, in order.
//!
//! Where it sits: [`super::Chunk`] sorts its pairs into [`Buckets`], then sends each bucket through [`solvers`]. A pair leaves
//! where something is proved; what is left at the end is a single query.
//! Idea: pairs of mixed kinds come in no order, so a branch by kind is mispredicted as often as not. The bucket is looked up in a
//! table, and buckets are filled by counting: two passes without a branch a pair, in one piece of memory.

use crate::layout::shapes::ShapeKind;
use crate::layout::world::Pair;
use crate::request::Request;

/// Pairs that the same solvers answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bucket {
    /// Two boxes in space.
    BoxBox,
    /// Two polygons of at most eight vertices each.
    PolygonPolygon,
    /// Two hulls of at most eight vertices each; in space a box may be one of them.
    SmallHulls,
    /// Two hulls, one of more vertices.
    LargeHulls,
    BallBall,
    BallCapsule,
    CapsuleCapsule,
    BallBox,
    CapsuleBox,
    /// What no lane knows.
    Single,
}

impl Bucket {
    const COUNT: usize = Bucket::Single as usize + 1;

    /// Those that lanes answer.
    pub(crate) const BY_LANES: [Bucket; Bucket::COUNT - 1] = [
        Bucket::BallBall,
        Bucket::BallCapsule,
        Bucket::CapsuleCapsule,
        Bucket::BallBox,
        Bucket::CapsuleBox,
        Bucket::PolygonPolygon,
        Bucket::BoxBox,
        Bucket::SmallHulls,
        Bucket::LargeHulls,
    ];
}

/// A way to answer pairs in lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solver {
    /// The 15 axes of two boxes in `f32`: decides verdicts, and names the axis for the two that follow.
    BoxAxes,
    /// The depth of boxes that overlap, along that axis, in `f64`.
    BoxPenetration,
    /// The other boxes by lock-step GJK from that axis; twice, since few need more than [`STEPS_FIRST`] steps.
    BoxDistance,
    /// The depth of polygons by their edges' normals.
    PolygonPenetration,
    /// Lock-step GJK; it measures no depth.
    HullDistance,
    /// The same where a hull has more vertices than lanes hold.
    LargeHullDistance,
    /// Closed forms of cores: points, segments and boxes.
    BallBall,
    BallCapsule,
    CapsuleCapsule,
    BallBox,
    CapsuleBox,
}

impl Solver {
    /// Whether the numbers of an overlap are a depth.
    pub(crate) fn measures_depth(self) -> bool {
        !matches!(
            self,
            Self::BoxDistance | Self::HullDistance | Self::LargeHullDistance
        )
    }
}

/// Steps after which lock-step GJK leaves a lane to what follows. Random boxes take 10 at most, hulls of 8 vertices 12.
pub(crate) const STEPS_MAX: usize = 20;

/// The same for larger hulls: of 2048 vertices random ones take 19.
pub(crate) const STEPS_LARGE: usize = 32;

/// Steps of a first look at two boxes: most start on their nearest facet, and a group waits for its slowest lane.
pub(crate) const STEPS_FIRST: usize = 2;

/// The solvers of a bucket, in order.
pub(crate) fn solvers(bucket: Bucket, request: Request) -> &'static [Solver] {
    match (bucket, request) {
        (Bucket::BoxBox, Request::Contact) => {
            &[Solver::BoxAxes, Solver::BoxPenetration, Solver::BoxDistance]
        }
        (Bucket::BoxBox, _) => &[Solver::BoxAxes, Solver::BoxDistance],
        (Bucket::PolygonPolygon, Request::Contact) => {
            &[Solver::PolygonPenetration, Solver::HullDistance]
        }
        (Bucket::PolygonPolygon | Bucket::SmallHulls, _) => &[Solver::HullDistance],
        (Bucket::LargeHulls, _) => &[Solver::LargeHullDistance],
        (Bucket::BallBall, _) => &[Solver::BallBall],
        (Bucket::BallCapsule, _) => &[Solver::BallCapsule],
        (Bucket::CapsuleCapsule, _) => &[Solver::CapsuleCapsule],
        (Bucket::BallBox, _) => &[Solver::BallBox],
        (Bucket::CapsuleBox, _) => &[Solver::CapsuleBox],
        (Bucket::Single, _) => &[],
    }
}

type Table = [[Bucket; ShapeKind::COUNT]; ShapeKind::COUNT];

/// The bucket of two kinds in any order.
const TABLE: Table = {
    use ShapeKind::{Ball, Capsule, Cuboid, LargeHull, Polygon, SmallHull};
    let known = [
        (Ball, Ball, Bucket::BallBall),
        (Ball, Capsule, Bucket::BallCapsule),
        (Capsule, Capsule, Bucket::CapsuleCapsule),
        (Ball, Cuboid, Bucket::BallBox),
        (Capsule, Cuboid, Bucket::CapsuleBox),
        (Cuboid, Cuboid, Bucket::BoxBox),
        (Cuboid, SmallHull, Bucket::SmallHulls),
        (SmallHull, SmallHull, Bucket::SmallHulls),
        (SmallHull, Polygon, Bucket::SmallHulls),
        (Polygon, Polygon, Bucket::PolygonPolygon),
        (Cuboid, LargeHull, Bucket::LargeHulls),
        (SmallHull, LargeHull, Bucket::LargeHulls),
        (Polygon, LargeHull, Bucket::LargeHulls),
        (LargeHull, LargeHull, Bucket::LargeHulls),
    ];
    let mut table = [[Bucket::Single; ShapeKind::COUNT]; ShapeKind::COUNT];
    let mut at = 0;
    while at < known.len() {
        let (a, b, bucket) = known[at];
        table[a as usize][b as usize] = bucket;
        table[b as usize][a as usize] = bucket;
        at += 1;
    }
    table
};

/// A chunk's pairs by bucket, each as an index into the chunk.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    order: Vec<u32>,
    /// Where each bucket's pairs begin, and where the last's end.
    begins: [usize; Bucket::COUNT + 1],
}

impl Buckets {
    /// Sorts pairs.
    pub(crate) fn of(kinds: &[ShapeKind], pairs: &[Pair]) -> Self {
        let bucket = |pair: &Pair| {
            TABLE[kinds[pair.a.shape as usize] as usize][kinds[pair.b.shape as usize] as usize]
        };
        let mut begins = [0; Bucket::COUNT + 1];
        for pair in pairs {
            begins[bucket(pair) as usize + 1] += 1;
        }
        for at in 0..Bucket::COUNT {
            begins[at + 1] += begins[at];
        }
        let (mut next, mut order) = (begins, vec![0; pairs.len()]);
        for (at, pair) in pairs.iter().enumerate() {
            let slot = &mut next[bucket(pair) as usize];
            order[*slot] = at as u32;
            *slot += 1;
        }
        Self { order, begins }
    }

    /// The same of bodies that are all of one kind.
    pub(crate) fn of_one(kind: ShapeKind, pairs: usize) -> Self {
        let bucket = TABLE[kind as usize][kind as usize] as usize;
        let mut begins = [0; Bucket::COUNT + 1];
        begins[bucket + 1..].fill(pairs);
        Self {
            order: (0..pairs as u32).collect(),
            begins,
        }
    }

    /// The pairs of a bucket, in their order.
    pub(crate) fn list(&self, bucket: Bucket) -> &[u32] {
        let at = bucket as usize;
        self.order
            .get(self.begins[at]..self.begins[at + 1])
            .unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair is in one bucket, that of its kinds, in order.
    #[test]
    fn buckets_are_the_pairs() {
        let kinds = [
            ShapeKind::Ball,
            ShapeKind::Other,
            ShapeKind::Cuboid,
            ShapeKind::Polygon,
            ShapeKind::SmallHull,
            ShapeKind::Capsule,
        ];
        let pairs: Vec<Pair> = (0..36).map(|k| Pair::new((k / 6, 0), (k % 6, 0))).collect();
        let buckets = Buckets::of(&kinds, &pairs);
        let mut all = buckets.order.clone();
        all.sort_unstable();
        assert_eq!(all, (0..36).collect::<Vec<_>>());
        assert_eq!(buckets.list(Bucket::BallBox), [2, 12]);
        assert_eq!(buckets.list(Bucket::CapsuleCapsule), [35]);
        assert_eq!(buckets.list(Bucket::PolygonPolygon).len(), 1);
        // With a shape of no known kind, round shapes with hulls, and a box of space with a polygon of the plane.
        assert_eq!(buckets.list(Bucket::Single).len(), 11 + 8 + 2);
        assert!(Buckets::default().list(Bucket::Single).is_empty());
        for (id, &kind) in kinds.iter().enumerate() {
            let pairs = [Pair::new((id as u32, 0), (id as u32, 0)); 3];
            let (quick, slow) = (Buckets::of_one(kind, 3), Buckets::of(&kinds, &pairs));
            assert_eq!((quick.order, quick.begins), (slow.order, slow.begins));
        }
    }

    /// No bucket of lanes is forgotten, and the last solver of each decides separation.
    #[test]
    fn every_bucket_has_solvers() {
        for bucket in 0..Bucket::Single as usize {
            let found = Bucket::BY_LANES.iter().filter(|&&b| b as usize == bucket);
            assert_eq!(found.count(), 1);
        }
        for request in [Request::Verdict, Request::Distance, Request::Contact] {
            for bucket in Bucket::BY_LANES {
                let last = solvers(bucket, request).last();
                assert!(
                    last.is_some_and(|&last| last != Solver::BoxPenetration
                        && last != Solver::PolygonPenetration)
                );
            }
        }
    }
}
