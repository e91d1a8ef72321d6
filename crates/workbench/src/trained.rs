//! Trained models: what was learned, in which terms, from which data; and the file that holds it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use kinwood_container::{Sections, Stored};
use kinwood_learners::drawing::Drawing;
use kinwood_learners::model::{Contributions, DRAWN_MEMBERS, Decisions, Near};
use kinwood_learners::sql::{Asked, Expression};
use kinwood_learners::{
    Context, Error as LearnerError, Explanation, Model, Predictions, Registry, Task,
};
use kinwood_values::bags::group_rows_like;
use kinwood_values::conform::{Needs, conform_needing, counterpart};
use kinwood_values::notice::counted;
use kinwood_values::{Attribute, Condition, Database, Notice, Remedy, Table, View, resolve};
use serde::{Deserialize, Serialize};

use crate::data::{Data, Problem};
use crate::error::{Error, Result};
use crate::fingerprint::Fingerprint;
use crate::time::{self, TimeChoices, Timing, frozen};

/// Where a model comes from: enough to make it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The version of Kinwood that made it.
    pub version: String,
    /// A command that makes it again; what does not change the model (threads, output file) is left
    /// out.
    pub command: String,
    /// What the data was read from.
    pub data: String,
    /// A fingerprint of the data's tables, hashed when it is first looked at.
    pub fingerprint: Fingerprint,
    /// How many rows were learned from.
    pub rows: usize,
    /// The seed.
    pub seed: u64,
}

/// Which of a set of models a model was before it was picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picked {
    /// Its place in the set, from 1.
    pub member: usize,
    /// How many models the set had.
    pub members: usize,
}

/// A model with the terms it speaks in.
pub struct Trained {
    learner: String,
    settings: Vec<(String, String)>,
    schema: Database,
    table: usize,
    targets: Vec<usize>,
    /// The condition that the rows learned from satisfy.
    rows: Option<String>,
    provenance: Provenance,
    timing: Option<Timing>,
    /// The members of a set share it: see [`Trained::member`].
    model: Arc<dyn Model>,
    /// Which of a set of models answers alone.
    member: Option<usize>,
    /// Which of a set of models it was.
    picked: Option<Picked>,
}

/// The part of the manifest that says what the model is.
#[derive(Serialize, Deserialize)]
struct Manifest {
    learner: String,
    settings: serde_json::Map<String, serde_json::Value>,
    table: String,
    targets: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<String>,
    provenance: Provenance,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    as_of: Option<Timing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picked: Option<Picked>,
}

const SCHEMA: &str = "schema";
const MODEL: &str = "model";

