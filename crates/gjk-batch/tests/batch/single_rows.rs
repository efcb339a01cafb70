//! Rows of rays, casts, times of impact, manifolds and gradients from columns: the answers of single queries, with wrong rows between them.

use crate::oracle::Rng;
use crate::oracle::pairs::{ALL, Space, random_shape};
use gjk::query::{
    self, CastAnswer, Interval, ManifoldOptions, MotionOptions, Ray, ToiOptions, Twist,
};
use gjk::shape::{Cuboid, MovingVertices, Polytope, Segment, Shape};
use gjk::{Pose, Vec2, Vec3};
use gjk_batch::rows::{
    BodyRows, GradientColumns, ManifoldColumns, MotionColumns, MotionRows, NamedPoint,
    NumberColumn, PlanarPoseRows, PoseOfRow, PoseRows, RayRows, RowError, RowFault, WRONG_ROW,
    ask_casts, ask_gradients, ask_manifolds, ask_rays, ask_tois, code, kind_code, meeting_code,
    stop_code, ways_to_move,
};
use gjk_batch::{BatchError, Options, Shapes, Side};
use std::sync::atomic::AtomicBool;

const ROWS: usize = 100;

/// One row in eleven names a shape that does not exist.
fn is_wrong(row: usize) -> bool {
    row % 11 == 5
}

/// Bodies, and three vectors and numbers a row.
struct Scene<V: Space> {
    shapes: Shapes<V>,
    poses: Vec<Pose<V>>,
    vectors: [Vec<f64>; 3],
    turns: Vec<f64>,
}

impl<V: Space<Scalar = f64>> Scene<V> {
    fn new(seed: u64) -> Self {
        let mut rng = Rng(seed);
        let mut shapes = Shapes::new();
        for _ in 0..12 {
            shapes.push(random_shape::<V>(&mut rng, ALL, 1.0));
        }
        let poses = (0..2 * ROWS).map(|_| V::random_pose(&mut rng, 1.5));
        let poses = poses.collect();
        let mut numbers = |count: usize| (0..count).map(|_| rng.range(-3.0, 3.0)).collect();
        let vectors = [0; 3].map(|_| numbers(ROWS * V::DIM));
        let turns = numbers(ROWS * turns::<V>());
        Self {
            shapes,
            poses,
            vectors,
            turns,
        }
    }

    fn body(&self, side: usize) -> impl Fn(usize) -> Result<(u32, Pose<V>), RowFault> {
        move |row| {
            let shape = (5 * row + 3 * side) % 12;
            let shape = if side == 1 && is_wrong(row) {
                99
            } else {
                shape
            };
            Ok((shape as u32, self.poses[2 * row + side]))
        }
    }

    fn vector(&self, which: usize, row: usize) -> V {
        V::from_fn(|k| self.vectors[which][row * V::DIM + k])
    }

    fn column(&self, which: usize) -> NumberColumn<'_> {
        NumberColumn::new(&self.vectors[which], V::DIM)
    }

    fn twist(&self, row: usize) -> Twist<V> {
        let turn = &self.turns[row * turns::<V>()..][..turns::<V>()];
        let turn = match *turn {
            [x, y, z] => [x, y, z],
            _ => [0.0, 0.0, turn[0]],
        };
        Twist::new(self.vector(0, row), turn, self.vector(1, row)).unwrap()
    }
}

/// Numbers of a turn.
fn turns<V: Space>() -> usize {
    ways_to_move(V::DIM) - V::DIM
}

/// Columns of its own for answers on motions.
struct Table {
    bytes: [Vec<u8>; 2],
    flags: [Vec<bool>; 2],
    ends: [Vec<f64>; 6],
    vectors: [Vec<f64>; 3],
    iterations: Vec<u32>,
}

impl Table {
    fn new(rows: usize, dim: usize) -> Self {
        Self {
            bytes: [0; 2].map(|_| vec![7; rows]),
            flags: [0; 2].map(|_| vec![false; rows]),
            ends: [0; 6].map(|_| vec![0.0; rows]),
            vectors: [0; 3].map(|_| vec![0.0; rows * dim]),
            iterations: vec![0; rows],
        }
    }

