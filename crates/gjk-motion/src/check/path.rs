//! The segments of a path: that their curves are polynomials, that the trees of all pairs cover their time, and what the library says of
//! meetings.
//!
//! Where it sits: `whole.rs` asks [`check_path`] where a certificate has a path. `asked.rs` compares it with the path that somebody asks about.
//! Idea: a tree is gone through in the order of its nodes with a stack of the spans that are still to come, as those of `tree.rs`.

use super::bound::PieceSide;
use super::library::StateLibrary;
use super::objection::{CertificateChecked, CertificateObjection};
use super::pair::{CheckedPart, LinkPair, TreeCounts, TreeFault};
use super::polynomial::Polynomial;
use super::ranges::body_of;
use super::span::bound_in_span;
use super::tree::{LEAF_CELLS_MAX, inside_of};
use super::walk::LinkWalk;
use crate::certificate::{CertificateNode, PathMeeting, ProvedPath, ProvedSegment};
use gjk_scene::{Robot, Scene};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// A state at a time of a curve is off by the roundings of its evaluation, three a level and four a coefficient of six terms, and of the
/// curve's coefficients: some 40 of the largest coefficient.
/// Test: `a_meeting_beside_its_path_is_rejected`.
const MEETING_ROUNDINGS: f64 = 64.0;

/// The curves of a segment, one of each joint that the path names.
type SegmentCurves = Vec<Polynomial>;

/// Checks a path, and counts what it proves.
pub(super) fn check_path(
    path: &ProvedPath,
    (scene, robot): (&Scene, &Robot),
    parts: &[Vec<CheckedPart>],
    library: &StateLibrary<'_>,
    checked: &mut CertificateChecked,
) -> Result<(), CertificateObjection> {
    let joints = joints_of(path, robot).map_err(CertificateObjection::new)?;
    if !is_distance(path.clearance) {
        let what = format!("a clearance of {} is none", path.clearance);
        return Err(CertificateObjection::new(what));
    }
    let mut curves = Vec::with_capacity(path.segments.len());
    for (index, segment) in path.segments.iter().enumerate() {
        let fault = |reason: String| CertificateObjection::of_segment(index, reason);
        let own = curves_of(path, segment).map_err(fault)?;
        stretches(path, segment).map_err(fault)?;
        if let Some(meeting) = &segment.meeting {
            meets(path, meeting, &own, library).map_err(fault)?;
        }
        curves.push(own);
    }
    let pairs = pairs_of(path, (scene, robot), parts, &joints)?;
    let count = pairs.last().map_or(0, |pair| pair.trees.end);
    for (index, segment) in path.segments.iter().enumerate() {
        if segment.trees.len() != count {
            let found = segment.trees.len();
            let what = format!("it has {found} trees, and the parts of its pairs take {count}");
            return Err(CertificateObjection::of_segment(index, what));
        }
    }
    let of = |pair: PathPairChecker<'_>| pair.check(path, &curves);
    #[cfg(feature = "parallel")]
    let found: Vec<_> = pairs.into_par_iter().map(of).collect();
    #[cfg(not(feature = "parallel"))]
    let found: Vec<_> = pairs.into_iter().map(of).collect();
    for counts in found {
        checked.count(counts?);
    }
    checked.path_pairs = path.pairs.len();
    checked.trees += count * path.segments.len();
    checked.segments = path.segments.len();
    let of = |is: fn(&ProvedSegment) -> bool| path.segments.iter().filter(|one| is(one)).count();
    checked.free = of(|one| one.meeting.is_none() && one.open.is_empty());
    checked.meetings = of(|one| one.meeting.is_some());
    checked.open = of(|one| !one.open.is_empty());
    Ok(())
}

fn is_distance(x: f64) -> bool {
    x >= 0.0 && x.is_finite()
}

fn is_part([from, to]: [f64; 2]) -> bool {
    0.0 <= from && from <= to && to <= 1.0
}

