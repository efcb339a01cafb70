//! Rays at small sets of triangles, and a box that moves, judged by looking at all triangles.
//!
//! Idea: see [`sheets`] for the sets, which are of whole numbers, and so are the rays: they begin on features and aim at them. The time at which a ray meets a triangle is a quotient of whole numbers, so the
//! hits, their order and which of them are at one time are known. How often a solid winds around the start of a ray, less what the ray leaves, is how often it winds around the ray later. The box is asked of every
//! triangle by the library's own cast of two convex bodies, which other families judge.

use super::brute::{Face, FaceSet, is_flat};
use super::whole::{Map, STEP, Whole, cross, dot, less, part, placed};
use super::{RELATIONS, Tally, in_world, sheets};
use crate::Rng;
use core::cmp::Ordering;
use gjk::query::{self, Interval, Meeting, MotionOptions, Ray, Start};
use gjk::shape::{Cuboid, Triangle};
use gjk::{Pose3, Vec3, Vector};
use gjk_mesh::{MeshBody, MeshCast, PosedBody, Relation};

/// The family's name.
pub(super) const NAME: &str = "hits";

/// Larger corners would make products of more than 127 bits.
const LARGEST: i64 = STEP << 5;

/// A box moves in one case of so many.
const BOX_EVERY: u64 = 4;

/// A number of a positive denominator.
#[derive(Clone, Copy, Debug)]
struct Fraction(i128, i128);

impl Fraction {
    fn compare(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    fn is_in(self, time: Option<Interval<f64>>) -> bool {
        // Both are floats: a quotient of them is a neighbour of the truth.
        time.is_some_and(|time| time.contains(self.0 as f64 / self.1 as f64))
    }
}

/// A hit: when, whether it is within the triangle and through it, and the sense.
#[derive(Clone, Copy, Debug)]
struct TrueHit {
    time: Fraction,
    plain: bool,
    sense: i128,
}

/// The hit of a ray at a triangle.
fn hit(origin: Whole, way: Whole, face: &Face) -> Option<TrueHit> {
    let [a, b, c] = *face;
    let normal = cross(less(b, a), less(c, a));
    let way = way.map(i128::from);
    let (along, height) = (dot(normal, way), dot(normal, less(a, origin)));
    let edges = [[a, b], [b, c], [c, a]];
    if !is_flat(*face) && along != 0 {
        let time = Fraction(height * along.signum(), along.abs());
        // From the corner to the point, times the denominator.
        let sides = edges.map(|[u, v]| {
            let start = less(origin, u);
            let from = [0, 1, 2].map(|k| time.1 * start[k] + time.0 * way[k]);
            dot(cross(less(v, u), from), normal)
        });
        let is_met = time.0 >= 0 && sides.iter().all(|&side| side >= 0);
        let plain = sides.iter().all(|&side| side > 0) && time.0 > 0;
        let sense = along.signum();
        return is_met.then_some(TrueHit { time, plain, sense });
    }
    if !is_flat(*face) && height != 0 {
        return None;
    }
    let starts_in = !is_flat(*face)
        && edges
            .iter()
            .all(|&[u, v]| dot(cross(less(v, u), less(origin, u)), normal) >= 0);
    let times = edges.iter().filter_map(|edge| at_edge(origin, way, *edge));
    let first = times.reduce(|x, y| if y.compare(x).is_lt() { y } else { x });
    let time = if starts_in { Fraction(0, 1) } else { first? };
    Some(TrueHit {
        time,
        plain: false,
        sense: 0,
    })
}

/// The first time of a ray and a segment.
fn at_edge(origin: Whole, way: [i128; 3], [p, q]: [Whole; 2]) -> Option<Fraction> {
    let (edge, from) = (less(q, p), less(p, origin));
    let across = cross(way, edge);
    let square = dot(across, across);
    if square != 0 {
        let (t, s) = (
            dot(cross(from, edge), across),
            dot(cross(from, way), across),
        );
        let is_met = dot(from, across) == 0 && t >= 0 && (0..=square).contains(&s);
        return is_met.then_some(Fraction(t, square));
    }
    let (size, to) = (dot(way, way), less(q, origin));
    if size == 0 {
        // A point at rest.
        let is_on = cross(from, edge) == [0; 3] && dot(from, to) <= 0;
        return is_on.then_some(Fraction(0, 1));
    }
    let ends = [from, to].map(|x| dot(x, way));
    let is_on = cross(from, way) == [0; 3] && cross(to, way) == [0; 3];
    if !is_on || ends[0].max(ends[1]) < 0 {
        return None;
    }
    Some(Fraction(ends[0].min(ends[1]).max(0), size))
}

/// A set and a ray.
struct HitsCase {
    faces: Vec<Face>,
    origin: Whole,
    way: Whole,
}

impl HitsCase {
    fn random(random: &mut Rng) -> Self {
        let range = random.pick(&[1, 1, 2, 3, 8]);
        let is_small = |faces: &[Face]| {
            let all = faces.as_flattened().as_flattened();
            all.iter().all(|x| x.abs() <= LARGEST)
        };
        let mut sets = (0..8).map(|_| sheets::random(random, range, &[]));
        let unit = vec![[[0; 3], [STEP, 0, 0], [0, STEP, 0]]];
        let faces = sets
            .find(|faces| !faces.is_empty() && is_small(faces))
            .unwrap_or(unit);
        let at = |random: &mut Rng| Self::place(random, &faces, range);
        let origin = at(random);
        let target = at(random);
        let way = [0, 1, 2].map(|k| target[k] - origin[k]);
        let way = if way == [0; 3] || random.one_in(4) {
            [0; 3].map(|_| random.int(-2, 2))
        } else {
            way
        };
        Self { faces, origin, way }
    }

