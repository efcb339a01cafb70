//! Whether a shell is inside of other shells of its mesh, which it may touch.
//!
//! Idea: a corner of the shell that is on none of the others tells. Where all its corners are, an edge of it that leaves the others'
//! surface at a corner does.

use crate::TriMesh;
use crate::cone::Star;
use crate::inside::{Side, side_of_shells};
use crate::signs::{Point, Span, dropped, side};
use crate::triangles::place;

/// Whether a shell is inside of others that it does not cross; `None` where they share all that tells. `reversed`: triangles run
/// clockwise seen from outside.
pub(crate) fn is_inside(
    mesh: &TriMesh,
    shell: u32,
    reversed: bool,
    of: impl Fn(u32) -> bool,
) -> Option<bool> {
    let own = || (0..mesh.triangles().len() as u32).filter(|&k| mesh.shell_of(k) == shell);
    let mut sides = own()
        .flat_map(|k| mesh.corners(k))
        .filter_map(|corner| side_of_shells(&mesh.in_place(), corner, reversed, &of));
    if let Some(side) = sides.find(|&side| side != Side::Boundary) {
        return Some(side == Side::Inside);
    }
    own().find_map(|k| {
        let corners = mesh.corners(k);
        (0..3).find_map(|k| {
            let [at, next] = [corners[k], corners[(k + 1) % 3]];
            let mut star = star_at(mesh, at, &of);
            if reversed {
                star.reverse();
            }
            let edge = Span::new(at, next);
            let is_on = !star.around(&edge).is_empty();
            (!is_on).then(|| star.contains(&edge)).flatten()
        })
    })
}

/// The sectors at a point of shells' triangles that contain it.
fn star_at(mesh: &TriMesh, point: Point, of: impl Fn(u32) -> bool) -> Star {
    let mut star = Star::default();
    for triangle in (0..mesh.triangles().len() as u32).filter(|&k| of(mesh.shell_of(k))) {
        let corners = mesh.corners(triangle);
        if side(&corners, point).is_eq()
            && let Some(axis) = dropped(&corners)
            && let Some(at) = place(&corners, Some(axis), point)
        {
            star.add(&corners, at);
        }
    }
    star
}
