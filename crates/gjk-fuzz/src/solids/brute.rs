//! What is true of sets of triangles with whole corners, by looking at all pairs of them.
//!
//! Idea: two triangles share a point exactly when no axis has a gap between them, and it is enough to look along the normals of the faces
//! of all differences of their points. They pass through each other exactly when they overlap along each of these axes. Edges are counted in a
//! map, volumes are sums of determinants, a point's winding number is counted along a segment. Nothing of the library is asked.

use super::whole::{Whole, cross, dot, less, widest_gap};
use crate::Rng;
use crate::oracle::{Oracle, Truth};
use core::cmp::Ordering;
use gjk_mesh::Contact;
use std::collections::{BTreeMap, BTreeSet};

/// A triangle.
pub(super) type Face = [Whole; 3];

/// The ends of segments along which windings are counted are so far off: beyond all corners.
const BEYOND: i64 = 1 << 31;

/// The side of a triangle's plane that a point is on.
pub(super) fn side([a, b, c]: Face, p: Whole) -> i128 {
    dot(cross(less(b, a), less(c, a)), less(p, a)).signum()
}

pub(super) fn is_flat([a, b, c]: Face) -> bool {
    cross(less(b, a), less(c, a)) == [0; 3]
}

/// The gap of the hulls of two lists of up to three points, and whether all are in one plane: then an overlap is of areas, or of lengths.
fn gap(a: &[Whole], b: &[Whole]) -> (Ordering, bool) {
    let ends = |of: &[Whole], k: usize| {
        let heights = || of.iter().map(move |p| p[k]);
        (heights().min(), heights().max())
    };
    for k in 0..3 {
        let ((low_a, high_a), (low_b, high_b)) = (ends(a, k), ends(b, k));
        if high_a < low_b || high_b < low_a {
            return (Ordering::Greater, false);
        }
    }
    let edges = |of: &[Whole]| -> Vec<[i128; 3]> {
        let pairs = (0..of.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
        pairs.map(|[i, j]| less(of[j], of[i])).collect()
    };
    let (of_a, of_b) = (edges(a), edges(b));
    let normal = |edges: &[[i128; 3]]| match edges {
        [e, f, ..] => cross(*e, *f),
        _ => [0; 3],
    };
    let both = of_a
        .iter()
        .flat_map(|&e| of_b.iter().map(move |&f| cross(e, f)));
    let normals: Vec<_> = [normal(&of_a), normal(&of_b)]
        .into_iter()
        .chain(both)
        .collect();
    let Some(first) = normals.iter().copied().find(|&n| n != [0; 3]) else {
        // All edges are parallel. On one line the boxes told.
        let along = of_a.iter().chain(&of_b).copied().find(|&e| e != [0; 3]);
        let is_off = cross(along.unwrap_or([0; 3]), less(b[0], a[0])) != [0; 3];
        let gap = if is_off {
            Ordering::Greater
        } else {
            Ordering::Equal
        };
        return (gap, true);
    };
    if of_a.iter().chain(&of_b).any(|&e| dot(first, e) != 0) {
        return (widest_gap(normals.into_iter(), a, b), false);
    }
    // Both are parallel to one plane.
    if widest_gap([first].into_iter(), a, b).is_gt() {
        return (Ordering::Greater, false);
    }
    let within = of_a.iter().chain(&of_b).map(|&e| cross(first, e));
    (widest_gap(within, a, b), true)
}

/// Whether two lists of points have hulls that share a point.
pub(super) fn meets(a: &[Whole], b: &[Whole]) -> bool {
    gap(a, b).0.is_le()
}

/// How two triangles meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Met {
    pub(super) contact: Contact,
    /// Whether a point inside of one is inside of the other, and they are not in one plane.
    pub(super) passes: bool,
}

/// How two triangles meet, if they do. Without an area they are segments, which pass through nothing.
pub(super) fn met(a: &Face, b: &Face) -> Option<Met> {
    let (gap, in_one_plane) = gap(a, b);
    let is_segment = is_flat(*a) || is_flat(*b);
    let contact = match gap {
        Ordering::Greater => return None,
        _ if is_segment => {
            let contact = if is_pierced(a, b) || is_pierced(b, a) {
                Contact::Crossing
            } else {
                Contact::Touching
            };
            let passes = false;
            return Some(Met { contact, passes });
        }
        Ordering::Less if in_one_plane => Contact::Coplanar,
        Ordering::Less if is_pierced(a, b) || is_pierced(b, a) => Contact::Crossing,
        _ => Contact::Touching,
    };
    let passes = gap.is_lt() && !in_one_plane;
    Some(Met { contact, passes })
}

