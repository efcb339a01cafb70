//! Boundaries to draw: of a body, and of the Minkowski difference of two.
//!
//! Polytopes of few vertices are drawn whole, everything else by its farthest points along many directions. A picture, and
//! nothing more: no answer is computed from it.

use crate::draw::Figure;
use gjk::hull::{self, SpatialHull};
use gjk::math::Ring;
use gjk::shape::Shape;
use gjk::{NO_ID, Pose, Scalar, Support, Vector};
use gjk_query::answer::components;
use gjk_query::convert::{Body, Space};
use gjk_query::pair::Pair;

/// Directions in which a boundary is sampled, in the plane and in space.
const SAMPLES: [usize; 2] = [256, 800];
/// Polytopes up to this many vertices are drawn whole, and differences of up to this many pairs.
pub(crate) const WHOLE: usize = 4096;

/// A convex boundary.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outline {
    /// In the plane the corners counter-clockwise; in space the corners.
    pub points: Vec<Vec<f64>>,
    /// In space, the faces; none of flat bodies.
    pub faces: Vec<Vec<u32>>,
}

impl From<Outline> for Figure {
    fn from(Outline { points, faces }: Outline) -> Self {
        let planar = points.first().is_none_or(|p| p.len() == 2);
        match points.len() {
            0 | 1 => Self::Dots { points },
            2 => Self::Line { points },
            _ if planar => Self::Polygon { points },
            _ => Self::Mesh { points, faces },
        }
    }
}

/// Whose boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The whole body.
    Body,
    /// The core alone, without its radius.
    Core,
}

/// A body's boundary in the world.
pub fn outline<V: Space>(body: &Body<V>) -> Outline {
    outline_of(&body.shape, &body.pose)
}

/// The boundary of a shape at a pose.
pub(crate) fn outline_of<V: Space>(shape: &Shape<V>, pose: &Pose<V>) -> Outline {
    let points = vertices(shape, pose, Of::Body);
    hull_of::<V>(&points.unwrap_or_else(|| {
        directions::<V>()
            .map(|d| farthest(shape, pose, d, Of::Body))
            .collect()
    }))
}

/// The boundary of `A − B`, of the bodies or of their cores.
pub fn difference<V: Space>(pair: &Pair<V>, of: Of) -> Outline {
    let whole = [&pair.a, &pair.b].map(|body| vertices(&body.shape, &body.pose, of));
    if let [Some(a), Some(b)] = &whole
        && a.len().saturating_mul(b.len()) <= WHOLE
    {
        let all: Vec<V> = a
            .iter()
            .flat_map(|&p| b.iter().map(move |&q| p - q))
            .collect();
        return hull_of::<V>(&all);
    }
    let far = |body: &Body<V>, d: V| farthest(&body.shape, &body.pose, d, of);
    let all: Vec<V> = directions::<V>()
        .map(|d| far(&pair.a, d) - far(&pair.b, -d))
        .collect();
    hull_of::<V>(&all)
}

/// All differences of two polytopes' vertices, where they are few enough to look at.
#[cfg(feature = "pairs")]
pub(crate) fn cloud<V: Space>(Pair { a, b }: &Pair<V>) -> Option<Vec<Vec<f64>>> {
    /// Differences of this many pairs are drawn as points.
    const CLOUD: usize = 1024;
    let [a, b] = [a, b].map(|body| vertices(&body.shape, &body.pose, Of::Body));
    let (a, b) = a
        .zip(b)
        .filter(|(a, b)| a.len().saturating_mul(b.len()) <= CLOUD)?;
    Some(
        a.iter()
            .flat_map(|&p| b.iter().map(move |&q| components(p - q)))
            .collect(),
    )
}

