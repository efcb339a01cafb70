//! The families of pairs of meshes; this one is of bodies made of cells, asked for their relation, judged by their cells.
//!
//! Where it sits: `gjk fuzz --family solids`, and `tetrahedra`. The bodies are meshes, so that a case is no query line: what is found is written as two
//! mesh files that `gjk check` reads.
//! Idea: see [`cells`]. The truth is a comparison of two sets of cells; the laws asked besides are that the answer of the swapped pair
//! is the swapped answer, and that A leaves B exactly where it overlaps what B leaves of a larger box.

mod brute;
pub mod cells;
mod hits;
mod nested;
mod sheets;
mod shells;
mod surfaces;
#[cfg(test)]
mod tests;
mod tetrahedra;
#[cfg(test)]
mod trace_tests;
mod whole;

use crate::Rng;
use cells::{Cells, SIZE, Surface};
use gjk::{Pose3, Vec3};
use gjk_mesh::verify::{DepthProved, verify_depth, verify_distance, verify_relation};
use gjk_mesh::{Depth, DepthOptions, MeshBody, PosedBody};
use gjk_mesh::{Relation, RelationAnswer, SurfaceDistance, TriMesh};
use rayon::prelude::*;
use serde::Serialize;
use std::time::Instant;

/// The name of the family of cells.
const NAME: &str = "solids";

/// A family of pairs of meshes.
pub struct MeshFamily {
    /// Its name.
    pub name: &'static str,
    /// What it is, in the words of `gjk fuzz --list`.
    pub about: &'static str,
    /// Asks and judges the case of a seed and a number.
    judge: fn(u64, u64, &mut Tally),
}

/// All families of pairs of meshes.
pub const MESH_FAMILIES: [MeshFamily; 5] = [
    MeshFamily {
        name: NAME,
        about: "two meshes of cells of a grid that share faces, edges and corners, or overlap, or are equal",
        judge,
    },
    MeshFamily {
        name: tetrahedra::NAME,
        about: "two meshes of one or two tetrahedra, cut and reordered, with corners on the other's features or a unit beside them",
        judge: tetrahedra::judge,
    },
    MeshFamily {
        name: surfaces::NAME,
        about: "two small sets of triangles: sheets, strips, fans, shells, open or not, needles, plates, flat triangles, copies and backs",
        judge: surfaces::judge,
    },
    MeshFamily {
        name: nested::NAME,
        about: "two solids in one another: copies about one center, cavities that a body fills, pipes about one axis, spikes in pits",
        judge: nested::judge,
    },
    MeshFamily {
        name: hits::NAME,
        about: "a ray and a moving box at a small set of triangles, from features and at features",
        judge: hits::judge,
    },
];

/// The relations in the order of the counts.
pub const RELATIONS: [Relation; 7] = [
    Relation::Separated,
    Relation::Touching,
    Relation::Overlapping,
    Relation::Inside,
    Relation::Contains,
    Relation::Equal,
    Relation::Crossing,
];

/// How many wrong cases of a run are kept.
const FINDS_KEPT: usize = 8;

/// One case in so many is of bodies of the largest size, which take ten times as long as the others.
const LARGE_EVERY: u64 = 256;

/// The certificate of one case in so many is made and checked, which takes longer than the case.
const VERIFY_EVERY: u64 = 256;

/// One case in so many is also asked the other way around.
const SWAP_EVERY: u64 = 8;

/// One case in so many is asked for what the second body leaves of a larger box.
const REST_EVERY: u64 = 256;

/// One certificate of so many is also checked for another relation, which must not pass.
const WRONG_EVERY: u64 = 8;

/// The depth of one overlap in so many is certified and checked, which takes as long as a thousand relations.
const DEPTH_EVERY: u64 = 1024;

/// A depth that is larger by this part, and by what rounding may have taken from it, must not pass.
const TOO_MUCH: f64 = 1.0 + 1e-6;

/// What rounding may take from a depth, in parts of the largest coordinate: of bodies of a few neighbouring floats it is most of the depth.
const DEPTH_ROUNDINGS: f64 = 64.0 * f64::EPSILON;

/// Cases that one thread does in one go.
const CHUNK: u64 = 256;

