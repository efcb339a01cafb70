//! The report for programs: `gjk check --json`, schema "gjk-check/1".

use gjk::query::{self, Verdict};
use gjk_check::pairs::Pairs;
use gjk_check::parts::{Body, Fidelity, Part};
use gjk_check::{CheckResult, Criteria, PairProximity, Verification};
use gjk_mesh::{Feature, Relation};
use gjk_scene::Scene;
use schemars::JsonSchema;
use serde::Serialize;

/// What `gjk check --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
#[serde(deny_unknown_fields)]
pub struct CheckReport<'a> {
    /// The layout's name: `gjk-check/1`.
    pub schema: &'static str,
    /// The name of the scene's file or folder.
    pub scene: String,
    /// The length unit of all numbers, where the scene says it.
    pub unit: Option<String>,
    /// The bodies in input order.
    pub bodies: Vec<BodyReport>,
    /// Gaps of at most this, and overlaps that reach no deeper, count as touching; absent when none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touch_band: Option<f64>,
    /// How many states were checked.
    pub states: usize,
    /// How many pairs of bodies were looked at, in each state.
    pub pairs_considered: usize,
    /// How many were not, and why.
    pub pairs_skipped: Skipped,
    /// The pairs found, sorted by state, then by `a`, then by `b` in input order.
    pub pairs: Vec<PairReport<'a>>,
    /// The worst of all states.
    pub worst: Worst,
    /// How many of `pairs` are undecided.
    pub undecided: usize,
    /// The overlaps that come from rounding; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,
    /// True when the check was stopped before its end; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// A body and its parts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Body")]
#[serde(deny_unknown_fields)]
pub struct BodyReport {
    /// Its name.
    pub name: String,
    /// Its convex parts; the body is their union.
    pub parts: Vec<PartReport>,
}

/// A convex part, and what it is to the part of the input.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Part")]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PartReport {
    /// The very shape that the input names.
    Primitive {
        /// The shape's word.
        source: String,
    },
    /// A mesh that is proved convex.
    ConvexMesh {
        /// The mesh file's name.
        source: String,
        /// Corners of the shape.
        vertices: usize,
    },
    /// A closed mesh as it is.
    Solid {
        /// The mesh file's name.
        source: String,
        /// How many shells it has.
        shells: usize,
    },
    /// A mesh that encloses nothing, as it is.
    Surface {
        /// The mesh file's name.
        source: String,
        /// Why it is no solid.
        reason: String,
    },
    /// The hull of a mesh: more than the part.
    Hull {
        /// The mesh file's name.
        source: String,
        /// Corners of the hull.
        vertices: usize,
        /// The mesh's volume over the hull's; null when the mesh is not a closed surface or the hull is flat.
        volume_ratio: Option<f64>,
    },
}

/// Pairs not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skipped {
    /// Joined by one joint.
    pub adjacent: usize,
    /// Switched off by the SRDF file, or allowed by the scene file.
    pub disabled: usize,
}

/// A pair of bodies in one state. World frame.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Pair")]
#[serde(deny_unknown_fields)]
pub struct PairReport<'a> {
    /// The state's index, from 0.
    pub state: usize,
    /// The first body.
    pub a: &'a str,
    /// The second body, later in input order.
    pub b: &'a str,
    /// The relation.
    pub verdict: VerdictWord,
    /// The relation in more words; null where it is not told: smooth shapes, and bodies of several parts that overlap.
    pub relation: Option<RelationWord>,
    /// True where both bodies stand so that they were compared in their own frame, before their poses round anything.
    pub flush: bool,
    /// True when the verdict is proved, false when it rests on the interval.
    pub exact: bool,
    /// Negative in overlap: minus the length of the shortest translation that separates. Null for overlaps of meshes whose depth
    /// was not asked.
    pub signed_distance: Option<Interval>,
    /// Unit, from A to B; null where none is known.
    pub normal: Option<[f64; 3]>,
    /// On A's surface; of meshes that overlap, where one reaches deepest into the other, or where they meet. Null where none is
    /// known.
    pub point_a: Option<[f64; 3]>,
    /// On B's surface, likewise.
    pub point_b: Option<[f64; 3]>,
    /// Where the surfaces of two meshes meet; absent where they do not, and for shapes without a surface of triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<ContactReport>,
    /// How far the surface of each reaches into the other, where the depth of an overlap was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protrusion: Option<ProtrusionReport>,
    /// Why the search ended, where it left the interval wide; absent where the ends agree to six digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<&'static str>,
    /// What a checker that shares nothing with the queries proves of this by certificates; absent unless `--verify` is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<VerifiedReport>,
    /// What it finds wrong, a bug; absent where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objection: Option<String>,
}

/// What a checker proves of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Verified")]
#[serde(deny_unknown_fields)]
pub struct VerifiedReport {
    /// The relation, of all pairs of parts that no box tells apart.
    pub relation: bool,
    /// The lower end of `signed_distance`.
    pub lower: bool,
    /// The upper end.
    pub upper: bool,
    /// The ends of `protrusion`; absent where that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protrusion: Option<VerifiedProtrusion>,
}

