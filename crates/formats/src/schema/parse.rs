//! Schemas from TOML, with the place of whatever is wrong and the nearest key there is.

use std::ops::Range;

use kinwood_values::notation::Notation;
use kinwood_values::suggest::nearest;
use kinwood_values::{Role, Type};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::dialect::{Delimiter, Header, Quote};
use super::stated::{CsvOptions, StatedColumn};
use super::{FactsSchema, ForeignKeySchema, Schema, TableSchema, TimeSchema};
use crate::error::{Error, Result};
use crate::prolog_syntax::pattern::{Flaw, Pattern};
use crate::prolog_syntax::rule::check as check_rule;

type Value<'a> = Spanned<DeValue<'a>>;

pub(super) fn schema(text: &str, file: &str) -> Result<Schema> {
    let place = Place { text, file };
    let document = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(text.len()..text.len());
        let found = place.excerpt(&span);
        place.error(
            span,
            &format!("TOML ({})", error.message().replace('\n', ", ")),
            found,
            None,
        )
    })?;
    let document = document.into_inner();
    let mut schema = Schema::default();
    for (key, value) in &document {
        match key.get_ref().as_ref() {
            "target" => schema.targets = place.names(value)?,
            "keys" => {
                let expected = "`infer` or `declared`";
                schema.keys_declared = place.word(value, expected, |word| match word {
                    "declared" => Some(true),
                    "infer" => Some(false),
                    _ => None,
                })?;
            }
            "tables" => {
                for (name, described) in place.table(value)? {
                    schema
                        .tables
                        .push(place.table_schema(name.get_ref(), described)?);
                }
            }
            "facts" => schema.facts = Some(place.facts(value)?),
            _ => return Err(place.unknown(key, &["target", "keys", "tables", "facts"])),
        }
    }
    if let (Some(facts), Some(table)) = (
        document.get("facts"),
        schema.tables.iter().find(|table| table.file.is_some()),
    ) {
        let found = format!("a `file` for table `{}`", table.name);
        return Err(place.error(
            facts.span(),
            "no tables of other files beside [facts]",
            found,
            None,
        ));
    }
    place.check_references(&document, &schema)?;
    Ok(schema)
}

/// Where in which file something stands.
struct Place<'a> {
    text: &'a str,
    file: &'a str,
}

