//! An expression on its way to a measure: its settings read and checked, its parts resolved against
//! the parts of the type, its numbers taken from training data where it says so.

use std::sync::Arc;

use kinwood_values::suggest::nearest;
use kinwood_values::{Cells, Column, Field, Type};

use crate::error::Error;
use crate::expression::{Argument, Expression, Literal, Part};
use crate::measure::{FittedDistance, FittedKernel};
use crate::missing::Missing;

/// The setting of every distance that says what a missing value means.
pub(crate) const MISSING: &str = "missing";

/// What turns a declaration into a measure: the parts of a declaration are resolved by what
/// resolves it. It is a trait so that a declaration, which every entry of the registry is built
/// from, need not know the registry.
pub(crate) trait Resolve: Send + Sync {
    /// What the measure of a name takes, as errors say it.
    fn values(&self, measure: &str) -> String;
    /// The default of a setting of a measure.
    fn default(&self, measure: &str, setting: &str) -> Option<Literal>;
    /// The distance, with its treatment of missing values.
    fn distance(&self, declaration: Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error>;
    /// The distance without a treatment of missing values.
    fn bare_distance(&self, declaration: Declaration<'_>)
    -> Result<Arc<dyn FittedDistance>, Error>;
    /// The kernel, with its treatment of missing values.
    fn kernel(&self, declaration: Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error>;
}

/// An expression on values of a type. For authors of measures: it answers what they need to build
/// themselves.
#[derive(Clone)]
pub struct Declaration<'a> {
    pub(crate) resolver: &'a dyn Resolve,
    pub(crate) expression: &'a Expression,
    pub(crate) of: &'a Type,
    pub(crate) training: Option<&'a Column>,
    pub(crate) place: String,
    pub(crate) missing: Missing,
    /// Whether missing values are dealt with outside.
    pub(crate) masked: bool,
    /// Whether the value is a field of a tuple.
    pub(crate) field: bool,
}

impl<'a> Declaration<'a> {
    /// The measure's name.
    pub fn name(&self) -> &'a str {
        &self.expression.name
    }

    /// The type of the values.
    pub fn of(&self) -> &'a Type {
        self.of
    }

