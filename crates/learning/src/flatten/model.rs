//! The learner and the model around a learner and a model of one table.

use crate::facts::ModelFacts;
use std::collections::BTreeMap;
use std::ops::Range;

use kinwood_aggregates::{Described, Plan};
use kinwood_values::View;
use kinwood_values::container::{Sections, Stored};

use super::flat::Flat;
use super::made::{Made, of_aggregates, of_columns};
use super::plan::{Flattening, Kind};
use super::settings::Flatten;
use crate::context::Context;
use crate::drawing::{Drawing, SumDrawn};
use crate::error::{Error, Result};
use crate::explanation::Explanation;
use crate::model::{Contributions, Decisions, Learner, Model, Near};
use crate::predictions::{Output, Predictions, TargetPrediction};
use crate::sql::{Asked, Expression, Gap, Seen};
use crate::task::Task;

/// The scope of a model file that the inner model is in.
const INNER: &str = "flat";
/// The limit on rows, in a model file.
const LIMIT: &str = "flattening-rows";

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
        let Some((made, flat)) = self.flatten.made(task, context)? else {
            // One table alone, or keys that lead to nothing that differs.
            return self.inner.fit(task, context);
        };
        Ok(Box::new(Flattened {
            made,
            limit: self.flatten.rows,
            model: self.inner.fit(&flat, context)?,
        }))
    }
}

impl Flatten {
    /// How the rows of a task are flattened, and the flat task, its validation rows beside it;
    /// `None` where there is nothing to add to the task's own table.
    fn made(&self, task: &Task, context: &Context) -> Result<Option<(Made, Task)>> {
        self.check()?;
        let rows = self.rows;
        let (made, flat) = match (self.kind, self.choice()?) {
            (Kind::Averaged, Some(choice)) => {
                let stop = || context.check().is_err();
                let fitted = context.install(|| Plan::fit(task.view(), &choice, &stop));
                // Why the work was stopped is known to the context.
                context.check()?;
                let fitted = fitted.map_err(of_aggregates)?;
                context.count(
                    "paths lead to too many rows and are left out of the flat table",
                    fitted.plan.left_out().len() as u64,
                );
                if fitted.plan.aggregates().is_empty() {
                    return Ok(None);
                }
                let flat = of_columns(task.view(), 0..task.view().len(), fitted.columns)?;
                (Made::Aggregated(fitted.plan), flat)
            }
            (kind, _) => {
                let plan = Flattening::plan(task.view(), kind, self.depth)?;
                context.count(
                    "linked columns have no average and are left out of the flat table",
                    plan.left_out().len() as u64,
                );
                let flat = plan.flat(task.view(), 0..task.view().len(), rows)?;
                (Made::Listed(plan), flat)
            }
        };
        let mut flat = of_task(task, &flat)?;
        if let Some(beside) = task.validation() {
            let objects = 0..beside.view().len();
            let rows = made.flat(beside.view(), objects, rows, context)?;
            flat = flat.with_validation(of_task(beside, &rows)?);
        }
        Ok(Some((made, flat)))
    }

    /// The rows of a task as a flat task, and those of another view of the same data in its terms:
    /// for whoever fits several learners to the same rows. `None` where there is nothing to add to
    /// the task's own table, or where an object would be several rows.
    pub fn flat_pair(
        &self,
        task: &Task,
        others: &View,
        context: &Context,
    ) -> Result<Option<(Task, View)>> {
        if self.kind == Kind::Joined {
            return Ok(None);
        }
        let Some((made, flat)) = self.made(task, context)? else {
            return Ok(None);
        };
        let others = made.flat(others, 0..others.len(), self.rows, context)?;
        Ok(Some((flat, others.view)))
    }
}

impl Flatten {
    /// The flat table of aggregates of all rows of a view, chosen on these rows, and what its
    /// columns are.
    pub fn aggregates_of(&self, view: &View, context: &Context) -> Result<(View, Vec<Described>)> {
        self.check()?;
        let Some(choice) = self.choice()? else {
            let plan = Flattening::plan(view, Kind::Averaged, self.depth)?;
            let flat = plan.flat(view, 0..view.len(), self.rows)?;
            return Ok((flat.view, Vec::new()));
        };
        let stop = || context.check().is_err();
        let fitted = context.install(|| Plan::fit(view, &choice, &stop));
        context.check()?;
        let fitted = fitted.map_err(of_aggregates)?;
        context.count(
            "paths lead to too many rows and are left out of the flat table",
            fitted.plan.left_out().len() as u64,
        );
        let catalogue = fitted.plan.catalogue(view);
        let flat = of_columns(view, 0..view.len(), fitted.columns)?;
        Ok((flat.view, catalogue))
    }
}

