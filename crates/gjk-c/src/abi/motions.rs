//! Rays, casts and times of impact of many rows, over columns of the caller's.

use super::pointers::{Column, Out, Rows, Span, are_apart, optional, value};
use super::rows::{BodyColumns, Posed, RowCall, column, poses, poses_spans, wanted};
use crate::handles::Shapes;
use crate::motion_types::{
    MotionColumns, MotionKind, MotionOptions, MotionStart, MotionTouch, Motions, Rays, Vectors,
};
use crate::status::{Failure, Status, answered};
use crate::types::{Bodies, Options};
use gjk::query::{MotionError, MotionOptions as Policies, Start, ToiOptions, Touch};
use gjk_batch::rows::{self, MotionRows, RayRows, ask_casts, ask_rays, ask_tois};

/// Vectors by row, in the caller's memory; `None` for zeros.
///
/// # Safety  the caller's word, for `'a`.
unsafe fn vectors<'a>(
    vectors: &Vectors,
    count: usize,
    name: &'static str,
) -> Result<Option<Rows<'a, f64>>, Failure> {
    if vectors.numbers.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's word.
    unsafe { Rows::new(vectors.numbers, vectors.stride, 3, count, name) }.map(Some)
}

fn bad(text: String) -> Failure {
    Failure::new(Status::BadArgument, text)
}

fn refused(error: MotionError, value: f64) -> Failure {
    let (field, told) = (error.field(), error.to_string());
    let why = told.strip_prefix(&format!("{field}: ")).unwrap_or(&told);
    bad(format!("{field} is {value}: {why}"))
}

/// The policies of the library, but for the end of the motion.
fn policies(asked: &MotionOptions) -> Result<Policies<f64>, Failure> {
    let start = match asked.start {
        x if x == MotionStart::Hit as u32 => Start::Hit,
        x if x == MotionStart::Approach as u32 => Start::Approach,
        x if x == MotionStart::Exit as u32 => Start::Exit,
        x => return Err(bad(format!("start is {x}: it must be a gjk_motion_start"))),
    };
    let touch = match asked.touch {
        x if x == MotionTouch::Counts as u32 => Touch::Counts,
        x if x == MotionTouch::Passes as u32 => Touch::Passes,
        x => return Err(bad(format!("touch is {x}: it must be a gjk_motion_touch"))),
    };
    let options = Policies::default().with_start(start).with_touch(touch);
    let options = options.with_distance(asked.distance);
    options.map_err(|error| refused(error, asked.distance))
}

/// The options of rays and casts.
///
/// # Safety  the caller's word.
unsafe fn motion_options(asked: *const MotionOptions) -> Result<Policies<f64>, Failure> {
    // SAFETY: the caller's word.
    let Some(asked) = (unsafe { optional(asked, "asked") })? else {
        return Ok(Policies::default());
    };
    let options = policies(asked)?.with_max_time(asked.max_time);
    options.map_err(|error| refused(error, asked.max_time))
}

/// The options of times of impact.
///
/// # Safety  the caller's word.
unsafe fn toi_options(asked: *const MotionOptions) -> Result<ToiOptions<f64>, Failure> {
    // SAFETY: the caller's word.
    let Some(asked) = (unsafe { optional(asked, "asked") })? else {
        return Ok(ToiOptions::default());
    };
    let options = ToiOptions::default().with_motion(policies(asked)?);
    let options = options.with_max_time(asked.max_time);
    let options = options.map_err(|error| refused(error, asked.max_time))?;
    let options = options.with_time_resolution(asked.time_resolution);
    let options = options.map_err(|error| refused(error, asked.time_resolution))?;
    Ok(options.with_pieces_max(asked.pieces_max))
}

/// Motions by row, in the caller's memory.
type MovedRows<'a> = MotionRows<Rows<'a, f64>, Posed<'a>>;

/// # Safety  the caller's word, for `'a`.
unsafe fn motions<'a>(
    given: *const Motions,
    count: usize,
    name: &'static str,
) -> Result<MovedRows<'a>, Failure> {
    // SAFETY: the caller's word.
    let Some(given) = (unsafe { optional(given, name) })? else {
        return Ok(MotionRows::Rest);
    };
    // SAFETY: the caller's word.
    let center = unsafe { vectors(&given.center, count, "center") }?;
    let is = |kind: MotionKind| given.kind == kind as u32;
    if is(MotionKind::Velocities) {
        return Ok(MotionRows::Velocities {
            // SAFETY: the caller's word.
            velocity: unsafe { vectors(&given.velocity, count, "velocity") }?,
            // SAFETY: the caller's word.
            angular: unsafe { vectors(&given.angular, count, "angular") }?,
            center,
        });
    }
    if !is(MotionKind::ToSlerp) && !is(MotionKind::ToNlerp) {
        let kind = given.kind;
        return Err(bad(format!(
            "the kind of {name} is {kind}: it must be a gjk_motion_kind"
        )));
    }
    Ok(MotionRows::To {
        // SAFETY: the caller's word.
        pose: unsafe { poses(&given.to, count) }?,
        center,
        nlerp: is(MotionKind::ToNlerp),
    })
}