/// The vertices of a polytope, or of a core that is one.
fn vertices<V: Space>(shape: &Shape<V>, pose: &Pose<V>, of: Of) -> Option<Vec<V>> {
    let core = shape.core();
    let sharp = of == Of::Core || core.radius == 0.0;
    let count = core
        .vertex_count
        .filter(|&n| sharp && n as usize <= WHOLE)?;
    Some(
        (0..count)
            .filter_map(|id| shape.vertex(id))
            .map(|x| pose.point(x.lift()))
            .collect(),
    )
}

/// The farthest point of a body along a direction of the world.
#[cfg(feature = "bodies")]
pub(crate) fn farthest_of<V: Space>(body: &Body<V>, direction: V) -> V {
    farthest(&body.shape, &body.pose, direction, Of::Body)
}

/// The farthest point along a direction of the world.
fn farthest<V: Space>(shape: &Shape<V>, pose: &Pose<V>, direction: V, of: Of) -> V {
    let local = pose.direction_to_local(direction);
    let radius = if of == Of::Body {
        V::Scalar::from_f64(shape.core().radius)
    } else {
        V::Scalar::ZERO
    };
    let swept = local.normalized().unwrap_or(V::ZERO) * radius;
    let point: V = shape.support(local.lift(), NO_ID).point.lift();
    pose.point(point + swept)
}

/// Directions all around: evenly in the plane, on a spiral in space.
fn directions<V: Space>() -> impl Iterator<Item = V> {
    let count = SAMPLES[V::DIM - 2];
    (0..count).map(move |k| {
        let part = (k as f64 + 0.5) / count as f64;
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let turn = if V::DIM == 2 {
            part * std::f64::consts::TAU
        } else {
            k as f64 * golden
        };
        let height = if V::DIM == 2 { 0.0 } else { 1.0 - 2.0 * part };
        let ring = (1.0 - height * height).sqrt();
        let (sine, cosine) = libm::sincos(turn);
        V::from_f64([ring * cosine, ring * sine, height])
    })
}

/// The extreme points with their faces; the points themselves when they are not finite.
pub(crate) fn hull_of<V: Space>(points: &[V]) -> Outline {
    let wide: Vec<[f64; 3]> = points.iter().map(|p| p.to_f64()).collect();
    let plain = |ids: &mut dyn Iterator<Item = u32>| {
        ids.map(|id| components(points[id as usize])).collect()
    };
    if V::DIM == 2 {
        let flat: Vec<[f64; 2]> = wide.iter().map(|p| [p[0], p[1]]).collect();
        let ring = match hull::convex_hull_2(&flat) {
            Ok(hull::PlanarHull::Point(a)) => vec![a],
            Ok(hull::PlanarHull::Segment(a, b)) => vec![a, b],
            Ok(hull::PlanarHull::Polygon(ring)) => ring,
            Err(_) => (0..points.len() as u32).collect(),
        };
        return Outline {
            points: plain(&mut ring.into_iter()),
            faces: Vec::new(),
        };
    }
    match hull::convex_hull_3(&wide) {
        Ok(SpatialHull::Polyhedron(mesh)) => {
            let position = |id: &u32| mesh.vertices.binary_search(id).unwrap_or(0) as u32;
            let faces = mesh
                .faces
                .iter()
                .map(|face| face.iter().map(position).collect())
                .collect();
            Outline {
                points: plain(&mut mesh.vertices.iter().copied()),
                faces,
            }
        }
        Ok(SpatialHull::Polygon { ring }) => {
            // Seen from both sides.
            let front: Vec<u32> = (0..ring.len() as u32).collect();
            let back = front.iter().rev().copied().collect();
            Outline {
                points: plain(&mut ring.into_iter()),
                faces: vec![front, back],
            }
        }
        Ok(SpatialHull::Segment(a, b)) => Outline {
            points: plain(&mut [a, b].into_iter()),
            faces: Vec::new(),
        },
        Ok(SpatialHull::Point(a)) => Outline {
            points: plain(&mut [a].into_iter()),
            faces: Vec::new(),
        },
        Err(_) => Outline {
            points: points.iter().map(|&p| components(p)).collect(),
            faces: Vec::new(),
        },
    }
}
