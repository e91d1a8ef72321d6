//! The step that creates a view in SQLite and reads it: by the library that reads SQLite files, so
//! that the tour needs no other program.

use crate::error::Result;

/// The database of the step.
#[cfg(feature = "sqlite")]
const DATABASE: &str = "molecules.sqlite";

/// Creates the view and shows what it answers.
#[cfg(feature = "sqlite")]
pub fn create(view: &str) -> Result<String> {
    use crate::error::Error;
    use kinwood::text::{Align, TextTable};
    let failed = |source: rusqlite::Error| {
        let reason = std::io::Error::other(source.to_string());
        Error::write(std::path::Path::new(DATABASE), reason)
    };
    let connection = rusqlite::Connection::open(DATABASE).map_err(failed)?;
    connection.execute_batch(view).map_err(failed)?;
    let query = "SELECT * FROM predictions LIMIT 4";
    let mut statement = connection.prepare(query).map_err(failed)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut table = TextTable::new(vec![Align::Left; names.len()]);
    table.line(names.iter().cloned());
    let mut rows = statement.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let cell = |place: usize| {
            use rusqlite::types::ValueRef;
            Ok(match row.get_ref(place)? {
                ValueRef::Null => String::new(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    String::from_utf8_lossy(text).into_owned()
                }
            })
        };
        let cells: rusqlite::Result<Vec<String>> = (0..names.len()).map(cell).collect();
        table.line(cells.map_err(failed)?);
    }
    let count = "SELECT count(*) FROM predictions JOIN molecule USING (molecule_id) WHERE prediction = active";
    let right = connection
        .query_row(count, [], |row| row.get::<_, i64>(0))
        .map_err(failed)?;
    Ok(format!(
        "$ sqlite3 {DATABASE} '{query}'\n{table}\nThe database answers {right} of its 400 molecules right.\n"
    ))
}

/// Without SQLite the view is only shown.
#[cfg(not(feature = "sqlite"))]
pub fn create(view: &str) -> Result<String> {
    Ok(view.to_owned())
}
