//! Tables as JSON: an array of objects, objects one a line, or an object of such arrays.

use std::io::{self, Write};

use kinwood_values::{Table, Type, Value};
use serde_json::{Map, Value as Json};

/// Writes the only table as an array of objects, several as an object of such arrays.
pub fn write(out: &mut dyn Write, tables: &[Table]) -> io::Result<()> {
    if let [table] = tables {
        write_array(out, table)?;
        return out.write_all(b"\n");
    }
    out.write_all(b"{")?;
    for (position, table) in tables.iter().enumerate() {
        let separator = if position == 0 { "\n" } else { ",\n" };
        write!(out, "{separator}{}: ", Json::from(table.name()))?;
        write_array(out, table)?;
    }
    out.write_all(b"\n}\n")
}

/// Writes a table as objects, one a line.
pub fn write_lines(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let rows = Rows::of(table);
    (0..table.rows()).try_for_each(|row| writeln!(out, "{}", rows.object(row)))
}

fn write_array(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let rows = Rows::of(table);
    out.write_all(b"[")?;
    for row in 0..table.rows() {
        let separator = if row == 0 { "\n" } else { ",\n" };
        write!(out, "{separator}{}", rows.object(row))?;
    }
    out.write_all(b"\n]")
}

struct Rows<'a> {
    table: &'a Table,
    types: Vec<Type>,
}

impl<'a> Rows<'a> {
    fn of(table: &'a Table) -> Self {
        let types = table.attributes().iter().map(|of| of.type_of()).collect();
        Self { table, types }
    }

    /// A row. Missing values are `null`, so that every object has every key.
    fn object(&self, row: usize) -> Json {
        let attributes = self.table.attributes().iter().zip(&self.types);
        let cell = |(attribute, of): (&kinwood_values::Attribute, &Type)| {
            let value = attribute.column.value(row);
            (attribute.name.clone(), json(&value, of))
        };
        Json::Object(attributes.map(cell).collect())
    }
}

/// The value as JSON in which fields go by their names where all have one.
fn json(value: &Value, of: &Type) -> Json {
    match (value, of) {
        (
            Value::List(elements) | Value::Set(elements) | Value::Bag(elements),
            Type::List(of) | Type::Set(of) | Type::Bag(of),
        ) => elements.iter().map(|element| json(element, of)).collect(),
        (Value::Tuple(values), Type::Tuple(fields)) => {
            let parts = || values.iter().zip(fields);
            let object: Option<Map<String, Json>> = parts()
                .map(|(value, field)| Some((field.name.clone()?, json(value, &field.of))))
                .collect();
            match object {
                // Without fields it would be read as any object.
                Some(object) if !object.is_empty() => Json::Object(object),
                _ => parts()
                    .map(|(value, field)| json(value, &field.of))
                    .collect(),
            }
        }
        (value, _) => value.to_json(),
    }
}