/// What was counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Tally {
    /// Cases.
    pub cases: u64,
    /// By relation, in the order of [`RELATIONS`].
    pub relations: [u64; 7],
    /// Cases with an answer that is not the truth, or breaks a law.
    pub wrong: u64,
    /// Cases of which the answer says that it is not exact.
    pub not_exact: u64,
    /// Cases of which the truth is known in part: whether two surfaces that meet cross, or solids do more than that.
    pub left_open: u64,
    /// Bodies of which it is not known whether they are solids.
    pub unknown_kinds: u64,
    /// Nanoseconds of the relations, without making the bodies.
    pub nanoseconds: u64,
    /// Cases whose certificate was checked.
    pub verified: u64,
    /// Cases whose depth was checked by a certificate.
    pub depths: u64,
    /// Nanoseconds of making and checking certificates of relations and distances.
    pub verify_nanoseconds: u64,
    /// The first wrong cases.
    #[serde(skip)]
    pub finds: Vec<Find>,
}

/// A wrong case.
#[derive(Clone, Debug)]
pub struct Find {
    /// Its number.
    pub number: u64,
    /// What was answered, and what is true.
    pub message: String,
    /// The two surfaces.
    pub surfaces: [Surface; 2],
}

/// A pair of bodies of which the relation is known.
struct Case {
    cells: [Cells; 2],
    /// The cells to a side of the larger one, at most.
    largest: i32,
    /// Where the second is, in whole cells.
    offset: [i32; 3],
    grid: Grid,
    /// Whether the offset is the pose's, or is in the vertices.
    posed: bool,
}

/// Where points of the grid are.
enum Grid {
    /// Sheared by whole numbers.
    Sheared([i32; 3]),
    /// Each axis with rising numbers of its own, by doubled coordinates from −2·SIZE on.
    Stretched([Vec<f64>; 3]),
}

/// Grid points of an axis: both bodies, the offset and the larger box, doubled.
const POINTS: usize = (8 * SIZE + 9) as usize;

impl Grid {
    fn random(random: &mut Rng) -> Self {
        if random.one_in(2) {
            return Self::Sheared([0; 3].map(|_| random.int(-2, 2) as i32));
        }
        Self::Stretched([0; 3].map(|_| match random.below(3) {
            // Tenths, as the files of people have them.
            0 => (0..POINTS).map(|k| (k as f64 - 7.0) * 0.1).collect(),
            // Neighbours among the floats.
            1 => {
                let mut x = random.range(-1.0, 1.0);
                let step = |_| {
                    x = x.next_up();
                    x
                };
                (0..POINTS).map(step).collect()
            }
            _ => {
                let mut x = random.range(-100.0, 100.0);
                let step = |_| {
                    x += 10f64.powi(random.int(-9, 2) as i32) * (1.0 + random.unit());
                    x
                };
                (0..POINTS).map(step).collect()
            }
        }))
    }

    /// A point of doubled coordinates.
    fn place(&self, node: [i32; 3]) -> [f64; 3] {
        match self {
            Self::Sheared([p, q, r]) => {
                let [x, y, z] = node;
                [x + p * y + q * z, y + r * z, z].map(f64::from)
            }
            Self::Stretched(axes) => {
                core::array::from_fn(|k| axes[k][(node[k] + 4 * SIZE + 4) as usize])
            }
        }
    }
}

impl Case {
    fn random(random: &mut Rng) -> Self {
        let largest = if random.one_in(LARGE_EVERY) { SIZE } else { 2 };
        let a = Cells::random(random, largest);
        let side = a.all().map(|[x, ..]| x).max().unwrap_or(0) + 1;
        let b = match random.below(5) {
            0 => a.clone(),
            1 => Cells::new(side, |cell| a.is_filled(cell) && random.one_in(2)),
            2 => Cells::new(side, |cell| a.is_filled(cell) || random.one_in(2)),
            3 => Cells::new(side, |cell| !a.is_filled(cell) && random.one_in(2)),
            _ => Cells::random(random, largest),
        };
        let b = b.or_one(random);
        let offset = if random.one_in(2) {
            [0; 3]
        } else {
            [0; 3].map(|_| random.int(-i64::from(largest), i64::from(largest)) as i32)
        };
        let grid = Grid::random(random);
        let posed = matches!(grid, Grid::Sheared(_)) && random.one_in(2);
        Self {
            cells: [a, b],
            largest,
            offset,
            grid,
            posed,
        }
    }

