//! Gathering the report of a model: what it says of data that is given, and which of its
//! predictions are worth explaining.

use std::collections::{BTreeMap, BTreeSet};

use kinwood_evaluation::run::Evaluation;
use kinwood_evaluation::truth::Truth;
use kinwood_learners::{Context, Error as LearnerError, Explanation, Predictions};
use kinwood_values::suggest::nearest;
use kinwood_values::{Value, View};

use super::data::DataSection;
use super::map::{Colours, MapSection, Place, placed};
use super::model::ModelSection;
use super::overview::{Overview, without_folders};
use super::performance::PerformanceSection;
use super::predictions::{Answer, PredictionsSection, RowExplained, values};
use super::{Report, stored};
use crate::describe::About;
use crate::picture::{self, RowDrawn};
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::evaluate::Baseline;
use kinwood_workbench::fingerprint::fingerprint;
use kinwood_workbench::trained::Trained;

/// How many rows the map has.
const PLACES: usize = 500;
/// How many rows are predicted to find those worth explaining.
const PREDICTED: usize = 20_000;
/// How many rows are explained to find what a model without trees goes by.
const ASKED: usize = 60;
/// How many nodes the ways of all rows may pass.
const PASSED: usize = 60_000;
/// How many mistakes and how many typical rows are explained, when nobody says which.
const MISTAKES: usize = 3;
const TYPICAL: usize = 3;
/// How many stored rows an explanation names.
const INFLUENCES: usize = 5;
/// How many are looked at to find those that count most.
const CONSIDERED: usize = 12;
/// Where the rows of a report are drawn from.
const SAMPLE: u64 = 0x7265_706f;

/// What is asked of a report.
#[derive(Clone, Debug, Default)]
pub struct Asked<'a> {
    /// Rows to explain, by their name or number; typical ones and the worst mistakes if none.
    pub rows: &'a [String],
    /// The command that makes the report.
    pub command: &'a str,
    /// An evaluation of the model's learner on the same rows.
    pub evaluation: Option<&'a Evaluation>,
    /// What a learner that looks at no input achieves on the same folds.
    pub baseline: Option<&'a Baseline>,
}

/// Rows of data in a model's terms.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The rows.
    pub conformed: &'a View,
    /// What they were read from.
    pub source: &'a str,
}

/// How good the learner is, beside a baseline on the same folds: what a reader wants to know first.
fn answer(trained: &Trained, asked: &Asked<'_>) -> Vec<String> {
    let Some(evaluation) = asked.evaluation else {
        return Vec::new();
    };
    let shown = |evaluation: &Evaluation, name: &str| {
        let mean = evaluation.mean(name);
        mean.map_or("undefined".to_owned(), |mean| format!("{mean:.3}"))
    };
    let Some(measure) = evaluation.measures.first() else {
        return Vec::new();
    };
    let spread = evaluation.summaries[0].sd;
    let spread = spread.map_or(String::new(), |sd| format!(" (sd {sd:.3} over folds)"));
    let mut told = vec![format!(
        "On rows it has not seen, {} predicts {} with {measure} {}{spread}.",
        trained.learner(),
        trained.target_names().join(", "),
        shown(evaluation, measure)
    )];
    if let Some(baseline) = asked.baseline {
        told.push(format!(
            "A baseline that {} achieves {}.",
            baseline.does,
            shown(&baseline.evaluation, measure)
        ));
    }
    told
}

/// The report of a model, and of what it says of rows where some are given.
pub fn of_model<'a>(
    trained: &Trained,
    rows: Option<Rows<'_>>,
    asked: &Asked<'a>,
    context: &Context,
) -> Result<Report<'a>> {
    let mut report = Report {
        title: format!(
            "{}: {}",
            trained.learner(),
            trained.target_names().join(", ")
        ),
        overview: Some(Overview::of(trained, asked.command)),
        ..Report::default()
    };
    let targets = trained
        .targets()
        .iter()
        .map(|&column| (trained.table(), column))
        .collect();
    let Some(rows) = rows else {
        let about = About {
            source: without_folders(&trained.provenance().data),
            targets,
            ..About::default()
        };
        let note = "What the model knows of its data: tables, columns and keys. With data, values, performance and predictions are shown too.";
        report.data = vec![DataSection::of(
            trained.schema(),
            &about,
            vec![note.to_owned()],
        )];
        report.model = Some(ModelSection::of(trained, Vec::new())?);
        return Ok(report);
    };
    let about = About {
        source: without_folders(rows.source),
        targets,
        ..About::default()
    };
    report.data = vec![DataSection::of(
        rows.conformed.database(),
        &about,
        told_of_data(trained, rows),
    )];
    report.answer = answer(trained, asked);
    let said = Said::of(trained, rows.conformed, asked.rows, context)?;
    report.model = Some(said.model(context)?);
    report.map = said.map(context)?;
    report.predictions = Some(said.explained(context)?);
    report.performance = asked
        .evaluation
        .map(|evaluation| PerformanceSection {
            title: format!("{} by cross-validation", trained.learner()),
            notes: notes_of_evaluation(trained),
            data: without_folders(rows.source),
            learner: trained.learner().to_owned(),
            settings: trained.settings().to_vec(),
            evaluation,
        })
        .into_iter()
        .collect();
    Ok(report)
}