impl Trained {
    /// Fits a learner to a problem. `command` and `data` go into the provenance.
    pub fn fit(
        registry: &Registry,
        learner: &str,
        given: &[(String, String)],
        problem: &Problem,
        origin: &Origin,
        context: &Context,
    ) -> Result<(Self, Vec<Notice>)> {
        let entry = registry.find(learner)?;
        let settings = entry.settings(given)?;
        let task = Task::new(&problem.view, &problem.targets)?;
        let model = entry.learner(&settings)?.fit(&task, context)?;
        let database = problem.view.database();
        let (schema, table) = if entry.needs_other_tables(&settings) && !model.reads_one_table() {
            (database.schema(), problem.view.table_position())
        } else {
            (Database::single(problem.view.table().gather(&[]))?, 0)
        };
        let provenance = Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: origin.command.clone(),
            data: origin.data.clone(),
            fingerprint: Fingerprint::of(Arc::clone(database)),
            rows: task.view().len(),
            seed: context.seed(),
        };
        let trained = Self {
            learner: entry.name.to_owned(),
            settings: settings
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            schema,
            table,
            targets: problem.targets.clone(),
            rows: problem.rows.clone(),
            provenance,
            timing: problem.timing.clone(),
            model: Arc::from(model),
            member: None,
            picked: None,
        };
        let mut notices = task.notices().to_vec();
        notices.extend(entry.passes_over(&settings, &problem.view));
        Ok((trained, notices))
    }

    /// The learner's name.
    pub fn learner(&self) -> &str {
        &self.learner
    }

    /// Every setting it was fitted with.
    pub fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    /// The terms the model speaks in: a database without rows.
    pub fn schema(&self) -> &Database {
        &self.schema
    }

    /// The table whose rows are predicted.
    pub fn table(&self) -> usize {
        self.table
    }

    /// The columns of that table that are predicted.
    pub fn targets(&self) -> &[usize] {
        &self.targets
    }

    /// The names of the targets.
    pub fn target_names(&self) -> Vec<&str> {
        let table = self.schema.table(self.table);
        self.targets
            .iter()
            .map(|&column| table.attribute(column).name.as_str())
            .collect()
    }

    /// The condition that the rows learned from satisfy, if they were chosen by one.
    pub fn row_condition(&self) -> Option<&str> {
        self.rows.as_deref()
    }

    /// Those of some rows, in the model's terms, that satisfy the condition that the model was
    /// fitted with; all of them where the data that they come from lacks a column of it.
    pub fn kept_rows(&self, conformed: View, data: &Database) -> Result<(View, Option<Notice>)> {
        let Some(kept) = &self.rows else {
            return Ok((conformed, None));
        };
        let condition = kept.parse::<Condition>()?;
        let attributes = data.table(self.table_in(data)?).attributes();
        let known = |name: &str| attributes.iter().any(|attribute| attribute.name == name);
        if let Some(column) = condition.columns().into_iter().find(|name| !known(name)) {
            let told = format!(
                "the model was fitted on rows with `{kept}`; here is no column `{column}`, and all rows are taken"
            );
            return Ok((conformed, Some(Notice::new(told))));
        }
        let inside: BTreeSet<u32> = condition.rows(conformed.table())?.into_iter().collect();
        let chosen: Vec<u32> = (0..conformed.len() as u32)
            .filter(|&position| inside.contains(&conformed.row(position as usize)))
            .collect();
        if chosen.is_empty() {
            return Err(Error::NoRows {
                table: conformed.table().name().to_owned(),
                condition: kept.clone(),
            });
        }
        if chosen.len() == conformed.len() {
            return Ok((conformed, None));
        }
        let told = format!("only rows with `{kept}` are taken, as when the model was fitted");
        let notice = Notice::new(told).with_remedy(Remedy::ChooseRows);
        Ok((conformed.select(&chosen), Some(notice)))
    }

    /// The columns whose notation one cell does not tell: they are read in the model's terms.
    pub fn notated_columns(&self) -> Vec<String> {
        let columns = self
            .schema
            .tables()
            .iter()
            .flat_map(|table| table.attributes());
        let notated = columns.filter(|column| column.notation.is_some());
        notated.map(|column| column.name.clone()).collect()
    }

    /// Where the model comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// By when rows see others, if the model was fitted so.
    pub fn timing(&self) -> Option<&Timing> {
        self.timing.as_ref()
    }

    /// Whether rows reach others at all, so that it matters by when they see.
    fn looks_elsewhere(&self) -> Option<&Timing> {
        let links = !self.schema.foreign_keys().is_empty();
        self.timing.as_ref().filter(|_| links)
    }

    /// Rows of new data, seen by another cutoff than the model's where one is stated, or by nothing
    /// later than a date.
    pub fn seen(&self, rows: &View, choices: &TimeChoices) -> Result<View> {
        if choices.is_empty() {
            return Ok(rows.clone());
        }
        let kept = [
            ("gap", choices.gap.is_some()),
            ("window", choices.window.is_some()),
            ("horizon", choices.horizon.is_some()),
            ("cutoffs", self.timing.is_none()),
        ];
        if let Some((what, _)) = kept.into_iter().find(|(_, stated)| *stated) {
            return Err(Error::TimeKept {
                what,
                timed: self.timing.is_some(),
            });
        }
        let Some(own) = &self.timing else {
            return Ok(rows.clone());
        };
        let mut timing = own.clone();
        if choices.as_of.is_some() {
            let stated = Timing::new(
                &TimeChoices {
                    as_of: choices.as_of.clone(),
                    ..TimeChoices::default()
                },
                rows.database(),
                rows.table_position(),
            )?;
            timing.cutoff = stated.map_or(timing.cutoff, |stated| stated.cutoff);
        }
        let seen = rows.seen_as_of(timing.as_of(rows.table())?);
        match &choices.freeze {
            Some(at) => frozen(&seen, seen.rows().collect::<Vec<_>>(), at),
            None => Ok(seen),
        }
    }

    /// The model, or the one of its set that was chosen.
    pub fn model(&self) -> &dyn Model {
        match (self.member, self.model.members()) {
            (Some(member), Some(members)) => &*members[member],
            _ => &*self.model,
        }
    }

    /// Lets one of a set of models answer alone, counted from 1; a model that is no set is its only
    /// member. Files keep the set.
    pub fn choose(&mut self, member: usize) -> Result<()> {
        let members = self.model.members().map_or(1, <[_]>::len);
        if !(1..=members).contains(&member) {
            return Err(Error::NoMember { member, members });
        }
        self.member = Some(member - 1);
        Ok(())
    }

    /// One of a set of models, which answers alone, counted from 1. It shares the set, whose models
    /// are neither copied nor written.
    pub fn member(&self, member: usize) -> Result<Self> {
        let mut alone = self.with_model(Arc::clone(&self.model));
        alone.choose(member)?;
        Ok(alone)
    }

    /// One of a set of models as a model of its own, counted from 1: it holds nothing of the
    /// others, and so does its file. `command` is added to those that make it again. A model that
    /// is no set is its only member, and stays as it is.
    pub fn pick(&self, member: usize, command: &str) -> Result<Self> {
        let set = self.members()?;
        let members = match self.member {
            Some(_) => 1,
            None => set.unwrap_or(1),
        };
        if !(1..=members).contains(&member) {
            return Err(Error::NoMember { member, members });
        }
        let Some(members) = set else {
            return Ok(self.with_model(Arc::clone(&self.model)));
        };
        let place = self.member.unwrap_or(member - 1);
        let model = self.model.pick(place).ok_or_else(|| self.inseparable())?;
        let mut alone = self.with_model(Arc::from(model));
        alone.provenance.command = format!("{}; {command}", self.provenance.command);
        alone.picked = Some(Picked {
            member: place + 1,
            members,
        });
        Ok(alone)
    }

    /// How many models it is a set of; `None` for a model that is one.
    ///
    /// Fails for a set whose models are not models of their own.
    pub fn members(&self) -> Result<Option<usize>> {
        match (self.model.members(), self.model.facts().members) {
            (Some(members), _) => Ok(Some(members.len())),
            (None, Some(_)) => Err(self.inseparable()),
            (None, None) => Ok(None),
        }
    }

    fn inseparable(&self) -> Error {
        Error::Inseparable {
            learner: self.learner.clone(),
        }
    }

    /// Which of a set of models it was, if it was picked from one.
    pub fn picked(&self) -> Option<Picked> {
        self.picked
    }

    /// The same terms and provenance with another model.
    fn with_model(&self, model: Arc<dyn Model>) -> Self {
        Self {
            learner: self.learner.clone(),
            settings: self.settings.clone(),
            schema: self.schema.clone(),
            table: self.table,
            targets: self.targets.clone(),
            rows: self.rows.clone(),
            provenance: self.provenance.clone(),
            timing: self.timing.clone(),
            model,
            member: None,
            picked: self.picked,
        }
    }

    /// The model as SQL expressions over the columns of its table, in the order of the targets.
    pub fn sql(&self, asked: Asked) -> Result<Vec<Expression>> {
        let cannot = || LearnerError::CannotWriteSql {
            learner: self.learner.clone(),
        };
        Ok(self.model().sql(asked).ok_or_else(cannot)??)
    }

    /// The statement that creates a view of the predictions, of a model of several tables; `None`
    /// for one whose SQL is expressions.
    pub fn view(&self, name: &str, asked: Asked) -> Result<Option<String>> {
        let timing = self.looks_elsewhere();
        let seen = timing.map(|timing| timing.in_sql(&self.schema, self.table, &self.targets));
        let seen = seen.transpose()?;
        Ok(self.model().view(name, asked, seen.as_ref()).transpose()?)
    }

    /// The trees of the model, to be drawn by `kinwood_pages::picture`.
    pub fn drawing(&self) -> Result<Drawing> {
        let none = || Error::NoTrees {
            learner: self.learner.clone(),
        };
        let mut drawing = self.model().drawing().ok_or_else(none)?;
        // A member alone keeps the number it has among the others.
        if let (Some(member), [tree]) = (self.member, drawing.trees.as_mut_slice()) {
            tree.name = format!("tree {}", member + 1);
        }
        let rows = counted(self.provenance.rows, "row");
        let origin = format!("{} of {}, {rows}", self.learner, self.provenance.data);
        drawing.notes.insert(0, origin);
        Ok(drawing)
    }

    /// The nodes of the drawn trees that a row of a view in the model's terms passes: the tree, the
    /// node, and the share of the row that gets there.
    pub fn visited(
        &self,
        conformed: &View,
        position: usize,
    ) -> Result<Option<Vec<(usize, u32, f64)>>> {
        Ok(self.model().visited(&self.hidden(conformed), position)?)
    }

    /// The position in `data` of the table the model predicts.
    pub fn table_in(&self, data: &Database) -> Result<usize> {
        let wanted = self.schema.table(self.table);
        Ok(counterpart(&self.schema, wanted, data)?)
    }

    /// Data as the model's bags, where the model was fitted on bags of a flat table and the data is
    /// flat too; else the data as it is.
    pub fn arranged(&self, data: Data) -> Result<Data> {
        let [table] = data.database().tables() else {
            return Ok(data);
        };
        match group_rows_like(&self.schema, table) {
            Some(grouped) => Ok(data.regrouped(grouped?.0)),
            None => Ok(data),
        }
    }

    /// The columns that the model looks at, if it is trees and nothing else: no other input is
    /// needed to predict.
    fn used_columns(&self) -> Option<BTreeSet<String>> {
        let columns = |model: &dyn Model| Some(model.facts().tree?.columns);
        let mut used = BTreeSet::new();
        match self.model().members() {
            Some(members) => {
                for member in members {
                    used.extend(columns(&**member)?);
                }
            }
            None => used.extend(columns(self.model())?),
        }
        // A tree over aggregates names those, not the columns that they are made of.
        let own = self.schema.table(self.table);
        let known = |name: &String| {
            // Only the number of the rows of a table may count.
            let counted = name.strip_prefix("rows of ");
            own.position(name).is_some()
                || resolve::qualified(&self.schema, name).is_some()
                || counted.is_some_and(|table| self.schema.find(table).is_ok())
        };
        used.iter().all(known).then_some(used)
    }

    /// The tables that the model looks into, if that is known: no other is needed to predict.
    fn used_tables(&self) -> Option<BTreeSet<String>> {
        let own = self.schema.table(self.table).name().to_owned();
        let mut used = BTreeSet::from([own]);
        let tables = |model: &dyn Model| model.facts().tree?.tables;
        match self.model().members() {
            Some(members) => {
                for member in members {
                    used.extend(tables(&**member)?);
                }
            }
            None => used.extend(tables(self.model())?),
        }
        Some(used)
    }

    /// Reads data in the model's terms: the view has the model's columns, and the rows of the view
    /// given.
    pub fn conform(&self, rows: &View) -> Result<(View, Vec<Notice>)> {
        let used = self.used_columns();
        let column = |table: &Table, attribute: &Attribute| {
            let Some(used) = &used else { return true };
            let own = table.name() == self.schema.table(self.table).name();
            match own {
                true => used.contains(&attribute.name),
                false => used.contains(&format!("{}.{}", table.name(), attribute.name)),
            }
        };
        let tables = self.used_tables();
        let table = |table: &Table| {
            let used = |tables: &BTreeSet<String>| tables.contains(table.name());
            tables.as_ref().is_none_or(used)
        };
        let needs = Needs {
            table: &table,
            column: &column,
        };
        let timing = self.looks_elsewhere();
        let with_past = timing.map(|timing| time::data_for(timing, &self.schema, self.table, rows));
        let with_past = with_past.transpose()?.flatten();
        let data = with_past.as_ref().unwrap_or(rows.database());
        let (database, notices) = conform_needing(&self.schema, data, &needs)?;
        let positions: Vec<u32> = rows.rows().collect();
        let mut view = View::new(Arc::new(database), self.table);
        if let Some(timing) = timing {
            // Cutoffs that rows have already are theirs: some may be frozen.
            let as_of = match rows.as_of() {
                Some(as_of) => as_of.clone(),
                None => timing.as_of(view.table())?,
            };
            view = timing.with_past(view.seen_as_of(as_of));
        }
        Ok((view.select(&positions), notices))
    }

    /// The model as a person reads it, and what shows more than the text does, for an interface to
    /// word as its last line.
    pub fn show(&self) -> (String, Option<Remedy>) {
        let members = self.model().members().map_or(0, <[_]>::len);
        let more = (members > DRAWN_MEMBERS).then_some(Remedy::ShowMember);
        (self.model().show(), more)
    }

    /// Predicts the rows of a view in the model's terms, its targets hidden.
    pub fn predict(&self, conformed: &View, context: &Context) -> Result<Predictions> {
        let predictions = self.model().predict(&self.hidden(conformed), context)?;
        // A file may name other targets than its model predicts.
        match predictions.targets.len() == self.targets.len() {
            true => Ok(predictions),
            false => Err(Error::OtherTargets {
                named: self.targets.len(),
                predicted: predictions.targets.len(),
            }),
        }
    }

    /// The rows without their targets.
    fn hidden(&self, conformed: &View) -> View {
        self.targets
            .iter()
            .fold(conformed.clone(), |view, &target| {
                view.hiding(self.table, target)
            })
    }

    /// Why a row of a view in the model's terms is predicted as it is, by so many training rows.
    pub fn explain(&self, conformed: &View, row: usize, most: usize) -> Result<Explanation> {
        let hidden = self.hidden(conformed);
        let cannot = || LearnerError::CannotExplain {
            learner: self.learner.clone(),
        };
        Ok(self
            .model()
            .explain(&hidden, row, most)
            .ok_or_else(cannot)??)
    }

    /// The training rows nearest to each row of a view in the model's terms; `None` for a model
    /// without neighbours.
    pub fn neighbours(
        &self,
        conformed: &View,
        count: usize,
        context: &Context,
    ) -> Result<Option<Vec<Vec<Near>>>> {
        let hidden = self.hidden(conformed);
        Ok(self
            .model()
            .neighbours(&hidden, count, context)
            .transpose()?)
    }

    /// The values of the functions that decide about classes; `None` for a model without.
    pub fn decisions(&self, conformed: &View, context: &Context) -> Result<Option<Decisions>> {
        let hidden = self.hidden(conformed);
        Ok(self.model().decisions(&hidden, context).transpose()?)
    }

    /// What is predicted of a view in the model's terms after so many of the steps in which the
    /// model was made; `None` for a model that is not made step by step.
    pub fn staged(
        &self,
        conformed: &View,
        stages: Range<usize>,
        context: &Context,
    ) -> Result<Option<Vec<Predictions>>> {
        let hidden = self.hidden(conformed);
        Ok(self.model().staged(&hidden, stages, context).transpose()?)
    }

    /// What each column adds to each score of the rows of a view in the model's terms; `None` for a
    /// model whose predictions are no sums.
    pub fn contributions(
        &self,
        conformed: &View,
        context: &Context,
    ) -> Result<Option<Vec<Contributions>>> {
        let hidden = self.hidden(conformed);
        Ok(self.model().contributions(&hidden, context).transpose()?)
    }

    /// Takes more examples from a view in the model's terms.
    pub fn append(&mut self, conformed: &View, origin: &Origin) -> Result<Vec<Notice>> {
        let task = Task::new(conformed, &self.targets)?;
        let cannot = || LearnerError::CannotAppend {
            learner: self.learner.clone(),
        };
        // A set whose members are used elsewhere must not change under them.
        let model = Arc::get_mut(&mut self.model).ok_or_else(cannot)?;
        model.append(&task).ok_or_else(cannot)??;
        // Labels new to the schema are known from now on.
        self.schema = conformed.database().schema();
        // A file may state any number of rows.
        self.provenance.rows = self.provenance.rows.saturating_add(task.view().len());
        self.provenance.command = format!("{}; {}", self.provenance.command, origin.command);
        self.provenance.data = format!("{}; {}", self.provenance.data, origin.data);
        self.provenance.fingerprint.append(conformed.database());
        Ok(task.notices().to_vec())
    }

    /// The model as sections of a file.
    pub fn sections(&self) -> Result<Sections> {
        let mut sections = Sections::new();
        let settings = self
            .settings
            .iter()
            .map(|(name, value)| (name.clone(), value.clone().into()))
            .collect();
        let manifest = Manifest {
            learner: self.learner.clone(),
            settings,
            table: self.schema.table(self.table).name().to_owned(),
            targets: self.target_names().into_iter().map(str::to_owned).collect(),
            rows: self.rows.clone(),
            provenance: self.provenance.clone(),
            as_of: self.timing.clone(),
            picked: self.picked,
        };
        if let Ok(serde_json::Value::Object(manifest)) = serde_json::to_value(&manifest) {
            *sections.manifest_mut() = manifest;
        }
        self.schema.write(&mut sections.scope(SCHEMA))?;
        self.model.write(&mut sections.scope(MODEL))?;
        Ok(sections)
    }

    /// Writes the model file, wholly or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        Ok(self.sections()?.write_to(path)?)
    }

    /// Reads a model file, checking all of it.
    pub fn load(path: &Path, registry: &Registry) -> Result<Self> {
        Self::from_stored(&Stored::open(path)?, &path.display().to_string(), registry)
    }

    /// Reads a model from a checked file.
    pub fn from_stored(stored: &Stored, file: &str, registry: &Registry) -> Result<Self> {
        let wrong = |reason: String| Error::Model {
            file: file.to_owned(),
            reason,
        };
        let manifest: Manifest = serde_json::from_value(stored.manifest().clone().into())
            .map_err(|error| wrong(format!("the manifest is not a model's: {error}")))?;
        let entry = registry.find(&manifest.learner)?;
        let text = |(name, value): (String, serde_json::Value)| match value {
            serde_json::Value::String(value) => Ok((name, value)),
            other => Err(wrong(format!("setting `{name}` is {other}, not text"))),
        };
        let settings = manifest
            .settings
            .into_iter()
            .map(text)
            .collect::<Result<Vec<_>>>()?;
        entry.settings(&settings)?;
        let schema = Database::read(&stored.scope(SCHEMA))?;
        let table = schema.find(&manifest.table)?;
        let targets = manifest
            .targets
            .iter()
            .map(|target| Ok(schema.table(table).find(target)?))
            .collect::<Result<Vec<_>>>()?;
        if targets.is_empty() {
            return Err(wrong("it has no target".to_owned()));
        }
        if let Some(Picked { member, members }) = manifest.picked
            && !(1..=members).contains(&member)
        {
            return Err(wrong(format!("it was picked as {member} of {members}")));
        }
        let model = entry.model(&stored.scope(MODEL))?;
        Ok(Self {
            learner: manifest.learner,
            settings,
            schema,
            table,
            targets,
            rows: manifest.rows,
            provenance: manifest.provenance,
            timing: manifest.as_of,
            model: Arc::from(model),
            member: None,
            picked: manifest.picked,
        })
    }
}

/// What a model is made from, for its provenance.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// A command that makes it again.
    pub command: String,
    /// What the data was read from.
    pub data: String,
}
