//! The stack for some seconds without a window: `cargo run --release -p bevy-stack -- [SECONDS]`.

use bevy::prelude::*;
use bevy_stack::{BOXES, Impulses, Motion, STEP, StackPlugin};

fn main() {
    let seconds = std::env::args().nth(1).and_then(|word| word.parse().ok());
    let seconds: f32 = seconds.unwrap_or(60.0);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StackPlugin));
    let steps = (seconds / STEP).round() as u32;
    println!("{BOXES} boxes");
    println!("   s   top, m   aside, mm   speed, mm/s   points   of them new");
    for step in 0..=steps {
        app.update();
        if step % (steps / 6).max(1) != 0 {
            continue;
        }
        let world = app.world_mut();
        let mut bodies = world.query::<(&Transform, &Motion)>();
        let (mut top, mut aside, mut speed) = (0.0f32, 0.0f32, 0.0f32);
        for (place, motion) in bodies.iter(world) {
            let [x, y, z] = place.translation.to_array();
            (top, aside) = (top.max(y), aside.max(x.hypot(z)));
            speed = speed.max(motion.velocity.length());
        }
        let impulses = world.resource::<Impulses>();
        let time = step as f32 * STEP;
        println!(
            "{time:>4.0} {top:>8.4} {:>11.3} {:>13.4} {:>8} {:>15}",
            1e3 * aside,
            1e3 * speed,
            impulses.points,
            impulses.new_points
        );
    }
}
