//! One case: two bodies as numbers, the library's shapes made of them, and the world's vertices by our own arithmetic.

use gjk::math::{Ring, Scalar};
use gjk::query::Verdict;
use gjk::shape::{
    Ball, Capsule, Cuboid, Ellipsoid, Point, Polytope, Rounded, Segment, Shape, Triangle,
};
use gjk::{Core, Pose, Support, SupportPoint, Vector};
use gjk_query::convert::Space;
use gjk_scene::{Axis, BodySpec, PoseSpec, QueryKind, QuerySpec, ScalarKind, ShapeSpec};

/// How a body is handed to the library.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Form {
    /// All points as they are, duplicates and inner ones too.
    #[default]
    Cloud,
    /// A `Polytope`, or a point, segment or triangle shape where there are as few points and a coin says so.
    Hull,
    /// A point, segment or triangle; other numbers of points are a hull.
    Simple,
    /// A box of these half extents; the points are its corners.
    Box([f64; 3]),
    /// A ball; the point is its centre in the body's frame, zero.
    Ball,
    /// A capsule of this half height along this axis; the points are its ends.
    Capsule(f64, usize),
    /// A cylinder of this half height and radius along this axis.
    Cylinder(f64, f64, usize),
    /// A cone likewise.
    Cone(f64, f64, usize),
    /// An ellipsoid of these radii.
    Ellipsoid([f64; 3]),
}

impl Form {
    /// True when there is no core polytope.
    pub fn is_smooth(self) -> bool {
        matches!(
            self,
            Form::Cylinder(..) | Form::Cone(..) | Form::Ellipsoid(..)
        )
    }
}

/// The map to the world: columns and translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Columns of the linear part.
    pub columns: [[f64; 3]; 3],
    /// Translation.
    pub translation: [f64; 3],
}

impl Placement {
    /// The identity's columns.
    pub const STRAIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// The pose as a query line has it.
    pub fn spec(&self, dim: usize) -> PoseSpec {
        let row = |row: usize| (0..dim).map(|k| self.columns[k][row]).collect();
        PoseSpec {
            translation: Some(self.translation[..dim].to_vec()),
            rotation_matrix: (self.columns != Self::STRAIGHT).then(|| (0..dim).map(row).collect()),
            ..PoseSpec::default()
        }
    }
}

/// One body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// The core's points in the body's frame; empty for smooth forms.
    pub points: Vec<[f64; 3]>,
    /// How the library gets it.
    pub form: Form,
    /// The radius swept over the core.
    pub radius: f64,
    /// Absent: the identity.
    pub pose: Option<Placement>,
}

/// A pair with what its construction knows.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// 2 or 3.
    pub dim: usize,
    /// Numbers are `f32`.
    pub single: bool,
    /// The first body.
    pub a: Body,
    /// The second body.
    pub b: Body,
    /// The verdict by construction.
    pub known: Option<Verdict>,
    /// Bounds of the signed distance by construction, for smooth pairs: computed in floats with room.
    pub known_distance: Option<[f64; 2]>,
}

impl Body {
    /// Back to nothing, keeping the storage.
    pub fn clear(&mut self) {
        self.points.clear();
        self.form = Form::Cloud;
        self.radius = 0.0;
        self.pose = None;
    }

    /// Changes all lengths: coordinates of points and of the place, radii, half extents.
    pub(crate) fn for_each_length(&mut self, mut change: impl FnMut(&mut f64)) {
        self.points.iter_mut().flatten().for_each(&mut change);
        change(&mut self.radius);
        match &mut self.form {
            Form::Box(lengths) | Form::Ellipsoid(lengths) => {
                lengths.iter_mut().for_each(&mut change);
            }
            Form::Capsule(half, _) => change(half),
            Form::Cylinder(half, radius, _) | Form::Cone(half, radius, _) => {
                change(half);
                change(radius);
            }
            Form::Cloud | Form::Hull | Form::Simple | Form::Ball => {}
        }
        if let Some(place) = &mut self.pose {
            place.translation.iter_mut().for_each(change);
        }
    }

