//! What the links are made of, from the files' numbers: points with a ball around each, or a smooth shape; and the groups of
//! triangles that a certificate divides a surface into.
//!
//! Where it sits: `whole.rs` makes the parts of a link once; `bound.rs` asks how high a piece reaches.
//! Idea: a surface needs no hull here: the highest of all its vertices along a direction is the hull's highest.

use super::enclosed::{
    Enclosed, Vec3Bounds, ZERO, cross, difference, exactly, norm, rounded, times,
};
use super::walk::{PlaceBounds, WalkStep};
use gjk_mesh::{TriMesh, triangulated};
use gjk_scene::{Affine, Axis, Geometry, Part, ShapeSpec};

/// A height in three dimensions is three products and two sums, each off by a rounding: three of them in all, and one for what is
/// added to it.
/// Test: `heights_in_floats_are_within_their_bound`.
const FLOAT_HEIGHT_ROUNDINGS: f64 = 4.0;

/// The products of the columns of a matrix from `rpy` or from a quaternion are off by some roundings.
/// Test: `a_round_shape_that_is_scaled_is_refused`.
const TURN_OFF_MAX: f64 = 1e-14;

/// A part of a link.
#[derive(Debug)]
pub(super) struct PartSolid {
    pub(super) place: PlaceBounds,
    pub(super) form: SolidForm,
    /// The surface, where it is a mesh's.
    surface: Option<TriMesh>,
    scale: [f64; 3],
    /// Half the sides, where it is a box whose pose is a turn and a shift.
    pub(super) half_sides: Option<[f64; 3]>,
}

/// What a part is.
#[derive(Debug)]
pub(super) enum SolidForm {
    /// The hull of points, with a ball around each.
    Points(Vec<[f64; 3]>, f64),
    Smooth(SmoothForm),
}

/// A shape with a smooth surface, in the part's frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum SmoothForm {
    Cylinder { half: f64, radius: f64, axis: usize },
    Cone { half: f64, radius: f64, axis: usize },
    Ellipsoid([f64; 3]),
}

/// A piece in the frame of the joint next to it.
#[derive(Debug)]
pub(super) enum RootedSolid {
    Cloud(PointCloud),
    Smooth(RootedSmooth),
}

/// Points as floats, and how far they may be from the true ones.
#[derive(Debug)]
pub(super) struct PointCloud {
    pub(super) points: Vec<[f64; 3]>,
    /// Upper bounds of the distances from the axis.
    pub(super) rho: Vec<f64>,
    /// How far a point may be from where it is.
    off: f64,
    /// No point is farther from the origin.
    far: f64,
    pub(super) radius: f64,
    pub(super) center: Vec3Bounds,
    pub(super) reach: f64,
}

/// A smooth shape behind steps that stand still.
#[derive(Debug)]
pub(super) struct RootedSmooth {
    form: SmoothForm,
    /// From the joint's frame to the shape's.
    places: Vec<PlaceBounds>,
    pub(super) center: Vec3Bounds,
    pub(super) reach: f64,
}

/// A direction as floats, and how much a height along it may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloatDirection {
    pub(super) along: [f64; 3],
    pub(super) error: f64,
}

impl FloatDirection {
    #[inline(always)]
    pub(super) fn height(&self, q: &[f64; 3]) -> f64 {
        self.along[0] * q[0] + self.along[1] * q[1] + self.along[2] * q[2]
    }
}

