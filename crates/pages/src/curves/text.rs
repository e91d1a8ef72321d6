//! A curve as a table, for people and as CSV.

use kinwood_evaluation::summary::FoldSummary;
use kinwood_values::notice::counted;

use super::{CurveReport, Point};
use crate::columns::{figure, table};
use kinwood_workbench::output::csv_text;

/// A column of figures: what people and what programs call it, and its figure at each point.
struct Figures {
    heading: String,
    name: String,
    /// Digits that people see.
    digits: usize,
    values: Vec<Option<f64>>,
}

impl CurveReport {
    /// The curve as people read it.
    pub fn to_text(&self) -> String {
        let fixed: String = self
            .fixed
            .iter()
            .map(|(name, value)| format!(" {name}={value}"))
            .collect();
        let text = format!(
            "{}{fixed} on {}, target {}: {} over {}, {}, seed {}\n\n",
            self.learner,
            self.data,
            self.targets.join(", "),
            self.measures.join(", "),
            self.over(),
            counted(self.splits, "split"),
            self.seed
        );
        let columns = self.figures();
        let first = match &self.setting {
            Some(name) => name.clone(),
            None => "portion".to_owned(),
        };
        let headings = columns.iter().map(|column| column.heading.clone());
        let headings: Vec<String> = [first].into_iter().chain(headings).collect();
        let line = |(place, point): (usize, &Point)| {
            if let Some(failed) = &point.failed {
                return vec![point.at.clone(), format!("failed: {failed}")];
            }
            let figures = columns.iter().map(|column| {
                let value = column.values[place];
                match (value, column.digits) {
                    (value, 4) => figure(value),
                    (None, _) => "-".to_owned(),
                    (Some(value), digits) => format!("{value:.digits$}"),
                }
            });
            [point.at.clone()].into_iter().chain(figures).collect()
        };
        let lines: Vec<Vec<String>> = self.points.iter().enumerate().map(line).collect();
        text + &table(&headings, 1, &lines)
    }

    /// The curve as CSV, figures in full.
    pub fn to_csv(&self) -> String {
        let columns = self.figures();
        let first = self.setting.as_deref().unwrap_or("portion").to_owned();
        let names = columns.iter().map(|column| column.name.clone());
        let header = [first].into_iter().chain(names);
        let header: Vec<String> = header.chain(["failed".to_owned()]).collect();
        let line = |(place, point): (usize, &Point)| {
            let figures = columns.iter().map(|column| {
                let value = column.values[place];
                value.map_or_else(String::new, |value| value.to_string())
            });
            let failed = point.failed.clone().unwrap_or_default();
            [point.at.clone()]
                .into_iter()
                .chain(figures)
                .chain([failed])
                .collect()
        };
        let lines = self.points.iter().enumerate().map(line);
        csv_text(std::iter::once(header).chain(lines))
    }

    fn figures(&self) -> Vec<Figures> {
        let mut columns = Vec::new();
        let mut add = |heading: &str, name: String, digits: usize, values: Vec<Option<f64>>| {
            columns.push(Figures {
                heading: heading.to_owned(),
                name,
                digits,
                values,
            });
        };
        let of = |figure: &dyn Fn(&Point) -> Option<f64>| -> Vec<Option<f64>> {
            self.points.iter().map(figure).collect()
        };
        if self.setting.is_none() {
            add("rows", "rows".to_owned(), 1, of(&|point| point.rows));
        }
        for (target, measure) in self.measures.iter().enumerate() {
            let mut pair = |heading: &str, figure: &dyn Fn(&Point) -> Option<FoldSummary>| {
                let name = heading.replace(' ', "_");
                add(heading, name.clone(), 4, of(&|point| figure(point)?.mean));
                add(
                    "sd",
                    format!("sd({name})"),
                    4,
                    of(&|point| figure(point)?.sd),
                );
            };
            pair(measure, &|point| Some(point.test[target]));
            if self.points.iter().any(|point| point.training.is_some()) {
                pair(&format!("training {measure}"), &|point| {
                    Some(point.training.as_ref()?[target])
                });
            }
            if self.points.iter().any(|point| point.members.is_some()) {
                pair(&format!("members {measure}"), &|point| {
                    Some(point.members.as_ref()?.mean[target])
                });
                let similarity = match self.measures.len() {
                    1 => "similarity".to_owned(),
                    _ => format!("similarity({})", self.targets[target]),
                };
                pair(&similarity, &|point| {
                    Some(point.members.as_ref()?.similarity[target])
                });
            }
        }
        if self.points.iter().any(|point| point.members.is_some()) {
            let members = of(&|point| point.members.as_ref()?.count.mean);
            add("members", "members".to_owned(), 1, members);
            let evaluated = of(&|point| point.members.as_ref()?.evaluated.mean);
            add("evaluated", "models_evaluated".to_owned(), 1, evaluated);
        }
        if self.points.iter().any(|point| point.seconds.is_some()) {
            let seconds = of(&|point| point.seconds?.mean);
            add("seconds", "seconds".to_owned(), 4, seconds);
        }
        columns
    }
}