/// What a checker proves of how far two surfaces reach into one another; null for a body beside a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifiedProtrusion {
    /// Of A.
    pub a: Option<VerifiedEnds>,
    /// Of B.
    pub b: Option<VerifiedEnds>,
}

/// What a checker proves of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifiedEnds {
    /// Its lower end.
    pub lower: bool,
    /// Its upper end.
    pub upper: bool,
}

impl From<&Verification> for VerifiedReport {
    fn from(said: &Verification) -> Self {
        Self {
            relation: said.is_proved(),
            lower: said.lower,
            upper: said.upper,
            protrusion: said.protrusion.map(|of| {
                let [a, b] =
                    of.map(|ends| ends.map(|[lower, upper]| VerifiedEnds { lower, upper }));
                VerifiedProtrusion { a, b }
            }),
        }
    }
}

/// The features that meet.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Contact")]
#[serde(deny_unknown_fields)]
pub struct ContactReport {
    /// Of A.
    pub a: FeatureReport,
    /// Of B.
    pub b: FeatureReport,
}

/// A feature of a part's surface.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ContactFeature")]
#[serde(deny_unknown_fields)]
pub struct FeatureReport {
    /// The part's index in its body.
    pub part: usize,
    /// The triangle's index in the part's mesh, faces of more corners being fans of triangles.
    pub triangle: u32,
    /// Where on the triangle.
    pub feature: FeatureWord,
}

/// Where on a triangle a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Feature")]
#[serde(rename_all = "snake_case")]
pub enum FeatureWord {
    /// At a corner.
    Vertex,
    /// On an edge.
    Edge,
    /// Inside.
    Face,
}

impl From<Feature> for FeatureWord {
    fn from(feature: Feature) -> Self {
        match feature {
            Feature::Vertex => Self::Vertex,
            Feature::Edge => Self::Edge,
            Feature::Face => Self::Face,
        }
    }
}

/// How far surfaces reach: the greatest distance of a point of one, inside of the other, from the other's surface.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Protrusion")]
#[serde(deny_unknown_fields)]
pub struct ProtrusionReport {
    /// A's into B; null where B encloses nothing.
    pub a: Option<Interval>,
    /// B's into A; null where A encloses nothing.
    pub b: Option<Interval>,
}

/// Overlaps that are no deeper than rounding: decimal numbers are not doubles, and what touches on paper may overlap by a
/// rounding.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rounding {
    /// How many of `pairs` they are.
    pub overlaps: usize,
    /// The `--touch-band` that calls all of them touching.
    pub touch_band: f64,
}

/// The relation of two bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Verdict")]
#[serde(rename_all = "snake_case")]
pub enum VerdictWord {
    /// They share no point.
    Separated,
    /// They share points of their surfaces only, or are within the touch band.
    Touching,
    /// They share inner points.
    Overlapping,
    /// The interval straddles 0, and a shape is smooth.
    Undecided,
}

/// How two bodies are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Relation")]
#[serde(rename_all = "snake_case")]
pub enum RelationWord {
    /// They share no point.
    Separated,
    /// They share points of their surfaces only, or are within the touch band.
    Touching,
    /// They share volume, and neither is in the other.
    Overlapping,
    /// A surface passes through the other, or into a solid and out of it.
    Crossing,
    /// A is in B.
    Inside,
    /// B is in A.
    Contains,
    /// They are the same set.
    Equal,
}

impl From<Relation> for RelationWord {
    fn from(relation: Relation) -> Self {
        match relation {
            Relation::Separated => Self::Separated,
            Relation::Touching => Self::Touching,
            Relation::Overlapping => Self::Overlapping,
            Relation::Crossing => Self::Crossing,
            Relation::Inside => Self::Inside,
            Relation::Contains => Self::Contains,
            Relation::Equal => Self::Equal,
        }
    }
}

/// `lower ≤ truth ≤ upper`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
}

/// The worst of all states.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Worst {
    /// The depth of the deepest overlap that was measured, null when there is none.
    pub overlap: Option<f64>,
    /// The smallest distance of the separated pairs that were found, null when there is none.
    pub clearance: Option<f64>,
}

impl<'a> CheckReport<'a> {
    /// The report of a run.
    pub fn new(
        scene: &Scene,
        bodies: &'a [Body],
        pairs: &Pairs,
        criteria: &Criteria,
        result: &CheckResult,
    ) -> Self {
        Self {
            schema: "gjk-check/1",
            scene: scene.name.clone(),
            unit: scene.unit.clone(),
            bodies: bodies.iter().map(BodyReport::new).collect(),
            touch_band: Some(criteria.touch_band).filter(|&band| band > 0.0),
            states: result.states,
            pairs_considered: pairs.considered,
            pairs_skipped: Skipped {
                adjacent: pairs.adjacent,
                disabled: pairs.disabled,
            },
            pairs: result
                .pairs
                .iter()
                .map(|pair| PairReport::new(pair, bodies))
                .collect(),
            worst: Worst::of(&result.pairs),
            undecided: result
                .pairs
                .iter()
                .filter(|pair| pair.proximity.verdict == Verdict::Undecided)
                .count(),
            rounding: Rounding::of(&result.pairs),
            partial: result.is_partial,
        }
    }

