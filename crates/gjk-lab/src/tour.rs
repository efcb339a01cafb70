//! The guided tour: ten steps from "what is a support point" to "why exact", each a scene that the reader can touch.

use serde::Serialize;
use serde_json::{Value, json};

/// A step of the tour.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stop {
    title: &'static str,
    /// A few sentences: what is seen, and what to try.
    text: &'static str,
    /// A line of the query format.
    query: Value,
    algorithm: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<[f64; 2]>,
    /// The frame to show first; none is the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
}

/// The stops, in order.
pub(crate) fn steps() -> Vec<Stop> {
    let mut all = searching();
    all.extend(deciding());
    all
}

fn pentagon() -> Value {
    json!({"shape": "convex", "points": [[0, 2], [1.9, 0.6], [1.2, -1.6], [-1.2, -1.6], [-1.9, 0.6]], "pose": {"translation": [-3, 0]}})
}

fn kite(x: f64, y: f64) -> Value {
    json!({"shape": "convex", "points": [[-1.8, 0], [0, 1.4], [1.8, 0], [0, -1.4]], "pose": {"translation": [x, y], "rotation": 0.3}})
}

/// Bodies of the plane that are apart.
fn apart() -> Value {
    json!({"id": "tour-apart", "dim": 2, "a": pentagon(), "b": kite(2.4, 0.5)})
}

/// The same, nearer: they overlap.
fn together() -> Value {
    json!({"id": "tour-together", "dim": 2, "a": pentagon(), "b": kite(-0.9, 0.3)})
}

fn stop(title: &'static str, text: &'static str, query: Value, step: Option<usize>) -> Stop {
    Stop {
        title,
        text,
        query,
        algorithm: "distance",
        direction: None,
        step,
    }
}

fn searching() -> Vec<Stop> {
    vec![
        Stop {
            direction: Some([1.0, 1.0]),
            ..stop(
                "What is a support point?",
                "Pick a direction. The support point of a body is its farthest point that way. Here A is asked along the orange \
                 arrow, and B against it. That is all GJK ever asks of a body, which is why any convex body will do. Turn a body \
                 (shift and drag) and watch the points jump from corner to corner.",
                apart(),
                Some(0),
            )
        },
        stop(
            "The Minkowski difference",
            "Subtract every point of B from every point of A: the picture on the right. The bodies share a point exactly when this \
             difference holds the origin, the cross. Drag B over A and see the cross go in. Nobody ever builds the difference: a \
             support point of it is A's less B's.",
            apart(),
            None,
        ),
        stop(
            "A simplex walks to the origin",
            "GJK keeps a few support points: the simplex. From its point v nearest the origin it looks back to the origin, asks for \
             the support point w that way, and adds it. Step on (→) and see it come nearer.",
            apart(),
            Some(0),
        ),
        stop(
            "Which part is nearest?",
            "The plane falls into regions: in each, another corner or side of the simplex is nearest. The origin lies in the shaded \
             one, so that part is kept and the rest forgotten. In space a tetrahedron has fifteen such regions.",
            apart(),
            Some(1),
        ),
        stop(
            "Two bounds close",
            "The length of v is never less than the distance. The support plane at w is never farther than it. When both bounds meet, \
             the search is over: look at the bars. The answer comes with the nearest points, and a line that separates the bodies.",
            apart(),
            None,
        ),
    ]
}

fn deciding() -> Vec<Stop> {
    let square = json!({"shape": "box", "half_extents": [1, 1]});
    let beside = json!({"shape": "box", "half_extents": [1, 1], "pose": {"translation": [2.0 + 2.0 * f64::EPSILON, 0.5]}});
    let flush = json!({"shape": "box", "half_extents": [1, 1], "pose": {"translation": [2, 0.5]}});
    vec![
        stop(
            "The origin is inside",
            "Now the bodies overlap. The simplex encloses the origin, and that is a proof: the difference is convex, so it holds \
             whatever its points enclose. GJK ends here, and cannot say how deep.",
            together(),
            Some(2),
        ),
        stop(
            "How deep: EPA",
            "EPA blows the simplex up from within. It takes the side nearest the origin, asks for the support point beyond it, and \
             grows. Once that side is one of the difference itself, its distance is the depth: the shortest push that parts the \
             bodies.",
            together(),
            Some(3),
        ),
        stop(
            "Curved bodies",
            "A ball, a capsule or an ellipse has no corners, but it has support points. Distances come out as an interval that is \
             proved to hold the truth, narrower at every step.",
            json!({"id": "tour-curved", "dim": 2,
                "a": {"shape": "ellipsoid", "radii": [2.4, 1.1], "pose": {"translation": [-2.6, 0], "rotation": 0.5}},
                "b": {"shape": "capsule", "half_height": 1.4, "radius": 0.7, "axis": "y", "pose": {"translation": [2, 0.4], "rotation": 0.3}}}),
            None,
        ),
        stop(
            "Where floats fail",
            "These two squares are 4·10⁻¹⁶ apart. Floating point rounds that away: look at what floats alone say. So the last \
             decision is not made in floats. Signs of integer polynomials decide, without any rounding.",
            json!({"id": "tour-apart-by-a-rounding", "dim": 2, "a": square, "b": beside}),
            None,
        ),
        stop(
            "Why exact",
            "And these touch, exactly: they share a part of an edge and overlap nowhere. Stacked boxes, mated parts, a foot on the \
             floor: in real scenes that is the common case. The verdict is decided, and comes with a certificate that anyone can \
             check: copy the query, and run gjk query --verify.",
            json!({"id": "tour-touching", "dim": 2, "a": square, "b": flush}),
            None,
        ),
    ]
}
