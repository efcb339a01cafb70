//! Is what was found for two bodies true? Each pair of parts that matters to it is proved again by a certificate alone.
//!
//! Where it sits: beside `narrow_phase.rs`, after it, where it is asked for. Meshes are checked by `gjk_mesh::verify`, convex shapes by
//! `gjk::verify`: neither shares a line with the queries. A mesh beside a shape without a surface of triangles has no certificate.

use crate::Criteria;
use crate::narrow_phase::by_gap;
use crate::pairs::Pairs;
use crate::proximity::{Placed, Proximity};
use crate::surfaces::depth_options;
use gjk::query::{Options, Pair, ProofOptions};
use gjk_mesh::certificate::{CertifiedDepth, DistanceCertificate, PlainBody, RelationCertificate};
use gjk_mesh::verify::{DepthProved, verify_depth, verify_distance, verify_relation};
use gjk_mesh::{PosedBody, Relation, SurfaceDistance};

/// What the checkers said of two bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verification {
    /// The pairs of parts that matter to the answer: no box tells them apart.
    pub part_pairs: usize,
    /// Those of them whose relation is proved.
    pub proved: usize,
    /// Whether the lower end of the signed distance is proved.
    pub lower: bool,
    /// Whether the upper end is.
    pub upper: bool,
    /// What is proved of the protrusions, where they are reported; `None` beside a surface.
    pub protrusion: Option<[Option<[bool; 2]>; 2]>,
    /// What was found wrong; a bug in this library.
    pub objection: Option<String>,
    /// The certificates of pairs of meshes, where they are kept.
    pub certificates: Vec<MeshCertificate>,
}

/// All that a stranger needs to check the relation of two meshes, and their distance or depth where that is reported.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshCertificate {
    /// The parts of both bodies.
    pub parts: (usize, usize),
    /// Whether they are where they are before the pose that both have, or in the world.
    pub flush: bool,
    /// The meshes there.
    pub bodies: [PlainBody; 2],
    /// The relation.
    pub relation: Relation,
    /// What proves it.
    pub certificate: RelationCertificate,
    /// The distance in the world.
    pub distance: Option<MeshDistance>,
    /// The depth, and where it was measured.
    pub depth: Option<CertifiedDepth>,
}

/// A distance of two meshes.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshDistance {
    /// The meshes in the world.
    pub bodies: [PlainBody; 2],
    /// The interval.
    pub lower: f64,
    /// The same.
    pub upper: f64,
    /// What proves it.
    pub certificate: DistanceCertificate,
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
        let asked = Asked {
            found,
            criteria,
            is_own,
        };
        let mut kept = None;
        let checked = of_parts(&a[i], &b[j], &asked, &mut kept);
        said.certificates.extend(kept.map(|kept| MeshCertificate {
            parts: (i, j),
            ..kept
        }));
        match checked {
            Ok(checked) => {
                said.proved += usize::from(checked.relation);
                ends[0] &= checked.lower;
                ends[1] &= checked.upper || !is_own;
                if is_own {
                    said.protrusion = checked.protrusion;
                }
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
    /// The ends of their protrusions.
    protrusion: Option<[Option<[bool; 2]>; 2]>,
}

/// What is to be proved of two parts.
struct Asked<'f> {
    /// What was found for the bodies.
    found: &'f Proximity,
    criteria: &'f Criteria,
    /// Whether it was found at these parts.
    is_own: bool,
}

/// Two parts. `kept`: the certificate of two meshes, where it is to be kept.
fn of_parts(
    a: &Placed<'_>,
    b: &Placed<'_>,
    asked: &Asked<'_>,
    kept: &mut Option<MeshCertificate>,
) -> Result<Checked, String> {
    let surfaces = a.surface().zip(b.surface());
    if !(a.part.is_convex() && b.part.is_convex()) {
        return match surfaces {
            Some(surfaces) => of_meshes((a, b), surfaces, asked, kept),
            None => Ok(Checked::default()),
        };
    }
    let of_shapes = of_shapes(a, b, asked.found)?;
    let Some(surfaces) = surfaces else {
        return Ok(of_shapes);
    };
    // Bodies of one pose are related in their own frame.
    let known = relation(surfaces, asked, kept)?;
    let [lower, upper] = if known.relation == Relation::Touching {
        known.at_zero(asked.found)
    } else {
        [of_shapes.lower, of_shapes.upper]
    };
    let deep = of_depth(surfaces, known.relation, asked, kept)?;
    Ok(Checked {
        relation: known.is_proved,
        lower,
        upper,
        protrusion: deep.protrusion,
    })
}

