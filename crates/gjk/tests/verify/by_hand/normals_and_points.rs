//! Normals and witness points that do not fit the rest of the answer.

use super::*;

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
