//! Examples of every verb. A test runs them all, in this order, in one folder.

/// A command, and what it is for.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The verb that it explains.
    pub verb: &'static str,
    /// The command as one types it.
    pub command: &'static str,
    /// What it is for.
    pub purpose: &'static str,
}

const fn example(verb: &'static str, command: &'static str, purpose: &'static str) -> Example {
    Example {
        verb,
        command,
        purpose,
    }
}

/// All examples, in the order in which they can be run.
const EXAMPLES: &[Example] = &[
    example(
        "tour",
        "kinwood tour",
        "the main job, start to end, in a minute",
    ),
    example(
        "tour",
        "kinwood tour relational",
        "more of trees over foreign keys",
    ),
    example("sample", "kinwood sample", "the kinds of data there are"),
    example(
        "sample",
        "kinwood sample molecules -o molecules.sqlite",
        "a database of three tables",
    ),
    example(
        "sample",
        "kinwood sample phrases -o phrases.json",
        "strings and lists of words",
    ),
    example(
        "describe",
        "kinwood describe molecules.sqlite --target active",
        "tables, types, keys, the target",
    ),
    example(
        "describe",
        "kinwood describe molecules.sqlite --draw",
        "how the tables hang together",
    ),
    example(
        "describe",
        "kinwood describe molecules.sqlite --schema -o schema.toml",
        "the same as a file to correct",
    ),
    example(
        "convert",
        "kinwood convert molecules.sqlite molecules",
        "a folder with a CSV file a table",
    ),
    example(
        "convert",
        "kinwood convert phrases.json phrases.parquet",
        "the ending says the format",
    ),
    example("learners", "kinwood learners", "what there is"),
    example(
        "learners",
        "kinwood learners mirt",
        "one, with its settings",
    ),
    example(
        "fit",
        "kinwood fit mirt molecules.sqlite --target active --set size=7 -o model.kin",
        "a tree over foreign keys",
    ),
    example(
        "fit",
        "kinwood fit knn phrases.json --target mood --set k=3 -o near.kin",
        "nearest strings",
    ),
    example(
        "predict",
        "kinwood predict model.kin molecules.sqlite -o answers.csv",
        "answers and probabilities",
    ),
    example(
        "predict",
        "kinwood predict model.kin molecules.sqlite --rows 'molecule_id=3' --explain",
        "why, for one row",
    ),
    example(
        "query",
        "kinwood query molecules.sqlite 'SELECT active, count(*) FROM molecule GROUP BY active'",
        "plain SQL on any data that verbs read",
    ),
    example(
        "query",
        "kinwood query phrases.json \"SELECT size, text FROM trees('mood') WHERE size <= 5 ORDER BY error LIMIT 1\"",
        "trees that satisfy a condition",
    ),
    example(
        "task",
        "kinwood task shop --entity customers --every '4 weeks' --horizon '4 weeks' --target none(orders) -o churn.csv",
        "who orders nothing in the next four weeks, asked every four",
    ),
    example(
        "evaluate",
        "kinwood evaluate mirt molecules.sqlite --target active",
        "ten folds",
    ),
    example(
        "evaluate",
        "kinwood evaluate knn phrases.json --target mood --set k=3 -o folds.csv",
        "keep what was predicted of each row",
    ),
    example(
        "compare",
        "kinwood compare tree 'knn:k=1|5' majority --data phrases.json --target mood --folds 5",
        "with tests of significance",
    ),
    example(
        "tune",
        "kinwood tune knn phrases.json --target mood --try 'k=1|3|5'",
        "by folds inside the training rows",
    ),
    example(
        "importance",
        "kinwood importance model.kin molecules.sqlite",
        "what the model relies on",
    ),
    example("show", "kinwood show model.kin", "the model as text"),
    example(
        "show",
        "kinwood show model.kin --svg tree.svg",
        "as a picture",
    ),
    example(
        "show",
        "kinwood show model.kin --sql",
        "as a view for SQLite and PostgreSQL",
    ),
    example(
        "pick",
        "kinwood fit tree phrases.json --target mood --set search=beam --set width=3 -o beam.kin",
        "three trees by beam search",
    ),
    example(
        "pick",
        "kinwood pick beam.kin 2 -o second.kin",
        "one of them as a model of its own",
    ),
    example(
        "append",
        "kinwood append near.kin phrases.json -o more.kin",
        "a larger model beside the old one",
    ),
    example(
        "report",
        "kinwood report model.kin --data molecules.sqlite -o report.html",
        "one page, offline",
    ),
    example(
        "distance",
        "kinwood distance edit kitten sitting --explain",
        "how far, and why",
    ),
    example(
        "distance",
        "kinwood distance hausdorff(absolute) [1,2,3] [4,5,20]",
        "sets of numbers",
    ),
    example("distances", "kinwood distances", "all of them"),
    example("distances", "kinwood distances edit", "one, with its laws"),
    example(
        "matrix",
        "kinwood matrix phrases.json --column text -o distances.npy",
        "for NumPy",
    ),
    example(
        "neighbours",
        "kinwood neighbours phrases.json --column text --query 1",
        "the rows most like the first",
    ),
    example(
        "cluster",
        "kinwood cluster phrases.json --k 4 -o groups.csv",
        "four groups and outlier scores",
    ),
    example(
        "map",
        "kinwood map phrases.json --target mood -o map.html",
        "a page; map.svg is a picture",
    ),
    example(
        "reproduce",
        "kinwood reproduce --list",
        "the tables that can be computed",
    ),
    example(
        "completions",
        "kinwood completions bash",
        "source it in your shell",
    ),
];

/// The examples of a verb.
pub fn of(verb: &str) -> Vec<Example> {
    let own = EXAMPLES.iter().filter(|example| example.verb == verb);
    own.copied().collect()
}

/// The examples of a verb as they stand below its help.
pub fn text(verb: &str) -> String {
    let lines = of(verb).into_iter();
    let lines = lines.map(|one| format!("  # {}\n  {}\n", one.purpose, one.command));
    format!("Examples:\n{}", lines.collect::<String>())
}