/// The memory that motions read.
fn motion_spans(motions: &MovedRows<'_>) -> Vec<Span> {
    let some = |rows: [Option<Rows<'_, f64>>; 3]| -> Vec<Span> {
        rows.iter().flatten().map(Rows::span).collect()
    };
    match motions {
        MotionRows::Velocities {
            velocity,
            angular,
            center,
        } => some([*velocity, *angular, *center]),
        MotionRows::To { pose, center, .. } => {
            let mut spans = poses_spans(pose);
            spans.extend(some([*center, None, None]));
            spans
        }
        MotionRows::Vertices { .. } | MotionRows::Rest => Vec::new(),
    }
}

/// The caller's columns, and memory for those that are not wanted.
struct MotionTable<'a> {
    /// Verdicts, exact and grazing.
    codes: [Option<Column<'a, u8>>; 3],
    /// Ends of the time, of the exit and of the signed distance.
    ends: [Option<Column<'a, f64>>; 6],
    /// Normals, points of A and of B.
    vectors: [Option<Column<'a, f64>>; 3],
    count: usize,
}

impl MotionTable<'_> {
    /// # Safety  the caller's word, until it is dropped.
    unsafe fn new(out: &MotionColumns, count: usize, read: &[Span]) -> Result<Self, Failure> {
        let code = |first: *mut u8, name: &'static str| {
            // SAFETY: the caller's word.
            unsafe { Column::new(first, count, name) }
        };
        let number = |first: *mut f64, width: usize, name: &'static str| {
            // SAFETY: the caller's word.
            unsafe { column(first, count, width, name) }
        };
        let table = Self {
            codes: [
                code(out.verdicts, "verdicts")?,
                code(out.exact, "exact")?,
                code(out.grazing, "grazing")?,
            ],
            ends: [
                number(out.time_lower, 1, "time_lower")?,
                number(out.time_upper, 1, "time_upper")?,
                number(out.exit_lower, 1, "exit_lower")?,
                number(out.exit_upper, 1, "exit_upper")?,
                number(out.signed_lower, 1, "signed_lower")?,
                number(out.signed_upper, 1, "signed_upper")?,
            ],
            vectors: [
                number(out.normals, 3, "normals")?,
                number(out.points_a, 3, "points_a")?,
                number(out.points_b, 3, "points_b")?,
            ],
            count,
        };
        let numbers = table.ends.iter().chain(&table.vectors).flatten();
        let codes = table.codes.iter().flatten().map(Column::span);
        let written: Vec<Span> = numbers.map(Column::span).chain(codes).collect();
        are_apart(&written, read)?;
        Ok(table)
    }

    /// Answers rows into the columns.
    ///
    /// # Safety  the caller's word: nothing else has the columns, as `new` saw.
    unsafe fn fill(
        self,
        ask: impl FnOnce(rows::MotionColumns<'_, f64>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let count = self.count;
        let (mut ends, mut vectors) = ([0; 6].map(|_| Vec::new()), [0; 3].map(|_| Vec::new()));
        let mut flags = [0; 2].map(|_| vec![false; count]);
        let (mut iterations, mut stops, mut verdicts) =
            (vec![0; count], vec![0; count], Vec::new());
        let [codes, of_exact, of_grazing] = self.codes;
        // SAFETY: as this function demands.
        let verdicts = unsafe { wanted(codes, &mut verdicts, count) };
        let mut spare = ends.iter_mut();
        let ends = self.ends.map(|column| {
            spare.next().map_or(&mut [][..], |spare: &mut Vec<f64>| {
                // SAFETY: as this function demands.
                unsafe { wanted(column, spare, count) }
            })
        });
        let mut spare = vectors.iter_mut();
        let vectors = self.vectors.map(|column| {
            spare.next().map_or(&mut [][..], |spare: &mut Vec<f64>| {
                // SAFETY: as this function demands.
                unsafe { wanted(column, spare, 3 * count) }
            })
        });
        let ([t, u, v, w, x, y], [normals, points_a, points_b]) = (ends, vectors);
        let [exact, grazing] = flags.each_mut();
        let told = ask(rows::MotionColumns {
            verdicts,
            exact,
            times: [t, u],
            exits: [v, w],
            normals,
            points_a,
            points_b,
            grazing,
            signed_distances: [x, y],
            iterations: &mut iterations,
            stops: &mut stops,
        });
        for (column, flags) in [of_exact, of_grazing].into_iter().zip(&flags) {
            // SAFETY: as this function demands.
            let column = column.map(|column| unsafe { column.zeroed() });
            for (byte, flag) in column.into_iter().flatten().zip(flags) {
                *byte = u8::from(*flag);
            }
        }
        told
    }
}

/// What questions about motions have when nothing else is said: no end, `distance` 0, a start in contact and a
/// touch that are answers, a resolution of 1e-12 and 10000 pieces. A time of impact needs `max_time` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_motion_defaults(asked: *mut MotionOptions) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let place = unsafe { Out::new(asked, "asked") }?;
        place.put(MotionOptions {
            max_time: f64::INFINITY,
            distance: 0.0,
            start: MotionStart::Hit as u32,
            touch: MotionTouch::Counts as u32,
            time_resolution: 1e-12,
            pieces_max: 10_000,
        });
        Ok(())
    })
}

