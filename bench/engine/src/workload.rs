//! The workload file: shapes, and pairs of posed shapes.

use crate::Unsupported;
use std::str::{FromStr, SplitWhitespace};

/// A shape in its own frame; axes of revolution along z.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are named as in the protocol")]
pub enum Shape {
    Ball {
        radius: f64,
    },
    Box {
        half: [f64; 3],
    },
    /// `half` is half the length of the core segment.
    Capsule {
        half: f64,
        radius: f64,
    },
    Cylinder {
        half: f64,
        radius: f64,
    },
    /// The apex is at `+half`.
    Cone {
        half: f64,
        radius: f64,
    },
    Ellipsoid {
        radii: [f64; 3],
    },
    /// Triangles are counter-clockwise seen from outside.
    Hull {
        vertices: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
    },
    /// Triangles are counter-clockwise seen from outside where there is one: a surface, not its hull.
    Mesh {
        vertices: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
    },
    /// A box in the plane.
    Rectangle {
        half: [f64; 2],
    },
    /// Counter-clockwise.
    Polygon {
        vertices: Vec<[f64; 2]>,
    },
}

impl Shape {
    /// The name in the file.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Ball { .. } => "ball",
            Self::Box { .. } | Self::Rectangle { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Hull { .. } => "hull",
            Self::Mesh { .. } => "mesh",
            Self::Polygon { .. } => "polygon",
        }
    }

    /// For a shape that an engine does not have.
    pub fn unsupported<T>(&self) -> Result<T, Unsupported> {
        Err(Unsupported(format!("no shape for `{}`", self.kind())))
    }
}

/// A pose in space: unit quaternion (x y z w), then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spatial {
    /// x y z w.
    pub rotation: [f64; 4],
    /// Of the shape's origin.
    pub translation: [f64; 3],
}

impl Spatial {
    /// The rotation as a matrix, rows first.
    pub fn matrix(&self) -> [[f64; 3]; 3] {
        let [x, y, z, w] = self.rotation;
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }
}

/// A pose in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar {
    /// Cosine and sine of the angle.
    pub rotation: [f64; 2],
    /// Of the shape's origin.
    pub translation: [f64; 2],
}

/// How a body moves: its origin in a straight line, and it turns about its origin at a constant rate. In a unit of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Of the origin; in the plane the third is zero.
    pub linear: [f64; 3],
    /// Radians about the world's axes, right-handed; in the plane only the third.
    pub angular: [f64; 3],
}

/// Two posed shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<P> {
    /// Indices of A and B in [`Workload::shapes`].
    pub shapes: [usize; 2],
    /// Of A and B.
    pub poses: [P; 2],
    /// Of A and B from their poses; zero where the file says none.
    pub motions: [Motion; 2],
}

/// The pairs of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Pairs {
    /// Dimension 2.
    Planar(Vec<Pair<Planar>>),
    /// Dimension 3.
    Spatial(Vec<Pair<Spatial>>),
}

impl Pairs {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Planar(pairs) => pairs.len(),
            Self::Spatial(pairs) => pairs.len(),
        }
    }

    /// Are all of the same two shapes? (What a library keeps between steps is about them.)
    fn same_shapes(&self) -> bool {
        fn same<P>(pairs: &[Pair<P>]) -> bool {
            pairs.windows(2).all(|two| two[0].shapes == two[1].shapes)
        }
        match self {
            Self::Planar(pairs) => same(pairs),
            Self::Spatial(pairs) => same(pairs),
        }
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A file's content.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// The operation that its regime is for.
    pub regime: String,
    /// Are the pairs steps of one pair?
    pub track: bool,
    /// The distance that `within` asks about, and up to which a manifold has points; zero where the file says none.
    pub within: f64,
    /// Every pair's shapes are from here.
    pub shapes: Vec<Shape>,
    /// What is asked about.
    pub pairs: Pairs,
}

impl Workload {
    /// How many triangles its hulls and meshes have.
    pub fn triangles(&self) -> usize {
        let count = |shape: &Shape| match shape {
            Shape::Hull { triangles, .. } | Shape::Mesh { triangles, .. } => triangles.len(),
            _ => 0,
        };
        self.shapes.iter().map(count).sum()
    }

    /// The pairs, for an engine in space.
    pub fn spatial(&self) -> Result<&[Pair<Spatial>], Unsupported> {
        match &self.pairs {
            Pairs::Spatial(pairs) => Ok(pairs),
            Pairs::Planar(_) => Err(Unsupported::new("the workload is in the plane")),
        }
    }

