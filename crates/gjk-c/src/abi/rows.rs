//! Many pairs at once, over columns of the caller's.

use super::pointers::{Column, Out, Plain, Rows, Span, are_apart, optional, value};
use crate::handles::{Cancel, Shapes};
use crate::status::{Failure, Status, answered};
use crate::types::{Bodies, Columns, Options, PoseKind, Poses};
use gjk::{Pose3, Vec3};
use gjk_batch::rows::{self, Ask, BodyRows, PoseRows, QuaternionOrder, RowError, RowFault};
use gjk_batch::{BatchError, pools};

/// The most threads that a call may ask for by number: more is what memory held that nobody has set.
const THREADS_MAX: usize = 1024;

/// Poses of the caller's, and where they lie.
pub(super) type Posed<'a> = PoseRows<Rows<'a, f64>>;

/// # Safety  the caller's word, for `'a`.
pub(super) unsafe fn poses<'a>(poses: &Poses, count: usize) -> Result<Posed<'a>, Failure> {
    // SAFETY: the caller's word.
    let numbers = |width| unsafe { Rows::new(poses.numbers, poses.stride, width, count, "poses") };
    let is = |kind: PoseKind| kind as u32 == poses.kind;
    let order = if is(PoseKind::Identity) {
        return Ok(PoseRows::Identity);
    } else if is(PoseKind::Matrix3x4) {
        return Ok(PoseRows::Matrix(numbers(12)?));
    } else if is(PoseKind::Matrix4x4) {
        return Ok(PoseRows::Matrix(numbers(16)?));
    } else if is(PoseKind::QuatXyzw) {
        QuaternionOrder::Xyzw
    } else if is(PoseKind::QuatWxyz) {
        QuaternionOrder::Wxyz
    } else {
        let text = format!(
            "the kind of poses is {}: it must be a gjk_pose_kind",
            poses.kind
        );
        return Err(Failure::new(Status::BadArgument, text));
    };
    let (at, stride) = (poses.translation, poses.translation_stride);
    // SAFETY: the caller's word.
    let moved = || unsafe { Rows::new(at, stride, 3, count, "translations") };
    Ok(PoseRows::Quaternion {
        order,
        rotation: numbers(4)?,
        translation: if at.is_null() { None } else { Some(moved()?) },
    })
}

/// The memory that poses read.
pub(super) fn poses_spans(poses: &Posed<'_>) -> Vec<Span> {
    match poses {
        PoseRows::Identity => Vec::new(),
        PoseRows::Matrix(numbers) => vec![numbers.span()],
        PoseRows::Quaternion {
            rotation,
            translation,
            ..
        } => {
            let moved = translation.map(|rows| rows.span());
            [rotation.span()].into_iter().chain(moved).collect()
        }
    }
}

/// One body of each row, in the caller's memory.
pub(super) struct BodyColumns<'a> {
    shapes: Rows<'a, u32>,
    poses: Posed<'a>,
}

impl BodyColumns<'_> {
    /// Those of a pointer of the caller's.
    ///
    /// # Safety  the caller's word.
    pub(super) unsafe fn given(
        bodies: *const Bodies,
        count: usize,
        name: &str,
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's word.
        let bodies = unsafe { value(bodies, name) }?;
        // SAFETY: the caller's word.
        unsafe { Self::new(bodies, count) }
    }

    /// # Safety  the caller's word.
    unsafe fn new(bodies: &Bodies, count: usize) -> Result<Self, Failure> {
        Ok(Self {
            // SAFETY: the caller's word.
            shapes: unsafe {
                Rows::new(
                    bodies.shapes,
                    bodies.shapes_stride,
                    1,
                    count,
                    "shapes of rows",
                )
            }?,
            // SAFETY: the caller's word.
            poses: unsafe { poses(&bodies.poses, count) }?,
        })
    }

    /// The memory that it reads.
    pub(super) fn spans(&self) -> Vec<Span> {
        let mut spans = vec![self.shapes.span()];
        spans.extend(poses_spans(&self.poses));
        spans
    }
}

impl BodyRows<Vec3<f64>> for BodyColumns<'_> {
    fn put(&self, row: usize, pose: &mut Pose3<f64>) -> Result<u32, RowFault> {
        self.poses.put(row, pose)?;
        Ok(self.shapes.get(row)[0])
    }
}

/// A column of so many numbers a row; `None` where it is not wanted.
///
/// # Safety  the caller's word, for `'a`.
pub(super) unsafe fn column<'a, T: Plain>(
    first: *mut T,
    count: usize,
    width: usize,
    name: &'static str,
) -> Result<Option<Column<'a, T>>, Failure> {
    let text = format!("{name} would have {count} rows, more than memory has");
    let len = count.checked_mul(width);
    let len = len.ok_or_else(|| Failure::new(Status::BadArgument, text))?;
    // SAFETY: the caller's word.
    unsafe { Column::new(first, len, name) }
}

