//! What inputs have reached, and whether one reaches something new.
//!
//! An edge taken once, twice, thrice, up to 7, 15, 31, 127 times or more are different things: a
//! loop that went round more often is progress. A program has half a million edges and a parser
//! takes a few hundred of them, so only stretches of counters that were ever touched are looked at
//! after a run; now and then all are, to learn of new stretches.

use crate::coverage;

/// Counters in a stretch.
const STRETCH: usize = 64;

/// What has been reached.
pub struct Features {
    /// A bit a class of counts, by edge.
    seen: Vec<u8>,
    /// The stretches that were ever touched.
    live: Vec<usize>,
    is_live: Vec<bool>,
    /// How many edges were reached.
    edges: usize,
    /// How many classes of counts were.
    classes: usize,
}

/// The class of a count, as a bit.
const CLASS: [u8; 256] = {
    let mut classes = [0; 256];
    let mut count = 1;
    while count < 256 {
        classes[count] = match count {
            1 => 1,
            2 => 2,
            3 => 4,
            4..8 => 8,
            8..16 => 16,
            16..32 => 32,
            32..128 => 64,
            _ => 128,
        };
        count += 1;
    }
    classes
};

impl Default for Features {
    fn default() -> Self {
        Self::new()
    }
}

impl Features {
    /// Nothing reached yet.
    pub fn new() -> Self {
        let count = coverage::counters().len();
        Self {
            seen: vec![0; count],
            live: Vec::new(),
            is_live: vec![false; count.div_ceil(STRETCH)],
            edges: 0,
            classes: 0,
        }
    }

    /// How many edges were reached.
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// How many edges were reached, and how often in classes: what an input can be new in.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Learns which stretches are touched, from all counters.
    pub fn look_everywhere(&mut self) {
        let counters = coverage::counters();
        for (stretch, bytes) in counters.chunks(STRETCH).enumerate() {
            if !self.is_live[stretch] && bytes.iter().any(|&count| count != 0) {
                self.is_live[stretch] = true;
                self.live.push(stretch);
            }
        }
        self.live.sort_unstable();
    }

    /// Forgets the counts of the runs so far.
    pub fn clear(&mut self) {
        let counters = coverage::counters();
        for &stretch in &self.live {
            let from = stretch * STRETCH;
            let to = (from + STRETCH).min(counters.len());
            counters[from..to].fill(0);
        }
    }

    /// Whether the runs since the last clearing took an edge never taken before.
    pub fn any_new_edge(&self) -> bool {
        let counters = coverage::counters();
        self.live.iter().any(|&stretch| {
            let from = stretch * STRETCH;
            let to = (from + STRETCH).min(counters.len());
            let pairs = counters[from..to].iter().zip(&self.seen[from..to]);
            // No early end, so that it is done many bytes at a time.
            pairs.fold(false, |new, (&count, &seen)| {
                new | ((count != 0) & (seen == 0))
            })
        })
    }

    /// Takes over what the run since the last clearing reached, and clears; how many classes were
    /// new.
    pub fn take(&mut self) -> usize {
        let counters = coverage::counters();
        let mut new = 0;
        for &stretch in &self.live {
            let from = stretch * STRETCH;
            let to = (from + STRETCH).min(counters.len());
            for (word, seen) in counters[from..to]
                .chunks_mut(8)
                .zip(self.seen[from..to].chunks_mut(8))
            {
                if word.iter().fold(0, |any, &count| any | count) == 0 {
                    continue;
                }
                for (count, seen) in word.iter_mut().zip(seen) {
                    let class = CLASS[usize::from(*count)];
                    if class & !*seen != 0 {
                        self.edges += usize::from(*seen == 0);
                        *seen |= class;
                        new += 1;
                    }
                    *count = 0;
                }
            }
        }
        self.classes += new;
        new
    }

    /// Whether each edge was reached.
    pub fn reached(&self) -> impl Iterator<Item = bool> + '_ {
        self.seen.iter().map(|&seen| seen != 0)
    }
}