/// What an evaluation by folds is of.
fn notes_of_evaluation(trained: &Trained) -> Vec<String> {
    let mut notes = vec!["These are other models than the one shown: the same learner with the same settings, fitted anew for each fold to the other rows, so that no row is predicted by a model that has seen it.".to_owned()];
    if let Some(picked) = trained.picked() {
        notes.push(format!(
            "The model shown was picked, as number {} of {}; what is evaluated answers as the whole set does.",
            picked.member, picked.members
        ));
    }
    notes
}

/// Which rows of which data these are.
fn told_of_data(trained: &Trained, rows: Rows<'_>) -> Vec<String> {
    let view = rows.conformed;
    let mut notes = vec![
        match fingerprint(view.database()) == trained.provenance().fingerprint {
            true => format!("{}, the data that the model was fitted on.", rows.source),
            false => format!(
                "{}, in the model's terms: its columns, its labels.",
                rows.source
            ),
        },
    ];
    if view.len() < view.table().rows() {
        notes.push(format!(
            "Tables are described as a whole; all that follows is about {} of the {} rows of {}.",
            view.len(),
            view.table().rows(),
            view.table().name()
        ));
    }
    notes
}

/// What a model says of rows.
struct Said<'a> {
    trained: &'a Trained,
    view: &'a View,
    names: Vec<String>,
    truths: Vec<Truth>,
    /// The positions that were predicted, ascending.
    asked: Vec<u32>,
    predictions: Predictions,
    /// The positions of the map, ascending.
    sampled: Vec<u32>,
    /// The positions that are explained, each with why it was chosen.
    chosen: Vec<(u32, String)>,
}

impl<'a> Said<'a> {
    fn of(
        trained: &'a Trained,
        view: &'a View,
        wanted: &[String],
        context: &Context,
    ) -> Result<Self> {
        let names = picture::names(view);
        let wanted: Vec<u32> = wanted
            .iter()
            .map(|name| find(view, &names, name))
            .collect::<Result<_>>()?;
        let sampled = sample(view.len(), PLACES, context);
        let more = sample(view.len(), PREDICTED, context);
        let asked: BTreeSet<u32> = wanted
            .iter()
            .chain(&sampled)
            .chain(&more)
            .copied()
            .collect();
        let asked: Vec<u32> = asked.into_iter().collect();
        let predictions = trained.predict(&view.select(&asked), context)?;
        context.check()?;
        let mut said = Self {
            trained,
            view,
            names,
            truths: Truth::of(view, trained.targets())?,
            asked,
            predictions,
            sampled,
            chosen: Vec::new(),
        };
        said.chosen = match wanted.is_empty() {
            true => said.worth_explaining(),
            false => {
                let mut known = BTreeSet::new();
                let first = wanted
                    .into_iter()
                    .filter(|position| known.insert(*position));
                first.map(|position| (position, String::new())).collect()
            }
        };
        Ok(said)
    }

    /// The place of a position among those that were predicted.
    fn place(&self, position: u32) -> Option<usize> {
        self.asked.binary_search(&position).ok()
    }

    /// How far off the prediction of the first target is, and what the row is an example of; `None`
    /// where nothing is known.
    fn badness(&self, place: usize) -> Option<(f64, bool, u32)> {
        let row = self.asked[place] as usize;
        let output = &self.predictions.targets.first()?.output;
        let values = &self.truths.first()?.values;
        let (truth, numbers) = (values.row(row)?, output.row(place));
        let distance = values.kind().distance(truth, numbers);
        Some(match values.class(row) {
            Some(class) => (distance, output.class(place) != Some(class), class),
            None => (distance, distance > 0.0 || values.kind().is_number(), 0),
        })
    }

