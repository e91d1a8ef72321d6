//! Bags of bindings, kept apart by occurrence so that no join is ever made of everything.
//!
//! The occurrences on a path form a tree, each reached by a key from an earlier one, and conditions
//! speak of one occurrence each. The bindings of an object are then the ways through that tree, and
//! it is enough to keep, for each occurrence, the rows that take part in some binding, each with
//! the row above it: as many as the longest chain of keys makes, not the product of the branches.
//! Conditions remove rows; what loses its last row of some occurrence below goes too, and all that
//! hangs on it (a full reducer in the sense of Yannakakis, Algorithms for acyclic database schemes,
//! VLDB 1981).

use kinwood_values::View;

use super::test::{ABOUT, Condition, Function, Is, Step, Test};
use super::values::Values;

/// The rows of one occurrence that take part in bindings, ordered by what they hang on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slots {
    /// The row of the table.
    pub rows: Vec<u32>,
    /// The slot it hangs on, in the occurrence it is reached from; rises.
    pub parents: Vec<u32>,
    /// The object, by its place among the bags' objects; rises.
    pub objects: Vec<u32>,
}

impl Slots {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Objects and the bindings of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Bags {
    /// The objects, by their position in the view.
    pub objects: Vec<u32>,
    /// The occurrences, the objects' own rows first.
    pub occurrences: Vec<Slots>,
    /// The steps by which the others are reached: occurrence `n` by step `n - 1`.
    pub steps: Vec<Step>,
}

/// Which slots are kept, by occurrence.
pub type Kept = Vec<Vec<bool>>;

impl Bags {
    /// Objects of a view with their own rows.
    pub fn new(view: &View, objects: Vec<u32>) -> Self {
        let rows: Vec<u32> = objects
            .iter()
            .map(|&object| view.row(object as usize))
            .collect();
        let places: Vec<u32> = (0..objects.len() as u32).collect();
        Self {
            objects,
            occurrences: vec![Slots {
                rows,
                parents: places.clone(),
                objects: places,
            }],
            steps: Vec::new(),
        }
    }

    /// How many slots a step would make.
    pub fn reach(&self, view: &View, extra: &[Slots], step: Step) -> usize {
        let from = self.slots(extra, step.from);
        let link = view.database().link(step.key as usize);
        match step.backward {
            // What is hidden by time must not decide how far is looked.
            true if view.as_of().is_some() => {
                let slots = from.rows.iter().zip(&from.objects);
                slots
                    .map(|(&row, &object)| {
                        let origin = self.origin(view, object);
                        let direction = step.direction();
                        view.linked(origin, step.key as usize, direction, row)
                            .count()
                    })
                    .sum()
            }
            true => from
                .rows
                .iter()
                .map(|&row| link.backward(row as usize).len())
                .sum(),
            false => from.len(),
        }
    }

    /// The slots of an occurrence, one of these bags' own or one of those beyond.
    pub fn slots<'a>(&'a self, extra: &'a [Slots], occurrence: u32) -> &'a Slots {
        let own = self.occurrences.len();
        match (occurrence as usize).checked_sub(own) {
            None => &self.occurrences[occurrence as usize],
            Some(beyond) => &extra[beyond],
        }
    }

    /// The row of an object, which slots name by its place among these bags' objects.
    fn origin(&self, view: &View, object: u32) -> u32 {
        view.row(self.objects[object as usize] as usize)
    }

    /// What a step from an occurrence leads to.
    pub fn follow(&self, view: &View, extra: &[Slots], step: Step) -> Slots {
        let from = self.slots(extra, step.from);
        let mut slots = Slots::default();
        for (place, &row) in from.rows.iter().enumerate() {
            let origin = self.origin(view, from.objects[place]);
            for reached in view.linked(origin, step.key as usize, step.direction(), row) {
                slots.rows.push(reached);
                slots.parents.push(place as u32);
                slots.objects.push(from.objects[place]);
            }
        }
        slots
    }

    /// Follows further steps without asking that they lead anywhere.
    pub fn followed(&mut self, view: &View, steps: &[Step]) {
        for &step in steps {
            let slots = self.follow(view, &[], step);
            self.occurrences.push(slots);
            self.steps.push(step);
        }
    }

