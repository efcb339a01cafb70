//! What there is to draw: figures in one of two spaces, each of a layer.

use serde::Serialize;

/// Where a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// Where the bodies are.
    World,
    /// The Minkowski difference's, about the origin.
    Difference,
    /// Directions from a point, as points of a sphere of radius 1.
    Directions,
    /// The plane across a normal, seen along it: points have two coordinates.
    Across,
}

/// A figure; points have two or three coordinates, as the query has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "figure", rename_all = "snake_case")]
pub enum Figure {
    /// A filled convex polygon, its corners in order.
    Polygon {
        /// The corners.
        points: Vec<Vec<f64>>,
    },
    /// A convex body in space: corners, and faces as lists of them, counter-clockwise from outside.
    Mesh {
        /// The corners.
        points: Vec<Vec<f64>>,
        /// The faces.
        faces: Vec<Vec<u32>>,
    },
    /// Straight lines from point to point.
    Line {
        /// The points.
        points: Vec<Vec<f64>>,
    },
    /// Straight pieces, each between two of the points.
    Edges {
        /// The points.
        points: Vec<Vec<f64>>,
        /// Two of them by number.
        edges: Vec<[u32; 2]>,
    },
    /// Single points.
    Dots {
        /// The points.
        points: Vec<Vec<f64>>,
    },
    /// A direction from a point; its length says nothing.
    Arrow {
        /// Where it starts.
        from: Vec<f64>,
        /// Where it points, of length one, or zero for none.
        direction: Vec<f64>,
    },
    /// The plane (2D: the line) through a point across a direction.
    Plane {
        /// A point of it.
        through: Vec<f64>,
        /// Its normal, of length one.
        normal: Vec<f64>,
    },
}

/// A figure of a layer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// What it is: `body_a`, `simplex`, ...; the page has a colour, a mark and a sentence for each.
    pub layer: &'static str,
    /// Where it is.
    pub space: Space,
    /// What it looks like.
    #[serde(flatten)]
    pub figure: Figure,
    /// Words beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Item {
    /// A figure where the bodies are.
    pub fn world(layer: &'static str, figure: Figure) -> Self {
        Self {
            layer,
            space: Space::World,
            figure,
            label: None,
        }
    }

    /// A figure in the Minkowski difference's space.
    pub fn difference(layer: &'static str, figure: Figure) -> Self {
        Self {
            layer,
            space: Space::Difference,
            figure,
            label: None,
        }
    }

    /// A figure among directions.
    pub fn directions(layer: &'static str, figure: Figure) -> Self {
        Self {
            layer,
            space: Space::Directions,
            figure,
            label: None,
        }
    }

    /// A figure in the plane across a normal.
    pub fn across(layer: &'static str, figure: Figure) -> Self {
        Self {
            layer,
            space: Space::Across,
            figure,
            label: None,
        }
    }

    /// The same with words beside it.
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }
}

/// What one moment of the playback shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Frame {
    /// `gjk`, `epa` or `answer`; of meshes `boxes`, `triangles`, `cones`, `shells` or `answer`; of motions and paths `time`; of manifolds `contact`, `face`,
    /// `intersection`, `choice` or `answer`.
    pub(crate) stage: &'static str,
    /// A few words.
    pub(crate) title: String,
    /// The lines of `gjk trace`, or what a mesh's step says.
    pub(crate) lines: Vec<String>,
    /// The region of the simplex that the origin is in, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) region: Option<String>,
    /// What is proved of the signed distance so far; absent where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<[f64; 2]>,
    /// What to draw, back to front.
    pub(crate) items: Vec<Item>,
}

impl Frame {
    /// A frame of a stage that shows nothing yet.
    pub(crate) fn empty(stage: &'static str, lines: Vec<String>) -> Self {
        Self {
            stage,
            title: String::new(),
            lines,
            region: None,
            bounds: None,
            items: Vec::new(),
        }
    }
}
