//! The supporting face of a body along a direction; else its edge; else its vertex.
//!
//! Where it sits: `solve.rs` asks it for either body. `tilt.rs` finds which of the faces at the highest vertex it is.
//! Idea: the vertices of a posed body are rounded, so a face of four is a plane only within rounding: its ring is all vertices within a slack of the
//! plane of three of them that are far apart.

use super::polygon::{counter_clockwise, from_line};
use super::round::Naming;
use super::tilt::Tilts;
use super::view::{Flat, View, larger, largest_by, next_of, size, unit};
use crate::hull::{PlanarHull, convex_hull_2};
use crate::math::planar;
use crate::math::triple::{Triple, cross, dot, length, negative, plus, subtract};
use crate::math::{Scalar, Vec3, Vector};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The ids of a face.
pub(super) type FaceIds = SmallVec<[u32; 8]>;

/// The most that vertices may be off a plane by which a face is looked for, in sizes of the body, however short its edges are.
const ROUGH_MAX: f64 = 1e-6;

/// A face narrower than so many slacks is rounding: three vertices of one edge.
pub(super) const SLIVER_SLACKS: f64 = 8.0;

/// A face, an edge or a vertex.
#[derive(Clone, Debug)]
pub(super) struct Bearing {
    /// Counter-clockwise seen against the view's direction.
    pub(super) ids: FaceIds,
    pub(super) points: SmallVec<[Triple; 8]>,
    /// The same across the direction.
    pub(super) flat: SmallVec<[Flat; 8]>,
    /// Of three or more points: unit, outward.
    pub(super) normal: Triple,
    /// How far the body's surface may be from the plane, along the direction.
    pub(super) off: f64,
    pub(super) naming: Naming,
    /// No corner is near to a side that it does not end.
    pub(super) is_wide: bool,
}

// Written in place: it would go through memory once a function on its way otherwise.
impl Bearing {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            ids: SmallVec::new(),
            points: SmallVec::new(),
            flat: SmallVec::new(),
            normal: [0.0; 3],
            off: 0.0,
            naming: Naming::Nothing,
            is_wide: false,
        }
    }

    /// Becomes a vertex of no number.
    pub(super) fn be_smooth(&mut self, point: Triple, view: &View) {
        self.be_round([point], view.along, Naming::Nothing);
    }

    /// Becomes what has these points, numbered from zero on unless they are named nothing: a cap or a side line.
    pub(super) fn be_round(
        &mut self,
        points: impl IntoIterator<Item = Triple>,
        normal: Triple,
        naming: Naming,
    ) {
        (self.normal, self.off, self.naming) = (normal, 0.0, naming);
        for point in points {
            if naming != Naming::Nothing {
                self.ids.push(self.points.len() as u32);
            }
            self.points.push(point);
        }
    }

    /// Becomes a face of four of which the ring is known, and that it is wide.
    pub(super) fn be_level(&mut self, points: &[Triple], ids: [u32; 4], view: &View) -> bool {
        let ring = ids.map(|id| points[id as usize]);
        let Some(plane) = BearingPlane::through([ring[0], ring[1], ring[2]], view.along) else {
            return false;
        };
        let off = plane.off(&ring, 0.0, view);
        (self.normal, self.off, self.is_wide) = (plane.normal, off, true);
        self.naming = Naming::Vertices;
        (self.ids, self.points) = (SmallVec::from_slice(&ids), SmallVec::from_slice(&ring));
        true
    }

    /// Becomes an edge or a vertex.
    #[inline(always)]
    pub(super) fn be_edge(&mut self, points: &[Triple], ids: &[u32], view: &View) {
        (self.normal, self.naming) = (view.along, Naming::Vertices);
        self.ids = SmallVec::from_slice(ids);
        self.points = ids.iter().map(|&id| points[id as usize]).collect();
    }

    /// Becomes a face of some vertices on a plane, above which no vertex is by more than a height.
    fn be_supported(
        &mut self,
        points: &[Triple],
        ids: FaceIds,
        plane: &BearingPlane,
        above: f64,
        view: &View,
    ) {
        self.points.clear();
        self.points
            .extend(ids.iter().map(|&id| points[id as usize]));
        (self.normal, self.naming) = (plane.normal, Naming::Vertices);
        self.off = plane.off(&self.points, above, view);
        self.ids = ids;
    }

    /// The other way around, for a body that was seen from the other side.
    pub(super) fn turn(&mut self) {
        self.ids.reverse();
        self.points.reverse();
    }

    /// Finds the places of the points in a view.
    pub(super) fn see(&mut self, view: &View) {
        for &x in &self.points {
            self.flat.push(view.flat(x));
        }
    }

    /// The tangent of the tilt of the face, or of the edge, against the plane across the direction.
    pub(super) fn slope(&self, view: &View) -> f64 {
        let [rise, level] = match self.points[..] {
            [from, to] => {
                let step = subtract(to, from);
                [dot(step, view.along), size(view.across(step))]
            }
            _ => [size(view.across(self.normal)), dot(self.normal, view.along)],
        };
        if level == 0.0 {
            0.0
        } else {
            (rise / level).abs()
        }
    }

    /// The point of the face, of its plane or its line, that is at a place across the direction.
    pub(super) fn lift(&self, from: Triple, place: Flat, view: &View) -> Triple {
        let anchor = self.points[0];
        match self.points.len() {
            1 => anchor,
            2 => {
                let along = subtract(self.points[1], anchor);
                let part = place_on(self.flat[0], self.flat[1], place);
                plus(anchor, along, part)
            }
            _ => {
                let rise = dot(self.normal, subtract(anchor, from)) / dot(self.normal, view.along);
                plus(from, view.along, rise)
            }
        }
    }
}