/// Whether an edge of a triangle goes through the inside of another.
fn is_pierced(edges_of: &Face, other: &Face) -> bool {
    let [a, b, c] = *other;
    (0..3).any(|k| {
        let [p, q] = [edges_of[k], edges_of[(k + 1) % 3]];
        let around = [[a, b], [b, c], [c, a]].map(|[x, y]| side([p, q, x], y));
        let strictly = around[0] != 0 && around.iter().all(|&s| s == around[0]);
        side(*other, p) * side(*other, q) < 0 && strictly
    })
}

/// A set of triangles, by the numbers of the input.
pub(super) struct FaceSet {
    pub(super) faces: Vec<Face>,
    /// Those that are left when pairs that lie on one another back to back are taken out, and those with two corners at one place.
    pub(super) kept: Vec<usize>,
    /// Of these, the ones with an area.
    pub(super) with_area: Vec<usize>,
}

/// The least distances of two triangles, of which one is the distance of two sets, in units of the whole numbers.
#[derive(Debug)]
pub(super) struct Nearest(Vec<Truth>);

impl Nearest {
    /// Of two sets of triangles, those without an area too; `None` where it is not known.
    pub(super) fn of(a: &FaceSet, b: &FaceSet) -> Option<Self> {
        let floats = |face: &Face| face.map(|p| p.map(|x| x as f64));
        let (of_a, of_b) = (a.kept_faces(), b.kept_faces());
        let mut pairs: Vec<(i128, usize, usize)> = Vec::with_capacity(of_a.len() * of_b.len());
        for (i, f) in of_a.iter().enumerate() {
            let with_gap = |(j, g)| (squared_gap_of_boxes(f, g), i, j);
            pairs.extend(of_b.iter().enumerate().map(with_gap));
        }
        pairs.sort_unstable();
        let mut oracle = Oracle::default();
        let (mut nearest, mut least) = (Vec::new(), f64::INFINITY);
        for (gap, i, j) in pairs {
            // Distances in floats are true to some roundings.
            let enough = least * (1.0 + 1e-9);
            if (gap as f64).sqrt() > enough {
                break;
            }
            let truth = oracle.truth(3, &floats(&of_a[i]), &floats(&of_b[j]))?;
            if truth.approximate() <= enough {
                least = least.min(truth.approximate());
                nearest.push(truth);
            }
        }
        Some(Self(nearest))
    }

    /// Whether the distance, times a power of two, is so long at least.
    pub(super) fn is_at_least(&self, length: f64, scale: f64) -> bool {
        length <= 0.0
            || self
                .0
                .iter()
                .all(|truth| truth.compare(&[length / scale]).is_ge())
    }

    /// Whether it is so long at most. Triangles that go through each other have a depth in the place of a distance.
    pub(super) fn is_at_most(&self, length: f64, scale: f64) -> bool {
        self.0
            .iter()
            .any(|truth| truth.compare(&[length / scale]).is_le())
    }
}

fn squared_gap_of_boxes(a: &Face, b: &Face) -> i128 {
    let ends = |of: &Face, k: usize| {
        let heights = of.map(|p| p[k]);
        (heights.into_iter().min(), heights.into_iter().max())
    };
    let along = |k: usize| {
        let ((low_a, high_a), (low_b, high_b)) = (ends(a, k), ends(b, k));
        let gap =
            |low: Option<i64>, high: Option<i64>| i128::from(low.unwrap_or(0) - high.unwrap_or(0));
        gap(low_b, high_a).max(gap(low_a, high_b)).max(0)
    };
    (0..3).map(|k| along(k) * along(k)).sum()
}

/// What a set of triangles is as a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    OpenEdge,
    UnbalancedEdge,
    NoVolume,
    CrossesItself,
    TouchesItself,
    Solid {
        shells: usize,
        shells_meet: bool,
        inside_out: bool,
    },
    /// An edge has three triangles or more, and none has one.
    ManyAtAnEdge,
    /// Shells face both ways.
    WithCavities,
}

