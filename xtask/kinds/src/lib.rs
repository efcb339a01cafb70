//! The library's answers to the corpus and to seeded pairs of every kind, as hashes of their bits.
//!
//! Where it sits: a net under `gjk` and `gjk-batch`. The test beside this crate compares [`rows`] with
//! `corpus/kinds.hashes.txt` on this machine; `cargo xtask hashes` does so on every target, by the program `answers`.
//! Idea: a row is a kind of pair, a space, a scalar, a profile and a way of calling, so that a difference names what changed.
//! Read [`rows`] first; `pairs.rs` makes the pairs from numbers alone, `library.rs` has every call of the library.
//!
//! Numbers: the pairs use only `+ - * /` and square roots, so that they have the same bits on every target.

mod compare;
mod files;
mod forms;
mod library;
mod pairs;
mod random;
mod table;

pub use compare::differences;
pub use table::Table;

use gjk::{Vec2, Vec3};
use gjk_query::convert::Space;
use gjk_scene::{QuerySpec, ScalarKind, read_query_line};
use library::Track;
use pairs::{KINDS, Kind};
use rayon::prelude::*;
use std::io;
use std::path::Path;

/// The kind of the pairs that the corpus has.
const CORPUS: &str = "corpus";

/// The rows of all pairs; `corpus` is the text of all corpus files, one after the other.
///
/// # Errors  a batch whose answers depend on the order of its pairs or on the width of its lanes.
pub fn rows(corpus: &[u8], mut table: Table) -> Result<Table, String> {
    let queries: Vec<QuerySpec> = corpus
        .split(|&byte| byte == b'\n')
        .zip(1..)
        .filter_map(|(line, number)| read_query_line(line, number))
        .filter_map(|line| line.query.ok())
        .collect();
    add_space::<Vec3<f64>>("3d f64", 3, &queries, &mut table)?;
    add_space::<Vec3<f32>>("3d f32", 3, &queries, &mut table)?;
    add_space::<Vec2<f64>>("2d f64", 2, &queries, &mut table)?;
    add_space::<Vec2<f32>>("2d f32", 2, &queries, &mut table)?;
    Ok(table)
}

/// The text of all corpus files in the order of their paths.
///
/// # Errors  those of reading.
pub fn corpus(folder: &Path) -> io::Result<Vec<u8>> {
    files::text(folder)
}

/// The rows of one space and scalar.
fn add_space<V: Space>(
    space: &str,
    dimension: u32,
    queries: &[QuerySpec],
    table: &mut Table,
) -> Result<(), String> {
    let single = size_of::<V::Scalar>() == 4;
    let of_the_corpus = queries
        .iter()
        .filter(|spec| spec.dim == dimension as usize && (spec.scalar == ScalarKind::F32) == single)
        .filter_map(Track::<V>::of_query)
        .collect();
    let mut groups: Vec<(&str, Vec<Track<V>>)> = vec![(CORPUS, of_the_corpus)];
    for kind in KINDS.iter().filter(|kind| kind.dimension == dimension) {
        groups.push((kind.name, seeded(kind)));
    }
    let empty = table.empty();
    let of_group = |(name, tracks): &(&str, Vec<Track<V>>)| {
        let (row, mut own) = (format!("{name} {space}"), empty.clone());
        library::add_single(&row, tracks, &mut own);
        library::add_batch(&row, tracks, &mut own)?;
        Ok(own)
    };
    // In their order, on as many threads as there are.
    let tables: Result<Vec<Table>, String> = groups.par_iter().map(of_group).collect();
    for own in tables? {
        table.append(own);
    }
    library::check_mixed(space, &groups)
}

/// The pairs of a kind.
fn seeded<V: Space>(kind: &Kind) -> Vec<Track<V>> {
    (0..pairs::PAIRS)
        .map(|index| Track::of_numbers(&pairs::pair(kind, index)))
        .collect()
}