    /// A corner, a middle of an edge, a point of a triangle, between two triangles, or any.
    fn place(random: &mut Rng, faces: &[Face], range: i64) -> Whole {
        let face = |random: &mut Rng| faces[random.below(faces.len() as u64) as usize];
        let ([a, b, c], [d, e, _]) = (face(random), face(random));
        let on_face = match random.below(6) {
            0 => Some(a),
            1 => part([a, a, b, b]),
            2 => part([a, a, b, c]),
            // Of a shell mostly inside.
            3 | 4 => part([a, b, d, e]),
            _ => None,
        };
        on_face.unwrap_or_else(|| {
            [0; 3].map(|_| (STEP / 2) * random.int(-2 * range - 2, 2 * range + 2))
        })
    }
}

/// Asks and judges one case.
pub(super) fn judge(seed: u64, number: u64, tally: &mut Tally) {
    let mut random = Rng::of_case(seed, NAME, 3, number);
    let case = HitsCase::random(&mut random);
    tally.cases += 1;
    let map = Map::random(&mut random);
    let scale = random.pick(&[1.0, 1.0, 0.25, 1.0 / 4096.0, 1_048_576.0]);
    let surface = placed(&mut random, &case.faces, &map, scale, false);
    let pose = map.pose(scale);
    if let Err(message) = judged(&case, &surface, &pose, scale, &mut random, tally) {
        let corner = |p: Whole| p.map(|x| x as f64 * scale);
        let end = [0, 1, 2].map(|k| case.origin[k] + case.way[k]);
        let needle = [case.origin, end, case.origin].map(corner).to_vec();
        let surfaces = [surface, (needle, vec![[0, 1, 2]])];
        tally.found(
            number,
            message,
            in_world(&surfaces, &[pose, Pose3::identity()]),
        );
    }
}

fn judged(
    case: &HitsCase,
    surface: &super::Surface,
    pose: &Pose3<f64>,
    scale: f64,
    random: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    // A set of which all triangles take one another out is no mesh that could be met.
    let body = super::body(surface)?;
    let mesh = body.mesh();
    let face_of = |source: u32| case.faces[(surface.1[source as usize][0] / 3) as usize];
    let mut truth: Vec<(u32, TrueHit)> = (0..mesh.triangles().len() as u32)
        .map(|k| mesh.source(k))
        .filter_map(|k| Some((k, hit(case.origin, case.way, &face_of(k))?)))
        .collect();
    truth.sort_by(|x, y| x.1.time.compare(y.1.time).then(x.0.cmp(&y.0)));
    let number = |p: Whole| Vec3::from_f64(p.map(|x| x as f64 * scale));
    let ray = Ray::new(number(case.origin), number(case.way)).map_err(|e| e.to_string())?;
    let posed = body.at(pose);
    all_hits(&posed, &ray, &truth)?;
    let found = posed
        .ray(&ray, &MotionOptions::default())
        .map_err(|e| e.to_string())?;
    tally.not_exact += u64::from(!found.answer.exact);
    let kind = first(&found, &truth)?;
    if let Some(k) = RELATIONS.iter().position(|x| *x == kind) {
        tally.relations[k] += 1;
    }
    if body.kind().is_solid() {
        solid(&posed, case, &ray, &found, &truth, random, tally)?;
    }
    if random.one_in(BOX_EVERY) {
        moved_box(&body, &posed, case, scale, random)?;
    }
    Ok(())
}

fn all_hits(
    posed: &PosedBody<'_>,
    ray: &Ray<Vec3<f64>>,
    truth: &[(u32, TrueHit)],
) -> Result<(), String> {
    let found = posed.ray_hits(ray, &MotionOptions::default());
    let names: Vec<u32> = found.iter().map(|hit| hit.triangle).collect();
    let expected: Vec<u32> = truth.iter().map(|hit| hit.0).collect();
    if names != expected {
        return Err(format!("all hits are {names:?}, but they are {expected:?}"));
    }
    let pairs = found.iter().zip(truth);
    let wrong = pairs
        .into_iter()
        .find(|(hit, (_, truth))| !truth.time.is_in(hit.answer.time));
    wrong.map_or(Ok(()), |wrong| Err(format!("the time of {wrong:?}")))
}

/// The first hit, and what it is called in the counts.
fn first(found: &MeshCast, truth: &[(u32, TrueHit)]) -> Result<Relation, String> {
    let answer = &found.answer;
    if found.inside {
        return Ok(Relation::Inside);
    }
    let Some(&(_, first)) = truth.first() else {
        let is_free = answer.verdict == Meeting::Free;
        return if is_free {
            Ok(Relation::Separated)
        } else {
            Err(format!("{found:?}, but it is free"))
        };
    };
    let at_first = truth
        .iter()
        .filter(|x| x.1.time.compare(first.time).is_eq());
    let mut names: Vec<u32> = at_first.map(|x| x.0).collect();
    names.sort_unstable();
    let expected = if first.time.0 == 0 {
        Meeting::StartsTouching
    } else {
        Meeting::Hits
    };
    if answer.verdict != expected || found.triangles != names || !first.time.is_in(answer.time) {
        return Err(format!(
            "{found:?}, but {expected:?} of {names:?} at {:?}",
            first.time
        ));
    }
    if first.plain && names.len() == 1 && answer.grazing {
        return Err(format!("{found:?} goes through"));
    }
    Ok(if answer.grazing {
        Relation::Touching
    } else {
        Relation::Crossing
    })
}

/// Of a solid whether the start is inside, and when the ray leaves it, if it meets no edge before.
fn solid(
    posed: &PosedBody<'_>,
    case: &HitsCase,
    ray: &Ray<Vec3<f64>>,
    found: &MeshCast,
    truth: &[(u32, TrueHit)],
    random: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    let starts_on = truth.first().is_some_and(|hit| hit.1.time.0 == 0);
    // Turned triangles wind another way than those of the set.
    let is_as_given = posed
        .body()
        .mesh()
        .shells()
        .iter()
        .all(|shell| shell.turned == 0);
    let winding = FaceSet::new(case.faces.clone()).winding(random, case.origin);
    let Some(winding) = winding.filter(|_| is_as_given) else {
        tally.left_open += 1;
        return Ok(());
    };
    if found.inside != (winding != 0) || starts_on {
        return Err(format!("{found:?}, but it winds {winding} times"));
    }
    let (mut left, mut exit) = (winding, None);
    for (_, hit) in truth {
        if !found.inside || !hit.plain {
            break;
        }
        left -= hit.sense as i64;
        if left == 0 {
            exit = Some(hit.time);
            break;
        }
    }
    let Some(exit) = exit else {
        tally.left_open += u64::from(found.inside);
        return Ok(());
    };
    let options = MotionOptions::default().with_start(Start::Exit);
    let exits = posed
        .ray(ray, &options)
        .map_err(|error| error.to_string())?;
    if exits.answer.verdict != Meeting::Exits
        || !exit.is_in(exits.answer.time)
        || !exit.is_in(found.answer.exit)
    {
        return Err(format!(
            "{exits:?} and {found:?}, but it leaves at {exit:?}"
        ));
    }
    Ok(())
}

/// A box that moves as the ray does, against each triangle.
fn moved_box(
    body: &MeshBody,
    posed: &PosedBody<'_>,
    case: &HitsCase,
    scale: f64,
    random: &mut Rng,
) -> Result<(), String> {
    let half = [0; 3].map(|_| scale * random.pick(&[STEP / 4, STEP / 2, STEP]) as f64);
    let number = |p: Whole| Vec3::from_f64(p.map(|x| x as f64 * scale));
    let cube = Cuboid::new(Vec3::from_f64(half)).map_err(|error| format!("{error:?}"))?;
    let (at, way) = (
        Pose3::from_translation(number(case.origin)),
        number(case.way),
    );
    let (rest, here) = (Vec3::from_f64([0.0; 3]), Pose3::identity());
    let options = MotionOptions::default();
    let found = posed
        .cast(rest, &cube, &at, way, &options)
        .map_err(|error| error.to_string())?;
    let place = |v: u32| {
        posed
            .pose()
            .point(Vec3::from_f64(body.mesh().vertices()[v as usize]))
    };
    let mut answers = Vec::new();
    for &[a, b, c] in body.mesh().triangles() {
        let triangle = Triangle::new(place(a), place(b), place(c));
        let triangle = triangle.map_err(|error| format!("{error:?}"))?;
        answers.push(query::cast(
            &triangle, &here, rest, &cube, &at, way, &options,
        ));
    }
    let has = |verdict| answers.iter().any(|answer| answer.verdict == verdict);
    let order = [
        Meeting::StartsOverlapping,
        Meeting::StartsTouching,
        Meeting::Hits,
    ];
    let worst = order
        .into_iter()
        .find(|&verdict| has(verdict))
        .unwrap_or(Meeting::Free);
    let times = || answers.iter().filter_map(|answer| answer.time);
    let [lower, upper] = [
        times().map(|time| time.lower).fold(f64::INFINITY, f64::min),
        times().map(|time| time.upper).fold(f64::INFINITY, f64::min),
    ];
    let agrees = found
        .answer
        .time
        .is_none_or(|time| time.overlaps(&Interval { lower, upper }));
    let is_right = found.inside || found.answer.verdict == worst && agrees && found.answer.exact;
    if is_right {
        return Ok(());
    }
    Err(format!(
        "the box: {found:?}, but {worst:?} in [{lower}, {upper}]"
    ))
}
