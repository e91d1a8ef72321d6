//! The models of a set as people and programs read them.

use kinwood_evaluation::measures::Measure;
use kinwood_evaluation::summary::FoldSummary;
use kinwood_learners::{TrainingScore, TreeFacts};
use kinwood_text::{Align, TextTable, shortened};
use kinwood_values::notice::counted;
use serde_json::{Map, Value, json};

use super::{MemberReport, MembersReport, RowsReport};

/// How much of a line the columns that a model looks at may take.
const WIDEST: usize = 60;

/// A count of a tree's parts.
type Count = fn(&TreeFacts) -> usize;

/// A column of the table: its heading, and the cell of each model.
struct Figures {
    heading: String,
    cells: Vec<String>,
}

impl MembersReport {
    /// As programs read it; `docs/json.md` is its contract.
    pub fn to_json(&self) -> Value {
        let mut shown = json!({
            "learner": self.learner,
            "targets": self.targets,
        });
        if let Some(rows) = &self.rows {
            shown["data"] = rows.data.clone().into();
            shown["rows"] = rows.rows.into();
            if let Some((folds, seed)) = rows.folds {
                shown["folds"] = folds.into();
                shown["seed"] = seed.into();
            }
        }
        let members = self.members.iter();
        shown["members"] = members.map(|member| self.member_json(member)).collect();
        shown
    }

    fn member_json(&self, member: &MemberReport) -> Value {
        let mut shown = json!({"member": member.number});
        if let Some(tree) = &member.tree {
            shown["size"] = tree.size.into();
            shown["leaves"] = tree.leaves.into();
            shown["depth"] = tree.depth.into();
            if let Some(score) = tree.score {
                shown["score"] = score.into();
            }
            shown["columns"] = json!(tree.columns);
            let training = tree.training.iter().map(|one| {
                let name = self.named(one.measure, &one.target);
                (name, Value::from(one.value))
            });
            shown["training"] = training.collect::<Map<_, _>>().into();
        }
        if let (Some(rows), Some(found)) = (&self.rows, &member.on_rows) {
            shown["scores"] = self.by_measure(rows, found.scores.iter().copied());
            shown["similarity"] = found.similarity.into();
        }
        if let (Some(rows), Some(found)) = (&self.rows, &member.by_rank) {
            shown["by_rank"] = json!({
                "folds": found.folds,
                "mean": self.by_measure(rows, found.scores.iter().map(|score| score.mean)),
                "sd": self.by_measure(rows, found.scores.iter().map(|score| score.sd)),
            });
        }
        shown
    }

    fn by_measure(&self, rows: &RowsReport, values: impl Iterator<Item = Option<f64>>) -> Value {
        let named = self.targets.iter().zip(&rows.measures).zip(values);
        let named = named.map(|((target, measure), value)| {
            let name = self.named(measure.key(), target);
            (name, Value::from(value))
        });
        named.collect::<Map<_, _>>().into()
    }

    /// A measure, with its target where there are several: as evaluations name it.
    fn named(&self, measure: &str, target: &str) -> String {
        match self.targets.len() {
            1 => measure.to_owned(),
            _ => format!("{measure}({target})"),
        }
    }

