//! Queries of triangle meshes as they are, by `gjk-mesh`.
//!
//! Inside the clock of a query is the body at its pose, as a caller has it that moves bodies. What is made once, when first asked for (the
//! tree of a mesh), is made by the warm pass; `build` has it inside the clock.

use crate::questions::Space;
use bench_protocol::{Answer, Outcome, Place, Shape, Workload, measure, measure_build};
use gjk::{Pose3, Vec3};
use gjk_mesh::{
    DistanceOptions, MeshBody, PosedBody, Relation, Side, SurfaceDistance, TriMesh, Warm,
};

/// The operations.
pub const OPS: &[&str] = &[
    "meet",
    "surface-dist",
    "surface-dist-warm",
    "within",
    "relation",
    "inside",
    "build",
    "build-tree",
];

/// Two bodies, by their numbers, and their poses.
type Question = ([usize; 2], [Pose3<f64>; 2]);

/// A workload in the library's own types.
struct Questions {
    bodies: Vec<MeshBody>,
    pairs: Vec<Question>,
    within: f64,
}

/// Asks one operation.
pub fn run(workload: &Workload, op: &str, rounds: usize) -> Result<Outcome, String> {
    match op {
        "build" => return build(workload, rounds),
        "build-tree" => return build_tree(workload, rounds),
        _ => {}
    }
    let questions = Questions::new(workload)?;
    match op {
        "meet" => Ok(questions.booleans(rounds, |_, a, b| Some(a.meets(b).is_some()))),
        "within" if !(workload.within > 0.0) => Err("the file says no distance".into()),
        "within" => Ok(questions.booleans(rounds, |_, a, b| a.closer_than(b, workload.within).0)),
        "surface-dist" => {
            Ok(questions.distances(rounds, &vec![Warm::default(); questions.count()]))
        }
        "surface-dist-warm" => Ok(questions.distances(rounds, &questions.kept())),
        "relation" => Ok(questions.relations(rounds)),
        "inside" => Ok(questions.sides(rounds)),
        _ => Err("no such operation".into()),
    }
}

impl Questions {
    fn new(workload: &Workload) -> Result<Self, String> {
        let pose = |place: &Place| <Vec3<f64> as Space>::pose(place).ok_or("a zero quaternion");
        let pairs = workload.pairs.iter().map(|pair| {
            Ok((
                pair.shapes,
                [pose(&pair.places[0])?, pose(&pair.places[1])?],
            ))
        });
        Ok(Self {
            bodies: workload.shapes.iter().map(body).collect::<Result<_, _>>()?,
            pairs: pairs.collect::<Result<_, String>>()?,
            within: workload.within,
        })
    }

    fn count(&self) -> usize {
        self.pairs.len()
    }

    fn posed(&self, (ids, poses): &Question) -> [PosedBody<'_>; 2] {
        [0, 1].map(|k| self.bodies[ids[k]].at(&poses[k]))
    }

    fn booleans(
        &self,
        rounds: usize,
        ask: impl Fn(usize, &PosedBody<'_>, &PosedBody<'_>) -> Option<bool>,
    ) -> Outcome {
        let (times, all) = measure(rounds, self.count(), |results| {
            results.extend(self.pairs.iter().enumerate().map(|(number, question)| {
                let [a, b] = self.posed(question);
                ask(number, &a, &b)
            }));
        });
        let said = |intersects| Answer {
            intersects,
            ..Answer::default()
        };
        (times, all.into_iter().map(said).collect())
    }

    fn distances(&self, rounds: usize, kept: &[Warm]) -> Outcome {
        let options = DistanceOptions::default();
        let (times, all) = measure(rounds, self.count(), |results| {
            results.extend(self.pairs.iter().zip(kept).map(|(question, &warm)| {
                let ([a, b], mut warm) = (self.posed(question), warm);
                a.distance_with(&b, &options, &mut warm)
            }));
        });
        (times, all.iter().map(of_distance).collect())
    }

    /// What a query leaves of each pair when the second body stood a little apart.
    fn kept(&self) -> Vec<Warm> {
        let apart = Pose3::from_translation(Vec3::new(0.1 * self.within, 0.0, 0.0));
        let kept = self.pairs.iter().map(|(ids, [p, q])| {
            let [a, b] = self.posed(&(*ids, [*p, apart.compose(q)]));
            let mut warm = Warm::default();
            a.distance_with(&b, &DistanceOptions::default(), &mut warm);
            warm
        });
        kept.collect()
    }

    fn relations(&self, rounds: usize) -> Outcome {
        let (times, all) = measure(rounds, self.count(), |results| {
            results.extend(self.pairs.iter().map(|question| {
                let [a, b] = self.posed(question);
                a.relation(&b)
            }));
        });
        let said = |relation: Relation| Answer {
            intersects: Some(relation != Relation::Separated),
            value: Some(number(relation)),
            ..Answer::default()
        };
        (
            times,
            all.iter().map(|found| said(found.relation)).collect(),
        )
    }

