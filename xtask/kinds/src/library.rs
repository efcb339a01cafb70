//! Every call of the library, and the words of every answer.
//!
//! Where it sits: the only file of this crate that changes when the library's functions are renamed. What it hashes must not
//! change then: verdicts and stops by name, numbers by their bits, certificates by the numbers in them.

use crate::forms::Form;
use crate::pairs::{FRAMES, Map, Pair};
use crate::table::Table;
use gjk::math::Scalar;
use gjk::query::{
    self, Cache, Certificate, Combination, Contact, Direction, Distance, Intersection, Options,
    ProofOptions, Question, Verdict, Weights,
};
use gjk::shape::{
    Ball, Capsule, Cuboid, Ellipsoid, Point, Polytope, Rounded, Segment, Shape, ShapeError,
    Triangle,
};
use gjk::trace::Recorder;
use gjk::{Axis, Pose, Vector};
use gjk_batch::{Lanes, Pair as BatchPair, Poses, Shapes, World};
use gjk_query::convert::{self, Space};
use gjk_scene::QuerySpec;

/// Two shapes, and the poses of the second from frame to frame.
pub(crate) struct Track<V: Vector> {
    a: Shape<V>,
    pose_a: Pose<V>,
    b: Shape<V>,
    poses_b: [Pose<V>; FRAMES],
}

impl<V: Space> Track<V> {
    /// The bodies of a query, the second moved a little away from the world's origin from frame to frame.
    pub(crate) fn of_query(spec: &QuerySpec) -> Option<Self> {
        let a = convert::body::<V>("a", &spec.a).ok()?;
        let b = convert::body::<V>("b", &spec.b).ok()?;
        let poses_b = [0, 1, 2, 3].map(|frame: i32| {
            let step = V::Scalar::from_f64(f64::from(frame) / 64.0);
            Pose::from_translation(b.pose.translation() * step).compose(&b.pose)
        });
        Some(Self {
            a: a.shape,
            pose_a: a.pose,
            b: b.shape,
            poses_b,
        })
    }

    /// A seeded pair, rounded to the scalar.
    pub(crate) fn of_numbers(pair: &Pair) -> Self {
        Self {
            a: shape(&pair.a).expect("seeded numbers are finite and positive"),
            pose_a: pose(&pair.pose_a),
            b: shape(&pair.b).expect("seeded numbers are finite and positive"),
            poses_b: pair.poses_b.map(|map| pose(&map)),
        }
    }
}

fn pose<V: Vector>(map: &Map) -> Pose<V> {
    let mut columns = V::identity();
    for (column, numbers) in columns.as_mut().iter_mut().zip(&map.columns) {
        *column = V::from_f64(*numbers);
    }
    Pose::from_columns(columns, V::from_f64(map.translation))
}

fn shape<V: Space>(form: &Form) -> Result<Shape<V>, ShapeError> {
    let scalar = V::Scalar::from_f64;
    let vector = |numbers: &[f64; 3]| V::from_f64(*numbers);
    let round = "cylinders and cones are of space";
    Ok(match form {
        Form::Point(at) => Point::new(vector(at))?.into(),
        Form::Segment([a, b]) => Segment::new(vector(a), vector(b))?.into(),
        Form::Triangle([a, b, c]) => Triangle::new(vector(a), vector(b), vector(c))?.into(),
        Form::Ball(radius) => Ball::new(scalar(*radius))?.into(),
        Form::Cuboid(half) => Cuboid::new(vector(half))?.into(),
        Form::Capsule {
            half_height,
            radius,
        } => Capsule::new(scalar(*half_height), scalar(*radius), Axis::X)?.into(),
        Form::Cylinder {
            half_height,
            radius,
        } => V::cylinder(scalar(*half_height), scalar(*radius), Axis::Z).expect(round),
        Form::Cone {
            half_height,
            radius,
        } => V::cone(scalar(*half_height), scalar(*radius), Axis::Z).expect(round),
        Form::Ellipsoid(half) => Ellipsoid::new(vector(half))?.into(),
        Form::Hull(points) => {
            let points: Vec<V> = points.iter().map(vector).collect();
            Polytope::new(&points)?.into()
        }
        Form::RoundedBox(half, radius) => {
            Rounded::new(Cuboid::new(vector(half))?.into(), scalar(*radius))?.into()
        }
    })
}

