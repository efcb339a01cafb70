//! Scenes of rapier that run with contacts of gjk or of parry, and what is measured of them.
//!
//! Where it sits: the example `side_by_side` and the tests run them. `counted.rs` is the dispatcher that counts, `build.rs` makes the scenes.
//! Frame: the world, y is up.  Units: metres, kilograms, seconds.

mod build;
mod counted;

pub(crate) use counted::Totals;
use counted::{Counted, Counts};
use gjk_parry::dim3::GjkDispatcher;
use rapier3d::parry::query::{DefaultQueryDispatcher, QueryDispatcher};
use rapier3d::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps a second.
pub(crate) const RATE: u32 = 60;

/// Whose contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contacts {
    Gjk,
    Parry,
}

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scene {
    /// 20 boxes on each other.
    Stack,
    /// 80 hulls fall into a box.
    Heap,
    /// A cylinder rolls over a flat floor of triangles.
    Wheel,
}

impl Scene {
    pub(crate) const ALL: [Scene; 3] = [Scene::Stack, Scene::Heap, Scene::Wheel];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Scene::Stack => "stack",
            Scene::Heap => "heap",
            Scene::Wheel => "wheel",
        }
    }
}

/// What a run came to. Lengths are in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// How far the worst body moved that should not: across the vertical (stack), in the last sixth of the time (heap), off its line (wheel).
    pub(crate) drift: f32,
    /// How far the top (stack) or the centre (wheel) is below where it began; of the heap how far the lowest body reaches below the floor.
    pub(crate) sunk: f32,
    /// The deepest overlap of two bodies at any time, and in the last sixth of it, measured by gjk whoever made the contacts.
    pub(crate) depth: [f32; 2],
    /// Of all bodies, in joules: at the start and at the end.
    pub(crate) kinetic: [f32; 2],
    /// Every number of every body was finite.
    pub(crate) is_finite: bool,
    /// Wall time of the steps.
    pub(crate) wall: Duration,
    /// What the dispatcher counted.
    pub(crate) totals: Totals,
    pub(crate) steps: u32,
}

/// A scene that is ready to run.
pub(crate) struct Setup {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

/// A run: which scene, whose contacts, for how long, and whether rapier keeps the contacts of pairs that moved little.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) scene: Scene,
    pub(crate) contacts: Contacts,
    pub(crate) seconds: u32,
    pub(crate) recycling: bool,
}

impl Run {
    pub(crate) fn outcome(self) -> Outcome {
        let counts = Arc::new(Counts::default());
        let mut setup = build::scene(self.scene);
        setup.world.integration_parameters.contact_recycling = self.recycling;
        let narrow_phase = &mut setup.world.narrow_phase;
        match self.contacts {
            Contacts::Gjk => {
                let ours = GjkDispatcher.chain(DefaultQueryDispatcher);
                narrow_phase.set_query_dispatcher(Counted::new(ours, &counts));
            }
            Contacts::Parry => {
                narrow_phase.set_query_dispatcher(Counted::new(DefaultQueryDispatcher, &counts));
            }
        }
        self.simulate(setup, &counts)
    }

    fn simulate(self, mut setup: Setup, counts: &Counts) -> Outcome {
        let steps = self.seconds * RATE;
        let places = |setup: &Setup| -> Vec<Vector> {
            let place = |&handle: &RigidBodyHandle| setup.world.bodies[handle].translation();
            setup.bodies.iter().map(place).collect()
        };
        let first = places(&setup);
        let mut late = first.clone();
        let mut outcome = Outcome {
            drift: 0.0,
            sunk: 0.0,
            depth: [0.0; 2],
            kinetic: [kinetic(&setup), 0.0],
            is_finite: true,
            wall: Duration::ZERO,
            totals: Totals::default(),
            steps,
        };
        for step in 0..steps {
            let begin = Instant::now();
            setup.world.step();
            outcome.wall += begin.elapsed();
            if step + steps / 6 == steps {
                late = places(&setup);
            }
            let depth = deepest(&setup.world);
            outcome.depth[0] = outcome.depth[0].max(depth);
            if step + steps / 6 >= steps {
                outcome.depth[1] = outcome.depth[1].max(depth);
            }
            outcome.is_finite &= places(&setup).iter().all(|x| x.is_finite());
        }
        let last = places(&setup);
        outcome.kinetic[1] = kinetic(&setup);
        outcome.totals = counts.totals();
        let across = |x: Vector| Vector::new(x.x, 0.0, x.z).length();
        let worst = |lengths: &mut dyn Iterator<Item = f32>| lengths.fold(0.0, f32::max);
        let pairs = |from: &[Vector]| -> Vec<Vector> {
            last.iter().zip(from).map(|(to, from)| to - from).collect()
        };
        let (whole, end) = (pairs(&first), pairs(&late));
        (outcome.drift, outcome.sunk) = match self.scene {
            Scene::Stack => (
                worst(&mut whole.iter().map(|&way| across(way))),
                worst(&mut whole.iter().map(|way| -way.y)),
            ),
            Scene::Heap => (
                worst(&mut end.iter().map(|way| way.length())),
                lowest(&setup),
            ),
            Scene::Wheel => (
                worst(&mut whole.iter().map(|way| way.z.abs())),
                worst(&mut whole.iter().map(|way| -way.y)),
            ),
        };
        outcome
    }
}

/// How far the lowest body reaches below the floor.
fn lowest(setup: &Setup) -> f32 {
    let colliders = setup
        .bodies
        .iter()
        .flat_map(|&handle| setup.world.bodies[handle].colliders());
    let reach = |&handle: &ColliderHandle| -setup.world.colliders[handle].compute_aabb().mins.y;
    colliders.map(reach).fold(0.0, f32::max)
}

fn kinetic(setup: &Setup) -> f32 {
    let energy = |&handle: &RigidBodyHandle| setup.world.bodies[handle].kinetic_energy();
    setup.bodies.iter().map(energy).sum()
}

/// The deepest overlap of two bodies that rapier knows to be near.
fn deepest(world: &PhysicsWorld) -> f32 {
    let depth = |pair: &ContactPair| {
        let (a, b) = (
            &world.colliders[pair.collider1],
            &world.colliders[pair.collider2],
        );
        let pos12 = a.position().inv_mul(b.position());
        let found = GjkDispatcher.contact(&pos12, a.shape(), b.shape(), 0.0);
        found.ok().flatten().map_or(0.0, |contact| -contact.dist)
    };
    world.contact_pairs().map(depth).fold(0.0, f32::max)
}