    /// Points are in the frame of the first body.
    fn sides(&self, rounds: usize) -> Outcome {
        let (times, all) = measure(rounds, self.count(), |results| {
            results.extend(self.pairs.iter().map(|(ids, poses)| {
                let Vec3 { x, y, z } = poses[1].translation();
                self.bodies[ids[0]].mesh().side_of([x, y, z])
            }));
        });
        let said = |side: Option<Side>| Answer {
            intersects: side.map(|side| side != Side::Outside),
            ..Answer::default()
        };
        (times, all.into_iter().map(said).collect())
    }
}

/// As the protocol numbers relations.
fn number(relation: Relation) -> f64 {
    match relation {
        Relation::Separated => 0.0,
        Relation::Touching => 1.0,
        Relation::Overlapping => 2.0,
        Relation::Crossing => 3.0,
        Relation::Inside => 4.0,
        Relation::Contains => 5.0,
        Relation::Equal => 6.0,
    }
}

fn of_distance(found: &Option<SurfaceDistance>) -> Answer {
    let Some(found) = found else {
        return Answer::default();
    };
    Answer {
        intersects: Some(found.upper == 0.0),
        value: Some(0.5 * (found.lower + found.upper)),
        normal: Some(found.normal),
        points: Some(found.points),
        interval: Some([found.lower, found.upper]),
        ..Answer::default()
    }
}

fn mesh(shape: &Shape) -> Result<TriMesh, String> {
    let Shape::Mesh(vertices, triangles) = shape else {
        return Err("only meshes".into());
    };
    TriMesh::new(vertices, triangles).map_err(|why| why.to_string())
}

fn body(shape: &Shape) -> Result<MeshBody, String> {
    mesh(shape).map(MeshBody::new)
}

/// Two places far apart: a question that needs no more than the roots of the trees.
fn ask_roots(body: &MeshBody) {
    let far = Pose3::from_translation(Vec3::new(1e9, 0.0, 0.0));
    let [a, b] = [Pose3::identity(), far].map(|pose| body.at(&pose));
    std::hint::black_box(a.closer_than(&b, 0.0));
}

/// All that a query of surfaces needs: vertices welded, shells found, its kind decided, the tree.
fn build(workload: &Workload, rounds: usize) -> Result<Outcome, String> {
    measure_build(rounds, workload, |built| {
        for shape in &workload.shapes {
            let body = body(shape)?;
            ask_roots(&body);
            built.push(body);
        }
        Ok(())
    })
}

/// The trees alone, of bodies that have none yet.
fn build_tree(workload: &Workload, rounds: usize) -> Result<Outcome, String> {
    let bodies: Vec<MeshBody> = workload.shapes.iter().map(body).collect::<Result<_, _>>()?;
    // One set for memory, one for the warm pass, one for each round.
    let mut sets = vec![bodies; rounds + 2];
    measure_build(rounds, workload, |built| {
        built.extend(sets.pop());
        built.iter().flatten().for_each(ask_roots);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The samples of the engines in C++: cubes of side two, whose distances are known by hand.
    const APART: &str = include_str!("../../../engine/samples/surfaces_dist.txt");
    const MEETING: &str = include_str!("../../../engine/samples/surfaces_meet.txt");

    fn asked(text: &str, op: &str) -> Result<Vec<Answer>, String> {
        run(&Workload::parse(text)?, op, 1).map(|(_, answers)| answers)
    }

    #[test]
    fn cubes_have_the_distances_known_by_hand() -> Result<(), String> {
        for op in ["surface-dist", "surface-dist-warm"] {
            for (answer, truth) in asked(APART, op)?.iter().zip([0.5, 0.25, 8.0]) {
                let [lower, upper] = answer.interval.ok_or("no interval")?;
                assert!(
                    lower <= truth + 1e-12 && upper >= truth - 1e-12,
                    "{op}: {answer:?}"
                );
                assert!(upper - lower < 1e-12, "{op}: {answer:?}");
            }
        }
        Ok(())
    }

    #[test]
    fn verdicts_and_relations_are_those_known_by_hand() -> Result<(), String> {
        let said = |text, op| -> Result<Vec<Option<bool>>, String> {
            Ok(asked(text, op)?.iter().map(|a| a.intersects).collect())
        };
        assert_eq!(said(APART, "meet")?, [Some(false); 3]);
        assert_eq!(said(MEETING, "meet")?, [Some(true); 2]);
        assert_eq!(
            said(APART, "within")?,
            [Some(false), Some(true), Some(false)]
        );
        // The places of B, as points, are outside of A.
        assert_eq!(said(APART, "inside")?, [Some(false); 3]);
        let relations: Vec<_> = asked(MEETING, "relation")?
            .iter()
            .map(|a| a.value)
            .collect();
        assert_eq!(relations, [Some(1.0), Some(2.0)]);
        assert!(asked(APART, "build")?.is_empty() && asked(APART, "build-tree")?.is_empty());
        assert!(asked(APART, "pen").is_err());
        Ok(())
    }
}
