//! What the compiler counts: how often each branch of our crates was taken.
//!
//! `cargo xtask fuzz` compiles our crates with LLVM's SanitizerCoverage (`fuzz/instrument.sh`): a
//! byte for every edge of the control flow, and a table with the address of each. Programs compiled
//! without it have no counters, and everything here is empty.
#![allow(
    unsafe_code,
    reason = "the counters are memory that compiled code writes to; they are two arrays between addresses the linker gives"
)]

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

static COUNTERS: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);
static PLACES: AtomicPtr<Place> = AtomicPtr::new(std::ptr::null_mut());

/// Where an edge is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its address.
    pub address: usize,
    flags: usize,
}

impl Place {
    /// Whether it is where a function begins.
    pub fn begins_function(&self) -> bool {
        self.flags & 1 == 1
    }
}

/// Called by every instrumented object file when the program starts, with the bounds of all
/// counters of the program.
///
/// # Safety
/// The bounds are of one array that lives as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, end: *mut u8) {
    COUNTERS.store(start, Ordering::Relaxed);
    COUNT.store(end as usize - start as usize, Ordering::Relaxed);
}

/// Called likewise with the bounds of the table of places.
///
/// # Safety
/// The bounds are of one array that lives as long as the program, with a place for each counter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_pcs_init(start: *mut Place, _end: *mut Place) {
    PLACES.store(start, Ordering::Relaxed);
}

/// The address of the function above in the running program, by which names of the file are found.
pub fn known_address() -> (usize, &'static str) {
    (
        __sanitizer_cov_8bit_counters_init as *const () as usize,
        "__sanitizer_cov_8bit_counters_init",
    )
}

/// The counters; empty if the program was not instrumented.
///
/// They are to be looked at by one thread, while no other runs instrumented code: a count that is
/// off by one would be no harm, but Rust wants to know.
pub(crate) fn counters() -> &'static mut [u8] {
    let start = COUNTERS.load(Ordering::Relaxed);
    match start.is_null() {
        true => &mut [],
        // SAFETY: the bounds are of one array for the life of the program.
        false => unsafe { std::slice::from_raw_parts_mut(start, COUNT.load(Ordering::Relaxed)) },
    }
}

/// Where each edge is, in the order of the counters.
pub fn places() -> &'static [Place] {
    let start = PLACES.load(Ordering::Relaxed);
    match start.is_null() {
        true => &[],
        // SAFETY: the table has a place for each counter, and nothing writes to it.
        false => unsafe { std::slice::from_raw_parts(start, COUNT.load(Ordering::Relaxed)) },
    }
}
