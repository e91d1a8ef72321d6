//! What the tours show: steps, each one sentence of why and the command to type.

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What it is called, and why one would do it.
    pub says: &'static str,
    /// The command, as one types it.
    pub command: &'static str,
    /// How it is run.
    pub run: Run,
}

/// How a step is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// The verb that the command names.
    Verb,
    /// A sample as files that say nothing of keys, roles and targets.
    BareSample,
    /// The view of a model, created in a database, and what it answers.
    View,
}

const fn step(says: &'static str, command: &'static str) -> Step {
    Step {
        says,
        command,
        run: Run::Verb,
    }
}

const fn special(run: Run, says: &'static str, command: &'static str) -> Step {
    Step { says, command, run }
}

const MAKE: Step = special(
    Run::BareSample,
    "A database: molecules, their atoms and their bonds. A molecule is active if a nitrogen atom of it is in a double bond, or if its logp is above 4. Nothing in the files says so.",
    "kinwood sample molecules --noise 0.005 -o molecules && rm molecules/schema.toml",
);

const DRAW: Step = step(
    "Nobody declares keys in CSV files. Kinwood finds them in the values and draws how the tables hang together.",
    "kinwood describe molecules --target active --ignore activity --draw --svg schema.svg",
);

const FIT: Step = step(
    "Learn a small tree that asks about a molecule and whatever its keys lead to. No flattening, no feature engineering.",
    "kinwood fit mirt molecules --target active --ignore activity --set size=7 -o model.kin",
);

const SHOW: Step = step(
    "Read it: the tree has found the law, from the double bond to the threshold.",
    "kinwood show model.kin",
);

const EXPLAIN: Step = step(
    "Why is molecule 4 predicted so? The tests on its way, and the atoms and bonds that satisfy them.",
    "kinwood predict model.kin molecules --rows 'molecule_id = 4' --explain",
);

const DATABASE: Step = step(
    "The tables as an SQLite file: the ending of a file says its format, for every verb.",
    "kinwood convert molecules molecules.sqlite",
);

const VIEW: Step = special(
    Run::View,
    "The model as a view: the database predicts by itself, without Kinwood, as exactly as Kinwood does.",
    "kinwood show model.kin --sql | sqlite3 molecules.sqlite",
);

const PHRASES: Step = step(
    "Other data has structure inside its columns: phrases as strings and as lists of words.",
    "kinwood sample phrases -o phrases.json",
);

const DBDT: Step = step(
    "Trees look into lists and strings. A phrase is glad here if `sun` comes before `rain`, and the tree says so.",
    "kinwood fit dbdt phrases.json --target mood --set size=5",
);

const GENES: Step = step(
    "Genes, each with a string, a tree and a set, copied with slips from ancestors: no letter or part is safe to ask for, but nearness tells.",
    "kinwood sample genes --noise 0.02 -o genes.json",
);

const PROTOTYPES: Step = step(
    "So divide by prototypes: a gene goes where the nearest of two strings, folds or sets of tissues is. The tree finds which description matters when.",
    "kinwood fit dbdt genes.json --target resists --set preset=paper --set size=7",
);

const SHAPES: Step = step(
    "Structures of any kind are values: these plants are ordered labelled trees, their roots are graphs.",
    "kinwood sample shapes -o shapes.json",
);

const APPLES: Step = step(
    "A flat table, for all that also works on one.",
    "kinwood sample table -o apples.json",
);

const BEAM: Step = step(
    "Several good trees are often equally good. Beam search keeps the best three, each with at most five nodes and none that uses `spots`.",
    "kinwood fit tree apples.json --target grade --ignore price --set search=beam --set width=3 --set 'constraints=size <= 5 and not uses(spots)' -o beam.kin",
);

const BEAM_SHOW: Step = step(
    "Three trees to choose from, best first.",
    "kinwood show beam.kin",
);

const KSTAR_FIT: Step = step(
    "Similarity is the other half. K* measures it by the information that turns one value into another.",
    "kinwood fit kstar phrases.json --target mood -o near.kin",
);

