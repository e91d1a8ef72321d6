//! What tests say of the scores of a comparison.
//!
//! On one data set two learners are told apart by the corrected resampled t-test, for folds share
//! training rows. Over data sets it is ranks that are compared, on the data sets where no learner
//! failed.

use std::cmp::Ordering;

use kinwood_evaluation::measures::NUMBERS;
use kinwood_evaluation::significance::{
    BayesianSignedRank, DataSetScores, Friedman, McNemar, Nemenyi, Outcomes, RankComparison,
    SAMPLES, Verdicts as By, WinTieLoss, all_pairs, bayesian_signed_rank, corrected_t_test,
    friedman, mcnemar, nemenyi, win_tie_loss,
};
use kinwood_values::notice::counted;
use serde_json::{Value, json};

use super::figures::{figure, mark};
use super::scores::Scores;
use kinwood_pages::critical_difference::Ranked;
use kinwood_pages::sheet::{BEST, BETTER, Entry, Line, Mark, Sheet, WORSE};
use kinwood_workbench::error::Result;

/// What tests say.
pub(super) struct Verdicts {
    /// Of each data set of the scores, how each learner compares with the first, where that was
    /// tested.
    against_first: Vec<Vec<Option<Ordering>>>,
    /// Of each data set, each learner and the first on the same rows.
    by_rows: Vec<Vec<Option<McNemar>>>,
    counts: Option<WinTieLoss>,
    over_data: Option<OverData>,
}

/// What ranks over data sets say.
struct OverData {
    /// The data sets, by their places.
    data: Vec<usize>,
    /// The learners, by their places: the tests number these.
    learners: Vec<usize>,
    friedman: Friedman,
    nemenyi: Nemenyi,
    pairs: Vec<RankComparison>,
    bayesian: Vec<BayesianSignedRank>,
}

impl Verdicts {
    pub fn of(scores: &Scores<'_>) -> Result<Self> {
        let reading = scores.outcome.reading();
        let learners = scores.outcome.learners().len();
        let mut against_first = Vec::new();
        let mut by_rows = Vec::new();
        for &data in &scores.data {
            let better = |learner: usize| -> Result<Option<Ordering>> {
                match scores.pairs(data, [learner, 0]) {
                    Some((own, first, ratio)) if own.len() > 1 && learner > 0 => {
                        let test = corrected_t_test(&own, &first, ratio, 1.0 - reading.level)?;
                        let tells = test.p <= reading.level && test.mean_difference != 0.0;
                        Ok(Some(
                            match scores.measure.better(test.mean_difference, 0.0) {
                                _ if !tells => Ordering::Equal,
                                true => Ordering::Greater,
                                false => Ordering::Less,
                            },
                        ))
                    }
                    _ => Ok(None),
                }
            };
            against_first.push((0..learners).map(better).collect::<Result<_>>()?);
            let rows = |learner| rows_test(scores, data, learner);
            by_rows.push((0..learners).map(rows).collect::<Result<_>>()?);
        }
        Ok(Self {
            against_first,
            by_rows,
            counts: counts(scores)?,
            over_data: over_data(scores)?,
        })
    }

    /// How a learner differs from the first on a data set of the scores.
    pub fn mark(&self, place: usize, learner: usize) -> Mark {
        mark(self.against_first[place][learner].unwrap_or(Ordering::Equal))
    }

    /// What marks are.
    pub fn said(&self, scores: &Scores<'_>) -> String {
        let outcome = scores.outcome;
        let level = outcome.reading().level;
        let mut said = format!("{BEST} no other is better");
        if outcome.learners().len() > 1 {
            let first = &outcome.learners()[0].name;
            said += &format!(
                "; {BETTER} better, {WORSE} worse than {first} by the corrected resampled t-test, p <= {level}"
            );
        }
        said
    }

