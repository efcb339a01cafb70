//! The distance of two polygons, with the points that realise it: the tutorials' follow-up example.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use gjk::{Pose, Vec2, query, shape::Polytope};

fn main() {
    let triangle = Polytope::new(&[[4.0, 11.0], [4.0, 5.0], [9.0, 9.0]].map(Vec2::from)).unwrap();
    let quad = Polytope::new(&[[8.0, 6.0], [15.0, 6.0], [13.0, 1.0], [10.0, 2.0]].map(Vec2::from))
        .unwrap();
    let here = Pose::identity();
    let answer = query::distance(&triangle, &here, &quad, &here, &Default::default());
    println!("{:?}, proved: {}", answer.verdict, answer.exact);
    println!(
        "between {} and {}",
        answer.distance.lower, answer.distance.upper
    );
    println!("from {:?} to {:?}", answer.point_a, answer.point_b);
}
