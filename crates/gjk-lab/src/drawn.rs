//! A part of a body as a picture needs it: triangles, and the edges that make its form plain.
//!
//! Where it sits: beside `outline.rs`, for bodies that are not convex too. The page of `gjk check --html` draws it.
//! Idea: what is drawn is what was checked: the part's surface where it has one, its convex shape elsewhere. A smooth shape is drawn
//! by points of its boundary, and says so.
//! Numbers: corners are relative to the middle of their box, so that `f32` loses nothing that a picture could show.

use crate::outline::{WHOLE, hull_of, outline_of};
use gjk::shape::Shape;
use gjk::{Pose, Support, Vec3};
use gjk_check::parts::Part;
use gjk_mesh::triangulated;

/// The cosine of the angle between two faces, beyond which their edge is drawn: 30 degrees.
const CREASE: f64 = 0.866;

/// A part in its own frame.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Drawn {
    /// The middle of its box.
    pub centre: [f64; 3],
    /// The corners, from there.
    pub corners: Vec<[f32; 3]>,
    /// Corners by three, counter-clockwise from outside where the part has an outside; none of a point or a segment.
    pub triangles: Vec<[u32; 3]>,
    /// Open edges, edges of more than two triangles, and those where faces meet at an angle.
    pub edges: Vec<[u32; 2]>,
    /// True where the part is smooth, and the triangles only come near it.
    pub approximate: bool,
}

/// What to draw of a part, in its own frame.
pub fn drawn(part: &Part) -> Drawn {
    if let Some(surface) = &part.surface {
        let mesh = surface.mesh();
        return of_triangles(mesh.vertices(), mesh.triangles().to_vec(), false);
    }
    drawn_shape(&part.shape)
}

/// What to draw of a convex shape, in its own frame.
pub fn drawn_shape(shape: &Shape<Vec3<f64>>) -> Drawn {
    let outline = match shape {
        Shape::Polytope(hull) => hull_of(hull.vertices()),
        shape => outline_of(shape, &Pose::identity()),
    };
    let corners: Vec<[f64; 3]> = outline
        .points
        .iter()
        .map(|p| [0, 1, 2].map(|k| p.get(k).copied().unwrap_or(0.0)))
        .collect();
    let (triangles, _) = triangulated(&outline.faces);
    let core = shape.core();
    let is_whole = |count: u32| count as usize <= WHOLE;
    let is_hull = matches!(shape, Shape::Polytope(_));
    let approximate = !is_hull && (core.radius > 0.0 || !core.vertex_count.is_some_and(is_whole));
    let mut drawn = of_triangles(&corners, triangles, approximate);
    if corners.len() == 2 {
        drawn.edges.push([0, 1]);
    }
    drawn
}

fn of_triangles(corners: &[[f64; 3]], triangles: Vec<[u32; 3]>, approximate: bool) -> Drawn {
    let end = |k: usize, pick: fn(f64, f64) -> f64, from: f64| {
        corners.iter().map(|p| p[k]).fold(from, pick)
    };
    let middle = |k: usize| {
        let (low, high) = (
            end(k, f64::min, f64::INFINITY),
            end(k, f64::max, f64::NEG_INFINITY),
        );
        // Halves first: the sum of two large ends may be beyond all numbers.
        if low <= high {
            low / 2.0 + high / 2.0
        } else {
            0.0
        }
    };
    let centre = [0, 1, 2].map(middle);
    let near = |p: &[f64; 3]| [0, 1, 2].map(|k| (p[k] - centre[k]) as f32);
    Drawn {
        centre,
        edges: edges(corners, &triangles),
        corners: corners.iter().map(near).collect(),
        triangles,
        approximate,
    }
}

/// An edge as one triangle has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    ends: [u32; 2],
    triangle: usize,
    /// Whether the triangle runs it from the higher number to the lower.
    back: bool,
}

/// The edges to draw, each once.
pub(crate) fn edges(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut sides: Vec<Side> = Vec::with_capacity(3 * triangles.len());
    for (triangle, t) in triangles.iter().enumerate() {
        for (from, to) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            sides.push(Side {
                ends: [from.min(to), from.max(to)],
                triangle,
                back: from > to,
            });
        }
    }
    sides.sort_unstable();
    let is_plain = |sides: &[Side]| {
        let [one, other] = sides else { return false };
        let normals = [one, other].map(|side| {
            let [a, b, c] = triangles[side.triangle].map(|v| corners[v as usize]);
            normal(a, b, c)
        });
        let along: f64 = (0..3).map(|k| normals[0][k] * normals[1][k]).sum();
        let sizes = normals.map(|n| n.iter().map(|x| x * x).sum::<f64>().sqrt());
        // Where both run the edge one way, one of them faces the other way.
        let along = if one.back == other.back {
            -along
        } else {
            along
        };
        along >= CREASE * sizes[0] * sizes[1]
    };
    sides
        .chunk_by(|one, other| one.ends == other.ends)
        .filter(|sides| !is_plain(sides))
        .map(|sides| sides[0].ends)
        .collect()
}