    /// The lines below the scores: their mean where that means something, ranks, wins against the
    /// first.
    pub fn summary_lines(&self, scores: &Scores<'_>) -> Vec<Line> {
        let learners = scores.outcome.learners().len();
        let mut lines = Vec::new();
        let line = |heading: &str, entries: Vec<Entry>| Line {
            heading: heading.to_owned(),
            entries,
            summary: true,
        };
        if let Some(over) = &self.over_data {
            let of = match over.data.len() == scores.data.len() {
                true => String::new(),
                false => format!(" of {}", counted(over.data.len(), "data set")),
            };
            // Errors of different targets have different units: their mean says nothing.
            if *scores.kind != NUMBERS {
                let mean = |learner: usize| {
                    let means = over.data.iter().map(|&data| scores.mean(data, learner));
                    match means.sum::<Option<f64>>() {
                        Some(sum) => Entry::new(figure(sum / over.data.len() as f64)),
                        None => Entry::new("-"),
                    }
                };
                let heading = format!("mean{of}");
                lines.push(line(&heading, (0..learners).map(mean).collect()));
            }
            let rank = |learner: usize| {
                let place = over.learners.iter().position(|&other| other == learner);
                Entry::new(place.map_or("-".to_owned(), |place| {
                    format!("{:.2}", over.friedman.mean_ranks[place])
                }))
            };
            let heading = format!("mean rank{of}");
            lines.push(line(&heading, (0..learners).map(rank).collect()));
        }
        if learners > 1 {
            let wins = |learner: usize| {
                let count = |wanted| {
                    let own = self.against_first.iter().map(|line| line[learner]);
                    own.filter(|found| *found == Some(wanted)).count()
                };
                let [better, same, worse] =
                    [Ordering::Greater, Ordering::Equal, Ordering::Less].map(count);
                Entry::new(match (learner, better + same + worse) {
                    (0, _) => String::new(),
                    (_, 0) => "-".to_owned(),
                    _ => format!("{better}/{same}/{worse}"),
                })
            };
            let heading = format!(
                "better/same/worse than {}",
                scores.outcome.learners()[0].name
            );
            lines.push(line(&heading, (0..learners).map(wins).collect()));
        }
        lines
    }

    /// The tables of tests.
    pub fn sheets(&self, scores: &Scores<'_>) -> Vec<Sheet> {
        let mut sheets = Vec::new();
        sheets.extend(
            self.counts
                .as_ref()
                .map(|counts| counts_sheet(scores, counts)),
        );
        sheets.extend(self.over_data.as_ref().map(|over| over.sheet(scores)));
        let any = self.by_rows.iter().flatten().any(Option::is_some);
        sheets.extend(any.then(|| self.rows_sheet(scores)));
        sheets
    }

    /// The mean ranks, for a diagram.
    pub fn ranked(&self, scores: &Scores<'_>) -> Option<Ranked> {
        let over = self.over_data.as_ref()?;
        let names = over.learners.iter();
        let names = names.map(|&learner| scores.outcome.learners()[learner].name.clone());
        Some(Ranked {
            learners: names
                .zip(over.friedman.mean_ranks.iter().copied())
                .collect(),
            critical_difference: over.nemenyi.critical_difference,
            level: over.nemenyi.level,
            data_sets: over.data.len(),
        })
    }

    /// For programs.
    pub fn to_json(&self, scores: &Scores<'_>) -> Value {
        let contenders = scores.contenders();
        let name = |place: usize| scores.outcome.learners()[contenders[place]].name.clone();
        let over = self.over_data.as_ref().map(|over| {
            let pairs = over.pairs.iter().zip(&over.bayesian).map(|(pair, bayesian)| {
                json!({
                    "learners": [name(pair.first), name(pair.second)],
                    "nemenyi_p": over.nemenyi.p[pair.first][pair.second],
                    "holm_p": pair.adjusted,
                    "bayesian": scores.sides(bayesian),
                })
            });
            json!({
                "data": over.data.iter().map(|&data| scores.outcome.data()[data].name.clone()).collect::<Vec<_>>(),
                "friedman": over.friedman,
                "critical_difference": over.nemenyi.critical_difference,
                "level": over.nemenyi.level,
                "pairs": pairs.collect::<Vec<_>>(),
            })
        });
        json!({
            "measure": scores.measure.key(),
            "learners": (0..contenders.len()).map(&name).collect::<Vec<_>>(),
            "win_tie_loss": self.counts.as_ref().map(|counts| &counts.against),
            "over_data": over,
        })
    }

    /// Each learner and the first on the same rows.
    fn rows_sheet(&self, scores: &Scores<'_>) -> Sheet {
        let outcome = scores.outcome;
        let others = 1..outcome.learners().len();
        let mut headings = vec!["data".to_owned()];
        headings.extend(others.clone().map(|l| outcome.learners()[l].name.clone()));
        let line = |(place, &data): (usize, &usize)| {
            let entries = others
                .clone()
                .map(|learner| match &self.by_rows[place][learner] {
                    Some(test) => Entry {
                        text: format!(
                            "{}:{} p={}",
                            test.only_first,
                            test.only_second,
                            probability(test.p)
                        ),
                        mark: mark(match test.p <= outcome.reading().level {
                            true => test.only_first.cmp(&test.only_second),
                            false => Ordering::Equal,
                        }),
                        ..Entry::default()
                    },
                    None => Entry::new("-"),
                });
            Line {
                heading: outcome.data()[data].name.clone(),
                entries: entries.collect(),
                summary: false,
            }
        };
        Sheet {
            name: "mcnemar".to_owned(),
            title: format!(
                "Rows that the learner alone has right : rows that {} alone has right, first repeat (McNemar)",
                outcome.learners()[0].name
            ),
            headings,
            lines: scores.data.iter().enumerate().map(line).collect(),
            notes: Vec::new(),
        }
    }
}

