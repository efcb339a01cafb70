//! Contact manifolds of many rows, over columns of the caller's.

use super::pointers::{Column, Out, Span, are_apart, optional, value};
use super::rows::{BodyColumns, RowCall, column, wanted};
use crate::handles::Shapes;
use crate::motion_types::{ManifoldColumns, ManifoldOptions, ManifoldPoint};
use crate::status::{Failure, Status, answered};
use crate::types::{Bodies, Options};
use gjk::query::ManifoldOptions as Asked;
use gjk::{Vec3, Vector};
use gjk_batch::rows::{self, NamedPoint, ask_manifolds};

/// How many points a row may have room for.
const ROOM: core::ops::RangeInclusive<u32> = 1..=64;

/// How many it has where nothing is said.
const USUAL_ROOM: u32 = 4;

/// The library's options, and how many points a row has room for.
///
/// # Safety  the caller's word.
unsafe fn manifold_options(asked: *const ManifoldOptions) -> Result<(Asked<f64>, usize), Failure> {
    // SAFETY: the caller's word.
    let Some(asked) = (unsafe { optional(asked, "asked") })? else {
        return Ok((Asked::default(), USUAL_ROOM as usize));
    };
    let refused = |told: String| Err(Failure::new(Status::BadArgument, told));
    let (prediction, most, cosine) = (asked.prediction, asked.points_max, asked.cos_max_tilt);
    if !(prediction.is_finite() && prediction >= 0.0) {
        return refused(format!(
            "prediction is {prediction}: it must be finite, and 0 or more"
        ));
    }
    if !ROOM.contains(&most) {
        return refused(format!("points_max is {most}: it must be from 1 to 64"));
    }
    if !(0.5..=1.0).contains(&cosine) {
        return refused(format!(
            "cos_max_tilt is {cosine}: it must be from 0.5 to 1"
        ));
    }
    let options = Asked::default().with_prediction(prediction);
    let options = options.with_points_max(most).with_cos_max_tilt(cosine);
    Ok((options, most as usize))
}

/// A point as C has it.
fn written(found: &NamedPoint<Vec3<f64>>) -> ManifoldPoint {
    let NamedPoint {
        point,
        exchanged_id,
    } = found;
    let triple = |x: Vec3<f64>| [0, 1, 2].map(|k| x.component(k));
    ManifoldPoint {
        point_a: triple(point.point_a),
        point_b: triple(point.point_b),
        separation_lower: point.separation.lower,
        separation_upper: point.separation.upper,
        id: point.id,
        exchanged_id: *exchanged_id,
    }
}

