//! Contact manifolds of many rows, over columns of the caller's.

use super::general::free;
use super::pointers::{Column, Out, Span, are_apart, optional, value};
use super::rows::{BodyColumns, RowCall, column, wanted};
use crate::handles::{ManifoldCache, Shapes};
use crate::motion_types::{ManifoldColumns, ManifoldOptions, ManifoldPoint};
use crate::status::{Failure, Status, answered};
use crate::types::{Bodies, Options};
use gjk::query::ManifoldOptions as Asked;
use gjk::{Vec3, Vector};
use gjk_batch::rows::{self, NEW_POINT, NamedPoint, ask_manifolds, ask_manifolds_warm};
use std::sync::PoisonError;

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

/// What both calls of rows are given.
struct Given {
    shapes: *const Shapes,
    count: usize,
    bodies: [*const Bodies; 2],
    asked: *const ManifoldOptions,
    options: *const Options,
    out: *const ManifoldColumns,
    wrong_rows: *mut usize,
}

/// Answers rows, with what stays of the last ones or without. `before` is a column for the numbers of their points then.
///
/// # Safety  the caller's word.
unsafe fn answer(given: Given, kept: Option<(&ManifoldCache, *mut u32)>) -> Result<(), Failure> {
    let Given { count, bodies, .. } = given;
    // SAFETY: the caller's word.
    let call = unsafe { RowCall::new(given.shapes, given.options, given.wrong_rows) }?;
    // SAFETY: the caller's word.
    let a = unsafe { BodyColumns::given(bodies[0], count, "a") }?;
    // SAFETY: the caller's word.
    let b = unsafe { BodyColumns::given(bodies[1], count, "b") }?;
    // SAFETY: the caller's word.
    let (asked, room) = unsafe { manifold_options(given.asked) }?;
    let mut read = [a.spans(), b.spans()].concat();
    // SAFETY: the caller's word.
    let out = unsafe { value(given.out, "out") }?;
    let first = kept.map_or(core::ptr::null_mut(), |(_, before)| before);
    // SAFETY: the caller's word.
    let before = unsafe { column(first, count, room, "before") }?;
    if let Some(column) = &before {
        are_apart(&[column.span()], &read)?;
        // No other column may have it.
        read.push(column.span());
    }
    // SAFETY: the caller's word.
    let table = unsafe { ManifoldTable::new(out, [count, room], &read) }?;
    let set = call.shapes();
    let Some((cache, _)) = kept else {
        // SAFETY: the columns are apart.
        return unsafe {
            table.fill(|columns| {
                call.run(count, |options| {
                    ask_manifolds(&set, [&a, &b], &asked, options, columns)
                })
            })
        };
    };
    let mut rows = cache.rows.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the columns are apart.
    let told = unsafe {
        table.fill(|columns| {
            call.run(count, |options| {
                ask_manifolds_warm(&set, [&a, &b], &asked, options, columns, &mut rows)
            })
        })
    };
    // SAFETY: nothing else has the column.
    let places = before.map(|column| unsafe { column.zeroed() });
    for (row, places) in places.unwrap_or_default().chunks_mut(room).enumerate() {
        let known = rows
            .before(row)
            .iter()
            .chain(core::iter::repeat(&NEW_POINT));
        places
            .iter_mut()
            .zip(known)
            .for_each(|(place, &number)| *place = number);
    }
    told
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
    let bodies = [a, b];
    let given = Given {
        shapes,
        count,
        bodies,
        asked,
        options,
        out,
        wrong_rows,
    };
    // SAFETY: the caller's word.
    answered(|| unsafe { answer(given, None) })
}

/// Makes what stays of rows from one step of a simulation to the next: nothing yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_manifold_cache_new(cache: *mut *mut ManifoldCache) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let out = unsafe { Out::new(cache, "cache") }?;
        out.put(Box::into_raw(Box::default()));
        Ok(())
    })
}

/// Frees it. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_manifold_cache_free(cache: *mut ManifoldCache) {
    // SAFETY: the caller's word.
    unsafe { free(cache) };
}

/// `gjk_manifold_rows`, with what stayed of the rows of the last call with this cache: the same answers to the last bit.
/// `before` is NULL or has `count * points_max` places, as `out->points` has: of each point its number among the row's
/// points in the last call, and UINT32_MAX where it was not there, or where there is no point. So impulses are carried
/// from step to step. Row k goes on from row k. Of a wrong row, and of a call that was cancelled, nothing stays. Calls
/// with one cache wait for each other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_manifold_warm(
    shapes: *const Shapes,
    cache: *const ManifoldCache,
    count: usize,
    a: *const Bodies,
    b: *const Bodies,
    asked: *const ManifoldOptions,
    options: *const Options,
    out: *const ManifoldColumns,
    before: *mut u32,
    wrong_rows: *mut usize,
) -> Status {
    let bodies = [a, b];
    let given = Given {
        shapes,
        count,
        bodies,
        asked,
        options,
        out,
        wrong_rows,
    };
    answered(|| {
        // SAFETY: the caller's word.
        let cache = unsafe { value(cache, "cache") }?;
        // SAFETY: the caller's word.
        unsafe { answer(given, Some((cache, before))) }
    })
}
