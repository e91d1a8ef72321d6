//! What the variables of linear models are for the objects of a node.

use super::bags::{Bags, Slots};
use super::leaf::Variable;
use super::terms::Terms;
use super::test::Step;
use super::values::Values;

/// The values that a variable can take for each object: distinct ones, rising.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    starts: Vec<u32>,
    values: Vec<f64>,
    /// The first slot that has each value.
    behind: Vec<u32>,
}

impl Choices {
    /// One value an object, or none where it is not a number.
    pub fn single(numbers: &[f64]) -> Self {
        let mut choices = Self {
            starts: vec![0],
            values: Vec::with_capacity(numbers.len()),
            behind: Vec::with_capacity(numbers.len()),
        };
        for (place, &number) in numbers.iter().enumerate() {
            if !number.is_nan() {
                choices.values.push(number);
                choices.behind.push(place as u32);
            }
            choices.starts.push(choices.values.len() as u32);
        }
        choices
    }

    /// The values of a column over an occurrence's slots, which stand by object.
    pub fn of(slots: &Slots, objects: usize, number: impl Fn(u32) -> f64) -> Self {
        let mut choices = Self {
            starts: Vec::with_capacity(objects + 1),
            values: Vec::new(),
            behind: Vec::new(),
        };
        choices.starts.push(0);
        let mut own: Vec<(f64, u32)> = Vec::new();
        let mut place = 0;
        for object in 0..objects as u32 {
            own.clear();
            while place < slots.len() && slots.objects[place] == object {
                let value = number(slots.rows[place]);
                if !value.is_nan() {
                    // 0 and -0 are one value.
                    own.push((value + 0.0, place as u32));
                }
                place += 1;
            }
            own.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            own.dedup_by(|next, first| next.0 == first.0);
            choices.values.extend(own.iter().map(|own| own.0));
            choices.behind.extend(own.iter().map(|own| own.1));
            choices.starts.push(choices.values.len() as u32);
        }
        choices
    }

    /// How many objects there are.
    pub fn objects(&self) -> usize {
        self.starts.len() - 1
    }

    fn range(&self, object: usize) -> std::ops::Range<usize> {
        self.starts[object] as usize..self.starts[object + 1] as usize
    }

    /// The values of an object, rising.
    #[inline]
    pub fn values(&self, object: usize) -> &[f64] {
        &self.values[self.range(object)]
    }

    /// The slot behind each value of an object.
    pub fn behind(&self, object: usize) -> &[u32] {
        &self.behind[self.range(object)]
    }

    /// Whether some object has a choice.
    pub fn is_open(&self) -> bool {
        self.starts.windows(2).any(|pair| pair[1] - pair[0] > 1)
    }

    /// Gives objects without a value this one.
    pub fn filled(self, otherwise: f64) -> Self {
        if (0..self.objects()).all(|object| !self.values(object).is_empty()) {
            return self;
        }
        let mut filled = Self {
            starts: vec![0],
            values: Vec::new(),
            behind: Vec::new(),
        };
        for object in 0..self.objects() {
            match self.values(object) {
                [] => {
                    filled.values.push(otherwise);
                    filled.behind.push(u32::MAX);
                }
                values => {
                    filled.values.extend(values);
                    filled.behind.extend(self.behind(object));
                }
            }
            filled.starts.push(filled.values.len() as u32);
        }
        filled
    }

    /// The mean over objects of the mean of each one's values; 0 if there are none.
    pub fn mean(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0usize);
        for object in 0..self.objects() {
            let values = self.values(object);
            if !values.is_empty() {
                sum += values.iter().sum::<f64>() / values.len() as f64;
                count += 1;
            }
        }
        if count > 0 { sum / count as f64 } else { 0.0 }
    }
}

