//! The lab's WebAssembly door: one request from standard input to its end, its response to standard output.
//!
//! Where it sits: `cargo xtask site` builds it, and `web/wasm.js` of `gjk-lab` runs it, an instance a request. Standard input
//! and output need no `unsafe`, which an interface of pointers does; `DESIGN.md` has the rest of the reasons.

use gjk_lab::{Environment, respond};
use std::io::{self, Read, Write};
use std::sync::LazyLock;
use std::time::Instant;

const ENVIRONMENT: Environment<'static> = Environment {
    clock: seconds,
    robot: None,
    meshes: None,
};

/// Since it was first asked.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

fn main() -> io::Result<()> {
    let mut request = String::new();
    io::stdin().lock().read_to_string(&mut request)?;
    io::stdout()
        .lock()
        .write_all(respond(&request, &ENVIRONMENT).as_bytes())
}