/// What a caller chooses.
#[derive(Clone, Copy, Debug)]
enum Profile {
    /// The fast path.
    Fast,
    /// To a few roundings.
    Tight,
    /// With a certificate.
    Proved,
    /// With the facets that prove a depth.
    Facets,
    /// As fast, without the exact layer.
    Float,
    /// As fast, up to a distance.
    Cutoff,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Fast => "fast",
            Profile::Tight => "tight",
            Profile::Proved => "proved",
            Profile::Facets => "facets",
            Profile::Float => "float",
            Profile::Cutoff => "cutoff",
        }
    }

    fn asked<V: Vector>(self) -> Asked<V> {
        let (fast, tight) = (Options::default(), Options::tight());
        let proof = ProofOptions::default();
        match self {
            Profile::Fast => Asked::Plain(fast),
            Profile::Tight => Asked::Plain(tight),
            Profile::Cutoff => Asked::Plain(fast.with_cutoff(V::Scalar::from_f64(0.25))),
            Profile::Proved => Asked::Proof(proof),
            Profile::Facets => Asked::Proof(proof.with_facets(true)),
            Profile::Float => Asked::Proof(proof.with_float_only(true)),
        }
    }
}

/// An answer, or an answer with its proof.
enum Asked<V: Vector> {
    Plain(Options<V::Scalar>),
    Proof(ProofOptions<V>),
}

/// Adds the rows of single queries: alone, with a warm start kept over the frames, and observed.
pub(crate) fn add_single<V: Space>(row: &str, tracks: &[Track<V>], table: &mut Table) {
    let mut add = |profile: Profile, way: &str, answer: fn(&Track<V>, &Asked<V>) -> Vec<u64>| {
        let asked = profile.asked();
        let answers: Vec<Vec<u64>> = tracks.iter().map(|track| answer(track, &asked)).collect();
        table.add(&format!("{row} {} {way}", profile.name()), &answers);
    };
    for profile in [Profile::Fast, Profile::Tight, Profile::Proved] {
        add(profile, "single", single);
        add(profile, "warm", warm);
    }
    for profile in [Profile::Facets, Profile::Float, Profile::Cutoff] {
        add(profile, "single", single);
    }
    add(Profile::Proved, "observed", observed);
}

fn single<V: Space>(track: &Track<V>, asked: &Asked<V>) -> Vec<u64> {
    let pair = gjk::Pair::new(&track.a, &track.pose_a, &track.b, &track.poses_b[0]);
    let mut words = Vec::new();
    match asked {
        Asked::Plain(options) => {
            let query = || pair.with(options);
            put_intersection(&mut words, &query().intersects());
            put_distance(&mut words, &query().distance());
            put_contact(&mut words, &query().contact());
        }
        Asked::Proof(proof) => {
            let prove = |question: Question| {
                pair.with(&Options::tight())
                    .prove_with(&proof.with_question(question))
            };
            let verdict = prove(Question::Verdict);
            let Contact {
                verdict: relation,
                exact,
                stop,
                iterations,
                ..
            } = verdict.contact;
            put_name(&mut words, relation.name());
            words.push(match relation {
                Verdict::Separated => 0,
                Verdict::Touching | Verdict::Overlapping => 1,
                Verdict::Undecided => 2,
            });
            put_end(&mut words, exact, stop, iterations);
            put_certificate(&mut words, verdict.certificate.as_ref());
            put_distance(&mut words, &pair.with(&Options::tight()).distance());
            let contact = prove(Question::Contact);
            put_contact(&mut words, &contact.contact);
            put_certificate(&mut words, contact.certificate.as_ref());
        }
    }
    words
}

fn warm<V: Space>(track: &Track<V>, asked: &Asked<V>) -> Vec<u64> {
    let (mut of_distance, mut of_contact) = (Cache::new(), Cache::new());
    let mut words = Vec::new();
    for pose_b in &track.poses_b {
        let pair = gjk::Pair::new(&track.a, &track.pose_a, &track.b, pose_b);
        match asked {
            Asked::Plain(options) => {
                let distance = pair.with(options).warm(&mut of_distance).distance();
                put_distance(&mut words, &distance);
                let contact = pair.with(options).warm(&mut of_contact).contact();
                put_contact(&mut words, &contact);
            }
            Asked::Proof(proof) => {
                let tight = Options::tight();
                let distance = pair.with(&tight).warm(&mut of_distance).distance();
                put_distance(&mut words, &distance);
                let found = pair.with(&tight).warm(&mut of_contact).prove_with(proof);
                put_contact(&mut words, &found.contact);
                put_certificate(&mut words, found.certificate.as_ref());
            }
        }
        for ids in of_distance.ids().iter().chain(of_contact.ids()) {
            words.extend(ids.map(u64::from));
        }
    }
    words
}

fn observed<V: Space>(track: &Track<V>, asked: &Asked<V>) -> Vec<u64> {
    let pair = gjk::Pair::new(&track.a, &track.pose_a, &track.b, &track.poses_b[0]);
    let mut recorder = Recorder::new();
    let mut words = Vec::new();
    if let Asked::Proof(proof) = asked {
        let found = pair
            .with(&Options::tight())
            .prove_observed(proof, &mut recorder);
        put_contact(&mut words, &found.contact);
        put_certificate(&mut words, found.certificate.as_ref());
    }
    words.push(recorder.steps.len() as u64);
    words
}