fn axis_of(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

impl PartSolid {
    /// The part of a body.
    ///
    /// # Errors  a shape that the checker does not know.
    pub(super) fn new(part: &Part) -> Result<Self, String> {
        let place = PlaceBounds::of(&part.pose);
        let (form, surface, scale) = match &part.geometry {
            Geometry::Mesh { mesh, scale } => {
                let (triangles, _) = triangulated(&mesh.faces);
                let surface = TriMesh::new(&mesh.vertices, &triangles).ok();
                (
                    SolidForm::Points(mesh.vertices.clone(), 0.0),
                    surface,
                    *scale,
                )
            }
            Geometry::Shape(shape) => (form_of(shape)?, None, [1.0; 3]),
        };
        let is_round = match &form {
            SolidForm::Points(_, radius) => *radius > 0.0,
            SolidForm::Smooth(_) => true,
        };
        if is_round && !is_turn(&part.pose) {
            return Err("a round shape whose pose is no rotation and translation".to_owned());
        }
        let half_sides = match &part.geometry {
            Geometry::Shape(ShapeSpec::Box { half_extents }) if is_turn(&part.pose) => {
                <[f64; 3]>::try_from(&half_extents[..]).ok()
            }
            _ => None,
        };
        Ok(Self {
            place,
            form,
            surface,
            scale,
            half_sides,
        })
    }

    pub(super) fn surface(&self) -> Option<&TriMesh> {
        self.surface.as_ref()
    }

    /// Where a vertex of the mesh is in the link's frame, about.
    pub(super) fn in_link(&self, vertex: &[f64; 3]) -> [f64; 3] {
        rounded(&self.place.point(&self.scaled(vertex))).0
    }

    /// A point of each shell of its surface, or one of the shape, in the link's frame.
    pub(super) fn points_of_shells(&self) -> Vec<[f64; 3]> {
        let Some(surface) = &self.surface else {
            let point = match &self.form {
                SolidForm::Points(points, _) => points.first().copied().unwrap_or_default(),
                SolidForm::Smooth(_) => [0.0; 3],
            };
            return vec![self.in_link(&point)];
        };
        let mut seen = vec![false; surface.shells().len()];
        let mut points = Vec::new();
        for (triangle, corners) in surface.triangles().iter().enumerate() {
            let shell = surface.shell_of(triangle as u32) as usize;
            if !std::mem::replace(&mut seen[shell], true) {
                points.push(self.in_link(&surface.vertices()[corners[0] as usize]));
            }
        }
        points
    }

    pub(super) fn scaled(&self, vertex: &[f64; 3]) -> Vec3Bounds {
        [0, 1, 2].map(|k: usize| Enclosed::exact(vertex[k]).mul(Enclosed::exact(self.scale[k])))
    }

    /// The piece behind steps that stand still, the outermost first; of a surface these triangles, or all of the part.
    pub(super) fn rooted(
        &self,
        triangles: Option<&[u32]>,
        still: &[WalkStep],
        axis: &Vec3Bounds,
    ) -> RootedSolid {
        let mut places: Vec<PlaceBounds> = still
            .iter()
            .filter_map(|step| match step {
                WalkStep::Still(place) => Some(*place),
                _ => None,
            })
            .collect();
        places.push(self.place);
        let place = |x: &Vec3Bounds| places.iter().rev().fold(*x, |x, place| place.point(&x));
        match (&self.form, triangles, &self.surface) {
            (SolidForm::Points(..), Some(triangles), Some(surface)) => {
                let mut ids: Vec<u32> = triangles
                    .iter()
                    .filter_map(|&triangle| surface.triangles().get(triangle as usize))
                    .flatten()
                    .copied()
                    .collect();
                ids.sort_unstable();
                ids.dedup();
                let points = ids.iter().map(|&id| surface.vertices()[id as usize]);
                let placed = points.map(|point| place(&self.scaled(&point)));
                RootedSolid::Cloud(PointCloud::new(placed.collect(), 0.0, axis))
            }
            (SolidForm::Points(points, radius), ..) => {
                let placed = points.iter().map(|point| place(&self.scaled(point)));
                RootedSolid::Cloud(PointCloud::new(placed.collect(), *radius, axis))
            }
            (SolidForm::Smooth(form), ..) => RootedSolid::Smooth(RootedSmooth {
                form: *form,
                center: place(&[ZERO; 3]),
                reach: form.reach(),
                places,
            }),
        }
    }
}

/// Whether the pose is a turn and a shift, but for rounding. A ball that it scales were none.
fn is_turn(pose: &Affine) -> bool {
    let columns = [0, 1, 2].map(|k: usize| pose.linear.map(|row| row[k]));
    let dot = |a: usize, b: usize| -> f64 { (0..3).map(|k| columns[a][k] * columns[b][k]).sum() };
    let off = |a: usize, b: usize| (dot(a, b) - f64::from(u8::from(a == b))).abs();
    (0..3).all(|a| (a..3).all(|b| off(a, b) <= TURN_OFF_MAX))
}

fn form_of(shape: &ShapeSpec) -> Result<SolidForm, String> {
    let three = |x: &[f64]| -> Result<[f64; 3], String> {
        <[f64; 3]>::try_from(x).map_err(|_| "a shape that is not in space".to_owned())
    };
    Ok(match shape {
        ShapeSpec::Ball { radius } => SolidForm::Points(vec![[0.0; 3]], *radius),
        ShapeSpec::Box { half_extents } => {
            let half = three(half_extents)?;
            let corner = |k: usize| {
                [0, 1, 2].map(|i: usize| if k >> i & 1 == 0 { -half[i] } else { half[i] })
            };
            SolidForm::Points((0..8).map(corner).collect(), 0.0)
        }
        ShapeSpec::Capsule {
            half_height,
            radius,
            axis,
        } => {
            let end = |x: f64| {
                let mut end = [0.0; 3];
                end[axis_of(*axis)] = x;
                end
            };
            SolidForm::Points(vec![end(-half_height), end(*half_height)], *radius)
        }
        ShapeSpec::Cylinder {
            half_height,
            radius,
            axis,
        } => SolidForm::Smooth(SmoothForm::Cylinder {
            half: *half_height,
            radius: *radius,
            axis: axis_of(*axis),
        }),
        ShapeSpec::Cone {
            half_height,
            radius,
            axis,
        } => SolidForm::Smooth(SmoothForm::Cone {
            half: *half_height,
            radius: *radius,
            axis: axis_of(*axis),
        }),
        ShapeSpec::Ellipsoid { radii } => SolidForm::Smooth(SmoothForm::Ellipsoid(three(radii)?)),
        ShapeSpec::Convex { points } => {
            let points: Result<Vec<_>, _> = points.iter().map(|point| three(point)).collect();
            SolidForm::Points(points?, 0.0)
        }
        _ => return Err("a shape that the checker does not know".to_owned()),
    })
}

impl SmoothForm {
    /// No point is farther from the middle.
    fn reach(&self) -> f64 {
        match self {
            Self::Cylinder { half, radius, .. } | Self::Cone { half, radius, .. } => {
                norm(&exactly([*half, *radius, 0.0])).hi
            }
            Self::Ellipsoid(radii) => radii.iter().copied().fold(0.0, f64::max),
        }
    }

    /// The height of the highest point along a direction.
    fn height(&self, d: &Vec3Bounds) -> Enclosed {
        let across = |axis: usize| {
            let mut across = *d;
            across[axis] = ZERO;
            norm(&across)
        };
        match *self {
            Self::Cylinder { half, radius, axis } => {
                let most = Enclosed::exact(d[axis].magnitude());
                let ends = most.mul(Enclosed::exact(half));
                ends.add(across(axis).mul(Enclosed::exact(radius)))
            }
            Self::Cone { half, radius, axis } => {
                let apex = d[axis].mul(Enclosed::exact(half));
                let base = apex.neg().add(across(axis).mul(Enclosed::exact(radius)));
                Enclosed {
                    lo: apex.lo.max(base.lo),
                    hi: apex.hi.max(base.hi),
                }
            }
            Self::Ellipsoid(radii) => {
                norm(&[0, 1, 2].map(|k: usize| d[k].mul(Enclosed::exact(radii[k]))))
            }
        }
    }
}

impl RootedSmooth {
    /// No point is higher along a direction of the joint's frame.
    pub(super) fn highest(&self, d: &Vec3Bounds) -> f64 {
        let (mut along, mut height) = (*d, ZERO);
        for place in &self.places {
            height = height.add(place.height(&along));
            along = place.direction(&along);
        }
        height.add(self.form.height(&along)).hi
    }
}

impl PointCloud {
    /// Points at these bounds, which turn about an axis.
    fn new(placed: Vec<Vec3Bounds>, radius: f64, axis: &Vec3Bounds) -> Self {
        let mut cloud = Self {
            points: Vec::with_capacity(placed.len()),
            rho: placed.iter().map(|q| norm(&cross(axis, q)).hi).collect(),
            off: 0.0,
            far: 0.0,
            radius,
            center: [ZERO; 3],
            reach: 0.0,
        };
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for q in &placed {
            let (point, off) = rounded(q);
            cloud.points.push(point);
            cloud.off = cloud.off.max(off);
            cloud.far = cloud.far.max(norm(q).hi).max(norm(&exactly(point)).hi);
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(point[k]), high[k].max(point[k]));
            }
        }
        cloud.center = exactly([0, 1, 2].map(|k: usize| 0.5 * low[k] + 0.5 * high[k]));
        let reach = placed
            .iter()
            .map(|q| norm(&difference(q, &cloud.center)).hi);
        cloud.reach = reach.fold(0.0, f64::max);
        cloud
    }

    /// A direction in floats, with the error of a height along it of any of the points.
    pub(super) fn direction(&self, d: &Vec3Bounds) -> FloatDirection {
        let (along, radius) = rounded(d);
        let length = Enclosed::exact(norm(&exactly(along)).hi);
        let far = Enclosed::exact(self.far);
        let rounding = FLOAT_HEIGHT_ROUNDINGS * 0.5 * f64::EPSILON;
        let error = Enclosed::exact(radius)
            .mul(far)
            .add(length.mul(Enclosed::exact(self.off)))
            .add(length.mul(far).mul(Enclosed::exact(rounding)));
        FloatDirection {
            along,
            error: error.hi + f64::MIN_POSITIVE,
        }
    }

    /// No point is higher along a direction.
    pub(super) fn highest(&self, d: &Vec3Bounds) -> f64 {
        let d = self.direction(d);
        let heights = self.points.iter().map(|q| d.height(q));
        (heights.fold(f64::NEG_INFINITY, f64::max) + d.error).next_up()
    }

    /// No point is higher along a direction while the points turn about the axis, from one angle to another.
    ///
    /// A point's height is `z + u·cos θ + w·sin θ`. Its derivatives at the ends say whether the top of that wave is between them; where
    /// they do not say it for sure, it counts as being there.
    pub(super) fn highest_on_arcs(&self, d: &Vec3Bounds, axis: &Vec3Bounds, arc: &ArcEnds) -> f64 {
        let along = times(axis, super::enclosed::dot(axis, d));
        let level = difference(d, &along);
        let side = cross(d, axis);
        let amplitude = norm(&level).hi;
        let mixed =
            |p: Enclosed, q: Enclosed| super::enclosed::sum(&times(&level, p), &times(&side, q));
        let end = |[cos, sin]: [Enclosed; 2]| {
            let reached = super::enclosed::sum(&along, &mixed(cos, sin));
            let slope = mixed(sin.neg(), cos);
            (self.direction(&reached), self.direction(&slope))
        };
        let ((low, low_slope), (high, high_slope)) = (end(arc.ends[0]), end(arc.ends[1]));
        let base = self.direction(&along);
        let mut best = f64::NEG_INFINITY;
        for (q, &rho) in self.points.iter().zip(&self.rho) {
            let falls = low_slope.height(q) < -low_slope.error;
            let rises = high_slope.height(q) > high_slope.error;
            let is_outside = if arc.is_narrow {
                falls || rises
            } else {
                falls && rises && !arc.is_full
            };
            let height = if is_outside {
                (low.height(q) + low.error).max(high.height(q) + high.error)
            } else {
                (base.height(q) + base.error) + (amplitude * rho).next_up()
            };
            best = best.max(height.next_up());
        }
        best.next_up()
    }
}