    /// The core's points in the world, by the documented formula.
    pub fn world(&self, local: [f64; 3]) -> [f64; 3] {
        let Some(Placement {
            columns: [c, d, e],
            translation: t,
        }) = self.pose
        else {
            return local;
        };
        std::array::from_fn(|k| ((c[k] * local[0] + d[k] * local[1]) + e[k] * local[2]) + t[k])
    }

    /// All points in the world.
    pub fn world_points(&self, into: &mut Vec<[f64; 3]>) {
        into.clear();
        into.extend(self.points.iter().map(|&p| self.world(p)));
    }

    /// The library's pose.
    pub fn library_pose<V: Vector>(&self) -> Pose<V> {
        let Some(Placement {
            columns,
            translation,
        }) = self.pose
        else {
            return Pose::identity();
        };
        if columns == Placement::STRAIGHT {
            return Pose::from_translation(V::from_f64(translation));
        }
        let mut own = V::identity();
        for (to, from) in own.as_mut().iter_mut().zip(columns) {
            *to = V::from_f64(from);
        }
        Pose::from_columns(own, V::from_f64(translation))
    }

    /// The library's shape; `None` when a constructor refuses it.
    pub fn shape<V: Space>(&self) -> Option<Fuzzed<V>> {
        let number = V::Scalar::from_f64;
        let point = |i: usize| V::from_f64(self.points[i]);
        let sharp: Shape<V> = match self.form {
            Form::Cloud => return Some(Fuzzed::Cloud(Cloud::new(&self.points, self.radius))),
            Form::Simple if self.points.len() == 1 => Point::new(point(0)).ok()?.into(),
            Form::Simple if self.points.len() == 2 => Segment::new(point(0), point(1)).ok()?.into(),
            Form::Simple if self.points.len() == 3 => {
                Triangle::new(point(0), point(1), point(2)).ok()?.into()
            }
            Form::Hull | Form::Simple => {
                let points: Vec<V> = self.points.iter().map(|&p| V::from_f64(p)).collect();
                Polytope::new(&points).ok()?.into()
            }
            Form::Box(half) => Cuboid::new(V::from_f64(half)).ok()?.into(),
            Form::Ball => return Some(Fuzzed::Shape(Ball::new(number(self.radius)).ok()?.into())),
            Form::Capsule(half, axis) => {
                return Some(Fuzzed::Shape(
                    Capsule::new(
                        number(half),
                        number(self.radius),
                        gjk::Axis::try_from(axis).ok()?,
                    )
                    .ok()?
                    .into(),
                ));
            }
            Form::Cylinder(half, radius, axis) => V::cylinder(
                number(half),
                number(radius),
                gjk::Axis::try_from(axis).ok()?,
            )
            .ok()?,
            Form::Cone(half, radius, axis) => V::cone(
                number(half),
                number(radius),
                gjk::Axis::try_from(axis).ok()?,
            )
            .ok()?,
            Form::Ellipsoid(radii) => Ellipsoid::new(V::from_f64(radii)).ok()?.into(),
        };
        if self.radius == 0.0 {
            return Some(Fuzzed::Shape(sharp));
        }
        Some(Fuzzed::Shape(
            Rounded::new(sharp, number(self.radius)).ok()?.into(),
        ))
    }

    /// The body as a query line has it.
    pub(crate) fn spec(&self, dim: usize) -> BodySpec {
        let cut = |p: [f64; 3]| p[..dim].to_vec();
        let axis = |k: usize| [Axis::X, Axis::Y, Axis::Z][k];
        let core = match self.form {
            Form::Box(half) => ShapeSpec::Box {
                half_extents: cut(half),
            },
            Form::Ball => ShapeSpec::Ball {
                radius: self.radius,
            },
            Form::Capsule(half_height, k) => ShapeSpec::Capsule {
                half_height,
                radius: self.radius,
                axis: axis(k),
            },
            Form::Cylinder(half_height, radius, k) => ShapeSpec::Cylinder {
                half_height,
                radius,
                axis: axis(k),
            },
            Form::Cone(half_height, radius, k) => ShapeSpec::Cone {
                half_height,
                radius,
                axis: axis(k),
            },
            Form::Ellipsoid(radii) => ShapeSpec::Ellipsoid { radii: cut(radii) },
            Form::Cloud | Form::Hull | Form::Simple => ShapeSpec::Convex {
                points: self.points.iter().map(|&p| cut(p)).collect(),
            },
        };
        let round = self.radius > 0.0 && !matches!(self.form, Form::Ball | Form::Capsule(..));
        let shape = if round {
            ShapeSpec::Rounded {
                core: Box::new(core),
                radius: self.radius,
            }
        } else {
            core
        };
        let pose = self.pose.map(|place| place.spec(dim));
        BodySpec { shape, pose }
    }
}