impl FaceSet {
    pub(super) fn new(faces: Vec<Face>) -> Self {
        let mut at: BTreeMap<Face, [Vec<usize>; 2]> = BTreeMap::new();
        for (number, face) in faces.iter().enumerate() {
            let mut corners = *face;
            corners.sort_unstable();
            if corners[0] == corners[1] || corners[1] == corners[2] {
                continue;
            }
            let first = face.iter().position(|p| *p == corners[0]).unwrap_or(0);
            let backward = face[(first + 1) % 3] != corners[1];
            at.entry(corners).or_default()[usize::from(backward)].push(number);
        }
        let mut kept = Vec::new();
        for [forward, backward] in at.into_values() {
            let (more, fewer) = if forward.len() > backward.len() {
                (forward, backward)
            } else {
                (backward, forward)
            };
            kept.extend(&more[..more.len() - fewer.len()]);
        }
        kept.sort_unstable();
        let has_area = |&k: &usize| !is_flat(faces[k]);
        let with_area = kept.iter().copied().filter(has_area).collect();
        Self {
            faces,
            kept,
            with_area,
        }
    }

    /// Whether each triangle has an area.
    pub(super) fn has_areas_only(&self) -> bool {
        !self.faces.iter().any(|face| is_flat(*face))
    }

    /// Whether no two triangles have the same three corners.
    pub(super) fn is_without_copies(&self) -> bool {
        let sorted = |face: &Face| {
            let mut corners = *face;
            corners.sort_unstable();
            corners
        };
        let all: BTreeSet<Face> = self.faces.iter().map(sorted).collect();
        all.len() == self.faces.len()
    }

    /// The faces that are kept, as they are numbered among themselves.
    pub(super) fn kept_faces(&self) -> Vec<Face> {
        self.kept.iter().map(|&k| self.faces[k]).collect()
    }

    /// The pairs of triangles that meet beyond the corners that they have in common.
    pub(super) fn self_contacts(&self) -> BTreeSet<([usize; 2], Contact)> {
        let mut found = BTreeSet::new();
        for (at, &j) in self.with_area.iter().enumerate() {
            for &i in &self.with_area[..at] {
                if let Some(contact) = beyond_corners(&self.faces[i], &self.faces[j]) {
                    found.insert(([i, j], contact));
                }
            }
        }
        found
    }

    /// How many edges have one triangle only.
    pub(super) fn open_edges(&self) -> usize {
        self.edges().values().filter(|uses| uses.len() == 1).count()
    }

    /// The triangles of each edge, and whether they run it forward.
    fn edges(&self) -> BTreeMap<[Whole; 2], Vec<(usize, bool)>> {
        let mut edges: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (number, &k) in self.kept.iter().enumerate() {
            let face = self.faces[k];
            for (p, q) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (face[i], face[j])) {
                let uses = edges.entry([p.min(q), p.max(q)]).or_default();
                uses.push((number, p < q));
            }
        }
        edges
    }

    /// What the set is; `reversed`: its triangles run the other way around in the file.
    pub(super) fn kind(&self, reversed: bool) -> BodyKind {
        let edges = self.edges();
        let has = |count: usize| edges.values().any(|uses| uses.len() == count);
        if has(1) && edges.values().all(|uses| uses.len() < 3) {
            return BodyKind::OpenEdge;
        }
        if edges.values().any(|uses| uses.len() > 2) {
            return BodyKind::ManyAtAnEdge;
        }
        let pairs: Vec<[(usize, bool); 2]> = edges.values().map(|u| [u[0], u[1]]).collect();
        let Some(shells) = shells(self.kept.len(), &pairs) else {
            return BodyKind::UnbalancedEdge;
        };
        let facing = |shell: usize| self.facing(&shells, shell, reversed);
        let count = |sign: i128| (0..shells.count).filter(|&n| facing(n) == sign).count();
        let counts = [count(1), count(-1)];
        if counts == [0; 2] {
            return BodyKind::NoVolume;
        }
        let place = |k: usize| self.kept.binary_search(&k).unwrap_or(0);
        let contacts = self.self_contacts();
        let of_one_shell = |pair: &[usize; 2]| {
            let [i, j] = pair.map(|k| shells.of[place(k)]);
            i == j
        };
        let within = contacts.iter().filter(|(pair, _)| of_one_shell(pair));
        match within.map(|x| x.1).max() {
            Some(Contact::Crossing) => return BodyKind::CrossesItself,
            Some(_) => return BodyKind::TouchesItself,
            None => {}
        }
        if counts[0] > 0 && counts[1] > 0 {
            return BodyKind::WithCavities;
        }
        BodyKind::Solid {
            shells: counts[0] + counts[1],
            shells_meet: !contacts.is_empty(),
            inside_out: counts[0] == 0,
        }
    }

    /// The sign of a shell's volume. One whose triangles do not all face one way is meant to face outward: `shells` has turned them.
    fn facing(&self, shells: &Shells, shell: usize, reversed: bool) -> i128 {
        let own = (0..self.kept.len()).filter(|&n| shells.of[n] == shell);
        let mut is_turned = false;
        let mut volume = 0;
        let mut about = None;
        for n in own {
            let [a, b, c] = self.faces[self.kept[n]];
            let about = *about.get_or_insert(a);
            let part = dot(cross(less(a, about), less(b, about)), less(c, about));
            volume += if shells.turned[n] { -part } else { part };
            is_turned |= shells.turned[n];
        }
        match (is_turned, reversed) {
            (true, _) => volume.abs().signum(),
            (false, true) => -volume.signum(),
            (false, false) => volume.signum(),
        }
    }

    /// How often the triangles wind around a point; `None` for a point on them.
    pub(super) fn winding(&self, random: &mut Rng, point: Whole) -> Option<i64> {
        let faces = || self.with_area.iter().map(|&k| &self.faces[k]);
        if faces().any(|face| meets(&[point], face)) {
            return None;
        }
        loop {
            let far = [0; 3].map(|_| random.int(-BEYOND / 2, BEYOND / 2));
            let end = [point[0] + BEYOND, point[1] + far[1], point[2] + far[2]];
            let crossings: Option<Vec<i64>> = faces().map(|f| crossing(f, point, end)).collect();
            if let Some(crossings) = crossings {
                return Some(crossings.iter().sum());
            }
        }
    }
}