/// The ends of a range of angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArcEnds {
    /// Cosine and sine of each.
    pub(super) ends: [[Enclosed; 2]; 2],
    /// Half a turn at most.
    pub(super) is_narrow: bool,
    /// A whole turn or more, perhaps.
    pub(super) is_full: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_in_floats_are_within_their_bound() {
        let points: Vec<[f64; 3]> = (0..300)
            .map(|k| {
                let x = f64::from(k);
                [x.sin() * 0.7, (1.3 * x).cos() * 1.1, (0.7 * x).sin() / 3.0]
            })
            .collect();
        let placed: Vec<_> = points.iter().map(|p| exactly(*p)).collect();
        let axis = exactly([0.0, 0.0, 1.0]);
        let cloud = PointCloud::new(placed.clone(), 0.0, &axis);
        for k in 0..100 {
            let x = f64::from(k);
            let d = exactly([(0.3 * x).sin(), (0.9 * x).cos(), 0.1]);
            let float = cloud.direction(&d);
            for (q, placed) in cloud.points.iter().zip(&placed) {
                let (height, exact) = (float.height(q), super::super::enclosed::dot(&d, placed));
                assert!(height - float.error <= exact.hi && exact.lo <= height + float.error);
            }
        }
    }

    /// Against many angles; and the bound is reached.
    #[test]
    fn arcs_hold_all_their_points() {
        let point = [0.3, 0.4, 0.2];
        let axis = exactly([0.0, 0.0, 1.0]);
        let cloud = PointCloud::new(vec![exactly(point)], 0.0, &axis);
        for k in 0..400 {
            let x = f64::from(k);
            let (from, width) = (x * 0.37 - 40.0, (x * 0.61).rem_euclid(7.0));
            let d = [(2.1 * x).sin(), (1.7 * x).cos(), (0.3 * x).sin()];
            let ends = [from, from + width].map(|at| {
                let at = Enclosed::exact(at);
                [at.cos(), at.sin()]
            });
            let arc = ArcEnds {
                ends,
                is_narrow: width <= std::f64::consts::PI,
                is_full: width >= std::f64::consts::TAU - 1e-4,
            };
            let bound = cloud.highest_on_arcs(&exactly(d), &axis, &arc);
            let mut top = f64::NEG_INFINITY;
            for step in 0..=4000 {
                let angle = from + width * f64::from(step) / 4000.0;
                let (sin, cos) = angle.sin_cos();
                let turned = [
                    cos * point[0] - sin * point[1],
                    sin * point[0] + cos * point[1],
                    point[2],
                ];
                top = top.max((0..3).map(|i| d[i] * turned[i]).sum());
            }
            assert!(top <= bound + 1e-15, "{k}: {top} {bound}");
            assert!(bound <= top + 1e-6, "{k}: {top} {bound}");
        }
    }
}
