//! The pairs of a chunk by the ladder that they go down.
//!
//! Where it sits: `chunk.rs` asks for a [`Routes`] first, then takes one list after the other.
//! Idea: pairs of mixed kinds come in no order, so a branch by kind is guessed wrong as often as not. The route is looked up in a
//! table, and lists are made by counting: two passes without a branch a pair, in one piece of memory.

use crate::layout::shapes::Kind;
use crate::layout::world::Pair;

/// A ladder's first rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// Two boxes in space.
    Boxes,
    /// Two polygons whose depth is asked.
    Rings,
    /// Two hulls of few vertices, boxes in space among them.
    Hulls,
    /// Two hulls, one of many vertices.
    Large,
    BallBall,
    BallCapsule,
    CapsuleCapsule,
    BallBox,
    CapsuleBox,
    /// What no lane knows.
    Single,
}

const COUNT: usize = Route::Single as usize + 1;

type Table = [[Route; Kind::COUNT]; Kind::COUNT];

/// The routes of two kinds in any order.
const fn table(depth: bool) -> Table {
    use Kind::{Ball, Capsule, Cuboid, Hull, Large, Ring};
    let mut table = [[Route::Single; Kind::COUNT]; Kind::COUNT];
    let rings = if depth { Route::Rings } else { Route::Hulls };
    let known = [
        (Ball, Ball, Route::BallBall),
        (Ball, Capsule, Route::BallCapsule),
        (Capsule, Capsule, Route::CapsuleCapsule),
        (Ball, Cuboid, Route::BallBox),
        (Capsule, Cuboid, Route::CapsuleBox),
        (Cuboid, Cuboid, Route::Boxes),
        (Cuboid, Hull, Route::Hulls),
        (Hull, Hull, Route::Hulls),
        (Hull, Ring, Route::Hulls),
        (Ring, Ring, rings),
        (Cuboid, Large, Route::Large),
        (Hull, Large, Route::Large),
        (Ring, Large, Route::Large),
        (Large, Large, Route::Large),
    ];
    let mut at = 0;
    while at < known.len() {
        let (a, b, route) = known[at];
        table[a as usize][b as usize] = route;
        table[b as usize][a as usize] = route;
        at += 1;
    }
    table
}

/// Where depths are asked, and where not.
const TABLES: [Table; 2] = [table(false), table(true)];

/// A chunk's pairs by route, each as an index into the chunk.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    order: Vec<u32>,
    /// Where each route's pairs begin, and where the last's end.
    begins: [usize; COUNT + 1],
}

impl Routes {
    /// Sorts pairs.
    pub(crate) fn of(kinds: &[Kind], pairs: &[Pair], depth: bool) -> Self {
        let table = &TABLES[usize::from(depth)];
        let route = |pair: &Pair| {
            table[kinds[pair.a.shape as usize] as usize][kinds[pair.b.shape as usize] as usize]
        };
        let mut begins = [0; COUNT + 1];
        for pair in pairs {
            begins[route(pair) as usize + 1] += 1;
        }
        for at in 0..COUNT {
            begins[at + 1] += begins[at];
        }
        let (mut next, mut order) = (begins, vec![0; pairs.len()]);
        for (at, pair) in pairs.iter().enumerate() {
            let slot = &mut next[route(pair) as usize];
            order[*slot] = at as u32;
            *slot += 1;
        }
        Self { order, begins }
    }

    /// The same of bodies that are all of one kind.
    pub(crate) fn of_one(kind: Kind, pairs: usize, depth: bool) -> Self {
        let route = TABLES[usize::from(depth)][kind as usize][kind as usize] as usize;
        let mut begins = [0; COUNT + 1];
        begins[route + 1..].fill(pairs);
        Self {
            order: (0..pairs as u32).collect(),
            begins,
        }
    }

    /// The pairs of a route, in their order.
    pub(crate) fn list(&self, route: Route) -> &[u32] {
        let at = route as usize;
        self.order
            .get(self.begins[at]..self.begins[at + 1])
            .unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair is on one list, that of its kinds, in order.
    #[test]
    fn lists_are_the_pairs() {
        let kinds = [
            Kind::Ball,
            Kind::Other,
            Kind::Cuboid,
            Kind::Ring,
            Kind::Hull,
            Kind::Capsule,
        ];
        let pairs: Vec<Pair> = (0..36).map(|k| Pair::new((k / 6, 0), (k % 6, 0))).collect();
        for depth in [false, true] {
            let routes = Routes::of(&kinds, &pairs, depth);
            let mut all = routes.order.clone();
            all.sort_unstable();
            assert_eq!(all, (0..36).collect::<Vec<_>>());
            assert_eq!(routes.list(Route::BallBox), [2, 12]);
            assert_eq!(routes.list(Route::CapsuleCapsule), [35]);
            assert_eq!(routes.list(Route::Rings).len(), usize::from(depth));
            // With a shape of no known kind, round shapes with hulls, and a box of space with a ring of the plane.
            assert_eq!(routes.list(Route::Single).len(), 11 + 8 + 2);
        }
        assert!(Routes::default().list(Route::Single).is_empty());
        for (id, &kind) in kinds.iter().enumerate() {
            let (pairs, depth) = ([Pair::new((id as u32, 0), (id as u32, 0)); 3], id % 2 == 0);
            let (quick, slow) = (
                Routes::of_one(kind, 3, depth),
                Routes::of(&kinds, &pairs, depth),
            );
            assert_eq!((quick.order, quick.begins), (slow.order, slow.begins));
        }
    }
}