/// How a segment that begins off a triangle passes it: out of its back 1, into it −1; nothing where it passes through an edge.
fn crossing(face: &Face, from: Whole, to: Whole) -> Option<i64> {
    let [a, b, c] = *face;
    let sides = [side(*face, from), side(*face, to)];
    if sides[0] * sides[1] > 0 {
        return Some(0);
    }
    let around = [[a, b], [b, c], [c, a]].map(|[x, y]| side([from, to, x], y));
    if around.contains(&1) && around.contains(&-1) {
        return Some(0);
    }
    let is_plain = sides[0] * sides[1] < 0 && !around.contains(&0);
    is_plain.then_some(if sides[0] < 0 { 1 } else { -1 })
}

/// How two triangles with areas meet beyond the corners that they have in common.
fn beyond_corners(a: &Face, b: &Face) -> Option<Contact> {
    let shared: Vec<Whole> = a.iter().copied().filter(|p| b.contains(p)).collect();
    let without = |of: &Face| -> Vec<Whole> {
        let rest = of.iter().copied().filter(|p| !shared.contains(p));
        rest.collect()
    };
    match shared.len() {
        0 => met(a, b).map(|met| met.contact),
        1 => {
            let elsewhere = meets(&without(a), b) || meets(&without(b), a);
            elsewhere.then(|| met(a, b).map(|met| met.contact))?
        }
        2 => {
            let (p, q) = (without(a)[0], without(b)[0]);
            let [x, y] = [shared[0], shared[1]];
            let normal = |r: Whole| cross(less(y, x), less(r, x));
            let is_folded = side(*a, q) == 0 && dot(normal(p), normal(q)) > 0;
            is_folded.then_some(Contact::Coplanar)
        }
        // A copy.
        _ => None,
    }
}

/// Triangles that edges connect, and which are turned so that all of a shell face one way.
struct Shells {
    count: usize,
    of: Vec<usize>,
    turned: Vec<bool>,
}

/// The shells of a set in which each edge has two triangles; `None` where a shell cannot face one way.
fn shells(triangles: usize, pairs: &[[(usize, bool); 2]]) -> Option<Shells> {
    let mut shells = Shells {
        count: 0,
        of: vec![usize::MAX; triangles],
        turned: vec![false; triangles],
    };
    for first in 0..triangles {
        if shells.of[first] != usize::MAX {
            continue;
        }
        shells.of[first] = shells.count;
        let mut stack = vec![first];
        while let Some(here) = stack.pop() {
            for pair in pairs {
                for [mine, other] in [[pair[0], pair[1]], [pair[1], pair[0]]] {
                    if mine.0 != here {
                        continue;
                    }
                    let turned = shells.turned[here] ^ (mine.1 == other.1);
                    if shells.of[other.0] == usize::MAX {
                        shells.of[other.0] = shells.count;
                        shells.turned[other.0] = turned;
                        stack.push(other.0);
                    } else if shells.turned[other.0] != turned {
                        return None;
                    }
                }
            }
        }
        shells.count += 1;
    }
    Some(shells)
}
