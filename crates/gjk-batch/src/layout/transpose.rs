//! Lanes from rows: each lane's body is a row of memory, and rows become columns in registers.
//!
//! Pairs name poses in any order. A load a number and lane would be some thirty scalar loads and stores a body, and a wide load
//! of what was just stored lane by lane waits for all those stores. Here a body's row is loaded whole, and [`columns`] turns
//! as many rows as there are lanes with shuffles alone. Boxes whose poses follow each other are loaded as columns from the start:
//! see `tiles.rs`.
use crate::simd::F64s;
use fearless_simd::{Simd, prelude::*};

/// One perfect shuffle of `N` vectors as one array: the first half's elements go between the second half's.
///
/// With `(i, j)` the bits of a row and a column, an element's address `ij` is rotated left by one bit. After as many shuffles
/// as `i` has bits it is `ji`: the transpose.
#[inline(always)]
fn shuffle<S: Simd, F: SimdFloat<S>, const N: usize>(vectors: &[F; N]) -> [F; N] {
    let mut shuffled = *vectors;
    for i in 0..N / 2 {
        (shuffled[2 * i], shuffled[2 * i + 1]) = vectors[i].interleave(vectors[i + N / 2]);
    }
    shuffled
}

/// The columns of the rows that `row` has for the lanes; a row is not shorter than a vector.
#[inline(always)]
pub(crate) fn columns<'r, S, F, const N: usize>(
    simd: S,
    row: impl Fn(usize) -> &'r [F::Element; N],
) -> [F; N]
where
    S: Simd,
    F: SimdFloat<S>,
    F::Element: 'r,
{
    let mut vectors = [F::splat(simd, F::Element::from(0i8)); N];
    let parts = N / F::LEN;
    for lane in 0..F::LEN {
        let row = row(lane);
        for part in 0..parts {
            vectors[lane * parts + part] =
                F::from_slice(simd, &row[part * F::LEN..(part + 1) * F::LEN]);
        }
    }
    transposed(vectors)
}

/// The columns of the products, entry by entry, of two rows a lane.
#[inline(always)]
pub(crate) fn products<'r, S: Simd>(
    simd: S,
    rows: impl Fn(usize) -> [&'r [f64; 8]; 2],
) -> [F64s<S>; 8] {
    let mut vectors = [F64s::<S>::splat(simd, 0.0); 8];
    let parts = 8 / F64s::<S>::LEN;
    for lane in 0..F64s::<S>::LEN {
        let rows = rows(lane);
        for part in 0..parts {
            let range = part * F64s::<S>::LEN..(part + 1) * F64s::<S>::LEN;
            let a = F64s::<S>::from_slice(simd, &rows[0][range.clone()]);
            vectors[lane * parts + part] = a * F64s::<S>::from_slice(simd, &rows[1][range]);
        }
    }
    transposed(vectors)
}

/// The transpose of as many rows as there are lanes.
#[inline(always)]
pub(crate) fn transposed<S: Simd, F: SimdFloat<S>, const N: usize>(mut vectors: [F; N]) -> [F; N] {
    let mut rows = 1;
    while rows < F::LEN {
        vectors = shuffle(&vectors);
        rows *= 2;
    }
    vectors
}

/// The first three columns of rows of four.
#[inline(always)]
pub(crate) fn thirds<S: Simd>(simd: S, rows: &[f32]) -> [S::f32s; 3] {
    let n = S::f32s::LEN;
    let part = |k: usize| &rows[k * n..(k + 1) * n];
    let (v0, v1) = (
        S::f32s::from_slice(simd, part(0)),
        S::f32s::from_slice(simd, part(1)),
    );
    let (v2, v3) = (
        S::f32s::from_slice(simd, part(2)),
        S::f32s::from_slice(simd, part(3)),
    );
    let (even, last) = (v0.unzip_low(v1), v2.unzip_low(v3));
    let odd = v0.unzip_high(v1).unzip_low(v2.unzip_high(v3));
    [even.unzip_low(last), odd, even.unzip_high(last)]
}
