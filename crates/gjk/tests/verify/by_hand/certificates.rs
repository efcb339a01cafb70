//! Certificates that are false, each in its own way.

use super::*;

#[test]
fn a_certificate_must_be_of_the_verdicts_kind() {
    fn body<V: Vector>() {
        let intervals = [
            (1.0, Verdict::Separated),
            (0.0, Verdict::Touching),
            (-1.0, Verdict::Overlapping),
        ];
        for case in Case::<V>::all() {
            for (end, verdict) in intervals
                .into_iter()
                .filter(|(_, verdict)| *verdict != case.answer.contact.verdict)
            {
                let end = scalar::<V>(end);
                let swapped = case.with(|a| {
                    (a.contact.verdict, a.contact.signed_distance) = (
                        verdict,
                        Interval {
                            lower: end,
                            upper: end,
                        },
                    );
                    (a.contact.point_a, a.contact.point_b) = (V::ZERO, along_x(end.to_f64().abs()));
                });
                refused!(swapped, VerifyError::Kind { .. });
                let (here, certificate) = (Pose::identity(), case.answer.certificate.as_ref());
                let alone = verify_verdict(
                    &case.shape,
                    &here,
                    &case.shape,
                    &case.pose,
                    verdict,
                    certificate,
                );
                refused!(alone, VerifyError::Kind { .. });
            }
        }
    }
    everywhere!(body);
}

#[test]
fn certificates_of_other_poses_are_refused() {
    fn body<V: Vector>() {
        // One float nearer or farther: nothing is proved by less than the last bit.
        let nearer = |case: &mut Case<V>, x: f64| {
            case.pose = Pose::from_translation(V::from_fn(|k| {
                if k == 0 {
                    scalar::<V>(x).next_down()
                } else {
                    scalar::<V>(0.0)
                }
            }));
        };
        let farther = |case: &mut Case<V>, x: f64| {
            case.pose = Pose::from_translation(V::from_fn(|k| {
                if k == 0 {
                    scalar::<V>(x).next_up()
                } else {
                    scalar::<V>(0.0)
                }
            }));
        };
        for (mut case, x) in [
            (Case::<V>::touching(), 2.0),
            (Case::<V>::rounded_touching(), 2.5),
        ] {
            nearer(&mut case, x);
            refused!(
                case.verify(),
                VerifyError::Gap {
                    vertices: [1, 0],
                    ..
                }
            );
            farther(&mut case, x);
            refused!(
                case.verify(),
                VerifyError::CombinationLength {
                    verdict: Verdict::Touching
                }
            );
        }
        let mut case = Case::<V>::near();
        case.pose = Pose::from_translation(along_x(2.5));
        refused!(
            case.verify(),
            VerifyError::CombinationLength {
                verdict: Verdict::Overlapping
            }
        );
        let mut case = Case::<V>::separated();
        case.pose = Pose::from_translation(along_x(2.0));
        refused!(case.verify(), VerifyError::Gap { .. });
        let mut case = Case::<V>::rounded_separated();
        case.pose = Pose::from_translation(along_x(2.5));
        refused!(case.verify(), VerifyError::Gap { .. });
        let mut case = Case::<V>::overlapping();
        case.pose = Pose::from_translation(along_x(2.0));
        refused!(case.verify(), VerifyError::PairsOutside { .. });
    }
    everywhere!(body);
}

#[test]
fn directions_must_hold_the_vertices_apart() {
    fn body<V: Vector>() {
        for case in [Case::<V>::touching(), Case::<V>::rounded_touching()] {
            // One unit of a million off.
            refused!(
                case.towards(integers([1_000_000, 1, 0])),
                VerifyError::Gap {
                    verdict: Verdict::Touching,
                    ..
                }
            );
            refused!(
                case.towards(integers([1_000_000, -1, 0])),
                VerifyError::Gap {
                    verdict: Verdict::Touching,
                    ..
                }
            );
        }
        for case in &Case::<V>::all()[..5] {
            refused!(
                case.towards(integers([0, 0, 0])),
                VerifyError::Direction { what: "is zero" }
            );
            refused!(
                case.towards(Direction::Float([f64::NAN, 1.0, 0.0])),
                VerifyError::Direction { .. }
            );
            refused!(
                case.towards(Direction::Float([f64::INFINITY, 0.0, 0.0])),
                VerifyError::Direction { .. }
            );
            if V::DIM == 2 {
                let up = case.towards(integers([1, 0, 1]));
                refused!(
                    up,
                    VerifyError::Direction {
                        what: "leaves the plane"
                    }
                );
            }
        }
        for case in &Case::<V>::all()[..4] {
            refused!(case.towards(integers([-1, 0, 0])), VerifyError::Gap { .. });
            refused!(case.towards(integers([0, 1, 0])), VerifyError::Gap { .. });
        }
        // For bodies that are near, a direction is only a bound.
        assert_eq!(Case::<V>::near().towards(integers([0, 1, 0])), Ok(ALL));
        refused!(
            Case::<V>::near().towards(integers([-1, 0, 0])),
            VerifyError::NormalDirection { .. }
        );
    }
    everywhere!(body);
}