    /// As people read it.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{}, target {}: {}\n",
            self.learner,
            self.targets.join(", "),
            counted(self.members.len(), "member"),
        );
        if let Some(rows) = &self.rows {
            text += &format!("on {} of {}", counted(rows.rows, "row"), rows.data);
            if let Some((folds, seed)) = rows.folds {
                text += &format!("; by rank over {folds} folds, seed {seed}");
            }
            text += "\n";
        }
        let figures = self.figures();
        let aligned = std::iter::repeat_n(Align::Right, figures.len());
        let mut table = TextTable::new(aligned.chain([Align::Left]));
        let headings = figures.iter().map(|column| column.heading.clone());
        table.line(headings.chain(["columns".to_owned()]));
        for (place, member) in self.members.iter().enumerate() {
            let cells = figures.iter().map(|column| column.cells[place].clone());
            let columns = member.tree.as_ref().map(|tree| tree.columns.join(", "));
            let columns = columns.unwrap_or_default();
            table.line(cells.chain([shortened(&columns, WIDEST)]));
        }
        text + "\n" + &table.to_string()
    }

    /// The columns of figures, as far as any model has one.
    fn figures(&self) -> Vec<Figures> {
        let mut all = vec![Figures {
            heading: "member".to_owned(),
            cells: self.cells(|member| Some(member.number.to_string())),
        }];
        let shapes: [(&str, Count); 3] = [
            ("size", |tree| tree.size),
            ("leaves", |tree| tree.leaves),
            ("depth", |tree| tree.depth),
        ];
        for (heading, of) in shapes {
            all.extend(self.column(heading, |member| {
                Some(of(member.tree.as_ref()?).to_string())
            }));
        }
        all.extend(self.column("score", |member| {
            Some(format!("{:.6}", member.tree.as_ref()?.score?))
        }));
        for target in &self.targets {
            all.extend(self.trained_on(target));
        }
        let Some(rows) = &self.rows else {
            return all;
        };
        for (place, (target, measure)) in self.targets.iter().zip(&rows.measures).enumerate() {
            let name = self.named(measure.key(), target);
            all.extend(self.column(&name, |member| {
                figure(*member.on_rows.as_ref()?.scores.get(place)?)
            }));
        }
        // One model is like nothing but itself.
        if self.members.len() > 1 {
            all.extend(self.column("similarity", |member| {
                figure(member.on_rows.as_ref()?.similarity)
            }));
        }
        for (place, (target, measure)) in self.targets.iter().zip(&rows.measures).enumerate() {
            all.extend(self.ranked(place, target, *measure));
        }
        all
    }

    /// How good each model is by the examples that its leaves were made from.
    fn trained_on(&self, target: &str) -> Option<Figures> {
        let of_tree = |tree: &TreeFacts| {
            let mut scores = tree.training.iter();
            scores.find(|score| score.target == target).cloned()
        };
        let scores: Vec<_> = self
            .members
            .iter()
            .map(|member| of_tree(member.tree.as_ref()?))
            .collect();
        let measure = scores.iter().flatten().next()?.measure;
        let cell = |score: &Option<TrainingScore>| {
            let value = score.as_ref().map(|score| score.value);
            figure(value).unwrap_or_else(|| "-".to_owned())
        };
        Some(Figures {
            heading: format!("training {}", self.named(measure, target)),
            cells: scores.iter().map(cell).collect(),
        })
    }

    /// The mean over folds of models of each rank, and their standard deviation.
    fn ranked(&self, place: usize, target: &str, measure: Measure) -> Vec<Figures> {
        let name = format!("{} by rank", self.named(measure.key(), target));
        let of = |member: &MemberReport, value: fn(&FoldSummary) -> Option<f64>| {
            figure(value(member.by_rank.as_ref()?.scores.get(place)?))
        };
        let mean = self.column(&name, |member| of(member, |score| score.mean));
        let sd = self.column("sd", |member| of(member, |score| score.sd));
        // Without a mean there is no deviation from it.
        mean.into_iter().chain(sd).collect()
    }

    /// A column, if any model has a cell in it.
    fn column(
        &self,
        heading: &str,
        cell: impl Fn(&MemberReport) -> Option<String>,
    ) -> Option<Figures> {
        let any = self.members.iter().any(|member| cell(member).is_some());
        any.then(|| Figures {
            heading: heading.to_owned(),
            cells: self.cells(cell),
        })
    }

    fn cells(&self, cell: impl Fn(&MemberReport) -> Option<String>) -> Vec<String> {
        let cells = self.members.iter().map(cell);
        cells
            .map(|cell| cell.unwrap_or_else(|| "-".to_owned()))
            .collect()
    }
}

fn figure(value: Option<f64>) -> Option<String> {
    value.map(|value| format!("{value:.4}"))
}
