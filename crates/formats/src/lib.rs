//! How data arrives: ARFF, CSV, folders of tables.
