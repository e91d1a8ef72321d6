//! Pictures of drawings made by hand: every kind of target, branch and prototype, and names that
//! try to get out.

mod browser;

use kinwood_learners::drawing::{
    BranchDrawn, Drawing, KeyDrawn, Mark, NodeDrawn, SchemaDrawn, StepDrawn, TargetDrawn,
    TestDrawn, TreeDrawn,
};
use kinwood_values::{Edge, Graph, GraphNode, Value};

use super::*;

const HOSTILE: &str = "</script><b>\"'&\\N\u{1}]]>";

fn branch(words: &str, prototype: Option<Value>, share: f64) -> BranchDrawn {
    BranchDrawn {
        words: words.to_owned(),
        prototype,
        share,
    }
}

fn test(column: &str, branches: Vec<BranchDrawn>) -> Option<TestDrawn> {
    Some(TestDrawn {
        words: format!("{column} by prototypes"),
        column: column.to_owned(),
        distance: Some("levenshtein".to_owned()),
        branches,
    })
}

fn node(parent: Option<(u32, usize)>, test: Option<TestDrawn>, weights: [f64; 3]) -> NodeDrawn {
    let weight = weights.iter().sum();
    NodeDrawn {
        parent,
        test,
        weight,
        answers: vec![
            Mark::stack(weights.to_vec()),
            Mark::Number {
                formula: None,
                mean: weights[0],
                deviation: 1.5,
                weight,
            },
            Mark::Shares(weights.map(|own| own / f64::max(weight, 1.0)).to_vec()),
        ],
        ..NodeDrawn::default()
    }
}

fn molecule(atoms: &[&str], bonds: &[(u32, u32, &str)]) -> Value {
    let nodes = atoms.iter().enumerate().map(|(place, atom)| GraphNode {
        id: place.to_string(),
        label: Some((*atom).to_owned()),
    });
    let edges = bonds.iter().map(|&(from, to, label)| Edge {
        from,
        to,
        label: Some(label.to_owned()),
    });
    Value::Graph(Graph::new(false, nodes.collect(), edges.collect()).unwrap())
}

/// Splits by prototypes of strings, sets and graphs, in three, two and four branches.
fn hand_made() -> Drawing {
    let text = |text: &str| Some(Value::Text(text.to_owned()));
    let set = |of: &[&str]| {
        let symbols = of.iter().map(|label| Value::Symbol((*label).to_owned()));
        Some(Value::set(symbols.collect()))
    };
    let benzene = molecule(
        &["c", "c", "c", "c", "c", "c", "n", "o", "o"],
        &[
            (0, 1, "aromatic"),
            (1, 2, "aromatic"),
            (2, 3, "aromatic"),
            (3, 4, "aromatic"),
            (4, 5, "aromatic"),
            (5, 0, "aromatic"),
            (0, 6, "1"),
            (6, 7, "2"),
            (6, 8, "1"),
        ],
    );
    let chain = molecule(
        &["c", "c", "o", "cl"],
        &[(0, 1, "1"), (1, 2, "2"), (1, 3, "1")],
    );
    let nodes = vec![
        node(
            None,
            test(
                "sequence",
                vec![
                    branch("nearest to ACGTTGCA", text("ACGTTGCA"), 0.5),
                    branch("nearest to ACTTCA", text("ACTTCA"), 0.3),
                    branch(HOSTILE, text(HOSTILE), 0.2),
                ],
            ),
            [20.0, 20.0, 20.0],
        ),
        node(
            Some((0, 0)),
            test(
                "molecule",
                vec![
                    branch("nearest to the ring", Some(benzene), 0.6),
                    branch("nearest to the chain", Some(chain), 0.4),
                ],
            ),
            [15.0, 10.0, 5.0],
        ),
        node(Some((1, 0)), None, [15.0, 3.0, 0.0]),
        node(Some((1, 1)), None, [0.0, 7.0, 5.0]),
        node(
            Some((0, 1)),
            test(
                "words",
                vec![
                    branch(
                        "nearest to the first",
                        set(&["apple", "pear", "plum"]),
                        0.25,
                    ),
                    branch("nearest to the second", set(&["oak"]), 0.25),
                    branch("nearest to the third", set(&[]), 0.25),
                    branch("unlike all", None, 0.25),
                ],
            ),
            [5.0, 8.0, 5.0],
        ),
        node(Some((4, 0)), None, [5.0, 0.0, 0.0]),
        node(Some((4, 1)), None, [0.0, 8.0, 0.0]),
        node(Some((4, 2)), None, [0.0, 0.0, 5.0]),
        node(Some((4, 3)), None, [0.0, 0.0, 0.0]),
        node(Some((0, 2)), None, [0.0, 2.0, 10.0]),
    ];
    let classes = || vec!["pos".to_owned(), "neg".to_owned(), HOSTILE.to_owned()];
    let target = |name: &str, kind: &'static str, labels: Vec<String>| TargetDrawn {
        name: name.to_owned(),
        kind,
        labels,
    };
    let tree = TreeDrawn {
        name: "tree 1".to_owned(),
        score: Some(0.25),
        nodes,
    };
    Drawing {
        title: HOSTILE.to_owned(),
        targets: vec![
            target("class", "classes", classes()),
            target("number", "number", Vec::new()),
            target("labels", "labels", classes()),
        ],
        trees: vec![
            tree.clone(),
            TreeDrawn {
                name: HOSTILE.to_owned(),
                score: None,
                ..tree
            },
        ],
        notes: vec![HOSTILE.to_owned()],
        ..Drawing::default()
    }
}

