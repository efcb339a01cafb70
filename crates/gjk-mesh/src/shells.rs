//! Shells: triangles that edges connect, whether they close, and which way they face.
//!
//! Idea: a set of triangles is the boundary of something exactly when it runs each edge as often one way as the other. Edges of
//! two triangles connect these. At an edge of more, shells meet: what two triangles elsewhere connect stays one shell, and is joined
//! to others only if it does not run this edge as often one way as the other by itself.

use crate::by_vertex;
use crate::signs::{Point, Triangle};
use core::cmp::Ordering;
use gjk_exact::number::{Double, Dyadic, Filter, Number, in_range};

/// A set of triangles that edges connect.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// Its first triangle.
    pub first: u32,
    /// How many triangles it has.
    pub triangles: usize,
    /// Edges of one triangle only.
    pub open_edges: usize,
    /// Edges of more triangles that are run more often one way than the other.
    pub unbalanced_edges: usize,
    /// An open edge, or else an unbalanced one, by its vertices.
    pub worst_edge: Option<[u32; 2]>,
    /// Triangles that faced another way than their neighbours in the input, and are turned. Where there are any the shell faces
    /// outward if it is closed.
    pub turned: usize,
    /// Which way a closed shell faces: greater outward, less inward (a cavity, or a shell inside out), equal for one that encloses no
    /// volume. `None` for a shell that is not closed.
    pub facing: Option<Ordering>,
}

impl Shell {
    /// Whether it runs each edge as often one way as the other.
    pub fn is_closed(&self) -> bool {
        self.worst_edge.is_none()
    }

    /// Counts an edge that it uses so often, so much more one way than the other.
    fn count(&mut self, edge: [u32; 2], balance: i64, uses: usize) {
        if balance == 0 {
            return;
        }
        if uses == 1 {
            if self.open_edges == 0 {
                self.worst_edge = Some(edge);
            }
            self.open_edges += 1;
        } else {
            self.unbalanced_edges += 1;
            self.worst_edge.get_or_insert(edge);
        }
    }
}

/// A triangle's use of an edge: the edge's vertices in order, whether it is run that way, and the triangle.
pub(crate) type EdgeUse = ([u32; 2], bool, u32);

/// The shells of triangles, and the shell of each triangle. Turns triangles that face another way than their neighbours.
pub(crate) fn find(vertices: &[Point], triangles: &mut [[u32; 3]]) -> (Vec<Shell>, Vec<u32>) {
    let mut uses = edge_uses(triangles, vertices.len());
    let mut sets = Sets::new(triangles.len());
    let turned = turned(&uses, &mut sets);
    if turned.contains(&true) {
        turn(triangles, |k| turned[k]);
        uses = edge_uses(triangles, vertices.len());
    }
    connect_at_fans(&uses, &mut sets);
    let (mut shells, shell_of) = numbered(&mut sets, triangles.len());
    for (&shell, &turned) in shell_of.iter().zip(&turned) {
        shells[shell as usize].turned += usize::from(turned);
    }
    for same in uses.chunk_by(|a, b| a.0 == b.0) {
        for (shell, balance, uses) in balances(same, |triangle| shell_of[triangle as usize]) {
            shells[shell as usize].count(same[0].0, balance, uses);
        }
    }
    orient(&mut shells, &shell_of, |k| {
        triangles[k as usize].map(|v| vertices[v as usize])
    });
    // Of a shell of which some triangles faced each way, neither way is what the file says: outward is meant.
    let inward = |shell: &Shell| shell.turned > 0 && shell.facing == Some(Ordering::Less);
    let reversed: Vec<bool> = shells.iter().map(inward).collect();
    turn(triangles, |k| reversed[shell_of[k] as usize]);
    for (shell, _) in shells.iter_mut().zip(&reversed).filter(|x| *x.1) {
        shell.turned = shell.triangles - shell.turned;
        shell.facing = Some(Ordering::Greater);
    }
    (shells, shell_of)
}

fn turn(triangles: &mut [[u32; 3]], which: impl Fn(usize) -> bool) {
    for (_, corners) in triangles.iter_mut().enumerate().filter(|x| which(x.0)) {
        corners.swap(1, 2);
    }
}

