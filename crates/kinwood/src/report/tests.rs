//! Reports of models fitted here.
