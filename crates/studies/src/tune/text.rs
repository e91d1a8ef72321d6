//! A search as people read it: the candidates, the choice, and what it is worth.

use kinwood_evaluation::tune::{Nested, Tried};
use kinwood_values::notice::counted;

use super::Tuning;
use kinwood_pages::columns::{figure, table};
use kinwood_workbench::output::csv_text;

/// Of more candidates the best are shown.
const MOST: usize = 40;

impl Tuning {
    /// The report as people read it.
    pub fn to_text(&self) -> String {
        let choice = &self.choice;
        let fixed: String = self
            .fixed
            .iter()
            .map(|(name, value)| format!(" {name}={value}"))
            .collect();
        let by = match choice.validation {
            Some(rows) => counted(rows, "validation row"),
            None => format!("{} inner folds", choice.folds),
        };
        let mut text = format!(
            "{}{fixed} on {}, target {}, {} tried on {by}, seed {}\n\n",
            self.learner,
            self.data,
            self.targets.join(", "),
            counted(choice.tried.len(), "candidate"),
            self.seed
        );
        text += &self.candidates_text();
        text += &format!("\nchosen: {}\n", choice.chosen_words());
        if let Some(nested) = &self.estimate {
            text += &self.estimate_text(nested);
        }
        if let Some(held_out) = &self.held_out {
            text += &format!("\n{}", held_out.to_text());
        }
        text
    }

    fn candidates_text(&self) -> String {
        let tried = &self.choice.tried;
        let mut shown: Vec<usize> = (0..tried.len()).collect();
        if shown.len() > MOST {
            let rank = |place: usize| tried[place].rank.unwrap_or(f64::INFINITY);
            shown.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)).then(a.cmp(&b)));
            shown.truncate(MOST);
        }
        let names = || self.choice.winner().settings.iter().map(|pair| &pair.0);
        let mut headings: Vec<String> = names().cloned().collect();
        for measure in &self.choice.measures {
            headings.extend([measure.clone(), "sd".to_owned()]);
        }
        let several = self.choice.measures.len() > 1;
        if several {
            headings.push("rank".to_owned());
        }
        headings.push(String::new());
        let line = |&place: &usize| {
            let tried = &tried[place];
            let mut cells: Vec<String> = tried.settings.iter().map(|pair| pair.1.clone()).collect();
            if let Some(failed) = &tried.failed {
                cells.push(format!("failed: {failed}"));
                return cells;
            }
            for score in &tried.scores {
                cells.extend([figure(score.mean), figure(score.sd)]);
            }
            if several {
                let rank = tried
                    .rank
                    .map_or("-".to_owned(), |rank| format!("{rank:.1}"));
                cells.push(rank);
            }
            let mark = if place == self.choice.chosen { "*" } else { "" };
            cells.push(mark.to_owned());
            cells
        };
        let lines: Vec<Vec<String>> = shown.iter().map(line).collect();
        let mut text = table(&headings, names().count(), &lines);
        if tried.len() > shown.len() {
            let rest = tried.len() - shown.len();
            text += &format!("and {} that did worse\n", counted(rest, "candidate"));
        }
        text
    }

    fn estimate_text(&self, nested: &Nested) -> String {
        let evaluation = &nested.evaluation;
        let splits = counted(evaluation.folds.len(), "outer fold");
        let mut text = String::new();
        for (measure, score) in self
            .choice
            .measures
            .iter()
            .zip(&self.choice.winner().scores)
        {
            text += &format!(
                "{measure} of the choice on its inner folds: {}, optimistic as it was chosen for it\n\
                 {measure} on rows that had no part in the choice: {}\n",
                figure(score.mean),
                figure(evaluation.mean(measure)),
            );
        }
        text += &format!("\nestimate over {splits}, the choice made anew in each\n\n");
        let headings = ["measure", "mean", "sd", "pooled"].map(str::to_owned);
        let lines: Vec<Vec<String>> = evaluation
            .measures
            .iter()
            .enumerate()
            .map(|(place, name)| {
                let summary = &evaluation.summaries[place];
                let figures = [summary.mean, summary.sd, evaluation.pooled[place]];
                [name.clone()]
                    .into_iter()
                    .chain(figures.map(figure))
                    .collect()
            })
            .collect();
        text += &table(&headings, 1, &lines);
        text += "\nchosen in the outer folds:\n";
        let mut counts = vec![0; self.choice.tried.len()];
        nested.chosen.iter().for_each(|&chosen| counts[chosen] += 1);
        let mut often: Vec<usize> = (0..counts.len()).filter(|&c| counts[c] > 0).collect();
        often.sort_by_key(|&candidate| (usize::MAX - counts[candidate], candidate));
        for candidate in often {
            let words: Vec<String> = self.choice.tried[candidate]
                .settings
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let of = nested.chosen.len();
            text += &format!("  {} of {of}: {}\n", counts[candidate], words.join(" "));
        }
        text
    }

    /// The candidates as CSV: their settings, the mean and standard deviation of each measure, the
    /// rank, whether it is chosen, and why it failed.
    pub fn to_csv(&self) -> String {
        let choice = &self.choice;
        let names = choice.winner().settings.iter().map(|pair| pair.0.clone());
        let mut header: Vec<String> = names.collect();
        for measure in &choice.measures {
            header.extend([measure.clone(), format!("sd({measure})")]);
        }
        header.extend(["rank", "chosen", "failed"].map(str::to_owned));
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let cells = |(place, tried): (usize, &Tried)| {
            let mut cells: Vec<String> = tried.settings.iter().map(|pair| pair.1.clone()).collect();
            for score in &tried.scores {
                cells.extend([number(score.mean), number(score.sd)]);
            }
            cells.push(number(tried.rank));
            cells.push((place == choice.chosen).to_string());
            cells.push(tried.failed.clone().unwrap_or_default());
            cells
        };
        let lines = choice.tried.iter().enumerate().map(cells);
        csv_text(std::iter::once(header).chain(lines))
    }
}
