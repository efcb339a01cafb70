//! Pairs of small sets of triangles, open and closed, judged by looking at all pairs of triangles.
//!
//! Idea: see [`brute`](super::brute) for the truth and [`sheets`](super::sheets) for the sets. Two surfaces cross where triangles pass through each
//! other. They touch where they meet and one is, all of it, on one side of the plane of each triangle of the other that it meets: no triangle
//! there goes between its points. Of what meets in another way, at edges and corners only, it is not known here whether it crosses; that is
//! counted, and must not depend on how the sets are cut, ordered and placed.

use super::brute::{BodyKind, FaceSet, Met, Nearest, met, side};
use super::cells::Surface;
use super::whole::{Map, UNIT, Whole, cut, placed};
use super::{Tally, in_world, sheets, swapped};
use crate::Rng;
use gjk::Pose3;
use gjk_mesh::{Contact, MeshBody, MeshKind, PosedBody, Relation, SurfaceReason};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The family's name.
pub(super) const NAME: &str = "surfaces";

/// Certificates are made and checked of one case in so many.
const VERIFY_EVERY: u64 = 8;

/// Distances are asked of one case in so many.
const DISTANCE_EVERY: u64 = 3;

/// The same sets are cut, ordered and placed in another way in one case of so many.
const AGAIN_EVERY: u64 = 3;

/// So far from the origin both sets are, at most, in units.
const FAR: i64 = 1 << 34;

/// A body of a case: its triangles where they are compared, and where they are in the file.
struct Made {
    set: FaceSet,
    surface: Surface,
    pose: Pose3<f64>,
    /// Whether triangles run the other way around in the file.
    reversed: bool,
}

impl Made {
    fn new(random: &mut Rng, faces: &[[Whole; 3]], map: &Map, shift: Whole, scale: f64) -> Self {
        let reversed = random.one_in(8);
        let surface = placed(random, faces, map, scale, reversed);
        let in_order = surface.1.iter().map(|t| faces[(t[0] / 3) as usize]);
        Self {
            set: FaceSet::new(in_order.collect()),
            surface,
            pose: map.moved(shift).pose(scale),
            reversed,
        }
    }
}

/// What is true of two sets.
struct Expected {
    /// The pairs of triangles with areas that meet.
    pairs: Vec<([usize; 2], Met)>,
    relation: Told,
}

/// A relation as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    Is(Relation),
    /// The sets meet, at edges and corners only.
    Meets,
    /// Nothing is known.
    Open,
}

impl Told {
    fn allows(self, relation: Relation) -> bool {
        match self {
            Self::Is(told) => told == relation,
            Self::Meets => relation != Relation::Separated,
            Self::Open => true,
        }
    }
}

/// Two sets of a case, and how they are placed.
struct SurfacesCase {
    faces: [Vec<[Whole; 3]>; 2],
    maps: [Map; 2],
    shift: Whole,
    scale: f64,
}

impl SurfacesCase {
    fn random(random: &mut Rng) -> Self {
        let range = random.pick(&[1, 1, 2, 3, 8]);
        let a = sheets::random(random, range, &[]);
        let b = sheets::random(random, range, &a);
        let faces = if random.one_in(2) { [a, b] } else { [b, a] };
        let mut case = Self {
            faces,
            maps: [Map::random(random), Map::random(random)],
            shift: [0; 3],
            scale: random.pick(&[1.0, 1.0, 0.25, 1.0 / 4096.0, 1_048_576.0]),
        };
        if random.one_in(3) {
            case.maps[1] = case.maps[0];
        }
        if random.one_in(4) {
            case.shift = [0; 3].map(|_| UNIT * random.int(-FAR, FAR));
        }
        case
    }

    /// The same in other triangles and at other places.
    fn again(&self, random: &mut Rng) -> Self {
        let faces = self.faces.each_ref().map(|faces| {
            let mut faces = faces.clone();
            for _ in 0..random.below(4) {
                cut(random, &mut faces);
            }
            faces
        });
        Self {
            faces,
            maps: [Map::random(random), Map::random(random)],
            shift: [0; 3].map(|_| UNIT * random.int(-FAR, FAR)),
            scale: random.pick(&[1.0, 0.5, 1024.0]),
        }
    }

