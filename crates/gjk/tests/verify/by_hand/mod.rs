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

// After the macros, which they use.
mod certificates;
mod intervals;
mod normals_and_points;

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
