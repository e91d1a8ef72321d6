//! The targets: every reader, every parser, the model loader and what is done with models.

mod models;
mod parsers;
mod readers;
mod server;

use crate::mutate::Shape;
use crate::seeds;

/// Something that takes hostile bytes.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Inputs that it accepts, from which others are made.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Takes an input; says whether it was accepted.
    pub run: fn(&[u8]) -> bool,
    /// What inputs are made of.
    pub shape: Shape,
    /// Where its own functions are, by the beginning of their paths.
    pub area: &'static [&'static str],
    /// Its share of a long search.
    pub share: u32,
    /// Whether a run takes microseconds, so that counters are looked at after many.
    pub quick: bool,
    /// Whether inputs are mostly short: a search makes the more of them.
    pub short: bool,
    /// How many runs a test makes.
    pub bounded: u64,
}

impl Target {
    /// A reader: bytes, some ten microseconds.
    const fn reader(
        name: &'static str,
        seeds: fn() -> Vec<Vec<u8>>,
        run: fn(&[u8]) -> bool,
    ) -> Self {
        Self {
            name,
            seeds,
            run,
            shape: Shape::Bytes,
            area: &[],
            share: 4,
            quick: true,
            short: false,
            bounded: 2000,
        }
    }

    /// A parser: text, a microsecond.
    const fn parser(
        name: &'static str,
        seeds: fn() -> Vec<Vec<u8>>,
        run: fn(&[u8]) -> bool,
    ) -> Self {
        Self {
            share: 8,
            short: true,
            ..Self::reader(name, seeds, run)
        }
    }

    /// What takes a millisecond.
    const fn slow(self, bounded: u64) -> Self {
        Self {
            quick: false,
            bounded,
            ..self
        }
    }

    const fn of(self, area: &'static [&'static str]) -> Self {
        Self { area, ..self }
    }

    const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    const fn sharing(self, share: u32) -> Self {
        Self { share, ..self }
    }
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target::reader("arff", seeds::arff, readers::arff).of(&["kinwood_formats::arff"]),
    Target::reader("csv", seeds::csv, readers::csv).of(&["kinwood_formats::csv"]),
    Target::reader("json", seeds::json, readers::json).of(&["kinwood_formats::json"]),
    Target::reader("prolog", seeds::prolog, readers::prolog)
        .of(&["kinwood_formats::prolog", "kinwood_formats::prolog_syntax"]),
    Target::reader("parquet", seeds::parquet, readers::parquet)
        .of(&["kinwood_formats::arrow"])
        .slow(2000),
    Target::reader("arrow", seeds::arrow, readers::arrow)
        .of(&["kinwood_formats::arrow"])
        .slow(2000),
    Target::reader("sqlite", seeds::sqlite, readers::sqlite)
        .of(&["kinwood_formats::sql"])
        .slow(2000),
    Target::reader("postgres", seeds::postgres, server::read)
        .of(&["kinwood_formats::sql"])
        .shaped(Shape::Messages)
        .slow(400),
    Target::reader("schema", seeds::schema, parsers::schema).of(&["kinwood_formats::schema"]),
    Target::reader("study", seeds::study, parsers::study)
        .of(&["kinwood_studies::compare::specification"]),
    Target::reader("clus", seeds::clus, parsers::clus).of(&["kinwood_formats::clus"]),
    Target::parser("type", seeds::types, parsers::types).of(&["kinwood_values::types"]),
    Target::parser("value", seeds::values, parsers::value).of(&["kinwood_values::value"]),
    Target::parser("tree", seeds::trees, parsers::tree)
        .of(&["kinwood_values::tree"])
        .sharing(20),
    Target::parser("term", seeds::terms, parsers::term)
        .of(&["kinwood_values::term"])
        .sharing(20),
    Target::parser("datetime", seeds::datetimes, parsers::datetime)
        .of(&["kinwood_values::datetime"])
        .sharing(20),
    Target::parser("condition", seeds::conditions, parsers::condition)
        .of(&["kinwood_values::condition"]),
    Target::parser("pattern", seeds::patterns, parsers::pattern)
        .of(&["kinwood_formats::prolog_syntax::pattern"]),
    Target::parser("expression", seeds::expressions, parsers::expression)
        .of(&["kinwood_similarity::expression"]),
    Target::reader("measure", seeds::expressions, parsers::measure)
        .of(&["kinwood_similarity"])
        .slow(500),
    Target::parser("constraint", seeds::constraints, parsers::constraint)
        .of(&["kinwood_trees::tree::constraint"]),
    Target::parser("sketch", seeds::sketches, parsers::sketch)
        .of(&["kinwood_trees::tree::constraint::sketch"]),
    Target::parser("setting", seeds::settings, parsers::setting)
        .of(&["kinwood_learning::settings", "kinwood_values::parameter"]),
    Target::parser("division", seeds::divisions, parsers::division)
        .of(&["kinwood_evaluation::division"]),
    Target::parser("url", seeds::urls, parsers::url).of(&["kinwood_formats::sql::postgres::url"]),
    Target::reader("model", seeds::models, models::file).of(&["kinwood_container"]),
    Target::reader("model content", seeds::contents, models::content)
        .of(&[
            "kinwood_container",
            "kinwood_workbench::trained",
            "kinwood_instances",
            "kinwood_trees",
            "kinwood_boosting",
            "kinwood_kernels",
        ])
        .shaped(Shape::Listing)
        .slow(500),
    Target::reader("model verbs", seeds::contents, models::verbs)
        .of(&[
            "kinwood_container",
            "kinwood_workbench",
            "kinwood_instances",
            "kinwood_trees",
            "kinwood_boosting",
            "kinwood_kernels",
            "kinwood_pages",
        ])
        .shaped(Shape::Listing)
        .sharing(8)
        .slow(100),
];
