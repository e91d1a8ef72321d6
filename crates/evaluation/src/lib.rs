//! How good it is: splits, measures, tests, studies.
