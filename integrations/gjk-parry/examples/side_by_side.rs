//! The scenes by contacts of gjk and of parry, one after the other, and a table of what came of them.
//!
//! `cargo run --release --example side_by_side -- [SECONDS] [SCENE]…`: 60 seconds of every scene unless others are named.

mod scenes;

use scenes::{Contacts, Outcome, RATE, Run, Scene};

const SECONDS: u32 = 60;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let seconds = words.iter().find_map(|word| word.parse().ok());
    let seconds: u32 = seconds.unwrap_or(SECONDS);
    let named: Vec<Scene> = Scene::ALL
        .into_iter()
        .filter(|scene| words.iter().any(|word| word == scene.name()))
        .collect();
    let chosen = if named.is_empty() {
        Scene::ALL.to_vec()
    } else {
        named
    };
    println!(
        "{seconds} s at {RATE} Hz; 20 boxes, 80 hulls, a wheel; lengths in mm, energy in J, times in µs a step"
    );
    println!(
        "| scene | recycled | contacts |  drift |   sunk |  depth |  at rest | kinetic from → to |  step | in contacts | warm starts lost |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for scene in chosen {
        for recycling in [true, false] {
            for contacts in [Contacts::Gjk, Contacts::Parry] {
                let run = Run {
                    scene,
                    contacts,
                    seconds,
                    recycling,
                };
                println!("{}", row(run, &run.outcome()));
            }
        }
    }
}

fn row(run: Run, outcome: &Outcome) -> String {
    let name = match run.contacts {
        Contacts::Gjk => "gjk",
        Contacts::Parry => "parry",
    };
    let recycled = if run.recycling { "yes" } else { "no" };
    let [depth, resting] = outcome.depth;
    let [drift, sunk, depth, resting] =
        [outcome.drift, outcome.sunk, depth, resting].map(|x| format!("{:.2}", 1e3 * x));
    let kinetic = outcome.kinetic.map(|x| format!("{x:.3}"));
    let steps = f64::from(outcome.steps.max(1));
    let step = outcome.wall.as_secs_f64() * 1e6 / steps;
    let within = outcome.totals.nanoseconds as f64 * 1e-3 / steps;
    let (carried, lost) = (outcome.totals.carried, outcome.totals.lost);
    let warm = if carried == 0 {
        "-".to_owned()
    } else {
        format!("{lost} of {carried}")
    };
    let finite = if outcome.is_finite {
        ""
    } else {
        "  NOT FINITE"
    };
    format!(
        "| {:<5} | {recycled:<8} | {name:<8} | {drift:>6} | {sunk:>6} | {depth:>6} | {resting:>8} | {:>7} → {:<7} | {step:>5.0} | {within:>11.0} | {warm}{finite} |",
        run.scene.name(),
        kinetic[0],
        kinetic[1],
    )
}