/// Connects triangles across edges of two. Which of them to turn so that these neighbours face one way: of each set the fewer. None of a set
/// that cannot, such as a Moebius strip.
fn turned(uses: &[EdgeUse], sets: &mut Sets) -> Vec<bool> {
    let triangles = sets.parents.len();
    let mut one_sided = vec![false; triangles];
    let pairs = uses
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|same| same.len() == 2);
    let mut face_one_way = true;
    let conflicts: Vec<u32> = pairs
        .filter(|pair| {
            let is_against = pair[0].1 == pair[1].1;
            face_one_way &= !is_against;
            !sets.join_facing(pair[0].2, pair[1].2, is_against)
        })
        .map(|pair| pair[0].2)
        .collect();
    if face_one_way {
        return one_sided;
    }
    for triangle in conflicts {
        one_sided[sets.root(triangle) as usize] = true;
    }
    let mut against = vec![(0usize, 0usize); triangles];
    let facings: Vec<(u32, bool)> = (0..triangles as u32).map(|k| sets.facing(k)).collect();
    for &(root, opposite) in &facings {
        let (all, opposed) = &mut against[root as usize];
        *all += 1;
        *opposed += usize::from(opposite);
    }
    facings
        .iter()
        .map(|&(root, opposite)| {
            let (all, opposed) = against[root as usize];
            !one_sided[root as usize] && opposite == (2 * opposed <= all) && opposed > 0
        })
        .collect()
}

/// The shells by the sets of triangles, and the shell of each triangle.
fn numbered(sets: &mut Sets, triangles: usize) -> (Vec<Shell>, Vec<u32>) {
    let mut number = vec![u32::MAX; triangles];
    let (mut shells, mut shell_of) = (Vec::new(), Vec::with_capacity(triangles));
    for triangle in 0..triangles as u32 {
        let slot = &mut number[sets.root(triangle) as usize];
        if *slot == u32::MAX {
            *slot = shells.len() as u32;
            shells.push(Shell {
                first: triangle,
                triangles: 0,
                open_edges: 0,
                unbalanced_edges: 0,
                worst_edge: None,
                turned: 0,
                facing: None,
            });
        }
        shells[*slot as usize].triangles += 1;
        shell_of.push(*slot);
    }
    (shells, shell_of)
}

/// All uses of edges, those of one edge in a row.
///
/// # Complexity  O(n) where vertices have few edges.
pub(crate) fn edge_uses(triangles: &[[u32; 3]], vertices: usize) -> Vec<EdgeUse> {
    let uses = || {
        (0..).zip(triangles).flat_map(|(number, &[a, b, c])| {
            [[a, b], [b, c], [c, a]]
                .map(|[from, to]| ([from.min(to), from.max(to)], from < to, number))
        })
    };
    by_vertex::sorted(uses, vertices, |(edge, ..): &EdgeUse| edge[0])
}

/// Connects the sets of triangles that need one another at edges of more than two.
fn connect_at_fans(uses: &[EdgeUse], sets: &mut Sets) {
    let edges = uses.chunk_by(|a, b| a.0 == b.0);
    for same in edges.filter(|same| same.len() > 2) {
        let parts = balances(same, |triangle| sets.root(triangle));
        let mut open = parts.iter().filter(|x| x.1 != 0).map(|x| x.0);
        if let Some(first) = open.next() {
            open.for_each(|other| sets.join(first, other));
        }
    }
}

/// Of one edge's uses, for each set of triangles: how much more often one way than the other, and how often.
fn balances(uses: &[EdgeUse], mut set: impl FnMut(u32) -> u32) -> Vec<(u32, i64, usize)> {
    let mut of_sets: Vec<(u32, i64, usize)> = Vec::with_capacity(2);
    for &(_, forward, triangle) in uses {
        let (set, way) = (set(triangle), if forward { 1 } else { -1 });
        match of_sets.iter_mut().find(|x| x.0 == set) {
            Some(found) => (found.1, found.2) = (found.1 + way, found.2 + 1),
            None => of_sets.push((set, way, 1)),
        }
    }
    of_sets
}