    /// The slots that take part in bindings with `extra` occurrences beyond, reached by `steps`, of
    /// those that `kept` begins with.
    pub fn reduce(&self, extra: &[Slots], steps: &[Step], kept: &mut Kept) {
        let parent = |occurrence: usize| match occurrence - 1 {
            own if own < self.steps.len() => self.steps[own].from as usize,
            beyond => steps[beyond - self.steps.len()].from as usize,
        };
        for occurrence in (1..kept.len()).rev() {
            let slots = self.slots(extra, occurrence as u32);
            let above = parent(occurrence);
            let mut any = vec![false; kept[above].len()];
            for (&parent, &kept) in slots.parents.iter().zip(&kept[occurrence]) {
                any[parent as usize] |= kept;
            }
            for (kept, any) in kept[above].iter_mut().zip(any) {
                *kept &= any;
            }
        }
        for occurrence in 1..kept.len() {
            let slots = self.slots(extra, occurrence as u32);
            let (before, rest) = kept.split_at_mut(occurrence);
            let above = &before[parent(occurrence)];
            for (kept, &parent) in rest[0].iter_mut().zip(&slots.parents) {
                *kept &= above[parent as usize];
            }
        }
    }

    /// All slots, with those of occurrences beyond.
    pub fn all(&self, extra: &[Slots]) -> Kept {
        let slots = self.occurrences.iter().chain(extra);
        slots.map(|slots| vec![true; slots.len()]).collect()
    }

    /// The bags of the objects for which a test holds, and of the others as they are.
    pub fn divide(&self, view: &View, values: &Values<'_>, test: &Test) -> (Self, Self) {
        let mut extra: Vec<Slots> = Vec::with_capacity(test.steps.len());
        for &step in &test.steps {
            let slots = self.follow(view, &extra, step);
            extra.push(slots);
        }
        let mut kept = self.all(&extra);
        let table = |occurrence: u32| self.table(view, &test.steps, occurrence);
        if let Some(Condition::Some {
            occurrence,
            column,
            is,
        }) = &test.condition
        {
            let slots = self.slots(&extra, *occurrence);
            let so = values.test(table(*occurrence), *column, is);
            for (kept, &row) in kept[*occurrence as usize].iter_mut().zip(&slots.rows) {
                *kept = so(row);
            }
        }
        self.reduce(&extra, &test.steps, &mut kept);
        if let Some(condition) = &test.condition
            && !matches!(condition, Condition::Some { .. })
        {
            let occurrence = condition.occurrence();
            let slots = self.slots(&extra, occurrence);
            let holds = self.holds(
                slots,
                &kept[occurrence as usize],
                values,
                table(occurrence),
                condition,
            );
            for (kept, holds) in kept[0].iter_mut().zip(holds) {
                *kept &= holds;
            }
            self.reduce(&extra, &test.steps, &mut kept);
        }
        let holds = kept[0].clone();
        let yes = self.compacted(extra, &test.steps, &kept);
        let others: Vec<bool> = holds.iter().map(|holds| !holds).collect();
        (yes, self.restricted(&others))
    }

    /// For each object, whether a condition on all of its rows of an occurrence holds.
    fn holds(
        &self,
        slots: &Slots,
        kept: &[bool],
        values: &Values<'_>,
        table: usize,
        condition: &Condition,
    ) -> Vec<bool> {
        let objects = self.objects.len();
        match condition {
            Condition::Some { .. } => vec![true; objects],
            Condition::Count { least, .. } => {
                let counts = slots.counts(kept, objects);
                counts.iter().map(|count| count >= least).collect()
            }
            Condition::Every { column, is, .. } => {
                let so = values.test(table, *column, is);
                let known = values.known(table, *column);
                let mut any = vec![false; objects];
                let mut all = vec![true; objects];
                for (place, &row) in slots.rows.iter().enumerate() {
                    if kept[place] && known(row) {
                        any[slots.objects[place] as usize] = true;
                        all[slots.objects[place] as usize] &= so(row);
                    }
                }
                any.into_iter()
                    .zip(all)
                    .map(|(any, all)| any && all)
                    .collect()
            }
            Condition::Aggregate {
                column,
                function,
                is,
                ..
            } => {
                let number = values.number(table, *column, is);
                let aggregated = slots.aggregated(kept, objects, *function, number);
                aggregated
                    .iter()
                    .map(|&number| is.about_holds(number))
                    .collect()
            }
        }
    }

