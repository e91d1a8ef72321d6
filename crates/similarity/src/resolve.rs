//! From an expression to a measure: names are looked up, settings checked, defaults put in, parts
//! built before the whole, and missing values dealt with around the measure.

use std::sync::Arc;

use kinwood_values::parameter::Allowed;
use kinwood_values::suggest::nearest;
use kinwood_values::{Column, Type};

use crate::declaration::{Declaration, MISSING, Resolve};
use crate::defaults::{default_expression, default_kernel};
use crate::entry::{Build, Entry};
use crate::error::Error;
use crate::expression::{Argument, Expression, Literal};
use crate::lacking::{Lacking, LackingKernel, Stated};
use crate::measure::{DistanceOn, FittedDistance, FittedKernel, KernelOn};
use crate::missing::Missing;
use crate::registry::Registry;

/// The setting of every distance that says how far a missing value is.
const FAR: &str = "far";

/// The name that stands for the default measure of the values' type.
const DEFAULT: &str = "default";

impl Registry {
    /// The distance an expression names, on values of a type; `place` says in errors of what the
    /// values are, such as ``column `smiles` ``.
    pub fn distance(
        &self,
        expression: &Expression,
        of: &Type,
        training: Option<&Column>,
        place: &str,
    ) -> Result<DistanceOn, Error> {
        let declaration = self.declare(expression, of, training, place);
        let measure = Resolve::distance(self, declaration)?;
        Ok(DistanceOn::new(of.clone(), measure))
    }

    /// The kernel an expression names, on values of a type.
    pub fn kernel(
        &self,
        expression: &Expression,
        of: &Type,
        training: Option<&Column>,
        place: &str,
    ) -> Result<KernelOn, Error> {
        let declaration = self.declare(expression, of, training, place);
        let measure = Resolve::kernel(self, declaration)?;
        Ok(KernelOn::new(of.clone(), measure))
    }

    fn declare<'a>(
        &'a self,
        expression: &'a Expression,
        of: &'a Type,
        training: Option<&'a Column>,
        place: &str,
    ) -> Declaration<'a> {
        Declaration {
            resolver: self,
            expression,
            of,
            training,
            place: place.to_owned(),
            missing: Missing::default(),
            masked: false,
            field: false,
        }
    }

    /// Builds the distance itself, and hands it on with the declaration it was built from.
    fn build_distance<T>(
        &self,
        declaration: Declaration<'_>,
        then: impl FnOnce(Arc<dyn FittedDistance>, &Declaration<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Declaration { of, training, .. } = declaration;
        if declaration.name() == DEFAULT {
            declaration.no_parts()?;
            let expression = default_expression(of, training).ok_or_else(|| Error::NoDistance {
                column: declaration.place.clone(),
                found: of.to_string(),
            })?;
            let place = declaration.place.clone();
            return declaration.with(&expression, of, training, place, |inner| {
                let (masked, field) = (declaration.masked, declaration.field);
                let same = Declaration {
                    masked,
                    field,
                    ..inner
                };
                self.build_distance(same, then)
            });
        }
        let entry = self.named(declaration.expression)?;
        let named = named_settings(declaration.expression, entry)?;
        let mut inside = Declaration {
            expression: &named,
            ..declaration.clone()
        };
        if let Some(Literal::Word(word)) = inside.given(MISSING) {
            inside.missing = word.parse().unwrap_or_default();
        }
        let measure = match &entry.build {
            Build::Distance(build) => build(&inside)?,
            Build::Foreign(build) => build(&inside)?,
            Build::Kernel(_) => {
                return Err(Error::NotADistance {
                    name: declaration.name().to_owned(),
                    column: declaration.expression.at.0,
                });
            }
        };
        then(measure, &inside)
    }
}

impl Resolve for Registry {
    fn values(&self, measure: &str) -> String {
        self.find(measure)
            .map_or(String::new(), |entry| entry.values.to_string())
    }

    fn default(&self, measure: &str, setting: &str) -> Option<Literal> {
        let mut parameters = self.find(measure)?.parameters.iter();
        let default = parameters.find(|of| of.name == setting)?.default;
        if default.is_empty() {
            return None;
        }
        Some(match default.parse::<f64>() {
            Ok(number) if number.is_finite() => Literal::Number(number),
            _ => Literal::Word(default.to_owned()),
        })
    }

