//! Versions, texts, and what stops a call.

use super::pointers::{Out, value};
use crate::handles::Cancel;
use crate::status::{Status, answered, last};
use core::ffi::{CStr, c_char};
use std::ffi::CString;
use std::sync::LazyLock;

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

/// The version of the library, such as "0.1.0". Static.
#[unsafe(no_mangle)]
pub extern "C" fn gjk_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The instruction set that rows use on this machine, such as "AVX2": what a measurement must say of itself.
/// Static.
#[unsafe(no_mangle)]
pub extern "C" fn gjk_instruction_set() -> *const c_char {
    static NAME: LazyLock<CString> = LazyLock::new(|| {
        let name = gjk_batch::Lanes::Widest.instruction_set();
        CString::new(name).unwrap_or_default()
    });
    let mut name = c"".as_ptr();
    // It cannot fail; were it to panic, the name would be empty.
    let _ = answered(|| {
        name = NAME.as_ptr();
        Ok(())
    });
    name
}

/// What went wrong in this thread's last call that did not return `GJK_STATUS_OK`; empty if there was none. It
/// stays until the next such call of this thread, and until the thread ends.
#[unsafe(no_mangle)]
pub extern "C" fn gjk_last_error() -> *const c_char {
    last(CStr::as_ptr).unwrap_or(c"".as_ptr())
}

/// The words for a status, such as "bad shape". Static.
#[unsafe(no_mangle)]
pub extern "C" fn gjk_status_name(status: i32) -> *const c_char {
    Status::words(status).as_ptr()
}

/// Makes what stops calls of rows from another thread. Free it after the calls that have it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_cancel_new(cancel: *mut *mut Cancel) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let out = unsafe { Out::new(cancel, "cancel") }?;
        out.put(Box::into_raw(Box::default()));
        Ok(())
    })
}

/// Frees it. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_cancel_free(cancel: *mut Cancel) {
    // SAFETY: the caller's word.
    unsafe { free(cancel) };
}

/// Asks the calls that have it to stop. They end soon with `GJK_STATUS_CANCELLED`, unless they were done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_cancel_request(cancel: *mut Cancel) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        unsafe { value(cancel, "cancel") }?.set(true);
        Ok(())
    })
}

/// Takes the request back, for the next call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_cancel_reset(cancel: *mut Cancel) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        unsafe { value(cancel, "cancel") }?.set(false);
        Ok(())
    })
}

/// Frees a handle that `Box::into_raw` made.
///
/// # Safety  the caller's word.
pub(super) unsafe fn free<T>(handle: *mut T) {
    if handle.is_null() {
        return;
    }
    let _ = answered(|| {
        // SAFETY: it came from `Box::into_raw` of this type, and was not freed, by the caller's word.
        drop(unsafe { Box::from_raw(handle) });
        Ok(())
    });
}