fn rows_made() -> Vec<RowDrawn> {
    let row = |name: &str, passed: Vec<(usize, u32, f64)>| RowDrawn {
        name: name.to_owned(),
        values: vec![
            ("sequence".to_owned(), Value::Text("ACGTGCA".to_owned())),
            (
                "words".to_owned(),
                Value::set(vec![Value::Symbol(HOSTILE.to_owned())]),
            ),
        ],
        passed,
    };
    vec![
        row(
            "first",
            vec![
                (0, 0, 1.0),
                (0, 1, 1.0),
                (0, 2, 1.0),
                (1, 0, 1.0),
                (1, 9, 1.0),
            ],
        ),
        row(
            HOSTILE,
            vec![
                (0, 0, 1.0),
                (0, 1, 0.7),
                (0, 2, 0.7),
                (0, 9, 0.3),
                (1, 0, 1.0),
                (1, 9, 1.0),
            ],
        ),
    ]
}

#[test]
fn every_node_and_branch_is_drawn() {
    let drawing = hand_made();
    let picture = svg(&drawing).alone();
    assert_eq!(picture.matches("class=\"card\"").count(), 6);
    assert_eq!(picture.matches("class=\"card leaf\"").count(), 14);
    assert_eq!(picture.matches("class=\"way\"").count(), 18);
    assert!(picture.contains("atom nitrogen") && picture.contains(">apple<"));
    // The name of the language, which nobody fetches.
    assert_eq!(picture.matches("http").count(), 1);
}

#[test]
fn names_do_not_get_out() {
    let drawing = hand_made();
    for picture in [svg(&drawing).alone(), html(&drawing, &rows_made())] {
        assert!(!picture.contains("</script><b>"), "{picture}");
        assert!(!picture.contains('\u{1}'));
    }
    // The theme's, the data and the trees': no name ends one of them.
    let page = html(&drawing, &rows_made());
    assert_eq!(page.matches("</script>").count(), 3);
    assert_eq!(page.matches("<script").count(), 3);
    let (style, shapes) = svg(&drawing)
        .alone()
        .split_once("</style>")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    assert!(style.starts_with("<svg xmlns="));
    assert!(value::tests::well_formed(
        shapes.trim_end().trim_end_matches("</svg>")
    ));
}

#[test]
fn graphviz_reads_what_is_quoted() {
    let text = dot(&hand_made());
    // Outside of quotes nothing but the language itself is left.
    let mut quoted = false;
    let mut escaped = false;
    let mut bare = String::new();
    for character in text.chars() {
        match (quoted, escaped, character) {
            (true, true, _) => escaped = false,
            (true, false, '\\') => escaped = true,
            (_, _, '"') => quoted = !quoted,
            (false, ..) => bare.push(character),
            _ => {}
        }
    }
    assert!(!quoted && !bare.contains("script"), "{bare}");
    assert_eq!(bare.matches("->").count(), 18);
    assert_eq!(bare.matches("subgraph").count(), 2);
    assert_eq!(bare.matches('{').count(), bare.matches('}').count());
}

