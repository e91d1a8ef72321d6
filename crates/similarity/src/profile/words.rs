//! Sets over a small vocabulary as bitmaps: what two have in common is counted 64 symbols at a
//! time.

use super::{Profile, Profiles};

/// A bitmap a row, of as many words.
pub(super) struct Words {
    width: usize,
    words: Vec<u64>,
}

impl Words {
    /// The widest bitmap, in words.
    pub(super) const WIDEST: usize = 16;

    /// The bitmaps of profiles of which there is 1 of each symbol; none if one has more, or symbols
    /// are many.
    pub(super) fn of(profiles: &Profiles) -> Option<Self> {
        let width = profiles.bound().div_ceil(64).max(1);
        if profiles.amounts.is_some() || width > Self::WIDEST {
            return None;
        }
        let mut words = vec![0; width * profiles.len()];
        for row in 0..profiles.len() {
            let own = &mut words[row * width..][..width];
            for &symbol in profiles.get(row).symbols {
                own[symbol as usize / 64] |= 1 << (symbol % 64);
            }
        }
        Some(Self { width, words })
    }

    /// Words in a bitmap.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// A query as a bitmap of the same width: symbols that no row has are left out.
    pub(super) fn bitmap(&self, query: &Profile<'_>) -> Vec<u64> {
        let mut own = vec![0; self.width];
        for &symbol in query.symbols {
            if let Some(word) = own.get_mut(symbol as usize / 64) {
                *word |= 1 << (symbol % 64);
            }
        }
        own
    }

    /// How many symbols the rows from `first` on have in common with a query.
    pub(super) fn count(&self, query: &[u64], first: usize, out: &mut [f64]) {
        let rows = &self.words[first * self.width..][..out.len() * self.width];
        counted::common(query, rows, out);
    }
}

mod counted {
    //! The one loop, compiled for the instruction that counts bits where the processor has it.

    #[inline(always)]
    fn of_width<const WIDTH: usize>(query: &[u64], rows: &[u64], out: &mut [f64]) {
        let (rows, _) = rows.as_chunks::<WIDTH>();
        for (out, row) in out.iter_mut().zip(rows) {
            let common = |(a, b): (&u64, &u64)| (a & b).count_ones();
            *out = f64::from(query.iter().zip(row).map(common).sum::<u32>());
        }
    }

    #[inline(always)]
    fn any(query: &[u64], rows: &[u64], out: &mut [f64]) {
        match query.len() {
            1 => of_width::<1>(query, rows, out),
            2 => of_width::<2>(query, rows, out),
            3 => of_width::<3>(query, rows, out),
            4 => of_width::<4>(query, rows, out),
            width => {
                for (out, row) in out.iter_mut().zip(rows.chunks_exact(width)) {
                    let common = |(a, b): (&u64, &u64)| (a & b).count_ones();
                    *out = f64::from(query.iter().zip(row).map(common).sum::<u32>());
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,avx2")]
    fn popcnt(query: &[u64], rows: &[u64], out: &mut [f64]) {
        any(query, rows, out);
    }

    /// For each row how many bits it has in common with the query.
    #[inline]
    pub(super) fn common(query: &[u64], rows: &[u64], out: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has the features; the function is otherwise the same safe code.
            return unsafe { popcnt(query, rows, out) };
        }
        any(query, rows, out);
    }
}
