//! The workload file: shapes in their own frames, and pairs of posed shapes.

use crate::fields::Fields;
use std::fmt::Write as _;

/// A shape in its own frame; axes of solids of revolution along z.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Radius.
    Ball(f64),
    /// Half the segment's length, radius.
    Capsule(f64, f64),
    /// Half height, radius.
    Cylinder(f64, f64),
    /// Half height, radius of the base; the apex is up.
    Cone(f64, f64),
    /// Radii.
    Ellipsoid([f64; 3]),
    /// Half extents; the third is zero in 2D.
    Box([f64; 3]),
    /// Vertices, and triangles counter-clockwise from outside.
    Hull(Vec<[f64; 3]>, Vec<[u32; 3]>),
    /// Vertices, and triangles counter-clockwise from outside where there is one: a surface, not its hull.
    Mesh(Vec<[f64; 3]>, Vec<[u32; 3]>),
    /// Vertices counter-clockwise.
    Polygon(Vec<[f64; 2]>),
}

/// A pose: a quaternion `x y z w`, or in 2D `cos sin 0 0`, then a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Quaternion; in 2D cosine and sine.
    pub rotation: [f64; 4],
    /// Translation; in 2D the third is zero.
    pub translation: [f64; 3],
}

/// How a body moves: its origin in a straight line, and it turns about its origin at a constant rate. In a unit of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Move {
    /// Of the origin; in 2D the third is zero.
    pub linear: [f64; 3],
    /// Radians about the world's axes, right-handed; in 2D only the third.
    pub angular: [f64; 3],
}

/// Two posed shapes, by their places in [`Workload::shapes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Shape A and shape B.
    pub shapes: [usize; 2],
    /// Their poses.
    pub places: [Place; 2],
}

/// One workload file.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// Its name, as in the tables.
    pub name: String,
    /// 2 or 3.
    pub dim: usize,
    /// The operation that its regime is for.
    pub op: String,
    /// Whether the pairs are steps of one pair.
    pub track: bool,
    /// The distance that `within` asks about, and up to which a manifold has points; zero where no file says one.
    pub within: f64,
    /// The shapes that pairs share.
    pub shapes: Vec<Shape>,
    /// The questions.
    pub pairs: Vec<Pair>,
    /// How the bodies of each pair move from their poses, for a unit of time; empty where nothing moves.
    pub moves: Vec<[Move; 2]>,
}

/// The line that says that pairs have motions.
const MOVING: &str = "moving";

impl Workload {
    /// Reads a workload file's text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut fields = Fields::new(text);
        fields.keyword("gjk-workload")?;
        fields.keyword("1")?;
        fields.keyword("name")?;
        let name = fields.word("a name")?.to_owned();
        fields.keyword("dim")?;
        let dim: usize = fields.parse("2 or 3")?;
        if dim != 2 && dim != 3 {
            return Err(fields.at("dim is 2 or 3"));
        }
        fields.keyword("op")?;
        let op = fields.word("an operation")?.to_owned();
        fields.keyword("kind")?;
        let kind = fields.word("pairs or track")?;
        if kind != "pairs" && kind != "track" {
            return Err(fields.at(format!("kind is `pairs` or `track`, not `{kind}`")));
        }
        let within = if fields.next_is("within") {
            fields.keyword("within")?;
            fields.number("a distance")?
        } else {
            0.0
        };
        let moving = fields.next_is(MOVING);
        if moving {
            fields.keyword(MOVING)?;
        }
        fields.keyword("shapes")?;
        let count: usize = fields.parse("a count of shapes")?;
        let shapes = (0..count)
            .map(|_| shape(&mut fields, dim))
            .collect::<Result<Vec<_>, _>>()?;
        fields.keyword("pairs")?;
        let count: usize = fields.parse("a count of pairs")?;
        let (mut pairs, mut moves) = (Vec::new(), Vec::new());
        for _ in 0..count {
            pairs.push(pair(&mut fields, dim, shapes.len())?);
            if moving {
                moves.push([motion(&mut fields, dim)?, motion(&mut fields, dim)?]);
            }
        }
        fields.end()?;
        Ok(Self {
            name,
            dim,
            op,
            track: kind == "track",
            within,
            shapes,
            pairs,
            moves,
        })
    }

    /// What stands on a pair's line after the shapes: poses, then motions where there are some.
    fn numbers<'w>(&'w self, at: usize, pair: &'w Pair) -> impl Iterator<Item = f64> + 'w {
        let (rotation, translation, turn) = if self.dim == 2 {
            (2, 2, 2..)
        } else {
            (4, 3, 0..)
        };
        let places = pair.places.iter().flat_map(move |place| {
            let rotation = place.rotation.iter().take(rotation);
            rotation.chain(place.translation.iter().take(translation))
        });
        let moves = self.moves.get(at).into_iter().flatten();
        let moves = moves.flat_map(move |motion| {
            let linear = motion.linear.iter().take(translation);
            linear.chain(&motion.angular[turn.clone()])
        });
        places.chain(moves).copied()
    }

    /// How many triangles its hulls and meshes have.
    pub fn triangles(&self) -> usize {
        let count = |shape: &Shape| match shape {
            Shape::Hull(_, triangles) | Shape::Mesh(_, triangles) => triangles.len(),
            _ => 0,
        };
        self.shapes.iter().map(count).sum()
    }

    /// The file's text; it reads back to the same numbers.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let kind = if self.track { "track" } else { "pairs" };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "gjk-workload 1\nname {}\ndim {}\nop {}\nkind {kind}",
            self.name, self.dim, self.op
        );
        if self.within != 0.0 {
            let _ = writeln!(text, "within {}", self.within);
        }
        if !self.moves.is_empty() {
            let _ = writeln!(text, "{MOVING}");
        }
        let _ = writeln!(text, "shapes {}", self.shapes.len());
        self.shapes
            .iter()
            .for_each(|shape| write_shape(&mut text, shape, self.dim));
        let _ = writeln!(text, "pairs {}", self.pairs.len());
        for (at, pair) in self.pairs.iter().enumerate() {
            let _ = write!(text, "{} {}", pair.shapes[0], pair.shapes[1]);
            self.numbers(at, pair).for_each(|x| {
                let _ = write!(text, " {x}");
            });
            text.push('\n');
        }
        text
    }
}

