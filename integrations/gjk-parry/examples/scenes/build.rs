//! The scenes.

use super::{Scene, Setup};
use rapier3d::parry::shape::TriMeshFlags;
use rapier3d::prelude::*;

/// Boxes of the stack, and half of their edge.
const BOXES: u32 = 20;
const HALF_EDGE: f32 = 0.5;

/// How far a box may be off the axis of the stack, and above the one below, at the start.
const ASIDE: f32 = 0.005;
const GAP: f32 = 0.002;

/// The stack's contacts: see `stack`.
const STACK_ITERATIONS: usize = 8;
const STACK_FREQUENCY: f32 = 120.0;

/// Hulls of the heap, and the vertices that each is made of.
const HULLS: u32 = 80;
const HULL_POINTS: u32 = 16;

/// The wheel's radius and half of its width, how fast its axle moves, and the edge of the floor's squares.
const WHEEL_RADIUS: f32 = 0.4;
const WHEEL_HALF_WIDTH: f32 = 0.15;
const WHEEL_SPEED: f32 = 2.0;
const SQUARE: f32 = 0.3;

/// How many squares the floor has along the way and across it.
const SQUARES: [u32; 2] = [450, 10];

/// The scene at its first moment. No body may sleep.
pub(super) fn scene(scene: Scene) -> Setup {
    let mut setup = Setup {
        world: PhysicsWorld::default(),
        bodies: Vec::new(),
    };
    match scene {
        Scene::Stack => stack(&mut setup),
        Scene::Heap => heap(&mut setup),
        Scene::Wheel => wheel(&mut setup),
    }
    setup
}

impl Setup {
    fn fixed(&mut self, center: [f32; 3], half_extents: [f32; 3]) {
        let [x, y, z] = half_extents;
        self.world.insert(
            RigidBodyBuilder::fixed().translation(center.into()),
            ColliderBuilder::cuboid(x, y, z),
        );
    }

    fn moving(&mut self, body: RigidBodyBuilder, collider: ColliderBuilder) {
        let (handle, _) = self.world.insert(body.can_sleep(false), collider);
        self.bodies.push(handle);
    }
}

/// Heavy stacks stand by stiff contacts: rapier's own give way like springs of 30 Hz, and 20 boxes on them buckle, whoever makes the contacts.
fn stack(setup: &mut Setup) {
    let parameters = &mut setup.world.integration_parameters;
    parameters.num_solver_iterations = STACK_ITERATIONS;
    parameters.contact_softness.natural_frequency = STACK_FREQUENCY;
    parameters.static_contact_softness.natural_frequency = STACK_FREQUENCY;
    setup.fixed([0.0, -0.5, 0.0], [10.0, 0.5, 10.0]);
    let mut numbers = Numbers(3);
    for k in 0..BOXES {
        let aside = numbers.vector() * ASIDE;
        let height = HALF_EDGE * (2 * k + 1) as f32 + GAP * (k + 1) as f32;
        setup.moving(
            RigidBodyBuilder::dynamic().translation(Vector::new(aside.x, height, aside.z)),
            ColliderBuilder::cuboid(HALF_EDGE, HALF_EDGE, HALF_EDGE),
        );
    }
}

/// Numbers from −1 to 1 by a linear congruence.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.next(), self.next(), self.next())
    }
}

fn heap(setup: &mut Setup) {
    setup.fixed([0.0, -0.5, 0.0], [3.0, 0.5, 3.0]);
    for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0f32)] {
        let thick = |side: f32| if side == 0.0 { 2.5 } else { 0.5 };
        setup.fixed([2.5 * x, 4.0, 2.5 * z], [thick(x), 4.0, thick(z)]);
    }
    let mut numbers = Numbers(7);
    for k in 0..HULLS {
        let size = 0.35 + 0.1 * numbers.next();
        let points: Vec<Vector> = (0..HULL_POINTS)
            .map(|_| numbers.vector().normalize_or(Vector::X) * size)
            .collect();
        let Some(hull) = ColliderBuilder::convex_hull(&points) else {
            continue;
        };
        // Layers of four by four.
        let [i, j, layer] = [k % 4, k / 4 % 4, k / 16].map(|x| x as f32);
        let place = Vector::new(i - 1.5, 0.6 + layer, j - 1.5) * 0.95;
        let turn = numbers.vector() * 3.0;
        setup.moving(
            RigidBodyBuilder::dynamic()
                .translation(place)
                .rotation(turn),
            hull,
        );
    }
}

fn wheel(setup: &mut Setup) {
    let [long, wide] = SQUARES;
    let row = wide + 1;
    let corner = |i: u32, j: u32| {
        let across = (j as f32 - 0.5 * wide as f32) * SQUARE;
        Vector::new((i as f32 - 4.0) * SQUARE, 0.0, across)
    };
    let vertices: Vec<Vector> = (0..=long)
        .flat_map(|i| (0..=wide).map(move |j| corner(i, j)))
        .collect();
    let triangles: Vec<[u32; 3]> = (0..long)
        .flat_map(|i| (0..wide).map(move |j| i * row + j))
        .flat_map(|k| [[k, k + 1, k + row], [k + row, k + 1, k + row + 1]])
        .collect();
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
    if let Ok(floor) = ColliderBuilder::trimesh_with_flags(vertices, triangles, flags) {
        setup.world.insert(RigidBodyBuilder::fixed(), floor);
    }
    // The axis of a cylinder is its y: a quarter of a turn about x lays it along z.
    setup.moving(
        RigidBodyBuilder::dynamic()
            .translation(Vector::new(0.0, WHEEL_RADIUS, 0.0))
            .rotation(Vector::new(std::f32::consts::FRAC_PI_2, 0.0, 0.0))
            .linvel(Vector::new(WHEEL_SPEED, 0.0, 0.0))
            .angvel(Vector::new(0.0, 0.0, -WHEEL_SPEED / WHEEL_RADIUS)),
        ColliderBuilder::cylinder(WHEEL_HALF_WIDTH, WHEEL_RADIUS),
    );
}
