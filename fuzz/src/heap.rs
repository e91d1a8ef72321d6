//! How much memory a run takes: an allocator that counts.
//!
//! A reader that reserves what a file promises, and not what it holds, is found by this long before
//! the machine has no more memory to give.
#![allow(
    unsafe_code,
    reason = "an allocator is unsafe by its trait; this one hands every call on to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What all runs together may hold: beyond it the program ends, and its last input is a finding.
pub const MOST: usize = 2 << 30;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counted.
pub struct Counted;

fn grown(by: usize) {
    let live = LIVE.fetch_add(by, Ordering::Relaxed).wrapping_add(by);
    if live > PEAK.load(Ordering::Relaxed) {
        PEAK.store(live, Ordering::Relaxed);
        if live > MOST {
            std::process::abort();
        }
    }
}

fn shrunk(by: usize) {
    LIVE.fetch_sub(by, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grown(size);
        shrunk(layout.size());
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        shrunk(layout.size());
        unsafe { System.dealloc(place, layout) }
    }
}

/// Begins to watch for a peak; returns what is held now.
pub fn watch() -> usize {
    let live = LIVE.load(Ordering::Relaxed);
    PEAK.store(live, Ordering::Relaxed);
    live
}

/// How much more than at the beginning of the watch was held at once.
pub fn peak(since: usize) -> usize {
    PEAK.load(Ordering::Relaxed).saturating_sub(since)
}
