//! Two boxes with certificates written by hand: the true ones are accepted, each false one is refused for what it is.
//!
//! A is the box of half extents 1 at the origin, B the same shifted along x. Corner `k` is on the positive side of axis
//! `i` when bit `i` of `k` is set, so corner 1 of A and corner 0 of B face each other along x.

use gjk::query::{
    BigInt, Certificate, Combination, Contact, Direction, Interval, Iterations, Proof, Verdict,
    Weights,
};
use gjk::shape::{Ball, Cuboid, Rounded, Shape};
use gjk::verify::{Verified, VerifyError, verify, verify_verdict};
use gjk::{Pose, Scalar, Stop, Vec2, Vec3, Vector};

/// A pair with a true answer.
#[derive(Clone)]
struct Case<V: Vector> {
    shape: Shape<V>,
    pose: Pose<V>,
    answer: Proof<V>,
}

const ALL: Verified = Verified {
    verdict: true,
    lower: true,
    upper: true,
};

fn scalar<V: Vector>(x: f64) -> V::Scalar {
    V::Scalar::from_f64(x)
}

fn along_x<V: Vector>(x: f64) -> V {
    V::from_f64([x, 0.0, 0.0])
}

fn integers(d: [i64; 3]) -> Direction {
    Direction::Integer(d.map(BigInt::from))
}

fn facing() -> Combination {
    Combination {
        pairs: vec![[1, 0]],
        weights: Weights::Float(vec![1.0]),
    }
}

impl<V: Vector> Case<V> {
    /// Boxes `apart` along x, each with a radius, and what is true of them.
    fn new(shift: f64, radius: f64, verdict: Verdict, certificate: Certificate) -> Self {
        let cube = Cuboid::new(V::from_fn(|_| scalar::<V>(1.0))).unwrap();
        let shape = if radius > 0.0 {
            Rounded::new(cube.into(), scalar::<V>(radius))
                .unwrap()
                .into()
        } else {
            cube.into()
        };
        let truth = scalar::<V>(shift - 2.0 - 2.0 * radius);
        let contact = Contact {
            verdict,
            exact: true,
            signed_distance: Interval {
                lower: truth,
                upper: truth,
            },
            normal: along_x(1.0),
            point_a: along_x(1.0 + radius),
            point_b: along_x(shift - 1.0 - radius),
            stop: Stop::Exact,
            iterations: Iterations::default(),
        };
        let answer = Proof {
            contact,
            certificate: Some(certificate),
        };
        Self {
            shape,
            pose: Pose::from_translation(along_x(shift)),
            answer,
        }
    }

    fn separated() -> Self {
        let direction = integers([1, 0, 0]);
        Self::new(
            3.0,
            0.0,
            Verdict::Separated,
            Certificate::Separated {
                direction,
                nearest: Some(facing()),
            },
        )
    }

    fn rounded_separated() -> Self {
        let direction = Direction::Float([0.5, 0.0, 0.0]);
        Self::new(
            3.0,
            0.25,
            Verdict::Separated,
            Certificate::Separated {
                direction,
                nearest: Some(facing()),
            },
        )
    }

    fn touching() -> Self {
        let direction = integers([1_000_000, 0, 0]);
        Self::new(
            2.0,
            0.0,
            Verdict::Touching,
            Certificate::Touching {
                direction,
                nearest: facing(),
            },
        )
    }

    fn rounded_touching() -> Self {
        // Two pairs of equal difference: weights that floats state in any unit.
        let nearest = Combination {
            pairs: vec![[1, 0], [3, 2]],
            weights: Weights::Float(vec![0.25, 7.0]),
        };
        let direction = integers([1_000_000, 0, 0]);
        Self::new(
            2.5,
            0.25,
            Verdict::Touching,
            Certificate::Touching { direction, nearest },
        )
    }

    fn near() -> Self {
        let direction = integers([1, 0, 0]);
        Self::new(
            2.25,
            0.25,
            Verdict::Overlapping,
            Certificate::Near {
                nearest: facing(),
                direction,
            },
        )
    }

    fn overlapping() -> Self {
        let (pairs, facets) = (around(V::DIM), surface(V::DIM));
        Self::new(
            1.5,
            0.0,
            Verdict::Overlapping,
            Certificate::Overlapping { pairs, facets },
        )
    }

    fn rounded_overlapping() -> Self {
        let (pairs, facets) = (around(V::DIM), surface(V::DIM));
        Self::new(
            1.5,
            0.25,
            Verdict::Overlapping,
            Certificate::Overlapping { pairs, facets },
        )
    }

