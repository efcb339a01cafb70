//! Pairs of solids that are in one another, around one another, or in one another's pits, with relations known from how they are made.
//!
//! Idea: copies of one shell about a center that sees all of it, at several sizes, are within one another, and a body is every other space
//! between them: two such bodies are related as two sets of numbers. So are two prisms over copies of a ring, by sizes and by heights. A spike in a
//! pit of its own form, or in a cavity whose tip is on the outer shell, fits by the widths of both at two heights. All shells are cut at random, so that equal ones have other
//! triangles. Distances of convex copies are those of their faces.
//! Laws: a body is within another exactly where it does not overlap what that leaves of a larger one.

use super::brute::Face;
use super::cells::Surface;
use super::shells::{self, CIRCLE, SQUARE, STAR};
use super::whole::{Map, UNIT, Whole, cross, cut, dot, less, placed};
use super::{Tally, bodies, body, in_world, swapped};
use crate::Rng;
use gjk_mesh::{DepthOptions, PosedBody, Relation, Side, TriMesh};

/// The family's name.
pub(super) const NAME: &str = "nested";

/// Sizes and heights are below this.
const SIZES: i64 = 9;

/// Certificates, distances and complements are asked of one case in so many.
const MORE_EVERY: u64 = 16;

/// Bodies of so many triangles are cut in four times as many here and there.
const SMALL: usize = 16;

/// Depths are asked of one case in so many.
const DEPTH_EVERY: u64 = 512;

/// Closed forms are in floats, off by fewer roundings.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// A form whose copies are within one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShellForm {
    Cube,
    Octahedron,
    Round,
    Star,
}

impl ShellForm {
    /// Its copy of a size.
    fn shell(self, size: i64) -> Vec<Face> {
        let r = UNIT * size;
        let prism = |ring| shells::prism(ring, [0, r], [-8 * r, 8 * r]);
        match self {
            Self::Cube => prism(SQUARE),
            Self::Octahedron => shells::octahedron(8 * r),
            Self::Round => prism(CIRCLE),
            Self::Star => prism(STAR),
        }
    }

    /// How far copies are apart whose sizes differ by one; nothing of one that is not convex.
    fn step(self) -> Option<f64> {
        let height = |&[a, b, c]: &Face| {
            let normal = cross(less(b, a), less(c, a));
            dot(normal, a.map(i128::from)) as f64 / (dot(normal, normal) as f64).sqrt()
        };
        let shell = self.shell(1);
        (self != Self::Star).then(|| shell.iter().map(height).fold(f64::INFINITY, f64::min))
    }
}

/// The sizes of a body's shells, rising: it is what is between the last two, the two before these, and so on.
type Sizes = Vec<i64>;

