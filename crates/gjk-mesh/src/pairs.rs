//! Pairs of triangles of two meshes where they are, those that may matter to a question.
//!
//! Where it sits: above the two trees. Boxes in any direction, in lanes, answer for poses that move and turn or mirror. Boxes along the
//! world's axes, moved with all vertices, answer for poses that stretch and for sizes and distances beyond `f32`: such poses are rare, and a
//! box that is stretched is none. They answer for bodies of one frame too: there they are at hand, and sharp for walls along the axes.

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
        Trees::Wide([a, b], relative, _) => a.descend(b, &relative, ask),
        Trees::AlongAxes([a, b]) => a.descend(b, ask),
    }
}

/// The trees that answer for two meshes.
pub(crate) enum Trees<'m> {
    /// With the poses of both.
    Wide([&'m Tree; 2], Relative, [&'m Pose3<f64>; 2]),
    AlongAxes([&'m BoxTree; 2]),
}

pub(crate) fn trees<'m>([a, b]: [&InPlace<'m>; 2]) -> Trees<'m> {
    if let (Some(p), Some(q)) = (a.pose(), b.pose())
        && let (Some(x), Some(y)) = (a.mesh.wide_tree(), b.mesh.wide_tree())
        && let Some(relative) = Relative::new([x, y], [p, q])
    {
        return Trees::Wide([x, y], relative, [p, q]);
    }
    Trees::AlongAxes([a.tree(), b.tree()])
}