#[test]
fn a_page_has_its_data_whole() {
    let page = html(&hand_made(), &rows_made());
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["trees"][0]["nodes"].as_array().unwrap().len(), 10);
    // Both trees speak of the same nine values, the rows of two more.
    assert_eq!(data["pieces"].as_array().unwrap().len(), 10);
    assert!(
        data["trees"][0]["aligned"]["0.1"][2]
            .as_str()
            .unwrap()
            .contains("cell gap")
    );
    assert_eq!(
        data["rows"][1]["ways"][0],
        serde_json::json!([[0, 1, 2, 9], [1, 0.7, 0.7, 0.3]])
    );
    assert_eq!(data["rows"][0]["ways"][1][1], serde_json::Value::Null);
    assert!(
        data["rows"][0]["aligned"]["0.0"][2]
            .as_str()
            .unwrap()
            .contains("cell")
    );
    assert!(!page.contains("http://") && !page.contains("https://"));
}

/// A tree over three tables, one of whose names tries to get out.
fn relational() -> Drawing {
    let key = |name: &str, from: usize, column: &str, to: usize| KeyDrawn {
        name: name.to_owned(),
        from,
        from_columns: vec![column.to_owned()],
        to,
        to_columns: vec!["id".to_owned()],
    };
    let step = |from: u32, key: usize, table: usize, name: &str, asked: bool| StepDrawn {
        from,
        key,
        table,
        name: name.to_owned(),
        asked,
    };
    let number = |mean: f64, formula: Option<String>| {
        vec![Mark::Number {
            formula,
            mean,
            deviation: 1.0,
            weight: 4.0,
        }]
    };
    let inner = NodeDrawn {
        test: Some(TestDrawn {
            words: "has an atom".to_owned(),
            column: "atom".to_owned(),
            distance: None,
            branches: vec![branch("yes", None, 0.5), branch("no", None, 0.5)],
        }),
        weight: 8.0,
        answers: number(2.0, None),
        steps: vec![step(0, 0, 1, "atom", true)],
        ..NodeDrawn::default()
    };
    let leaf = |place: usize, steps: Vec<StepDrawn>| NodeDrawn {
        parent: Some((0, place)),
        weight: 4.0,
        answers: number(
            place as f64,
            (place == 0).then(|| "y = 2 + 3 charge of atom".to_owned()),
        ),
        steps,
        ..NodeDrawn::default()
    };
    Drawing {
        title: "y".to_owned(),
        targets: vec![TargetDrawn {
            name: "y".to_owned(),
            kind: "number",
            labels: Vec::new(),
        }],
        trees: vec![TreeDrawn {
            name: "tree 1".to_owned(),
            score: None,
            nodes: vec![
                inner,
                leaf(
                    0,
                    vec![
                        step(0, 0, 1, "atom", false),
                        step(1, 2, 2, HOSTILE, false),
                        step(1, 1, 2, "bond 2", false),
                    ],
                ),
                leaf(1, Vec::new()),
            ],
        }],
        schema: Some(SchemaDrawn {
            tables: vec!["molecule".to_owned(), "atom".to_owned(), HOSTILE.to_owned()],
            root: 0,
            keys: vec![
                key("atoms", 1, "molecule", 0),
                key("first", 2, "atom1", 1),
                key("second", 2, HOSTILE, 1),
            ],
        }),
        ..Drawing::default()
    }
}

#[test]
fn relational_trees_show_formulas_and_the_keys_that_lead_to_their_nodes() {
    let drawing = relational();
    let svg = svg(&drawing).alone();
    assert!(svg.contains("y = 2 + 3 charge of atom"));
    // Of the one way that tables are joined all three keys are marked.
    assert_eq!(svg.matches("class=\"way followed\"").count(), 3);
    assert!(svg.contains("molecule › atom › "));
    assert!(!svg.contains(HOSTILE));
    let page = html(&drawing, &[]);
    assert!(page.contains("way asked") && page.contains("way followed"));
    assert!(!page.contains(HOSTILE));
    let dot = dot(&drawing);
    assert!(dot.contains("y = 2 + 3 charge of atom") && dot.contains("atom › bond 2"));
}
