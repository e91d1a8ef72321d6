//! The settings of K* as a value.

use kinwood_similarity::Expression;
use kinwood_similarity::expression::Argument;

use super::KSTAR;
use super::blend::{self, BY_CROSS_VALIDATION, Blend};
use super::model::Declared;
use super::rules::{Lacking, Rules};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::settings::Settings;

/// K*: every training row answers, with the probability that the one asked about turns into it by
/// random transformations.
#[derive(Clone, Debug, PartialEq)]
pub struct KStar {
    /// How far the sphere of influence reaches, from 0 (the nearest values) to 1 (all alike): 0.2
    /// by default; not looked at where [`KStar::choose_blend`] is set.
    pub blend: f64,
    /// Columns with a blend of their own; not together with [`KStar::choose_blend`].
    pub blends: Vec<(String, f64)>,
    /// Whether the blend is chosen by cross-validation on the training rows.
    pub choose_blend: bool,
    /// Whether the blend of each column and value is chosen by the entropy of the targets.
    pub auto_blend: bool,
    /// What a missing stored value is: any of the others by default.
    pub missing: Lacking,
    /// Whether to compute as Weka 3.9.7 does, and not as the paper has it.
    pub weka: bool,
    /// How far values of columns are apart, by column; structured columns have a default.
    pub distances: Vec<(String, Expression)>,
    /// How many foreign keys away rows are compared: 1 by default, 0 for the row alone.
    pub depth: usize,
}

impl Default for KStar {
    fn default() -> Self {
        Self::read(&KSTAR.defaults()).expect("the defaults are settings")
    }
}

impl KStar {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let choose_blend = settings.text("blend") == BY_CROSS_VALIDATION;
        let blend = match choose_blend {
            true => Blend::common(blend::DEFAULT),
            false => Blend::read(settings.text("blend"))?,
        };
        Ok(Self {
            blend: blend.common,
            blends: blend.attributes,
            choose_blend,
            auto_blend: settings.flag("auto_blend"),
            missing: Lacking::named(settings.text("missing")),
            weka: settings.text("compat") == "weka",
            distances: distances(settings.text("distance"))?,
            depth: settings.whole("depth"),
        })
    }

    /// Fails on settings that are out of range or do not go together.
    pub(super) fn check(&self) -> Result<()> {
        KSTAR.check("depth", self.depth)?;
        match self.choose_blend {
            false => self.blends().check(),
            true if self.blends.is_empty() => Ok(()),
            true => Err(Blend::wrong(BY_CROSS_VALIDATION)),
        }
    }

    fn blends(&self) -> Blend {
        Blend {
            common: self.blend,
            attributes: self.blends.clone(),
        }
    }

    /// What a model is declared by; a blend that is to be chosen comes later.
    pub(super) fn declared(&self) -> Declared {
        let distances = self.distances.iter();
        Declared {
            rules: Rules {
                lacking: self.missing,
                weka: self.weka,
                auto_blend: self.auto_blend,
            },
            blend: match self.choose_blend {
                true => Blend::common(blend::DEFAULT),
                false => self.blends(),
            },
            depth: self.depth,
            distances: distances
                .map(|(column, distance)| (column.clone(), distance.to_string()))
                .collect(),
        }
    }
}

/// Reads `column: expression, ...`.
fn distances(text: &str) -> Result<Vec<(String, Expression)>> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let wrong = || Error::SettingValue {
        name: "distance".to_owned(),
        value: text.to_owned(),
        expected: "`column: expression`, several with commas between".to_owned(),
        nearest: None,
    };
    let all: Expression = format!("sum({text})").parse()?;
    let part = |argument: Argument| match argument {
        Argument::Part(part) => Ok((part.field.ok_or_else(wrong)?, part.measure)),
        _ => Err(wrong()),
    };
    all.arguments.into_iter().map(part).collect()
}