/// The normal of a triangle, of any length: its numbers are first made about one, so that no size is beyond their range.
fn normal(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let unit = |to: [f64; 3]| {
        let v = [0, 1, 2].map(|k| to[k] - a[k]);
        let size = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        v.map(|x| if size > 0.0 { x / size } else { 0.0 })
    };
    let (u, v) = (unit(b), unit(c));
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_check::parts::{Meshes, build};
    use gjk_scene::{LoadOptions, load_text};
    use std::path::Path;

    fn part(shape: &str) -> Drawn {
        let text = format!(
            r#"{{"bodies":[{{"name":"one","parts":[{shape}]}},{{"name":"two","parts":[{shape}]}}]}}"#
        );
        let scene =
            load_text(&text, Path::new("scene.json"), &LoadOptions::default()).expect("a scene");
        drawn(&build(&scene, Meshes::Exact).expect("bodies")[0].parts[0])
    }

    #[test]
    fn a_box_has_twelve_edges_and_no_diagonal() {
        let cube = part(r#"{"shape":"box","half_extents":[1,2,3]}"#);
        assert_eq!(
            (cube.corners.len(), cube.triangles.len(), cube.edges.len()),
            (8, 12, 12)
        );
        assert!(!cube.approximate);
        for [a, b] in &cube.edges {
            let [a, b] = [a, b].map(|&k| cube.corners[k as usize]);
            assert_eq!((0..3).filter(|&k| a[k] != b[k]).count(), 1);
        }
    }

    #[test]
    fn a_ball_is_near_its_sphere_without_edges() {
        let ball = part(r#"{"shape":"ball","radius":2}"#);
        assert!(ball.approximate && ball.edges.is_empty());
        for p in &ball.corners {
            let radius = p.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((radius - 2.0).abs() < 0.01, "{radius}");
        }
    }

    #[test]
    fn a_cylinder_has_two_rims() {
        let cylinder = part(r#"{"shape":"cylinder","half_height":1,"radius":1,"axis":"z"}"#);
        assert!(cylinder.approximate);
        let on_a_rim = |[a, b]: &[u32; 2]| {
            cylinder.corners[*a as usize][2] == cylinder.corners[*b as usize][2]
        };
        assert!(cylinder.edges.len() > 100 && cylinder.edges.iter().all(on_a_rim));
    }

    #[test]
    fn far_from_its_origin_a_part_keeps_its_form() {
        let far = 1e9;
        let corners = [[far, 0.0, 0.0], [far + 1e-3, 0.0, 0.0], [far, 1e-3, 0.0]];
        let triangle = of_triangles(&corners, vec![[0, 1, 2]], false);
        assert_eq!(triangle.edges.len(), 3);
        let width = triangle.corners[1][0] - triangle.corners[0][0];
        assert!((width - 1e-3).abs() < 1e-6, "{width}");
    }

    /// More vertices than a picture of the lab takes whole.
    #[test]
    fn a_hull_has_all_its_vertices() {
        let count = 4200;
        let points: Vec<String> = (0..count)
            .map(|k| {
                let (height, turn) = (f64::from(2 * k + 1) / 4200.0 - 1.0, 2.4 * f64::from(k));
                let ring = (1.0 - height * height).sqrt();
                format!("[{},{},{height}]", ring * turn.cos(), ring * turn.sin())
            })
            .collect();
        let shape = format!(r#"{{"shape":"convex","points":[{}]}}"#, points.join(","));
        let text = format!(r#"{{"bodies":[{{"name":"one","parts":[{shape}]}}]}}"#);
        let scene =
            load_text(&text, Path::new("scene.json"), &LoadOptions::default()).expect("a scene");
        let hull = drawn(&build(&scene, Meshes::Hull).expect("bodies")[0].parts[0]);
        assert_eq!((hull.corners.len(), hull.approximate), (4200, false));
    }

    #[test]
    fn points_and_segments_have_no_triangle() {
        let point = part(r#"{"shape":"point","point":[1,2,3]}"#);
        assert_eq!((point.corners.len(), point.triangles.len()), (1, 0));
        let segment = part(r#"{"shape":"segment","a":[0,0,0],"b":[1,0,0]}"#);
        assert_eq!((segment.triangles.len(), segment.edges.len()), (0, 1));
    }
}
