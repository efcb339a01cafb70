//! Pointers of the caller, checked: handles, values in and out, rows, columns.

use crate::motion_types::ManifoldPoint;
use crate::status::{Failure, Status};
use core::marker::PhantomData;
use gjk_batch::rows::NumberRows;

/// Types of which any bytes are a value.
pub(super) trait Plain: Copy + Send + Sync {}
impl Plain for u8 {}
impl Plain for u32 {}
impl Plain for f64 {}
impl Plain for ManifoldPoint {}
impl Plain for [u32; 3] {}
impl Plain for [f64; 3] {}

/// Refuses NULL and what is not aligned.
fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::new(Status::NullPointer, format!("{name} is NULL")));
    }
    if !pointer.is_aligned() {
        let align = align_of::<T>();
        return Err(Failure::new(
            Status::Misaligned,
            format!("{name} is not aligned to {align} bytes"),
        ));
    }
    Ok(())
}

/// The bytes of so many rows, the last of them `row` bytes long.
fn bytes(rows: usize, stride: usize, row: usize, name: &str) -> Result<usize, Failure> {
    let all = (rows.saturating_sub(1).checked_mul(stride)).and_then(|all| all.checked_add(row));
    let fits = all.filter(|&all| isize::try_from(all).is_ok());
    fits.ok_or_else(|| {
        let text = format!("{name} would have {rows} rows, more than memory has");
        Failure::new(Status::BadArgument, text)
    })
}

/// A value of the caller's.
///
/// # Safety  the caller's word, for `'a`.
pub(super) unsafe fn value<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: neither NULL nor misaligned; the rest is the caller's word.
    Ok(unsafe { &*pointer })
}

/// The same, which may be NULL.
///
/// # Safety  the caller's word, for `'a`.
pub(super) unsafe fn optional<'a, T>(
    pointer: *const T,
    name: &str,
) -> Result<Option<&'a T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's word.
    unsafe { value(pointer, name) }.map(Some)
}

/// So many values one after another. Of none the pointer does not matter.
///
/// # Safety  the caller's word, for `'a`.
pub(super) unsafe fn list<'a, T: Plain>(
    pointer: *const T,
    len: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(pointer, name)?;
    bytes(len, size_of::<T>(), size_of::<T>(), name)?;
    // SAFETY: neither NULL nor misaligned, and no longer than memory can be; the rest is the caller's word.
    Ok(unsafe { core::slice::from_raw_parts(pointer, len) })
}

/// Three numbers.
///
/// # Safety  the caller's word.
pub(super) unsafe fn triple(pointer: *const f64, name: &str) -> Result<[f64; 3], Failure> {
    // SAFETY: the caller's word.
    let numbers = unsafe { list(pointer, 3, name) }?;
    Ok([numbers[0], numbers[1], numbers[2]])
}

/// A place for one value, which need not be initialised.
pub(super) struct Out<'a, T> {
    place: *mut T,
    of: PhantomData<&'a mut T>,
}

impl<T> Out<'_, T> {
    /// # Safety  the caller's word, until it is written or dropped.
    pub(super) unsafe fn new(place: *mut T, name: &str) -> Result<Self, Failure> {
        check(place.cast_const(), name)?;
        Ok(Self {
            place,
            of: PhantomData,
        })
    }

    /// The same, which may be NULL.
    ///
    /// # Safety  the caller's word, until it is written or dropped.
    pub(super) unsafe fn optional(place: *mut T, name: &str) -> Result<Option<Self>, Failure> {
        if place.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller's word.
        unsafe { Self::new(place, name) }.map(Some)
    }

    pub(super) fn put(self, value: T) {
        // SAFETY: neither NULL nor misaligned, as `new` saw; that the memory is the caller's to give is its word.
        unsafe { self.place.write(value) };
    }
}

/// Where memory is, to tell whether some of it is given twice.
pub(super) type Span = (core::ops::Range<usize>, &'static str);

/// Values by row, a stride apart.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, T> {
    first: *const T,
    stride: usize,
    width: usize,
    count: usize,
    name: &'static str,
    of: PhantomData<&'a [T]>,
}

