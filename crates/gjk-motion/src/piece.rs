//! What of a link takes part in a proof: convex pieces, and the groups of triangles that a surface is divided into.
//!
//! Where it sits: made once a robot; `sweep.rs` sweeps a piece along joints, `prove.rs` divides it where hulls are too large.
//! Idea: a convex part is one piece. A surface that is not convex is first its hull; where that is not enough its triangles are
//! halved, and each half is the hull of its corners, down to single triangles. Halves are made when they are first asked for.

use crate::map::V3;
use crate::scan::CornerRows;
use gjk::math::Vector;
use gjk::shape::{Polytope, Shape};
use gjk::{Pose3, Posed, Support};
use gjk_check::parts::{Body, Part};
use gjk_mesh::MeshBody;
use gjk_query::convert;
use std::sync::{Arc, OnceLock};

/// Groups of at most this many corners are not worth a hull.
const HULL_CORNERS_MIN: usize = 24;

/// A convex piece of a link, in the link's frame.
#[derive(Debug)]
pub(crate) struct LinkPiece {
    pub(crate) form: PieceForm,
    /// What is swept over the form.
    pub(crate) radius: f64,
    /// A point about which the form is within [`LinkPiece::reach`].
    pub(crate) center: V3,
    pub(crate) reach: f64,
    /// The part of the body that it is of.
    pub(crate) part: usize,
    triangles: Option<TriangleGroup>,
    halves: OnceLock<Option<Box<[LinkPiece; 2]>>>,
}

/// What a piece is.
#[derive(Debug)]
pub(crate) enum PieceForm {
    /// The hull of these points.
    Points(CornerRows),
    /// A shape with a smooth surface, at a pose in the link's frame.
    Smooth(Arc<Shape<V3>>, Pose3<f64>),
}

/// Some triangles of a surface.
#[derive(Debug, Clone)]
struct TriangleGroup {
    surface: Arc<MeshBody>,
    pose: Pose3<f64>,
    triangles: Vec<u32>,
}

/// The pieces of a link.
#[derive(Debug)]
pub(crate) struct LinkPieces {
    pub(crate) pieces: Vec<LinkPiece>,
}

impl LinkPieces {
    /// The pieces of a body of a robot's link, a piece a part.
    pub(crate) fn of_body(body: &Body) -> Self {
        let pieces = body.parts.iter().enumerate();
        Self {
            pieces: pieces
                .map(|(part, of)| LinkPiece::of_part(of, part))
                .collect(),
        }
    }
}

impl LinkPiece {
    fn of_part(part: &Part, index: usize) -> Self {
        let pose: Pose3<f64> = convert::affine(&part.in_anchor);
        let posed = Posed::new(&*part.shape, pose);
        let radius = posed.radius();
        let count = posed.vertex_count();
        let vertices = |count: u32| -> Vec<V3> {
            let vertices = (0..count).filter_map(|id| Support::<V3>::vertex(&posed, id));
            vertices.collect()
        };
        let (form, (center, reach)) = match count.map(vertices) {
            Some(points) => (
                PieceForm::Points(CornerRows::new(&points)),
                ball_of(&points),
            ),
            None => (
                PieceForm::Smooth(part.shape.clone(), pose),
                ball_of_support(&posed),
            ),
        };
        let surface = part.surface.as_ref().filter(|_| !part.is_convex());
        Self {
            form,
            radius,
            center,
            reach,
            part: index,
            triangles: surface.map(|surface| TriangleGroup {
                surface: surface.clone(),
                pose,
                triangles: (0..surface.mesh().triangles().len() as u32).collect(),
            }),
            halves: OnceLock::new(),
        }
    }