/// Where two meshes are.
type Surfaces<'p, 'a> = (&'p PosedBody<'a>, &'p PosedBody<'a>);

/// Two meshes, one of which is not convex.
fn of_meshes(
    (a, b): (&Placed<'_>, &Placed<'_>),
    surfaces: Surfaces<'_, '_>,
    asked: &Asked<'_>,
    kept: &mut Option<MeshCertificate>,
) -> Result<Checked, String> {
    let known = relation(surfaces, asked, kept)?;
    let found = asked.found;
    let [lower, upper] = match known.relation {
        Relation::Touching => known.at_zero(found),
        Relation::Separated if found.lower <= 0.0 && found.upper.is_infinite() => [false; 2],
        Relation::Separated => ends_of_distance(surfaces, found, kept)?,
        _ => {
            let deep = of_depth(surfaces, known.relation, asked, kept)?;
            // What separates the hulls separates what is in them.
            let by_hulls = || Ok::<_, String>(of_shapes(a, b, found)?.lower);
            return Ok(Checked {
                relation: known.is_proved,
                lower: deep.lower || asked.criteria.depth.is_some() && by_hulls()?,
                ..deep
            });
        }
    };
    Ok(Checked {
        relation: known.is_proved,
        lower,
        upper,
        protrusion: None,
    })
}

/// The ends of the depth of two meshes and of their protrusions, where these are reported; nothing is said of the relation.
fn of_depth(
    (a, b): Surfaces<'_, '_>,
    relation: Relation,
    asked: &Asked<'_>,
    kept: &mut Option<MeshCertificate>,
) -> Result<Checked, String> {
    let is_overlap = !matches!(relation, Relation::Separated | Relation::Touching);
    let Some(reported) = asked.found.depths.filter(|_| is_overlap) else {
        return Ok(Checked::default());
    };
    let certified = a.depth_certified(b, &[reported.along], &depth_options(asked.criteria));
    let bodies = [&certified.bodies[0], &certified.bodies[1]];
    let proved = verify_depth(bodies, &certified.measured, &certified.certificate);
    let depth = certified.depth;
    if let Some(kept) = kept {
        kept.depth = Some(certified);
    }
    let DepthProved {
        thickness,
        escape,
        protrusion,
    } = proved.map_err(|error| error.to_string())?;
    let (found, proved) = (asked.found, depth.signed_distance());
    let of_each = [0, 1].map(|k: usize| {
        let (told, own) = (reported.protrusion[k]?, depth.protrusion[k]?);
        let [lower, upper] = protrusion[k];
        Some([
            lower && told.lower <= own.lower,
            upper && told.upper >= own.upper,
        ])
    });
    Ok(Checked {
        lower: escape && found.lower <= proved.lower,
        upper: thickness && found.upper >= proved.upper,
        protrusion: Some(of_each),
        ..Checked::default()
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
    (a, b): Surfaces<'_, '_>,
    asked: &Asked<'_>,
    kept: &mut Option<MeshCertificate>,
) -> Result<Related, String> {
    let (answer, certificate) = a.relation_certified(b);
    let relation = answer.relation;
    let bodies = [a.plain(b), b.plain(a)];
    let proved = verify_relation([&bodies[0], &bodies[1]], relation, &certificate);
    if asked.criteria.keep_certificates {
        *kept = Some(MeshCertificate {
            parts: (0, 0),
            flush: answer.flush,
            bodies,
            relation,
            certificate,
            distance: None,
            depth: None,
        });
    }
    let is_proved = proved.map_err(|error| format!("{relation:?}: {error}"))?;
    let Criteria {
        touch_band,
        float_only,
        ..
    } = *asked.criteria;
    let is_whole = asked.is_own && touch_band == 0.0 && !float_only;
    if let (Some(reported), true) = (asked.found.relation, is_whole)
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
    (a, b): Surfaces<'_, '_>,
    found: &Proximity,
    kept: &mut Option<MeshCertificate>,
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
    let bodies = [a.plain_in_world(), b.plain_in_world()];
    let proved = verify_distance([&bodies[0], &bodies[1]], &claimed, &certificate);
    if let Some(kept) = kept {
        kept.distance = Some(MeshDistance {
            bodies,
            lower: claimed.lower,
            upper: claimed.upper,
            certificate,
        });
    }
    let [lower, upper] = proved.map_err(|error| error.to_string())?;
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
        protrusion: None,
    })
}
