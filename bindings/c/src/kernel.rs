//! Kernels: choices of instructions, detected or selected by name.

use std::ffi::{CString, c_char};
use std::ptr;

use once_cell::race::OnceBox;
use setwise::{Backend, Kernel};

use crate::error::find;

/// A choice of instructions. Every function with a kernel parameter accepts NULL, which selects the fastest kernel that
/// this processor can run. Kernels are never freed.
pub struct setwise_kernel {
    kernel: Kernel,
    name: CString,
}

/// All kernels of this processor, from the simplest to the fastest.
fn kernels() -> &'static [setwise_kernel] {
    static KERNELS: OnceBox<Vec<setwise_kernel>> = OnceBox::new();
    let in_c = |kernel: Kernel| setwise_kernel {
        kernel,
        name: CString::new(kernel.backend().name()).unwrap_or_default(),
    };
    KERNELS.get_or_init(|| Box::new(Kernel::available().map(in_c).collect()))
}

/// The kernel used if the caller passes NULL; unset until it is first needed.
static DETECTED: OnceBox<Kernel> = OnceBox::new();

fn detected() -> Kernel {
    *DETECTED.get_or_init(|| Box::new(Kernel::detect()))
}

/// The caller's choice; `None` if the kernel has not been detected yet.
///
/// # Safety
/// The pointer is null or comes from this file.
#[inline(always)]
pub(crate) unsafe fn chosen_already(kernel: *const setwise_kernel) -> Option<Kernel> {
    // SAFETY: guaranteed by the caller, and the kernels of this file live as long as the program.
    match unsafe { kernel.as_ref() } {
        Some(kernel) => Some(kernel.kernel),
        None => DETECTED.get().copied(),
    }
}

/// The caller's choice, or the detected kernel.
///
/// # Safety
/// The pointer is null or comes from this file.
#[inline(always)]
pub(crate) unsafe fn chosen(kernel: *const setwise_kernel) -> Kernel {
    // SAFETY: guaranteed by the caller.
    unsafe { chosen_already(kernel) }.unwrap_or_else(detected)
}

/// The fastest kernel that this processor can run.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_kernel_detect() -> *const setwise_kernel {
    let detected = detected();
    kernels().iter().find(|kernel| kernel.kernel == detected).map_or(ptr::null(), ptr::from_ref)
}

/// The kernel with this name, such as "avx2" or "avx512-gfni". NULL if the name is unknown or if this processor or this
/// build cannot run the kernel; setwise_error_message() then describes the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_kernel_find(name: *const c_char) -> *const setwise_kernel {
    let look_up = |name: &str| {
        let backend = name.parse::<Backend>().map_err(|unknown| unknown.to_string())?;
        let found = kernels().iter().find(|kernel| kernel.kernel.backend() == backend);
        found.ok_or_else(|| format!("this processor or this build cannot run `{backend}`"))
    };
    // SAFETY: the caller passes a NUL-terminated string, or null.
    unsafe { find("kernel", name, look_up) }.map_or(ptr::null(), ptr::from_ref)
}

/// A kernel of this processor by its index, from the simplest to the fastest; NULL after the last.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_kernel_at(index: usize) -> *const setwise_kernel {
    kernels().get(index).map_or(ptr::null(), ptr::from_ref)
}

/// The name of a kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_kernel_name(kernel: *const setwise_kernel) -> *const c_char {
    let kernel = if kernel.is_null() { setwise_kernel_detect() } else { kernel };
    // SAFETY: the pointer comes from this file, or is null if no kernel was detected.
    unsafe { kernel.as_ref() }.map_or(c"".as_ptr(), |kernel| kernel.name.as_ptr())
}