    /// The shape in the link's frame, where it is smooth.
    pub(crate) fn smooth(&self) -> Option<Posed<'_, V3, Shape<V3>>> {
        match &self.form {
            PieceForm::Smooth(shape, pose) => Some(Posed::new(&**shape, *pose)),
            PieceForm::Points(_) => None,
        }
    }

    /// True where the hull is larger than what it stands for.
    pub(crate) fn is_divisible(&self) -> bool {
        self.triangles
            .as_ref()
            .is_some_and(|group| group.triangles.len() > 1)
    }

    /// The triangles that it is the hull of; none where it has no surface.
    pub(crate) fn triangle_ids(&self) -> &[u32] {
        self.triangles
            .as_ref()
            .map_or(&[], |group| &group.triangles)
    }

    /// Two pieces that together hold all that this one stands for; `None` where the piece is that.
    pub(crate) fn halves(&self) -> Option<&[LinkPiece; 2]> {
        let halve = || {
            let group = self
                .triangles
                .as_ref()
                .filter(|group| group.triangles.len() > 1)?;
            let [one, other] = group.halves();
            Some(Box::new([
                Self::of_group(one, self.part),
                Self::of_group(other, self.part),
            ]))
        };
        self.halves.get_or_init(halve).as_deref()
    }

    fn of_group(group: TriangleGroup, part: usize) -> Self {
        let points = group.corners();
        let (center, reach) = ball_of(&points);
        Self {
            form: PieceForm::Points(CornerRows::new(&points)),
            radius: 0.0,
            center,
            reach,
            part,
            triangles: Some(group),
            halves: OnceLock::new(),
        }
    }
}

impl TriangleGroup {
    /// The corners in the link's frame; of many those of their hull.
    fn corners(&self) -> Vec<V3> {
        let mesh = self.surface.mesh();
        let mut ids: Vec<u32> = self
            .triangles
            .iter()
            .flat_map(|&triangle| mesh.triangles()[triangle as usize])
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let points: Vec<V3> = ids
            .into_iter()
            .map(|id| self.pose.point(V3::from_f64(mesh.vertices()[id as usize])))
            .collect();
        if points.len() < HULL_CORNERS_MIN {
            return points;
        }
        match Polytope::new(&points) {
            Ok(hull) => hull.vertices().to_vec(),
            Err(_) => points,
        }
    }

    /// The triangles in two halves, along the longest side of the box about their centres.
    fn halves(&self) -> [Self; 2] {
        let mesh = self.surface.mesh();
        let center = |triangle: u32| {
            let corners = mesh.triangles()[triangle as usize];
            corners.into_iter().fold(V3::ZERO, |sum, id| {
                sum + V3::from_f64(mesh.vertices()[id as usize])
            })
        };
        let extent = |k: usize| {
            let along = |&triangle: &u32| center(triangle).component(k);
            let low = self
                .triangles
                .iter()
                .map(along)
                .fold(f64::INFINITY, f64::min);
            let high = self
                .triangles
                .iter()
                .map(along)
                .fold(-f64::INFINITY, f64::max);
            high - low
        };
        let axis = (0..3)
            .max_by(|&a, &b| extent(a).total_cmp(&extent(b)))
            .unwrap_or(0);
        let mut sorted = self.triangles.clone();
        sorted.sort_by(|&a, &b| {
            let key = |triangle| center(triangle).component(axis);
            key(a).total_cmp(&key(b)).then(a.cmp(&b))
        });
        let upper = sorted.split_off(sorted.len() / 2);
        [sorted, upper].map(|triangles| Self {
            triangles,
            ..self.clone()
        })
    }
}

/// A ball around points: about the middle of their box.
fn ball_of(points: &[V3]) -> (V3, f64) {
    let side = |k: usize| {
        let along = points.iter().map(|p| p.component(k));
        let (low, high) = along.fold((f64::INFINITY, -f64::INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        0.5 * (low + high)
    };
    let center = V3::from_fn(side);
    let reach = points.iter().map(|&p| (p - center).norm());
    (center, reach.fold(0.0, f64::max))
}

/// A ball around a body of which only the farthest points are known: about the middle of its box, to a corner of it.
fn ball_of_support(body: &impl Support<V3>) -> (V3, f64) {
    let end = |k: usize, sign: f64| {
        body.support(V3::axis(k) * sign, gjk::NO_ID)
            .point
            .component(k)
    };
    let (low, high) = (V3::from_fn(|k| end(k, -1.0)), V3::from_fn(|k| end(k, 1.0)));
    ((low + high) * 0.5, (high - low).norm() * 0.5)
}