    /// The training values, if there are any.
    pub fn training(&self) -> Option<&'a Column> {
        self.training
    }

    /// What a missing value means here. Only a field can be left out: elsewhere nothing is left
    /// that could stand for it, and it is as far as can be.
    pub fn missing(&self) -> Missing {
        match self.missing {
            Missing::Skip if !self.field => Missing::Max,
            missing => missing,
        }
    }

    /// The treatment of missing values, if it is said here rather than further out.
    pub fn said_missing(&self) -> Option<Missing> {
        self.given(MISSING).map(|_| self.missing)
    }

    /// Whether whatever is said of a missing value is written over outside.
    pub fn masked(&self) -> bool {
        self.masked
    }

    /// Of what the values are.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// That the values are not of a type the measure measures.
    pub fn wrong_type(&self) -> Error {
        Error::WrongType {
            measure: self.name().to_owned(),
            needs: self.resolver.values(self.name()),
            place: self.place.clone(),
            found: self.of.to_string(),
        }
    }

    // ----- settings -----

    /// A setting's value; the one declared by default if it is not set.
    pub fn setting(&self, name: &str) -> Option<Literal> {
        let given = self.given(name).cloned();
        given.or_else(|| self.resolver.default(self.name(), name))
    }

    /// A setting that is a number.
    ///
    /// # Panics
    /// If the measure declares no such setting with a number for a default: a mistake of its
    /// author.
    pub fn number(&self, name: &str) -> f64 {
        match self.setting(name) {
            Some(Literal::Number(number)) => number,
            other => panic!("`{name}` of `{}` is {other:?}", self.name()),
        }
    }

    /// Whether the setting is this word.
    pub fn is_word(&self, name: &str, word: &str) -> bool {
        matches!(self.setting(name), Some(Literal::Word(found)) if found == word)
    }

    /// The value given for a setting.
    pub(crate) fn given(&self, name: &str) -> Option<&'a Literal> {
        self.expression
            .arguments
            .iter()
            .find_map(|argument| match argument {
                Argument::Setting {
                    name: found, value, ..
                } if found == name => Some(value),
                _ => None,
            })
    }

    /// That something must come from training data and cannot.
    pub fn needs_training(&self, setting: &str) -> Error {
        Error::NeedsTraining {
            measure: self.name().to_owned(),
            setting: setting.to_owned(),
        }
    }

    // ----- parts -----

    /// Fails if the expression has parts.
    pub fn no_parts(&self) -> Result<(), Error> {
        match self.expression.parts().count() {
            0 => Ok(()),
            found => Err(Error::Parts {
                measure: self.name().to_owned(),
                expected: "no distance or kernel".to_owned(),
                found,
            }),
        }
    }

    /// The one part that stands in the expression, if one does.
    pub fn only_part(&self) -> Result<Option<&'a Expression>, Error> {
        let mut parts = self.expression.parts();
        let first = parts.next();
        let more = parts.count();
        if more > 0 {
            return Err(Error::Parts {
                measure: self.name().to_owned(),
                expected: "one distance or kernel".to_owned(),
                found: more + 1,
            });
        }
        match first {
            Some(part) if part.field.is_some() || part.weight != 1.0 => Err(Error::PlainPart {
                measure: self.name().to_owned(),
            }),
            first => Ok(first.map(|part| &part.measure)),
        }
    }

    /// The members' type and training values, if the values have members.
    pub fn members(&self) -> Option<(&'a Type, Option<&'a Column>)> {
        let (Type::List(of) | Type::Set(of) | Type::Bag(of)) = self.of else {
            return None;
        };
        let training = self.training.and_then(|column| match column.cells() {
            Cells::Collection { members, .. } => Some(&*members.child),
            _ => None,
        });
        Some((of, training))
    }

    /// The distance between members: the one part, or the default of their type.
    pub fn member_distance(&self) -> Result<Arc<dyn FittedDistance>, Error> {
        let (of, training) = self.members().ok_or_else(|| self.wrong_type())?;
        let place = format!("a member of {}", self.place);
        let default = Expression::new("default");
        let expression = self.only_part()?.unwrap_or(&default);
        let resolved = self.with(expression, of, training, place, |inner| {
            inner.resolver.distance(inner)
        })?;
        self.numbers_only(resolved)
    }

    /// The kernel on members: the one part, or the default of their type.
    pub fn member_kernel(&self) -> Result<Arc<dyn FittedKernel>, Error> {
        let (of, training) = self.members().ok_or_else(|| self.wrong_type())?;
        let place = format!("a member of {}", self.place);
        let default = Expression::new("default");
        let expression = self.only_part()?.unwrap_or(&default);
        self.with(expression, of, training, place, |inner| {
            inner.resolver.kernel(inner)
        })
    }

    /// Resolves an expression that need not live as long as this one.
    pub(crate) fn with<T>(
        &self,
        expression: &Expression,
        of: &Type,
        training: Option<&Column>,
        place: String,
        resolve: impl FnOnce(Declaration<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let shorter: &Declaration<'_> = self;
        resolve(Declaration {
            resolver: shorter.resolver,
            expression,
            of,
            training,
            place,
            missing: shorter.missing,
            masked: false,
            field: false,
        })
    }

    fn numbers_only(
        &self,
        measure: Arc<dyn FittedDistance>,
    ) -> Result<Arc<dyn FittedDistance>, Error> {
        if measure.pair_valued() {
            return Err(Error::PairValued {
                measure: measure.expression().name,
                within: format!("`{}`", self.name()),
            });
        }
        Ok(measure)
    }

    /// The one part, a distance on the very same values, without a treatment of missing values of
    /// its own.
    pub fn same_distance(&self) -> Result<Arc<dyn FittedDistance>, Error> {
        let bare = self.masked_part("default")?;
        self.numbers_only(bare)
    }

    /// The same, of a distance that gives pairs; this one unless one is given.
    pub fn pair_distance(&self, default: &str) -> Result<Arc<dyn FittedDistance>, Error> {
        let measure = self.masked_part(default)?;
        if measure.pair_valued() {
            return Ok(measure);
        }
        Err(Error::NumberValued {
            measure: measure.expression().name,
            within: format!("`{}`", self.name()),
        })
    }

    fn masked_part(&self, default: &str) -> Result<Arc<dyn FittedDistance>, Error> {
        let default = Expression::new(default);
        let expression = self.only_part()?.unwrap_or(&default);
        self.with(
            expression,
            self.of,
            self.training,
            self.place.clone(),
            |inner| {
                let masked = Declaration {
                    masked: true,
                    ..inner
                };
                masked.resolver.bare_distance(masked)
            },
        )
    }

    /// The one part, a kernel on numbers that occur in the values; none if no part stands there.
    pub fn number_kernel(
        &self,
        training: Option<&Column>,
    ) -> Result<Option<Arc<dyn FittedKernel>>, Error> {
        let Some(expression) = self.only_part()? else {
            return Ok(None);
        };
        let place = format!("a number in {}", self.place);
        self.with(expression, &Type::Numeric, training, place, |inner| {
            inner.resolver.kernel(inner)
        })
        .map(Some)
    }

    /// The one part, a kernel on the very same values.
    pub fn same_kernel(&self) -> Result<Arc<dyn FittedKernel>, Error> {
        let default = Expression::new("default");
        let expression = self.only_part()?.unwrap_or(&default);
        self.with(
            expression,
            self.of,
            self.training,
            self.place.clone(),
            |inner| inner.resolver.kernel(inner),
        )
    }

    /// The parts of a tuple: by name, by place, one for all, or none for the default of each.
    pub fn fields(&self) -> Result<Vec<FieldPart<'a>>, Error> {
        let Type::Tuple(fields) = self.of else {
            return Err(self.wrong_type());
        };
        let parts: Vec<&'a Part> = self.expression.parts().collect();
        let training = |position: usize| {
            self.training.and_then(|column| match column.cells() {
                Cells::Tuple { fields, .. } => fields.get(position),
                _ => None,
            })
        };
        let at = |position: usize, measure: Option<&'a Expression>, weight| FieldPart {
            position,
            name: fields[position].name.clone(),
            of: &fields[position].of,
            training: training(position),
            measure,
            weight,
        };
        let everything = || 0..fields.len();
        match parts.as_slice() {
            [] => Ok(everything().map(|i| at(i, None, 1.0)).collect()),
            parts if parts.iter().any(|part| part.field.is_some()) => parts
                .iter()
                .map(|part| {
                    let position = self.field_position(fields, part)?;
                    Ok(at(position, Some(&part.measure), part.weight))
                })
                .collect(),
            parts if parts.len() == fields.len() => Ok(parts
                .iter()
                .enumerate()
                .map(|(i, part)| at(i, Some(&part.measure), part.weight))
                .collect()),
            [part] => Ok(everything()
                .map(|i| at(i, Some(&part.measure), part.weight))
                .collect()),
            parts => Err(Error::Parts {
                measure: self.name().to_owned(),
                expected: format!(
                    "one part for each of the {} fields of {}, or one for all",
                    fields.len(),
                    self.place
                ),
                found: parts.len(),
            }),
        }
    }

    fn field_position(&self, fields: &[Field], part: &Part) -> Result<usize, Error> {
        let Some(wanted) = &part.field else {
            return Err(Error::Parts {
                measure: self.name().to_owned(),
                expected: "a field's name before every part, or before none".to_owned(),
                found: self.expression.parts().count(),
            });
        };
        let by_name = fields
            .iter()
            .position(|field| field.name.as_ref() == Some(wanted));
        by_name.ok_or_else(|| Error::UnknownField {
            place: self.place.clone(),
            field: wanted.clone(),
            nearest: nearest(wanted, fields.iter().filter_map(|field| field.name.clone())),
        })
    }

    /// The distance of a field.
    pub fn field_distance(&self, part: &FieldPart<'a>) -> Result<Arc<dyn FittedDistance>, Error> {
        self.numbers_only(self.lone_field_distance(part)?)
    }

    /// The distance of the only field, which may give pairs: there is nothing to join them with.
    pub fn lone_field_distance(
        &self,
        part: &FieldPart<'a>,
    ) -> Result<Arc<dyn FittedDistance>, Error> {
        let default = Expression::new("default");
        let expression = part.measure.unwrap_or(&default);
        let place = self.field_place(part);
        self.with(expression, part.of, part.training, place, |inner| {
            let field = true;
            let declared = Declaration { field, ..inner };
            declared.resolver.distance(declared)
        })
    }

    /// The kernel of a field.
    pub fn field_kernel(&self, part: &FieldPart<'a>) -> Result<Arc<dyn FittedKernel>, Error> {
        let default = Expression::new("default");
        let expression = part.measure.unwrap_or(&default);
        let place = self.field_place(part);
        self.with(expression, part.of, part.training, place, |inner| {
            inner.resolver.kernel(inner)
        })
    }

    fn field_place(&self, part: &FieldPart<'a>) -> String {
        match &part.name {
            Some(name) if self.place.starts_with("a row of") => format!("column `{name}`"),
            Some(name) => format!("field `{name}` of {}", self.place),
            None => format!("field {} of {}", part.position + 1, self.place),
        }
    }
}

/// A field of a tuple and how it is to be measured.
#[derive(Clone)]
pub struct FieldPart<'a> {
    /// Which field.
    pub position: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    of: &'a Type,
    training: Option<&'a Column>,
    measure: Option<&'a Expression>,
    /// How much it counts.
    pub weight: f64,
}
