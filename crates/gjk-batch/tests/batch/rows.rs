//! Rows from the caller's columns against the same pairs by index: bit for bit, with wrong rows between them, on any number of threads.

use crate::scenes::{Scene, Space, boxes, hulls, round};
use gjk::{Pose3, Scalar, Vec2, Vec3, Vector};
use gjk_batch::rows::{Ask, BodyRows, Columns, RowFault, WRONG_ROW, ask, code};
use gjk_batch::{
    Answer, BatchError, Body, Options, Shapes, Side, classify_many, contact_many, distance_many,
};
use std::sync::atomic::AtomicBool;

/// Columns of its own.
struct Table<S> {
    verdicts: Vec<u8>,
    numbers: [Vec<S>; 2],
    vectors: [Vec<S>; 3],
}

impl<S: Scalar> Table<S> {
    fn new(rows: usize, dim: usize) -> Self {
        let zeros = |count: usize| vec![S::from_f64(0.0); count];
        Self {
            verdicts: vec![7; rows],
            numbers: [zeros(rows), zeros(rows)],
            vectors: [zeros(rows * dim), zeros(rows * dim), zeros(rows * dim)],
        }
    }

    fn columns(&mut self) -> Columns<'_, S> {
        let [lower, upper] = &mut self.numbers;
        let [normals, points_a, points_b] = &mut self.vectors;
        Columns {
            verdicts: &mut self.verdicts,
            lower: Some(lower),
            upper: Some(upper),
            normals: Some(normals),
            points_a: Some(points_a),
            points_b: Some(points_b),
        }
    }
}

/// Whether a table's row is this answer, to the bit.
fn is_row<V: Vector>(table: &Table<V::Scalar>, row: usize, answer: &Answer<V>) -> bool {
    let vectors = [answer.normal, answer.point_a, answer.point_b];
    let bits = |x: V::Scalar| x.to_f64().to_bits();
    table.verdicts[row] == code(answer.verdict)
        && bits(table.numbers[0][row]) == bits(answer.interval.lower)
        && bits(table.numbers[1][row]) == bits(answer.interval.upper)
        && table.vectors.iter().zip(vectors).all(|(column, vector)| {
            (0..V::DIM).all(|k| bits(column[row * V::DIM + k]) == bits(vector.component(k)))
        })
}

/// One row in eleven names a shape that does not exist.
fn is_wrong(row: usize) -> bool {
    row % 11 == 5
}

fn compare<V: Space>(scene: &Scene<V>) {
    let one = Options {
        threads: Some(1),
        ..Options::default()
    };
    let distances = distance_many(scene.world(), &scene.pairs, &one).unwrap();
    let contacts = contact_many(scene.world(), &scene.pairs, &one).unwrap();
    let verdicts = classify_many(scene.world(), &scene.pairs, &one).unwrap();
    let body = |row: usize, body: Body| {
        let missing = is_wrong(row) && row.is_multiple_of(2);
        let shape = if missing { u32::MAX } else { body.shape };
        Ok((shape, *scene.poses.get(body.pose).unwrap()))
    };
    let of_a = |row: usize| body(row, scene.pairs[row].a);
    let of_b = |row: usize| {
        if is_wrong(row) && row % 2 == 1 {
            return Err(RowFault::Singular);
        }
        body(row, scene.pairs[row].b)
    };
    for threads in [Some(1), Some(2), None] {
        let options = Options {
            threads,
            ..Options::default()
        };
        for what in [Ask::Classify, Ask::Distance, Ask::Contact] {
            let mut table = Table::new(scene.pairs.len(), V::DIM);
            let columns = table.columns();
            let bodies: [&dyn BodyRows<V>; 2] = [&of_a, &of_b];
            let (statistics, wrong) = ask(&scene.shapes, bodies, what, &options, columns).unwrap();
            let expected: Vec<usize> = (0..scene.pairs.len()).filter(|&k| is_wrong(k)).collect();
            let found: Vec<usize> = wrong.iter().map(|error| error.row).collect();
            assert_eq!(found, expected);
            assert_eq!(statistics.total(), scene.pairs.len() - expected.len());
            for error in &wrong {
                let side = if error.row.is_multiple_of(2) {
                    Side::A
                } else {
                    Side::B
                };
                assert_eq!(error.side, side);
                assert_eq!(table.verdicts[error.row], WRONG_ROW);
                assert!(table.numbers[0][error.row].to_f64().is_nan());
                assert!(table.vectors[2][error.row * V::DIM].to_f64().is_nan());
            }
            for row in (0..scene.pairs.len()).filter(|&row| !is_wrong(row)) {
                let is_same = match what {
                    Ask::Classify => table.verdicts[row] == code(verdicts.answers[row]),
                    Ask::Distance => is_row(&table, row, &distances.answers[row]),
                    Ask::Contact => is_row(&table, row, &contacts.answers[row]),
                };
                assert!(is_same, "{}, {what:?}, row {row}", scene.name);
            }
        }
    }
}

#[test]
fn rows_are_answered_as_pairs_are() {
    compare(&boxes::<Vec3<f64>>(3000));
    compare(&hulls::<Vec3<f64>>(1500));
    compare(&round::<Vec3<f32>>(1500));
    compare(&hulls::<Vec2<f64>>(1500));
}

#[test]
fn what_is_wrong_with_all_rows_is_an_error() {
    let mut shapes = Shapes::<Vec3<f64>>::new();
    let ball = shapes.push(gjk::shape::Ball::new(1.0).unwrap());
    let body = |_: usize| Ok((ball, Pose3::identity()));
    let bodies = [&body, &body];
    let (mut verdicts, mut short) = ([0; 3], [0.0; 2]);
    let columns = Columns {
        verdicts: &mut verdicts,
        lower: Some(&mut short),
        ..Columns::default()
    };
    let found = ask(
        &shapes,
        [&body, &body],
        Ask::Distance,
        &Options::default(),
        columns,
    );
    assert_eq!(found.unwrap_err(), BatchError::Columns { rows: 3 });
    let stop = AtomicBool::new(true);
    let options = Options {
        cancel: Some(&stop),
        ..Options::default()
    };
    let columns = Columns {
        verdicts: &mut verdicts,
        ..Columns::default()
    };
    let found = ask(&shapes, bodies, Ask::Classify, &options, columns);
    assert_eq!(
        found.unwrap_err(),
        BatchError::Cancelled { done: 0, total: 3 }
    );
    let columns = Columns::default();
    let none = ask(&shapes, bodies, Ask::Contact, &Options::default(), columns);
    assert_eq!(none.unwrap().0.total(), 0);
}
