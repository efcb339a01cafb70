//! What one orientation sign costs at each stage: `cargo test -p gjk-exact --release --test number -- --ignored --nocapture`.

use super::shapes::{Points, Random, Shape, points};
use core::cmp::Ordering;
use gjk_exact::number::{Double, Dyadic, Expansion, Filter, Number};
use std::{hint::black_box, time::Instant};

/// The unchecked float, for comparison.
#[derive(Clone)]
struct Float(f64);

impl Number for Float {
    fn difference(a: f64, b: f64) -> Self {
        Self(a - b)
    }
    fn plus(&self, other: &Self) -> Self {
        Self(self.0 + other.0)
    }
    fn minus(&self, other: &Self) -> Self {
        Self(self.0 - other.0)
    }
    fn times(&self, other: &Self) -> Self {
        Self(self.0 * other.0)
    }
    fn negated(&self) -> Self {
        Self(-self.0)
    }
    fn sign(&self) -> Option<Ordering> {
        self.0.partial_cmp(&0.0)
    }
}

#[test]
#[ignore = "timing"]
fn time_of_one_orientation_sign() {
    fn time<N: Number>(name: &str, shape: &Shape, sets: &[Points], rounds: usize) {
        // The fastest of the rounds: the machine may be shared.
        let mut fastest = f64::INFINITY;
        let mut known = 0;
        for _ in 0..rounds {
            let start = Instant::now();
            known = sets
                .iter()
                .filter(|p| shape.value::<N>(black_box(p)).sign().is_some())
                .count();
            fastest = fastest.min(start.elapsed().as_nanos() as f64);
        }
        println!(
            "  {name:9} {:8.1} ns, decided {known}",
            fastest / sets.len() as f64
        );
    }
    let mut r = Random(10);
    for family in ["doubles", "singles", "flat singles", "nearly flat"] {
        let sets: Vec<Points> = (0..1000).map(|_| points(family, &mut r)).collect();
        for shape in [Shape::Det, Shape::Normal] {
            println!("{family} {shape:?}");
            time::<Float>("float", &shape, &sets, 500);
            time::<Filter>("filter", &shape, &sets, 500);
            time::<Double>("double", &shape, &sets, 50);
            time::<Expansion>("expansion", &shape, &sets, 50);
            time::<Dyadic>("dyadic", &shape, &sets, 50);
        }
    }
}