    /// The pairs, for an engine in the plane.
    pub fn planar(&self) -> Result<&[Pair<Planar>], Unsupported> {
        match &self.pairs {
            Pairs::Planar(pairs) => Ok(pairs),
            Pairs::Spatial(_) => Err(Unsupported::new("the workload is in space")),
        }
    }
}

/// Reads a workload file.
pub fn parse(text: &str) -> Result<Workload, String> {
    let mut words = Words(text.split_whitespace());
    words.expect("gjk-workload")?;
    words.expect("1")?;
    words.expect("name")?;
    let name = words.word()?.to_owned();
    words.expect("dim")?;
    let dim: u8 = words.value()?;
    words.expect("op")?;
    let regime = words.word()?.to_owned();
    words.expect("kind")?;
    let track = match words.word()? {
        "pairs" => false,
        "track" => true,
        other => return Err(format!("kind `{other}` is neither `pairs` nor `track`")),
    };
    let mut within = 0.0;
    let mut moving = None;
    loop {
        match words.word()? {
            "within" => within = words.value()?,
            "moving" => moving = Some(dim),
            "shapes" => break,
            word => return Err(format!("`{word}` stands where `within`, `moving` or `shapes` should")),
        }
    }
    let count: usize = words.value()?;
    let shapes = (0..count).map(|_| words.shape(dim)).collect::<Result<Vec<_>, _>>()?;
    words.expect("pairs")?;
    let count: usize = words.value()?;
    let pairs = match dim {
        2 => Pairs::Planar((0..count).map(|_| words.pair(shapes.len(), Words::planar, moving)).collect::<Result<_, _>>()?),
        3 => Pairs::Spatial((0..count).map(|_| words.pair(shapes.len(), Words::spatial, moving)).collect::<Result<_, _>>()?),
        _ => return Err(format!("dimension {dim} is neither 2 nor 3")),
    };
    if let Some(extra) = words.0.next() {
        return Err(format!("`{extra}` after the last pair"));
    }
    if track && !pairs.same_shapes() {
        return Err("a track is of one pair of shapes".to_owned());
    }
    Ok(Workload { name, regime, track, within, shapes, pairs })
}

/// Vertices and triangles.
type RawSurface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