    fn made(&self, random: &mut Rng) -> [Made; 2] {
        [0, 1].map(|k| {
            Made::new(
                random,
                &self.faces[k],
                &self.maps[k],
                self.shift,
                self.scale,
            )
        })
    }
}

/// Asks and judges one case.
pub(super) fn judge(seed: u64, number: u64, tally: &mut Tally) {
    let mut random = Rng::of_case(seed, NAME, 3, number);
    tally.cases += 1;
    let case = SurfacesCase::random(&mut random);
    if case.faces.iter().any(Vec::is_empty) {
        return;
    }
    let made = case.made(&mut random);
    if let Err(message) = judged(&case, &made, &mut random, tally) {
        let surfaces = made.each_ref().map(|made| made.surface.clone());
        let poses = made.each_ref().map(|made| made.pose);
        tally.found(number, message, in_world(&surfaces, &poses));
    }
}

fn judged(
    case: &SurfacesCase,
    made: &[Made; 2],
    random: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    let [a, b] = [
        super::body(&made[0].surface)?,
        super::body(&made[1].surface)?,
    ];
    for (body, made) in [(&a, &made[0]), (&b, &made[1])] {
        tally.unknown_kinds += u64::from(!has_kind(body, made)?);
    }
    let (at_a, at_b) = (a.at(&made[0].pose), b.at(&made[1].pose));
    let truth = truth([&a, &b], made, random);
    let found = tally.ask(&at_a, &at_b);
    let is_of_surfaces = !a.kind().is_solid() && !b.kind().is_solid();
    if !truth.relation.allows(found.relation) || is_of_surfaces && !found.exact {
        return Err(format!("{found:?}, but it is {:?}", truth.relation));
    }
    tally.left_open += u64::from(!matches!(truth.relation, Told::Is(_)));
    let back = at_b.relation(&at_a).relation;
    if back != swapped(found.relation) {
        return Err(format!("{:?}, but swapped {back:?}", found.relation));
    }
    meets(&truth, [&at_a, &at_b])?;
    if random.one_in(DISTANCE_EVERY) {
        pairs_that_meet(&truth, [&at_a, &at_b])?;
        distance(made, case.scale, [&at_a, &at_b], random, tally)?;
    }
    if random.one_in(VERIFY_EVERY) {
        let pierced = |(_, met): &([usize; 2], Met)| met.contact == Contact::Crossing && met.passes;
        let is_proved =
            !is_of_surfaces || truth.pairs.is_empty() || truth.pairs.iter().any(pierced);
        tally.verify(&at_a, &at_b, &found, is_proved)?;
    }
    if random.one_in(AGAIN_EVERY) {
        let again = case.again(random).made(random);
        // Backs take one another out, and copies are left, only where both are cut in the same way; segments that are cut may have two corners
        // at one place, and are left out.
        let is_whole = |set: &FaceSet| set.has_areas_only() || set.kept.len() == set.faces.len();
        if made
            .iter()
            .chain(&again)
            .all(|made| made.set.is_without_copies() && is_whole(&made.set))
        {
            return is_same(&again, [&a, &b], found.relation);
        }
    }
    Ok(())
}

/// Whether what is cut and placed in another way has the same kinds and the same relation.
fn is_same(again: &[Made; 2], bodies: [&MeshBody; 2], relation: Relation) -> Result<(), String> {
    let [a, b] = [
        super::body(&again[0].surface)?,
        super::body(&again[1].surface)?,
    ];
    let other = a.at(&again[0].pose).relation(&b.at(&again[1].pose));
    let kinds = [&a, &b].map(MeshBody::kind);
    let expected = bodies.map(MeshBody::kind);
    // A cut may close what was open, and opens nothing that has areas only.
    let is_more = (0..2).any(|k| kinds[k].is_solid() && !expected[k].is_solid());
    let is_less = (0..2).any(|k| expected[k].is_solid() && !kinds[k].is_solid());
    let has_flat = again
        .iter()
        .any(|made| made.set.with_area.len() < made.set.faces.len());
    if is_more || is_less && has_flat || other.relation == relation && !is_less {
        return Ok(());
    }
    let other = other.relation;
    Err(format!(
        "{relation:?} of {expected:?}, but cut and moved {other:?} of {kinds:?}"
    ))
}

