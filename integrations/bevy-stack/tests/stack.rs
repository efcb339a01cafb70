//! The app without a window, for 10 s of simulated time.

use bevy::prelude::*;
use bevy_stack::{BOXES, Impulses, StackPlugin};

#[test]
fn the_stack_stands() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StackPlugin));
    let mut new_points = 0;
    for step in 0..600 {
        app.update();
        let impulses = app.world().resource::<Impulses>();
        assert!(impulses.points >= 4 * BOXES, "{}", impulses.points);
        if step > 120 {
            new_points += impulses.new_points;
        }
    }
    let world = app.world_mut();
    let mut places = world.query::<&Transform>();
    let (mut top, mut aside) = (0.0f32, 0.0f32);
    for place in places.iter(world) {
        let [x, y, z] = place.translation.to_array();
        assert!(place.is_finite());
        (top, aside) = (top.max(y), aside.max(x.hypot(z)));
    }
    // Each contact may keep a depth of half a millimetre.
    assert!((top - (BOXES as f32 - 0.5)).abs() < 0.015, "{top}");
    assert!(aside < 0.005, "{aside}");
    // Of 40 points in each of 479 steps.
    assert!(new_points < 40, "{new_points}");
}
