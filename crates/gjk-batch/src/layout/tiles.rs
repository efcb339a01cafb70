//! The poses' rows again, as columns: what lanes load without a shuffle where pairs name poses in a row.
//!
//! Where it sits: `bodies.rs` stores every pose here, `lanes/load.rs` reads. Rows are read by pairs that name poses in any
//! order; but most batches are filled a pair at a time, so that lanes want poses `p, p + 2, …`, or `p, p + 1, …`. Of every second
//! pose each number's column is a piece of memory; of all poses it is two pieces, turn by turn.

/// Poses a page.
const PAGE: usize = 128;
/// Poses that a run can reach beyond the page it begins in: 16 lanes, every second pose.
const OVER: usize = 32;

/// Even poses, or odd ones, of a column.
const HALF: usize = (PAGE + OVER) / 2;

/// Columns of [`PAGE`] poses and of the first [`OVER`] of the next page, so that every run is in the page where it begins. Each is
/// that of the even poses, then that of the odd ones, and begins with a cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Page<T, const N: usize> {
    columns: [[[T; HALF]; 2]; N],
}

/// All pages of rows of `N` numbers.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T, const N: usize>(Vec<Page<T, N>>);

impl<T, const N: usize> Default for Pages<T, N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy + Default, const N: usize> Pages<T, N> {
    /// Stores a pose's row.
    pub(crate) fn put(&mut self, at: usize, row: &[T; N]) {
        let (page, slot) = (at / PAGE, at % PAGE);
        while self.0.len() <= page {
            self.0.push(Page {
                columns: [[[T::default(); HALF]; 2]; N],
            });
        }
        self.write(page, slot, row);
        if page > 0 && slot < OVER {
            self.write(page - 1, PAGE + slot, row);
        }
    }

    fn write(&mut self, page: usize, slot: usize, row: &[T; N]) {
        for (column, &value) in self.0[page].columns.iter_mut().zip(row) {
            column[slot % 2][slot / 2] = value;
        }
    }

    /// The columns from a pose on, [`OVER`] poses long.
    #[inline(always)]
    pub(crate) fn from(&self, pose: u32) -> Run<'_, T, N> {
        Run {
            page: &self.0[pose as usize / PAGE],
            slot: pose as usize % PAGE,
        }
    }
}

/// A piece of a page.
#[derive(Clone, Copy)]
pub(crate) struct Run<'p, T, const N: usize> {
    page: &'p Page<T, N>,
    slot: usize,
}

impl<'p, T, const N: usize> Run<'p, T, N> {
    /// Entries of a column, every second pose.
    #[inline(always)]
    pub(crate) fn second(self, column: usize, len: usize) -> &'p [T] {
        let (parity, from) = (self.slot % 2, self.slot % PAGE / 2);
        &self.page.columns[column][parity][from..from + len]
    }

    /// Entries of a column, every pose: the two that take turns.
    #[inline(always)]
    pub(crate) fn each(self, column: usize, len: usize) -> [&'p [T]; 2] {
        let (parity, from) = (self.slot % 2, self.slot % PAGE / 2);
        let [near, far] = [parity, 1 - parity].map(|turn| &self.page.columns[column][turn]);
        [
            &near[from..from + len],
            &far[from + parity..from + parity + len],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run has the rows' numbers wherever it begins.
    #[test]
    fn runs_are_rows() {
        let row = |at: usize| core::array::from_fn::<_, 16, _>(|k| (100 * at + k) as f32);
        let mut pages = Pages::default();
        for at in 0..3 * PAGE {
            pages.put(at, &row(at));
        }
        for at in 0..2 * PAGE {
            let run = pages.from(at as u32);
            for column in [0, 7, 15] {
                let expected: Vec<f32> = (0..16).map(|k| row(at + 2 * k)[column]).collect();
                assert_eq!(run.second(column, 16), expected, "from {at}");
                let [near, far] = run.each(column, 16);
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
