//! One body cast at many: the first hits by a broad phase, and all hits in order, against all answers.

use gjk::query::{self, CastAnswer, Meeting, MotionOptions};
use gjk::shape::{Ball, Cuboid, Shape};
use gjk::{Pose, Vec3};

type V = Vec3<f64>;

fn next(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

struct Field {
    bodies: Vec<(Shape<V>, Pose<V>)>,
    mover: Shape<V>,
    velocity: V,
}

impl Field {
    /// Boxes and balls along the way, some of them twice at one distance.
    fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut bodies = Vec::new();
        for k in 0..24 {
            let x = 3.0 + (next(&mut state) * 8.0).floor() * 2.0;
            let y = (next(&mut state) * 8.0).floor() * 0.5 - 2.0;
            let half = V::new(0.5, 0.5, 0.5);
            let shape: Shape<V> = if k % 4 == 3 {
                Ball::new(0.5).unwrap().into()
            } else {
                Cuboid::new(half).unwrap().into()
            };
            bodies.push((shape, Pose::from_translation(V::new(x, y, 0.0))));
        }
        Self {
            bodies,
            mover: Cuboid::new(V::new(0.5, 0.5, 0.5)).unwrap().into(),
            velocity: V::new(2.0, 0.0, 0.0),
        }
    }

    fn ask(&self, k: usize, options: &MotionOptions<f64>) -> CastAnswer<V> {
        let (shape, pose) = &self.bodies[k];
        let (here, rest) = (Pose::identity(), V::new(0.0, 0.0, 0.0));
        query::cast(
            shape,
            pose,
            rest,
            &self.mover,
            &here,
            self.velocity,
            options,
        )
    }
}

#[test]
fn the_first_hits_are_those_of_all_answers() {
    let (mut shared, mut left_out) = (0, 0);
    for seed in 1..200 {
        let field = Field::new(seed);
        let all: Vec<CastAnswer<V>> = (0..24)
            .map(|k| field.ask(k, &MotionOptions::default()))
            .collect();
        let hits = |answer: &&CastAnswer<V>| answer.verdict != Meeting::Free;
        let earliest = all.iter().filter(hits).map(|x| x.time.unwrap().upper);
        let earliest = earliest.fold(f64::INFINITY, f64::min);
        let mut right: Vec<usize> = (0..24)
            .filter(|&k| all[k].verdict != Meeting::Free && all[k].time.unwrap().lower <= earliest)
            .collect();
        let mut asked = 0;
        let mut rest = 0..24;
        let found = query::first_hits(|until: Option<f64>| {
            // A body's own front, less the mover's, over the speed.
            let enters = |k: usize| (field.bodies[k].1.translation().x - 1.0) / 2.0;
            let k = rest.find(|&k| until.is_none_or(|until| enters(k) <= until + 1e-9))?;
            asked += 1;
            let options = match until {
                Some(until) => MotionOptions::default().with_max_time(until).unwrap(),
                None => MotionOptions::default(),
            };
            Some((k, field.ask(k, &options)))
        });
        let mut keys: Vec<usize> = found.iter().map(|hit| hit.key).collect();
        keys.sort_unstable();
        right.sort_unstable();
        assert_eq!(keys, right, "{seed}");
        shared += usize::from(keys.len() > 1);
        left_out += 24 - asked;
    }
    assert!(shared > 20 && left_out > 1000, "{shared} {left_out}");
}

#[test]
fn all_hits_are_in_the_order_of_time() {
    let field = Field::new(7);
    let answers = (0..24).map(|k| (k, field.ask(k, &MotionOptions::default())));
    let hits = query::all_hits(answers.clone());
    let count = answers.filter(|(_, x)| x.verdict != Meeting::Free).count();
    assert!(count > 5 && hits.len() == count);
    for pair in hits.windows(2) {
        let [x, y] = [0, 1].map(|k| pair[k].answer.time.unwrap());
        assert!(x.lower <= y.lower);
        assert!(
            x.lower < y.lower
                || x.upper < y.upper
                || pair[0].key < pair[1].key
                || x.upper == y.upper
        );
    }
}

#[test]
fn starts_in_contact_are_first_and_no_answers_are_no_hits() {
    assert!(query::first_hits(|_: Option<f64>| None::<(u32, CastAnswer<V>)>).is_empty());
    let cube = Cuboid::new(V::new(1.0, 1.0, 1.0)).unwrap();
    let mut places = [4.0, 2.0, -9.0, 1.5].into_iter();
    let (here, rest) = (Pose::identity(), V::new(0.0, 0.0, 0.0));
    let found = query::first_hits(|_: Option<f64>| {
        let x = places.next()?;
        let there = Pose::from_translation(V::new(x, 0.0, 0.0));
        let options = MotionOptions::default();
        let way = V::new(1.0, 0.0, 0.0);
        Some((
            x,
            query::cast(&cube, &there, rest, &cube, &here, way, &options),
        ))
    });
    let keys: Vec<f64> = found.iter().map(|hit| hit.key).collect();
    assert_eq!(keys, [2.0, 1.5], "one touches, one overlaps");
}