    fn columns(&mut self) -> MotionColumns<'_, f64> {
        let [verdicts, stops] = self.bytes.each_mut();
        let [exact, grazing] = self.flags.each_mut();
        let [t, u, v, w, x, y] = self.ends.each_mut();
        let [normals, points_a, points_b] = self.vectors.each_mut();
        MotionColumns {
            verdicts,
            exact,
            times: [t, u],
            exits: [v, w],
            normals,
            points_a,
            points_b,
            grazing,
            signed_distances: [x, y],
            iterations: &mut self.iterations,
            stops,
        }
    }

    /// Whether a row is this answer, to the bit; without one, whether it is wrong.
    fn is_row<V: Space<Scalar = f64>>(&self, row: usize, answer: Option<&CastAnswer<V>>) -> bool {
        let bits = |x: f64| if x.is_nan() { 0 } else { x.to_bits() };
        let of = |interval: Option<Interval<f64>>| {
            interval.map_or([f64::NAN; 2], |interval| [interval.lower, interval.upper])
        };
        let ends = answer.map_or([f64::NAN; 6], |found| {
            let all = [found.time, found.exit, found.signed_distance].map(of);
            [
                all[0][0], all[0][1], all[1][0], all[1][1], all[2][0], all[2][1],
            ]
        });
        let vectors = answer.map_or([None; 3], |x| [x.normal, x.point_a, x.point_b]);
        let codes = answer.map_or([WRONG_ROW; 2], |found| {
            [meeting_code(found.verdict), stop_code(found.stop)]
        });
        let flags = answer.map_or([false; 2], |found| [found.exact, found.grazing]);
        self.bytes.each_ref().map(|of| of[row]) == codes
            && self.flags.each_ref().map(|of| of[row]) == flags
            && self.iterations[row] == answer.map_or(0, |found| found.iterations)
            && (0..6).all(|k| bits(self.ends[k][row]) == bits(ends[k]))
            && self.vectors.iter().zip(vectors).all(|(column, vector)| {
                (0..V::DIM).all(|k| {
                    let right = vector.map_or(f64::NAN, |vector| vector.component(k));
                    bits(column[row * V::DIM + k]) == bits(right)
                })
            })
    }
}

fn check_wrong(wrong: &[RowError], side: Side) {
    let rows: Vec<usize> = wrong.iter().map(|error| error.row).collect();
    let right: Vec<usize> = (0..ROWS).filter(|&row| is_wrong(row)).collect();
    assert_eq!(rows, right);
    let fault = RowFault::NoSuchShape {
        shape: 99,
        count: 12,
    };
    assert!(
        wrong
            .iter()
            .all(|error| (error.side, &error.fault) == (side, &fault))
    );
}

/// On one thread and on several.
fn options(threads: usize) -> Options<'static> {
    Options {
        threads: Some(threads),
        ..Options::default()
    }
}

