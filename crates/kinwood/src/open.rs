//! Opening data: from a path to a database whose columns have roles.

use std::path::Path;

use kinwood_values::Role;

use crate::data::Data;
use crate::error::Result;

/// Opens a file, a folder or standard input (`-`); roles stated here overrule all others.
pub fn open(
    path: &Path,
    read: &kinwood_formats::ReadOptions,
    roles: &[(String, Role)],
) -> Result<Data> {
    let dataset = kinwood_formats::read(path, read)?;
    let source = if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    Data::new(source, dataset, roles)
}