const KSTAR: Step = step(
    "Which phrases stand behind this prediction, and how many bits away is each?",
    "kinwood predict near.kin phrases.json --rows 'id = 7' --explain=3",
);

const ASK: Step = step(
    "Models are rows: ask in SQL for a tree under a condition, and the search keeps to it.",
    "kinwood query apples.json \"SELECT size, text FROM trees('grade') WHERE size <= 5 ORDER BY error LIMIT 1\"",
);

const COMPARE: Step = step(
    "Is the readable tree better than gradient boosting over aggregates, or is that chance? The same folds for all, with tests of significance.",
    "kinwood compare mirt boost knn majority --data molecules --target active --ignore activity --folds 5 -o results",
);

const REPORT: Step = step(
    "A report that opens anywhere: how good, what it relies on, the tree, mistakes explained.",
    "kinwood report model.kin --data molecules --folds 5 -o report.html",
);

const PAGE: Step = step(
    "The tree as a page to look around in, with the way of each molecule.",
    "kinwood show model.kin --html tree.html --data molecules",
);

const COMPARED: Step = step(
    "And the comparison as a page.",
    "kinwood report results -o comparison.html",
);

/// The main job, from start to end.
pub const MAIN: &[Step] = &[
    MAKE, DRAW, FIT, SHOW, EXPLAIN, DATABASE, VIEW, PHRASES, DBDT, GENES, PROTOTYPES, KSTAR_FIT,
    KSTAR, APPLES, BEAM, BEAM_SHOW, ASK, COMPARE, REPORT, PAGE, COMPARED,
];

const RELATIONAL: &[Step] = &[
    MAKE,
    DRAW,
    FIT,
    SHOW,
    EXPLAIN,
    step(
        "The number behind the class: leaves of such a tree are linear formulas over what the keys reach.",
        "kinwood fit mirt molecules --target activity --ignore active --set search=beam --set width=10 --set size=7 -o activity.kin",
    ),
    step(
        "The first tree has the law: 3 + 5 * charge + 0.5 * logp where a nitrogen is in a double bond.",
        "kinwood show activity.kin --member 1",
    ),
    step(
        "What does the first model rely on? Each column and linked table is permuted in turn.",
        "kinwood importance model.kin molecules",
    ),
    DATABASE,
    VIEW,
    step(
        "How good is it on molecules it has not seen, beside always answering the most frequent class?",
        "kinwood evaluate mirt molecules --target active --ignore activity --folds 5 -o folds.csv",
    ),
    REPORT,
    PAGE,
];

const STRUCTURED: &[Step] = &[
    PHRASES,
    step(
        "What is understood of the columns?",
        "kinwood describe phrases.json --target mood",
    ),
    DBDT,
    step(
        "How far are two strings apart, and by which edits?",
        "kinwood distance edit kitten sitting --explain",
    ),
    step(
        "The phrases most like the first one.",
        "kinwood neighbours phrases.json --column text --query 1 -k 3",
    ),
    KSTAR_FIT,
    KSTAR,
    GENES,
    PROTOTYPES,
    step(
        "The same as a model and a page: each node shows the values that stand for its branches.",
        "kinwood fit dbdt genes.json --target resists --set preset=paper --set size=7 -o genes.kin",
    ),
    step(
        "Look around in it, with the way of each gene.",
        "kinwood show genes.kin --html genes.html --data genes.json",
    ),
    SHAPES,
    step(
        "A map of the plants: near ones near each other, coloured by kind.",
        "kinwood map shapes.json --column plant --target kind -o plants.html",
    ),
    step(
        "A hierarchy of them, drawn.",
        "kinwood cluster shapes.json --column plant --rows 'id <= 40' --method average --k 4 --svg plants.svg",
    ),
];

