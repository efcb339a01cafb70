//! The bodies as the page draws them: each form once, and where each part stands in each state.
//!
//! Idea: forms that are equal are one, whether they come from one file or not; so are poses, because most parts of most scenes do
//! not move. A pose takes the middle of a form's box to the world, so that a form keeps its digits wherever it stands.

use super::pack::Pack;
use super::table::PairRow;
use gjk_check::parts::{Body, Part};
use gjk_check::states::States;
use gjk_check::{CheckResult, severity};
use gjk_lab::{Drawn, drawn};
use gjk_scene::Affine;
use serde::Serialize;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// With more states than this, those are left out in which the least was found.
const STATES_SHOWN: usize = 300;

/// What is in the page's geometry, in this order: the corners of all forms, their triangles, their edges; of all poses the columns
/// of the matrix and the translation; the pose of each part in each state.
#[derive(Serialize)]
pub struct PageScene {
    forms: Vec<PageForm>,
    parts: Vec<PagePart>,
    poses: usize,
}

/// How much of the geometry is of a form.
#[derive(Serialize)]
struct PageForm {
    corners: usize,
    triangles: usize,
    edges: usize,
    /// Smooth, and drawn by points of it.
    approximate: bool,
}

/// A part: whose it is, and its form.
#[derive(Serialize)]
struct PagePart {
    body: usize,
    form: usize,
}

/// Forms, each once.
#[derive(Default)]
struct Forms {
    forms: Vec<Drawn>,
    /// By what parts share, and by what is in them.
    shared: HashMap<(usize, usize), usize>,
    equal: HashMap<u64, Vec<usize>>,
}

impl Forms {
    fn place(&mut self, part: &Part) -> usize {
        let surface = part.surface.as_ref().map_or(0, |s| Arc::as_ptr(s) as usize);
        let shared = (surface, Arc::as_ptr(&part.shape) as usize);
        if let Some(&place) = self.shared.get(&shared) {
            return place;
        }
        let form = drawn(part);
        let mut hasher = DefaultHasher::new();
        form.triangles.hash(&mut hasher);
        for corner in &form.corners {
            corner.map(f32::to_bits).hash(&mut hasher);
        }
        let alike = self.equal.entry(hasher.finish()).or_default();
        let equal = alike
            .iter()
            .copied()
            .find(|&place| self.forms[place] == form);
        let place = equal.unwrap_or_else(|| {
            alike.push(self.forms.len());
            self.forms.push(form);
            self.forms.len() - 1
        });
        self.shared.insert(shared, place);
        place
    }

    fn pack(&self, pack: &mut Pack) {
        let corners: Vec<f32> = self.all(|form| form.corners.iter().flatten().copied());
        pack.singles(corners.into_iter());
        for form in &self.forms {
            pack.indices(form.triangles.as_flattened().iter().copied());
        }
        for form in &self.forms {
            pack.indices(form.edges.as_flattened().iter().copied());
        }
    }

    fn all<'f, T, I: Iterator<Item = T>>(&'f self, of: impl Fn(&'f Drawn) -> I) -> Vec<T> {
        self.forms.iter().flat_map(of).collect()
    }
}

/// Poses, each once.
#[derive(Default)]
struct Poses {
    poses: Vec<([f32; 9], [f64; 3])>,
    places: HashMap<([u32; 9], [u64; 3]), u32>,
}

impl Poses {
    /// The place of the map that takes a form's middle to the world.
    fn place(&mut self, pose: &Affine, centre: [f64; 3]) -> u32 {
        let [x, y, z] = pose.linear;
        let row = |k: usize| {
            let [a, b, c] = pose.linear[k];
            a * centre[0] + b * centre[1] + c * centre[2] + pose.translation[k]
        };
        let translation = [0, 1, 2].map(row);
        // By columns, as the page's matrices are.
        let linear =
            [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]].map(|entry| entry as f32);
        let next = self.poses.len() as u32;
        let key = (linear.map(f32::to_bits), translation.map(f64::to_bits));
        match self.places.entry(key) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                self.poses.push((linear, translation));
                *free.insert(next)
            }
        }
    }
}

impl PageScene {
    /// The bodies in these states, and the numbers that draw them.
    pub fn new(bodies: &[Body], states: &States<'_>, shown: &[usize]) -> (Self, Pack) {
        let mut forms = Forms::default();
        let mut parts = Vec::new();
        for (body, of_body) in bodies.iter().enumerate() {
            parts.extend(of_body.parts.iter().map(|part| PagePart {
                body,
                form: forms.place(part),
            }));
        }
        let mut poses = Poses::default();
        let mut places: Vec<u32> = Vec::with_capacity(shown.len() * parts.len());
        for &state in shown {
            let links = states.link_poses(state);
            let all = bodies.iter().flat_map(|body| &body.parts);
            for (part, PagePart { form, .. }) in all.zip(&parts) {
                places.push(poses.place(&part.pose(&links), forms.forms[*form].centre));
            }
        }
        let mut pack = Pack::default();
        forms.pack(&mut pack);
        let linear: Vec<f32> = poses.poses.iter().flat_map(|(linear, _)| *linear).collect();
        let translations: Vec<f64> = poses.poses.iter().flat_map(|(_, t)| *t).collect();
        pack.singles(linear.into_iter());
        pack.doubles(translations.into_iter());
        pack.indices(places.into_iter());
        let scene = Self {
            forms: forms.forms.iter().map(PageForm::of).collect(),
            parts,
            poses: poses.poses.len(),
        };
        (scene, pack)
    }
}

impl PageForm {
    fn of(form: &Drawn) -> Self {
        Self {
            corners: form.corners.len(),
            triangles: form.triangles.len(),
            edges: form.edges.len(),
            approximate: form.approximate,
        }
    }
}

/// The states that the page has: all of them, or the worst of each pair, then those of the most severe pairs, then the first.
pub fn states_shown(rows: &[PairRow<'_>], result: &CheckResult, count: usize) -> Vec<usize> {
    if count <= STATES_SHOWN {
        return (0..count).collect();
    }
    let mut shown: BTreeSet<usize> = rows.iter().map(|row| row.worst.state).collect();
    let mut found: Vec<_> = result.pairs.iter().collect();
    found.sort_by(|one, other| {
        let key = |proximity: &gjk_check::Proximity| severity(proximity.verdict);
        let depth = one.proximity.lower.total_cmp(&other.proximity.lower);
        key(&one.proximity).cmp(&key(&other.proximity)).then(depth)
    });
    for state in found.iter().map(|pair| pair.state).chain(0..count) {
        if shown.len() >= STATES_SHOWN {
            break;
        }
        shown.insert(state);
    }
    shown.into_iter().collect()
}
