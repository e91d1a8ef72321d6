//! An expression on its way to a measure: its settings read and checked, its parts resolved against the parts of the
//! type, its numbers taken from training data where it says so.

use std::sync::Arc;

use kinwood_values::suggest::nearest;
use kinwood_values::{Cells, Column, Field, Type};

use crate::defaults::default_expression;
use crate::error::Error;
use crate::expression::{Argument, Expression, Literal, Part};
use crate::lacking::{Lacking, LackingKernel};
use crate::measure::{FittedDistance, FittedKernel};
use crate::missing::Missing;
use crate::registry::{Build, Default, Entry, Registry};

/// What every distance can be set to besides its own settings.
const MISSING: &str = "missing";
const FAR: &str = "far";

/// An expression on values of a type. For authors of measures: it answers what they need to build themselves.
#[derive(Clone)]
pub struct Declaration<'a> {
    registry: &'a Registry,
    expression: &'a Expression,
    of: &'a Type,
    training: Option<&'a Column>,
    place: String,
    missing: Missing,
    /// Whether missing values are dealt with outside.
    masked: bool,
    /// Whether the value is a field of a tuple.
    field: bool,
}

impl Registry {
    pub(crate) fn declare<'a>(
        &'a self,
        expression: &'a Expression,
        of: &'a Type,
        training: Option<&'a Column>,
        place: &str,
    ) -> Declaration<'a> {
        Declaration {
            registry: self,
            expression,
            of,
            training,
            place: place.to_owned(),
            missing: Missing::default(),
            masked: false,
            field: false,
        }
    }
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

    /// What a missing value means here. Only a field can be left out: elsewhere nothing is left that could stand for it,
    /// and it is as far as can be.
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

    fn entry(&self) -> Result<&'a Entry, Error> {
        self.registry.named(self.expression)
    }

    /// That the values are not of a type the measure measures.
    pub fn wrong_type(&self) -> Error {
        Error::WrongType {
            measure: self.name().to_owned(),
            needs: self
                .registry
                .find(self.name())
                .map_or(String::new(), |entry| entry.values.to_string()),
            place: self.place.clone(),
            found: self.of.to_string(),
        }
    }

    // ----- settings -----

    /// A setting's value; the one declared by default if it is not set.
    pub fn setting(&self, name: &str) -> Option<Literal> {
        let entry = self.registry.find(self.name())?;
        let given = self.given(name).cloned();
        given.or_else(|| {
            let parameter = entry.parameters.iter().find(|of| of.name == name)?;
            match parameter.default {
                Default::Number(number) => Some(Literal::Number(number)),
                Default::Word(word) => Some(Literal::Word(word.to_owned())),
                Default::None => None,
            }
        })
    }

    /// A setting that is a number.
    ///
    /// # Panics
    /// If the measure declares no such setting with a number for a default: a mistake of its author.
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

    /// The same expression with every number given its name, checked against the declared settings.
    fn named_settings(&self, entry: &Entry) -> Result<Expression, Error> {
        let mut named = self.expression.clone();
        let numbers = named
            .arguments
            .iter()
            .filter(|argument| matches!(argument, Argument::Number(..)))
            .count();
        if numbers > entry.parameters.len() {
            return Err(Error::TooManyNumbers {
                measure: self.name().to_owned(),
                most: entry.parameters.len(),
                found: numbers,
            });
        }
        let mut places = entry.parameters.iter();
        for argument in &mut named.arguments {
            if let Argument::Number(number, at) = *argument
                && let Some(parameter) = places.next()
            {
                *argument = Argument::Setting {
                    name: parameter.name.to_owned(),
                    value: Literal::Number(number),
                    at,
                };
            }
        }
        let common = if entry.is_kernel() {
            &[][..]
        } else {
            &[MISSING, FAR]
        };
        let mut seen: Vec<&str> = Vec::new();
        for argument in &named.arguments {
            let Argument::Setting { name, value, .. } = argument else {
                continue;
            };
            if seen.contains(&name.as_str()) {
                return Err(Error::SetTwice {
                    measure: self.name().to_owned(),
                    setting: name.clone(),
                });
            }
            seen.push(name);
            let allowed = match (
                entry.parameters.iter().find(|of| of.name == name),
                name.as_str(),
            ) {
                (Some(parameter), _) => parameter.allowed,
                (None, MISSING) if !entry.is_kernel() => {
                    crate::registry::Allowed::Word(Missing::NAMES)
                }
                (None, FAR) if !entry.is_kernel() => crate::registry::Allowed::NotNegative,
                _ => {
                    let known: Vec<&'static str> = entry
                        .parameters
                        .iter()
                        .map(|of| of.name)
                        .chain(common.iter().copied())
                        .collect();
                    return Err(Error::UnknownSetting {
                        measure: self.name().to_owned(),
                        setting: name.clone(),
                        nearest: nearest(name, &known),
                        known,
                    });
                }
            };
            if !allowed.accepts(value) {
                let found = match value {
                    Literal::Number(number) => number.to_string(),
                    Literal::Word(word) => format!("`{word}`"),
                };
                return Err(Error::Setting {
                    measure: self.name().to_owned(),
                    setting: name.clone(),
                    found,
                    expected: allowed.describe(),
                });
            }
        }
        Ok(named)
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
        let resolved = self.with(expression, of, training, place, |inner| inner.distance())?;
        self.numbers_only(resolved)
    }

    /// The kernel on members: the one part, or the default of their type.
    pub fn member_kernel(&self) -> Result<Arc<dyn FittedKernel>, Error> {
        let (of, training) = self.members().ok_or_else(|| self.wrong_type())?;
        let place = format!("a member of {}", self.place);
        let default = Expression::new("default");
        let expression = self.only_part()?.unwrap_or(&default);
        self.with(expression, of, training, place, |inner| inner.kernel())
    }

    /// Resolves an expression that need not live as long as this one.
    fn with<T>(
        &self,
        expression: &Expression,
        of: &Type,
        training: Option<&Column>,
        place: String,
        resolve: impl FnOnce(Declaration<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let shorter: &Declaration<'_> = self;
        resolve(Declaration {
            registry: shorter.registry,
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

    /// The one part, a distance on the very same values, without a treatment of missing values of its own.
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
                masked.bare(|measure, _| Ok(measure))
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
            inner.kernel()
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
            |inner| inner.kernel(),
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
            Declaration { field, ..inner }.distance()
        })
    }

    /// The kernel of a field.
    pub fn field_kernel(&self, part: &FieldPart<'a>) -> Result<Arc<dyn FittedKernel>, Error> {
        let default = Expression::new("default");
        let expression = part.measure.unwrap_or(&default);
        let place = self.field_place(part);
        self.with(expression, part.of, part.training, place, |inner| {
            inner.kernel()
        })
    }

    fn field_place(&self, part: &FieldPart<'a>) -> String {
        match &part.name {
            Some(name) if self.place.starts_with("a row of") => format!("column `{name}`"),
            Some(name) => format!("field `{name}` of {}", self.place),
            None => format!("field {} of {}", part.position + 1, self.place),
        }
    }

    // ----- resolution -----

    /// The distance, with its treatment of missing values.
    pub(crate) fn distance(self) -> Result<Arc<dyn FittedDistance>, Error> {
        let (measure, missing, said, far) = self.bare(|measure, inside| {
            let far = match inside.setting_number(FAR) {
                Some(far) => Some((far, true)),
                None => match measure.far() {
                    Some(far) => Some((far, false)),
                    None => inside
                        .training
                        .map(|training| Lacking::extent(&*measure, training))
                        .transpose()?
                        // Where training has nothing apart, any distance is as good as another.
                        .map(|far| (far.filter(|&far| far > 0.0).unwrap_or(1.0), true)),
                },
            };
            Ok((measure, inside.missing(), inside.said_missing(), far))
        })?;
        if measure.takes_missing() || measure.pair_valued() {
            return Ok(measure);
        }
        Ok(Arc::new(Lacking {
            measure,
            missing,
            said,
            far,
        }))
    }

    /// Builds the distance itself, and hands it on with the declaration it was built from.
    fn bare<T>(
        self,
        then: impl FnOnce(Arc<dyn FittedDistance>, &Declaration<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.name() == "default" {
            self.no_parts()?;
            let expression =
                default_expression(self.of, self.training).ok_or_else(|| Error::NoDistance {
                    column: self.place.clone(),
                    found: self.of.to_string(),
                })?;
            return self.with(
                &expression,
                self.of,
                self.training,
                self.place.clone(),
                |inner| {
                    let (masked, field) = (self.masked, self.field);
                    let same = Declaration {
                        masked,
                        field,
                        ..inner
                    };
                    same.bare(then)
                },
            );
        }
        let entry = self.entry()?;
        let named = self.named_settings(entry)?;
        let mut inside = Declaration {
            expression: &named,
            ..self.clone()
        };
        if let Some(Literal::Word(word)) = inside.given(MISSING) {
            inside.missing = word.parse().unwrap_or_default();
        }
        let measure = match &entry.build {
            Build::Distance(build) => build(&inside)?,
            Build::Foreign(build) => build(&inside)?,
            Build::Kernel(_) => {
                return Err(Error::NotADistance {
                    name: self.name().to_owned(),
                    column: self.expression.at.0,
                });
            }
        };
        then(measure, &inside)
    }

    fn setting_number(&self, name: &str) -> Option<f64> {
        match self.setting(name) {
            Some(Literal::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// The kernel, with its treatment of missing values.
    pub(crate) fn kernel(self) -> Result<Arc<dyn FittedKernel>, Error> {
        if self.name() == "default" {
            self.no_parts()?;
            let expression = crate::defaults::default_kernel(self.of);
            return self.with(
                &expression,
                self.of,
                self.training,
                self.place.clone(),
                |inner| inner.kernel(),
            );
        }
        let entry = self.entry()?;
        let named = self.named_settings(entry)?;
        let inside = Declaration {
            expression: &named,
            ..self.clone()
        };
        let Build::Kernel(build) = &entry.build else {
            return Err(Error::NotAKernel {
                name: self.name().to_owned(),
                column: self.expression.at.0,
            });
        };
        Ok(Arc::new(LackingKernel {
            measure: build(&inside)?,
        }))
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
