//! Intervals that are none, that are refuted, or that nothing proves.

use super::*;

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
