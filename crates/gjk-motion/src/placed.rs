//! Where the links of a robot stand at times of a segment: each time is placed once, for all pairs that ask.
//!
//! Where it sits: `path.rs` and `profile.rs` make one a segment; the screen, the searches of pairs and `state.rs` ask it.
//! Idea: spans are halves of halves, so that one pair asks for the times that another has asked for: the middle of a span is the end of its
//! halves.
//! Numbers: a place is a product of maps from the root on, and is off by roundings of how far the link is from the root, which
//! [`RootLengths`] bounds.

use crate::chain::leader;
use crate::curve::PathSegment;
use crate::map::V3;
use gjk::math::Vector;
use gjk_scene::{Affine, JointKind, Robot};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// At most so many times are kept: what a segment takes beyond that is placed again.
const TIMES_MAX: usize = 512;

/// Where the links stand at one time.
pub(crate) type LinkPlaces = Arc<Vec<Affine>>;

/// A robot, and the joints on the ways to the links that are placed: those that have geometry.
#[derive(Debug)]
pub(crate) struct PlacedLinks<'r> {
    pub(crate) robot: &'r Robot,
    joints: Vec<usize>,
    /// The joints whose values place them: of one that follows another, that one.
    set_by: Vec<usize>,
}

impl<'r> PlacedLinks<'r> {
    pub(crate) fn new(robot: &'r Robot, links: impl IntoIterator<Item = usize>) -> Self {
        let joints = robot.joints_to(links);
        let leaders = joints.iter().map(|&joint| leader(robot, joint).0);
        let mut set_by: Vec<usize> = leaders
            .filter(|&j| robot.joints[j].kind.has_value())
            .collect();
        set_by.sort_unstable();
        set_by.dedup();
        Self {
            robot,
            joints,
            set_by,
        }
    }

    /// The links of pairs of bodies.
    pub(crate) fn of_pairs(robot: &'r Robot, pairs: &[(usize, usize)], link_of: &[usize]) -> Self {
        let bodies = pairs.iter().flat_map(|&(a, b)| [a, b]);
        Self::new(robot, bodies.map(|body| link_of[body]))
    }
}

/// What is used again from segment to segment.
#[derive(Default)]
pub(crate) struct PlacedMemory {
    known: HashMap<u64, LinkPlaces, TimeHash>,
    spare: Vec<Vec<Affine>>,
    values: Vec<f64>,
}

impl PlacedMemory {
    /// Forgets all times.
    fn forget(&mut self) {
        let known = self.known.drain();
        let unused = known.filter_map(|(_, places)| Arc::into_inner(places));
        self.spare.extend(unused);
    }
}

/// Times as keys: one multiplication, because they are the program's own halves of halves.
type TimeHash = BuildHasherDefault<TimeHasher>;

#[derive(Default)]
pub(crate) struct TimeHasher(u64);

impl Hasher for TimeHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, bits: u64) {
        let mixed = (self.0 ^ bits).wrapping_mul(HASH_FACTOR);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// An odd number near 2⁶⁴ by the golden ratio, as Fibonacci hashing has it (Knuth, The Art of Computer Programming 3, 6.4).
const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The links at times of one segment.
pub(crate) struct PlacedTimes<'s> {
    links: &'s PlacedLinks<'s>,
    pub(crate) segment: &'s PathSegment,
    memory: RefCell<PlacedMemory>,
}

impl<'s> PlacedTimes<'s> {
    pub(crate) fn new(
        links: &'s PlacedLinks<'s>,
        segment: &'s PathSegment,
        mut memory: PlacedMemory,
    ) -> Self {
        memory.forget();
        Self {
            links,
            segment,
            memory: RefCell::new(memory),
        }
    }

    /// The memory, for another segment.
    pub(crate) fn into_memory(self) -> PlacedMemory {
        self.memory.into_inner()
    }

    /// The links at a part of the segment.
    pub(crate) fn at(&self, u: f64) -> LinkPlaces {
        let mut memory = self.memory.borrow_mut();
        if let Some(places) = memory.known.get(&u.to_bits()) {
            return places.clone();
        }
        if memory.known.len() >= TIMES_MAX {
            memory.forget();
        }
        let PlacedMemory {
            known,
            spare,
            values,
        } = &mut *memory;
        let PlacedLinks {
            robot,
            joints,
            set_by,
        } = self.links;
        values.resize(robot.joints.len(), 0.0);
        for &joint in set_by {
            values[joint] = self.segment.curves[joint].value(u);
        }
        let mut places = spare.pop().unwrap_or_default();
        robot.place_along(joints, values, &mut places);
        let places = Arc::new(places);
        known.insert(u.to_bits(), places.clone());
        places
    }
}

/// How far links are from the root at most.
#[derive(Debug)]
pub(crate) struct RootLengths {
    links: Vec<RootLength>,
}

/// How far a link is from the root at most: what is fixed on the way, and the slides.
#[derive(Debug, Default, Clone)]
struct RootLength {
    fixed: f64,
    slides: Vec<SlideOnWay>,
}

/// A slide on the way to a link: the joint that sets it, by what factor and offset.
#[derive(Debug, Clone, Copy)]
struct SlideOnWay {
    joint: usize,
    factor: f64,
    offset: f64,
}

impl RootLengths {
    pub(crate) fn new(robot: &Robot) -> Self {
        let mut above = vec![None; robot.links.len()];
        for (index, joint) in robot.joints.iter().enumerate() {
            above[joint.child] = Some(index);
        }
        let of = |link: usize| {
            let mut length = RootLength::default();
            let mut at = link;
            while let Some(index) = above[at] {
                let joint = &robot.joints[index];
                length.fixed += V3::from_f64(joint.origin.translation).norm();
                if joint.kind == JointKind::Prismatic {
                    let (joint, factor, offset) = leader(robot, index);
                    let slide = SlideOnWay {
                        joint,
                        factor,
                        offset,
                    };
                    length.slides.push(slide);
                }
                at = joint.parent;
            }
            length
        };
        Self {
            links: (0..robot.links.len()).map(of).collect(),
        }
    }

    /// How far a link is from the root at most, at all times of a segment.
    pub(crate) fn on(&self, segment: &PathSegment, link: usize) -> f64 {
        let RootLength { fixed, slides } = &self.links[link];
        let slide = |slide: &SlideOnWay| {
            slide.factor.abs() * segment.curves[slide.joint].extent() + slide.offset.abs()
        };
        fixed + slides.iter().map(slide).sum::<f64>()
    }
}