impl Place<'_> {
    fn error(
        &self,
        span: Range<usize>,
        expected: &str,
        found: impl Into<String>,
        nearest: Option<String>,
    ) -> Error {
        let mut start = span.start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Error::Syntax {
            file: self.file.to_owned(),
            line: before.matches('\n').count() as u64 + 1,
            column: before[line_start..].chars().count() as u64 + 1,
            expected: expected.to_owned(),
            found: found.into(),
            nearest,
        }
    }

    /// What stands at a place, up to the end of its line.
    fn excerpt(&self, span: &Range<usize>) -> String {
        const SHOWN: usize = 40;
        let rest = self.text.get(span.start..).unwrap_or_default();
        match rest.lines().next().unwrap_or_default() {
            "" if rest.is_empty() => "the end".to_owned(),
            "" => "the end of the line".to_owned(),
            line => format!("`{}`", line.chars().take(SHOWN).collect::<String>()),
        }
    }

    fn unknown(&self, key: &Spanned<std::borrow::Cow<'_, str>>, known: &[&str]) -> Error {
        let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        self.error(
            key.span(),
            &format!("one of the keys {}", names.join(", ")),
            format!("`{}`", key.get_ref()),
            nearest(key.get_ref(), known),
        )
    }

    fn mismatch(&self, value: &Value<'_>, expected: &str) -> Error {
        let found = match value.get_ref() {
            DeValue::String(text) => format!("\"{text}\""),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Datetime(time) => time.to_string(),
            DeValue::Array(values) => format!("an array of {}", values.len()),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.error(value.span(), expected, found, None)
    }

    fn table<'v, 'i>(&self, value: &'v Value<'i>) -> Result<&'v DeTable<'i>> {
        value
            .get_ref()
            .as_table()
            .ok_or_else(|| self.mismatch(value, "a table"))
    }

    fn string(&self, value: &Value<'_>) -> Result<String> {
        let text = value.get_ref().as_str();
        text.map(str::to_owned)
            .ok_or_else(|| self.mismatch(value, "a string"))
    }

    fn strings(&self, value: &Value<'_>) -> Result<Vec<String>> {
        let values = value.get_ref().as_array();
        let values = values.ok_or_else(|| self.mismatch(value, "a list of strings"))?;
        values.iter().map(|value| self.string(value)).collect()
    }

    /// A name or a list of names.
    fn names(&self, value: &Value<'_>) -> Result<Vec<String>> {
        match value.get_ref() {
            DeValue::String(name) => Ok(vec![name.to_string()]),
            DeValue::Array(_) => self.strings(value),
            _ => Err(self.mismatch(value, "a name or a list of names")),
        }
    }

    /// A word that names one of a few things.
    fn word<T>(&self, value: &Value<'_>, expected: &str, read: fn(&str) -> Option<T>) -> Result<T> {
        let text = value.get_ref().as_str();
        text.and_then(read)
            .ok_or_else(|| self.mismatch(value, expected))
    }

    fn table_schema(&self, name: &str, value: &Value<'_>) -> Result<TableSchema> {
        let mut table = TableSchema {
            name: name.to_owned(),
            ..TableSchema::default()
        };
        let options: &mut CsvOptions = &mut table.options;
        let mut time = Vec::new();
        for (key, value) in self.table(value)? {
            match key.get_ref().as_ref() {
                "file" => table.file = Some(self.string(value)?),
                "key" => table.key = self.names(value)?,
                "time" => time.push((key, TimeSchema::Instant(self.string(value)?))),
                "valid" => time.push((key, self.valid(value)?)),
                "header" => options.header = self.word(value, Header::NAMES, Header::from_name)?,
                "delimiter" => {
                    let delimiter = self.word(value, Delimiter::NAMES, Delimiter::from_name)?;
                    options.delimiter = Some(delimiter);
                }
                "quote" => {
                    options.quote = Some(self.word(value, Quote::NAMES, Quote::from_name)?)
                }
                "missing" => options.missing = Some(self.strings(value)?),
                "columns" => {
                    for (name, described) in self.table(value)? {
                        options
                            .columns
                            .push(self.column(name.get_ref(), described)?);
                    }
                }
                "foreign_keys" => {
                    let keys = value.get_ref().as_array();
                    let keys =
                        keys.ok_or_else(|| self.mismatch(value, "a list of foreign keys"))?;
                    for key in keys {
                        table.foreign_keys.push(self.foreign_key(key)?);
                    }
                }
                _ => {
                    const KNOWN: [&str; 10] = [
                        "file",
                        "key",
                        "time",
                        "valid",
                        "header",
                        "delimiter",
                        "quote",
                        "missing",
                        "columns",
                        "foreign_keys",
                    ];
                    return Err(self.unknown(key, &KNOWN));
                }
            }
        }
        if let [_, (second, _), ..] = time.as_slice() {
            let found = format!("`{}` too", second.get_ref());
            return Err(self.error(second.span(), "either `time` or `valid`", found, None));
        }
        table.time = time.pop().map(|(_, stated)| stated);
        self.check_end(&table, value)?;
        Ok(table)
    }

    /// The columns of `valid = ["from", "to"]`.
    fn valid(&self, value: &Value<'_>) -> Result<TimeSchema> {
        let expected = "two columns, from when on and until when";
        match <[String; 2]>::try_from(self.strings(value)?) {
            Ok([from, to]) if from != to => Ok(TimeSchema::Valid { from, to }),
            _ => Err(self.mismatch(value, expected)),
        }
    }

    /// What is only known later is no input, whatever role is stated.
    fn check_end(&self, table: &TableSchema, value: &Value<'_>) -> Result<()> {
        let Some(TimeSchema::Valid { to, .. }) = &table.time else {
            return Ok(());
        };
        if table.column(to).and_then(|column| column.role) != Some(Role::Input) {
            return Ok(());
        }
        let columns = value.get_ref().get("columns");
        let written = columns.and_then(|columns| columns.get_ref().get(to.as_str()));
        let span = written.map_or(value.span(), Spanned::span);
        let expected =
            "another role for a column until when rows are valid: it is only known later";
        Err(self.error(span, expected, "`input`", None))
    }

    fn column(&self, name: &str, value: &Value<'_>) -> Result<StatedColumn> {
        let mut column = StatedColumn {
            name: name.to_owned(),
            ..StatedColumn::default()
        };
        if value.get_ref().is_str() {
            column.of = Some(self.type_of(value)?);
            return Ok(column);
        }
        let described = value.get_ref().as_table();
        let described = described.ok_or_else(|| self.mismatch(value, "a type or a table"))?;
        for (key, value) in described {
            match key.get_ref().as_ref() {
                "type" => column.of = Some(self.type_of(value)?),
                "role" => column.role = Some(self.role(value)?),
                "values" => column.values = Some(self.strings(value)?),
                "hierarchy" => column.hierarchy = Some(self.mark(value)?),
                "distance" => {
                    let text = value.get_ref().as_str();
                    let text = text.ok_or_else(|| self.mismatch(value, "an expression"))?;
                    column.distance = Some(text.to_owned());
                }
                "ordered" => {
                    let stated = value.get_ref().as_bool();
                    let expected = || self.mismatch(value, "true or false");
                    column.ordered = stated.ok_or_else(expected)?;
                }
                "notation" => {
                    let name = value.get_ref().as_str();
                    let expected = || {
                        let names = Notation::ALL.map(Notation::name).join(", ");
                        self.mismatch(value, &format!("one of {names}"))
                    };
                    let notation = name.and_then(Notation::from_name);
                    column.notation = Some(notation.ok_or_else(expected)?);
                }
                _ => {
                    const KNOWN: [&str; 7] = [
                        "type",
                        "role",
                        "values",
                        "hierarchy",
                        "distance",
                        "ordered",
                        "notation",
                    ];
                    return Err(self.unknown(key, &KNOWN));
                }
            }
        }
        if let (Some(of), Some(values)) = (&column.of, described.get("values"))
            && *of != Type::Nominal
        {
            let found = format!("values of a `{of}`");
            return Err(self.error(
                values.span(),
                "values of a nominal column only",
                found,
                None,
            ));
        }
        if let (Some(of), Some(ordered)) = (&column.of, described.get("ordered"))
            && *of != Type::Nominal
            && column.ordered
        {
            let found = format!("an order of a `{of}`");
            let expected = "an order of a nominal column only";
            return Err(self.error(ordered.span(), expected, found, None));
        }
        Ok(column)
    }

    fn type_of(&self, value: &Value<'_>) -> Result<Type> {
        let text = self.string(value)?;
        text.parse().map_err(|error: kinwood_values::ParseError| {
            let nearest = match &error {
                kinwood_values::ParseError::UnknownType { nearest, .. } => nearest.clone(),
                _ => None,
            };
            let expected = match &error {
                kinwood_values::ParseError::UnknownType { .. } => "a type".to_owned(),
                error => format!("a type ({error})"),
            };
            self.error(value.span(), &expected, format!("\"{text}\""), nearest)
        })
    }

    fn role(&self, value: &Value<'_>) -> Result<Role> {
        let text = self.string(value)?;
        let names = Role::ALL.map(Role::name);
        text.parse().map_err(|_| {
            let expected = format!("one of the roles {}", names.join(", "));
            self.error(
                value.span(),
                &expected,
                format!("\"{text}\""),
                nearest(&text, names),
            )
        })
    }

    fn mark(&self, value: &Value<'_>) -> Result<char> {
        let mut characters = value.get_ref().as_str().unwrap_or_default().chars();
        match (characters.next(), characters.next()) {
            (Some(mark), None) => Ok(mark),
            _ => Err(self.mismatch(value, "one character")),
        }
    }

    fn facts(&self, value: &Value<'_>) -> Result<FactsSchema> {
        let pattern = |value: &Value<'_>, check: fn(Pattern) -> Result<Pattern, Flaw>| {
            let text = self.string(value)?;
            let parsed = Pattern::parse(&text).and_then(check);
            parsed.map_err(|flaw| self.flaw(value, "pattern", &text, flaw))
        };
        let mut example = None;
        let (mut files, mut describe, mut rules) = (Vec::new(), Vec::new(), Vec::new());
        let mut allows_undescribed = false;
        for (key, value) in self.table(value)? {
            match key.get_ref().as_ref() {
                "files" => files = self.names(value)?,
                "example" => example = Some(pattern(value, Pattern::of_examples)?),
                "describe" => {
                    for value in self.list(value, "a list of patterns")? {
                        describe.push(pattern(value, Pattern::of_descriptions)?);
                    }
                }
                "rules" => {
                    for value in self.list(value, "a list of rules")? {
                        let text = self.string(value)?;
                        check_rule(&text).map_err(|flaw| self.flaw(value, "rule", &text, flaw))?;
                        rules.push(text);
                    }
                }
                "undescribed" => {
                    let expected = "`refuse` or `allow`";
                    allows_undescribed = self.word(value, expected, |word| match word {
                        "allow" => Some(true),
                        "refuse" => Some(false),
                        _ => None,
                    })?;
                }
                _ => {
                    const KNOWN: [&str; 5] =
                        ["files", "example", "describe", "rules", "undescribed"];
                    return Err(self.unknown(key, &KNOWN));
                }
            }
        }
        let lacking = || self.error(value.span(), "[facts] with `example`", "none", None);
        Ok(FactsSchema {
            files,
            example: example.ok_or_else(lacking)?,
            describe,
            rules,
            allows_undescribed,
        })
    }

    fn list<'v, 'i>(&self, value: &'v Value<'i>, expected: &str) -> Result<&'v DeArray<'i>> {
        let values = value.get_ref().as_array();
        values.ok_or_else(|| self.mismatch(value, expected))
    }

    /// What is wrong with a pattern or rule, with all of it.
    fn flaw(&self, value: &Value<'_>, what: &str, text: &str, flaw: Flaw) -> Error {
        let expected = format!("{} in the {what} `{}`", flaw.expected, text.trim());
        self.error(value.span(), &expected, flaw.found, None)
    }

    fn foreign_key(&self, value: &Value<'_>) -> Result<ForeignKeySchema> {
        let mut key = ForeignKeySchema::default();
        let described = self.table(value)?;
        for (name, value) in described {
            match name.get_ref().as_ref() {
                "columns" => key.columns = self.names(value)?,
                "references" => key.references = self.string(value)?,
                "to" => key.to = self.names(value)?,
                "name" => key.name = Some(self.string(value)?),
                "describes" => {
                    let truth = value.get_ref().as_bool();
                    key.describes =
                        Some(truth.ok_or_else(|| self.mismatch(value, "`true` or `false`"))?);
                }
                _ => {
                    const KNOWN: [&str; 5] = ["columns", "references", "to", "name", "describes"];
                    return Err(self.unknown(name, &KNOWN));
                }
            }
        }
        for (needed, absent) in [
            ("columns", key.columns.is_empty()),
            ("references", key.references.is_empty()),
        ] {
            if absent {
                let expected = format!("a foreign key with `{needed}`");
                return Err(self.error(value.span(), &expected, "none", None));
            }
        }
        Ok(key)
    }

    /// A foreign key that does not say what it refers to needs a key there; names are distinct.
    fn check_references(&self, document: &DeTable<'_>, schema: &Schema) -> Result<()> {
        let mut names = std::collections::HashSet::new();
        let tables = document
            .get("tables")
            .and_then(|tables| tables.get_ref().as_table());
        for table in &schema.tables {
            let written = tables
                .and_then(|tables| tables.get(table.name.as_str()))
                .and_then(|table| table.get_ref().get("foreign_keys"));
            for (position, key) in table.foreign_keys.iter().enumerate() {
                let span_of = |name: &str| {
                    let key = written.and_then(|keys| keys.get_ref().get(position))?;
                    key.get_ref().get(name).map(Spanned::span)
                };
                let keyless = schema
                    .table(&key.references)
                    .is_none_or(|to| to.key.is_empty());
                if key.to.is_empty() && keyless {
                    let expected =
                        "`to`, the columns referred to, because the schema gives that table no key";
                    let span = span_of("references").unwrap_or_default();
                    let found = format!("\"{}\" alone", key.references);
                    let others = schema.tables.iter().map(|other| &other.name);
                    let nearest = nearest(
                        &key.references,
                        others.filter(|&name| *name != key.references),
                    );
                    return Err(self.error(span, expected, found, nearest));
                }
                if let Some(name) = &key.name
                    && !names.insert(name)
                {
                    let span = span_of("name").unwrap_or_default();
                    let expected = "a name that no other foreign key has";
                    return Err(self.error(span, expected, format!("\"{name}\""), None));
                }
            }
        }
        Ok(())
    }
}