/// The task on a flat table: the targets stand where they stood.
fn of_task(task: &Task, flat: &Flat) -> Result<Task> {
    let targets: Vec<usize> = task.targets().iter().map(|t| t.column()).collect();
    Task::new(&flat.view, &targets)
}

/// A model of one table that is asked about a database.
pub struct Flattened {
    made: Made,
    limit: u64,
    model: Box<dyn Model>,
}

impl Flattened {
    /// Whether a model file holds a model of a flattened database.
    pub fn is_in(stored: &Stored) -> bool {
        Made::is_in(stored)
    }

    /// Reads the model; `load` reads the inner one.
    pub fn read(stored: &Stored, load: fn(&Stored) -> Result<Box<dyn Model>>) -> Result<Self> {
        Ok(Self {
            made: Made::read(stored)?,
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
        self.made.check(data)?;
        let context = Context::new();
        self.made
            .flat(data, object..object + 1, self.limit, &context)
    }

    /// Objects whose joined rows are predicted together.
    pub fn portions(&self, data: &View) -> Vec<Range<usize>> {
        self.made.portions(data, self.limit)
    }

    /// The flat table where an object is one row of it; `None` where it may be several.
    fn averaged(&self, data: &View) -> Result<Option<Flat>> {
        if self.made.kind() == Kind::Joined {
            return Ok(None);
        }
        self.made.check(data)?;
        let context = Context::new();
        self.made
            .flat(data, 0..data.len(), self.limit, &context)
            .map(Some)
    }
}

impl Model for Flattened {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        self.made.check(data)?;
        let mut targets: Vec<TargetPrediction> = Vec::new();
        for portion in self.portions(data) {
            context.check()?;
            let flat = self.made.flat(data, portion, self.limit, context)?;
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
        self.made.write(sections)?;
        sections.put_u64(LIMIT, &[self.limit])?;
        self.model.write(&mut sections.scope(INNER))
    }

    fn show(&self) -> String {
        let mut text = self.made.summary() + "\n";
        for path in self.made.paths() {
            text += &format!("  {path}\n");
        }
        if let Some((why, names)) = self.made.left_out() {
            text += &format!("{why}, left out: {}\n", names.join(", "));
        }
        text + "\n" + &self.model.show()
    }

    fn to_json(&self) -> serde_json::Value {
        self.made.to_json(self.model.to_json())
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
        let context = Context::new();
        let flat = self
            .made
            .check(view)
            .and_then(|()| self.made.flat(view, 0..view.len(), self.limit, &context))
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

    fn stages(&self) -> usize {
        self.model.stages()
    }

    fn staged(
        &self,
        data: &View,
        stages: Range<usize>,
        context: &Context,
    ) -> Option<Result<Vec<Predictions>>> {
        match self.averaged(data) {
            Ok(flat) => self.model.staged(&flat?.view, stages, context),
            Err(error) => Some(Err(error)),
        }
    }

    fn contributions(&self, data: &View, context: &Context) -> Option<Result<Vec<Contributions>>> {
        match self.averaged(data) {
            Ok(flat) => self.model.contributions(&flat?.view, context),
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
        let flatten = self.made.kind().name();
        Some(Err(Gap::Flattened { flatten }.into()))
    }

    fn view(&self, name: &str, asked: Asked, _: Option<&Seen>) -> Option<Result<String>> {
        let answers = match &self.made {
            // That these have no SQL is said by `sql`.
            Made::Listed(_) => return None,
            Made::Aggregated(_) => self.model.sql(asked)?,
        };
        Some(answers.and_then(|answers| self.made.view(name, &answers)))
    }

    fn drawing(&self) -> Option<Drawing> {
        let mut drawing = self.model.drawing()?;
        drawing.notes.push(self.made.summary());
        Some(drawing)
    }

    fn sums(&self) -> Option<Vec<SumDrawn>> {
        self.model.sums()
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
