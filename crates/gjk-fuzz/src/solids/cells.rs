//! Solids made of cells of a grid: everything about them is known by looking at the cells.
//!
//! Idea: the surface of a set of cells is its faces to empty cells. Two sets share faces, edges and corners in every way, with edges and
//! corners that four and more triangles share, cavities and several pieces, and sets of cells say how the solids are to each
//! other. Each axis may be stretched by any rising numbers, and all axes sheared by whole ones: that changes no relation.

use crate::Rng;

/// Cells per axis, at most.
pub const SIZE: i32 = 3;

/// Filled cells of a cube of some cells to a side.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    side: i32,
    filled: Vec<bool>,
}

/// A point of the grid.
type Node = [i32; 3];

/// A surface: vertices, and triangles as their indices, seen counter-clockwise from outside.
pub type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

impl Cells {
    /// The cells of a cube that a rule fills.
    pub fn new(side: i32, filled: impl FnMut(Node) -> bool) -> Self {
        let filled = all(side).map(filled).collect();
        Self { side, filled }
    }

    /// A random set of a cube with so many cells to a side at most: of some density, in all of the cube or in a plate or a row of it; in the largest cubes also all but the middle and one
    /// other, so that there is a cavity or a bay.
    pub fn random(random: &mut Rng, largest: i32) -> Self {
        if largest == SIZE && random.one_in(4) {
            let other = random.below(27);
            let number = |[x, y, z]: Node| (x + SIZE * (y + SIZE * z)) as u64;
            return Self::new(SIZE, |cell| cell != [1; 3] && number(cell) != other);
        }
        let (side, share) = (random.int(2, i64::from(largest)) as i32, random.unit());
        let reach = [0; 3].map(|_| random.int(1, i64::from(side)) as i32);
        let is_in_reach = |cell: Node| (0..3).all(|k| cell[k] < reach[k]);
        Self::new(side, |cell| is_in_reach(cell) && random.unit() < share).or_one(random)
    }

    /// The same, or one cell where none is filled.
    pub fn or_one(mut self, random: &mut Rng) -> Self {
        if self.is_empty() {
            let one = random.below(self.filled.len() as u64);
            self.filled[one as usize] = true;
        }
        self
    }

    /// All cells of the cube, filled or not.
    pub fn all(&self) -> impl Iterator<Item = Node> + use<> {
        all(self.side)
    }

    /// Whether a cell is filled. None outside of the cube is.
    pub fn is_filled(&self, [x, y, z]: Node) -> bool {
        let inside = [x, y, z].iter().all(|c| (0..self.side).contains(c));
        inside && self.filled[(x + self.side * (y + self.side * z)) as usize]
    }

    /// Whether no cell is.
    pub fn is_empty(&self) -> bool {
        !self.filled.contains(&true)
    }

    /// The faces between a filled and an empty cell, each cut along a diagonal or from its middle, facing outward. `place` says where
    /// points of the grid are; coordinates of middles are doubled.
    pub fn surface(&self, random: &mut Rng, place: impl Fn([i32; 3]) -> [f64; 3]) -> Surface {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for cell in self.all().filter(|&cell| self.is_filled(cell)) {
            for (ring, beside) in faces(cell) {
                if self.is_filled(beside) {
                    continue;
                }
                let base = vertices.len() as u32;
                let first = random.below(4) as usize;
                let corner = |k: usize| ring[(k + first) % 4].map(|x| 2 * x);
                vertices.extend((0..4).map(|k| place(corner(k))));
                if random.one_in(5) {
                    let [a, c] = [corner(0), corner(2)];
                    vertices.push(place(core::array::from_fn(|k| (a[k] + c[k]) / 2)));
                    let fan = (0..4).map(|k| [base + k, base + (k + 1) % 4, base + 4]);
                    triangles.extend(fan);
                } else {
                    triangles.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
                }
            }
        }
        // Fisher and Yates.
        for k in (1..triangles.len()).rev() {
            triangles.swap(k, random.below(k as u64 + 1) as usize);
        }
        (vertices, triangles)
    }

    /// How many sets of cells faces connect: of filled ones, or of empty ones, the outside among them.
    pub fn flooded(&self, filled: bool) -> usize {
        let range = || -1..=self.side;
        let mut left: Vec<Node> = Vec::new();
        for z in range() {
            for y in range() {
                left.extend(range().map(|x| [x, y, z]));
            }
        }
        left.retain(|&cell| self.is_filled(cell) == filled);
        let mut sets = 0;
        while let Some(first) = left.pop() {
            sets += 1;
            let mut stack = vec![first];
            while let Some(cell) = stack.pop() {
                let apart = |other: &Node| (0..3).map(|k| (cell[k] - other[k]).abs()).sum::<i32>();
                let (near, far): (Vec<Node>, Vec<Node>) =
                    left.iter().partition(|&other| apart(other) == 1);
                stack.extend(near);
                left = far;
            }
        }
        sets
    }
}

fn all(side: i32) -> impl Iterator<Item = Node> {
    (0..side * side * side).map(move |k| [k % side, k / side % side, k / (side * side)])
}

/// The six faces of a cell, counter-clockwise seen from outside, each with the cell beyond it.
fn faces(cell: Node) -> impl Iterator<Item = ([Node; 4], Node)> {
    (0..6).map(move |face| {
        let (axis, up) = (face / 2, face % 2 == 1);
        let mut beside = cell;
        beside[axis] += if up { 1 } else { -1 };
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
        (ring, beside)
    })
}