    /// The JSON Schema, as `gjk schema check` prints it.
    pub fn json_schema() -> schemars::Schema {
        schemars::generate::SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<Self>()
    }
}

impl Rounding {
    /// The pairs that overlap no deeper than rounding, in any state; `None` when there is none.
    pub fn of(pairs: &[PairProximity]) -> Option<Self> {
        let bands = pairs
            .iter()
            .filter_map(|pair| pair.proximity.rounding_band());
        Some(Self {
            overlaps: bands.clone().count(),
            touch_band: bands.max_by(f64::total_cmp)?,
        })
    }
}

impl Worst {
    fn of(pairs: &[PairProximity]) -> Self {
        let of = |verdict: Verdict| {
            let lower = pairs
                .iter()
                .filter(move |pair| pair.proximity.verdict == verdict)
                .filter(|pair| pair.proximity.is_measured())
                .map(|pair| pair.proximity.lower);
            lower.min_by(f64::total_cmp)
        };
        // Of an interval the end that is worse for the user.
        Self {
            overlap: of(Verdict::Overlapping).map(|lower| -lower),
            clearance: of(Verdict::Separated),
        }
    }
}

impl BodyReport {
    fn new(body: &Body) -> Self {
        Self {
            name: body.name.clone(),
            parts: body.parts.iter().map(PartReport::new).collect(),
        }
    }
}

impl PartReport {
    fn new(part: &Part) -> Self {
        let source = part.source.clone();
        match part.fidelity {
            Fidelity::Primitive => Self::Primitive { source },
            Fidelity::ConvexMesh { vertices } => Self::ConvexMesh { source, vertices },
            Fidelity::Solid { shells } => Self::Solid { source, shells },
            Fidelity::Surface { reason } => Self::Surface {
                source,
                reason: reason.to_string(),
            },
            Fidelity::Hull {
                vertices,
                volume_ratio,
            } => Self::Hull {
                source,
                vertices,
                volume_ratio,
            },
        }
    }
}

impl<'a> PairReport<'a> {
    pub(super) fn new(pair: &PairProximity, bodies: &'a [Body]) -> Self {
        let found = &pair.proximity;
        Self {
            state: pair.state,
            a: &bodies[pair.bodies.0].name,
            b: &bodies[pair.bodies.1].name,
            verdict: found.verdict.into(),
            relation: found.relation.map(RelationWord::from),
            flush: found.flush,
            exact: found.exact,
            signed_distance: found.is_measured().then_some(Interval {
                lower: found.lower,
                upper: found.upper,
            }),
            normal: found.known_normal(),
            point_a: found.known_points().map(|[point, _]| point),
            point_b: found.known_points().map(|[_, point]| point),
            contact: found.contact.map(|features| {
                let of = |part: usize, k: usize| FeatureReport {
                    part,
                    triangle: features[k].triangle,
                    feature: features[k].feature.into(),
                };
                ContactReport {
                    a: of(found.parts.0, 0),
                    b: of(found.parts.1, 1),
                }
            }),
            protrusion: found.depths.map(|depths| {
                let [a, b] = depths.protrusion.map(|one| one.map(Interval::from));
                ProtrusionReport { a, b }
            }),
            stop: found.is_wide().then(|| found.stop.name()),
            verified: pair.verification.as_ref().map(VerifiedReport::from),
            objection: pair
                .verification
                .as_ref()
                .and_then(|said| said.objection.clone()),
        }
    }
}

impl From<query::Interval<f64>> for Interval {
    fn from(interval: query::Interval<f64>) -> Self {
        Self {
            lower: interval.lower,
            upper: interval.upper,
        }
    }
}

impl From<Verdict> for VerdictWord {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Separated => Self::Separated,
            Verdict::Touching => Self::Touching,
            Verdict::Overlapping => Self::Overlapping,
            Verdict::Undecided => Self::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_check::parts::Meshes;

    #[test]
    fn a_stopped_run_says_that_it_is_partial() {
        let scene = gjk_check::example::scene().unwrap_or_else(|error| panic!("{error}"));
        let bodies = gjk_check::parts::build(&scene, Meshes::Exact)
            .unwrap_or_else(|error| panic!("{error}"));
        let pairs = Pairs::new(&scene, &bodies, None, false);
        let partial = |is_partial| {
            let result = CheckResult {
                is_partial,
                ..CheckResult::default()
            };
            serde_json::to_value(CheckReport::new(
                &scene,
                &bodies,
                &pairs,
                &Criteria::default(),
                &result,
            ))
            .unwrap_or_default()
        };
        assert_eq!(partial(true)["partial"], true);
        assert!(partial(false).get("partial").is_none());
    }
}
