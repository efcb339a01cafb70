//! Poses once more in tiles of columns (an array of structures of arrays): lanes load them without a shuffle where pairs name
//! poses in a row.
//!
//! Where it sits: `poses.rs` stores every pose here too; `posed.rs` and `box_lanes.rs` load from it. Rows serve pairs that name
//! poses in any order, but most batches are filled a pair at a time, so that lanes want poses `p, p + 1, …` or `p, p + 2, …`. A
//! column is split into even and odd poses: stride 2 is one contiguous load, and stride 1 is two loads that are interleaved.

/// Poses a tile.
const TILE_POSES: usize = 128;
/// Poses that a load can reach beyond the tile in which it begins: 16 lanes at stride 2.
const TILE_OVERLAP: usize = 32;

/// Even poses, or odd ones, of a column.
const HALF: usize = (TILE_POSES + TILE_OVERLAP) / 2;

/// Columns of [`TILE_POSES`] poses and of the first [`TILE_OVERLAP`] of the next tile, so that every load is within one tile.
/// Each is that of the even poses, then that of the odd ones, and begins with a cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Tile<T, const N: usize> {
    columns: [[[T; HALF]; 2]; N],
}

/// All tiles of rows of `N` numbers.
#[derive(Clone, Debug)]
pub(crate) struct Tiles<T, const N: usize>(Vec<Tile<T, N>>);

impl<T, const N: usize> Default for Tiles<T, N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy + Default, const N: usize> Tiles<T, N> {
    /// Stores a pose's row.
    pub(crate) fn put(&mut self, at: usize, row: &[T; N]) {
        let (tile, slot) = (at / TILE_POSES, at % TILE_POSES);
        while self.0.len() <= tile {
            self.0.push(Tile {
                columns: [[[T::default(); HALF]; 2]; N],
            });
        }
        self.write(tile, slot, row);
        if tile > 0 && slot < TILE_OVERLAP {
            self.write(tile - 1, TILE_POSES + slot, row);
        }
    }

    fn write(&mut self, tile: usize, slot: usize, row: &[T; N]) {
        for (column, &value) in self.0[tile].columns.iter_mut().zip(row) {
            column[slot % 2][slot / 2] = value;
        }
    }

    /// The columns from a pose on, [`TILE_OVERLAP`] poses long.
    #[inline(always)]
    pub(crate) fn from(&self, pose: u32) -> TileSlice<'_, T, N> {
        TileSlice {
            tile: &self.0[pose as usize / TILE_POSES],
            slot: pose as usize % TILE_POSES,
        }
    }
}

/// The part of a tile from a pose on.
#[derive(Clone, Copy)]
pub(crate) struct TileSlice<'p, T, const N: usize> {
    tile: &'p Tile<T, N>,
    slot: usize,
}

impl<'p, T, const N: usize> TileSlice<'p, T, N> {
    /// Entries of a column at stride 2.
    #[inline(always)]
    pub(crate) fn stride2(self, column: usize, len: usize) -> &'p [T] {
        let (parity, from) = (self.slot % 2, self.slot % TILE_POSES / 2);
        &self.tile.columns[column][parity][from..from + len]
    }

    /// Entries of a column at stride 1: the two parts that take turns.
    #[inline(always)]
    pub(crate) fn stride1(self, column: usize, len: usize) -> [&'p [T]; 2] {
        let (parity, from) = (self.slot % 2, self.slot % TILE_POSES / 2);
        let [near, far] = [parity, 1 - parity].map(|turn| &self.tile.columns[column][turn]);
        [
            &near[from..from + len],
            &far[from + parity..from + parity + len],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A load has the rows' numbers wherever it begins.
    #[test]
    fn loads_are_rows() {
        let row = |at: usize| core::array::from_fn::<_, 16, _>(|k| (100 * at + k) as f32);
        let mut tiles = Tiles::default();
        for at in 0..3 * TILE_POSES {
            tiles.put(at, &row(at));
        }
        for at in 0..2 * TILE_POSES {
            let slice = tiles.from(at as u32);
            for column in [0, 7, 15] {
                let expected: Vec<f32> = (0..16).map(|k| row(at + 2 * k)[column]).collect();
                assert_eq!(slice.stride2(column, 16), expected, "from {at}");
                let [near, far] = slice.stride1(column, 16);
                let turns: Vec<f32> = near
                    .iter()
                    .zip(far)
                    .flat_map(|(&x, &y)| [x, y])
                    .take(16)
                    .collect();
                let expected: Vec<f32> = (0..16).map(|k| row(at + k)[column]).collect();
                assert_eq!(turns, expected, "from {at}");
            }
        }
    }
}
