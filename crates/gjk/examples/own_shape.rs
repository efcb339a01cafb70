//! A shape of your own needs one method: the point farthest along a direction.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use gjk::{NO_ID, Pose, Support, SupportPoint, Vec2, Vector, query, shape::Ball};

/// Two unit discs with centres at (0, ±0.5), intersected: two arcs that meet in two corners.
struct Lens;

impl Support<Vec2<f64>> for Lens {
    fn support(&self, direction: Vec2<f64>, _hint: u32) -> SupportPoint<Vec2<f64>> {
        let unit = direction.normalized().unwrap_or(Vec2::new(1.0, 0.0));
        let corner = 0.75f64.sqrt();
        let point = if unit.x.abs() >= corner {
            Vec2::new(corner * unit.x.signum(), 0.0)
        } else {
            Vec2::new(unit.x, unit.y - 0.5 * unit.y.signum())
        };
        SupportPoint { point, id: NO_ID }
    }
}

fn main() {
    let disc = Ball::new(0.25).unwrap();
    let above = Pose::from_translation(Vec2::new(0.0, 2.0));
    let answer = query::contact(&Lens, &Pose::identity(), &disc, &above, &Default::default());
    println!(
        "{:?} by {} to {}",
        answer.verdict, answer.signed_distance.lower, answer.signed_distance.upper
    );
}