/// Which way the closed shells face: the signs of their volumes.
fn orient(shells: &mut [Shell], shell_of: &[u32], corners: impl Fn(u32) -> Triangle) {
    let mut volumes: Vec<Option<Volume<Filter>>> = shells
        .iter()
        .map(|shell| {
            shell
                .is_closed()
                .then(|| Volume::about(corners(shell.first)[0]))
        })
        .collect();
    for (triangle, &shell) in (0..).zip(shell_of) {
        if let Some(volume) = &mut volumes[shell as usize] {
            volume.add(&corners(triangle));
        }
    }
    for (number, (shell, volume)) in (0..).zip(shells.iter_mut().zip(volumes)) {
        let of_shell = || {
            (0..)
                .zip(shell_of)
                .filter(|x| *x.1 == number)
                .map(|x| corners(x.0))
        };
        shell.facing = volume.map(|volume| {
            let plain = in_range(of_shell().flatten().flatten());
            volume
                .sign(plain)
                .or_else(|| Volume::<Double>::of(of_shell()).sign(plain))
                .or_else(|| Volume::<Dyadic>::of(of_shell()).sign(true))
                .unwrap_or(Ordering::Equal)
        });
    }
}

/// So many terms are summed before they are added to the sum of all: the bounds of `gjk-exact` are derived for chains of 2²⁰
/// roundings, which 2³¹ triangles in one chain would exceed.
const BLOCK: u32 = 1 << 14;

/// Six times the volume between triangles and a point, on a stage of precision.
struct Volume<N> {
    about: Point,
    sum: N,
    block: N,
    in_block: u32,
}

impl<N: Number> Volume<N> {
    fn about(about: Point) -> Self {
        let zero = || N::difference(0.0, 0.0);
        Self {
            about,
            sum: zero(),
            block: zero(),
            in_block: 0,
        }
    }

    fn of(mut triangles: impl Iterator<Item = Triangle>) -> Self {
        let Some(first) = triangles.next() else {
            return Self::about([0.0; 3]);
        };
        // The first triangle and its own corner enclose nothing.
        let mut volume = Self::about(first[0]);
        triangles.for_each(|triangle| volume.add(&triangle));
        volume
    }

    fn add(&mut self, triangle: &Triangle) {
        let [a, b, c] = triangle
            .map(|p| core::array::from_fn::<N, 3, _>(|k| N::difference(p[k], self.about[k])));
        let minor = |i: usize, j: usize| b[i].times(&c[j]).minus(&b[j].times(&c[i]));
        let determinant = a[0]
            .times(&minor(1, 2))
            .plus(&a[1].times(&minor(2, 0)))
            .plus(&a[2].times(&minor(0, 1)));
        self.block = self.block.plus(&determinant);
        self.in_block += 1;
        if self.in_block == BLOCK {
            self.sum = self.sum.plus(&self.block);
            (self.block, self.in_block) = (N::difference(0.0, 0.0), 0);
        }
    }

    /// `plain`: the coordinates are in the range of the stage.
    fn sign(&self, plain: bool) -> Option<Ordering> {
        if plain {
            self.sum.plus(&self.block).sign()
        } else {
            None
        }
    }
}

/// Disjoint sets of triangles, and which face another way than the first of their set.
struct Sets {
    parents: Vec<u32>,
    /// Whether a triangle faces another way than its parent.
    opposite: Vec<bool>,
}

impl Sets {
    fn new(count: usize) -> Self {
        Self {
            parents: (0..count as u32).collect(),
            opposite: vec![false; count],
        }
    }

    /// The first triangle of a triangle's set, and whether that faces another way.
    fn facing(&mut self, mut x: u32) -> (u32, bool) {
        let mut opposite = false;
        while self.parents[x as usize] != x {
            let (at, parent) = (x as usize, self.parents[x as usize] as usize);
            // Halves the path: the grandparent becomes the parent.
            self.opposite[at] ^= self.opposite[parent];
            self.parents[at] = self.parents[parent];
            opposite ^= self.opposite[at];
            x = self.parents[at];
        }
        (x, opposite)
    }

    fn root(&mut self, x: u32) -> u32 {
        self.facing(x).0
    }

    fn join(&mut self, x: u32, y: u32) {
        self.join_facing(x, y, false);
    }

    /// Joins the sets of two triangles that face one way or do not; false if they are of one set that says otherwise.
    fn join_facing(&mut self, x: u32, y: u32, opposite: bool) -> bool {
        let ((x, from_x), (y, from_y)) = (self.facing(x), self.facing(y));
        let opposite = opposite ^ from_x ^ from_y;
        if x == y {
            return !opposite;
        }
        let (low, high) = (x.min(y), x.max(y) as usize);
        (self.parents[high], self.opposite[high]) = (low, opposite);
        true
    }
}