fn shape(fields: &mut Fields<'_>, dim: usize) -> Result<Shape, String> {
    let kind = fields.word("a shape")?;
    Ok(match (kind, dim) {
        ("ball", _) => Shape::Ball(fields.number("a radius")?),
        ("capsule", 3) => {
            Shape::Capsule(fields.number("half a length")?, fields.number("a radius")?)
        }
        ("cylinder", 3) => {
            Shape::Cylinder(fields.number("half a height")?, fields.number("a radius")?)
        }
        ("cone", 3) => Shape::Cone(fields.number("half a height")?, fields.number("a radius")?),
        ("ellipsoid", 3) => Shape::Ellipsoid(fields.numbers("a radius")?),
        ("box", 3) => Shape::Box(fields.numbers("a half extent")?),
        ("box", _) => {
            let [x, y] = fields.numbers("a half extent")?;
            Shape::Box([x, y, 0.0])
        }
        ("hull", 3) => {
            let (points, triangles) = surface(fields)?;
            Shape::Hull(points, triangles)
        }
        ("mesh", 3) => {
            let (points, triangles) = surface(fields)?;
            Shape::Mesh(points, triangles)
        }
        ("polygon", 2) => {
            let vertices: usize = fields.parse("a vertex count")?;
            Shape::Polygon(
                (0..vertices)
                    .map(|_| fields.numbers("a coordinate"))
                    .collect::<Result<_, _>>()?,
            )
        }
        _ => return Err(fields.at(format!("no shape `{kind}` in {dim}D"))),
    })
}

/// Vertices and triangles.
type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

fn surface(fields: &mut Fields<'_>) -> Result<Surface, String> {
    let vertices: usize = fields.parse("a vertex count")?;
    let triangles: usize = fields.parse("a triangle count")?;
    let points = (0..vertices).map(|_| fields.numbers("a coordinate"));
    let points = points.collect::<Result<_, _>>()?;
    let triangles = (0..triangles).map(|_| triangle(fields, vertices));
    Ok((points, triangles.collect::<Result<_, _>>()?))
}

fn triangle(fields: &mut Fields<'_>, vertices: usize) -> Result<[u32; 3], String> {
    let mut ids = [0; 3];
    for id in &mut ids {
        *id = fields.parse("a vertex id")?;
        if *id as usize >= vertices {
            return Err(fields.at(format!("vertex {id} of {vertices}")));
        }
    }
    Ok(ids)
}