/// The path's joints, as indices into the robot's.
fn joints_of(path: &ProvedPath, robot: &Robot) -> Result<Vec<usize>, String> {
    let mut joints = Vec::with_capacity(path.joints.len());
    for name in &path.joints {
        let joint = robot.joint_index(name);
        let joint = joint.filter(|&joint| robot.joints[joint].is_independent());
        let Some(joint) = joint else {
            return Err(format!("no state of the robot sets a joint `{name}`"));
        };
        if joints.contains(&joint) {
            return Err(format!("joint `{name}` is there twice"));
        }
        joints.push(joint);
    }
    Ok(joints)
}

/// The curves of a segment's joints.
fn curves_of(path: &ProvedPath, segment: &ProvedSegment) -> Result<SegmentCurves, String> {
    let [from, to] = segment.time;
    if !(from <= to && from.is_finite() && to.is_finite()) {
        return Err(format!("its time is from {from} to {to}"));
    }
    let (joints, values) = (path.joints.len(), segment.values.len());
    if joints != values {
        return Err(format!(
            "it has values of {values} joints, the path {joints}"
        ));
    }
    let with_names = path.joints.iter().zip(&segment.values);
    with_names
        .map(|(name, numbers)| {
            let curve = Polynomial::new(&segment.curve, numbers, segment.time);
            curve.map_err(|reason| format!("joint `{name}`: {reason}"))
        })
        .collect()
}

/// The distance that a segment claims, and the spans in which it claims nothing.
fn stretches(path: &ProvedPath, segment: &ProvedSegment) -> Result<(), String> {
    let shown = segment.meeting.as_ref().map(|meeting| &meeting.shown);
    let is_hit = shown.is_some_and(|shown| shown.overlaps);
    if !(segment.distance == path.clearance || is_hit && segment.distance == 0.0) {
        let (found, wanted) = (segment.distance, path.clearance);
        return Err(format!(
            "it is about a distance of {found}, the path of {wanted}"
        ));
    }
    for open in &segment.open {
        let [from, to] = open.part;
        if open.pair >= path.pairs.len() || !is_part(open.part) {
            return Err(format!(
                "pair {} from {from} to {to} is no span of it",
                open.pair
            ));
        }
    }
    Ok(())
}

/// Whether the state of a meeting is on the path, and shows it.
fn meets(
    path: &ProvedPath,
    meeting: &PathMeeting,
    curves: &SegmentCurves,
    library: &StateLibrary<'_>,
) -> Result<(), String> {
    let [from, to] = meeting.part;
    if !is_part(meeting.part) {
        return Err(format!("its meeting is from {from} to {to}"));
    }
    let shown = &meeting.shown;
    let is_of = |[a, b]: &[String; 2]| *a == shown.a && *b == shown.b;
    if !path.pairs.iter().any(is_of) {
        let (a, b) = (&shown.a, &shown.b);
        return Err(format!(
            "`{a}` and `{b}`, which meet, are no pair of the path"
        ));
    }
    if path.joints.len() != shown.state.len() {
        return Err("the state of its meeting is not of the path's joints".to_owned());
    }
    for (name, curve) in path.joints.iter().zip(curves) {
        let value = shown.state.get(name).copied().unwrap_or(f64::NAN);
        let at = curve.value(to);
        let off = MEETING_ROUNDINGS * f64::EPSILON * curve.extent();
        if !(at.lo - off <= value && value <= at.hi + off) {
            let what = format!("joint `{name}` is not at {value} at {to} of it");
            return Err(what);
        }
    }
    let state = library.state(shown)?;
    let upper = library.shows(shown, &state)?;
    if shown.overlaps || upper < path.clearance {
        Ok(())
    } else {
        let clearance = path.clearance;
        Err(format!(
            "its meeting is no nearer than {upper}, which is not below {clearance}"
        ))
    }
}

/// A pair of links on all segments.
struct PathPairChecker<'c> {
    index: usize,
    names: &'c [String; 2],
    links: LinkPair<'c>,
    /// The walk's variables, as indices into the path's joints.
    variables: Vec<usize>,
    /// Its trees in each segment.
    trees: std::ops::Range<usize>,
    counts: TreeCounts,
}

