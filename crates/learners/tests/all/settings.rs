//! Learners made by hand are those of the registry: the same models, byte for byte, and the same
//! refusals.

use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_learners::flatten::Kind;
use kinwood_learners::testing::{CLASS, NUMBER, bytes, linked_view, mixed_view};
use kinwood_learners::tree::constraint::Constraint;
use kinwood_learners::*;
use kinwood_similarity::{Expression, Missing};
use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};

/// What a learner makes of a view: the file of its model, or what it says is wrong.
fn outcome(learner: &dyn Learner, view: &View, target: usize) -> Result<Vec<u8>, String> {
    let task = Task::new(view, &[target]).unwrap();
    let model = learner.fit(&task, &Context::new().with_threads(1));
    model
        .map(|model| bytes(&*model))
        .map_err(|error| error.to_string())
}

/// The same of a learner by name, with text for settings.
fn by_text(
    name: &str,
    given: &[(&str, &str)],
    view: &View,
    target: usize,
) -> Result<Vec<u8>, String> {
    let registry = Registry::new();
    let entry = registry.find(name).unwrap();
    let learner = entry
        .settings(given)
        .and_then(|settings| entry.learner(&settings));
    match learner {
        Ok(learner) => outcome(&*learner, view, target),
        Err(error) => Err(error.to_string()),
    }
}

fn same(name: &str, given: &[(&str, &str)], learner: &dyn Learner, view: &View, target: usize) {
    let text = by_text(name, given, view, target);
    assert!(text.is_ok(), "{name} {given:?}: {text:?}");
    assert!(
        outcome(learner, view, target) == text,
        "{name} {given:?}: another model"
    );
}

fn refused(name: &str, given: &[(&str, &str)], learner: &dyn Learner, view: &View, target: usize) {
    let text = by_text(name, given, view, target);
    assert!(text.is_err(), "{name} {given:?} is not refused");
    assert_eq!(outcome(learner, view, target), text, "{name} {given:?}");
}

fn expression(text: &str) -> Expression {
    text.parse().unwrap()
}

fn weights(pairs: &[(&str, f64)]) -> BTreeMap<String, f64> {
    let pair = |&(name, weight): &(&str, f64)| (name.to_owned(), weight);
    pairs.iter().map(pair).collect()
}