fn pair(fields: &mut Fields<'_>, dim: usize, count: usize) -> Result<Pair, String> {
    let shapes: [usize; 2] = [fields.parse("shape A")?, fields.parse("shape B")?];
    if let Some(id) = shapes.into_iter().find(|&id| id >= count) {
        return Err(fields.at(format!("shape {id} of {count}")));
    }
    let mut place = || {
        if dim == 3 {
            let rotation = fields.numbers("a quaternion's component")?;
            return Ok::<Place, String>(Place {
                rotation,
                translation: fields.numbers("a translation")?,
            });
        }
        let [cos, sin, x, y] = fields.numbers("a number of a planar pose")?;
        Ok(Place {
            rotation: [cos, sin, 0.0, 0.0],
            translation: [x, y, 0.0],
        })
    };
    Ok(Pair {
        shapes,
        places: [place()?, place()?],
    })
}

fn motion(fields: &mut Fields<'_>, dim: usize) -> Result<Move, String> {
    if dim == 3 {
        let linear = fields.numbers("a velocity")?;
        let angular = fields.numbers("an angular velocity")?;
        return Ok(Move { linear, angular });
    }
    let [x, y, turn] = fields.numbers("a number of a planar motion")?;
    Ok(Move {
        linear: [x, y, 0.0],
        angular: [0.0, 0.0, turn],
    })
}

fn write_shape(text: &mut String, shape: &Shape, dim: usize) {
    let _ = match shape {
        Shape::Ball(r) => writeln!(text, "ball {r}"),
        Shape::Capsule(half, r) => writeln!(text, "capsule {half} {r}"),
        Shape::Cylinder(half, r) => writeln!(text, "cylinder {half} {r}"),
        Shape::Cone(half, r) => writeln!(text, "cone {half} {r}"),
        Shape::Ellipsoid([x, y, z]) => writeln!(text, "ellipsoid {x} {y} {z}"),
        Shape::Box([x, y, _]) if dim == 2 => writeln!(text, "box {x} {y}"),
        Shape::Box([x, y, z]) => writeln!(text, "box {x} {y} {z}"),
        Shape::Hull(vertices, triangles) | Shape::Mesh(vertices, triangles) => {
            let kind = if matches!(shape, Shape::Hull(..)) {
                "hull"
            } else {
                "mesh"
            };
            let mut all = writeln!(text, "{kind} {} {}", vertices.len(), triangles.len());
            for [x, y, z] in vertices {
                all = all.and(writeln!(text, "{x} {y} {z}"));
            }
            triangles
                .iter()
                .fold(all, |all, [a, b, c]| all.and(writeln!(text, "{a} {b} {c}")))
        }
        Shape::Polygon(vertices) => {
            let head = writeln!(text, "polygon {}", vertices.len());
            vertices
                .iter()
                .fold(head, |all, [x, y]| all.and(writeln!(text, "{x} {y}")))
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_reads_back_to_the_same_numbers() -> Result<(), String> {
        let place = |x: f64| Place {
            rotation: [0.1, -0.7, 1.0 / 3.0, 0.2],
            translation: [x, f64::from(0.1f32), 1e-5],
        };
        let tetrahedron = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let shapes = vec![
            Shape::Hull(
                tetrahedron.clone(),
                vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            ),
            Shape::Mesh(tetrahedron, vec![[0, 2, 1]]),
            Shape::Box([0.5, 0.25, 1.0]),
            Shape::Cone(1.0, 0.5),
        ];
        let pairs = vec![Pair {
            shapes: [0, 2],
            places: [place(2.0), place(-7.5)],
        }];
        let written = Workload {
            name: "x".into(),
            dim: 3,
            op: "dist".into(),
            track: true,
            within: 0.1,
            shapes,
            pairs,
            moves: Vec::new(),
        };
        assert_eq!(Workload::parse(&written.to_text())?, written);
        let motion = Move {
            linear: [0.1, -2.0, 3.5],
            angular: [0.0, 1e-3, -0.7],
        };
        let moving = Workload {
            moves: vec![[motion, Move::default()]],
            ..written
        };
        assert_eq!(Workload::parse(&moving.to_text())?, moving);
        Ok(())
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let text = "gjk-workload 1\nname x\ndim 3\nop dist\nkind pairs\nshapes 1\nball zero\n";
        assert_eq!(
            Workload::parse(text),
            Err("line 7: expected a radius, found `zero`".into())
        );
        let cut = "gjk-workload 1\nname x\ndim 2\nop dist\nkind pairs\nshapes 1\nbox 1 1\npairs 1\n0 1 1 0 0 0";
        assert_eq!(Workload::parse(cut), Err("line 9: shape 1 of 1".into()));
    }
}