/// The pairs of a path.
fn pairs_of<'c>(
    path: &'c ProvedPath,
    (scene, robot): (&Scene, &Robot),
    parts: &'c [Vec<CheckedPart>],
    joints: &[usize],
) -> Result<Vec<PathPairChecker<'c>>, CertificateObjection> {
    let mut pairs = Vec::with_capacity(path.pairs.len());
    let mut start = 0;
    for (index, names) in path.pairs.iter().enumerate() {
        let [one, other] = names;
        let wrong = |reason: String| CertificateObjection::of_pair(one, other, reason.into());
        let body = |name: &str| body_of(scene, name).map_err(wrong);
        let (a, b) = (body(one)?, body(other)?);
        if a == b {
            return Err(wrong("it is one link".to_owned()));
        }
        let link = |body: usize| scene.bodies[body].link.unwrap_or(0);
        let walk = LinkWalk::new(robot, link(a), link(b)).map_err(wrong)?;
        let place = |joint: &usize| {
            let place = joints.iter().position(|known| known == joint);
            let name = &robot.joints[*joint].name;
            place.ok_or_else(|| wrong(format!("the path does not say where joint `{name}` is")))
        };
        let variables = walk.variables.iter().map(place).collect::<Result<_, _>>()?;
        let count = parts[a].len() * parts[b].len();
        pairs.push(PathPairChecker {
            index,
            names,
            links: LinkPair::new(walk, [&parts[a][..], &parts[b][..]]),
            variables,
            trees: start..start + count,
            counts: TreeCounts::default(),
        });
        start += count;
    }
    Ok(pairs)
}

/// A span that is to come.
#[derive(Clone, Copy, Debug)]
struct SpanCell {
    span: [f64; 2],
    groups: [usize; 2],
}

/// What is claimed of a pair on a segment.
struct PairClaim<'c> {
    distance: f64,
    /// Nothing from this time on.
    until: f64,
    /// Nor in these.
    open: Vec<[f64; 2]>,
    curves: Vec<&'c Polynomial>,
}

impl PairClaim<'_> {
    fn is_open(&self, [from, to]: [f64; 2]) -> bool {
        let mut open = self.open.iter();
        from >= self.until || open.any(|[start, end]| *start <= from && to <= *end)
    }

    /// A time in each span of which something is claimed without a break.
    fn claimed(&self) -> Vec<f64> {
        let mut open = self.open.clone();
        open.push([self.until.min(1.0), 1.0]);
        open.sort_by(|x, y| x[0].total_cmp(&y[0]));
        let mut from = 0.0_f64;
        let mut times = Vec::new();
        for [start, end] in open {
            if start > from {
                times.push(0.5 * from + 0.5 * start);
            }
            from = from.max(end);
        }
        times
    }
}

impl<'c> PathPairChecker<'c> {
    /// All of its trees.
    fn check(
        mut self,
        path: &'c ProvedPath,
        curves: &[SegmentCurves],
    ) -> Result<TreeCounts, CertificateObjection> {
        let [a, b] = self.names;
        for (index, segment) in path.segments.iter().enumerate() {
            let of = |fault: TreeFault| CertificateObjection {
                segment: Some(index),
                ..CertificateObjection::of_pair(a, b, fault)
            };
            let own = segment.open.iter().filter(|open| open.pair == self.index);
            let meeting = segment.meeting.as_ref();
            let variables = self.variables.iter();
            let claim = PairClaim {
                distance: segment.distance,
                until: meeting.map_or(f64::INFINITY, |meeting| meeting.part[0]),
                open: own.map(|open| open.part).collect(),
                curves: variables.map(|&at| &curves[index][at]).collect(),
            };
            let trees = &segment.trees[self.trees.clone()];
            let count = self.links.parts[1].len();
            for (tree, of_parts) in trees.iter().enumerate() {
                let parts = [tree / count, tree % count];
                let checked = self.tree(&of_parts.nodes, parts, &claim);
                checked.map_err(|(node, reason)| {
                    of(TreeFault {
                        tree: Some(tree),
                        node,
                        reason,
                    })
                })?;
            }
        }
        Ok(self.counts)
    }

