//! Whether a tree fits the terms it speaks in: asked of trees from files, which may hold anything.

use super::{InputKind, Member, Terms};
use crate::contents::{Item, Reading, calendar};
use crate::tree::model::wrong_answers;
use crate::tree::propose::prototypes::MOST;
use crate::tree::{Split, Test};

impl Terms {
    /// What is wrong with a tree, if anything is.
    pub(super) fn fault(&self, member: &Member<Self>) -> Option<String> {
        if member.score.is_some_and(|score| !score.is_finite()) {
            return Some("a score that is no number".to_owned());
        }
        let nodes = member.tree.nodes();
        nodes.iter().enumerate().find_map(|(place, node)| {
            let split = node
                .split
                .as_ref()
                .and_then(|split| self.wrong_split(split));
            let fault = split.or_else(|| wrong_answers(&self.targets, &node.payload))?;
            Some(format!("node {place}: {fault}"))
        })
    }

    fn wrong_split(&self, split: &Split<Test>) -> Option<&'static str> {
        if split.children.len() != split.test.branches() {
            return Some("as many branches as its test has not");
        }
        // Tree::new has seen to there being as many shares as branches.
        let total: f64 = split.shares.iter().sum();
        if !split.shares.iter().all(|share| weighs(*share)) || (total - 1.0).abs() > 1e-6 {
            return Some("shares of branches that do not add up to one");
        }
        match (
            &split.test,
            self.input(split.test.column()).map(|input| &input.kind),
        ) {
            (_, None) => Some("a test of a column that is not there"),
            (Test::Above { threshold, .. }, Some(InputKind::Number | InputKind::Moment)) => {
                (!threshold.is_finite()).then_some("a threshold that is no number")
            }
            (Test::Among { values, .. }, Some(InputKind::Labels(labels))) => {
                let ascending = values.windows(2).all(|pair| pair[0] < pair[1]);
                let known = values
                    .last()
                    .is_none_or(|last| (*last as usize) < labels.len());
                (!ascending || !known).then_some("a test of labels that are not there")
            }
            (Test::Around { cells, .. }, Some(InputKind::Number | InputKind::Moment)) => {
                let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
                let rising = cells.bounds.windows(2).all(|pair| pair[0] < pair[1]);
                let count = cells.prototypes.len();
                let fits = cells.branches.len() == cells.bounds.len() + 1
                    && cells
                        .branches
                        .iter()
                        .all(|branch| (*branch as usize) < count);
                let fits = fits && rising && finite(&cells.prototypes) && finite(&cells.bounds);
                (!fits || count > MOST).then_some("prototypes without cells of their own")
            }
            (Test::Nearest { nearest, .. }, Some(kind)) => {
                let known = match kind {
                    InputKind::Labels(labels) => labels.len(),
                    InputKind::Kin(pool) => pool.values.len(),
                    InputKind::Number | InputKind::Moment => 0,
                };
                let count = nearest.prototypes.len();
                let there = nearest
                    .prototypes
                    .iter()
                    .all(|place| (*place as usize) < known);
                let reach = &nearest.reach;
                let reaches = reach.iter().all(|reach| reach.is_finite() && *reach > 0.0)
                    && (reach.is_empty() || reach.len() == count);
                let measures = match kind {
                    InputKind::Kin(pool) => pool.more.len(),
                    _ => 0,
                };
                let there = there && nearest.measure as usize <= measures;
                (!there || !reaches || count > MOST).then_some("prototypes that are not there")
            }
            (Test::Has { items, .. }, Some(InputKind::Kin(pool))) => {
                let ascending = items.windows(2).all(|pair| pair[0] < pair[1]);
                let there = |item: &u32| (*item as usize) < pool.items.len();
                if items.is_empty() || !ascending || !items.iter().all(there) {
                    return Some("a test of items that are not there");
                }
                let mut kinds = pool.named(items).map(Item::kind);
                let first = kinds.next();
                let several = kinds.any(|kind| Some(kind) != first);
                several.then_some("a test of items of several kinds")
            }
            (Test::Has { items, .. }, Some(InputKind::Moment)) => {
                let ascending = items.windows(2).all(|pair| pair[0] < pair[1]);
                let mut kinds = calendar::named(items).map(Item::kind);
                let first = kinds.next();
                let alike = kinds.all(|kind| Some(kind) == first);
                let there = calendar::named(items).count() == items.len();
                let fits = ascending && alike && there && !items.is_empty();
                (!fits).then_some("a test of items that are not there")
            }
            (Test::Size { .. }, Some(InputKind::Kin(pool))) => {
                let sized = Reading::new(pool.measure.of()).is_some();
                (!sized).then_some("a size of what has none")
            }
            _ => Some("a test that does not fit its column"),
        }
    }
}

fn weighs(weight: f64) -> bool {
    weight.is_finite() && weight >= 0.0
}