/// The place of the value nearest to a number among rising ones; of two as near the smaller.
#[inline]
pub fn nearest(values: &[f64], number: f64) -> usize {
    let above = values.partition_point(|value| *value < number);
    match (above.checked_sub(1), values.get(above)) {
        (Some(below), Some(value)) if number - values[below] <= value - number => below,
        (_, Some(_)) => above,
        (below, None) => below.unwrap_or(0),
    }
}

/// Reads variables of bags.
pub struct Reader<'a> {
    /// The bags, with every occurrence that variables speak of.
    pub bags: &'a Bags,
    /// Tables and keys.
    pub terms: &'a Terms,
    /// Their values.
    pub values: &'a Values<'a>,
}

impl Reader<'_> {
    fn slots(&self, variable: Variable) -> &Slots {
        &self.bags.occurrences[variable.occurrence() as usize]
    }

    fn table(&self, variable: Variable) -> usize {
        self.terms.table_of(&self.bags.steps, variable.occurrence())
    }

    /// The values that a variable can take for each object.
    pub fn choices(&self, variable: Variable) -> Choices {
        match variable {
            Variable::Value { column, .. } => {
                let numbers = self.values.numbers(self.table(variable), column);
                let objects = self.bags.objects.len();
                Choices::of(self.slots(variable), objects, |row| numbers.get(row))
            }
            _ => Choices::single(&self.numbers(variable)),
        }
    }

    /// The one value of a variable for each object; not a number where there is none.
    pub fn numbers(&self, variable: Variable) -> Vec<f64> {
        let slots = self.slots(variable);
        let objects = self.bags.objects.len();
        let table = self.table(variable);
        match variable {
            Variable::Value { column, .. } => {
                let numbers = self.values.numbers(table, column);
                let choices = Choices::of(slots, objects, |row| numbers.get(row));
                let first = |object| choices.values(object).first().copied().unwrap_or(f64::NAN);
                (0..objects).map(first).collect()
            }
            Variable::Aggregate {
                column, function, ..
            } => {
                let numbers = self.values.numbers(table, column);
                let kept = vec![true; slots.len()];
                slots.aggregated(&kept, objects, function, |row| numbers.get(row))
            }
            Variable::Label { column, label, .. } => {
                let codes = self.values.codes(table, column);
                let (mut with, mut known) = (vec![0u32; objects], vec![0u32; objects]);
                for (place, &row) in slots.rows.iter().enumerate() {
                    if let Some(code) = codes.get(row) {
                        let object = slots.objects[place] as usize;
                        known[object] += 1;
                        with[object] += u32::from(code == label);
                    }
                }
                let share = |(with, known): (u32, u32)| match known {
                    0 => f64::NAN,
                    known => f64::from(with) / f64::from(known),
                };
                with.into_iter().zip(known).map(share).collect()
            }
            Variable::Count { .. } => {
                let kept = vec![true; slots.len()];
                let counts = slots.counts(&kept, objects);
                counts.into_iter().map(f64::from).collect()
            }
        }
    }
}

/// The keys that lead away from objects, up to so many in a row, each at most once in a row: what
/// aggregates are made over. They start after the occurrences that are there.
pub fn surroundings(terms: &Terms, occurrences: usize, depth: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut frontier: Vec<(u32, usize, Vec<u32>)> = vec![(0, terms.root, Vec::new())];
    for _ in 0..depth {
        let mut next = Vec::new();
        for (from, table, followed) in &frontier {
            for (key, of) in terms.keys.iter().enumerate() {
                if followed.contains(&(key as u32)) {
                    continue;
                }
                let ends = [(of.from, false, of.to), (of.to, true, of.from)];
                for (_, backward, reached) in ends.into_iter().filter(|end| end.0 == *table) {
                    let place = (occurrences + steps.len()) as u32;
                    steps.push(Step {
                        from: *from,
                        key: key as u32,
                        backward,
                    });
                    let mut followed = followed.clone();
                    followed.push(key as u32);
                    next.push((place, reached, followed));
                }
            }
        }
        frontier = next;
    }
    steps
}