/// When the ray of each row meets its body. It is exact for polytopes, rounded or not. `asked` and `options` may be
/// NULL; wrong rows are as those of `gjk_contact_rows`. What is wrong with a ray is told of body B.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_ray_rows(
    shapes: *const Shapes,
    count: usize,
    a: *const Bodies,
    rays: *const Rays,
    asked: *const MotionOptions,
    options: *const Options,
    out: *const MotionColumns,
    wrong_rows: *mut usize,
) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let call = unsafe { RowCall::new(shapes, options, wrong_rows) }?;
        // SAFETY: the caller's word.
        let body = unsafe { BodyColumns::given(a, count, "a") }?;
        // SAFETY: the caller's word.
        let rays = unsafe { value(rays, "rays") }?;
        // SAFETY: the caller's word.
        let asked = unsafe { motion_options(asked) }?;
        let column = |given: &Vectors, name: &'static str| {
            // SAFETY: the caller's word.
            unsafe { Rows::new(given.numbers, given.stride, 3, count, name) }
        };
        let rays = RayRows {
            origin: column(&rays.origin, "origin")?,
            direction: column(&rays.direction, "direction")?,
        };
        let mut read = body.spans();
        read.extend([rays.origin.span(), rays.direction.span()]);
        // SAFETY: the caller's word.
        let out = unsafe { value(out, "out") }?;
        // SAFETY: the caller's word.
        let table = unsafe { MotionTable::new(out, count, &read) }?;
        let set = call.shapes();
        // SAFETY: the columns are apart.
        unsafe {
            table.fill(|columns| {
                call.run(count, |options| {
                    ask_rays(&set, &body, &rays, &asked, options, columns)
                })
            })
        }
    })
}

/// When the bodies of each row meet that move in straight lines and do not turn, from their poses at the time 0.
/// It is exact for polytopes, rounded or not. A body whose velocities are NULL rests. `asked` and `options` may be
/// NULL; wrong rows are as those of `gjk_contact_rows`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_cast_rows(
    shapes: *const Shapes,
    count: usize,
    a: *const Bodies,
    b: *const Bodies,
    velocity_a: *const Vectors,
    velocity_b: *const Vectors,
    asked: *const MotionOptions,
    options: *const Options,
    out: *const MotionColumns,
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
        let asked = unsafe { motion_options(asked) }?;
        let velocity = |given: *const Vectors, name: &'static str| {
            // SAFETY: the caller's word.
            let given = unsafe { optional(given, name) }?;
            // SAFETY: the caller's word.
            let rows = given.map(|given| unsafe { vectors(given, count, name) });
            Ok::<_, Failure>(rows.transpose()?.flatten())
        };
        let velocities = [
            velocity(velocity_a, "velocity_a")?,
            velocity(velocity_b, "velocity_b")?,
        ];
        let mut read = [a.spans(), b.spans()].concat();
        read.extend(velocities.iter().flatten().map(Rows::span));
        // SAFETY: the caller's word.
        let out = unsafe { value(out, "out") }?;
        // SAFETY: the caller's word.
        let table = unsafe { MotionTable::new(out, count, &read) }?;
        let set = call.shapes();
        let [from, to] = velocities.each_ref().map(Option::as_ref);
        // SAFETY: the columns are apart.
        unsafe {
            table.fill(|columns| {
                call.run(count, |options| {
                    ask_casts(&set, [&a, &b], [from, to], &asked, options, columns)
                })
            })
        }
    })
}

/// When the bodies of each row first meet that move and turn, from their poses at the time 0. There is no contact
/// before the lower end of the time, and contact at the upper one: both are proved for the whole motion. A body whose
/// motion is NULL rests. Without `asked` the motion ends at the time 1. `options` may be NULL; wrong rows are as those
/// of `gjk_contact_rows`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_toi_rows(
    shapes: *const Shapes,
    count: usize,
    a: *const Bodies,
    b: *const Bodies,
    motion_a: *const Motions,
    motion_b: *const Motions,
    asked: *const MotionOptions,
    options: *const Options,
    out: *const MotionColumns,
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
        let asked = unsafe { toi_options(asked) }?;
        // SAFETY: the caller's word.
        let of_a = unsafe { motions(motion_a, count, "motion_a") }?;
        // SAFETY: the caller's word.
        let of_b = unsafe { motions(motion_b, count, "motion_b") }?;
        let moved = [motion_spans(&of_a), motion_spans(&of_b)].concat();
        let read = [a.spans(), b.spans(), moved].concat();
        // SAFETY: the caller's word.
        let out = unsafe { value(out, "out") }?;
        // SAFETY: the caller's word.
        let table = unsafe { MotionTable::new(out, count, &read) }?;
        let set = call.shapes();
        // SAFETY: the columns are apart.
        unsafe {
            table.fill(|columns| {
                call.run(count, |options| {
                    ask_tois(&set, [&a, &b], [&of_a, &of_b], &asked, options, columns)
                })
            })
        }
    })
}