    fn all() -> [Self; 7] {
        [
            Self::separated(),
            Self::rounded_separated(),
            Self::touching(),
            Self::rounded_touching(),
            Self::near(),
            Self::overlapping(),
            Self::rounded_overlapping(),
        ]
    }

    fn verify(&self) -> Result<Verified, VerifyError> {
        verify(
            &self.shape,
            &Pose::identity(),
            &self.shape,
            &self.pose,
            &self.answer,
        )
    }

    /// What is said of this answer after a change.
    fn with(&self, change: impl FnOnce(&mut Proof<V>)) -> Result<Verified, VerifyError> {
        let mut changed = self.clone();
        change(&mut changed.answer);
        changed.verify()
    }

    /// What is said of this answer with another direction.
    fn towards(&self, other: Direction) -> Result<Verified, VerifyError> {
        self.with(|answer| match answer.certificate.as_mut().unwrap() {
            Certificate::Separated { direction, .. }
            | Certificate::Touching { direction, .. }
            | Certificate::Near { direction, .. } => *direction = other,
            Certificate::Overlapping { .. } => panic!("no direction"),
        })
    }

    /// What is said of this answer with another combination.
    fn combined(&self, change: impl FnOnce(&mut Combination)) -> Result<Verified, VerifyError> {
        self.with(|answer| match answer.certificate.as_mut().unwrap() {
            Certificate::Separated {
                nearest: Some(nearest),
                ..
            }
            | Certificate::Touching { nearest, .. }
            | Certificate::Near { nearest, .. } => change(nearest),
            _ => panic!("no combination"),
        })
    }

    fn enclosed(
        &self,
        change: impl FnOnce(&mut Vec<[u32; 2]>, &mut Vec<[[u32; 2]; 3]>),
    ) -> Result<Verified, VerifyError> {
        self.with(|answer| match answer.certificate.as_mut().unwrap() {
            Certificate::Overlapping { pairs, facets } => change(pairs, facets),
            _ => panic!("no pairs"),
        })
    }

    fn between(&self, lower: V::Scalar, upper: V::Scalar) -> Result<Verified, VerifyError> {
        self.with(|answer| answer.contact.signed_distance = Interval { lower, upper })
    }
}

/// Pairs whose differences have the origin strictly inside their hull when B is shifted by 1.5: three (four) of `x = 0.5`
/// around the axis, and `(-3.5, 0, 0)`.
fn around(dim: usize) -> Vec<[u32; 2]> {
    if dim == 2 {
        vec![[3, 0], [1, 2], [0, 1]]
    } else {
        vec![[3, 0], [5, 2], [1, 6], [0, 1]]
    }
}

/// The whole surface of the difference: a box whose corner `k` is corner `k` of A less the opposite corner of B.
fn surface(dim: usize) -> Vec<[[u32; 2]; 3]> {
    if dim == 2 {
        let pair = |k: u32| [k, 3 - k];
        return [[0, 1], [1, 3], [3, 2], [2, 0]]
            .map(|[i, j]| [pair(i), pair(j), pair(j)])
            .to_vec();
    }
    let pair = |k: u32| [k, 7 - k];
    let quads = [
        [1, 3, 7, 5],
        [0, 4, 6, 2],
        [2, 6, 7, 3],
        [0, 1, 5, 4],
        [4, 5, 7, 6],
        [0, 2, 3, 1],
    ];
    quads
        .iter()
        .flat_map(|&[i, j, k, l]| [[i, j, k], [i, k, l]])
        .map(|facet| facet.map(pair))
        .collect()
}

/// Runs a generic test body for both dimensions and both scalars.
macro_rules! everywhere {
    ($name:ident) => {
        $name::<Vec2<f32>>();
        $name::<Vec2<f64>>();
        $name::<Vec3<f32>>();
        $name::<Vec3<f64>>();
    };
}

/// Asserts the kind of an objection.
macro_rules! refused {
    ($got:expr, $kind:pat) => {
        let got = $got;
        assert!(matches!(got, Err($kind)), "{}: {got:?}", stringify!($got));
        // Every objection says something.
        assert!(got.unwrap_err().to_string().len() > 15);
    };
}

#[test]
fn true_certificates_of_each_kind_prove_everything() {
    fn body<V: Vector>() {
        for case in Case::<V>::all() {
            assert_eq!(case.verify(), Ok(ALL), "{:?}", case.answer);
            let (here, certificate) = (Pose::identity(), case.answer.certificate.as_ref());
            let verdict = verify_verdict(
                &case.shape,
                &here,
                &case.shape,
                &case.pose,
                case.answer.contact.verdict,
                certificate,
            );
            assert_eq!(verdict, Ok(true));
        }
    }
    everywhere!(body);
}