fn motions_held<V: Space<Scalar = f64>, P: PoseOfRow<V>>(seed: u64, at: P, to: &Pose<V>) {
    let scene = Scene::<V>::new(seed);
    let (a, b) = (scene.body(0), scene.body(1));
    let bodies: [&dyn BodyRows<V>; 2] = [&a, &b];
    let rays = RayRows {
        origin: scene.column(0),
        direction: scene.column(1),
    };
    let moves = MotionRows::<NumberColumn<'_>, P>::Velocities {
        velocity: Some(scene.column(0)),
        angular: Some(NumberColumn::new(&scene.turns, turns::<V>())),
        center: Some(scene.column(1)),
    };
    let goes = MotionRows::To {
        pose: at,
        center: Some(scene.column(2)),
        nlerp: false,
    };
    let (asked, limits) = (MotionOptions::default(), ToiOptions::default());
    let limits = limits.with_pieces_max(60);
    for threads in [1, 3] {
        let options = options(threads);
        let mut tables = [0; 3].map(|_| Table::new(ROWS, V::DIM));
        let [ray, cast, toi] = tables.each_mut().map(Table::columns);
        let wrong = ask_rays(&scene.shapes, bodies[1], &rays, &asked, &options, ray);
        check_wrong(&wrong.unwrap().1, Side::A);
        let velocities = [None, Some(&scene.column(0))];
        let wrong = ask_casts(&scene.shapes, bodies, velocities, &asked, &options, cast);
        check_wrong(&wrong.unwrap().1, Side::B);
        let wrong = ask_tois(
            &scene.shapes,
            bodies,
            [&goes, &moves],
            &limits,
            &options,
            toi,
        );
        let (statistics, wrong) = wrong.unwrap();
        check_wrong(&wrong, Side::B);
        assert_eq!(statistics.single, ROWS - wrong.len());
        for row in 0..ROWS {
            let (first, pose_a) = a(row).unwrap();
            let (second, pose_b) = b(row).unwrap();
            let shapes = [first, second].map(|shape| scene.shapes.get(shape));
            let [Some(shape_a), Some(shape_b)] = shapes else {
                assert!(tables.iter().all(|table| table.is_row::<V>(row, None)));
                continue;
            };
            let ray = Ray::new(scene.vector(0, row), scene.vector(1, row)).unwrap();
            let found = query::ray(shape_b, &pose_b, &ray, &asked);
            assert!(tables[0].is_row(row, Some(&found)), "{row}: {found:?}");
            let v = scene.vector(0, row);
            // Rows have columns of the exit.
            let both = asked.with_exit(true);
            let found = query::cast(shape_a, &pose_a, V::ZERO, shape_b, &pose_b, v, &both);
            assert!(tables[1].is_row(row, Some(&found)), "{row}: {found:?}");
            let twist_a = Twist::between(&pose_a, to, scene.vector(2, row)).unwrap();
            let twist_b = scene.twist(row);
            let found = query::toi(
                shape_a, &pose_a, &twist_a, shape_b, &pose_b, &twist_b, &limits,
            );
            assert!(tables[2].is_row(row, Some(&found)), "{row}: {found:?}");
        }
    }
}