    fn distance(&self, declaration: Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
        let (measure, missing, said, far) =
            self.build_distance(declaration, |measure, inside| {
                let stated = match inside.setting(FAR) {
                    Some(Literal::Number(far)) => Some(far),
                    _ => None,
                };
                let far = match (stated, measure.far()) {
                    (Some(far), _) => Some((far, true)),
                    (None, Some(far)) => Some((far, false)),
                    (None, None) => inside
                        .training
                        .map(|training| Lacking::extent(&*measure, training))
                        .transpose()?
                        // Where training has nothing apart, any distance is as good as another.
                        .map(|far| (far.filter(|&far| far > 0.0).unwrap_or(1.0), true)),
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

    fn bare_distance(
        &self,
        declaration: Declaration<'_>,
    ) -> Result<Arc<dyn FittedDistance>, Error> {
        self.build_distance(declaration, |measure, inside| {
            Ok(match inside.said_missing() {
                // Those that take missing values say so themselves.
                Some(said) if !measure.takes_missing() => Arc::new(Stated { measure, said }),
                _ => measure,
            })
        })
    }

    fn kernel(&self, declaration: Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
        let Declaration { of, training, .. } = declaration;
        if declaration.name() == DEFAULT {
            declaration.no_parts()?;
            let place = declaration.place.clone();
            return declaration.with(&default_kernel(of), of, training, place, |inner| {
                Resolve::kernel(self, inner)
            });
        }
        let entry = self.named(declaration.expression)?;
        let named = named_settings(declaration.expression, entry)?;
        let Build::Kernel(build) = &entry.build else {
            return Err(Error::NotAKernel {
                name: declaration.name().to_owned(),
                column: declaration.expression.at.0,
            });
        };
        let inside = Declaration {
            expression: &named,
            ..declaration
        };
        Ok(Arc::new(LackingKernel {
            measure: build(&inside)?,
        }))
    }
}

/// The expression with every number given its name, checked against the declared settings.
fn named_settings(expression: &Expression, entry: &Entry) -> Result<Expression, Error> {
    let mut named = expression.clone();
    let numbers = named
        .arguments
        .iter()
        .filter(|argument| matches!(argument, Argument::Number(..)))
        .count();
    if numbers > entry.parameters.len() {
        return Err(Error::TooManyNumbers {
            measure: expression.name.clone(),
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
    let mut seen: Vec<&str> = Vec::new();
    for argument in &named.arguments {
        let Argument::Setting { name, value, .. } = argument else {
            continue;
        };
        if seen.contains(&name.as_str()) {
            return Err(Error::SetTwice {
                measure: expression.name.clone(),
                setting: name.clone(),
            });
        }
        seen.push(name);
        let allowed = allowed(entry, name)?;
        let (fits, found) = match value {
            Literal::Number(number) => (allowed.accepts_number(*number), number.to_string()),
            Literal::Word(word) => (allowed.accepts_word(word), format!("`{word}`")),
        };
        if !fits {
            return Err(Error::Setting {
                measure: expression.name.clone(),
                setting: name.clone(),
                found,
                expected: format!("{allowed:#}"),
            });
        }
    }
    Ok(named)
}

/// What a setting of a measure may be: one of its own, or one that every distance has.
fn allowed(entry: &Entry, setting: &str) -> Result<Allowed, Error> {
    let own = entry.parameters.iter().find(|of| of.name == setting);
    let common: &[&'static str] = match entry.is_kernel() {
        true => &[],
        false => &[MISSING, FAR],
    };
    match own {
        Some(parameter) => Ok(parameter.allowed),
        None if !common.contains(&setting) => {
            let known: Vec<&'static str> = entry
                .parameters
                .iter()
                .map(|of| of.name)
                .chain(common.iter().copied())
                .collect();
            Err(Error::UnknownSetting {
                measure: entry.name.to_string(),
                setting: setting.to_owned(),
                nearest: nearest(setting, &known),
                known,
            })
        }
        None if setting == MISSING => Ok(Allowed::Choice(Missing::NAMES)),
        None => Ok(Allowed::NotNegative),
    }
}