#[test]
fn an_answer_without_certificate_proves_nothing_and_is_still_checked() {
    fn body<V: Vector>() {
        for case in Case::<V>::all() {
            assert_eq!(
                case.with(|answer| answer.certificate = None),
                Ok(Verified::default())
            );
            let twice = V::from_f64([2.0, 0.0, 0.0]);
            refused!(
                case.with(|a| (a.certificate, a.contact.normal) = (None, twice)),
                VerifyError::NormalLength
            );
        }
    }
    everywhere!(body);
}

#[test]
fn intervals_must_be_numbers_in_order_with_the_verdicts_sign() {
    fn body<V: Vector>() {
        let (zero, one, big) = (scalar::<V>(0.0), scalar::<V>(1.0), V::Scalar::INFINITY);
        for case in Case::<V>::all() {
            refused!(
                case.between(scalar::<V>(f64::NAN), one),
                VerifyError::NotANumber {
                    field: "signed_distance.lower"
                }
            );
            refused!(
                case.between(one, scalar::<V>(f64::NAN)),
                VerifyError::NotANumber {
                    field: "signed_distance.upper"
                }
            );
            refused!(
                case.between(one, one.next_down()),
                VerifyError::IntervalEmpty { .. }
            );
            refused!(case.between(big, big), VerifyError::IntervalEmpty { .. });
            refused!(case.between(-one, one), VerifyError::IntervalSign { .. });
            let nan = V::from_f64([f64::NAN; 3]);
            refused!(
                case.with(|a| a.contact.normal = nan),
                VerifyError::NotANumber { field: "normal" }
            );
            refused!(
                case.with(|a| a.contact.point_a = nan),
                VerifyError::NotANumber { field: "point_a" }
            );
            refused!(
                case.with(|a| a.contact.point_b = nan),
                VerifyError::NotANumber { field: "point_b" }
            );
        }
        refused!(
            Case::<V>::separated().between(zero, one),
            VerifyError::IntervalSign { .. }
        );
        refused!(
            Case::<V>::near().between(-one, zero),
            VerifyError::IntervalSign { .. }
        );
        refused!(
            Case::<V>::touching().between(zero, V::Scalar::TINIEST),
            VerifyError::IntervalSign { .. }
        );
        refused!(
            Case::<V>::touching().with(|a| {
                (a.contact.verdict, a.certificate) = (Verdict::Undecided, None);
            }),
            VerifyError::ExactUndecided
        );
    }
    everywhere!(body);
}

#[test]
fn an_end_beyond_what_is_proved_by_one_float_is_refuted() {
    fn body<V: Vector>() {
        for case in Case::<V>::all()
            .iter()
            .filter(|case| case.answer.contact.verdict != Verdict::Touching)
        {
            let truth = case.answer.contact.signed_distance.lower;
            let (far, near) = (
                truth + scalar::<V>(0.25).min(truth.abs() * scalar::<V>(0.5)),
                truth - scalar::<V>(0.25).min(truth.abs() * scalar::<V>(0.5)),
            );
            refused!(
                case.between(truth.next_up(), far),
                VerifyError::End { end: "lower", .. }
            );
            refused!(
                case.between(near, truth.next_down()),
                VerifyError::End { end: "upper", .. }
            );
            // Wider is as true.
            assert_eq!(case.between(truth.next_down(), truth.next_up()), Ok(ALL));
        }
    }
    everywhere!(body);
}