/// In which order the poses and pairs of a batch come.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// A and B in turn, so that pairs name every second pose.
    Alternating,
    /// All of A, then all of B, so that pairs name consecutive poses.
    Consecutive,
    /// As alternating, the pairs in a scattered order.
    Scattered,
}

/// Adds the rows of a batch: by lanes, and by single queries.
///
/// # Errors  answers by lanes that depend on the order or on the width.
pub(crate) fn add_batch<V: Space>(
    row: &str,
    tracks: &[Track<V>],
    table: &mut Table,
) -> Result<(), String> {
    let tracks: Vec<&Track<V>> = tracks.iter().collect();
    let expected = batch(&tracks, Order::Alternating, Lanes::Widest)?;
    for (order, lanes) in [
        (Order::Alternating, Lanes::Avx2),
        (Order::Alternating, Lanes::Baseline),
        (Order::Consecutive, Lanes::Widest),
        (Order::Scattered, Lanes::Widest),
        (Order::Consecutive, Lanes::Baseline),
        (Order::Scattered, Lanes::Baseline),
    ] {
        agree(
            &format!("{row}: {order:?}, {lanes:?}"),
            &batch(&tracks, order, lanes)?,
            &expected,
        )?;
    }
    table.add(&format!("{row} fast batch"), &expected);
    let without = batch(&tracks, Order::Alternating, Lanes::Off)?;
    table.add(&format!("{row} fast batch-off"), &without);
    Ok(())
}

/// Asks all kinds of a space in one batch.
///
/// # Errors  answers that are not those of the kinds alone.
pub(crate) fn check_mixed<V: Space>(
    space: &str,
    groups: &[(&str, Vec<Track<V>>)],
) -> Result<(), String> {
    let mut expected = Vec::new();
    for (_, tracks) in groups {
        let tracks: Vec<&Track<V>> = tracks.iter().collect();
        expected.extend(batch(&tracks, Order::Alternating, Lanes::Widest)?);
    }
    let all: Vec<&Track<V>> = groups.iter().flat_map(|(_, tracks)| tracks).collect();
    let mixed = batch(&all, Order::Scattered, Lanes::Widest)?;
    agree(
        &format!("all kinds {space} in one batch"),
        &mixed,
        &expected,
    )
}

fn agree(what: &str, mine: &[Vec<u64>], expected: &[Vec<u64>]) -> Result<(), String> {
    match (0..expected.len()).find(|&index| mine.get(index) != expected.get(index)) {
        None => Ok(()),
        Some(index) => Err(format!(
            "{what}: pair {index} is {:x?}, by the widest lanes and alternating {:x?}",
            mine.get(index),
            expected.get(index)
        )),
    }
}

/// The answers of a batch, in the order of `tracks`.
fn batch<V: Space>(
    tracks: &[&Track<V>],
    order: Order,
    lanes: Lanes,
) -> Result<Vec<Vec<u64>>, String> {
    let count = tracks.len() as u32;
    let mut shapes = Shapes::new();
    for track in tracks {
        shapes.push(track.a.clone());
        shapes.push(track.b.clone());
    }
    let pose_of = |index: u32, side: u32| match order {
        Order::Consecutive => side * count + index,
        Order::Alternating | Order::Scattered => 2 * index + side,
    };
    let mut placed = vec![Pose::identity(); 2 * tracks.len()];
    for (index, track) in (0..).zip(tracks) {
        placed[pose_of(index, 0) as usize] = track.pose_a;
        placed[pose_of(index, 1) as usize] = track.poses_b[0];
    }
    let poses: Poses<V> = placed.into_iter().collect();
    // A prime above any count here, so that each index comes once.
    let place_of = |index: u32| match order {
        Order::Scattered => (u64::from(index) * 7919 % u64::from(count)) as u32,
        Order::Alternating | Order::Consecutive => index,
    };
    let named: Vec<u32> = (0..count).map(place_of).collect();
    let pairs: Vec<BatchPair> = named
        .iter()
        .map(|&index| {
            BatchPair::new(
                (2 * index, pose_of(index, 0)),
                (2 * index + 1, pose_of(index, 1)),
            )
        })
        .collect();
    let answers = batch_words(
        World {
            shapes: &shapes,
            poses: &poses,
        },
        &pairs,
        lanes,
    )?;
    let mut sorted = vec![Vec::new(); answers.len()];
    for (index, words) in named.into_iter().zip(answers) {
        sorted[index as usize] = words;
    }
    Ok(sorted)
}