    /// The surface of one of the bodies.
    fn surface(&self, body: usize, random: &mut Rng) -> Surface {
        let moved = if body == 1 && !self.posed {
            self.offset
        } else {
            [0; 3]
        };
        let at = |node: [i32; 3]| core::array::from_fn(|k| node[k] + 2 * moved[k]);
        self.cells[body].surface(random, |node| self.grid.place(at(node)))
    }

    /// The pose of the second body.
    fn pose(&self) -> Pose3<f64> {
        if !self.posed {
            return Pose3::identity();
        }
        let [x, y, z] = self.grid.place(self.offset.map(|x| 2 * x));
        Pose3::from_translation(Vec3::new(x, y, z))
    }

    /// The first body's filled cells, and the second's where they are.
    fn filled(&self) -> [Vec<[i32; 3]>; 2] {
        [0, 1].map(|k| {
            let cells = &self.cells[k];
            let moved = if k == 1 { self.offset } else { [0; 3] };
            let filled = cells.all().filter(|&cell| cells.is_filled(cell));
            filled
                .map(|cell| core::array::from_fn(|k| cell[k] + moved[k]))
                .collect()
        })
    }

    fn truth(&self) -> Relation {
        let [a, b] = self.filled();
        let within = |x: &[[i32; 3]], y: &[[i32; 3]]| x.iter().all(|cell| y.contains(cell));
        let near = |x: &[i32; 3], y: &[i32; 3]| (0..3).all(|k| (x[k] - y[k]).abs() <= 1);
        let overlap = a.iter().any(|cell| b.contains(cell));
        match (overlap, within(&a, &b), within(&b, &a)) {
            (true, true, true) => Relation::Equal,
            (true, true, false) => Relation::Inside,
            (true, false, true) => Relation::Contains,
            (true, false, false) => Relation::Overlapping,
            _ if a.iter().any(|x| b.iter().any(|y| near(x, y))) => Relation::Touching,
            _ => Relation::Separated,
        }
    }

    /// What the second body leaves of a box around both, where the second is.
    fn rest(&self, random: &mut Rng) -> Surface {
        let b = &self.cells[1];
        let from = -self.largest - 1;
        let rest = Cells::new(3 * self.largest + 2, |cell| {
            !b.is_filled(core::array::from_fn(|k| cell[k] + from - self.offset[k]))
        });
        rest.surface(random, |node| {
            self.grid
                .place(core::array::from_fn(|k| node[k] + 2 * from))
        })
    }

    /// Whether an answer is one that may be given: that one is within several pieces together is not told.
    fn allows(&self, truth: Relation, found: Relation) -> bool {
        let pieces = |k: usize| self.cells[k].flooded(true) > 1;
        let in_pieces = match truth {
            Relation::Inside => pieces(1),
            Relation::Contains => pieces(0),
            Relation::Equal => pieces(0) || pieces(1),
            _ => false,
        };
        found == truth || in_pieces && found == Relation::Overlapping
    }
}

/// Asks and judges one case.
fn judge(seed: u64, number: u64, tally: &mut Tally) {
    let mut random = Rng::of_case(seed, NAME, 3, number);
    let case = Case::random(&mut random);
    tally.cases += 1;
    let surfaces = [0, 1].map(|k| case.surface(k, &mut random));
    let truth = case.truth();
    if let Err(message) = judged(&case, &surfaces, truth, &mut random, tally) {
        let poses = [Pose3::identity(), case.pose()];
        tally.found(number, message, in_world(&surfaces, &poses));
    }
}

/// Surfaces at their poses.
fn in_world(surfaces: &[Surface; 2], poses: &[Pose3<f64>; 2]) -> [Surface; 2] {
    core::array::from_fn(|k| {
        let (vertices, triangles) = &surfaces[k];
        let moved = vertices.iter().map(|&[x, y, z]| {
            let at = poses[k].point(Vec3::new(x, y, z));
            [at.x, at.y, at.z]
        });
        (moved.collect(), triangles.clone())
    })
}

