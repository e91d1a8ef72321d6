//! What is known of the fitting of a machine, for people and programs.

use std::fmt::Write;

use kinwood_machines::Solution;
use serde::{Deserialize, Serialize};

use super::decide::Machine;
use super::space::Spectrum;
use super::tune::Tuned;

/// What is known of the fitting of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The form of the machines.
    pub form: String,
    /// The price of errors, where they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<f64>,
    /// The share of errors, where it is bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nu: Option<f64>,
    /// The errors that do not count, where there are such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// The ridge of each target, where there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lambda: Vec<f64>,
    /// The width of the kernel, where it was left open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gamma: Option<f64>,
    /// How many distinct objects were learned from.
    pub objects: usize,
    /// The eigenvalues of the training matrix.
    pub spectrum: Spectrum,
    /// What is known of each machine.
    pub machines: Vec<Fitted>,
    /// What settings were chosen from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuned: Option<Tuned>,
}

/// What is known of the fitting of one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// How many objects have a coefficient.
    pub support: usize,
    /// How many of them have the largest they may have, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_bound: Option<usize>,
    /// How many pairs of coefficients were changed.
    pub iterations: u64,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// What was minimised.
    pub objective: f64,
}

impl Fitted {
    /// Of a machine for two classes.
    pub fn of_machine(machine: &Machine) -> Self {
        Self {
            at_bound: machine.at_bound,
            ..Self::of_solution(&machine.solution)
        }
    }

    /// Of any solution.
    pub fn of_solution(solution: &Solution) -> Self {
        Self {
            support: solution.support().len(),
            at_bound: None,
            iterations: solution.iterations,
            converged: solution.converged,
            objective: solution.objective,
        }
    }

    /// In words, without a line break.
    pub fn to_text(&self) -> String {
        let bound = match self.at_bound {
            Some(count) => format!(", {count} at the bound"),
            None => String::new(),
        };
        let converged = match self.converged {
            true => "",
            false => ", stopped before the tolerance was reached",
        };
        format!(
            "{} support rows{bound}, {} iterations{converged}, objective {:.6}",
            self.support, self.iterations, self.objective
        )
    }
}

impl Report {
    /// Settings in one line, such as `form c, c 1, gamma 0.5`.
    pub fn settings(&self) -> String {
        let named = [
            ("c", self.c),
            ("nu", self.nu),
            ("epsilon", self.epsilon),
            ("gamma", self.gamma),
        ];
        let mut text = format!("form {}", self.form);
        for (name, value) in named {
            if let Some(value) = value {
                let _ = write!(text, ", {name} {value}");
            }
        }
        match self.lambda.as_slice() {
            [] => {}
            [first, rest @ ..] if rest.iter().all(|other| other == first) => {
                let _ = write!(text, ", lambda {first}");
            }
            several => {
                let _ = write!(text, ", lambda {several:?}");
            }
        }
        text
    }

    /// Lines about the matrix and what was chosen.
    pub fn to_text(&self) -> String {
        let spectrum = &self.spectrum;
        // Nothing was compared where there is one class alone.
        if self.objects == 0 {
            return String::new();
        }
        let centred = if spectrum.centred { "centred, " } else { "" };
        let mut text = format!("matrix of {} objects: {centred}", self.objects);
        text += &match (spectrum.smallest, spectrum.indefinite.as_str()) {
            (Some(smallest), done) => format!(
                "smallest eigenvalue {smallest:.3e}, {} negative, {done}\n",
                spectrum.negative
            ),
            (None, "as_is") => "eigenvalues not looked at, as_is\n".to_owned(),
            (None, _) => "no negative eigenvalues, by the laws of the kernel\n".to_owned(),
        };
        if let Some(tuned) = &self.tuned {
            let _ = writeln!(text, "chosen by {} folds from", tuned.folds);
            for tried in &tuned.tried {
                let gamma = match tried.gamma {
                    Some(gamma) => format!(", gamma {gamma}"),
                    None => String::new(),
                };
                let _ = writeln!(text, "  c {}{gamma}: error {:.6}", tried.c, tried.error);
            }
        }
        text
    }

    /// Whether all numbers are numbers; what a file says is not trusted.
    pub fn sound(&self) -> bool {
        let numbers = [
            self.c,
            self.nu,
            self.epsilon,
            self.gamma,
            self.spectrum.smallest,
        ];
        let numbers = numbers.iter().flatten().chain(&self.lambda);
        numbers.copied().all(f64::is_finite)
            && self
                .machines
                .iter()
                .all(|machine| machine.objective.is_finite())
    }
}