    fn tree(
        &mut self,
        nodes: &[CertificateNode],
        parts: [usize; 2],
        claim: &PairClaim<'_>,
    ) -> Result<(), (Option<usize>, String)> {
        let mut open = vec![SpanCell {
            span: [0.0, 1.0],
            groups: [0; 2],
        }];
        let mut divides = [false; 2];
        for (index, node) in nodes.iter().enumerate() {
            let at = |reason: String| (Some(index), reason);
            let Some(cell) = open.pop() else {
                return Err(at("the tree is complete before this node".to_owned()));
            };
            self.counts.nodes += 1;
            match node {
                CertificateNode::Apart { cut, along } => {
                    self.leaf(parts, cell, (*cut, *along), claim).map_err(at)?;
                }
                CertificateNode::Span => {
                    let spans = halves(cell.span).map_err(at)?;
                    open.extend(spans.map(|span| SpanCell { span, ..cell }));
                }
                CertificateNode::Triangles { link } => {
                    let groups = self.links.divided(parts, cell.groups, *link);
                    let groups = groups.map_err(at)?;
                    open.extend(groups.map(|groups| SpanCell { groups, ..cell }));
                    divides[*link] = true;
                }
                CertificateNode::Open => {
                    let [from, to] = cell.span;
                    if !claim.is_open(cell.span) {
                        let what =
                            format!("from {from} to {to} nothing is said, and all is claimed");
                        return Err(at(what));
                    }
                }
                CertificateNode::Range { .. } | CertificateNode::Overlap { .. } => {
                    return Err(at("it is about joint ranges: a path has none".to_owned()));
                }
            }
        }
        if !open.is_empty() {
            let missing = open.len();
            let reason = format!("the tree ends with {missing} spans that nothing is said of");
            return Err((None, reason));
        }
        self.inside(parts, divides, claim)
            .map_err(|reason| (None, reason))
    }

    /// Where triangles of a link are divided: whether the other one is inside of it in a span of which something is claimed.
    fn inside(
        &self,
        parts: [usize; 2],
        divides: [bool; 2],
        claim: &PairClaim<'_>,
    ) -> Result<(), String> {
        for time in claim.claimed() {
            let values = claim
                .curves
                .iter()
                .map(|curve| curve.value(time).middle().0);
            let values: Vec<f64> = values.collect();
            let is_inside = |&link: &usize| self.links.is_inside(parts, link, &values);
            if let Some(link) = [0, 1]
                .into_iter()
                .filter(|&link| divides[link])
                .find(is_inside)
            {
                return Err(inside_of(link));
            }
        }
        Ok(())
    }

    /// Whether the direction of a leaf holds in its span.
    fn leaf(
        &mut self,
        parts: [usize; 2],
        cell: SpanCell,
        (cut, along): (usize, [f64; 3]),
        claim: &PairClaim<'_>,
    ) -> Result<(), String> {
        self.counts.leaves += 1;
        let pieces = [0, 1].map(|side| self.links.rooted(side, parts[side], cell.groups[side]));
        let steps = self.links.sides(cut)?;
        if !along.iter().all(|x| x.is_finite()) {
            return Err("the direction is not finite".to_owned());
        }
        let [a, b] = [0, 1].map(|side| PieceSide {
            steps: steps[side],
            piece: &pieces[side],
            split_max: 0,
        });
        let mut open = vec![cell.span];
        let mut cells = 0;
        while let Some(span) = open.pop() {
            let bound = bound_in_span(along, &a, &b, &claim.curves, span);
            if bound > 0.0 && bound >= claim.distance {
                continue;
            }
            cells += 2;
            self.counts.halved += 1;
            let spans = halves(span).ok().filter(|_| cells <= LEAF_CELLS_MAX);
            let Some(spans) = spans else {
                let wanted = claim.distance;
                return Err(format!(
                    "along its direction the pieces are only proved {bound:e} apart, not {wanted:e}"
                ));
            };
            open.extend(spans);
        }
        Ok(())
    }
}

/// A span in two at its middle, the earlier half last.
fn halves([from, to]: [f64; 2]) -> Result<[[f64; 2]; 2], String> {
    let at = 0.5 * from + 0.5 * to;
    if !(from < at && at < to) {
        return Err(format!("there is nothing between {from} and {to}"));
    }
    Ok([[at, to], [from, at]])
}
