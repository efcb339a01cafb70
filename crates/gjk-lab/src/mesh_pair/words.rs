//! Relations, features and reasons in words.

use gjk_mesh::trace::{ContactCell, Facts, How, Step};
use gjk_mesh::{Contact, Feature, Relation, RelationAnswer};

/// Of a relation, for programs.
pub(super) fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Separated => "separated",
        Relation::Touching => "touching",
        Relation::Overlapping => "overlapping",
        Relation::Crossing => "crossing",
        Relation::Inside => "inside",
        Relation::Contains => "contains",
        Relation::Equal => "equal",
    }
}

/// The verdict of `gjk check`.
pub(super) fn verdict(relation: Relation) -> &'static str {
    match relation {
        Relation::Separated => "separated",
        Relation::Touching => "touching",
        _ => "overlapping",
    }
}

/// What a relation says of A and B.
fn claim(relation: Relation) -> &'static str {
    match relation {
        Relation::Separated => "A and B share no point",
        Relation::Touching => "A and B touch, and share no inner point",
        Relation::Overlapping => "A and B share inner points, and neither is within the other",
        Relation::Crossing => "A and B pass through each other",
        Relation::Inside => "A is inside of B",
        Relation::Contains => "B is inside of A",
        Relation::Equal => "A and B are the same set",
    }
}

/// Where on a body a point is.
pub(super) fn feature(feature: Feature) -> &'static str {
    match feature {
        Feature::Vertex => "a vertex",
        Feature::Edge => "an edge",
        Feature::Face => "a face",
    }
}

/// How two triangles meet.
pub(super) fn contact(contact: Contact) -> &'static str {
    match contact {
        Contact::Touching => "share points, and no edge passes through the inside of the other",
        Contact::Coplanar => "are in one plane and share an area",
        Contact::Crossing => "cross: an edge of one passes through the inside of the other",
    }
}

/// Facts that are known; empty for none.
pub(super) fn facts(facts: &Facts) -> String {
    let words = [
        (facts.overlap, "the insides meet"),
        (facts.leaves[0], "A leaves B"),
        (facts.leaves[1], "B leaves A"),
        (facts.unclear, "something cannot be told"),
    ];
    let known: Vec<&str> = words.iter().filter(|x| x.0).map(|x| x.1).collect();
    known.join(", ")
}

/// What a direction is to the cones.
pub(super) fn how(how: How) -> &'static str {
    match how {
        How::Crossing => "where two sectors cross",
        How::OnOne(0) => "on A's surface, off B's",
        How::OnOne(_) => "on B's surface, off A's",
        How::OnBoth => "on both surfaces",
    }
}

/// The relation and its reason, in one sentence.
pub(super) fn sentence(answer: &RelationAnswer, steps: &[Step]) -> String {
    let reason = match answer.relation {
        Relation::Separated => separated(steps),
        Relation::Touching => match cells(steps).count() {
            1 => "at the one point where features meet no direction goes into both".to_owned(),
            n => {
                format!("at none of the {n} points where features meet a direction goes into both")
            }
        },
        Relation::Equal => {
            "at every point where features meet the cones are one, so neither leaves the other"
                .to_owned()
        }
        _ => deciding(steps),
    };
    format!("{}: {reason}.", claim(answer.relation))
}

fn cells(steps: &[Step]) -> impl Iterator<Item = &ContactCell> {
    steps.iter().filter_map(|step| match step {
        Step::Cell(cell) => Some(&**cell),
        _ => None,
    })
}

fn separated(steps: &[Step]) -> String {
    let asked = |step: &&Step| matches!(step, Step::Triangles { .. });
    let shells = |step: &&Step| matches!(step, Step::Shell { .. });
    let triangles = match steps.iter().filter(asked).count() {
        0 => "boxes tell all triangles apart".to_owned(),
        n => {
            let pairs = gjk_scene::counted(n, "pair", "pairs");
            format!("of the {pairs} of triangles that no box tells apart none meets")
        }
    };
    if steps.iter().any(|step| shells(&step)) {
        format!("{triangles}, and no shell is inside of the other body")
    } else {
        triangles
    }
}

/// The step that first knew of an overlap.
fn deciding(steps: &[Step]) -> String {
    let found = steps.iter().find_map(|step| match step {
        Step::Triangles { decides: true, .. } => {
            Some("an edge of one passes through the inside of a triangle of the other".to_owned())
        }
        Step::Cell(cell) if cell.decides => {
            let [a, b] = cell.features.map(feature);
            Some(format!(
                "no edge passes through a face, but where {a} of A meets {b} of B a direction goes into both"
            ))
        }
        Step::Shell {
            body,
            decides: true,
            ..
        } => {
            let [mine, other] = if *body == 0 { ["A", "B"] } else { ["B", "A"] };
            Some(format!(
                "a shell of {mine} meets nothing of {other}, and a ray tells that a point of it is inside of {other}"
            ))
        }
        _ => None,
    });
    found.unwrap_or_else(|| "what is known of the pieces together says so".to_owned())
}