// SAFETY: it is read alone, as a slice of plain values is; nobody writes these meanwhile by the caller's word.
unsafe impl<T: Plain> Send for Rows<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Plain> Sync for Rows<'_, T> {}

impl<T: Plain> Rows<'_, T> {
    /// `count` rows of `width` values. A stride of 0 has one for all.
    ///
    /// # Safety  the caller's word, for the lifetime.
    pub(super) unsafe fn new(
        first: *const T,
        stride: usize,
        width: usize,
        count: usize,
        name: &'static str,
    ) -> Result<Self, Failure> {
        let row = width * size_of::<T>();
        if count > 0 {
            check(first, name)?;
        }
        if !stride.is_multiple_of(align_of::<T>()) {
            let text = format!(
                "the stride of {name} is {stride} bytes: it must be a multiple of {}",
                align_of::<T>()
            );
            return Err(Failure::new(Status::Misaligned, text));
        }
        if stride != 0 && stride < row {
            let text = format!(
                "the stride of {name} is {stride} bytes: it must be 0, or at least the {row} bytes of a row"
            );
            return Err(Failure::new(Status::BadArgument, text));
        }
        bytes(count, stride, row, name)?;
        Ok(Self {
            first,
            stride,
            width,
            count,
            name,
            of: PhantomData,
        })
    }

    /// A row.
    pub(super) fn get(&self, row: usize) -> &[T] {
        assert!(row < self.count, "row {row} of {}", self.count);
        // SAFETY: the row is one of those that the caller gave, and `new` saw that its offset is one of memory.
        let first = unsafe { self.first.byte_add(row * self.stride) };
        // SAFETY: aligned, since the first row and the stride are; as long as a row is by the caller's word.
        unsafe { core::slice::from_raw_parts(first, self.width) }
    }

    /// The memory from the first row to the end of the last.
    pub(super) fn span(&self) -> Span {
        let start = self.first.addr();
        let rows = self.count.saturating_sub(1) * self.stride;
        let row = if self.count == 0 { 0 } else { self.width };
        (
            start..start.wrapping_add(rows + row * size_of::<T>()),
            self.name,
        )
    }
}

impl NumberRows for Rows<'_, f64> {
    fn row(&self, row: usize) -> &[f64] {
        self.get(row)
    }
}

/// A column for answers, which need not be initialised.
pub(super) struct Column<'a, T> {
    first: *mut T,
    len: usize,
    name: &'static str,
    of: PhantomData<&'a mut [T]>,
}

impl<'a, T: Plain> Column<'a, T> {
    /// `None` where it is not wanted.
    ///
    /// # Safety  the caller's word, for `'a`.
    pub(super) unsafe fn new(
        first: *mut T,
        len: usize,
        name: &'static str,
    ) -> Result<Option<Self>, Failure> {
        if first.is_null() {
            return Ok(None);
        }
        check(first.cast_const(), name)?;
        bytes(len, size_of::<T>(), size_of::<T>(), name)?;
        Ok(Some(Self {
            first,
            len,
            name,
            of: PhantomData,
        }))
    }

    pub(super) fn span(&self) -> Span {
        let start = self.first.addr();
        (
            start..start.wrapping_add(self.len * size_of::<T>()),
            self.name,
        )
    }

    /// The column, filled with zeros.
    ///
    /// # Safety  its memory is that of no other column, and is not read by rows.
    pub(super) unsafe fn zeroed(self) -> &'a mut [T] {
        // SAFETY: neither NULL nor misaligned, as `new` saw; so many values may be written by the caller's word.
        unsafe { self.first.write_bytes(0, self.len) };
        // SAFETY: as above; initialised now, and zero bytes are a value of plain types. Nobody else has this memory, as this function demands.
        unsafe { core::slice::from_raw_parts_mut(self.first, self.len) }
    }
}

/// Refuses memory that is given twice.
pub(super) fn are_apart(written: &[Span], read: &[Span]) -> Result<(), Failure> {
    for (k, (a, name)) in written.iter().enumerate() {
        for (b, other) in written[k + 1..].iter().chain(read) {
            if a.start < b.end && b.start < a.end {
                let text = format!("{name} overlap {other} in memory");
                return Err(Failure::new(Status::BadColumns, text));
            }
        }
    }
    Ok(())
}
