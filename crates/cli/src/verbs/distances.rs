//! `kinwood distances`: the catalogue of distances and kernels.

use kinwood::text::{Align, TextTable, width};
use std::fmt::Write;

use clap::Args;
use kinwood::catalogue::{default, kind, measure};
use kinwood::similarity::Registry;
use kinwood::similarity::registry::Entry;
use serde_json::{Value, json};

use crate::error::Result;
use crate::session::Session;

/// The arguments of `kinwood distances`.
#[derive(Args, Debug)]
pub struct Distances {
    /// Explain this one, with its settings, laws and an example
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Distances {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let registry = Registry::known();
        match &self.name {
            Some(name) => {
                let entry = registry
                    .find(name)
                    .ok_or_else(|| kinwood::Error::from(registry.unknown(name, 0)))?;
                match session.json {
                    true => session.print_json(&measure(entry)),
                    false => session.print(&explained(entry)),
                }
            }
            None => match session.json {
                true => {
                    let all: Vec<Value> = registry.entries().map(measure).collect();
                    session.print_json(&json!({"measures": all}))
                }
                false => session.print(&listed(registry)),
            },
        }
    }
}

fn listed(registry: &Registry) -> String {
    let width = registry.entries().map(|entry| width(&entry.name)).max();
    let mut text = String::new();
    for (title, kernels) in [("Distances", false), ("Kernels", true)] {
        let _ = writeln!(text, "{title}");
        // Names of both lists stand in columns of one width.
        let mut table = TextTable::new([Align::Left; 2])
            .indented(2)
            .at_least(0, width.unwrap_or(0));
        for entry in registry.entries().filter(|of| of.is_kernel() == kernels) {
            table.line([&*entry.name, &*entry.summary]);
        }
        let _ = writeln!(text, "{table}");
    }
    text += "`kinwood distances NAME` explains one with its settings, laws and an example.\n";
    text
}

fn explained(entry: &Entry) -> String {
    let mut text = format!(
        "{}: {}\n\nkind       {}\nvalues     {}\nlaws       {}\ncost       {}\nreference  {}\n",
        entry.name,
        entry.summary,
        kind(entry),
        entry.values,
        entry.laws,
        entry.cost,
        entry.reference
    );
    match entry.parameters {
        [] => text += "settings   none\n",
        parameters => {
            text += "settings   in parentheses, as NAME=VALUE\n\n";
            for parameter in parameters {
                let value = default(parameter).map_or(String::new(), |d| format!("={d}"));
                let _ = write!(
                    text,
                    "  {}{value}\n      {}\n      Expected: {:#}.\n",
                    parameter.name, parameter.doc, parameter.allowed
                );
            }
        }
    }
    if let Some(example) = entry.example {
        let _ = write!(
            text,
            "\nexample\n  kinwood distance '{}' '{}' '{}' --type '{}'\n  {}\n",
            example.expression.replace('\'', "'\\''"),
            example.a,
            example.b,
            example.of,
            example.gives
        );
    }
    text
}
