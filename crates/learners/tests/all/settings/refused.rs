//! What text cannot say is refused in structs with the same words.

use super::*;

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
        most: 0,
        ..knn.clone()
    };
    class("knn", &[("k", "loo"), ("most", "0")], &most);
    let filtered = Knn {
        left_out: None,
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