#[test]
fn rows_of_motions_are_single_queries() {
    motions_held::<Vec3<f64>, _>(1, PoseRows::<NumberColumn<'_>>::Identity, &Pose::identity());
    let plane = PlanarPoseRows::<NumberColumn<'_>>::Identity;
    motions_held::<Vec2<f64>, _>(2, plane, &Pose::identity());
}

fn points_held<V: Space<Scalar = f64>, P: PoseOfRow<V>>(seed: u64) {
    let scene = Scene::<V>::new(seed);
    let (a, b) = (scene.body(0), scene.body(1));
    let bodies: [&dyn BodyRows<V>; 2] = [&a, &b];
    let asked = ManifoldOptions::default().with_prediction(0.5);
    let motion = MotionRows::<NumberColumn<'_>, P>::Velocities {
        velocity: Some(scene.column(0)),
        angular: Some(NumberColumn::new(&scene.turns, turns::<V>())),
        center: Some(scene.column(1)),
    };
    let ways = ways_to_move(V::DIM);
    let numbers = |count: usize| vec![0.0; count];
    for threads in [1, 3] {
        let (mut bytes, mut flags) = (
            [0; 3].map(|_| vec![7; ROWS]),
            [0; 4].map(|_| vec![false; ROWS]),
        );
        let mut ends = [0; 9].map(|_| numbers(ROWS));
        let mut vectors = [0; 4].map(|_| numbers(ROWS * V::DIM));
        let mut by_pose = [0; 2].map(|_| numbers(ROWS * ways));
        let mut points: Vec<Vec<NamedPoint<V>>> = vec![Vec::new(); ROWS];
        let mut vertices = vec![Vec::new(); ROWS];
        let [verdicts, kinds, of_gradients] = bytes.each_mut();
        let [exact, complete, of_gradient, unique] = flags.each_mut();
        let [t, u, v, w, x, y, areas, p, q] = ends.each_mut();
        let [normals, facing, points_a, points_b] = vectors.each_mut();
        let [by_a, by_b] = by_pose.each_mut();
        let columns = ManifoldColumns {
            verdicts,
            exact,
            signed_distances: [t, u],
            normals,
            kinds,
            areas,
            complete,
            points: &mut points,
        };
        let done = ask_manifolds(&scene.shapes, bodies, &asked, &options(threads), columns);
        check_wrong(&done.unwrap().1, Side::B);
        let columns = GradientColumns {
            verdicts: of_gradients,
            exact: of_gradient,
            signed_distances: [v, w],
            normals: facing,
            points_a,
            points_b,
            unique,
            by_a,
            by_b,
            along: [x, y],
            along_inside: [p, q],
            vertices: &mut vertices,
        };
        let along = Some([&MotionRows::Rest, &motion]);
        let done = ask_gradients(&scene.shapes, bodies, along, &options(threads), columns);
        check_wrong(&done.unwrap().1, Side::B);
        for row in 0..ROWS {
            let (first, pose_a) = a(row).unwrap();
            let (second, pose_b) = b(row).unwrap();
            let shapes = [first, second].map(|shape| scene.shapes.get(shape));
            let [Some(shape_a), Some(shape_b)] = shapes else {
                assert!(bytes.iter().all(|column| column[row] == WRONG_ROW));
                assert!(ends.iter().all(|column| column[row].is_nan()));
                assert!(points[row].is_empty() && vertices[row].is_empty());
                continue;
            };
            let found = query::manifold(shape_a, &pose_a, shape_b, &pose_b, &asked);
            assert_eq!(bytes[0][row], code(found.contact.verdict));
            assert_eq!(bytes[1][row], kind_code(found.kind));
            assert_eq!((ends[6][row], flags[1][row]), (found.area, found.complete));
            let named = found.points.iter().map(|point| NamedPoint {
                point: *point,
                exchanged_id: found.exchanged_id(point),
            });
            assert_eq!(points[row], named.collect::<Vec<_>>());
            let found = query::gradient(shape_a, &pose_a, shape_b, &pose_b);
            assert_eq!(
                (flags[3][row], &vertices[row]),
                (found.unique, &found.vertices)
            );
            let of_b = &by_pose[1][row * ways..][..ways];
            let linear = (0..V::DIM).map(|k| found.b.linear.component(k));
            let turn = found.b.angular.into_iter().skip(3 - turns::<V>());
            assert!(of_b.iter().copied().eq(linear.chain(turn)));
            let (rest, twist) = (Twist::rest(), scene.twist(row));
            let rate =
                query::directional_derivative(shape_a, &pose_a, &rest, shape_b, &pose_b, &twist);
            match rate {
                Some(rate) => assert_eq!((ends[4][row], ends[5][row]), (rate.lower, rate.upper)),
                None => assert!(ends[4][row].is_nan() && ends[5][row].is_nan()),
            }
            let touching = query::touching_derivatives(
                shape_a,
                &pose_a,
                &Twist::rest(),
                shape_b,
                &pose_b,
                &twist,
            );
            match touching.map(|rates| rates.inside) {
                Some(rate) => assert_eq!((ends[7][row], ends[8][row]), (rate.lower, rate.upper)),
                None => assert!(ends[7][row].is_nan() && ends[8][row].is_nan()),
            }
        }
    }
}

#[test]
fn rows_of_manifolds_and_gradients_are_single_queries() {
    points_held::<Vec3<f64>, PoseRows<NumberColumn<'_>>>(3);
    points_held::<Vec2<f64>, PlanarPoseRows<NumberColumn<'_>>>(4);
}

