//! The guided search: an input that reaches something new is kept, and others are made from it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::corpus;
use crate::dice::Dice;
use crate::engine::{Verdict, try_out};
use crate::features::Features;
use crate::mutate::Mutator;
use crate::notebook::Notebook;
use crate::targets::Target;

/// Inputs between two looks at the counters, of targets that take a microsecond.
const BATCH: usize = 16;

/// One batch in so many has its inputs looked at one by one, so that loops that go round more often
/// are noticed and not only edges never taken.
const EXACT: u64 = 8;

/// Batches between two looks at all counters.
const EVERYWHERE: u64 = 256;

/// A worker on one target.
pub struct Explorer<'a> {
    target: &'a Target,
    mutator: Mutator,
    features: Features,
    entries: Vec<Vec<u8>>,
    /// Every input there is, those too that reach nothing others do not.
    all: Vec<Vec<u8>>,
    notebook: Notebook,
    fresh: PathBuf,
    /// Panics by place, each of which is kept once.
    known: BTreeSet<String>,
}

impl<'a> Explorer<'a> {
    /// Takes up the corpus: seeds, what is packed, and the files that were found since.
    pub fn new(target: &'a Target, notebook: &Path, fresh: &Path) -> io::Result<Self> {
        let seeds = (target.seeds)();
        let mut all = seeds.clone();
        all.extend(corpus::unpack(&corpus::path(target.name))?);
        for file in corpus::files(fresh)? {
            all.push(std::fs::read(file)?);
        }
        let mut explorer = Self {
            target,
            mutator: match target.short {
                true => Mutator::new(target.shape, &seeds).short(),
                false => Mutator::new(target.shape, &seeds),
            },
            features: Features::new(),
            entries: Vec::new(),
            all: Vec::new(),
            notebook: Notebook::create(notebook)?,
            fresh: fresh.to_owned(),
            known: BTreeSet::new(),
        };
        all.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        all.dedup();
        for input in &all {
            explorer.call(input);
            explorer.features.look_everywhere();
            if explorer.features.take() > 0 {
                explorer.entries.push(input.clone());
            }
        }
        if explorer.entries.is_empty() {
            // Without counters every input is as good as another.
            explorer.entries.clone_from(&all);
        }
        explorer.all = all;
        Ok(explorer)
    }

    /// Runs an input; a finding is kept.
    fn call(&mut self, input: &[u8]) -> bool {
        self.notebook.begin(input);
        let verdict = try_out(self.target, input);
        let kind = match &verdict {
            Verdict::Accepted => return true,
            Verdict::Refused => return false,
            Verdict::Panicked(told) => {
                self.notebook.done.panics += 1;
                // The place is enough: words may tell of the input.
                let place = told.split(": ").next().unwrap_or_default().to_owned();
                if !self.known.insert(place) {
                    return false;
                }
                "panic-"
            }
            Verdict::Slow => "slow-",
            Verdict::Large(_) => {
                if !self.known.insert("large".to_owned()) {
                    return false;
                }
                "large-"
            }
        };
        let kept = corpus::keep(&corpus::crashes(self.target.name), kind, input);
        let file = kept.map_or_else(|error| error.to_string(), |file| file.display().to_string());
        crate::say(&format!("{}: {verdict:?}\n  {file}", self.target.name));
        false
    }

    /// Searches for so long.
    pub fn explore(&mut self, time: Duration, seed: u64) -> io::Result<()> {
        let until = Instant::now() + time;
        let mut dice = Dice::new(seed, 0);
        let size = if self.target.quick { BATCH } else { 1 };
        let mut batch: Vec<Vec<u8>> = vec![Vec::new(); size];
        let mut number = 0;
        while Instant::now() < until {
            number += 1;
            let exact = size == 1 || number % EXACT == 0;
            for input in &mut batch {
                let parent = self.parent(&mut dice);
                self.mutator.change(parent, &self.entries, &mut dice, input);
                let accepted = self.call(input);
                self.notebook.done.runs += 1;
                self.notebook.done.accepted += u64::from(accepted);
                if exact && self.features.take() > 0 {
                    self.found(input)?;
                }
            }
            if !exact {
                let new = self.features.any_new_edge();
                self.features.clear();
                for input in batch.iter().filter(|_| new) {
                    self.call(input);
                    if self.features.take() > 0 {
                        self.found(input)?;
                    }
                }
            }
            if number % EVERYWHERE == 0 {
                self.features.look_everywhere();
                self.features.clear();
            }
        }
        self.notebook.rest();
        Ok(())
    }

    /// An input to make another from: recent ones more often, for they lead somewhere new; of two
    /// others the shorter.
    fn parent(&self, dice: &mut Dice) -> usize {
        let count = self.entries.len();
        if dice.one_in(4) {
            return count - 1 - dice.below(count.min(32));
        }
        let (one, other) = (dice.below(count), dice.below(count));
        match self.entries[one].len() <= self.entries[other].len() {
            true => one,
            false => other,
        }
    }

    fn found(&mut self, input: &[u8]) -> io::Result<()> {
        corpus::keep(&self.fresh, "", input)?;
        self.entries.push(input.to_vec());
        self.all.push(input.to_vec());
        self.notebook.done.edges = self.features.edges() as u64;
        self.notebook.done.entries = self.entries.len() as u64;
        Ok(())
    }

    /// Packs the shortest inputs that together reach everything reached, those that reach most
    /// first, and forgets the files.
    pub fn pack(mut self) -> io::Result<()> {
        self.features = Features::new();
        self.all
            .sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let mut chosen: Vec<(usize, Vec<u8>)> = Vec::new();
        for input in std::mem::take(&mut self.all) {
            self.call(&input);
            self.features.look_everywhere();
            let edges = self.features.edges();
            self.features.take();
            // Loops that go round more often are found again soon: edges are what is kept.
            let new = self.features.edges() - edges;
            if new > 0 {
                chosen.push((new, input));
            }
        }
        self.notebook.rest();
        chosen.sort_by_key(|(new, _)| std::cmp::Reverse(*new));
        let inputs: Vec<Vec<u8>> = chosen.into_iter().map(|(_, input)| input).collect();
        let packed = corpus::pack(&corpus::path(self.target.name), &inputs)?;
        // What did not fit into the repository stays here.
        for file in corpus::files(&self.fresh)? {
            std::fs::remove_file(file)?;
        }
        for input in &inputs[packed..] {
            corpus::keep(&self.fresh, "", input)?;
        }
        Ok(())
    }
}