#[test]
fn ends_that_nothing_proves_are_reported() {
    fn body<V: Vector>() {
        let separated = Case::<V>::separated();
        // The direction is off by a millionth: it still separates, and the distance is a little less along it.
        let proved = separated.towards(integers([1_000_000, 1, 0]));
        assert_eq!(
            proved,
            Ok(Verified {
                lower: false,
                ..ALL
            })
        );
        // A longer combination.
        let proved = separated.combined(|c| c.pairs[0] = [0, 0]);
        assert_eq!(
            proved,
            Ok(Verified {
                upper: false,
                ..ALL
            })
        );
        let proved = separated.with(|a| {
            let Some(Certificate::Separated { nearest, .. }) = &mut a.certificate else {
                panic!()
            };
            *nearest = None;
        });
        assert_eq!(
            proved,
            Ok(Verified {
                upper: false,
                ..ALL
            })
        );
        let infinite = separated.between(scalar::<V>(1.0), V::Scalar::INFINITY);
        assert_eq!(
            infinite,
            Ok(Verified {
                upper: false,
                ..ALL
            })
        );
        // Without facets the pairs' own hull is what proves the depth.
        let pairs_alone = |list: Vec<[u32; 2]>| {
            Case::<V>::overlapping().enclosed(|pairs, facets| {
                *pairs = list;
                facets.clear();
            })
        };
        assert_eq!(pairs_alone(around(V::DIM)), Ok(ALL));
        let thin = if V::DIM == 2 {
            vec![[3, 0], [1, 0], [0, 2]]
        } else {
            vec![[0, 2], [0, 4], [1, 0], [6, 0]]
        };
        assert_eq!(
            pairs_alone(thin),
            Ok(Verified {
                upper: false,
                ..ALL
            })
        );
    }
    everywhere!(body);
}

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
fn normals_must_be_unit_and_fit_the_certificate() {
    fn body<V: Vector>() {
        let (aside, back) = (V::axis(1), along_x::<V>(-1.0));
        for case in Case::<V>::all() {
            let long = V::from_f64([1.0 + 16.0 * V::Scalar::ROUNDING.to_f64(), 0.0, 0.0]);
            refused!(
                case.with(|a| a.contact.normal = V::ZERO),
                VerifyError::NormalLength
            );
            refused!(
                case.with(|a| a.contact.normal = long),
                VerifyError::NormalLength
            );
            refused!(
                case.with(|a| a.contact.normal = V::from_f64([f64::INFINITY; 3])),
                VerifyError::NormalLength
            );
            let got = case.with(|a| a.contact.normal = back);
            if matches!(
                case.answer.certificate,
                Some(Certificate::Overlapping { .. })
            ) {
                refused!(got, VerifyError::NormalShort { .. });
            } else {
                refused!(got, VerifyError::NormalDirection { .. });
            }
        }
        for case in [Case::<V>::touching(), Case::<V>::rounded_touching()] {
            refused!(
                case.with(|a| a.contact.normal = aside),
                VerifyError::NormalDirection {
                    verdict: Verdict::Touching
                }
            );
            // A hundred roundings off the direction; a few are granted.
            let turned =
                |roundings: f64| V::from_f64([1.0, roundings * V::Scalar::ROUNDING.to_f64(), 0.0]);
            refused!(
                case.with(|a| a.contact.normal = turned(100.0)),
                VerifyError::NormalDirection { .. }
            );
            assert_eq!(case.with(|a| a.contact.normal = turned(4.0)), Ok(ALL));
        }
        for case in &Case::<V>::all()[4..] {
            // Moving B aside by this depth does not separate.
            refused!(
                case.with(|a| a.contact.normal = aside),
                VerifyError::NormalShort { .. }
            );
        }
    }
    everywhere!(body);
}

#[test]
fn witness_points_must_be_as_far_apart_as_the_interval() {
    fn body<V: Vector>() {
        for case in Case::<V>::all() {
            let moved = |by: f64| {
                case.with(|a| a.contact.point_b = a.contact.point_b + V::axis(1) * scalar::<V>(by))
            };
            refused!(moved(1.0), VerifyError::Witnesses { .. });
            assert_eq!(moved(V::Scalar::ROUNDING.to_f64()), Ok(ALL));
        }
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

/// Numbers of any size: nothing is lost to underflow or overflow.
#[test]
fn extreme_worlds_are_checked_as_exactly() {
    fn at(scale: f64) -> Result<Verified, VerifyError> {
        let mut case = Case::<Vec3<f64>>::overlapping();
        let pose = |x: f64| {
            let column = |k: usize| Vec3::<f64>::axis(k) * scale;
            Pose::from_columns([column(0), column(1), column(2)], along_x(x * scale))
        };
        let a = &mut case.answer;
        a.contact.signed_distance = Interval {
            lower: -0.5 * scale,
            upper: -0.5 * scale,
        };
        (a.contact.point_a, a.contact.point_b) = (along_x(scale), along_x(0.5 * scale));
        verify(
            &case.shape,
            &pose(0.0),
            &case.shape,
            &pose(1.5),
            &case.answer,
        )
    }
    // The smallest two numbers that have halves, and the largest of which twice is still a number.
    let tiny = [1u64 << 1, 1u64 << 4].map(f64::from_bits);
    for scale in tiny
        .into_iter()
        .chain([-800, -100, 100, 1000, 1021].map(|e| 2f64.powi(e)))
    {
        assert_eq!(at(scale), Ok(ALL), "{scale:e}");
    }
}