#[test]
fn columns_of_other_lengths_and_a_cancelled_batch_have_no_answers() {
    let scene = Scene::<Vec3<f64>>::new(5);
    let body = scene.body(0);
    let body: &dyn BodyRows<Vec3<f64>> = &body;
    let rays = RayRows {
        origin: scene.column(0),
        direction: scene.column(1),
    };
    let asked = MotionOptions::default();
    let mut table = Table::new(ROWS, 3);
    table.iterations.pop();
    let done = ask_rays(
        &scene.shapes,
        body,
        &rays,
        &asked,
        &options(1),
        table.columns(),
    );
    assert_eq!(done.unwrap_err(), BatchError::Columns { rows: ROWS });
    let stop = AtomicBool::new(true);
    let stopped = Options {
        cancel: Some(&stop),
        ..Options::default()
    };
    let mut table = Table::new(ROWS, 3);
    let cancelled = ask_rays(
        &scene.shapes,
        body,
        &rays,
        &asked,
        &stopped,
        table.columns(),
    );
    let (done, total) = (0, ROWS);
    assert_eq!(
        cancelled.unwrap_err(),
        BatchError::Cancelled { done, total }
    );
}

/// Rows of different counts of vertices against the shape that has them, and rows that are wrong.
#[test]
fn vertices_that_move_by_themselves_are_those_of_their_shapes() {
    type P = Vec2<f64>;
    let mut shapes = Shapes::<P>::new();
    let kite = [[0.0, 1.0], [1.0, 1.5], [0.0, 3.0], [-1.0, 1.5], [0.0, 2.0]].map(P::from);
    let bar = [[0.0, 1.0], [2.0, 1.0]].map(P::from);
    let floor = shapes.push(Cuboid::new(P::new(10.0, 1.0)).unwrap());
    let ids = [
        shapes.push(Segment::new(bar[0], bar[1]).unwrap()),
        shapes.push(Polytope::new(&kite).unwrap()),
        floor,
        0,
    ];
    let numbers = |points: &[P]| points.iter().flat_map(|x| [x.x, x.y]).collect::<Vec<f64>>();
    let (from, offsets) = ([numbers(&bar), numbers(&kite)].concat(), [0, 0, 2, 7]);
    // Those of the bar, of the kite, of a box, which has none, and one too few.
    let goes = [
        0.0, -1.0, 2.0, 1.0, 0.0, 1.0, 1.0, 1.5, 0.0, 3.0, -1.0, 1.5, 0.0, -2.0, 0.0, 1.0, 1.0, 1.0,
    ];
    let motion = MotionRows::<NumberColumn<'_>, PlanarPoseRows<NumberColumn<'_>>>::Vertices {
        from: NumberColumn::ragged(&from, 2, &offsets),
        to: NumberColumn::ragged(&goes, 2, &[0, 2, 7, 8, 9]),
    };
    let at = Pose::from_translation(P::new(0.0, 1.0));
    let a = |_: usize| Ok((floor, Pose::from_translation(P::new(0.0, -1.0))));
    let b = |row: usize| Ok((if row == 3 { ids[0] } else { ids[row] }, at));
    let bodies: [&dyn BodyRows<P>; 2] = [&a, &b];
    let limits = ToiOptions::default();
    let mut table = Table::new(4, 2);
    let moves = [&MotionRows::Rest, &motion];
    let found = ask_tois(
        &shapes,
        bodies,
        moves,
        &limits,
        &options(1),
        table.columns(),
    );
    let faults: Vec<RowFault> = found
        .unwrap()
        .1
        .into_iter()
        .map(|error| error.fault)
        .collect();
    let none = RowFault::NoVertices { shape: floor };
    assert_eq!(faults, [none, RowFault::VertexCount { given: 1, has: 2 }]);
    let places = |numbers: &[f64]| numbers.chunks(2).map(|x| P::new(x[0], x[1])).collect();
    let right: [(&[P], Vec<P>); 2] = [(&bar, places(&goes[..4])), (&kite, places(&goes[4..14]))];
    for (row, (from, to)) in right.iter().enumerate() {
        let shape = Shape::from(MovingVertices::new(from, to).unwrap());
        let (ground, rest) = (a(row).unwrap().1, Twist::rest());
        let floor = shapes.get(floor).unwrap();
        let found = query::toi(floor, &ground, &rest, &shape, &at, &rest, &limits);
        assert!(table.is_row(row, Some(&found)), "{row}: {found:?}");
    }
    let gradient = motion.twist(0, &at);
    assert_eq!(gradient.unwrap_err(), RowFault::Reshaped);
}