/// The place along a segment, from 0 to 1, that is nearest to a point.
pub(super) fn place_on(from: Flat, to: Flat, point: Flat) -> f64 {
    let step = planar::subtract(to, from);
    let squared = planar::dot(step, step);
    if squared > 0.0 {
        (planar::dot(planar::subtract(point, from), step) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// The vertices within a slack of the highest along a view's direction, and of these one that is at an end of them.
fn highest(points: &[Triple], view: &View, slack: f64) -> (FaceIds, u32) {
    let mut heights = SmallVec::<[f64; 32]>::new();
    heights.extend(
        points
            .iter()
            .map(|&x| dot(view.along, subtract(x, view.origin))),
    );
    let heights = &heights[..];
    let top = largest_by(heights, f64::NEG_INFINITY, |&height| height);
    let mut highest = FaceIds::new();
    for (id, &height) in (0..).zip(heights) {
        if height >= top - slack {
            highest.push(id);
        }
    }
    let from = |id: u32| farthest(points, &highest, points[id as usize]);
    let vertex = from(from(highest.first().copied().unwrap_or(0)));
    (highest, vertex)
}

/// Finds the face of a hull's facet that is tilted least, if it is at the highest vertex and wide; false, and nothing found, where it is not.
pub(super) fn facet_bears(
    points: &[Triple],
    facet: &[u32],
    view: &View,
    slack: f64,
    bearing: &mut Bearing,
) -> bool {
    let (highest, vertex) = highest(points, view, slack);
    let Some(at) = facet.iter().position(|&id| id == vertex) else {
        return false;
    };
    if !highest.iter().all(|id| facet.contains(id)) {
        return false;
    }
    let before = facet[at.checked_sub(1).unwrap_or(facet.len() - 1)];
    let after = facet[next_of(at, facet.len())];
    let from = |id: u32| subtract(points[id as usize], points[vertex as usize]);
    let (a, b) = (from(before), from(after));
    let is_wide = length(cross(a, b)) > SLIVER_SLACKS * slack * larger(length(a), length(b));
    let origin = points[vertex as usize];
    let reach = largest_by(points, 0.0, |&x| {
        let step = subtract(x, origin);
        dot(step, step)
    });
    let ids = [vertex, before, after];
    let found = is_wide
        .then(|| ring(points, ids, Scalar::sqrt(reach), view, slack))
        .flatten();
    let Some((ids, plane, above)) = found else {
        return false;
    };
    bearing.be_supported(points, ids, &plane, above, view);
    true
}

/// What supports a body along a view's direction, up to the tangent of a tilt. There is at least one point.
///
/// `slack` is what the points may be off by rounding.
pub(super) fn supporting(
    points: &[Triple],
    view: &View,
    tangent: f64,
    slack: f64,
    bearing: &mut Bearing,
) {
    let (highest, vertex) = highest(points, view, slack);
    let from = |id: u32| farthest(points, &highest, points[id as usize]);
    let (tilts, reach) = around(points, vertex, view, tangent, slack);
    // Of a level edge or face the other end: what is wanted has both.
    let other = from(vertex);
    let step = subtract(points[other as usize], points[vertex as usize]);
    let (across, below) = (view.across(step), -dot(view.along, step));
    let least = if ROUGH_MAX * length(step) > slack {
        ROUGH_MAX * length(step)
    } else {
        slack
    };
    let face = tilts.face(|tilt, [i, j]| {
        let [a, b] = [i, j].map(|id| subtract(points[id as usize], points[vertex as usize]));
        let wide = length(cross(a, b)) > SLIVER_SLACKS * slack * length(a).max(length(b));
        wide && below - planar::dot(tilt, across) <= least
    });
    if let Some(edges) = face
        && let Some((ids, plane, above)) =
            ring(points, [vertex, edges[0], edges[1]], reach, view, slack)
    {
        return bearing.be_supported(points, ids, &plane, above, view);
    }
    let end = if other == vertex {
        tilts.edge()
    } else {
        Some(other)
    };
    match end {
        Some(end) => bearing.be_edge(points, &whole(points, [vertex, end], slack), view),
        None => bearing.be_edge(points, &[vertex], view),
    }
}

/// The one of some vertices that is farthest from a point; the first of equal ones.
fn farthest(points: &[Triple], ids: &[u32], from: Triple) -> u32 {
    let distance = |id: u32| {
        let step = subtract(points[id as usize], from);
        dot(step, step)
    };
    let best = ids.iter().copied().reduce(|best, id| {
        if distance(id) > distance(best) {
            id
        } else {
            best
        }
    });
    best.unwrap_or(0)
}

/// The ends of the edge that two vertices are on, the lower first: some bodies number vertices between the ends.
fn whole(points: &[Triple], [from, to]: [u32; 2], slack: f64) -> [u32; 2] {
    let start = points[from as usize];
    let Some(along) = unit(subtract(points[to as usize], start)) else {
        return [from.min(to), from.max(to)];
    };
    let place = |id: u32| dot(along, subtract(points[id as usize], start));
    let (mut low, mut high) = (from, to);
    for id in 0..points.len() as u32 {
        let off = length(cross(along, subtract(points[id as usize], start)));
        if off <= slack && place(id) < place(low) - slack {
            low = id;
        }
        if off <= slack && place(id) > place(high) + slack {
            high = id;
        }
    }
    // Of vertices in one place the lowest number.
    let lowest = |end: u32| {
        let here = |&id: &u32| {
            let step = subtract(points[id as usize], points[end as usize]);
            dot(step, step) <= slack * slack
        };
        (0..end).find(here).unwrap_or(end)
    };
    let (low, high) = (lowest(low), lowest(high));
    [low.min(high), low.max(high)]
}

/// The tilts of the planes that support a body at a vertex, and how far it is to the farthest one. Vertices within the slack of it are the same.
fn around(points: &[Triple], id: u32, view: &View, tangent: f64, slack: f64) -> (Tilts, f64) {
    let mut tilts = Tilts::up_to(tangent);
    let vertex = points[id as usize];
    let mut reach = 0.0;
    for (other, &point) in points.iter().enumerate() {
        let step = subtract(point, vertex);
        let (below, squared) = (-dot(view.along, step), dot(step, step));
        reach = if squared > reach { squared } else { reach };
        // Most vertices are far below the planes of the faces here.
        if !tilts.reaches(squared - below * below, below) {
            continue;
        }
        let across = view.across(step);
        if across != [0.0; 2] && squared > slack * slack {
            tilts.cut(other as u32, across, if below > 0.0 { below } else { 0.0 });
        }
    }
    (tilts, Scalar::sqrt(reach))
}

/// A plane through a vertex, and how far vertices are above it.
pub(super) struct BearingPlane {
    pub(super) anchor: Triple,
    pub(super) normal: Triple,
}

impl BearingPlane {
    /// Through three points, seen from the side that the direction comes from.
    #[inline(always)]
    pub(super) fn through([anchor, b, c]: [Triple; 3], along: Triple) -> Option<Self> {
        // Of the two shortest edges: needles would cancel otherwise.
        let normal = Vec3::facet_normal(&[anchor.into(), b.into(), c.into()]);
        let normal = unit(normal.into())?;
        let rise = dot(normal, along);
        let normal = if rise < 0.0 { negative(normal) } else { normal };
        (rise != 0.0).then_some(Self { anchor, normal })
    }

    fn above(&self, x: Triple) -> f64 {
        dot(self.normal, subtract(x, self.anchor))
    }

    /// How far the surface may be from the plane along the view: of a ring's corners, and of what is above it.
    #[inline(always)]
    pub(super) fn off(&self, ring: &[Triple], above: f64, view: &View) -> f64 {
        let heights = ring.iter().map(|&x| self.above(x).abs());
        let most = heights.fold(above, |m, x| if x > m { x } else { m });
        most / dot(self.normal, view.along)
    }

    fn highest(&self, points: &[Triple]) -> f64 {
        largest_by(points, 0.0, |&x| self.above(x))
    }
}

/// The plane of three points of a rough face that are far apart, if it supports the body.
fn refined(
    points: &[Triple],
    rough: &BearingPlane,
    wide: f64,
    view: &View,
    slack: f64,
) -> Option<BearingPlane> {
    let anchor = rough.anchor;
    let near = || points.iter().filter(|&&x| rough.above(x).abs() <= wide);
    let farther = |measure: &dyn Fn(Triple) -> f64| {
        let mut best = (anchor, 0.0);
        for &x in near() {
            let value = measure(x);
            if value > best.1 {
                best = (x, value);
            }
        }
        best.0
    };
    let squared = |x: Triple| dot(x, x);
    let far = farther(&|x| squared(subtract(x, anchor)));
    let line = subtract(far, anchor);
    let wide = farther(&|x| squared(cross(line, subtract(x, anchor))));
    let plane = BearingPlane::through([anchor, far, wide], view.along)?;
    (plane.highest(points) <= slack).then_some(plane)
}

/// Whether a corner of a ring is on a side of the others within a slack: some bodies number vertices there.
fn is_flat([before, corner, after]: [Flat; 3], slack: f64) -> bool {
    let near = |x: Flat| size(planar::subtract(x, corner)) <= slack;
    near(before) || near(after) || from_line([before, after], corner) <= slack
}

/// The corners of the polygon of some vertices, counter-clockwise from the one that is lowest across on; without those within a slack of a side of the
/// others. `None` for fewer than three.
fn corners_of(points: &[Triple], members: FaceIds, view: &View, slack: f64) -> Option<FaceIds> {
    let flat: SmallVec<[Flat; 8]> = members
        .iter()
        .map(|&id| view.flat(points[id as usize]))
        .collect();
    // As a rule all of them are corners, which a turn around their middle tells.
    let order = counter_clockwise(flat.len(), |k| flat[k]);
    let count = order.len();
    let at = |k: usize| flat[order[k % count]];
    let strictly = (0..count).all(|k| {
        let [before, corner, after] = [k, k + 1, k + 2].map(at);
        let turns = planar::cross(
            planar::subtract(corner, before),
            planar::subtract(after, corner),
        ) > 0.0;
        turns && !is_flat([before, corner, after], slack)
    });
    if count >= 3 && strictly {
        let lowest = (0..count).reduce(|i, j| if at(j) < at(i) { j } else { i })?;
        return Some(
            (0..count)
                .map(|k| members[order[(lowest + k) % count]])
                .collect(),
        );
    }
    let PlanarHull::Polygon(ring) = convex_hull_2(&flat).ok()? else {
        return None;
    };
    let kept = without_flat(&flat, &ring, slack);
    (kept.len() >= 3).then(|| kept.iter().map(|&k| members[k as usize]).collect())
}

/// A ring without its flat corners.
fn without_flat(flat: &[Flat], ring: &[u32], slack: f64) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(ring.len());
    for (k, &corner) in ring.iter().enumerate() {
        let before = kept.last().copied().or(ring.last().copied());
        // The corner after the last one is the first that was kept.
        let after = match ring.get(k + 1) {
            Some(&next) => Some(next),
            None => kept.first().copied(),
        };
        if let (Some(before), Some(after)) = (before, after)
            && is_flat([before, corner, after].map(|id| flat[id as usize]), slack)
        {
            continue;
        }
        kept.push(corner);
    }
    kept
}

/// The ring of the face between two edges at a vertex, its plane, and how far vertices are above it.
fn ring(
    points: &[Triple],
    ids: [u32; 3],
    reach: f64,
    view: &View,
    slack: f64,
) -> Option<(FaceIds, BearingPlane, f64)> {
    let corners = ids.map(|id| points[id as usize]);
    let rough = BearingPlane::through(corners, view.along)?;
    let [a, b] = [1, 2].map(|k| subtract(corners[k], corners[0]));
    // How much farther off than its three points the plane is at the far side.
    let (short, long) = (length(a).min(length(b)), length(a).max(length(b)));
    let spread = length(cross(a, b)) / long;
    let wide = (slack * (1.0 + reach / spread.min(short))).min(ROUGH_MAX * reach);
    let least = if wide > slack { -wide } else { -slack };
    let mut near = 0;
    let above = largest_by(points, 0.0, |&x| {
        let height = rough.above(x);
        near += usize::from(height >= least);
        height
    });
    if near <= 3 {
        let mut members = FaceIds::from_slice(&ids);
        members.sort_unstable();
        return Some((corners_of(points, members, view, slack)?, rough, above));
    }
    let plane = refined(points, &rough, wide, view, slack).unwrap_or(rough);
    let (mut members, mut above) = (FaceIds::new(), 0.0);
    for (id, &x) in (0..).zip(points) {
        let height = plane.above(x);
        above = if height > above { height } else { above };
        if height >= -slack || ids.contains(&id) {
            members.push(id);
        }
    }
    Some((corners_of(points, members, view, slack)?, plane, above))
}
