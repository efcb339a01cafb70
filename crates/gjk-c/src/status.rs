//! What an entry answers: a status, and for what went wrong a text that is kept for the thread.

use core::cell::RefCell;
use core::ffi::CStr;
use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What became of a call. `gjk_last_error` has a text for each that is not `GJK_STATUS_OK`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// A pointer is NULL that must not be.
    NullPointer = 1,
    /// A pointer or a stride is no multiple of its type's alignment.
    Misaligned = 2,
    /// A number names nothing, or is outside of its range: an axis, a kind of poses, a stride, a count, a
    /// length.
    BadArgument = 3,
    /// The numbers are no shape: the text names the field.
    BadShape = 4,
    /// There is no shape of that index.
    NoSuchShape = 5,
    /// The vertices and triangles are no mesh.
    BadMesh = 6,
    /// A pose is not finite, not affine or singular.
    BadPose = 7,
    /// Rows are wrong, and the others are answered: see `gjk_contact_rows`.
    WrongRows = 8,
    /// Columns for answers overlap one another, or columns that are read.
    BadColumns = 9,
    /// The caller's `gjk_cancel` stopped the call.
    Cancelled = 10,
    /// Threads could not be started.
    NoThreads = 11,
    /// A fault of the library, which was caught. What was being written is not to be used.
    Panic = 12,
}

impl Status {
    const ALL: [Self; 13] = [
        Self::Ok,
        Self::NullPointer,
        Self::Misaligned,
        Self::BadArgument,
        Self::BadShape,
        Self::NoSuchShape,
        Self::BadMesh,
        Self::BadPose,
        Self::WrongRows,
        Self::BadColumns,
        Self::Cancelled,
        Self::NoThreads,
        Self::Panic,
    ];

    /// The words for a status by its number.
    pub(crate) fn words(number: i32) -> &'static CStr {
        let status = Self::ALL.into_iter().find(|&known| known as i32 == number);
        match status {
            Some(Self::Ok) => c"ok",
            Some(Self::NullPointer) => c"null pointer",
            Some(Self::Misaligned) => c"misaligned",
            Some(Self::BadArgument) => c"bad argument",
            Some(Self::BadShape) => c"bad shape",
            Some(Self::NoSuchShape) => c"no such shape",
            Some(Self::BadMesh) => c"bad mesh",
            Some(Self::BadPose) => c"bad pose",
            Some(Self::WrongRows) => c"wrong rows",
            Some(Self::BadColumns) => c"bad columns",
            Some(Self::Cancelled) => c"cancelled",
            Some(Self::NoThreads) => c"no threads",
            Some(Self::Panic) => c"panic",
            None => c"no status of this library",
        }
    }
}

/// Why a call did not end well.
#[derive(Debug)]
pub(crate) struct Failure {
    status: Status,
    text: String,
}

impl Failure {
    pub(crate) fn new(status: Status, text: impl ToString) -> Self {
        let text = text.to_string();
        Self { status, text }
    }
}

impl From<gjk::shape::ShapeError> for Failure {
    fn from(error: gjk::shape::ShapeError) -> Self {
        Self::new(Status::BadShape, error)
    }
}

impl From<gjk_batch::BatchError> for Failure {
    fn from(error: gjk_batch::BatchError) -> Self {
        use gjk_batch::BatchError;
        let status = match &error {
            BatchError::Cancelled { .. } => Status::Cancelled,
            BatchError::Threads(_) => Status::NoThreads,
            // Rows say what is wrong with them, and the columns are made here: these are faults of ours.
            _ => Status::Panic,
        };
        Self::new(status, error)
    }
}

thread_local! {
    /// The text of this thread's last call that failed.
    static LAST: RefCell<CString> = RefCell::default();
}

fn keep(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    // Where the thread is ending there is nobody to ask for it.
    let _ = LAST.try_with(|last| last.replace(text));
}

/// Reads the text of this thread's last call that failed.
pub(crate) fn last<R>(read: impl FnOnce(&CStr) -> R) -> Option<R> {
    LAST.try_with(|last| read(&last.borrow())).ok()
}

/// Runs the work of an entry: its failure and its panic become a status and a text.
pub(crate) fn answered(work: impl FnOnce() -> Result<(), Failure>) -> Status {
    // What a panic leaves half done is the caller's columns, which it is told not to use, and shapes behind a lock that knows of it.
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure::new(Status::Panic, said(&*payload)),
    };
    keep(&failure.text);
    failure.status
}

/// What a panic said.
fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!(
        "a fault of the library: {}",
        text.unwrap_or("a panic without words")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        last(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
    }

    #[test]
    fn a_panic_becomes_a_status_and_a_text() {
        assert_eq!(answered(|| panic!("at {}", 7)), Status::Panic);
        assert_eq!(text(), "a fault of the library: at 7");
        assert_eq!(answered(|| Ok(())), Status::Ok);
        assert_eq!(text(), "a fault of the library: at 7");
        let nul = || Err(Failure::new(Status::BadShape, "a\0b"));
        assert_eq!(answered(nul), Status::BadShape);
        assert_eq!(text(), "a b");
    }

    #[test]
    fn a_text_is_that_of_its_own_thread() {
        answered(|| Err(Failure::new(Status::BadMesh, "mine")));
        std::thread::spawn(|| assert_eq!(text(), ""))
            .join()
            .expect("a thread");
        assert_eq!(text(), "mine");
    }

    #[test]
    fn every_status_has_words() {
        for (number, status) in (0..).zip(Status::ALL) {
            assert_eq!(status as i32, number);
            assert_ne!(Status::words(number), Status::words(-1));
        }
        assert_eq!(Status::words(13), Status::words(-1));
    }
}
