//! What a tree says as SQL, whatever its tests are: a column for each target, and one for the
//! probability of each class.

use kinwood_values::Dictionary;

use super::{Member, ModelTerms, TargetOf, TreeSet};
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Asked, Expression, Gap, text};

/// Prints what is said of a target.
pub trait Printed {
    /// Its number.
    fn number(&mut self, target: usize) -> Result<String>;
    /// Its most probable class.
    fn class(&mut self, target: usize, classes: &Dictionary) -> Result<String>;
    /// The probability of a class.
    fn probability(&mut self, target: usize, class: usize) -> Result<String>;
}

/// The expressions of what is said of targets, in their order.
pub fn expressions(
    targets: &[TargetOf],
    asked: Asked,
    printer: &mut impl Printed,
) -> Result<Vec<Expression>> {
    let several = targets.len() > 1;
    let mut expressions = Vec::new();
    for (place, target) in targets.iter().enumerate() {
        let name = match several {
            true => format!("prediction({})", target.name),
            false => "prediction".to_owned(),
        };
        if target.kind.is_number() {
            let sql = printer.number(place)?;
            expressions.push(Expression { name, sql });
            continue;
        }
        let Some(classes) = target.kind.as_classes() else {
            return Err(Gap::Target {
                target: target.name.clone(),
                kind: target.kind.entry().one,
            }
            .into());
        };
        let sql = printer.class(place, classes)?;
        expressions.push(Expression { name, sql });
        if asked != Asked::Shares {
            continue;
        }
        for (class, label) in classes.labels().enumerate() {
            let name = match several {
                true => format!("p({}={label})", target.name),
                false => format!("p({label})"),
            };
            let sql = printer.probability(place, class)?;
            expressions.push(Expression { name, sql });
        }
    }
    Ok(expressions)
}

/// The tree of a model, if it is one that answers.
pub fn single<T: ModelTerms>(model: &TreeSet<T>) -> Result<&Member<T>> {
    match model.answering() {
        [member] => Ok(member),
        several => Err(Gap::Several {
            trees: several.len(),
        }
        .into()),
    }
}

/// A label as text.
pub fn literal(label: &str) -> Result<String> {
    text(label).ok_or_else(|| {
        Gap::Character {
            label: label.to_owned(),
        }
        .into()
    })
}