#[test]
fn combinations_must_be_weights_of_vertices() {
    fn body<V: Vector>() {
        for case in &Case::<V>::all()[..5] {
            refused!(
                case.combined(|c| c.pairs[0] = [99, 0]),
                VerifyError::PairRange { pair: [99, 0], .. }
            );
            refused!(
                case.combined(|c| c.pairs[0] = [0, gjk::NO_ID]),
                VerifyError::PairRange { .. }
            );
            refused!(
                case.combined(|c| c.pairs.clear()),
                VerifyError::PairCount { count: 0, .. }
            );
            refused!(
                case.combined(|c| c.pairs = vec![[1, 0]; 5]),
                VerifyError::PairCount { count: 5, .. }
            );
            refused!(
                case.combined(|c| c.pairs.push([0, 0])),
                VerifyError::Weights {
                    what: "are not one a pair"
                }
            );
            let weights = |numbers: &[f64]| {
                let numbers = numbers.to_vec();
                case.combined(|c| {
                    c.pairs.resize(numbers.len(), [1, 0]);
                    c.weights = Weights::Float(numbers);
                })
            };
            refused!(
                weights(&[f64::NAN]),
                VerifyError::Weights {
                    what: "are not finite"
                }
            );
            refused!(
                weights(&[0.0]),
                VerifyError::Weights {
                    what: "are all zero"
                }
            );
            refused!(
                weights(&[2.0, -1.0]),
                VerifyError::Weights {
                    what: "are not all positive or zero"
                }
            );
        }
        for case in [Case::<V>::touching(), Case::<V>::rounded_touching()] {
            // The pair of A's far side.
            refused!(
                case.combined(|c| c.pairs[0] = [0, 0]),
                VerifyError::CombinationLength { .. }
            );
            refused!(
                case.combined(|c| c.pairs[0] = [1, 1]),
                VerifyError::CombinationLength { .. }
            );
            // One part in a million of another pair.
            let mixed = case.combined(|c| {
                c.pairs = vec![[1, 0], [1, 2]];
                c.weights = Weights::Integer(vec![BigInt::from(999_999), BigInt::from(1)]);
            });
            refused!(mixed, VerifyError::CombinationLength { .. });
        }
        refused!(
            Case::<V>::near().combined(|c| c.pairs[0] = [0, 0]),
            VerifyError::CombinationLength { .. }
        );
    }
    everywhere!(body);
}

#[test]
fn pairs_must_enclose_the_origin_strictly() {
    fn body<V: Vector>() {
        let case = Case::<V>::overlapping();
        refused!(
            case.enclosed(|pairs, _| pairs.truncate(V::DIM)),
            VerifyError::PairCount { .. }
        );
        refused!(
            case.enclosed(|pairs, _| pairs.extend([[0, 0]; 3])),
            VerifyError::PairCount { .. }
        );
        refused!(
            case.enclosed(|pairs, _| pairs[0] = [9, 9]),
            VerifyError::PairRange { .. }
        );
        // The point behind the origin is gone: what is left lies in the plane x = 0.5.
        refused!(
            case.enclosed(|pairs, _| *pairs.last_mut().unwrap() = [3, 0]),
            VerifyError::PairsFlat
        );
        // A's and B's ids swapped in the first pair.
        refused!(
            case.enclosed(|pairs, _| pairs[0].reverse()),
            VerifyError::PairsOutside { .. }
        );
        // More points inside change nothing.
        assert_eq!(
            case.enclosed(|pairs, _| pairs.extend([[0, 0], [1, 1]])),
            Ok(ALL)
        );
        assert_eq!(
            case.enclosed(|pairs, _| pairs.extend([pairs[0], pairs[1]])),
            Ok(ALL)
        );
        // An origin on the boundary of the hull is not inside: an edge (a facet) through it.
        let mut edge = case.clone();
        edge.pose = Pose::from_translation(V::ZERO);
        let through = edge.enclosed(|pairs, _| {
            *pairs = if V::DIM == 2 {
                vec![[3, 0], [0, 3], [1, 0]]
            } else {
                vec![[7, 0], [0, 7], [1, 0], [2, 0]]
            };
        });
        refused!(through, VerifyError::PairsOutside { .. });
    }
    everywhere!(body);
}

