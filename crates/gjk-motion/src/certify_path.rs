//! The certificate of a path: the trees of all pairs on all segments, proved once more so that a stranger can check them.
//!
//! Where it sits: `gjk path --certificate` and `gjk edges --certificate` ask [`LinkPath::certificate`] of what [`LinkPath::check`] answered;
//! `certificate/path.rs` has the layout.

use crate::certificate::{
    CertificateNode, OpenStretch, PathMeeting, ProvedPath, ProvedSegment, RobotCertificate,
    SpanTree, WitnessPair,
};
use crate::curve::PathSegment;
use crate::divided::DividedParts;
use crate::map::LinkMap;
use crate::path::{LinkPath, PathEvent, PathVerdict, SegmentAnswer};
use crate::placed::PlacedTimes;
use crate::search::PairSearch;
use crate::span_tree::{SpanNode, TreeTask, turns_of_cuts};
use crate::worker::{PathPair, PathWorker, Workers, each};
use gjk_scene::SceneError;

/// What was proved of a pair on a segment.
struct ProvedSpans {
    /// Where nothing is claimed.
    open: Vec<[f64; 2]>,
    trees: Vec<Vec<SpanNode>>,
}

impl LinkPath<'_> {
    /// What proves these segments, each with its answer. A pair of which the spans do not suffice is open in it.
    ///
    /// # Errors  as [`LinkPath::check`].
    pub fn certificate(
        &self,
        answered: &[(&PathSegment, &SegmentAnswer)],
    ) -> Result<RobotCertificate, SceneError> {
        let pairs = self.chains()?;
        let turns: Vec<_> = pairs
            .iter()
            .map(|pair| turns_of_cuts(&pair.chain, self.robot()))
            .collect();
        let workers = Workers::default();
        let proved = each(answered, |_, &(segment, answer)| {
            let spans = workers.with(|worker| self.spans(segment, answer, (pairs, &turns), worker));
            self.told();
            Ok(spans)
        })?;
        let mut divided = DividedParts::new(&self.links);
        let segments = answered.iter().zip(proved);
        let segments = segments.map(|(&(segment, answer), proved)| {
            self.proved_segment(segment, answer, proved, &mut divided)
        });
        let segments = segments.collect();
        let joints = self.robot().joints.iter();
        let name = |body: usize| self.scene.bodies[body].name.clone();
        Ok(RobotCertificate {
            path: Some(ProvedPath {
                clearance: self.options().clearance,
                joints: joints
                    .filter(|joint| joint.is_independent())
                    .map(|joint| joint.name.clone())
                    .collect(),
                pairs: pairs
                    .iter()
                    .map(|PathPair { bodies: (a, b), .. }| [name(*a), name(*b)])
                    .collect(),
                segments,
            }),
            divisions: divided.listed(self.scene),
            ..RobotCertificate::about(self.scene)
        })
    }

    /// The distance that is proved on a segment, and until when.
    fn claim(&self, answer: &SegmentAnswer) -> (f64, f64) {
        let clearance = self.options().clearance;
        match &answer.first {
            None => (clearance, f64::INFINITY),
            Some(first) if first.verdict == PathVerdict::Hit => (0.0, first.part.lower),
            Some(first) => (clearance, first.part.lower),
        }
    }

    /// The trees of all pairs on a segment.
    fn spans<'p>(
        &'p self,
        segment: &PathSegment,
        answer: &SegmentAnswer,
        (pairs, turns): (&[PathPair], &[Vec<LinkMap>]),
        worker: &mut PathWorker<'p>,
    ) -> Vec<ProvedSpans> {
        let (distance, until) = self.claim(answer);
        let placed = PlacedTimes::new(
            self.placed_links(),
            segment,
            std::mem::take(&mut worker.placed),
        );
        let mut all = Vec::with_capacity(pairs.len());
        for (pair, turns) in pairs.iter().zip(turns) {
            let own = answer.open.iter().filter(|open| open.bodies == pair.bodies);
            let mut open: Vec<_> = own.map(|open| [open.part.lower, open.part.upper]).collect();
            let mut search = PairSearch {
                chain: &pair.chain,
                links: [&self.links[pair.bodies.0], &self.links[pair.bodies.1]],
                length: self.length(&pair.chain, segment),
                placed: &placed,
                boxes: None,
                memory: &mut worker.search,
            };
            let task = TreeTask {
                distance,
                until,
                open: &open,
                nodes_max: self.options().cells_max,
                turns,
            };
            let whole: Vec<_> = search.whole_pieces().collect();
            let trees: Option<Vec<_>> = whole
                .iter()
                .map(|&pieces| search.tree(pieces, &task))
                .collect();
            let trees = trees.unwrap_or_else(|| {
                open = vec![[0.0, 1.0]];
                whole.iter().map(|_| vec![SpanNode::Open]).collect()
            });
            all.push(ProvedSpans { open, trees });
        }
        worker.placed = placed.into_memory();
        all
    }

    /// A segment of the certificate.
    fn proved_segment(
        &self,
        segment: &PathSegment,
        answer: &SegmentAnswer,
        proved: Vec<ProvedSpans>,
        divided: &mut DividedParts<'_>,
    ) -> ProvedSegment {
        let joints = self.robot().joints.iter().enumerate();
        let independent = joints.filter(|(_, joint)| joint.is_independent());
        let mut open = Vec::new();
        let mut trees = Vec::new();
        for (pair, proved) in proved.into_iter().enumerate() {
            open.extend(
                proved
                    .open
                    .into_iter()
                    .map(|part| OpenStretch { pair, part }),
            );
            let (a, b) = self.checked_pairs()[pair];
            let count = self.links[b].pieces.len();
            for (index, nodes) in proved.trees.iter().enumerate() {
                let parts = [(a, index / count), (b, index % count)];
                let nodes = tree_of(nodes, parts, divided);
                trees.push(SpanTree { nodes });
            }
        }
        ProvedSegment {
            time: segment.time,
            curve: segment.kind.as_str().to_owned(),
            values: independent
                .map(|(joint, _)| segment.numbers(joint))
                .collect(),
            distance: self.claim(answer).0,
            meeting: answer.first.as_ref().map(|first| self.meeting(first)),
            open,
            trees,
        }
    }

    fn meeting(&self, first: &PathEvent) -> PathMeeting {
        let name = |body: usize| self.scene.bodies[body].name.clone();
        let joints = self.robot().joints.iter().zip(&first.state);
        PathMeeting {
            part: [first.part.lower, first.part.upper],
            shown: WitnessPair {
                a: name(first.bodies.0),
                b: name(first.bodies.1),
                overlaps: first.verdict == PathVerdict::Hit,
                distance: first.distance.upper,
                state: joints
                    .filter(|(joint, _)| joint.is_independent())
                    .map(|(joint, &value)| (joint.name.clone(), value))
                    .collect(),
            },
        }
    }
}

/// A tree with the groups that it divides, each by its body and part.
fn tree_of(
    nodes: &[SpanNode],
    parts: [(usize, usize); 2],
    divided: &mut DividedParts<'_>,
) -> Vec<CertificateNode> {
    // The groups of both links, of the spans that are to come.
    let mut open = vec![[0; 2]];
    let mut of = |node: &SpanNode| {
        let groups = open.pop().unwrap_or_default();
        match *node {
            SpanNode::Apart { cut, along } => CertificateNode::Apart { cut, along },
            SpanNode::Open => CertificateNode::Open,
            SpanNode::Halves => {
                open.extend([groups; 2]);
                CertificateNode::Span
            }
            SpanNode::Triangles { side } => {
                let (body, part) = parts[side];
                for group in divided.halves(body, part, groups[side]) {
                    let mut groups = groups;
                    groups[side] = group;
                    open.push(groups);
                }
                CertificateNode::Triangles { link: side }
            }
        }
    };
    nodes.iter().map(&mut of).collect()
}
