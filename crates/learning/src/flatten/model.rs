//! The learner and the model around a learner and a model of one table.

use crate::facts::ModelFacts;
use std::collections::BTreeMap;
use std::ops::Range;

use kinwood_values::View;
use kinwood_values::container::{Sections, Stored};
use kinwood_values::notice::counted;
use serde_json::json;

use super::flat::Flat;
use super::join;
use super::plan::{Flattening, Kind, SECTION};
use super::settings::Flatten;
use crate::context::Context;
use crate::drawing::Drawing;
use crate::error::{Error, Result};
use crate::explanation::Explanation;
use crate::model::{Decisions, Learner, Model, Near};
use crate::predictions::{Output, Predictions, TargetPrediction};
use crate::sql::{Asked, Expression, Gap};
use crate::task::Task;

/// The scope of a model file that the inner model is in.
const INNER: &str = "flat";
/// The limit on rows, in a model file.
const LIMIT: &str = "flattening-rows";
/// As many joined rows as are predicted at a time, so that no more than these are held.
const AT_A_TIME: u64 = 1 << 18;

/// A learner of one table that is given a database.
pub struct FlatteningLearner<L> {
    flatten: Flatten,
    inner: L,
}

impl Flatten {
    /// A learner of one table, to be given databases.
    ///
    /// The models are those of the registry's entry with the same `flatten` settings, byte for
    /// byte. Learners that follow foreign keys themselves, as their entries say by not being flat,
    /// gain nothing from it.
    pub fn around<L: Learner>(self, learner: L) -> FlatteningLearner<L> {
        FlatteningLearner {
            flatten: self,
            inner: learner,
        }
    }
}

impl<L: Learner> Learner for FlatteningLearner<L> {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.flatten.check()?;
        let Flatten { kind, depth, rows } = self.flatten;
        let plan = Flattening::plan(task.view(), kind, depth)?;
        context.count(
            "linked columns have no average and are left out of the flat table",
            plan.left_out().len() as u64,
        );
        let flat_task = |task: &Task| {
            let flat = plan.flat(task.view(), 0..task.view().len(), rows)?;
            of_task(task, &flat)
        };
        let mut flat = flat_task(task)?;
        if let Some(validation) = task.validation() {
            flat = flat.with_validation(flat_task(validation)?);
        }
        let model = self.inner.fit(&flat, context)?;
        Ok(Box::new(Flattened {
            plan,
            limit: rows,
            model,
        }))
    }
}

/// The task on a flat table: the targets stand where they stood.
fn of_task(task: &Task, flat: &Flat) -> Result<Task> {
    let targets: Vec<usize> = task.targets().iter().map(|t| t.column()).collect();
    Task::new(&flat.view, &targets)
}

/// A model of one table that is asked about a database.
pub struct Flattened {
    plan: Flattening,
    limit: u64,
    model: Box<dyn Model>,
}

impl Flattened {
    /// Whether a model file holds a model of a flattened database.
    pub fn is_in(stored: &Stored) -> bool {
        stored.has(SECTION)
    }

    /// Reads the model; `load` reads the inner one.
    pub fn read(stored: &Stored, load: fn(&Stored) -> Result<Box<dyn Model>>) -> Result<Self> {
        Ok(Self {
            plan: stored.json(SECTION)?,
            limit: stored.u64s_len(LIMIT, 1)?[0],
            model: load(&stored.scope(INNER))?,
        })
    }

    /// The same model with another limit on how many joined rows are in memory at a time.
    pub fn with_limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// The flat rows of one object.
    fn flat_of(&self, data: &View, object: usize) -> Result<Flat> {
        self.plan.check(data)?;
        self.plan.flat(data, object..object + 1, self.limit)
    }

    /// Objects whose joined rows are predicted together.
    pub fn portions(&self, data: &View) -> Vec<Range<usize>> {
        let all = 0..data.len();
        if self.plan.kind() == Kind::Averaged || data.is_empty() {
            return vec![all];
        }
        let most = AT_A_TIME.min(self.limit);
        let mut portions = Vec::new();
        let (mut start, mut rows) = (0, 0u64);
        for (object, count) in join::counts(&self.plan, data, all).into_iter().enumerate() {
            if object > start && rows.saturating_add(count) > most {
                portions.push(start..object);
                (start, rows) = (object, 0);
            }
            rows = rows.saturating_add(count);
        }
        portions.push(start..data.len());
        portions
    }

    /// The flat table where an object is one row of it; `None` where it may be several.
    fn averaged(&self, data: &View) -> Result<Option<Flat>> {
        if self.plan.kind() == Kind::Joined {
            return Ok(None);
        }
        self.plan.check(data)?;
        self.plan.flat(data, 0..data.len(), self.limit).map(Some)
    }