impl Scores<'_> {
    /// How likely the first is better, both are as good as equal, and the second is better.
    fn sides(&self, test: &BayesianSignedRank) -> [f64; 3] {
        // The test speaks of higher and lower.
        match self.measure.better(1.0, 0.0) {
            true => [test.right, test.rope, test.left],
            false => [test.left, test.rope, test.right],
        }
    }
}

/// Wins of all against all by corrected t-tests, on the data sets where all have scores on two
/// folds at least.
fn counts(scores: &Scores<'_>) -> Result<Option<WinTieLoss>> {
    let contenders = scores.contenders();
    let learners = contenders.len();
    if learners < 2 {
        return Ok(None);
    }
    let mut all: Vec<(Vec<Vec<f64>>, f64)> = Vec::new();
    for &data in &scores.data {
        let evaluations = contenders.iter();
        let evaluations = evaluations.map(|&l| scores.outcome.cell(data, l).evaluation());
        let Some(evaluations) = evaluations.collect::<Option<Vec<_>>>() else {
            continue;
        };
        let positions = evaluations.iter().map(|e| scores.position(e));
        let Some(positions) = positions.collect::<Option<Vec<_>>>() else {
            continue;
        };
        let folds = evaluations[0].folds.len();
        let mut own = vec![Vec::new(); learners];
        for fold in 0..folds {
            let here = evaluations.iter().zip(&positions);
            let here = here.map(|(evaluation, &at)| evaluation.folds[fold].scores[at]);
            if let Some(here) = here.collect::<Option<Vec<f64>>>() {
                own.iter_mut()
                    .zip(here)
                    .for_each(|(own, score)| own.push(score));
            }
        }
        if let (true, Some((.., ratio))) = (
            own[0].len() > 1,
            scores.pairs(data, [contenders[0], contenders[1]]),
        ) {
            all.push((own, ratio));
        }
    }
    if all.is_empty() {
        return Ok(None);
    }
    let sets: Vec<DataSetScores<'_>> = all
        .iter()
        .map(|(scores, test_to_train)| DataSetScores {
            scores,
            test_to_train: *test_to_train,
        })
        .collect();
    let direction = scores.measure.description().direction;
    let level = scores.outcome.reading().level;
    Ok(Some(win_tie_loss(
        &sets,
        direction,
        By::CorrectedT { level },
    )?))
}

fn counts_sheet(scores: &Scores<'_>, counts: &WinTieLoss) -> Sheet {
    let contenders = scores.contenders().into_iter();
    let names: Vec<String> = contenders
        .map(|learner| scores.outcome.learners()[learner].name.clone())
        .collect();
    let mut headings = vec!["learner".to_owned()];
    headings.extend(names.iter().cloned());
    headings.push("all".to_owned());
    let written = |found: &Outcomes| format!("{}/{}/{}", found.wins, found.ties, found.losses);
    let line = |(place, name): (usize, &String)| {
        let against = counts.against[place].iter().enumerate();
        let mut entries: Vec<Entry> = against
            .map(|(other, found)| match other == place {
                true => Entry::default(),
                false => Entry::new(written(found)),
            })
            .collect();
        entries.push(Entry::new(written(&counts.total[place])));
        Line {
            heading: name.clone(),
            entries,
            summary: false,
        }
    };
    Sheet {
        name: format!("{}-wins", scores.measure.key()),
        title: format!(
            "Wins/ties/losses of the line's learner against the column's by {}, corrected resampled t-tests",
            scores.measure.description().title
        ),
        headings,
        lines: names.iter().enumerate().map(line).collect(),
        notes: vec![format!(
            "over {}, p <= {}",
            counted(counts.data_sets, "data set"),
            scores.outcome.reading().level
        )],
    }
}

