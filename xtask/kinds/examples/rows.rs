//! The rows as they are now, or each pair's words: `rows [NAME]`, where NAME starts the rows wanted, such as
//! "box-box 3d f64 fast". Two outputs, compared line by line, show which pairs changed.

#![allow(clippy::print_stdout)] // the rows are its output

use kinds::{Table, rows};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let corpus = kinds::corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"))?;
    match std::env::args().nth(1) {
        Some(name) => {
            for detail in rows(&corpus, Table::watching(&name))?.details {
                println!("{detail}");
            }
        }
        None => print!("{}", rows(&corpus, Table::default())?.text()),
    }
    Ok(())
}