/// The relation of the second to the first.
fn swapped(relation: Relation) -> Relation {
    match relation {
        Relation::Inside => Relation::Contains,
        Relation::Contains => Relation::Inside,
        same => same,
    }
}

fn body((vertices, triangles): &Surface) -> Result<MeshBody, String> {
    let mesh = TriMesh::new(vertices, triangles).map_err(|error| error.to_string())?;
    Ok(MeshBody::new(mesh))
}

/// Two bodies, which are solids.
fn bodies(surfaces: &[Surface; 2]) -> Result<[MeshBody; 2], String> {
    let both = [body(&surfaces[0])?, body(&surfaces[1])?];
    for (name, body) in ["a", "b"].iter().zip(&both) {
        if !body.kind().is_solid() {
            return Err(format!("{name} is {:?}", body.kind()));
        }
    }
    Ok(both)
}

fn judged(
    case: &Case,
    surfaces: &[Surface; 2],
    truth: Relation,
    random: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    let [a, b] = bodies(surfaces)?;
    let (at_a, at_b) = (a.at(&Pose3::identity()), b.at(&case.pose()));
    let found = tally.ask(&at_a, &at_b);
    if !case.allows(truth, found.relation) {
        return Err(format!("{:?}, but it is {truth:?}", found.relation));
    }
    if random.one_in(VERIFY_EVERY) {
        tally.verify(&at_a, &at_b, &found, true)?;
    }
    let is_deep = !matches!(truth, Relation::Separated | Relation::Touching);
    if is_deep && random.one_in(DEPTH_EVERY) {
        tally.verify_depth(&at_a, &at_b)?;
    }
    if random.one_in(SWAP_EVERY) {
        let swapped = at_b.relation(&at_a).relation;
        if swapped != self::swapped(found.relation) {
            return Err(format!("{:?}, but swapped {swapped:?}", found.relation));
        }
    }
    if random.one_in(REST_EVERY) {
        let rest = body(&case.rest(random))?;
        let to_rest = at_a.relation(&rest.at(&Pose3::identity())).relation;
        let leaves = !matches!(to_rest, Relation::Separated | Relation::Touching);
        let expected = !matches!(truth, Relation::Inside | Relation::Equal);
        if leaves != expected {
            return Err(format!(
                "{truth:?}, but {to_rest:?} to what b leaves of a box"
            ));
        }
    }
    Ok(())
}

impl Tally {
    /// Counts a wrong case, and keeps it if it is one of the first.
    fn found(&mut self, number: u64, message: String, surfaces: [Surface; 2]) {
        self.wrong += 1;
        if self.finds.len() < FINDS_KEPT {
            self.finds.push(Find {
                number,
                message,
                surfaces,
            });
        }
    }

    /// Asks for a relation, and counts it.
    fn ask(&mut self, a: &PosedBody<'_>, b: &PosedBody<'_>) -> RelationAnswer {
        let start = Instant::now();
        let found = a.relation(b);
        self.nanoseconds += start.elapsed().as_nanos() as u64;
        let of_kind = RELATIONS.iter().position(|x| *x == found.relation);
        if let Some(k) = of_kind {
            self.relations[k] += 1;
        }
        self.not_exact += u64::from(!found.exact);
        found
    }

