//! Why trees say what they say: the tests on the way to the leaves, and what these answer by.

use kinwood_values::View;

use super::{ModelTerms, Trace, TreeSet, Why};
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{Explanation, Others, Reasons, TargetExplanation};

/// The tests that a row of a view passes, and what they lead to.
pub(super) fn explain<T: ModelTerms>(
    model: &TreeSet<T>,
    data: &View,
    position: usize,
) -> Result<Explanation> {
    let Trace {
        values,
        path,
        examples,
        numbers,
        why,
    } = T::trace(model, data, position)?;
    let mut rest = numbers.as_slice();
    let each = model.terms.targets().iter().zip(why);
    let targets = each.map(|(target, why)| {
        let (own, others) = rest.split_at(target.width());
        rest = others;
        let names = target.kind.parts();
        let path = path.clone();
        TargetExplanation {
            name: target.name.clone(),
            prediction: names.into_iter().zip(own.iter().copied()).collect(),
            reasons: match why {
                Why::Leaves => Reasons::Path(path),
                Why::Formula(terms) => Reasons::Formula { path, terms },
                Why::Nodes(nodes, terms) => Reasons::Nodes { path, nodes, terms },
            },
            // All training examples of the leaves together make the answer.
            others: Others {
                rows: examples.round() as usize,
                share: 1.0,
                parts: own.to_vec(),
            },
        }
    });
    let targets = targets.collect();
    let (attributes, values) = values.into_iter().unzip();
    Ok(Explanation {
        attributes,
        values,
        targets,
    })
}
