//! Is what was found for two bodies true? Each pair of parts that matters to it is proved again by a certificate alone.
//!
//! Where it sits: beside `narrow_phase.rs`, after it, where it is asked for. Meshes are checked by `gjk_mesh::verify`, convex shapes by
//! `gjk::verify`: neither shares a line with the queries. A mesh beside a shape without a surface of triangles has no certificate.

use crate::Criteria;
use crate::narrow_phase::by_gap;
use crate::pairs::Pairs;
use crate::proximity::{Placed, Proximity};
use gjk::query::{Options, Pair, ProofOptions};
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
        match of_parts(&a[i], &b[j], found, is_own.then_some(criteria)) {
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

/// Two parts; `criteria` where the answer is theirs.
fn of_parts(
    a: &Placed<'_>,
    b: &Placed<'_>,
    found: &Proximity,
    criteria: Option<&Criteria>,
) -> Result<Checked, String> {
    let surfaces = a.surface().zip(b.surface());
    if !(a.part.is_convex() && b.part.is_convex()) {
        let of_meshes = surfaces.map(|(a, b)| of_meshes(a, b, found, criteria));
        return of_meshes.unwrap_or(Ok(Checked::default()));
    }
    let of_shapes = of_shapes(a, b, found)?;
    let Some((a, b)) = surfaces else {
        return Ok(of_shapes);
    };
    // Bodies of one pose are related in their own frame.
    let known = relation(a, b, found, criteria)?;
    let ends = if known.relation == Relation::Touching {
        known.at_zero(found)
    } else {
        [of_shapes.lower, of_shapes.upper]
    };
    Ok(Checked {
        relation: known.is_proved,
        lower: ends[0],
        upper: ends[1],
    })
}

/// Two meshes; `criteria` where the answer is theirs.
fn of_meshes(
    a: &PosedBody<'_>,
    b: &PosedBody<'_>,
    found: &Proximity,
    criteria: Option<&Criteria>,
) -> Result<Checked, String> {
    let known = relation(a, b, found, criteria)?;
    let [lower, upper] = match known.relation {
        Relation::Touching => known.at_zero(found),
        Relation::Separated if found.lower <= 0.0 && found.upper.is_infinite() => [false; 2],
        Relation::Separated => ends_of_distance(a, b, found)?,
        // How deep parts are is not proved here.
        _ => [false; 2],
    };
    Ok(Checked {
        relation: known.is_proved,
        lower,
        upper,
    })
}

/// What is known of the relation of two meshes.
struct Related {
    relation: Relation,
    is_proved: bool,
}

impl Related {
    /// Whether the ends hold a distance of 0.
    fn at_zero(&self, found: &Proximity) -> [bool; 2] {
        [found.lower <= 0.0, found.upper >= 0.0].map(|end| end && self.is_proved)
    }
}

/// The relation of two meshes, proved where it can be.
fn relation(
    a: &PosedBody<'_>,
    b: &PosedBody<'_>,
    found: &Proximity,
    criteria: Option<&Criteria>,
) -> Result<Related, String> {
    let (answer, certificate) = a.relation_certified(b);
    let relation = answer.relation;
    let plain = [&a.plain(b), &b.plain(a)];
    let is_proved = verify_relation(plain, relation, &certificate)
        .map_err(|error| format!("{relation:?}: {error}"))?;
    let is_whole = |criteria: &Criteria| criteria.touch_band == 0.0 && !criteria.float_only;
    if let (Some(reported), true) = (found.relation, criteria.is_some_and(is_whole))
        && reported != relation
    {
        return Err(format!(
            "{reported:?} is reported, and the parts are {relation:?}"
        ));
    }
    Ok(Related {
        relation,
        is_proved,
    })
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
        .prove_with(&ProofOptions::default().with_facets(true));
    let proved = gjk::verify::verify(a.shape, &a.pose, b.shape, &b.pose, &proof)
        .map_err(|error| error.to_string())?;
    let interval = proof.contact.signed_distance;
    Ok(Checked {
        relation: proved.verdict,
        lower: proved.lower && interval.lower >= found.lower,
        upper: proved.upper && interval.upper <= found.upper,
    })
}
