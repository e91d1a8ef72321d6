//! Settings of structs and of text make the same models.

use super::*;

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
        k: Some(3),
        ..Default::default()
    };
    same("knn", &[("k", "3")], &three, &view, CLASS);
    let chosen = Knn {
        most: 8,
        left_out: None,
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
        missing: MissingBranch::Divide,
        prior: 0.0,
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
        missing: MissingBranch::Divide,
        prior: 0.0,
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
        missing: MissingBranch::Divide,
        prior: 0.0,
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
        depth: Some(3),
        ..Default::default()
    };
    let given = [
        ("leaf", "6"),
        ("pruning", "false"),
        ("smoothing", "false"),
        ("constant", "true"),
        ("depth", "3"),
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
        pruning: PruningMethod::M5,
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
        pruning: PruningMethod::CostComplexity,
        one_se: true,
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