/// Bags of numbers with a class: positive ones have a member near 9.
fn bags() -> View {
    let mut column = Column::empty(&"bag<numeric>".parse::<Type>().unwrap());
    let mut labels = Vec::new();
    for row in 0..16_u32 {
        let positive = row % 3 == 0;
        let mut members = vec![Value::Number(f64::from(row % 5) * 0.3)];
        members.push(Value::Number(f64::from(row) * 0.1));
        if positive {
            members.push(Value::Number(9.0 + f64::from(row % 2) * 0.2));
        }
        column.push(&Value::bag(members)).unwrap();
        labels.push(Some(if positive { "yes" } else { "no" }));
    }
    let attributes = vec![
        Attribute::new("bag", column),
        Attribute::new("class", Column::nominal(labels)),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// Owners, of whom a class and an amount depend on the sizes of their parts.
fn owners() -> View {
    let (mut class, mut amount, mut of, mut size) = (vec![], vec![], vec![], vec![]);
    for owner in 0..30_u32 {
        for part in 0..1 + owner % 3 {
            of.push(f64::from(owner));
            size.push(f64::from((owner * 7 + part * 5) % 11));
        }
        let large = (owner * 7) % 11 > 5;
        class.push(Some(if large { "large" } else { "small" }));
        amount.push(f64::from((owner * 7) % 11) * 2.0 + f64::from(owner % 2));
    }
    linked_view(
        vec![
            Attribute::new("class", Column::nominal(class)),
            Attribute::new("amount", Column::numeric(amount)),
        ],
        ("part", of),
        vec![Attribute::new("size", Column::numeric(size))],
    )
}

const OWNERS_CLASS: usize = 1;
const OWNERS_AMOUNT: usize = 2;

#[test]
fn defaults_are_those_of_the_registry() {
    let (view, bags) = (mixed_view(40), bags());
    let nominal: [(&str, Box<dyn Learner>); 9] = [
        ("majority", Box::new(Majority)),
        ("oner", Box::new(OneR::default())),
        ("knn", Box::new(Knn::default())),
        ("kstar", Box::new(KStar::default())),
        ("tree", Box::new(TreeLearner::default())),
        ("dbdt", Box::new(Dbdt::default())),
        ("forest", Box::new(Forest::default())),
        ("centres", Box::new(Centres::default())),
        ("svm", Box::new(Svm::default())),
    ];
    let numeric: [(&str, Box<dyn Learner>); 4] = [
        ("mean", Box::new(Mean)),
        ("m5", Box::new(M5::default())),
        ("svr", Box::new(Svr::default())),
        ("ridge", Box::new(Ridge::default())),
    ];
    let of_bags: [(&str, Box<dyn Learner>); 2] = [
        ("citation_knn", Box::new(CitationKnn::default())),
        ("mi_svm", Box::new(MiSvm::default())),
    ];
    let all = nominal.iter().chain(&numeric).chain(&of_bags);
    let mut names: Vec<&str> = all.map(|(name, _)| *name).chain(["mirt"]).collect();
    names.sort_unstable();
    let registry = Registry::new();
    let mut known: Vec<&str> = registry.entries().iter().map(|entry| entry.name).collect();
    known.sort_unstable();
    assert_eq!(names, known, "every learner has a struct");
    for (name, learner) in &nominal {
        same(name, &[], &**learner, &view, CLASS);
    }
    for (name, learner) in &numeric {
        same(name, &[], &**learner, &view, NUMBER);
    }
    for (name, learner) in &of_bags {
        same(name, &[], &**learner, &bags, 1);
    }
    same("mirt", &[], &Mirt::default(), &owners(), OWNERS_AMOUNT);
    assert_eq!(BeamSearch::default(), TreeLearner::default().beam);
}

#[test]
fn instances() {
    let view = mixed_view(40);
    same(
        "oner",
        &[("bucket", "3")],
        &OneR { bucket: 3 },
        &view,
        CLASS,
    );
    let three = Knn {
        k: 3,
        ..Default::default()
    };
    same("knn", &[("k", "3")], &three, &view, CLASS);
    let chosen = Knn {
        choose_k: Some(8),
        weights: NeighbourWeights::Kernel,
        distance: expression("mean"),
        ..Default::default()
    };
    let given = [
        ("k", "loo"),
        ("most", "8"),
        ("weights", "kernel"),
        ("distance", "mean"),
    ];
    same("knn", &given, &chosen, &view, NUMBER);
    let kept = Knn {
        filter: Some(InstanceFilter::Ib3),
        missing: Missing::Skip,
        depth: 0,
        ..Default::default()
    };
    let given = [("filter", "ib3"), ("missing", "skip"), ("depth", "0")];
    same("knn", &given, &kept, &view, CLASS);
    same("knn", &[("preset", "ib1")], &Knn::ib1(), &view, CLASS);

    let own = KStar {
        blend: 0.3,
        blends: vec![("age".to_owned(), 0.5)],
        missing: Lacking::Maximal,
        distances: vec![("size".to_owned(), expression("absolute"))],
        ..Default::default()
    };
    let given = [
        ("blend", "0.3, age=0.5"),
        ("missing", "maximal"),
        ("distance", "size: absolute"),
    ];
    same("kstar", &given, &own, &view, CLASS);
    let weka = KStar {
        weka: true,
        auto_blend: true,
        ..Default::default()
    };
    same(
        "kstar",
        &[("compat", "weka"), ("auto_blend", "true")],
        &weka,
        &view,
        CLASS,
    );
    let chosen = KStar {
        choose_blend: true,
        ..Default::default()
    };
    same(
        "kstar",
        &[("blend", "cross_validation")],
        &chosen,
        &view,
        NUMBER,
    );

    let cited = CitationKnn {
        references: 3,
        citers: 2,
        ties: Some("yes".to_owned()),
        bags: expression("hausdorff"),
        ..Default::default()
    };
    let given = [
        ("references", "3"),
        ("citers", "2"),
        ("ties", "yes"),
        ("bags", "hausdorff"),
    ];
    same("citation_knn", &given, &cited, &bags(), 1);

    let centres = Centres {
        leaf: 3.0,
        levels: Some(2),
        ..Default::default()
    };
    same(
        "centres",
        &[("leaf", "3"), ("levels", "2")],
        &centres,
        &view,
        NUMBER,
    );
}

#[test]
fn trees() {
    let view = mixed_view(40);
    let beam = TreeLearner {
        search: SearchMethod::Beam,
        heuristic: Some(Criterion::Gini),
        size: Some(7),
        constraints: Some(Constraint::parse("depth <= 3").unwrap()),
        costs: weights(&[("age", 2.5)]),
        beam: BeamSearch {
            width: 3,
            beta: 1.0,
            compared: Compared::Distributions,
            ..Default::default()
        },
        combine: Combine::Average,
        class_weights: weights(&[("low", 3.0)]),
        ..TreeLearner::paper()
    };
    let given = [
        ("preset", "paper"),
        ("search", "beam"),
        ("heuristic", "gini"),
        ("size", "7"),
        ("constraints", "depth <= 3"),
        ("costs", "age=2.5"),
        ("width", "3"),
        ("beta", "1"),
        ("similarity", "distributions"),
        ("combine", "average"),
        ("class_weights", "low=3"),
    ];
    same("tree", &given, &beam, &view, CLASS);
    let cut = TreeLearner {
        leaf: 3.0,
        depth: Some(3),
        pruning: PruningMethod::CostComplexity,
        one_se: true,
        subsets: false,
        missing: MissingBranch::Largest,
        target_weights: TargetWeights::Listed(vec![2.0]),
        ..Default::default()
    };
    let given = [
        ("leaf", "3"),
        ("depth", "3"),
        ("pruning", "cost_complexity"),
        ("one_se", "true"),
        ("subsets", "false"),
        ("missing", "largest"),
        ("target_weights", "2"),
    ];
    same("tree", &given, &cut, &view, NUMBER);
    let dbdt = Dbdt {
        prototypes: None,
        attraction: Attraction::Density,
        boundary: Boundary::Best,
        gain: true,
        heuristic: None,
        pruning: PruningMethod::C45,
        confidence: 0.1,
        ..Default::default()
    };
    let given = [
        ("prototypes", "all"),
        ("attraction", "density"),
        ("boundary", "best"),
        ("gain", "true"),
        ("heuristic", "auto"),
        ("pruning", "c45"),
        ("confidence", "0.1"),
    ];
    same("dbdt", &given, &dbdt, &view, CLASS);
    let extra = Forest {
        trees: 7,
        sample: Sample::All,
        tests: ForestTests::Drawn,
        inputs: NodeInputs::Number(2),
        combine: Combine::Vote,
        ..Default::default()
    };
    let given = [
        ("preset", "extra"),
        ("trees", "7"),
        ("inputs", "2"),
        ("combine", "vote"),
    ];
    same("forest", &given, &extra, &view, CLASS);
    let proximity = Forest {
        trees: 5,
        sample: Sample::All,
        tests: ForestTests::DrawnPrototypes,
        draws: 2,
        prototypes: None,
        keys: 1,
        ..Default::default()
    };
    let given = [("preset", "proximity"), ("trees", "5"), ("draws", "2")];
    same("forest", &given, &proximity, &view, CLASS);
    let subspaces = Forest {
        trees: 5,
        sample: Sample::Part,
        inputs: NodeInputs::All,
        space: 0.5,
        search: SearchMethod::BestFirst,
        size: Some(9),
        ..Default::default()
    };
    let given = [
        ("preset", "subspaces"),
        ("sample", "subsample"),
        ("trees", "5"),
        ("search", "best_first"),
        ("size", "9"),
    ];
    same("forest", &given, &subspaces, &view, NUMBER);
    let m5 = M5 {
        leaf: 6.0,
        pruning: false,
        smoothing: false,
        constant: true,
    };
    let given = [
        ("leaf", "6"),
        ("pruning", "false"),
        ("smoothing", "false"),
        ("constant", "true"),
    ];
    same("m5", &given, &m5, &view, NUMBER);

    let owners = owners();
    same(
        "mirt",
        &[("preset", "best")],
        &Mirt::best(),
        &owners,
        OWNERS_AMOUNT,
    );
    let mirt = Mirt {
        keys: 1,
        at_least: true,
        counts: true,
        heuristic: Spread::Variance,
        objects: Some(4),
        leaf_model: LeafModel::Smoti,
        pruning: MirtPruning::M5,
        size: Some(7),
        bindings: Some(500),
        ..Default::default()
    };
    let given = [
        ("keys", "1"),
        ("at_least", "true"),
        ("counts", "true"),
        ("heuristic", "variance"),
        ("objects", "4"),
        ("leaf_model", "smoti"),
        ("pruning", "m5"),
        ("size", "7"),
        ("bindings", "500"),
    ];
    same("mirt", &given, &mirt, &owners, OWNERS_AMOUNT);
    let cut = Mirt {
        pruning: MirtPruning::CostComplexity { one_se: true },
        ..Default::default()
    };
    let given = [("pruning", "cost_complexity"), ("one_se", "true")];
    same("mirt", &given, &cut, &owners, OWNERS_CLASS);
}

#[test]
fn kernels() {
    let view = mixed_view(40);
    let svm = Svm {
        c: 10.0,
        gamma: Gamma::Automatic(2.0),
        weights: ClassWeights::Given(vec![("low".to_owned(), 2.0)]),
        indefinite: Correction::Clip,
        probabilities: false,
        ..Default::default()
    };
    let given = [
        ("c", "10"),
        ("gamma", "auto*2"),
        ("weights", "low:2"),
        ("indefinite", "clip"),
        ("probabilities", "false"),
    ];
    same("svm", &given, &svm, &view, CLASS);
    let tuned = Svm {
        weights: ClassWeights::Balanced,
        tune: Some(Tune {
            folds: 3,
            c: vec![0.5, 5.0],
            gamma: vec![Gamma::Automatic(1.0), Gamma::Number(0.3)],
        }),
        ..Default::default()
    };
    let given = [
        ("weights", "balanced"),
        ("tune", "3"),
        ("c", "0.5, 5"),
        ("gamma", "auto, 0.3"),
    ];
    same("svm", &given, &tuned, &view, CLASS);
    let nu = Svm {
        form: SvmForm::Nu,
        nu: 0.2,
        kernel: expression("gaussian(mean)"),
        depth: 0,
        ..Default::default()
    };
    let given = [
        ("form", "nu"),
        ("nu", "0.2"),
        ("kernel", "gaussian(mean)"),
        ("depth", "0"),
    ];
    same("svm", &given, &nu, &view, CLASS);
    let region = Svm {
        form: SvmForm::OneClass,
        class: Some("low".to_owned()),
        ..Default::default()
    };
    same(
        "svm",
        &[("form", "one_class"), ("class", "low")],
        &region,
        &view,
        CLASS,
    );

    let svr = Svr {
        c: 5.0,
        epsilon: 0.2,
        scaled: false,
        shrinking: false,
        tolerance: 0.01,
        ..Default::default()
    };
    let given = [
        ("c", "5"),
        ("epsilon", "0.2"),
        ("scaled", "false"),
        ("shrinking", "false"),
        ("tolerance", "0.01"),
    ];
    same("svr", &given, &svr, &view, NUMBER);
    let nu = Svr {
        form: SvrForm::Nu,
        nu: 0.4,
        gamma: Gamma::Number(0.5),
        ..Default::default()
    };
    same(
        "svr",
        &[("form", "nu"), ("nu", "0.4"), ("gamma", "0.5")],
        &nu,
        &view,
        NUMBER,
    );

    let ridge = Ridge {
        lambda: 0.5,
        ..Default::default()
    };
    same("ridge", &[("lambda", "0.5")], &ridge, &view, NUMBER);
    let chosen = Ridge {
        choose_lambda: true,
        ..Default::default()
    };
    same("ridge", &[("lambda", "loo")], &chosen, &view, NUMBER);

    let bags = bags();
    for (form, name) in [(BagForm::Instance, "instance"), (BagForm::Kernel, "kernel")] {
        let machine = MiSvm {
            form,
            c: 10.0,
            positive: Some("yes".to_owned()),
            bags: Some("bag".to_owned()),
            rounds: 9,
            ..Default::default()
        };
        let given = [
            ("form", name),
            ("c", "10"),
            ("positive", "yes"),
            ("bags", "bag"),
            ("rounds", "9"),
        ];
        same("mi_svm", &given, &machine, &bags, 1);
    }
    let tuned = MiSvm {
        tune: Some(Tune {
            folds: 2,
            c: vec![1.0, 10.0],
            gamma: Vec::new(),
        }),
        ..Default::default()
    };
    same("mi_svm", &[("tune", "2"), ("c", "1, 10")], &tuned, &bags, 1);
}

#[test]
fn flattened() {
    let view = owners().hiding(0, OWNERS_CLASS);
    let tree = TreeLearner {
        depth: Some(2),
        ..Default::default()
    };
    let given = [("flatten", "p1"), ("depth", "2")];
    let joined = Flatten::default().around(tree.clone());
    same("tree", &given, &joined, &view, OWNERS_AMOUNT);
    let averaged = Flatten {
        kind: Kind::Averaged,
        depth: 1,
        ..Default::default()
    };
    let given = [("flatten", "p2"), ("flatten_depth", "1"), ("depth", "2")];
    same("tree", &given, &averaged.around(tree), &view, OWNERS_AMOUNT);
    let deep = Flatten {
        depth: 0,
        ..Default::default()
    };
    let given = [("flatten", "p1"), ("flatten_depth", "0")];
    refused("mean", &given, &deep.around(Mean), &view, OWNERS_AMOUNT);
    let few = Flatten {
        rows: 3,
        ..Default::default()
    };
    let given = [("flatten", "p1"), ("flatten_rows", "3")];
    refused("mean", &given, &few.around(Mean), &view, OWNERS_AMOUNT);
}

#[test]
fn what_text_cannot_say_is_refused_alike() {
    let view = mixed_view(20);
    let class = |name: &str, given: &[(&str, &str)], learner: &dyn Learner| {
        refused(name, given, learner, &view, CLASS);
    };
    class("oner", &[("bucket", "0")], &OneR { bucket: 0 });
    let knn = Knn::default();
    class(
        "knn",
        &[("depth", "99")],
        &Knn {
            depth: 99,
            ..knn.clone()
        },
    );
    let most = Knn {
        choose_k: Some(0),
        ..knn.clone()
    };
    class("knn", &[("k", "loo"), ("most", "0")], &most);
    let filtered = Knn {
        choose_k: Some(30),
        filter: Some(InstanceFilter::Ib2),
        ..knn
    };
    class("knn", &[("k", "loo"), ("filter", "ib2")], &filtered);
    let blend = KStar {
        blend: 2.0,
        ..Default::default()
    };
    class("kstar", &[("blend", "2")], &blend);
    let blend = KStar {
        blends: vec![("age".to_owned(), -1.0)],
        ..Default::default()
    };
    class("kstar", &[("blend", "0.2, age=-1")], &blend);
    let references = CitationKnn {
        references: 0,
        ..Default::default()
    };
    class("citation_knn", &[("references", "0")], &references);
    let leaf = Centres {
        leaf: 0.0,
        ..Default::default()
    };
    class("centres", &[("leaf", "0")], &leaf);

    let tree = TreeLearner::default();
    class(
        "tree",
        &[("size", "0")],
        &TreeLearner {
            size: Some(0),
            ..tree.clone()
        },
    );
    class(
        "tree",
        &[("prototypes", "1")],
        &TreeLearner {
            prototypes: Some(1),
            ..tree.clone()
        },
    );
    let costs = TreeLearner {
        costs: weights(&[("age", -1.0)]),
        ..tree.clone()
    };
    class("tree", &[("costs", "age=-1")], &costs);
    let listed = TreeLearner {
        target_weights: TargetWeights::Listed(vec![1.0, -2.0]),
        ..tree
    };
    class("tree", &[("target_weights", "1, -2")], &listed);
    let held_out = Dbdt {
        search: SearchMethod::Beam,
        pruning: PruningMethod::ReducedError,
        ..Default::default()
    };
    class(
        "dbdt",
        &[("search", "beam"), ("pruning", "reduced_error")],
        &held_out,
    );
    let forest = Forest::default();
    class(
        "forest",
        &[("size", "9")],
        &Forest {
            size: Some(9),
            ..forest.clone()
        },
    );
    let beam = Forest {
        search: SearchMethod::Beam,
        ..forest.clone()
    };
    class("forest", &[("search", "beam")], &beam);
    class(
        "forest",
        &[("combine", "best")],
        &Forest {
            combine: Combine::Best,
            ..forest
        },
    );
    let keys = Mirt {
        keys: 9,
        ..Default::default()
    };
    class("mirt", &[("keys", "9")], &keys);

    let svm = Svm::default();
    class(
        "svm",
        &[("c", "0")],
        &Svm {
            c: 0.0,
            ..svm.clone()
        },
    );
    class(
        "svm",
        &[("gamma", "-2")],
        &Svm {
            gamma: Gamma::Number(-2.0),
            ..svm.clone()
        },
    );
    class(
        "svm",
        &[("nu", "0.3")],
        &Svm {
            nu: 0.3,
            ..svm.clone()
        },
    );
    class(
        "svm",
        &[("form", "nu"), ("c", "3")],
        &Svm {
            form: SvmForm::Nu,
            c: 3.0,
            ..svm.clone()
        },
    );
    class(
        "svm",
        &[("class", "low")],
        &Svm {
            class: Some("low".to_owned()),
            ..svm.clone()
        },
    );
    let tune = |c: &[f64]| {
        Some(Tune {
            folds: 5,
            c: c.to_vec(),
            gamma: Vec::new(),
        })
    };
    class(
        "svm",
        &[("tune", "5")],
        &Svm {
            tune: tune(&[]),
            ..svm.clone()
        },
    );
    let weights = ClassWeights::Given(vec![("low".to_owned(), 0.0)]);
    class(
        "svm",
        &[("weights", "low:0")],
        &Svm {
            weights,
            ..svm.clone()
        },
    );
    let gram = Svm {
        gram: Some("m.npy".to_owned()),
        gamma: Gamma::Number(2.0),
        ..svm.clone()
    };
    class("svm", &[("gram", "m.npy"), ("gamma", "2")], &gram);
    let fixed = Svm {
        kernel: expression("gaussian(euclidean, gamma=1)"),
        gamma: Gamma::Number(2.0),
        ..svm
    };
    class(
        "svm",
        &[("kernel", "gaussian(euclidean, gamma=1)"), ("gamma", "2")],
        &fixed,
    );
    let rounds = MiSvm {
        rounds: 0,
        ..Default::default()
    };
    class("mi_svm", &[("rounds", "0")], &rounds);

    let m5 = M5 {
        leaf: 0.0,
        ..Default::default()
    };
    refused("m5", &[("leaf", "0")], &m5, &view, NUMBER);
    let epsilon = Svr {
        epsilon: -1.0,
        ..Default::default()
    };
    refused("svr", &[("epsilon", "-1")], &epsilon, &view, NUMBER);
    let lambda = Ridge {
        lambda: -1.0,
        ..Default::default()
    };
    refused("ridge", &[("lambda", "-1")], &lambda, &view, NUMBER);
}

#[test]
fn a_value_is_quoted_as_it_was_written() {
    let view = mixed_view(20);
    let message = |given: &[(&str, &str)]| by_text("svm", given, &view, CLASS).unwrap_err();
    assert!(message(&[("form", "nu"), ("c", "3.0")]).starts_with("setting `c` cannot be `3.0`"));
    assert!(message(&[("form", "nu"), ("c", "1,2"), ("tune", "5")]).contains("cannot be `1,2`"));
}
