//! A learner as it is registered: name, explanation, settings, builder and loader, written once.
//!
//! The command line, the manual, the Python classes and the model loader are derived from it.

use std::fmt::Display;

use kinwood_values::container::Stored;
use kinwood_values::{Notice, NoticeKind, View};

use crate::adjust::{self, Adjust, Adjusted};
use crate::alias;
use crate::error::Result;
use crate::flatten::{self, Flatten, Flattened};
use crate::model::{Learner, Model};
use crate::settings::{Parameter, Settings};
pub use crate::target::Targets;

/// A learner as the registry knows it.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name on the command line and in model files.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The paper it comes from.
    pub reference: &'static str,
    /// Which targets it predicts.
    pub targets: Targets,
    /// Whether it predicts several targets at once.
    pub several_targets: bool,
    /// Whether it looks beyond the target's own table, along foreign keys; if not, its models need
    /// no other table.
    pub follows_keys: fn(&Settings) -> bool,
    /// Whether it looks at one table, and can be given others flattened by the settings of
    /// [`crate::flatten`]. A learner that is given aggregates of a database by default declares
    /// [`flatten::FLATTEN_BY_DEFAULT`] among its own settings.
    pub flat: bool,
    /// Its own settings; [`Entry::all_parameters`] has those of flattening too.
    pub parameters: &'static [Parameter],
    /// Makes the learner from its settings; [`Entry::learner`] flattens tables for it where asked
    /// to.
    pub build: fn(&Settings) -> Result<Box<dyn Learner>>,
    /// Reads a model that the learner made of one table; [`Entry::model`] reads one of flattened
    /// tables too.
    pub load: fn(&Stored) -> Result<Box<dyn Model>>,
}

impl Entry {
    /// Defaults, overruled by what is given. Those of flattening are there only if something is
    /// flattened.
    pub fn settings<N: AsRef<str>, V: AsRef<str>>(&self, given: &[(N, V)]) -> Result<Settings> {
        let settings = Settings::read(self.name, &self.all_parameters(), given)?;
        // A learner that follows keys itself may have settings of the same names.
        let settings = match self.flat {
            true => self.flattened(settings, given)?,
            false => settings,
        };
        adjust::used(settings)
    }

    /// The settings of flattening, as they are meant: aggregates by default, unless it is stated
    /// how linked rows are compared or followed.
    fn flattened<N: AsRef<str>, V: AsRef<str>>(
        &self,
        settings: Settings,
        given: &[(N, V)],
    ) -> Result<Settings> {
        let defaults = self.defaults();
        let by_default = defaults
            .get(flatten::FLATTEN.name)
            .is_some_and(|of| of != "none");
        if !by_default {
            return flatten::told(settings);
        }
        let stated = given
            .iter()
            .any(|(name, _)| self.own_name(name.as_ref()) == flatten::FLATTEN.name);
        let differs = |name: &&str| settings.get(name) != defaults.get(name);
        let settings = match !stated && flatten::OF_LINKED_ROWS.iter().any(differs) {
            true => settings.with(flatten::FLATTEN.name, "none"),
            false => settings,
        };
        let settings = flatten::told(settings)?;
        // That nothing is flattened is no default here.
        Ok(match settings.get(flatten::FLATTEN.name) {
            None => settings.with(flatten::FLATTEN.name, "none"),
            Some(_) => settings,
        })
    }

    /// Its own settings, all as they are when nobody says.
    pub fn defaults(&self) -> Settings {
        let none: [(&str, &str); 0] = [];
        Settings::read(self.name, self.parameters, &none)
            .expect("defaults are values that settings may have")
    }

    /// Fails when one of its own settings cannot have a value, as it does when the value is read
    /// from text.
    ///
    /// # Panics
    /// If there is no setting of that name: a mistake of the learner.
    pub fn check(&self, name: &str, value: impl Display) -> Result<()> {
        let parameter = self.parameters.iter().find(|known| known.name == name);
        let parameter = parameter.expect("a learner checks settings it declares");
        parameter.check(&value.to_string())?;
        Ok(())
    }

    /// What it calls a setting that is written so: its own name for an alias, else what is written.
    pub fn own_name(&self, written: &str) -> String {
        let parameters = self.all_parameters();
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
        alias::meant(written, &names).unwrap_or(written).to_owned()
    }

    /// Its settings, for a flat learner those of flattening, and those that every learner has.
    pub fn all_parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.parameters.to_vec();
        if self.flat {
            let own = |name: &str| self.parameters.iter().any(|own| own.name == name);
            parameters.extend(flatten::PARAMETERS.into_iter().filter(|of| !own(of.name)));
        }
        parameters.extend(adjust::PARAMETERS);
        parameters
    }

    /// Makes the learner from its settings.
    pub fn learner(&self, settings: &Settings) -> Result<Box<dyn Learner>> {
        let mut learner = (self.build)(settings)?;
        if let Some(flatten) = self.flattening(settings) {
            flatten.check()?;
            learner = Box::new(flatten.around(learner));
        }
        let adjust = Adjust::read(settings)?;
        Ok(match adjust.is_empty() {
            true => learner,
            false => Box::new(adjust.around(learner)),
        })
    }

    /// Reads a model that the learner made.
    pub fn model(&self, stored: &Stored) -> Result<Box<dyn Model>> {
        if Adjusted::is_in(stored) {
            let inner = |stored: &Stored| self.unadjusted(stored);
            return Ok(Box::new(Adjusted::read(stored, inner)?));
        }
        self.unadjusted(stored)
    }

    fn unadjusted(&self, stored: &Stored) -> Result<Box<dyn Model>> {
        match self.flat && Flattened::is_in(stored) {
            true => Ok(Box::new(Flattened::read(stored, self.load)?)),
            false => (self.load)(stored),
        }
    }

    /// Whether its models need other tables than the target's.
    pub fn needs_other_tables(&self, settings: &Settings) -> bool {
        self.flattening(settings).is_some() || (self.follows_keys)(settings)
    }

    /// What is to be said where tables that keys link with the rows are not looked at: a user who
    /// has a database expects that they are. A learner without settings of its own looks at no
    /// table at all.
    pub fn passes_over(&self, settings: &Settings, view: &View) -> Option<Notice> {
        if !self.flat || self.parameters.is_empty() || self.needs_other_tables(settings) {
            return None;
        }
        let own = view.table_position();
        let tables = view.database().tables().iter().enumerate();
        let others = tables.filter(|(position, _)| *position != own);
        let others: Vec<String> = others
            .map(|(_, table)| format!("`{}`", table.name()))
            .collect();
        (!others.is_empty()).then(|| {
            let message = format!(
                "`{}` looks at the columns of `{}` alone and not at what is linked with them ({}): `flatten=p2` adds summaries of those rows, and the learner `mirt` tests them",
                self.name,
                view.table().name(),
                others.join(", ")
            );
            Notice::about(NoticeKind::LeftOut, message)
        })
    }

    fn flattening(&self, settings: &Settings) -> Option<Flatten> {
        Flatten::read(settings).filter(|_| self.flat)
    }
}