const BEAMS: &[Step] = &[
    APPLES,
    BEAM,
    BEAM_SHOW,
    step(
        "Trees that are to differ: the beam gives marks for predictions that others do not make.",
        "kinwood fit tree apples.json --target grade --ignore price --set search=beam --set width=3 --set size=9 --set beta=0.05 -o various.kin",
    ),
    step(
        "How alike are they, and which is simplest among the good ones?",
        "kinwood show various.kin --members",
    ),
    step(
        "Keep the second as a model of its own.",
        "kinwood pick various.kin 2 -o second.kin",
    ),
    step("And look at it.", "kinwood show second.kin"),
    step(
        "All three beside each other, as a page to look around in.",
        "kinwood show various.kin --html trees.html --data apples.json",
    ),
];

const TIME: &[Step] = &[
    step(
        "A shop with a past: customers, orders, letters, and for each customer the question whether they leave, that is order nothing within thirty days.",
        "kinwood sample shop -o shop",
    ),
    step(
        "How the tables hang together.",
        "kinwood describe shop --target churn.left --draw",
    ),
    step(
        "A model that sees all rows sees those that came after the question. It looks splendid, and is worthless.",
        "kinwood evaluate mirt shop --target churn.left --by-time churn.date --folds 4 --set counts=true --set size=7",
    ),
    step(
        "What gave it away? A letter that goes out when a customer has left.",
        "kinwood fit mirt shop --target churn.left --set counts=true --set size=7",
    ),
    step(
        "As of the date of each question, and no further back than two months: each row sees what was known by then. This is what to expect in use.",
        "kinwood evaluate mirt shop --target churn.left --as-of churn.date --window 60 --by-time churn.date --folds 4 --set counts=true --set size=7 --quiet",
    ),
    step(
        "The model keeps by when its rows see.",
        "kinwood fit mirt shop --target churn.left --as-of churn.date --window 60 --set counts=true --set size=7 -o churn.kin --quiet",
    ),
    step(
        "Who orders rarely leaves: that is the law.",
        "kinwood show churn.kin",
    ),
    step(
        "Why this answer? The rows that were seen as of the question.",
        "kinwood predict churn.kin shop --rows 'id = 3' --explain --quiet",
    ),
    step(
        "A report, by the same view of time.",
        "kinwood report churn.kin --data shop --folds 5 -o report.html --quiet",
    ),
];

const QUERY: &[Step] = &[
    APPLES,
    step(
        "A query asks for models that satisfy a condition, not for the output of a procedure. SQLite hands the condition to the search.",
        "kinwood query apples.json \"SELECT size, round(error, 3) AS error, text FROM trees('grade') WHERE size <= 7 AND NOT uses = 'spots' ORDER BY error LIMIT 1\"",
    ),
    step(
        "What do all good trees agree on?",
        "kinwood query apples.json \"SELECT value AS looks_at, count(*) AS trees FROM trees('grade') AS t, json_each(t.columns_used) WHERE t.size <= 9 GROUP BY value ORDER BY trees DESC, value\"",
    ),
    step(
        "Now a database. A molecule is active if a nitrogen atom of it is in a double bond, or if its logp is above 4.",
        "kinwood sample molecules --noise 0.005 -o molecules.sqlite",
    ),
    step(
        "Nothing changes: trees follow the keys.",
        "kinwood query molecules.sqlite \"SELECT size, round(error, 3) AS error, text FROM trees('molecule.active') WHERE size <= 7 ORDER BY error LIMIT 1\"",
    ),
];

/// The tours by their names.
pub const TOURS: &[(&str, &str, &[Step])] = &[
    (
        "relational",
        "trees over foreign keys, formulas, importance, SQL",
        RELATIONAL,
    ),
    (
        "structured",
        "strings, lists and trees as values: prototypes, distances, maps",
        STRUCTURED,
    ),
    (
        "beam",
        "several trees under constraints, and choosing among them",
        BEAMS,
    ),
    ("time", "learning from what was known at the time", TIME),
    ("query", "models that satisfy a condition", QUERY),
];