fn batch_words<V: Space>(
    world: World<'_, V>,
    pairs: &[BatchPair],
    lanes: Lanes,
) -> Result<Vec<Vec<u64>>, String> {
    let options = gjk_batch::Options {
        threads: Some(1),
        lanes,
        ..gjk_batch::Options::default()
    };
    let (mut verdicts, mut distances, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
    gjk_batch::classify_into(world, pairs, &options, &mut verdicts)
        .and_then(|_| gjk_batch::distance_into(world, pairs, &options, &mut distances))
        .and_then(|_| gjk_batch::contact_into(world, pairs, &options, &mut contacts))
        .map_err(|error| error.to_string())?;
    let words = (0..pairs.len()).map(|index| {
        let mut words = Vec::new();
        put_name(&mut words, verdicts[index].name());
        for answer in [&distances[index], &contacts[index]] {
            put_name(&mut words, answer.verdict.name());
            let interval = answer.interval;
            put_numbers::<V>(&mut words, &[interval.lower, interval.upper]);
            for vector in [answer.normal, answer.point_a, answer.point_b] {
                put_vector(&mut words, vector);
            }
        }
        words
    });
    Ok(words.collect())
}

/// A word of a name's first bytes, so that the order of an enum's variants is no part of an answer.
fn put_name(words: &mut Vec<u64>, name: &str) {
    words.push(name.bytes().fold(name.len() as u64, |word, byte| {
        word.wrapping_mul(131).wrapping_add(u64::from(byte))
    }));
}

/// The bits of numbers; every NaN counts as the same one, since its bits differ between processors.
fn put_floats(words: &mut Vec<u64>, numbers: &[f64]) {
    words.extend(numbers.iter().map(|number| {
        let number = if number.is_nan() { f64::NAN } else { *number };
        number.to_bits()
    }));
}

fn put_numbers<V: Vector>(words: &mut Vec<u64>, numbers: &[V::Scalar]) {
    for number in numbers {
        put_floats(words, &[number.to_f64()]);
    }
}

fn put_vector<V: Vector>(words: &mut Vec<u64>, vector: V) {
    put_floats(words, &vector.to_f64()[..V::DIM]);
}

fn put_intersection(words: &mut Vec<u64>, answer: &Intersection) {
    put_name(words, answer.verdict.name());
    words.push(answer.intersects.map_or(2, u64::from));
    put_end(words, answer.exact, answer.stop, answer.iterations);
}

fn put_distance<V: Vector>(words: &mut Vec<u64>, answer: &Distance<V>) {
    put_name(words, answer.verdict.name());
    let interval = answer.distance;
    put_numbers::<V>(words, &[interval.lower, interval.upper]);
    for vector in [answer.normal, answer.point_a, answer.point_b] {
        put_vector(words, vector);
    }
    put_end(words, answer.exact, answer.stop, answer.iterations);
}

fn put_contact<V: Vector>(words: &mut Vec<u64>, answer: &Contact<V>) {
    put_name(words, answer.verdict.name());
    let interval = answer.signed_distance;
    put_numbers::<V>(words, &[interval.lower, interval.upper]);
    for vector in [answer.normal, answer.point_a, answer.point_b] {
        put_vector(words, vector);
    }
    put_end(words, answer.exact, answer.stop, answer.iterations);
}

fn put_end(words: &mut Vec<u64>, exact: bool, stop: gjk::Stop, iterations: query::Iterations) {
    words.push(u64::from(exact));
    put_name(words, stop.name());
    words.extend([iterations.gjk, iterations.epa].map(u64::from));
}

fn put_certificate(words: &mut Vec<u64>, certificate: Option<&Certificate>) {
    match certificate {
        None => words.push(0),
        Some(Certificate::Separated { direction, nearest }) => {
            words.push(1);
            put_direction(words, direction);
            if let Some(nearest) = nearest {
                put_combination(words, nearest);
            }
        }
        Some(Certificate::Touching { direction, nearest }) => {
            words.push(2);
            put_direction(words, direction);
            put_combination(words, nearest);
        }
        Some(Certificate::Overlapping { pairs, facets }) => {
            words.push(3);
            let ids = pairs.iter().chain(facets.iter().flatten());
            words.extend(ids.flatten().copied().map(u64::from));
        }
        Some(Certificate::Near { nearest, direction }) => {
            words.push(4);
            put_direction(words, direction);
            put_combination(words, nearest);
        }
    }
}

fn put_direction(words: &mut Vec<u64>, direction: &Direction) {
    match direction {
        Direction::Float(components) => put_floats(words, components),
        Direction::Integer(components) => {
            for component in components {
                put_name(words, &component.to_string());
            }
        }
    }
}

fn put_combination(words: &mut Vec<u64>, combination: &Combination) {
    words.extend(combination.pairs.iter().flatten().copied().map(u64::from));
    match &combination.weights {
        Weights::Float(weights) => put_floats(words, weights),
        Weights::Integer(weights) => {
            for weight in weights {
                put_name(words, &weight.to_string());
            }
        }
    }
}
