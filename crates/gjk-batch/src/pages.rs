//! The poses' `f32` rows again, as columns: what lanes load without a shuffle where pairs name poses in a row.
//!
//! Where it sits: `bodies.rs` stores every pose here, `lanes/load.rs` reads. Rows are read by pairs that name poses in any
//! order; but most batches are filled a pair at a time, so that lanes want poses `p, p + 1, …` or `p, p + 2, …`. Of such a run
//! every number's column is a piece of memory.

/// Poses a page.
const PAGE: usize = 128;
/// Poses that a run can reach beyond the page it begins in: 16 lanes, every second pose.
const OVER: usize = 32;

/// Columns of [`PAGE`] poses and of the first [`OVER`] of the next page, so that every run is in the page where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    columns: [[f32; PAGE + OVER]; 16],
}

/// All pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages(Vec<Page>);

impl Pages {
    /// Stores a pose's row.
    pub(crate) fn put(&mut self, at: usize, row: &[f32; 16]) {
        let (page, slot) = (at / PAGE, at % PAGE);
        while self.0.len() <= page {
            self.0.push(Page { columns: [[0.0; PAGE + OVER]; 16] });
        }
        self.write(page, slot, row);
        if page > 0 && slot < OVER {
            self.write(page - 1, PAGE + slot, row);
        }
    }

    fn write(&mut self, page: usize, slot: usize, row: &[f32; 16]) {
        for (column, &value) in self.0[page].columns.iter_mut().zip(row) {
            column[slot] = value;
        }
    }

    /// The columns from a pose on, [`OVER`] poses long.
    #[inline(always)]
    pub(crate) fn from(&self, pose: u32) -> Run<'_> {
        Run { page: &self.0[pose as usize / PAGE], slot: pose as usize % PAGE }
    }
}

/// A piece of a page.
#[derive(Clone, Copy)]
pub(crate) struct Run<'p> {
    page: &'p Page,
    slot: usize,
}

impl<'p> Run<'p> {
    /// Entries of a column, `skip` poses on.
    #[inline(always)]
    pub(crate) fn column(self, column: usize, skip: usize, len: usize) -> &'p [f32] {
        let from = self.slot % PAGE + skip;
        &self.page.columns[column][from..from + len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run has the rows' numbers wherever it begins.
    #[test]
    fn runs_are_rows() {
        let row = |at: usize| core::array::from_fn(|k| (100 * at + k) as f32);
        let mut pages = Pages::default();
        for at in 0..3 * PAGE {
            pages.put(at, &row(at));
        }
        for at in 0..2 * PAGE {
            let run = pages.from(at as u32);
            for (column, skip) in [(0, 0), (15, 16), (7, 3)] {
                let expected: Vec<f32> = (0..16).map(|k| row(at + skip + k)[column]).collect();
                assert_eq!(run.column(column, skip, 16), expected, "from {at}");
            }
        }
    }
}