/// What ranks say over the data sets where every learner has a score; none for fewer than two of
/// either.
fn over_data(scores: &Scores<'_>) -> Result<Option<OverData>> {
    let learners = scores.contenders();
    let (data, means) = scores.complete(&learners);
    let reading = scores.outcome.reading();
    if data.len() < 2 || learners.len() < 2 {
        return Ok(None);
    }
    let friedman = friedman(&means, scores.measure.description().direction)?;
    let nemenyi = nemenyi(&friedman.mean_ranks, data.len(), reading.level)?;
    let pairs = all_pairs(&friedman.mean_ranks, data.len())?;
    let column = |learner: usize| -> Vec<f64> { means.iter().map(|line| line[learner]).collect() };
    let mut bayesian = Vec::with_capacity(pairs.len());
    for pair in &pairs {
        let (a, b) = (column(pair.first), column(pair.second));
        let seed = scores.outcome.seed();
        bayesian.push(bayesian_signed_rank(&a, &b, reading.rope, SAMPLES, seed)?);
    }
    Ok(Some(OverData {
        data,
        learners,
        friedman,
        nemenyi,
        pairs,
        bayesian,
    }))
}

impl OverData {
    fn sheet(&self, scores: &Scores<'_>) -> Sheet {
        let names = |place: usize| {
            scores.outcome.learners()[self.learners[place]]
                .name
                .as_str()
        };
        let lines = self
            .pairs
            .iter()
            .zip(&self.bayesian)
            .map(|(pair, bayesian)| {
                let [first, equal, second] = scores.sides(bayesian);
                let ranks = &self.friedman.mean_ranks;
                let texts = [
                    format!("{:+.2}", ranks[pair.first] - ranks[pair.second]),
                    probability(self.nemenyi.p[pair.first][pair.second]),
                    probability(pair.adjusted),
                    format!("{first:.3}"),
                    format!("{equal:.3}"),
                    format!("{second:.3}"),
                ];
                Line {
                    heading: format!("{} and {}", names(pair.first), names(pair.second)),
                    entries: texts.map(Entry::new).into(),
                    summary: false,
                }
            });
        let headings = [
            "learners",
            "ranks apart",
            "Nemenyi p",
            "Holm p",
            "first better",
            "equal",
            "second better",
        ];
        let reading = scores.outcome.reading();
        let Friedman {
            chi_square,
            degrees_of_freedom,
            p,
            f,
            f_p,
            ..
        } = &self.friedman;
        Sheet {
            name: format!("{}-tests", scores.measure.key()),
            title: format!(
                "Pairs of learners over {} data sets by {}",
                self.data.len(),
                scores.measure.description().title
            ),
            headings: headings.map(str::to_owned).into(),
            lines: lines.collect(),
            notes: vec![
                format!(
                    "Friedman: chi-square {chi_square:.3} with {degrees_of_freedom} degrees of freedom, p={}; Iman and Davenport: F {}, p={}",
                    probability(*p),
                    match f.is_finite() {
                        true => format!("{f:.3}"),
                        false => "beyond every number".to_owned(),
                    },
                    probability(*f_p)
                ),
                format!(
                    "Nemenyi: mean ranks differ from {:.3} on (p <= {}); better, equal and second better are probabilities of the Bayesian signed rank test, equal within {}",
                    self.nemenyi.critical_difference, reading.level, reading.rope
                ),
            ],
        }
    }
}

/// A probability as tables have it.
fn probability(p: f64) -> String {
    match p {
        0.0 => "0".to_owned(),
        p if p < 0.0005 => format!("{p:.1e}"),
        p => format!("{p:.3}"),
    }
}

/// A learner and the first on the rows of the first repeat whose class is known.
fn rows_test(scores: &Scores<'_>, data: usize, learner: usize) -> Result<Option<McNemar>> {
    if learner == 0 {
        return Ok(None);
    }
    let correct = |learner: usize| -> Option<Vec<bool>> {
        let evaluation = scores.outcome.cell(data, learner).evaluation()?;
        let [truth] = evaluation.truths.as_slice() else {
            return None;
        };
        let codes = truth.values.classes()?;
        let mut correct = Vec::new();
        let folds = evaluation.splits.iter().zip(&evaluation.predictions);
        for (split, predicted) in folds.filter(|(split, _)| split.repeat == 1) {
            let output = &predicted.targets[0].output;
            for (position, &row) in split.test.iter().enumerate() {
                if let Some(code) = codes[row as usize] {
                    correct.push(output.class(position) == Some(code));
                }
            }
        }
        Some(correct)
    };
    Ok(match (correct(learner), correct(0)) {
        (Some(own), Some(first)) if !own.is_empty() => Some(mcnemar(&own, &first)?),
        _ => None,
    })
}