    /// The worst mistakes, then of each of the most frequent classes the row in the middle, or rows
    /// in the middle of how far off they are.
    fn worth_explaining(&self) -> Vec<(u32, String)> {
        let known = (0..self.asked.len()).filter_map(|place| Some((place, self.badness(place)?)));
        let mut known: Vec<(usize, (f64, bool, u32))> = known.collect();
        if known.is_empty() {
            let first = self.asked.iter().take(MISTAKES + TYPICAL);
            return first.map(|&position| (position, String::new())).collect();
        }
        known.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.0.cmp(&b.0)));
        let wrong = known
            .iter()
            .filter(|(_, (.., wrong, _))| *wrong)
            .take(MISTAKES);
        let mut chosen: Vec<(u32, String)> = wrong
            .map(|(place, _)| (self.asked[*place], "furthest off".to_owned()))
            .collect();
        let mut kinds: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (place, (_, wrong, kind)) in known.iter().rev() {
            let numbers = !self.truths[0].target().probabilities;
            if numbers || !wrong {
                kinds.entry(*kind).or_default().push(self.asked[*place]);
            }
        }
        let mut kinds: Vec<Vec<u32>> = kinds.into_values().collect();
        kinds.sort_by_key(|rows| std::cmp::Reverse(rows.len()));
        let each = match kinds.len() {
            0 => 0,
            kinds => TYPICAL.div_ceil(kinds.min(TYPICAL)),
        };
        for rows in kinds.iter().take(TYPICAL) {
            for number in 1..=each {
                let typical = rows[(rows.len() - 1) * number / (each + 1)];
                if chosen.iter().all(|(known, _)| *known != typical) {
                    chosen.push((typical, "typical".to_owned()));
                }
            }
        }
        chosen
    }

    fn explain(&self, position: u32, most: usize) -> Result<Option<Explanation>> {
        match self.trained.explain(self.view, position as usize, most) {
            Ok(explanation) => Ok(Some(explanation)),
            Err(Error::Learners(LearnerError::CannotExplain { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn explained(&self, context: &Context) -> Result<PredictionsSection> {
        let running = context.progress("explaining", self.chosen.len() as u64);
        let mut rows = Vec::new();
        for (position, chosen) in &self.chosen {
            context.check()?;
            let place = self.place(*position).unwrap_or_default();
            rows.push(RowExplained {
                name: self.names[*position as usize].clone(),
                chosen: chosen.clone(),
                values: values(self.view, *position as usize, self.trained.targets()),
                answers: Answer::all(&self.predictions, place, &self.truths, *position as usize),
                explanation: self.explain(*position, INFLUENCES)?,
            });
            running.advance(1);
        }
        let mut notes = vec!["These are predictions of the model shown. It may have been fitted on these rows: how well it does on others, performance tells.".to_owned()];
        if self.asked.len() < self.view.len() {
            notes.push(format!(
                "Mistakes were looked for among {} of {} rows.",
                self.asked.len(),
                self.view.len()
            ));
        }
        Ok(PredictionsSection { notes, rows })
    }

    fn model(&self, context: &Context) -> Result<ModelSection> {
        let mut section = ModelSection::of(self.trained, self.ways()?)?;
        if section.drawing.is_some() {
            return Ok(section);
        }
        // Spread over all rows: data that is sorted by class has one class first.
        let step = self.sampled.len().div_ceil(ASKED).max(1);
        let asked = self.sampled.iter().step_by(step);
        let mut explanations = Vec::new();
        for &position in asked {
            context.check()?;
            match self.explain(position, CONSIDERED)? {
                Some(explanation) => explanations.push(explanation),
                None => return Ok(section),
            }
        }
        section.tables.extend(stored::most_used(&explanations));
        section.tables.extend(stored::support(&explanations));
        Ok(section)
    }

    /// The ways of the rows that are explained and of those on the map, as long as there is room.
    fn ways(&self) -> Result<Vec<RowDrawn>> {
        if self.trained.model().drawing().is_none() {
            return Ok(Vec::new());
        }
        let drawing = self.trained.drawing()?;
        let mut room = PASSED;
        let (mut ways, mut known) = (Vec::new(), BTreeSet::new());
        let explained = self.chosen.iter().map(|(position, _)| *position);
        for position in explained.chain(self.sampled.iter().copied()) {
            if !known.insert(position) {
                continue;
            }
            let drawn = picture::rows(self.trained, &drawing, &self.view.select(&[position]))?;
            for mut row in drawn {
                row.name.clone_from(&self.names[position as usize]);
                if ways.len() >= self.chosen.len() {
                    // Drawings of values are large; of the many rows on the map only what is small
                    // is kept.
                    row.values.retain(|(_, value)| small(value));
                }
                if row.passed.len() > room {
                    return Ok(ways);
                }
                room -= row.passed.len();
                ways.push(row);
            }
        }
        Ok(ways)
    }

    fn map(&self, context: &Context) -> Result<Option<MapSection>> {
        if self.sampled.len() < 3 {
            return Ok(None);
        }
        let table = self.trained.table();
        let hidden = self
            .trained
            .targets()
            .iter()
            .fold(self.view.select(&self.sampled), |view, &target| {
                view.hiding(table, target)
            });
        let Some((scaled, distance, own)) = placed(self.trained, &hidden, context)? else {
            return Ok(None);
        };
        let mut notes = vec![match own {
            true => format!(
                "It is the distance that {} compares rows by.",
                self.trained.learner()
            ),
            false => format!(
                "{} compares no rows: it is the default distance between rows.",
                self.trained.learner()
            ),
        }];
        if self.sampled.len() < self.view.len() {
            notes.push(format!(
                "{} of {} rows, drawn at random with seed {}.",
                self.sampled.len(),
                self.view.len(),
                context.seed()
            ));
        }
        let colours = self.colours();
        let places = self
            .sampled
            .iter()
            .zip(&scaled.points)
            .map(|(&position, &at)| {
                let place = self.place(position).unwrap_or_default();
                let answers =
                    Answer::all(&self.predictions, place, &self.truths, position as usize);
                let name = &self.names[position as usize];
                let mut said = vec![("Row".to_owned(), name.clone())];
                for answer in &answers {
                    said.push((
                        answer.target.clone(),
                        answer.truth.clone().unwrap_or_else(|| "unknown".to_owned()),
                    ));
                    said.push((
                        format!("{} predicted", answer.target),
                        answer.predicted.clone(),
                    ));
                }
                let explained = self
                    .chosen
                    .iter()
                    .position(|(chosen, _)| *chosen == position);
                Place {
                    name: name.clone(),
                    at,
                    colour: self.colour(&colours, position as usize),
                    said,
                    wrong: answers.iter().any(|answer| answer.wrong),
                    explained: explained.map(|number| number + 1),
                }
            });
        let places = places.collect();
        Ok(Some(MapSection {
            notes,
            distance,
            shown: scaled.shown,
            colours,
            places,
        }))
    }

    /// What the first target colours.
    fn colours(&self) -> Colours {
        let Some(truth) = self.truths.first() else {
            return Colours::None;
        };
        if truth.values.classes().is_some() {
            let classes = truth.values.kind().dictionary();
            let classes = classes.map(|classes| classes.labels().map(str::to_owned).collect());
            return Colours::Classes(truth.name.clone(), classes.unwrap_or_default());
        }
        let own = self
            .sampled
            .iter()
            .filter_map(|&position| truth.values.number(position as usize));
        let (least, greatest) = own.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        match least < greatest {
            true => Colours::Numbers(truth.name.clone(), least, greatest),
            false => Colours::None,
        }
    }

    fn colour(&self, colours: &Colours, position: usize) -> Option<f64> {
        let values = &self.truths.first()?.values;
        match colours {
            Colours::Classes(..) => values.class(position).map(f64::from),
            Colours::Numbers(_, least, greatest) => {
                Some((values.number(position)? - least) / (greatest - least))
            }
            _ => None,
        }
    }
}

/// Whether a value is told in a word.
fn small(value: &Value) -> bool {
    matches!(
        value,
        Value::Missing | Value::Symbol(_) | Value::Number(_) | Value::DateTime(_)
    )
}

/// The position of the row of that name, or of that number from 1.
fn find(view: &View, names: &[String], name: &str) -> Result<u32> {
    if let Some(position) = names.iter().position(|other| other == name) {
        return Ok(position as u32);
    }
    let by_row = name.parse::<u32>().ok().and_then(|row| {
        let wanted = row.checked_sub(1)?;
        view.rows().position(|row| row == wanted)
    });
    by_row
        .map(|position| position as u32)
        .ok_or_else(|| Error::UnknownObject {
            name: name.to_owned(),
            // One number is as near as another.
            nearest: nearest(name, names).filter(|_| name.parse::<f64>().is_err()),
        })
}

/// At most so many positions, drawn at random by the seed, ascending.
fn sample(count: usize, most: usize, context: &Context) -> Vec<u32> {
    let mut all: Vec<u32> = (0..count as u32).collect();
    if count > most {
        context.generator(&[SAMPLE, most as u64]).shuffle(&mut all);
        all.truncate(most);
        all.sort_unstable();
    }
    all
}