/// The caller's columns.
struct ManifoldTable<'a> {
    /// Verdicts, kinds and complete.
    codes: [Option<Column<'a, u8>>; 3],
    counts: Option<Column<'a, u32>>,
    points: Option<Column<'a, ManifoldPoint>>,
    /// Ends of the signed distance, and areas.
    numbers: [Option<Column<'a, f64>>; 3],
    normals: Option<Column<'a, f64>>,
    /// How many rows, and how many points each has room for.
    size: [usize; 2],
}

impl ManifoldTable<'_> {
    /// # Safety  the caller's word, until it is dropped.
    unsafe fn new(
        out: &ManifoldColumns,
        [count, room]: [usize; 2],
        read: &[Span],
    ) -> Result<Self, Failure> {
        let code = |first: *mut u8, name: &'static str| {
            // SAFETY: the caller's word.
            unsafe { column(first, count, 1, name) }
        };
        let number = |first: *mut f64, width: usize, name: &'static str| {
            // SAFETY: the caller's word.
            unsafe { column(first, count, width, name) }
        };
        let table = Self {
            codes: [
                code(out.verdicts, "verdicts")?,
                code(out.kinds, "kinds")?,
                code(out.complete, "complete")?,
            ],
            // SAFETY: the caller's word.
            counts: unsafe { column(out.counts, count, 1, "counts") }?,
            // SAFETY: the caller's word.
            points: unsafe { column(out.points, count, room, "points") }?,
            numbers: [
                number(out.lower, 1, "lower")?,
                number(out.upper, 1, "upper")?,
                number(out.areas, 1, "areas")?,
            ],
            normals: number(out.normals, 3, "normals")?,
            size: [count, room],
        };
        let numbers = table.numbers.iter().chain([&table.normals]).flatten();
        let mut written: Vec<Span> = numbers.map(Column::span).collect();
        written.extend(table.codes.iter().flatten().map(Column::span));
        written.extend(table.counts.as_ref().map(Column::span));
        written.extend(table.points.as_ref().map(Column::span));
        are_apart(&written, read)?;
        Ok(table)
    }

    /// Answers rows into the columns.
    ///
    /// # Safety  the caller's word: nothing else has the columns, as `new` saw.
    unsafe fn fill(
        self,
        ask: impl FnOnce(rows::ManifoldColumns<'_, Vec3<f64>>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let [count, room] = self.size;
        let [verdicts, kinds, of_complete] = self.codes;
        let [lower, upper, areas] = self.numbers;
        let mut spare = [0; 4].map(|_| Vec::new());
        let mut spare_codes = [0; 2].map(|_| Vec::new());
        let (mut exact, mut complete) = (vec![false; count], vec![false; count]);
        let mut points = vec![Vec::new(); count];
        let ([p, q, r, s], [t, u]) = (spare.each_mut(), spare_codes.each_mut());
        // SAFETY: as this function demands.
        let [verdicts, kinds] = [(verdicts, t), (kinds, u)]
            .map(|(column, spare)| unsafe { wanted(column, spare, count) });
        // SAFETY: as above.
        let [lower, upper, areas] = [(lower, p), (upper, q), (areas, s)]
            .map(|(column, spare)| unsafe { wanted(column, spare, count) });
        let told = ask(rows::ManifoldColumns {
            verdicts,
            exact: &mut exact,
            signed_distances: [lower, upper],
            // SAFETY: as above.
            normals: unsafe { wanted(self.normals, r, 3 * count) },
            kinds,
            areas,
            complete: &mut complete,
            points: &mut points,
        });
        // SAFETY: as this function demands.
        let bytes = of_complete.map(|column| unsafe { column.zeroed() });
        for (byte, flag) in bytes.into_iter().flatten().zip(&complete) {
            *byte = u8::from(*flag);
        }
        // SAFETY: as this function demands.
        let counts = self.counts.map(|column| unsafe { column.zeroed() });
        for (count, found) in counts.into_iter().flatten().zip(&points) {
            *count = found.len() as u32;
        }
        // SAFETY: as this function demands.
        let places = self.points.map(|column| unsafe { column.zeroed() });
        let places = places.unwrap_or_default().chunks_mut(room);
        for (place, found) in places.zip(&points) {
            for (place, found) in place.iter_mut().zip(found) {
                *place = written(found);
            }
        }
        told
    }
}

/// What questions about manifolds have when nothing else is said: `prediction` 0, four points, and 15 degrees.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_manifold_defaults(asked: *mut ManifoldOptions) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let place = unsafe { Out::new(asked, "asked") }?;
        let options = Asked::<f64>::default();
        place.put(ManifoldOptions {
            prediction: options.prediction(),
            points_max: USUAL_ROOM,
            cos_max_tilt: options.cos_max_tilt(),
        });
        Ok(())
    })
}

/// At which points the bodies of each row bear on each other. `asked` and `options` may be NULL; wrong rows are as those
/// of `gjk_contact_rows`, and have no points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_manifold_rows(
    shapes: *const Shapes,
    count: usize,
    a: *const Bodies,
    b: *const Bodies,
    asked: *const ManifoldOptions,
    options: *const Options,
    out: *const ManifoldColumns,
    wrong_rows: *mut usize,
) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let call = unsafe { RowCall::new(shapes, options, wrong_rows) }?;
        // SAFETY: the caller's word.
        let a = unsafe { BodyColumns::given(a, count, "a") }?;
        // SAFETY: the caller's word.
        let b = unsafe { BodyColumns::given(b, count, "b") }?;
        // SAFETY: the caller's word.
        let (asked, room) = unsafe { manifold_options(asked) }?;
        let read = [a.spans(), b.spans()].concat();
        // SAFETY: the caller's word.
        let out = unsafe { value(out, "out") }?;
        // SAFETY: the caller's word.
        let table = unsafe { ManifoldTable::new(out, [count, room], &read) }?;
        let set = call.shapes();
        // SAFETY: the columns are apart.
        unsafe {
            table.fill(|columns| {
                call.run(count, |options| {
                    ask_manifolds(&set, [&a, &b], &asked, options, columns)
                })
            })
        }
    })
}