    /// The table of an occurrence, one of these bags' own or one that steps lead to.
    pub fn table(&self, view: &View, steps: &[Step], occurrence: u32) -> usize {
        let Some(place) = (occurrence as usize).checked_sub(1) else {
            return view.table_position();
        };
        let step = match place.checked_sub(self.steps.len()) {
            None => self.steps[place],
            Some(beyond) => steps[beyond],
        };
        let key = &view.database().foreign_keys()[step.key as usize];
        match step.backward {
            true => key.from,
            false => key.to,
        }
    }

    /// The bags of some objects, with all their bindings.
    pub fn restricted(&self, objects: &[bool]) -> Self {
        let each = self.occurrences.iter().map(|slots| {
            let of = slots.objects.iter();
            of.map(|&object| objects[object as usize]).collect()
        });
        let kept: Kept = each.collect();
        self.compacted(Vec::new(), &[], &kept)
    }

    /// The bags with the slots that are kept, numbered anew.
    fn compacted(&self, extra: Vec<Slots>, steps: &[Step], kept: &Kept) -> Self {
        let mut numbered: Vec<Vec<u32>> = Vec::with_capacity(kept.len());
        let mut occurrences = Vec::with_capacity(kept.len());
        let all_steps: Vec<Step> = self.steps.iter().chain(steps).copied().collect();
        for (place, kept) in kept.iter().enumerate() {
            let slots = self.slots(&extra, place as u32);
            let count = kept.iter().filter(|kept| **kept).count();
            let mut numbers = Vec::with_capacity(kept.len());
            let mut compact = Slots {
                rows: Vec::with_capacity(count),
                parents: Vec::with_capacity(count),
                objects: Vec::with_capacity(count),
            };
            for (slot, &kept) in kept.iter().enumerate() {
                numbers.push(compact.len() as u32);
                if !kept {
                    continue;
                }
                compact.rows.push(slots.rows[slot]);
                match place {
                    0 => {
                        compact.parents.push(compact.objects.len() as u32);
                        compact.objects.push(compact.objects.len() as u32);
                    }
                    _ => {
                        let above = all_steps[place - 1].from as usize;
                        compact
                            .parents
                            .push(numbered[above][slots.parents[slot] as usize]);
                        compact
                            .objects
                            .push(numbered[0][slots.objects[slot] as usize]);
                    }
                }
            }
            numbered.push(numbers);
            occurrences.push(compact);
        }
        let kept_objects = self.objects.iter().zip(&kept[0]);
        Self {
            objects: kept_objects
                .filter(|(_, kept)| **kept)
                .map(|(&object, _)| object)
                .collect(),
            occurrences,
            steps: all_steps,
        }
    }
}

impl Slots {
    /// How many kept slots each object has.
    pub fn counts(&self, kept: &[bool], objects: usize) -> Vec<u32> {
        let mut counts = vec![0; objects];
        for (&object, &kept) in self.objects.iter().zip(kept) {
            counts[object as usize] += u32::from(kept);
        }
        counts
    }

    /// What is made of each object's values; not a number where it has none.
    pub fn aggregated(
        &self,
        kept: &[bool],
        objects: usize,
        function: Function,
        number: impl Fn(u32) -> f64,
    ) -> Vec<f64> {
        let mut made = vec![f64::NAN; objects];
        let means = function == Function::Mean;
        let mut counts = vec![0u32; if means { objects } else { 0 }];
        let mut sizes = vec![0.0f64; if means { objects } else { 0 }];
        for (place, &row) in self.rows.iter().enumerate() {
            let value = number(row);
            if !kept[place] || value.is_nan() {
                continue;
            }
            let object = self.objects[place] as usize;
            let made = &mut made[object];
            *made = match function {
                _ if made.is_nan() => value,
                Function::Mean => *made + value,
                Function::Minimum => made.min(value),
                Function::Maximum => made.max(value),
            };
            if means {
                counts[object] += 1;
                sizes[object] += value.abs();
            }
        }
        for (place, count) in counts.into_iter().enumerate() {
            // What is left of numbers that cancel is rounding, and another order of rows leaves
            // another rest.
            let sum = made[place];
            made[place] = match sum.abs() < ABOUT * sizes[place] {
                true => 0.0,
                false => sum / f64::from(count.max(1)),
            };
        }
        made
    }
}

impl Is {
    /// The prototype spoken of, if it is one.
    pub fn prototype(&self) -> Option<u32> {
        match self {
            Is::Near { prototype, .. } => Some(*prototype),
            _ => None,
        }
    }
}
