//! What is read of a database.

/// What is read of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlOptions {
    /// The tables and views to read, `schema.table` where a PostgreSQL schema must be told; all if
    /// none are named.
    pub tables: Option<Vec<String>>,
    /// The PostgreSQL schemas whose tables are read; those of the search path (usually `public`) if
    /// none are named.
    pub schemas: Vec<String>,
    /// Whether views are read too, as tables without keys.
    pub views: bool,
}

impl Default for SqlOptions {
    fn default() -> Self {
        Self {
            tables: None,
            schemas: Vec::new(),
            views: true,
        }
    }
}
