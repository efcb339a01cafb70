//! Pairs of triangles of two meshes where they are, those that may matter to a question.
//!
//! Where it sits: above the two trees. Boxes in any direction, in lanes, answer for poses that move and turn or mirror, and for bodies
//! in their own frame. Boxes along the world's axes, moved with all vertices, answer for poses that stretch and for sizes and distances
//! beyond `f32`: such poses are rare, and a box that is stretched is none.

use crate::ask::Ask;
use crate::bvh::Relative;
use crate::in_place::InPlace;
use gjk::Pose3;

/// Asks for the pairs of triangles of two surfaces that are not proved to be beyond the limit, near ones first. Where the visitor breaks: a
/// lower bound of the distance of all pairs that were not visited.
///
/// # Complexity  what boxes cannot tell apart; where the boxes along the axes answer, O(n) more for each pose.
pub(crate) fn visit(meshes: [&InPlace<'_>; 2], ask: &mut dyn Ask) -> Option<f64> {
    let [a, b] = meshes;
    let here = Pose3::identity();
    let [p, q] = [a.pose().unwrap_or(&here), b.pose().unwrap_or(&here)];
    if let (Some(x), Some(y)) = (a.mesh.wide_tree(), b.mesh.wide_tree())
        && let Some(relative) = Relative::new([x, y], [p, q])
    {
        return x.descend(y, &relative, ask);
    }
    a.tree().descend(b.tree(), ask)
}
