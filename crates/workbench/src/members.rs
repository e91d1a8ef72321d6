//! The models of a set beside each other, so that one can be chosen: their shape, what they look
//! at, how good they are, and how like the first they predict.
//!
//! Without rows there is what the models know of themselves. Rows show how good each model is on
//! them. Cross-validation fits the learner anew on each fold, whose models are others: it tells how
//! good the model of each rank is, never a certain one.

mod show;

use kinwood_evaluation::division::Division;
use kinwood_evaluation::measures::Measure;
use kinwood_evaluation::members::{
    MemberOnRows, MembersByRank, MembersOnRows, RankScores, members_by_rank, members_on_rows,
};
use kinwood_learners::{Context, Model, Registry, TreeFacts};
use kinwood_values::{Notice, View};

use crate::data::Problem;
use crate::error::Result;
use crate::evaluate::{plan, whole};
use crate::trained::Trained;

/// The models of a set beside each other.
#[derive(Clone, Debug)]
pub struct MembersReport {
    /// The learner.
    pub learner: String,
    /// The targets.
    pub targets: Vec<String>,
    /// The models, in the set's order; of a model that is no set the only one.
    pub members: Vec<MemberReport>,
    /// The rows that they were compared on.
    pub rows: Option<RowsReport>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

/// The rows that the models of a set were compared on.
#[derive(Clone, Debug)]
pub struct RowsReport {
    /// What the data was read from.
    pub data: String,
    /// How many there are.
    pub rows: usize,
    /// The measure of each target.
    pub measures: Vec<Measure>,
    /// Into how many folds they were divided, and the seed of that.
    pub folds: Option<(usize, u64)>,
}

/// A model of a set.
#[derive(Clone, Debug)]
pub struct MemberReport {
    /// Its number in the set, from 1.
    pub number: usize,
    /// What it is known to be without rows, of a tree.
    pub tree: Option<TreeFacts>,
    /// How good it is on the rows, and how like the first model.
    pub on_rows: Option<MemberOnRows>,
    /// How good models of its rank are on test rows of folds.
    pub by_rank: Option<RankScores>,
}

/// Rows that the models of a set are compared on.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The rows in the model's terms.
    pub conformed: &'a View,
    /// What they were read from.
    pub data: &'a str,
    /// What is measured: of each target the first that is for its kind, else the usual measure.
    pub measures: &'a [Measure],
    /// Into how many folds they are divided to estimate how good each rank is.
    pub folds: Option<usize>,
}

/// The models of a set beside each other, on rows where there are any.
pub fn members(
    trained: &Trained,
    registry: &Registry,
    compared: Option<&Compared<'_>>,
    context: &Context,
) -> Result<MembersReport> {
    trained.members()?;
    let model = trained.model();
    let on_rows = match compared {
        Some(compared) => Some(on_rows(trained, compared, context)?),
        None => None,
    };
    let (by_rank, notices) = match compared.and_then(|compared| Some((compared, compared.folds?))) {
        Some((compared, folds)) => {
            let (found, notices) = by_rank(trained, registry, compared, folds, context)?;
            (Some(found), notices)
        }
        None => (None, Vec::new()),
    };
    let alone: Vec<&dyn Model> = match model.members() {
        Some(members) => members.iter().map(|member| &**member).collect(),
        None => vec![model],
    };
    // A model that was picked keeps the rank that it had in its set.
    let first = trained.picked().map_or(1, |picked| picked.member);
    let member = |(place, member): (usize, &&dyn Model)| {
        let rank = first - 1 + place;
        let found = on_rows.as_ref().map(|found| found.members[place].clone());
        MemberReport {
            number: rank + 1,
            tree: member.facts().tree,
            on_rows: found,
            by_rank: by_rank
                .as_ref()
                .and_then(|found| found.ranks.get(rank).cloned()),
        }
    };
    Ok(MembersReport {
        learner: trained.learner().to_owned(),
        targets: trained
            .target_names()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        members: alone.iter().enumerate().map(member).collect(),
        rows: compared.zip(on_rows).map(|(compared, found)| RowsReport {
            data: compared.data.to_owned(),
            rows: compared.conformed.len(),
            measures: found.measures,
            folds: compared.folds.map(|folds| (folds, context.seed())),
        }),
        notices,
    })
}

fn on_rows(trained: &Trained, compared: &Compared<'_>, context: &Context) -> Result<MembersOnRows> {
    Ok(members_on_rows(
        trained.model(),
        compared.conformed,
        trained.targets(),
        compared.measures,
        context,
    )?)
}

fn by_rank(
    trained: &Trained,
    registry: &Registry,
    compared: &Compared<'_>,
    folds: usize,
    context: &Context,
) -> Result<(MembersByRank, Vec<Notice>)> {
    let entry = registry.find(trained.learner())?;
    let settings = entry.settings(trained.settings())?;
    let problem = Problem {
        view: compared.conformed.clone(),
        targets: trained.targets().to_vec(),
        rows: None,
        timing: trained.timing().cloned(),
    };
    let (plan, mut notices) = plan(&problem, Some(&Division::Folds { folds, repeats: 1 }))?;
    let found = members_by_rank(
        &*entry.learner(&settings)?,
        &problem.view,
        &problem.targets,
        compared.measures,
        &plan,
        context,
    )
    .map_err(whole)?;
    let of_splits = found.notices.iter();
    notices.extend(of_splits.map(|notice| Notice::new(notice.to_string())));
    Ok((found, notices))
}