struct Words<'a>(SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| "the file ends early".to_owned())
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let word = self.word()?;
        if word == wanted { Ok(()) } else { Err(format!("`{word}` stands where `{wanted}` should")) }
    }

    fn value<T: FromStr>(&mut self) -> Result<T, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("`{word}` is not a number of the kind wanted here"))
    }

    fn values<const N: usize>(&mut self) -> Result<[f64; N], String> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.value()?;
        }
        Ok(values)
    }

    fn shape(&mut self, dim: u8) -> Result<Shape, String> {
        let kind = self.word()?;
        Ok(match (dim, kind) {
            (_, "ball") => Shape::Ball { radius: self.value()? },
            (2, "box") => Shape::Rectangle { half: self.values()? },
            (2, "polygon") => {
                let count: usize = self.value()?;
                Shape::Polygon { vertices: (0..count).map(|_| self.values()).collect::<Result<_, _>>()? }
            }
            (3, "box") => Shape::Box { half: self.values()? },
            (3, "capsule") => Shape::Capsule { half: self.value()?, radius: self.value()? },
            (3, "cylinder") => Shape::Cylinder { half: self.value()?, radius: self.value()? },
            (3, "cone") => Shape::Cone { half: self.value()?, radius: self.value()? },
            (3, "ellipsoid") => Shape::Ellipsoid { radii: self.values()? },
            (3, "hull") => {
                let (vertices, triangles) = self.surface()?;
                Shape::Hull { vertices, triangles }
            }
            (3, "mesh") => {
                let (vertices, triangles) = self.surface()?;
                Shape::Mesh { vertices, triangles }
            }
            _ => return Err(format!("no shape `{kind}` in dimension {dim}")),
        })
    }

    fn surface(&mut self) -> Result<RawSurface, String> {
        let (points, faces): (usize, usize) = (self.value()?, self.value()?);
        let vertices = (0..points).map(|_| self.values()).collect::<Result<Vec<_>, _>>()?;
        let mut triangles = Vec::new();
        for _ in 0..faces {
            let triangle: [u32; 3] = [self.value()?, self.value()?, self.value()?];
            if triangle.iter().any(|&index| index as usize >= points) {
                return Err(format!("triangle {triangle:?} of a shape of {points} vertices"));
            }
            triangles.push(triangle);
        }
        Ok((vertices, triangles))
    }

    fn pair<P>(
        &mut self,
        shapes: usize,
        pose: impl Fn(&mut Self) -> Result<P, String>,
        moving: Option<u8>,
    ) -> Result<Pair<P>, String> {
        let pair = [self.value()?, self.value()?];
        if pair.iter().any(|&index: &usize| index >= shapes) {
            return Err(format!("pair {pair:?} of {shapes} shapes"));
        }
        let poses = [pose(self)?, pose(self)?];
        let motions = match moving {
            Some(dim) => [self.motion(dim)?, self.motion(dim)?],
            None => [Motion::default(); 2],
        };
        Ok(Pair { shapes: pair, poses, motions })
    }

    fn motion(&mut self, dim: u8) -> Result<Motion, String> {
        if dim == 2 {
            let [x, y, turn] = self.values()?;
            return Ok(Motion { linear: [x, y, 0.0], angular: [0.0, 0.0, turn] });
        }
        Ok(Motion { linear: self.values()?, angular: self.values()? })
    }

    fn planar(&mut self) -> Result<Planar, String> {
        Ok(Planar { rotation: self.values()?, translation: self.values()? })
    }

    fn spatial(&mut self) -> Result<Spatial, String> {
        Ok(Spatial { rotation: self.values()?, translation: self.values()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "gjk-workload 1\nname tiny\ndim 3\nop dist\nkind pairs\nshapes 2\nbox 0.5 0.5 1\nhull 4 4\n\
        0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 2 1\n0 1 3\n0 3 2\n1 2 3\npairs 1\n0 1 0 0 0 1 0 0 0 0 0 0 1 2 0 0\n";

    #[test]
    fn reads_the_protocols_example() {
        let workload = parse(FILE).expect("the example is well formed");
        assert_eq!(workload.shapes[0], Shape::Box { half: [0.5, 0.5, 1.0] });
        let pairs = workload.spatial().expect("dimension 3");
        assert_eq!(pairs[0].shapes, [0, 1]);
        assert_eq!(pairs[0].poses[1].translation, [2.0, 0.0, 0.0]);
        assert!(workload.planar().is_err());
    }

    #[test]
    fn refuses_broken_files() {
        assert!(parse(&FILE.replace("0 1 0 0 0 1", "0 2 0 0 0 1")).is_err());
        assert!(parse(&FILE.replace("1 2 3\n", "1 2 4\n")).is_err());
        assert!(parse(&FILE.replace("box", "bax")).is_err());
        assert!(parse(&FILE.replace("shapes 2", "within near shapes 2")).is_err());
        assert!(parse(&format!("{FILE} 7")).is_err());
        assert!(parse(&FILE[..FILE.len() - 4]).is_err());
    }

    #[test]
    fn a_mesh_is_a_hulls_triangles_and_a_file_may_say_how_near() {
        let workload = parse(&FILE.replace("hull", "mesh").replace("shapes 2", "within 0.25 shapes 2"));
        let workload = workload.expect("well formed");
        assert!(matches!(&workload.shapes[1], Shape::Mesh { triangles, .. } if triangles.len() == 4));
        assert_eq!((workload.within, workload.triangles()), (0.25, 4));
    }

    #[test]
    fn motions_follow_the_poses() {
        let text = FILE.replace("shapes 2", "moving shapes 2");
        let workload = parse(&format!("{} 1 2 3 4 5 6 0 0 0 0 0 7\n", text.trim_end())).expect("well formed");
        let motions = workload.spatial().expect("dimension 3")[0].motions;
        assert_eq!(motions[0], Motion { linear: [1.0, 2.0, 3.0], angular: [4.0, 5.0, 6.0] });
        assert_eq!(motions[1].angular, [0.0, 0.0, 7.0]);
        assert!(parse(&text).is_err());
    }

    #[test]
    fn matrix_of_a_quarter_turn() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let pose = Spatial { rotation: [0.0, 0.0, half, half], translation: [0.0; 3] };
        let x_axis: Vec<f64> = pose.matrix().iter().map(|row| row[0]).collect();
        assert!((x_axis[1] - 1.0).abs() < 1e-15 && x_axis[0].abs() < 1e-15);
    }
}
