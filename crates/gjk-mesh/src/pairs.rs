//! Pairs of triangles of two meshes where they are, those that may matter to a question.
//!
//! Where it sits: above the two trees. Boxes in any direction, in lanes, answer for poses that move and turn or mirror, and for bodies
//! in their own frame. Boxes along the world's axes, moved with all vertices, answer for poses that stretch and for sizes and distances
//! beyond `f32`: such poses are rare, and a box that is stretched is none.

use crate::ask::Ask;
use crate::boxes::BoxTree;
use crate::bvh::{Relative, Tree};
use crate::in_place::InPlace;
use gjk::Pose3;

/// Asks for the pairs of triangles of two surfaces that are not proved to be beyond the limit, near ones first. Where the visitor breaks: a
/// lower bound of the distance of all pairs that were not visited.
///
/// # Complexity  what boxes cannot tell apart; where the boxes along the axes answer, O(n) more for each pose.
pub(crate) fn visit(meshes: [&InPlace<'_>; 2], ask: &mut dyn Ask) -> Option<f64> {
    match trees(meshes) {
        Trees::Wide([a, b], relative) => a.descend(b, &relative, ask),
        Trees::AlongAxes([a, b]) => a.descend(b, ask),
    }
}

/// The trees that answer for two meshes.
pub(crate) enum Trees<'m> {
    Wide([&'m Tree; 2], Relative),
    AlongAxes([&'m BoxTree; 2]),
}

pub(crate) fn trees<'m>([a, b]: [&InPlace<'m>; 2]) -> Trees<'m> {
    let own = Pose3::identity();
    let poses = poses([a, b], &own);
    if let (Some(x), Some(y)) = (a.mesh.wide_tree(), b.mesh.wide_tree())
        && let Some(relative) = Relative::new([x, y], poses)
    {
        return Trees::Wide([x, y], relative);
    }
    Trees::AlongAxes([a.tree(), b.tree()])
}

/// Where meshes are: their poses, or their own place.
pub(crate) fn poses<'m>(meshes: [&InPlace<'m>; 2], own: &'m Pose3<f64>) -> [&'m Pose3<f64>; 2] {
    meshes.map(|mesh| mesh.pose().unwrap_or(own))
}
