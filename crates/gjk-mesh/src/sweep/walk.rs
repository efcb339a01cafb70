//! The triangles that a motion may meet, in the order in which it may.
//!
//! Idea: best first. What is nearest in time is taken from a heap: a node gives its children, a triangle is the next one.
//! Numbers: a node's box is that of its vertices before the pose; its box after the pose holds all that they are rounded to.

use super::course::Course;
use crate::boxes::{Below, Box3};
use crate::in_place::InPlace;
use core::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What is met at a time or later: the nodes of a tree before its triangles, both by number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ahead {
    time: f64,
    is_triangle: bool,
    number: u32,
}

impl Eq for Ahead {}

impl Ord for Ahead {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |x: &Self| (x.is_triangle, x.number);
        self.time
            .total_cmp(&other.time)
            .then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for Ahead {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A walk through a mesh.
pub(super) struct Walk<'m> {
    mesh: &'m InPlace<'m>,
    course: Course,
    /// What the boxes of the mesh are within while it moves by itself.
    widen: Option<&'m dyn Fn(&Box3) -> Box3>,
    ahead: BinaryHeap<Reverse<Ahead>>,
}

impl<'m> Walk<'m> {
    pub(super) fn new(
        mesh: &'m InPlace<'m>,
        course: Course,
        widen: Option<&'m dyn Fn(&Box3) -> Box3>,
    ) -> Self {
        let mut walk = Self {
            mesh,
            course,
            widen,
            ahead: BinaryHeap::new(),
        };
        walk.push_node(0);
        walk
    }

    fn push(&mut self, bounds: &Box3, is_triangle: bool, number: u32) {
        let bounds = self.widen.map_or(*bounds, |widen| widen(bounds));
        if let Some(time) = self.course.time_of(&bounds) {
            self.ahead.push(Reverse(Ahead {
                time,
                is_triangle,
                number,
            }));
        }
    }

    fn push_node(&mut self, node: u32) {
        let own = self.mesh.mesh.tree().bounds_of_node(node);
        let bounds = self.mesh.pose().map_or(*own, |pose| own.moved(pose));
        self.push(&bounds, false, node);
    }

    /// The next triangle; `None` where all others are met after a time, or never.
    pub(super) fn next(&mut self, until: f64) -> Option<u32> {
        while let Some(&Reverse(ahead)) = self.ahead.peek() {
            if ahead.time > until {
                return None;
            }
            self.ahead.pop();
            if ahead.is_triangle {
                return Some(ahead.number);
            }
            match self.mesh.mesh.tree().below(ahead.number) {
                Below::Nodes(children) => children.into_iter().for_each(|k| self.push_node(k)),
                Below::Triangles(triangles) => {
                    for &k in triangles {
                        self.push(&Box3::of(&self.mesh.corners(k)), true, k);
                    }
                }
            }
        }
        None
    }
}