/// A column, or memory of its own where it is not wanted.
///
/// # Safety  as of [`Column::zeroed`].
pub(super) unsafe fn wanted<'a, T: Plain + Default>(
    column: Option<Column<'a, T>>,
    spare: &'a mut Vec<T>,
    len: usize,
) -> &'a mut [T] {
    match column {
        // SAFETY: as this function demands.
        Some(column) => unsafe { column.zeroed() },
        None => {
            spare.resize(len, T::default());
            spare
        }
    }
}

/// The caller's columns, of which none is memory of another or of `sides`.
///
/// # Safety  the caller's word, for `'a`.
unsafe fn columns<'a>(
    out: &Columns,
    count: usize,
    sides: &[BodyColumns<'_>; 2],
) -> Result<rows::Columns<'a, f64>, Failure> {
    // SAFETY: the caller's word.
    let verdicts = unsafe { Column::new(out.verdicts, count, "verdicts") }?;
    let column = |first: *mut f64, width: usize, name: &'static str| {
        // SAFETY: the caller's word.
        unsafe { column(first, count, width, name) }
    };
    let numbers = [
        column(out.lower, 1, "lower")?,
        column(out.upper, 1, "upper")?,
        column(out.normals, 3, "normals")?,
        column(out.points_a, 3, "points_a")?,
        column(out.points_b, 3, "points_b")?,
    ];
    let mut written: Vec<Span> = numbers.iter().flatten().map(Column::span).collect();
    written.extend(verdicts.as_ref().map(Column::span));
    let read: Vec<Span> = sides.iter().flat_map(BodyColumns::spans).collect();
    are_apart(&written, &read)?;
    // SAFETY: they are apart from one another, and from what rows read.
    let [lower, upper, normals, points_a, points_b] =
        numbers.map(|column| column.map(|column| unsafe { column.zeroed() }));
    Ok(rows::Columns {
        // SAFETY: as above.
        verdicts: verdicts.map_or(&mut [], |column| unsafe { column.zeroed() }),
        lower,
        upper,
        normals,
        points_a,
        points_b,
    })
}

/// What a call of rows has, all of it the caller's.
struct Call {
    shapes: *const Shapes,
    count: usize,
    bodies: [*const Bodies; 2],
    options: *const Options,
    wrong_rows: *mut usize,
}

/// How many threads, and what stops them.
///
/// # Safety  the caller's word, for `'a`.
unsafe fn threads_and_cancel<'a>(
    options: *const Options,
) -> Result<(usize, Option<&'a Cancel>), Failure> {
    // SAFETY: the caller's word.
    let Some(options) = (unsafe { optional(options, "options") })? else {
        return Ok((0, None));
    };
    let threads = options.threads as usize;
    if threads > THREADS_MAX {
        let text = format!("threads is {threads}: it must be at most {THREADS_MAX}");
        return Err(Failure::new(Status::BadArgument, text));
    }
    // SAFETY: the caller's word.
    Ok((threads, unsafe { optional(options.cancel, "cancel") }?))
}

/// Answers rows into columns.
///
/// # Safety  the caller's word.
unsafe fn run(what: Ask, call: &Call, out: &Columns) -> Result<(), Failure> {
    let Call { shapes, count, .. } = *call;
    // SAFETY: the caller's word.
    let row_call = unsafe { RowCall::new(shapes, call.options, call.wrong_rows) }?;
    // SAFETY: the caller's word.
    let [a, b] = [(0, "a"), (1, "b")].map(|(k, name)| unsafe { value(call.bodies[k], name) });
    // SAFETY: the caller's word.
    let [a, b] = [a?, b?].map(|bodies| unsafe { BodyColumns::new(bodies, count) });
    let sides = [a?, b?];
    // SAFETY: the caller's word.
    let mut columns = unsafe { columns(out, count, &sides) }?;
    let mut unwanted = Vec::new();
    if out.verdicts.is_null() {
        unwanted.resize(count, 0);
        columns.verdicts = &mut unwanted;
    }
    let shapes = row_call.shapes();
    row_call.run(count, |options| {
        rows::ask(&shapes, [&sides[0], &sides[1]], what, options, columns)
    })
}

/// The shapes of a call of rows, how it is run, and where it says how many rows are wrong.
pub(super) struct RowCall<'a> {
    shapes: &'a Shapes,
    threads: usize,
    cancel: Option<&'a Cancel>,
    wrong_rows: Option<Out<'a, usize>>,
}