impl Case {
    /// Back to nothing, keeping the storage.
    pub fn clear(&mut self, dim: usize, single: bool) {
        self.dim = dim;
        self.single = single;
        self.a.clear();
        self.b.clear();
        self.known = None;
        self.known_distance = None;
    }

    /// The case as a query line without expectation.
    pub fn spec(&self, id: String, note: String) -> QuerySpec {
        QuerySpec {
            id,
            dim: self.dim,
            scalar: if self.single {
                ScalarKind::F32
            } else {
                ScalarKind::F64
            },
            query: QueryKind::Contact,
            a: self.a.spec(self.dim),
            b: self.b.spec(self.dim),
            options: Default::default(),
            note: Some(note),
            source: Some("gjk fuzz".to_owned()),
            expect: None,
        }
    }
}

/// What the queries are asked with.
#[derive(Clone, Debug)]
pub enum Fuzzed<V: Vector> {
    /// Raw points.
    Cloud(Cloud<V>),
    /// A shape of the library.
    Shape(Shape<V>),
}

/// Raw points, numbered as given: duplicates, inner, collinear and coplanar ones are all vertices.
#[derive(Clone, Debug)]
pub struct Cloud<V: Vector> {
    points: Vec<V>,
    extent: V,
    radius: V::Scalar,
}

impl<V: Vector> Cloud<V> {
    fn new(points: &[[f64; 3]], radius: f64) -> Self {
        let points: Vec<V> = points.iter().map(|&p| V::from_f64(p)).collect();
        let largest = |k: usize| {
            points
                .iter()
                .fold(V::Scalar::ZERO, |m, p| m.max(p.component(k).abs()))
        };
        Self {
            extent: V::from_fn(largest),
            radius: V::Scalar::from_f64(radius),
            points,
        }
    }
}

impl<V: Vector> Support<V> for Cloud<V> {
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        let (mut best, mut id) = (self.points[0].lift::<V::Wide>(), 0);
        let mut top = best.dot(direction);
        for (k, p) in self.points.iter().enumerate().skip(1) {
            let point: V::Wide = p.lift();
            let height = point.dot(direction);
            if height > top {
                (top, best, id) = (height, point, k as u32);
            }
        }
        SupportPoint { point: best, id }
    }
    fn core(&self) -> Core<'_, V> {
        Core {
            radius: self.radius.to_f64(),
            vertex_count: Some(self.points.len() as u32),
            ..Core::new(self.points[0].lift(), self.extent.lift())
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.points.get(id as usize).map(|x| x.lift())
    }
}

impl<V: Vector> Support<V> for Fuzzed<V> {
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        match self {
            Fuzzed::Cloud(cloud) => cloud.support(direction, hint),
            Fuzzed::Shape(shape) => shape.support(direction, hint),
        }
    }
    fn core(&self) -> Core<'_, V> {
        match self {
            Fuzzed::Cloud(cloud) => cloud.core(),
            Fuzzed::Shape(shape) => shape.core(),
        }
    }
    fn shape(&self) -> Option<&Shape<V>> {
        match self {
            Fuzzed::Cloud(_) => None,
            Fuzzed::Shape(shape) => Some(shape),
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        match self {
            Fuzzed::Cloud(cloud) => cloud.vertex(id),
            Fuzzed::Shape(shape) => shape.vertex(id),
        }
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        match self {
            Fuzzed::Cloud(cloud) => cloud.highest_vertices(direction, error, slack, found),
            Fuzzed::Shape(shape) => shape.highest_vertices(direction, error, slack, found),
        }
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        match self {
            Fuzzed::Cloud(cloud) => cloud.vertices_near(direction, id, margin, visit),
            Fuzzed::Shape(shape) => shape.vertices_near(direction, id, margin, visit),
        }
    }
}