fn sizes(random: &mut Rng) -> Sizes {
    let count = random.pick(&[1, 1, 1, 1, 2, 2, 2, 3, 4]);
    let mut sizes: Sizes = (0..count).map(|_| random.int(1, SIZES - 1)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Whether the space between this size and the next is of the body.
fn is_filled(sizes: &Sizes, size: i64) -> bool {
    sizes.iter().filter(|&&s| s > size).count() % 2 == 1
}

/// The relation of two sets of numbers or of pairs of them, by the cells between them; `within` a body of several pieces is not told.
fn of_cells<const N: usize>(a: &[[i64; N]], b: &[[i64; N]]) -> Relation {
    let within = |x: &[[i64; N]], y: &[[i64; N]]| x.iter().all(|cell| y.contains(cell));
    let near = |x: &[i64; N], y: &[i64; N]| (0..N).all(|k| (x[k] - y[k]).abs() <= 1);
    match (within(a, b), within(b, a)) {
        (true, true) => Relation::Equal,
        (true, false) => Relation::Inside,
        (false, true) => Relation::Contains,
        _ if a.iter().any(|x| b.contains(x)) => Relation::Overlapping,
        _ if a.iter().any(|x| b.iter().any(|y| near(x, y))) => Relation::Touching,
        _ => Relation::Separated,
    }
}

/// A case: two bodies and what is known of them.
struct NestedCase {
    faces: [Vec<Face>; 2],
    truth: Relation,
    /// What the second leaves of something larger.
    rest: Option<Vec<Face>>,
    /// Of how many pieces the bodies are.
    pieces: [usize; 2],
    distance: Option<f64>,
    /// The length of the shortest translation that separates them, and how far the first one's surface is from the second's where it is inside.
    depth: Option<[f64; 2]>,
    /// Whether a body has its shells twice: the library tells then that it does not know.
    is_doubled: bool,
    /// Points, and whether they are in the first body.
    points: Vec<(Whole, Side)>,
}

/// The shells of one form and of these sizes, the largest outward, each within it the other way around.
fn faces(form: ShellForm, sizes: &Sizes) -> Vec<Face> {
    let shells = sizes.iter().enumerate().map(|(k, &size)| {
        let shell = form.shell(size);
        let is_cavity = (sizes.len() - k).is_multiple_of(2);
        if is_cavity {
            shells::reversed(shell)
        } else {
            shell
        }
    });
    shells.flatten().collect()
}

fn copies(random: &mut Rng) -> NestedCase {
    let form = random.pick(&[
        ShellForm::Cube,
        ShellForm::Cube,
        ShellForm::Octahedron,
        ShellForm::Octahedron,
        ShellForm::Star,
    ]);
    let form = if random.one_in(32) {
        ShellForm::Round
    } else {
        form
    };
    let a = sizes(random);
    let b = if random.one_in(5) {
        a.clone()
    } else {
        sizes(random)
    };
    let cells = |of: &Sizes| -> Vec<[i64; 1]> {
        let all = (0..SIZES).filter(|&size| is_filled(of, size));
        all.map(|size| [size]).collect()
    };
    let faces = |of: &Sizes| faces(form, of);
    let gaps = a.iter().flat_map(|x| b.iter().map(move |y| (x - y).abs()));
    let gap = gaps.min().unwrap_or(0) as f64;
    let mut rest = b.clone();
    rest.push(SIZES);
    let is_cube = form == ShellForm::Cube && a.len() == 1 && b.len() == 1 && a <= b;
    let depth = is_cube.then(|| [a[0] + b[0], b[0] - a[0]].map(|x| (8 * UNIT * x) as f64));
    let points = (0..3).map(|_| {
        let corner = random.pick(&form.shell(1))[random.below(3) as usize];
        let size = random.int(0, SIZES);
        let side = match (size > 0 && is_filled(&a, size - 1), is_filled(&a, size)) {
            (_, inside) if size == 0 || !a.contains(&size) => {
                [Side::Outside, Side::Inside][usize::from(inside)]
            }
            _ => Side::Boundary,
        };
        (corner.map(|x| size * x), side)
    });
    NestedCase {
        is_doubled: false,
        points: points.collect(),
        truth: of_cells(&cells(&a), &cells(&b)),
        faces: [faces(&a), faces(&b)],
        rest: Some(faces(&rest)),
        pieces: [&a, &b].map(|of| of.len().div_ceil(2)),
        distance: form.step().map(|step| step * gap),
        depth,
    }
}

/// Prisms about one axis, some with holes.
fn pipes(random: &mut Rng) -> NestedCase {
    let ring = random.pick(&[SQUARE, SQUARE, SQUARE, STAR]);
    let ring = if random.one_in(32) { CIRCLE } else { ring };
    let mut range = |from: i64| {
        let low = random.int(from, 4);
        [low, low + random.int(1, 3)]
    };
    let [a, b] = [[range(0), range(-2)], [range(0), range(-2)]];
    let b = if random.one_in(8) { a } else { b };
    let cells = |[r, z]: [[i64; 2]; 2]| -> Vec<[i64; 2]> {
        (r[0]..r[1])
            .flat_map(|r| (z[0]..z[1]).map(move |z| [r, z]))
            .collect()
    };
    let faces =
        |[r, z]: [[i64; 2]; 2]| shells::prism(ring, r.map(|r| UNIT * r), z.map(|z| 8 * UNIT * z));
    let gap = |k: usize| (a[k][0] - b[k][1]).max(b[k][0] - a[k][1]).max(0) as f64;
    // Of the circle's sides the nearest to the axis are those between (8, 1) and (7, 4), and of these forms.
    let near = if ring == SQUARE { Some(8.0) } else { None };
    let truth = of_cells(&cells(a), &cells(b));
    let unit = UNIT as f64;
    let apart = near.map(|near| (near * gap(0)).hypot(8.0 * gap(1)) * unit);
    NestedCase {
        faces: [faces(a), faces(b)],
        truth,
        rest: None,
        pieces: [1; 2],
        distance: apart.filter(|_| truth == Relation::Separated),
        depth: None,
        points: Vec::new(),
        is_doubled: false,
    }
}

/// A spike in a pit, or a box under it.
fn pits(random: &mut Rng) -> NestedCase {
    let [wide, deep] = [0; 2].map(|_| random.int(1, 4));
    let of_a = shells::with_pit(8 * UNIT, -8 * UNIT, wide * UNIT, deep * UNIT);
    let (of_b, truth) = if random.one_in(3) {
        // Its top is at the pit's end, below it or above.
        let top = random.int(-2, 1);
        let of_b = shells::prism(SQUARE, [0, UNIT / 2], [-4 * UNIT, top * UNIT]);
        let of_b = of_b.into_iter();
        let inside = top <= 0;
        let truth = [Relation::Overlapping, Relation::Inside][usize::from(inside)];
        (of_b.collect(), swapped(truth))
    } else {
        let [half, high, apex] = [random.int(1, 4), random.int(1, 6), random.int(-1, 3)];
        let at = deep.min(apex + high);
        // Widths at the height where both end.
        let room = (wide * at * high).cmp(&(half * (at - apex) * deep));
        let truth = match room {
            // Its top ends where the pit does.
            _ if apex + high == 0 => Relation::Contains,
            _ if apex < 0 => Relation::Overlapping,
            core::cmp::Ordering::Less => Relation::Overlapping,
            core::cmp::Ordering::Equal => Relation::Touching,
            core::cmp::Ordering::Greater if apex == 0 => Relation::Touching,
            core::cmp::Ordering::Greater => Relation::Separated,
        };
        (shells::spike(half * UNIT, apex * UNIT, high * UNIT), truth)
    };
    NestedCase {
        faces: [of_a, of_b],
        truth,
        rest: None,
        pieces: [1; 2],
        distance: None,
        depth: None,
        points: Vec::new(),
        is_doubled: false,
    }
}

/// A box whose cavity ends in a tip on the box's bottom, where no corner of the bottom is, and a box below or a spike in the cavity.
fn tips(random: &mut Rng) -> NestedCase {
    let bottom = -8;
    let [half, high] = [random.int(1, 4), random.int(1, 12)];
    let [x, y] = [random.int(-3, 3), random.int(-3, 3)];
    let beside = |faces: Vec<Face>| -> Vec<Face> {
        let moved = |[a, b, c]: Whole| [a + UNIT * x, b + UNIT * y, c];
        faces.into_iter().map(|face| face.map(moved)).collect()
    };
    let spike =
        |[half, apex, high]: [i64; 3]| beside(shells::spike(half * UNIT, apex * UNIT, high * UNIT));
    let mut of_a = shells::prism(SQUARE, [0, UNIT], [bottom * UNIT, 8 * UNIT]);
    of_a.extend(shells::reversed(spike([half, bottom, high])));
    let (of_b, truth) = if random.one_in(2) {
        let top = bottom + random.pick(&[-1, 0, 0, 1]);
        let of_b = shells::prism(SQUARE, [0, UNIT / 2], [-12 * UNIT, top * UNIT]);
        let truth = match top.cmp(&bottom) {
            core::cmp::Ordering::Less => Relation::Separated,
            core::cmp::Ordering::Equal => Relation::Touching,
            core::cmp::Ordering::Greater => Relation::Overlapping,
        };
        (of_b, truth)
    } else {
        let [own_half, own_high] = [random.int(1, 4), random.int(1, 12)];
        let apex = bottom + random.pick(&[-1, 0, 0, 1]);
        let above = apex + own_high - bottom;
        // Widths at the spike's top.
        let truth = match (own_half * high).cmp(&(half * above)) {
            // All of it is below the box.
            _ if above == 0 => Relation::Touching,
            // It stands on the cavity.
            _ if apex - bottom == high => Relation::Contains,
            _ if apex < bottom || above > high => Relation::Overlapping,
            core::cmp::Ordering::Greater => Relation::Overlapping,
            core::cmp::Ordering::Less if apex > bottom && above < high => Relation::Separated,
            _ => Relation::Touching,
        };
        (spike([own_half, apex, own_high]), truth)
    };
    NestedCase {
        faces: [of_a, of_b],
        truth,
        rest: None,
        pieces: [1; 2],
        distance: None,
        depth: None,
        points: Vec::new(),
        is_doubled: false,
    }
}

impl NestedCase {
    fn random(random: &mut Rng) -> Self {
        let mut case = match random.below(5) {
            0 => copies(random),
            1 => pipes(random),
            2 => tips(random),
            _ => pits(random),
        };
        let cut_up = |random: &mut Rng, faces: &mut Vec<Face>| {
            if random.one_in(16) && faces.len() <= SMALL {
                *faces = shells::quartered(faces);
            }
            for _ in 0..random.below(4) {
                cut(random, faces);
            }
        };
        for faces in case.faces.iter_mut().chain(&mut case.rest) {
            cut_up(random, faces);
            // The same shells twice are the same body.
            if random.one_in(32) {
                let again = faces.clone();
                faces.extend(again);
                case.is_doubled = true;
            }
        }
        case
    }

    /// Whether an answer may be given: that one is within several pieces together is not told.
    fn allows(&self, found: Relation) -> bool {
        let in_pieces = match self.truth {
            Relation::Inside => self.pieces[1] > 1,
            Relation::Contains => self.pieces[0] > 1,
            Relation::Equal => self.pieces != [1; 2],
            _ => false,
        };
        found == self.truth || in_pieces && found == Relation::Overlapping
    }
}

/// Asks and judges one case.
pub(super) fn judge(seed: u64, number: u64, tally: &mut Tally) {
    let mut random = Rng::of_case(seed, NAME, 3, number);
    tally.cases += 1;
    let case = NestedCase::random(&mut random);
    let scale = random.pick(&[1.0, 1.0, 1.0 / 64.0, 1024.0]);
    let mut maps = [Map::random(&mut random), Map::random(&mut random)];
    if random.one_in(3) {
        maps[1] = maps[0];
    }
    let surfaces =
        [0, 1].map(|k: usize| placed(&mut random, &case.faces[k], &maps[k], scale, false));
    let poses = maps.map(|map| map.pose(scale));
    if let Err(message) = judged(&case, &surfaces, &maps, scale, &mut random, tally) {
        tally.found(number, message, in_world(&surfaces, &poses));
    }
}

fn judged(
    case: &NestedCase,
    surfaces: &[Surface; 2],
    maps: &[Map; 2],
    scale: f64,
    random: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    let [a, b] = bodies(surfaces)?;
    points(case, a.mesh(), &maps[0], scale)?;
    let poses = maps.map(|map| map.pose(scale));
    let (at_a, at_b) = (a.at(&poses[0]), b.at(&poses[1]));
    let found = tally.ask(&at_a, &at_b);
    if case.is_doubled && !found.exact {
        tally.left_open += 1;
        return Ok(());
    }
    if !case.allows(found.relation) || !found.exact {
        return Err(format!("{found:?}, but it is {:?}", case.truth));
    }
    if !random.one_in(MORE_EVERY) {
        return Ok(());
    }
    let back = at_b.relation(&at_a).relation;
    if back != swapped(found.relation) {
        return Err(format!("{:?}, but swapped {back:?}", found.relation));
    }
    tally.verify(&at_a, &at_b, &found, true)?;
    distance(case, scale, &at_a, &at_b)?;
    if let Some(rest) = &case.rest {
        let map = Map::random(random);
        let rest = body(&placed(random, rest, &map, scale, false))?;
        let to_rest = at_a.relation(&rest.at(&map.pose(scale)));
        if case.is_doubled && !to_rest.exact {
            tally.left_open += 1;
            return Ok(());
        }
        let to_rest = to_rest.relation;
        let leaves = !matches!(to_rest, Relation::Separated | Relation::Touching);
        if leaves == matches!(case.truth, Relation::Inside | Relation::Equal) {
            return Err(format!(
                "{:?}, but {to_rest:?} to what b leaves",
                case.truth
            ));
        }
    }
    match case.depth {
        Some(depth) if random.one_in(DEPTH_EVERY / MORE_EVERY) => {
            of_depth(depth.map(|x| x * scale), &at_a, &at_b)
        }
        _ => Ok(()),
    }
}

/// Whether an interval holds a closed form.
fn holds([lower, upper]: [f64; 2], truth: f64) -> bool {
    let room = truth.abs() * ROUNDINGS;
    lower <= truth + room && truth - room <= upper
}

fn distance(
    case: &NestedCase,
    scale: f64,
    a: &PosedBody<'_>,
    b: &PosedBody<'_>,
) -> Result<(), String> {
    let found = a.distance(b, f64::INFINITY).ok_or("there is no distance")?;
    let meets = a.meets(b).is_some();
    let agrees = case
        .distance
        .is_none_or(|truth| holds([found.lower, found.upper], truth * scale));
    let is_apart = case.truth == Relation::Separated && meets;
    if !agrees || is_apart || meets != (found.upper == 0.0) {
        let truth = case.distance.map(|x| x * scale);
        return Err(format!(
            "{found:?}, they meet: {meets}, but it is {truth:?}"
        ));
    }
    Ok(())
}

fn of_depth([way, inside]: [f64; 2], a: &PosedBody<'_>, b: &PosedBody<'_>) -> Result<(), String> {
    let depth = a.depth(b, &[], &DepthOptions::default());
    let told = depth.signed_distance();
    let within = |k: usize| depth.protrusion[k].map_or([0.0; 2], |p| [p.lower, p.upper]);
    let agrees = holds([told.lower, told.upper], -way) && holds(within(0), inside);
    if agrees && within(1)[0] == 0.0 {
        return Ok(());
    }
    Err(format!(
        "{depth:?}, but it is {way} deep, and {inside} within"
    ))
}

/// Points of the first body.
fn points(case: &NestedCase, mesh: &TriMesh, map: &Map, scale: f64) -> Result<(), String> {
    for &(point, side) in &case.points {
        let found = mesh.side_of(map.back(point).map(|x| x as f64 * scale));
        if found != Some(side) {
            return Err(format!("{point:?} is {found:?}, but {side:?}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(case: &NestedCase, mut random: Rng) -> Result<(), String> {
        let maps = [Map::unit(); 2];
        let place = |k: usize| placed(&mut random.clone(), &case.faces[k], &maps[k], 1.0, false);
        let surfaces = [place(0), place(1)];
        judged(
            case,
            &surfaces,
            &maps,
            1.0,
            &mut random,
            &mut Tally::default(),
        )
    }

    #[test]
    fn a_wrong_relation_and_a_wrong_side_are_found_out() {
        for number in 0..60 {
            let random = Rng::of_case(9, NAME, 3, number);
            let mut case = NestedCase::random(&mut random.clone());
            if case.is_doubled || case.pieces != [1; 2] {
                continue;
            }
            assert_eq!(found(&case, random.clone()), Ok(()), "{number}");
            let right = case.truth;
            for other in super::super::RELATIONS {
                case.truth = other;
                assert_eq!(
                    found(&case, random.clone()).is_ok(),
                    other == right,
                    "{number}"
                );
            }
            case.truth = right;
            for point in &mut case.points {
                point.1 = if point.1 == Side::Inside {
                    Side::Outside
                } else {
                    Side::Inside
                };
            }
            assert_eq!(found(&case, random.clone()).is_ok(), case.points.is_empty());
        }
    }

    #[test]
    fn closed_forms_are_held_by_intervals_and_wrong_ones_are_not() {
        let mut random = Rng::of_case(9, NAME, 3, 0);
        let shells = [1, 3].map(|size| ShellForm::Cube.shell(size));
        let map = Map::unit();
        let [a, b] = [0, 1].map(|k: usize| placed(&mut random, &shells[k], &map, 1.0, false));
        let [a, b] = [a, b].map(|surface| body(&surface).expect("a cube"));
        let pose = map.pose(1.0);
        let (a, b) = (a.at(&pose), b.at(&pose));
        // Half widths of 8 units, and three times that.
        let unit = 8.0 * UNIT as f64;
        assert_eq!(of_depth([4.0 * unit, 2.0 * unit], &a, &b), Ok(()));
        assert!(of_depth([4.1 * unit, 2.0 * unit], &a, &b).is_err());
        assert!(of_depth([4.0 * unit, 2.1 * unit], &a, &b).is_err());
    }

    #[test]
    fn sets_of_cells_have_the_relations_of_intervals() {
        let cells = |range: core::ops::Range<i64>| range.map(|x| [x]).collect::<Vec<_>>();
        let relation = |b: core::ops::Range<i64>| of_cells(&cells(2..5), &cells(b));
        assert_eq!(relation(6..8), Relation::Separated);
        assert_eq!(relation(5..8), Relation::Touching);
        assert_eq!(relation(4..8), Relation::Overlapping);
        assert_eq!(relation(2..8), Relation::Inside);
        assert_eq!(relation(3..4), Relation::Contains);
        assert_eq!(relation(2..5), Relation::Equal);
    }
}
