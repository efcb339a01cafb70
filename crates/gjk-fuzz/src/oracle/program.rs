//! The second oracle: the relation by linear programming, in exact integers.
//!
//! Idea: the bodies meet when `Σ λ a = Σ μ b` has weights that each sum to one. They overlap when the cone of their
//! differences is the whole space: when `Σ λ a − Σ μ b = e` has weights of equal sums for `dim + 1` directions `e` that
//! positively span it. Each is a phase one of the simplex method; pivots are fraction-free, Bland's rule ends them.

use super::number::split;
use gjk::query::Verdict;
use gjk_exact::Int;
use std::cmp::Ordering;

/// The exact relation of two polytopes.
pub fn relation(dim: usize, a: &[[f64; 3]], b: &[[f64; 3]]) -> Verdict {
    let grid = a
        .iter()
        .chain(b)
        .flatten()
        .map(|&x| split(x).1)
        .min()
        .unwrap_or(0);
    let on = |x: f64| {
        let (mantissa, exponent) = split(x);
        if mantissa == 0 {
            Int::ZERO
        } else {
            Int::from(mantissa) << (exponent - grid) as usize
        }
    };
    // Rows: the coordinates, then one or two sums of weights.
    let columns = |sums: [[i8; 2]; 2], rows: usize| -> Vec<Vec<Int>> {
        let body = |points: &[[f64; 3]], minus: bool, sums: [i8; 2]| -> Vec<Vec<Int>> {
            let column = |p: &[f64; 3]| {
                let mut column: Vec<Int> = p[..dim]
                    .iter()
                    .map(|&x| if minus { -on(x) } else { on(x) })
                    .collect();
                column.extend(sums[..rows].iter().map(|&s| Int::from(s)));
                column
            };
            points.iter().map(column).collect()
        };
        let mut all = body(a, false, sums[0]);
        all.extend(body(b, true, sums[1]));
        all
    };
    let unit = |k: usize, len: usize| -> Vec<Int> {
        (0..len).map(|i| Int::from(u8::from(i == k))).collect()
    };
    let mut meeting = vec![Int::ZERO; dim];
    meeting.extend([Int::ONE, Int::ONE]);
    if !feasible(&columns([[1, 0], [0, 1]], 2), &meeting) {
        return Verdict::Separated;
    }
    let cone = columns([[1, 0], [-1, 0]], 1);
    let mut opposite = vec![-Int::ONE; dim];
    opposite.push(Int::ZERO);
    let spans = (0..dim).all(|k| feasible(&cone, &unit(k, dim + 1))) && feasible(&cone, &opposite);
    if spans {
        Verdict::Overlapping
    } else {
        Verdict::Touching
    }
}

/// Whether non-negative weights of the columns give the right-hand side.
fn feasible(columns: &[Vec<Int>], right: &[Int]) -> bool {
    let (rows, count) = (right.len(), columns.len());
    // A tableau over the common denominator `last`; row `rows` is the objective, column `count` the right-hand side.
    let mut table: Vec<Vec<Int>> = (0..rows)
        .map(|r| {
            let flip = right[r] < Int::ZERO;
            let entry = |x: &Int| if flip { -x } else { x.clone() };
            columns
                .iter()
                .map(|c| entry(&c[r]))
                .chain([entry(&right[r])])
                .collect()
        })
        .collect();
    table.push(
        (0..=count)
            .map(|c| -table.iter().map(|row| row[c].clone()).sum::<Int>())
            .collect(),
    );
    // Artificial variables are numbered after the columns.
    let mut basis: Vec<usize> = (count..count + rows).collect();
    let mut last = Int::ONE;
    loop {
        if table[rows][count].is_zero() {
            return true;
        }
        let Some(enter) = (0..count).find(|&c| table[rows][c] < Int::ZERO) else {
            return false;
        };
        let positive = (0..rows).filter(|&r| table[r][enter] > Int::ZERO);
        let ratio = |&r: &usize, &s: &usize| -> Ordering {
            let left = &table[r][count] * &table[s][enter];
            left.cmp(&(&table[s][count] * &table[r][enter]))
                .then(basis[r].cmp(&basis[s]))
        };
        let Some(leave) = positive.min_by(ratio) else {
            // The objective is bounded below by zero, so that this cannot be.
            return false;
        };
        pivot(&mut table, leave, enter, &mut last);
        basis[leave] = enter;
    }
}

fn pivot(table: &mut [Vec<Int>], leave: usize, enter: usize, last: &mut Int) {
    let own = table[leave].clone();
    let pivot = own[enter].clone();
    for (r, row) in table.iter_mut().enumerate() {
        if r == leave {
            continue;
        }
        let factor = row[enter].clone();
        for (x, own) in row.iter_mut().zip(&own) {
            *x = (&*x * &pivot - &factor * own) / &*last;
        }
    }
    *last = pivot;
}