/// Whether a body's kind is known; an error if it is another one. Its open edges and contacts with itself are judged always.
fn has_kind(body: &MeshBody, made: &Made) -> Result<bool, String> {
    let mesh = body.mesh();
    let of_shells: usize = mesh.shells().iter().map(|shell| shell.open_edges).sum();
    let expected = made.set.kind(made.reversed);
    let open = made.set.open_edges();
    let is_simple = expected != BodyKind::ManyAtAnEdge;
    if of_shells < open || is_simple && of_shells != open {
        return Err(format!("{of_shells} open edges, but there are {open}"));
    }
    let mut contacts = BTreeSet::new();
    mesh.self_contacts(|found| {
        let mut pair = found.triangles.map(|t| mesh.source(t) as usize);
        pair.sort_unstable();
        contacts.insert((pair, found.contact));
        ControlFlow::Continue(())
    });
    let all = made.set.self_contacts();
    if contacts != all {
        return Err(format!(
            "it meets itself at {contacts:?}, but it does at {all:?}"
        ));
    }
    let kind = body.kind();
    let agrees = match (expected, kind) {
        (BodyKind::ManyAtAnEdge, found) => open == 0 || !found.is_solid(),
        (BodyKind::WithCavities, _) => true,
        (BodyKind::OpenEdge, MeshKind::Surface(SurfaceReason::OpenEdge(_)))
        | (BodyKind::UnbalancedEdge, MeshKind::Surface(SurfaceReason::UnbalancedEdge(_)))
        | (BodyKind::NoVolume, MeshKind::Surface(SurfaceReason::NoVolume))
        | (BodyKind::CrossesItself, MeshKind::Surface(SurfaceReason::CrossesItself(_)))
        | (BodyKind::TouchesItself, MeshKind::Surface(SurfaceReason::TouchesItself(_))) => true,
        (
            BodyKind::Solid {
                shells,
                shells_meet,
                inside_out,
            },
            found,
        ) => {
            *found
                == MeshKind::Solid {
                    shells,
                    cavities: 0,
                    shells_meet,
                    inside_out,
                }
        }
        _ => false,
    };
    if !agrees {
        return Err(format!("{kind:?}, but it is {expected:?}"));
    }
    Ok(!matches!(
        expected,
        BodyKind::ManyAtAnEdge | BodyKind::WithCavities
    ))
}

/// Whether a body is one shell around an inside.
fn is_one_shell(body: &MeshBody) -> bool {
    body.mesh().shells().len() == 1
}

fn truth(bodies: [&MeshBody; 2], made: &[Made; 2], random: &mut Rng) -> Expected {
    let [a, b] = [&made[0].set, &made[1].set];
    let mut pairs = Vec::new();
    for &i in &a.kept {
        for &j in &b.kept {
            pairs.extend(met(&a.faces[i], &b.faces[j]).map(|met| ([i, j], met)));
        }
    }
    let solid = bodies.map(|body| body.kind().is_solid());
    let is_plain = (0..2).all(|k| !solid[k] || is_one_shell(bodies[k]));
    let passes = pairs.iter().any(|(_, met)| met.passes);
    let relation = if solid != [false; 2] && !is_plain {
        Told::Open
    } else if passes && solid == [true; 2] {
        Told::Is(Relation::Overlapping)
    } else if passes {
        Told::Is(Relation::Crossing)
    } else if pairs.is_empty() {
        apart(solid, made, random)
    } else if solid == [false; 2] && (is_beside(a, b, &pairs, 0) || is_beside(b, a, &pairs, 1)) {
        Told::Is(Relation::Touching)
    } else {
        Told::Meets
    };
    Expected { pairs, relation }
}

/// Whether all of the second set is on one side of each triangle of the first one that meets it.
fn is_beside(a: &FaceSet, b: &FaceSet, pairs: &[([usize; 2], Met)], first: usize) -> bool {
    pairs.iter().all(|(pair, _)| {
        let face = a.faces[pair[first]];
        let corners = b.kept.iter().flat_map(|&k| b.faces[k]);
        let sides: Vec<i128> = corners.map(|p| side(face, p)).collect();
        !(sides.contains(&1) && sides.contains(&-1))
    })
}

