//! A hull whose vertices move each in a straight line.

use super::error::{ShapeError, finite};
use crate::math::Vector;
use crate::support::{Core, Support, SupportPoint};
use crate::vertices::{extent, highest_of};
use alloc::format;
use alloc::vec::Vec;

/// The hull of vertices of which each moves in a straight line, from where it is at the time 0 to where it is at the time 1, and on.
///
/// Frame: the body's own; its pose and its motion take all of it along. [`crate::query::toi`] asks where the vertices go. Every other query takes the body
/// as it is at the time 0, as do sums and hulls that it is a part of. Ids are those of the list; a vertex inside of the hull of the others counts too, because it may leave it.
/// # Examples
/// ```
/// use gjk::{Pose, Vec2, query::{self, Meeting, Twist}, shape::{MovingVertices, Point}};
/// // A segment tips over a point.
/// let (from, to) = ([Vec2::new(0.0, 1.0), Vec2::new(2.0, 1.0)], [Vec2::new(0.0, 1.0), Vec2::new(2.0, -3.0)]);
/// let (bar, pin) = (MovingVertices::new(&from, &to).unwrap(), Point::new(Vec2::new(1.0, 0.0)).unwrap());
/// let (here, rest) = (Pose::identity(), Twist::rest());
/// let answer = query::toi(&pin, &here, &rest, &bar, &here, &rest, &Default::default());
/// assert_eq!(answer.verdict, Meeting::Hits);
/// // As narrow as the resolution, 1e-12, but for roundings.
/// assert!(answer.time.unwrap().contains(0.5) && answer.time.unwrap().width() < 2e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MovingVertices<V> {
    from: Vec<V>,
    to: Vec<V>,
}

impl<V: Vector> MovingVertices<V> {
    /// The hull of the vertices `from`, of which each goes to the one of the same number in `to`.
    ///
    /// # Errors  no vertex, lists of different lengths, more vertices than ids, a component that is not finite.
    pub fn new(from: &[V], to: &[V]) -> Result<Self, ShapeError> {
        if from.is_empty() {
            return Err(ShapeError::Empty {
                field: "from".into(),
            });
        }
        if from.len() != to.len() {
            return Err(ShapeError::OutOfRange {
                field: "to".into(),
                value: to.len() as f64,
                expected: "as long as `from`",
            });
        }
        if from.len() > (u32::MAX / 2) as usize {
            return Err(ShapeError::TooLarge {
                field: "from".into(),
            });
        }
        for (name, list) in [("from", from), ("to", to)] {
            if let Some(index) = list.iter().position(|x| !x.is_finite()) {
                finite(&format!("{name}[{index}]"), list[index])?;
            }
        }
        Ok(Self {
            from: from.to_vec(),
            to: to.to_vec(),
        })
    }

    /// The vertices at the time 0.
    pub fn from(&self) -> &[V] {
        &self.from
    }

    /// The vertices at a time, rounded.
    pub fn at(&self, time: f64) -> Vec<V> {
        let place = |(from, to): (&V, &V)| {
            let from: V::Wide = from.lift();
            (from + (to.lift::<V::Wide>() - from) * time).lift()
        };
        self.from.iter().zip(&self.to).map(place).collect()
    }

    /// The vertices at the time 1.
    pub fn to(&self) -> &[V] {
        &self.to
    }
}

impl<V: Vector> Support<V> for MovingVertices<V> {
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        let (id, point) = highest_of(&self.from, direction);
        SupportPoint { point, id }
    }
    fn core(&self) -> Core<'_, V> {
        Core {
            vertex_count: Some(self.from.len() as u32),
            ..Core::new(self.from[0].lift(), extent(&self.from).lift())
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.from.get(id as usize).map(|x| x.lift())
    }
    fn end_vertex(&self, id: u32) -> Option<V::Wide> {
        self.to.get(id as usize).map(|x| x.lift())
    }
}
