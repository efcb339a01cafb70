//! Cases of motions as query lines.

use super::tois::Spin;
use super::{MotionCase, MotionFamily};
use crate::Space;
use crate::case::Body;
use gjk::query::{Start, Touch};
use gjk_scene::{
    AngularSpec, BodyMotionSpec, InterpolationSpec, MotionQuerySpec, MoverSpec, MovingBodySpec,
    RaySpec, ScalarKind, StartSpec, TouchSpec, TurningBodySpec, TwistSpec, VelocitySpec,
};

/// A body that turns, as a query line has it.
fn turning(space: Space, body: &Body, velocity: [f64; 3], spin: Spin) -> TurningBodySpec {
    let cut = |p: [f64; 3]| p[..space.dim].to_vec();
    let center = Some(cut(spin.center));
    let motion = match spin.goal {
        Some(goal) => TwistSpec::To {
            to: goal.spec(space.dim),
            rotation: Some(InterpolationSpec::Nlerp),
            center,
        },
        None => TwistSpec::Constant {
            velocity: Some(cut(velocity)),
            angular: Some(if space.dim == 2 {
                AngularSpec::Planar(spin.angular[2])
            } else {
                AngularSpec::Spatial(spin.angular)
            }),
            center,
        },
    };
    TurningBodySpec {
        body: body.spec(space.dim),
        motion: Some(BodyMotionSpec::Twist(motion)),
    }
}

/// A body of a time of impact, as a query line has it.
fn toi_body(space: Space, case: &MotionCase, k: usize) -> TurningBodySpec {
    let (body, spins) = (&case.bodies[k], case.spins.unwrap_or_default());
    let ends = case.ends.as_ref().map(|ends| &ends[k]);
    let Some(ends) = ends.filter(|ends| !ends.is_empty()) else {
        return turning(space, body, case.velocities[k], spins[k]);
    };
    let vertices = ends.iter().map(|x| x[..space.dim].to_vec()).collect();
    TurningBodySpec {
        body: body.spec(space.dim),
        motion: Some(BodyMotionSpec::Vertices { vertices }),
    }
}

/// The case as a query line.
pub(super) fn spec(space: Space, case: &MotionCase, number: u64, message: &str) -> MotionQuerySpec {
    let cut = |p: [f64; 3]| p[..space.dim].to_vec();
    let scalar = if space.single {
        ScalarKind::F32
    } else {
        ScalarKind::F64
    };
    let family = case.family.name();
    let id = format!("{family}-{}d-{}-{number}", space.dim, space.scalar());
    let [a, b] = &case.bodies;
    let moving = |body: &Body, velocity: [f64; 3]| MovingBodySpec {
        body: body.spec(space.dim),
        motion: Some(VelocitySpec {
            velocity: cut(velocity),
        }),
    };
    let [from, to] = case.velocities;
    let mover = match case.family {
        MotionFamily::Rays | MotionFamily::SmoothRays | MotionFamily::BrinkRays => MoverSpec::Ray {
            a: a.spec(space.dim),
            ray: RaySpec {
                origin: cut(b.points.first().copied().unwrap_or_default()),
                direction: cut(to),
            },
        },
        MotionFamily::Tois | MotionFamily::Vertices | MotionFamily::BrinkTois => MoverSpec::Toi {
            a: Box::new(toi_body(space, case, 0)),
            b: Box::new(toi_body(space, case, 1)),
        },
        MotionFamily::Casts | MotionFamily::BrinkCasts => MoverSpec::Cast {
            a: moving(a, from),
            b: moving(b, to),
        },
    };
    let mut spec = MotionQuerySpec::new(id, space.dim, scalar, mover);
    spec.options.max_time = case.max_time;
    spec.options.distance = Some(case.distance).filter(|&x| x > 0.0);
    spec.options.start = match case.start {
        Start::Approach => Some(StartSpec::Approach),
        Start::Exit => Some(StartSpec::Exit),
        _ => None,
    };
    spec.options.touch = (case.touch == Touch::Passes).then_some(TouchSpec::Passes);
    spec.note = Some(message.to_owned());
    spec.source = Some("gjk fuzz".to_owned());
    spec
}
