//! Says what a fuzz input means, and runs it: `cargo run --example show -- TARGET FILE…`.

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let Some((_, run, describe)) = gjk_fuzz::TARGETS
        .into_iter()
        .find(|(target, ..)| *target == name)
    else {
        eprintln!("usage: show TARGET FILE…, TARGET one of readers, hull, ladder, queries");
        std::process::exit(2);
    };
    for file in arguments {
        match std::fs::read(&file) {
            Ok(bytes) => {
                println!("{}", describe(&bytes));
                run(&bytes);
            }
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
}
