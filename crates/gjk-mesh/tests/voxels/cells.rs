//! Solids of unit cells, of which everything is known by looking at the cells.

use gjk_mesh::Side;

/// Cells of a cube of this many to a side may be filled.
pub(crate) const SIZE: i32 = 3;

/// Filled cells.
#[derive(Clone, Debug)]
pub(crate) struct Cells(pub(crate) Vec<bool>);

impl Cells {
    pub(crate) fn random(random: &mut fastrand::Rng) -> Self {
        let share = random.f64();
        let cells = SIZE * SIZE * SIZE;
        if random.usize(..4) > 0 {
            return Self((0..cells).map(|_| random.f64() < share).collect());
        }
        // The middle is a cavity, unless the one other empty cell is beside it.
        let other = random.i32(0..cells);
        Self((0..cells).map(|k| k != cells / 2 && k != other).collect())
    }

    pub(crate) fn is_filled(&self, [x, y, z]: [i32; 3]) -> bool {
        let inside = [x, y, z].iter().all(|c| (0..SIZE).contains(c));
        inside && self.0[(x + SIZE * (y + SIZE * z)) as usize]
    }

    pub(crate) fn all() -> impl Iterator<Item = [i32; 3]> {
        (0..SIZE * SIZE * SIZE).map(|k| [k % SIZE, k / SIZE % SIZE, k / (SIZE * SIZE)])
    }

    /// The faces between a filled and an empty cell, each cut along one of its diagonals, facing outward.
    pub(crate) fn surface(&self, random: &mut fastrand::Rng) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for cell in Self::all().filter(|&cell| self.is_filled(cell)) {
            for axis in 0..3 {
                for up in [false, true] {
                    let mut beside = cell;
                    beside[axis] += if up { 1 } else { -1 };
                    if self.is_filled(beside) {
                        continue;
                    }
                    let mut corner = cell;
                    corner[axis] += i32::from(up);
                    let mut ring = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[u, v]| {
                        let mut at = corner;
                        at[(axis + 1) % 3] += u;
                        at[(axis + 2) % 3] += v;
                        at
                    });
                    if !up {
                        ring.reverse();
                    }
                    ring.rotate_left(random.usize(..4));
                    let base = vertices.len() as u32;
                    vertices.extend(ring.map(|at| at.map(f64::from)));
                    triangles.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
                }
            }
        }
        random.shuffle(&mut triangles);
        (vertices, triangles)
    }

    /// Where a point with halves for coordinates is: by the cells that it is in or between.
    pub(crate) fn side(&self, doubled: [i32; 3]) -> Side {
        let around = |x: i32| {
            if x % 2 == 0 {
                vec![x / 2 - 1, x / 2]
            } else {
                vec![x.div_euclid(2)]
            }
        };
        let mut filled = Vec::new();
        for x in around(doubled[0]) {
            for y in around(doubled[1]) {
                for z in around(doubled[2]) {
                    filled.push(self.is_filled([x, y, z]));
                }
            }
        }
        match (filled.contains(&true), filled.contains(&false)) {
            (true, false) => Side::Inside,
            (false, _) => Side::Outside,
            (true, true) => Side::Boundary,
        }
    }

    /// Sets of empty cells that faces connect and that reach no cell outside, or of filled cells: counted by flooding.
    pub(crate) fn flooded(&self, filled: bool) -> usize {
        let range = -1..=SIZE;
        let mut left: Vec<[i32; 3]> = Vec::new();
        for z in range.clone() {
            for y in range.clone() {
                left.extend(range.clone().map(|x| [x, y, z]));
            }
        }
        left.retain(|&cell| self.is_filled(cell) == filled);
        let mut sets = 0;
        while let Some(first) = left.pop() {
            sets += 1;
            let mut stack = vec![first];
            while let Some(cell) = stack.pop() {
                let apart =
                    |other: &[i32; 3]| (0..3).map(|k| (cell[k] - other[k]).abs()).sum::<i32>();
                let (near, far) = left.iter().partition(|&other| apart(other) == 1);
                (stack, left) = ([stack, near].concat(), far);
            }
        }
        sets
    }
}
