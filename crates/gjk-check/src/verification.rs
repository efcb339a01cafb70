//! Is what was found for two bodies true? Each pair of parts that matters to it is proved again by a certificate alone.
//!
//! Where it sits: beside `narrow_phase.rs`, after it, where it is asked for. Meshes are checked by `gjk_mesh::verify`, convex shapes by
//! `gjk::verify`: neither shares a line with the queries. A mesh beside a shape without a surface of triangles has no certificate.

use crate::Criteria;
use crate::narrow_phase::by_gap;
use crate::pairs::Pairs;
use crate::proximity::{Placed, Proximity};
use gjk::query::{Options, Pair};
use gjk_mesh::verify::{verify_distance, verify_relation};
use gjk_mesh::{PosedBody, Relation, SurfaceDistance};

/// What the checkers said of two bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The pairs of parts that matter to the answer: no box tells them apart.
    pub part_pairs: usize,
    /// Those of them whose relation is proved.
    pub proved: usize,
    /// Whether the lower end of the signed distance is proved.
    pub lower: bool,
    /// Whether the upper end is.
    pub upper: bool,
    /// What was found wrong; a bug in this library.
    pub objection: Option<String>,
}

impl Verification {
    /// Whether the relation of all pairs of parts is proved.
    pub fn is_proved(&self) -> bool {
        self.proved == self.part_pairs && self.objection.is_none()
    }
}

/// Has an answer for two bodies checked.
pub(crate) fn verify(
    a: &[Placed<'_>],
    b: &[Placed<'_>],
    pairs: &Pairs,
    criteria: &Criteria,
    found: &Proximity,
) -> Verification {
    let mut said = Verification::default();
    // Parts whose boxes are farther apart than the bodies change neither relation nor distance.
    let reach = if found.upper.is_finite() {
        found.upper.max(0.0)
    } else {
        criteria.reach()
    };
    let mut ends = [true; 2];
    for (_, i, j) in by_gap(a, b, pairs, reach) {
        let is_own = (i, j) == found.parts;
        said.part_pairs += 1;
        let checked = match (a[i].surface(), b[j].surface()) {
            (Some(a), Some(b)) => of_meshes(a, b, found, is_own.then_some(criteria)),
            (None, None) => of_shapes(&a[i], &b[j], found),
            _ => Ok(Checked::default()),
        };
        match checked {
            Ok(checked) => {
                said.proved += usize::from(checked.relation);
                ends[0] &= checked.lower;
                ends[1] &= checked.upper || !is_own;
            }
            Err(objection) => {
                said.objection.get_or_insert(objection);
            }
        }
    }
    [said.lower, said.upper] = ends.map(|end| end && said.part_pairs > 0);
    said
}

/// What is proved of two parts.
#[derive(Clone, Copy, Default)]
struct Checked {
    relation: bool,
    /// That they are no nearer than the bodies.
    lower: bool,
    /// That they are as near.
    upper: bool,
}

/// Two meshes; `criteria` where the answer is theirs.
fn of_meshes(
    a: &PosedBody<'_>,
    b: &PosedBody<'_>,
    found: &Proximity,
    criteria: Option<&Criteria>,
) -> Result<Checked, String> {
    let (answer, certificate) = a.relation_certified(b);
    let plain = [&a.plain(b), &b.plain(a)];
    let relation = verify_relation(plain, answer.relation, &certificate)
        .map_err(|error| format!("{:?}: {error}", answer.relation))?;
    let is_whole = |criteria: &Criteria| criteria.touch_band == 0.0 && !criteria.float_only;
    if let (Some(reported), true) = (found.relation, criteria.is_some_and(is_whole))
        && reported != answer.relation
    {
        return Err(format!(
            "{reported:?} is reported, and the parts are {:?}",
            answer.relation
        ));
    }
    let mut checked = Checked {
        relation,
        ..Checked::default()
    };
    match answer.relation {
        Relation::Touching => {
            checked.lower = relation && found.lower <= 0.0;
            checked.upper = relation && found.upper >= 0.0;
        }
        Relation::Separated if found.lower <= 0.0 && found.upper.is_infinite() => {}
        Relation::Separated => {
            [checked.lower, checked.upper] = ends_of_distance(a, b, found)?;
        }
        // How deep parts are is not proved here.
        _ => {}
    }
    Ok(checked)
}

/// Whether the ends of the bodies' distance are proved for two meshes of theirs.
fn ends_of_distance(
    a: &PosedBody<'_>,
    b: &PosedBody<'_>,
    found: &Proximity,
) -> Result<[bool; 2], String> {
    let Some(nearest) = a.distance(b, f64::INFINITY) else {
        return Ok([false; 2]);
    };
    let claimed = SurfaceDistance {
        lower: found.lower,
        upper: found.upper.max(nearest.upper),
        ..nearest
    };
    let Some(certificate) = a.distance_certificate(b, &claimed) else {
        return Ok([false; 2]);
    };
    let plain = [&a.plain_in_world(), &b.plain_in_world()];
    let [lower, upper] =
        verify_distance(plain, &claimed, &certificate).map_err(|error| error.to_string())?;
    Ok([lower, upper && nearest.upper <= found.upper])
}

/// Two convex shapes.
fn of_shapes(a: &Placed<'_>, b: &Placed<'_>, found: &Proximity) -> Result<Checked, String> {
    let proof = Pair::new(a.shape, &a.pose, b.shape, &b.pose)
        .with(&Options::tight())
        .prove();
    let proved = gjk::verify::verify(a.shape, &a.pose, b.shape, &b.pose, &proof)
        .map_err(|error| error.to_string())?;
    let interval = proof.contact.signed_distance;
    Ok(Checked {
        relation: proved.verdict,
        lower: proved.lower && interval.lower >= found.lower,
        upper: proved.upper && interval.upper <= found.upper,
    })
}
