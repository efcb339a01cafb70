//! The bodies as numbers: what they are made of, and how far they reach in a direction.
//!
//! Where it sits: `pairs.rs` makes and places them, `library.rs` turns them into the library's shapes.

use crate::random::{Random, dot, plus};

/// A body in its own frame.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Point([f64; 3]),
    Segment([[f64; 3]; 2]),
    Triangle([[f64; 3]; 3]),
    Ball(f64),
    /// Half extents.
    Cuboid([f64; 3]),
    /// Along the first axis.
    Capsule {
        half_height: f64,
        radius: f64,
    },
    /// Along the last axis.
    Cylinder {
        half_height: f64,
        radius: f64,
    },
    /// Along the last axis, apex up.
    Cone {
        half_height: f64,
        radius: f64,
    },
    /// Half axes.
    Ellipsoid([f64; 3]),
    /// A hull of points.
    Hull(Vec<[f64; 3]>),
    /// Half extents and radius.
    RoundedBox([f64; 3], f64),
}

/// The name of a form, before its numbers are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name {
    Point,
    Segment,
    Triangle,
    Ball,
    Cuboid,
    Capsule,
    Cylinder,
    Cone,
    Ellipsoid,
    Hull(u64),
    RoundedBox,
}

/// Where the numbers of a form come from.
pub(crate) struct Draw<'r> {
    pub(crate) random: &'r mut Random,
    pub(crate) dimension: u32,
    /// Whether all numbers are small integers.
    pub(crate) lattice: bool,
    /// What the last axis is multiplied by.
    pub(crate) flatness: f64,
    /// What all lengths are multiplied by.
    pub(crate) size: f64,
}

impl Draw<'_> {
    fn length(&mut self) -> f64 {
        let length = if self.lattice {
            1.0 + self.random.below(3) as f64
        } else {
            self.random.range(0.3, 1.0)
        };
        self.size * length
    }

    fn flattened(&self, mut vector: [f64; 3]) -> [f64; 3] {
        vector[self.dimension as usize - 1] *= self.flatness;
        vector
    }

    fn lengths(&mut self) -> [f64; 3] {
        let lengths = [self.length(), self.length(), self.length()];
        self.flattened(lengths)
    }

    /// A point of an ellipsoid, or of a lattice whose width is `size`.
    fn point(&mut self, width: u64) -> [f64; 3] {
        let point = if self.lattice {
            let mut point = [0.0; 3].map(|_: f64| self.random.integer(width));
            if self.dimension == 2 {
                point[2] = 0.0;
            }
            point
        } else {
            let [x, y, z] = self.random.direction(self.dimension);
            [x, 0.6 * y, 0.8 * z]
        };
        self.flattened(point.map(|component| self.size * component))
    }

    /// A body of a name.
    pub(crate) fn form(&mut self, name: Name) -> Form {
        match name {
            Name::Point => Form::Point(self.point(3)),
            Name::Segment => Form::Segment([self.point(3), self.point(3)]),
            Name::Triangle => Form::Triangle([self.point(3), self.point(3), self.point(3)]),
            Name::Ball => Form::Ball(self.length()),
            Name::Cuboid => Form::Cuboid(self.lengths()),
            Name::Capsule => Form::Capsule {
                half_height: self.length(),
                radius: self.length() * self.flatness,
            },
            Name::Cylinder => Form::Cylinder {
                half_height: self.length() * self.flatness,
                radius: self.length(),
            },
            Name::Cone => Form::Cone {
                half_height: self.length(),
                radius: self.length() * self.flatness,
            },
            Name::Ellipsoid => Form::Ellipsoid(self.lengths()),
            Name::Hull(count) => {
                let width = if count > 8 { 8 } else { 3 };
                Form::Hull((0..count).map(|_| self.point(width)).collect())
            }
            Name::RoundedBox => Form::RoundedBox(self.lengths(), 0.25 * self.length()),
        }
    }
}

impl Form {
    /// The point that is farthest along a direction, which need not be unit.
    pub(crate) fn support(&self, direction: [f64; 3]) -> [f64; 3] {
        let length = dot(direction, direction).sqrt();
        let along = |distance: f64| direction.map(|component| component * (distance / length));
        let [x, y, z] = direction;
        let radial = (x * x + y * y).sqrt();
        let rim = |radius: f64, height: f64| {
            let factor = if radial > 0.0 { radius / radial } else { 0.0 };
            [x * factor, y * factor, height]
        };
        match self {
            Form::Point(point) => *point,
            Form::Segment(points) => farthest(points, direction),
            Form::Triangle(points) => farthest(points, direction),
            Form::Hull(points) => farthest(points, direction),
            Form::Ball(radius) => along(*radius),
            Form::Cuboid(half) => corner(*half, direction),
            Form::RoundedBox(half, radius) => plus(corner(*half, direction), 1.0, along(*radius)),
            Form::Capsule {
                half_height,
                radius,
            } => plus(
                corner([*half_height, 0.0, 0.0], direction),
                1.0,
                along(*radius),
            ),
            Form::Cylinder {
                half_height,
                radius,
            } => rim(*radius, signed(*half_height, z)),
            Form::Cone {
                half_height,
                radius,
            } if half_height * z >= radius * radial - half_height * z => [0.0, 0.0, *half_height],
            Form::Cone {
                half_height,
                radius,
            } => rim(*radius, -half_height),
            Form::Ellipsoid([a, b, c]) => {
                let scaled = [a * a * x, b * b * y, c * c * z];
                let norm = dot(direction, scaled).sqrt();
                scaled.map(|component| component / norm)
            }
        }
    }
}

fn signed(length: f64, sign: f64) -> f64 {
    if sign < 0.0 { -length } else { length }
}

fn corner(half: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| signed(half[axis], direction[axis]))
}

fn farthest(points: &[[f64; 3]], direction: [f64; 3]) -> [f64; 3] {
    let mut best = points[0];
    for point in points {
        if dot(*point, direction) > dot(best, direction) {
            best = *point;
        }
    }
    best
}