impl RowCall<'_> {
    /// # Safety  the caller's word, until it is dropped.
    pub(super) unsafe fn new(
        shapes: *const Shapes,
        options: *const Options,
        wrong_rows: *mut usize,
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's word.
        let (threads, cancel) = unsafe { threads_and_cancel(options) }?;
        Ok(Self {
            // SAFETY: the caller's word.
            shapes: unsafe { value(shapes, "shapes") }?,
            threads,
            cancel,
            // SAFETY: the caller's word.
            wrong_rows: unsafe { Out::optional(wrong_rows, "wrong_rows") }?,
        })
    }

    /// The shapes as they are now.
    pub(super) fn shapes(&self) -> std::sync::Arc<gjk_batch::Shapes<Vec3<f64>>> {
        self.shapes.read()
    }

    /// Runs so many rows, and tells of those that are wrong.
    pub(super) fn run(
        self,
        count: usize,
        ask: impl FnOnce(
            &gjk_batch::Options<'_>,
        ) -> Result<(gjk_batch::Statistics, Vec<RowError>), BatchError>,
    ) -> Result<(), Failure> {
        let threads = self.threads;
        let pool = (threads != 1).then(|| pools::kept(threads)).transpose()?;
        let options = gjk_batch::Options {
            threads: (threads == 1).then_some(1),
            pool: pool.as_deref(),
            cancel: self.cancel.map(|cancel| &cancel.flag),
            ..gjk_batch::Options::default()
        };
        let (_, wrong) = ask(&options)?;
        if let Some(out) = self.wrong_rows {
            out.put(wrong.len());
        }
        let Some(first) = wrong.first() else {
            return Ok(());
        };
        let wrong = wrong.len();
        let text = format!("{wrong} of {count} rows are wrong, at first {first}");
        Err(Failure::new(Status::WrongRows, text))
    }
}

/// The relation of the bodies of each row, as `gjk_contact_rows`, without numbers. It is exact for polytopes,
/// and for polytopes with a radius. `verdicts[count]` are `gjk_verdict`s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_classify_rows(
    shapes: *const Shapes,
    count: usize,
    a: *const Bodies,
    b: *const Bodies,
    options: *const Options,
    verdicts: *mut u8,
    wrong_rows: *mut usize,
) -> Status {
    let call = Call {
        shapes,
        count,
        bodies: [a, b],
        options,
        wrong_rows,
    };
    let none = core::ptr::null_mut();
    let out = Columns {
        verdicts,
        lower: none,
        upper: none,
        normals: none,
        points_a: none,
        points_b: none,
    };
    answered(|| {
        if verdicts.is_null() && count > 0 {
            return Err(Failure::new(Status::NullPointer, "verdicts is NULL"));
        }
        // SAFETY: the caller's word.
        unsafe { run(Ask::Classify, &call, &out) }
    })
}

/// The distance of the bodies of each row, as `gjk_contact_rows`: 0 where they touch or overlap. There the
/// normal means nothing, and the points are any of the bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_distance_rows(
    shapes: *const Shapes,
    count: usize,
    a: *const Bodies,
    b: *const Bodies,
    options: *const Options,
    out: *const Columns,
    wrong_rows: *mut usize,
) -> Status {
    let call = Call {
        shapes,
        count,
        bodies: [a, b],
        options,
        wrong_rows,
    };
    answered(|| {
        // SAFETY: the caller's word.
        let out = unsafe { value(out, "out") }?;
        // SAFETY: the caller's word.
        unsafe { run(Ask::Distance, &call, out) }
    })
}

/// The signed distance of the bodies of each row, with its normal and points: where they overlap it is
/// negative, the least translation that parts them, and `normal` times it moves B clear of A.
///
/// Row k is the shape `a->shapes[k]` at the pose k of `a->poses`, and the same of `b`. `count` is how many rows
/// there are; `options` may be NULL. Each distance is an interval, `lower` to `upper`, which contains the
/// truth.
///
/// A row that is wrong, of a shape that does not exist or a pose that is none, has the verdict
/// `GJK_VERDICT_WRONG_ROW` and NaN in the other columns. The other rows are answered, and the call returns
/// `GJK_STATUS_WRONG_ROWS`: `wrong_rows`, which may be NULL, is how many there are, and `gjk_last_error` names
/// the first. After any other failure the columns mean nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_contact_rows(
    shapes: *const Shapes,
    count: usize,
    a: *const Bodies,
    b: *const Bodies,
    options: *const Options,
    out: *const Columns,
    wrong_rows: *mut usize,
) -> Status {
    let call = Call {
        shapes,
        count,
        bodies: [a, b],
        options,
        wrong_rows,
    };
    answered(|| {
        // SAFETY: the caller's word.
        let out = unsafe { value(out, "out") }?;
        // SAFETY: the caller's word.
        unsafe { run(Ask::Contact, &call, out) }
    })
}