/// The relation of two sets that share no point: each may be within the other.
fn apart(solid: [bool; 2], made: &[Made; 2], random: &mut Rng) -> Told {
    for k in 0..2 {
        let [outer, inner] = [&made[k], &made[1 - k]];
        if !solid[k] {
            continue;
        }
        let has_flat = inner.set.kept.len() > inner.set.with_area.len();
        if has_flat && solid[1 - k] {
            return Told::Open;
        }
        let corners: BTreeSet<Whole> = inner.set.kept_faces().into_iter().flatten().collect();
        let mut is_within = |p: &Whole| outer.set.winding(random, *p).is_some_and(|w| w % 2 != 0);
        let within = corners.iter().filter(|p| is_within(p)).count();
        if within == 0 {
            continue;
        }
        return Told::Is(match (within == corners.len(), k, solid[1 - k]) {
            (true, 0, _) => Relation::Contains,
            (true, _, _) => Relation::Inside,
            (false, _, true) => Relation::Overlapping,
            (false, _, false) => Relation::Crossing,
        });
    }
    Told::Is(Relation::Separated)
}

/// Whether the surfaces meet, and where.
fn meets(truth: &Expected, [a, b]: [&PosedBody<'_>; 2]) -> Result<(), String> {
    let found = a.meets(b).map(|pair| pair.map(|k| k as usize));
    let contact = a.relation(b).contact;
    let at = contact.map(|contact| contact.triangles.map(|k| k as usize));
    let is_pair = |pair: [usize; 2]| truth.pairs.iter().any(|(other, _)| *other == pair);
    let agrees = |found: Option<[usize; 2]>| found.map_or(truth.pairs.is_empty(), is_pair);
    if agrees(found) && (agrees(at) || truth.relation == Told::Open) {
        return Ok(());
    }
    Err(format!(
        "triangles {found:?} meet, the contact is of {at:?}, but of all {:?} do",
        truth.pairs
    ))
}

/// Whether just the triangles that meet are told to be no distance apart.
fn pairs_that_meet(truth: &Expected, [a, b]: [&PosedBody<'_>; 2]) -> Result<(), String> {
    let mut visited = BTreeSet::new();
    let mut fault = None;
    a.pairs_within(b, 0.0, |near| {
        let pair = near.triangles.map(|k| k as usize);
        let meets = truth.pairs.iter().any(|(other, _)| *other == pair);
        visited.insert(pair);
        if meets != (near.upper <= 0.0) || meets && near.lower > 0.0 {
            fault = Some(format!("{near:?}, but they meet: {meets}"));
        }
        ControlFlow::Continue(())
    });
    let missed = truth.pairs.iter().find(|(pair, _)| !visited.contains(pair));
    let missed = missed.map(|(pair, _)| format!("triangles {pair:?} meet and are not told"));
    fault.or(missed).map_or(Ok(()), Err)
}

fn distance(
    made: &[Made; 2],
    scale: f64,
    [a, b]: [&PosedBody<'_>; 2],
    random: &mut Rng,
    tally: &mut Tally,
) -> Result<(), String> {
    let has_none = made.iter().any(|made| made.set.kept.is_empty());
    let found = a.distance(b, f64::INFINITY);
    let Some(found) = found.filter(|_| !has_none) else {
        let agrees = has_none && found.is_none();
        return agrees
            .then_some(())
            .ok_or("a distance, but there is no triangle".into());
    };
    let Some(nearest) = Nearest::of(&made[0].set, &made[1].set) else {
        return Err("the distance is not known".into());
    };
    let (lower, upper) = (found.lower, found.upper);
    if found.stopped || !nearest.is_at_least(lower, scale) || !nearest.is_at_most(upper, scale) {
        return Err(format!("{found:?}, but the distance is {nearest:?}"));
    }
    let whole = scale * random.int(0, 1 << 12) as f64;
    for length in [
        whole,
        lower,
        upper,
        upper.next_up(),
        lower.next_down().max(0.0),
    ] {
        let (near, [low, high]) = a.closer_than(b, length);
        let agrees = match near {
            Some(true) => nearest.is_at_most(length, scale),
            Some(false) => !nearest.is_at_most(length, scale),
            None => true,
        };
        let holds = nearest.is_at_least(low, scale) && nearest.is_at_most(high, scale);
        if !agrees || !holds {
            return Err(format!(
                "closer than {length}: {near:?}, [{low}, {high}], but it is {nearest:?}"
            ));
        }
    }
    if random.one_in(VERIFY_EVERY) {
        tally.verify_distance(a, b, &found)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(faces: &[Vec<[Whole; 3]>; 2], told: &[Vec<[Whole; 3]>; 2]) -> Result<(), String> {
        let mut random = Rng::of_case(5, NAME, 3, 0);
        let map = Map::unit();
        let mut made = [0, 1].map(|k: usize| Made::new(&mut random, &faces[k], &map, [0; 3], 1.0));
        for k in 0..2 {
            let order = made[k]
                .surface
                .1
                .iter()
                .map(|t| told[k][(t[0] / 3) as usize]);
            made[k].set = FaceSet::new(order.collect());
        }
        let case = SurfacesCase {
            faces: told.clone(),
            maps: [map; 2],
            shift: [0; 3],
            scale: 1.0,
        };
        judged(&case, &made, &mut random, &mut Tally::default())
    }

    /// What is asked is another set than what is judged by: each kind of error must be told.
    #[test]
    fn a_wrong_answer_is_found_out() {
        let floor = vec![[[0, 0, 0], [8, 0, 0], [0, 8, 0]]];
        let wall = |z: i64| vec![[[2, 2, z], [2, 2, z + 2], [3, 4, z + 2]]];
        let error = |asked: i64, told: i64| {
            let sets = [asked, told].map(|z| [floor.clone(), wall(z)]);
            fault(&sets[0], &sets[1]).err().unwrap_or_default()
        };
        for z in [-1, 0, 1] {
            assert_eq!(error(z, z), "");
        }
        assert!(error(-1, 0).contains("Crossing, "), "{}", error(-1, 0));
        assert!(error(0, 1).contains("it is Is(Separated)"));
        assert!(error(1, -1).contains("it is Is(Crossing)"));
        // A closed mesh that is judged as one with a hole, and a fold as a flat sheet.
        let corners = [[0, 0, 9], [4, 0, 9], [0, 4, 9], [0, 0, 13]];
        let solid =
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|f| f.map(|k: usize| corners[k]));
        let mut open = solid.to_vec();
        open[3] = [[50, 0, 0], [60, 0, 0], [50, 9, 0]];
        let found = fault(&[floor.clone(), solid.to_vec()], &[floor.clone(), open]);
        assert!(found.is_err_and(|error| error.contains("open edges")));
        let sheet = |x: i64| {
            vec![
                [[0, 0, 9], [4, 0, 9], [0, 4, 9]],
                [[4, 0, 9], [0, 0, 9], [x, x, 9]],
            ]
        };
        let found = fault(&[floor.clone(), sheet(1)], &[floor, sheet(-1)]);
        assert!(found.is_err_and(|error| error.contains("it meets itself")));
    }

    #[test]
    fn a_wrong_distance_is_found_out() {
        let floor = vec![[[0, 0, 0], [8, 0, 0], [0, 8, 0]]];
        let above = |z: i64| vec![[[1, 1, z], [9, 9, z + 9], [9, 1, z + 9]]];
        let mut random = Rng::of_case(5, NAME, 3, 0);
        let map = Map::unit();
        let made =
            |faces: &[[Whole; 3]], random: &mut Rng| Made::new(random, faces, &map, [0; 3], 1.0);
        for (told, is_right) in [(3, true), (4, false), (2, false)] {
            let asked = [made(&floor, &mut random), made(&above(3), &mut random)];
            let judged_by = [made(&floor, &mut random), made(&above(told), &mut random)];
            let [a, b] =
                [0, 1].map(|k: usize| super::super::body(&asked[k].surface).expect("a mesh"));
            let (at_a, at_b) = (a.at(&asked[0].pose), b.at(&asked[1].pose));
            let mut tally = Tally::default();
            let found = distance(&judged_by, 1.0, [&at_a, &at_b], &mut random, &mut tally);
            assert_eq!(found.is_ok(), is_right, "{told}: {found:?}");
        }
    }
}