    /// Has a relation's certificate checked by what shares nothing with the query. `is_proved`: whether it must prove it; that two surfaces
    /// touch is not proved by any.
    fn verify(
        &mut self,
        a: &PosedBody<'_>,
        b: &PosedBody<'_>,
        found: &RelationAnswer,
        is_proved: bool,
    ) -> Result<(), String> {
        let start = Instant::now();
        let (again, certificate) = a.relation_certified(b);
        if again != *found {
            return Err(format!("{found:?}, but with a certificate {again:?}"));
        }
        let plain = [&a.plain(b), &b.plain(a)];
        let proved = verify_relation(plain, found.relation, &certificate);
        self.verify_nanoseconds += start.elapsed().as_nanos() as u64;
        self.verified += 1;
        // The next one must not pass.
        let at = RELATIONS.iter().position(|x| *x == found.relation);
        let other = RELATIONS[at.map_or(0, |at| (at + 1) % RELATIONS.len())];
        let is_other = self.verified.is_multiple_of(WRONG_EVERY);
        if is_other && verify_relation(plain, other, &certificate) == Ok(true) {
            return Err(format!("{:?}, but {other:?} is proved too", found.relation));
        }
        match proved {
            Ok(proved) if proved == is_proved => Ok(()),
            Ok(true) => Err(format!("{:?} is proved by nothing", found.relation)),
            Ok(false) => Err(format!("{:?} is not proved", found.relation)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Has a depth checked, and one that is too large refused.
    fn verify_depth(&mut self, a: &PosedBody<'_>, b: &PosedBody<'_>) -> Result<Depth, String> {
        let found = a.depth_certified(b, &[], &DepthOptions::default());
        let plain = [&found.bodies[0], &found.bodies[1]];
        let check = |depth: &Depth| verify_depth(plain, depth, &found.certificate);
        let proved = check(&found.measured);
        self.depths += 1;
        let proved = proved.map_err(|error| format!("{:?}: {error}", found.measured))?;
        let DepthProved {
            thickness,
            escape,
            protrusion: [[of_a, _], [of_b, _]],
        } = proved;
        if !(thickness && escape && of_a && of_b) {
            return Err(format!("of {:?} is proved {proved:?}", found.measured));
        }
        let coordinates = found
            .bodies
            .iter()
            .flat_map(|body| body.vertices.as_flattened());
        let size = coordinates.fold(0.0_f64, |size, x| size.max(x.abs()));
        let more = |depth: f64| depth * TOO_MUCH + DEPTH_ROUNDINGS * size;
        let mut thick = found.measured;
        if let Some(ball) = &mut thick.ball {
            ball.radius = more(ball.radius);
        }
        let mut deep = found.measured;
        for reach in deep.protrusion.iter_mut().flatten() {
            if reach.lower > 0.0 {
                reach.lower = more(reach.lower);
            }
        }
        let is_refused = [
            thick == found.measured || check(&thick).is_err(),
            deep == found.measured || check(&deep).is_err(),
        ];
        if is_refused == [true; 2] {
            Ok(found.depth)
        } else {
            Err(format!("more than {:?} is proved", found.measured))
        }
    }

    /// Has a distance checked in the same way, from both sides.
    fn verify_distance(
        &mut self,
        a: &PosedBody<'_>,
        b: &PosedBody<'_>,
        found: &SurfaceDistance,
    ) -> Result<(), String> {
        let start = Instant::now();
        let certificate = a.distance_certificate(b, found);
        let certificate = certificate.ok_or("a distance has no certificate")?;
        let plain = [&a.plain_in_world(), &b.plain_in_world()];
        let proved = verify_distance(plain, found, &certificate);
        self.verify_nanoseconds += start.elapsed().as_nanos() as u64;
        match proved {
            Ok([true, true]) => Ok(()),
            Ok(ends) => Err(format!("of {found:?} is proved {ends:?}")),
            Err(error) => Err(format!("{found:?}: {error}")),
        }
    }

    fn merged(mut self, other: Self) -> Self {
        self.cases += other.cases;
        for (mine, theirs) in self.relations.iter_mut().zip(other.relations) {
            *mine += theirs;
        }
        self.wrong += other.wrong;
        self.not_exact += other.not_exact;
        self.left_open += other.left_open;
        self.unknown_kinds += other.unknown_kinds;
        self.nanoseconds += other.nanoseconds;
        self.verified += other.verified;
        self.depths += other.depths;
        self.verify_nanoseconds += other.verify_nanoseconds;
        self.finds.extend(other.finds);
        self.finds.truncate(FINDS_KEPT);
        self
    }
}

impl MeshFamily {
    /// Runs cases on the current thread pool; `progress` is told how many are done.
    pub fn run(&self, seed: u64, from: u64, cases: u64, progress: impl Fn(u64) + Sync) -> Tally {
        let tallies: Vec<Tally> = (0..cases.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let first = from + chunk * CHUNK;
                let count = CHUNK.min(from + cases - first);
                let mut tally = Tally::default();
                (first..first + count).for_each(|number| (self.judge)(seed, number, &mut tally));
                progress(count);
                tally
            })
            .collect();
        tallies.into_iter().fold(Tally::default(), Tally::merged)
    }
}