#[test]
fn facets_must_be_a_closed_surface_around_the_origin() {
    fn body<V: Vector>() {
        let case = Case::<V>::overlapping();
        for at in 0..surface(V::DIM).len() {
            refused!(
                case.enclosed(|_, facets| _ = facets.remove(at)),
                VerifyError::FacetsOpen { .. }
            );
            refused!(
                case.enclosed(|_, facets| facets.push(facets[at])),
                VerifyError::FacetsOpen { .. }
            );
            refused!(
                case.enclosed(|_, facets| facets[at][0] = [99, 0]),
                VerifyError::FacetsOpen { .. }
            );
            let flipped = case.enclosed(|_, facets| {
                let [i, j, k] = facets[at];
                facets[at] = if V::DIM == 2 { [j, i, i] } else { [j, i, k] };
            });
            refused!(flipped, VerifyError::FacetsOpen { .. });
        }
        let inside_out = case.enclosed(|_, facets| {
            for facet in facets {
                let [i, j, k] = *facet;
                *facet = if V::DIM == 2 { [j, i, i] } else { [j, i, k] };
            }
        });
        refused!(inside_out, VerifyError::FacetOutside { facet: 0 });
        let renamed = case.enclosed(|_, facets| {
            facets
                .iter_mut()
                .flatten()
                .filter(|pair| pair[0] == 0)
                .for_each(|pair| *pair = [99, 0]);
        });
        refused!(renamed, VerifyError::PairRange { .. });
        if V::DIM == 2 {
            refused!(
                case.enclosed(|_, facets| facets[2][2] = [0, 0]),
                VerifyError::FacetShape { facet: 2 }
            );
        }
        // A closed surface that does not hold the origin: the same one of boxes that touch.
        let mut beside = case.clone();
        beside.pose = Pose::from_translation(along_x(2.0));
        beside.answer.certificate = Some(Certificate::Overlapping {
            pairs: around(V::DIM),
            facets: surface(V::DIM),
        });
        refused!(beside.verify(), VerifyError::PairsOutside { .. });
        // The pairs' own hull is a smaller surface with the same nearest facet.
        let small = case.enclosed(|pairs, facets| {
            let p = pairs.clone();
            *facets = if V::DIM == 2 {
                vec![[p[0], p[2], p[2]], [p[2], p[1], p[1]], [p[1], p[0], p[0]]]
            } else {
                vec![
                    [p[0], p[1], p[2]],
                    [p[1], p[0], p[3]],
                    [p[2], p[1], p[3]],
                    [p[0], p[2], p[3]],
                ]
            };
        });
        assert_eq!(small, Ok(ALL));
    }
    everywhere!(body);
}

#[test]
fn certificates_for_smooth_bodies_are_refused() {
    let ball = Shape::from(Ball::new(1.0).unwrap());
    let pose = Pose::from_columns(
        [Vec2::new(2.0, 0.0), Vec2::new(0.0, 1.0)],
        Vec2::new(5.0, 0.0),
    );
    let case = Case::<Vec2<f64>>::separated();
    // A ball squeezed to an ellipse has no vertices.
    let certificate = case.answer.certificate.as_ref();
    let got = verify_verdict(
        &ball,
        &Pose::identity(),
        &ball,
        &pose,
        Verdict::Separated,
        certificate,
    );
    refused!(got, VerifyError::NotPolytopes);
}