    /// What the flat table is, in a sentence.
    fn summary(&self) -> String {
        let columns = counted(self.plan.columns().len(), "linked column");
        let paths = counted(self.plan.paths().len(), "path");
        match self.plan.kind() {
            Kind::Joined => format!(
                "flattened (p1): {columns} on {paths} joined, predictions averaged over the rows of an object"
            ),
            Kind::Averaged => format!(
                "flattened (p2): {columns} on {paths}, averages of numbers and most frequent labels"
            ),
        }
    }
}

impl Model for Flattened {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        self.plan.check(data)?;
        let mut targets: Vec<TargetPrediction> = Vec::new();
        for portion in self.portions(data) {
            context.check()?;
            let flat = self.plan.flat(data, portion, self.limit)?;
            let predicted = self.model.predict(&flat.view, context)?.targets;
            let averaged = predicted.into_iter().map(|target| TargetPrediction {
                output: averaged(&target.output, &flat.offsets),
                name: target.name,
            });
            match targets.is_empty() {
                true => targets = averaged.collect(),
                false => targets
                    .iter_mut()
                    .zip(averaged)
                    .for_each(|(all, more)| all.output.extend(more.output)),
            }
        }
        Ok(Predictions { targets })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        sections.put_json(SECTION, &self.plan)?;
        sections.put_u64(LIMIT, &[self.limit])?;
        self.model.write(&mut sections.scope(INNER))
    }

    fn show(&self) -> String {
        let mut text = self.summary() + "\n";
        for path in self.plan.paths() {
            text += &format!("  {path}\n");
        }
        if !self.plan.left_out().is_empty() {
            let left_out = self.plan.left_out().join(", ");
            text += &format!("without an average, left out: {left_out}\n");
        }
        text + "\n" + &self.model.show()
    }

    fn to_json(&self) -> serde_json::Value {
        json!({
            "flatten": self.plan.kind().name(),
            "paths": self.plan.paths().collect::<Vec<_>>(),
            "columns": self.plan.columns().collect::<Vec<_>>(),
            "left_out": self.plan.left_out(),
            "model": self.model.to_json(),
        })
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts {
            // Rows of the flat table are compared, not those of the database.
            compares: None,
            ..self.model.facts()
        }
    }

    fn append(&mut self, task: &Task) -> Option<Result<()>> {
        let view = task.view();
        let flat = self
            .plan
            .check(view)
            .and_then(|()| self.plan.flat(view, 0..view.len(), self.limit))
            .and_then(|flat| of_task(task, &flat));
        match flat {
            Ok(flat) => self.model.append(&flat),
            Err(error) => Some(Err(error)),
        }
    }

    fn neighbours(
        &self,
        data: &View,
        count: usize,
        context: &Context,
    ) -> Option<Result<Vec<Vec<Near>>>> {
        match self.averaged(data) {
            Ok(flat) => self.model.neighbours(&flat?.view, count, context),
            Err(error) => Some(Err(error)),
        }
    }

    fn decisions(&self, data: &View, context: &Context) -> Option<Result<Decisions>> {
        match self.averaged(data) {
            Ok(flat) => self.model.decisions(&flat?.view, context),
            Err(error) => Some(Err(error)),
        }
    }

    fn explain(&self, data: &View, row: usize, most: usize) -> Option<Result<Explanation>> {
        let flat = match self.flat_of(data, row) {
            Ok(flat) => flat,
            Err(error) => return Some(Err(error)),
        };
        match flat.view.len() {
            1 => self.model.explain(&flat.view, 0, most),
            rows => Some(Err(Error::FlattenedExplanation { rows })),
        }
    }

    fn sql(&self, _: Asked) -> Option<Result<Vec<Expression>>> {
        let flatten = self.plan.kind().name();
        Some(Err(Gap::Flattened { flatten }.into()))
    }

    fn drawing(&self) -> Option<Drawing> {
        let mut drawing = self.model.drawing()?;
        drawing.notes.push(self.summary());
        Some(drawing)
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        let flat = self.flat_of(data, position)?;
        let share = 1.0 / flat.view.len() as f64;
        // Nodes stand in preorder: in their order, parents come first.
        let mut shares: BTreeMap<(usize, u32), f64> = BTreeMap::new();
        for row in 0..flat.view.len() {
            let Some(visited) = self.model.visited(&flat.view, row)? else {
                return Ok(None);
            };
            for (tree, node, part) in visited {
                *shares.entry((tree, node)).or_default() += share * part;
            }
        }
        let visited = shares.into_iter();
        Ok(Some(
            visited
                .map(|((tree, node), part)| (tree, node, part.min(1.0)))
                .collect(),
        ))
    }
}

/// The average over the rows of each object.
fn averaged(output: &Output, offsets: &[usize]) -> Output {
    let mut averages = Vec::new();
    for ends in offsets.windows(2) {
        let mut sums = output.row(ends[0]).to_vec();
        for row in ends[0] + 1..ends[1] {
            for (sum, more) in sums.iter_mut().zip(output.row(row)) {
                *sum += more;
            }
        }
        let rows = (ends[1] - ends[0]) as f64;
        averages.extend(sums.into_iter().map(|sum| sum / rows));
    }
    Output::new(output.kind().clone(), averages)
}
