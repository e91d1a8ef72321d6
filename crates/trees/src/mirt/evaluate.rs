//! What a linear model says of objects, and from which values.

use super::bags::Bags;
use super::leaf::Linear;
use super::nearest::Nearest;
use super::terms::Terms;
use super::values::Values;
use super::variables::{Choices, Reader};

/// A model ready to be asked.
pub struct Asked<'a> {
    model: &'a Linear,
    nearest: Option<Nearest<'a>>,
}

/// What a model says of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The number.
    pub number: f64,
    /// The value of each term's variable.
    pub values: Vec<f64>,
    /// The row of the table behind each value, where it is one row's.
    pub behind: Vec<Option<u32>>,
    /// The primary instance that is nearest, by its place among those stored.
    pub instance: Option<u32>,
}

impl<'a> Asked<'a> {
    /// A model.
    pub fn new(model: &'a Linear) -> Self {
        let width = model.chosen();
        let nearest =
            (!model.primary.is_empty() && width > 0).then(|| Nearest::new(&model.primary, width));
        Self { model, nearest }
    }

    /// What is said of each object of the bags that reached the model's node.
    pub fn say(&self, terms: &Terms, values: &Values<'_>, bags: &Bags) -> Vec<Said> {
        let wide;
        let reader = Reader {
            bags: match self.model.beyond.is_empty() {
                true => bags,
                false => {
                    let mut followed = bags.clone();
                    followed.followed(values.view(), &self.model.beyond);
                    wide = followed;
                    &wide
                }
            },
            terms,
            values,
        };
        let choices: Vec<Choices> = self
            .model
            .terms
            .iter()
            .map(|term| reader.choices(term.variable).filled(term.otherwise))
            .collect();
        let say = |object: usize| self.say_of(object, &choices, &reader);
        (0..bags.objects.len()).map(say).collect()
    }

    fn say_of(&self, object: usize, choices: &[Choices], reader: &Reader<'_>) -> Said {
        let own: Vec<&[f64]> = choices
            .iter()
            .map(|choices| choices.values(object))
            .collect();
        let mut taken = vec![0usize; own.len()];
        let mut instance = None;
        if let Some(nearest) = &self.nearest {
            let chosen = || {
                let terms = self.model.terms.iter().enumerate();
                terms
                    .filter(|(_, term)| term.variable.is_chosen())
                    .map(|(place, _)| place)
            };
            let asked: Vec<&[f64]> = chosen().map(|place| own[place]).collect();
            if let Some((found, places)) = nearest.find(&asked) {
                instance = Some(found);
                for (place, value) in chosen().zip(places) {
                    taken[place] = value;
                }
            }
        }
        let values: Vec<f64> = own
            .iter()
            .zip(&taken)
            .map(|(own, &taken)| own[taken])
            .collect();
        let behind = self.model.terms.iter().enumerate().map(|(place, term)| {
            let slot = choices[place].behind(object)[taken[place]];
            let slots = &reader.bags.occurrences[term.variable.occurrence() as usize];
            (term.variable.is_chosen() && slot != u32::MAX).then(|| slots.rows[slot as usize])
        });
        let behind = behind.collect();
        let each = self.model.terms.iter().zip(&values);
        let number = self.model.intercept
            + each
                .map(|(term, value)| term.coefficient * value)
                .sum::<f64>();
        // An infinite value says nothing of how far to go: the formula is left where it begins.
        let number = match number.is_finite() {
            true => number,
            false => self.model.intercept,
        };
        Said {
            number: self.model.clipped(number),
            values,
            behind,
            instance,
        }
    }
}

impl Linear {
    /// A number within what was seen in training, if the model keeps to that.
    pub fn clipped(&self, number: f64) -> f64 {
        match self.range {
            Some((least, most)) => number.max(least).min(most),
            None => number,
        }
    }
}
