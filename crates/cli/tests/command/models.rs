//! Model files: the same bytes from the same command, damage named, other data refused or told.

use crate::sandbox::Sandbox;

#[test]
fn threads_outputs_and_silence_change_no_byte() {
    let sandbox = Sandbox::new();
    let rows: String = (0..400)
        .map(|row| {
            format!(
                "{},{},{}\n",
                row * 7 % 31,
                row * 13 % 17,
                ["a", "b", "c"][row * row % 3]
            )
        })
        .collect();
    sandbox.write("data.csv", format!("x,y,c\n{rows}"));
    for learner in ["knn", "oner", "majority"] {
        let fit = format!("fit {learner} data.csv --target c --seed 5");
        sandbox.out(&format!("{fit} --threads 1 -o one.kin --force"));
        sandbox.out(&format!(
            "{fit} --threads 2 --quiet --time 1h --memory 1G -o two.kin --force"
        ));
        assert_eq!(
            sandbox.read("one.kin"),
            sandbox.read("two.kin"),
            "{learner}"
        );
        let one = sandbox.out("predict one.kin data.csv --threads 1");
        assert_eq!(
            one,
            sandbox.out("predict two.kin data.csv --threads 2"),
            "{learner}"
        );
        let evaluate = format!("evaluate {learner} data.csv --target c --folds 5 --seed 5 --json");
        let one = sandbox.out(&format!("{evaluate} --threads 1"));
        assert_eq!(
            one,
            sandbox.out(&format!("{evaluate} --threads 2")),
            "{learner}"
        );
    }
}

#[test]
fn a_damaged_or_foreign_file_is_refused_by_name() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play -o model.kin --force");
    let whole = sandbox.read("model.kin");
    sandbox.write("cut.kin", &whole[..100]);
    assert_eq!(
        sandbox.err("show cut.kin"),
        "error: model `cut.kin`: header is damaged: it ends at byte 144, the file has only 100 bytes\n"
    );
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    sandbox.write("flipped.kin", flipped);
    let told = sandbox.err("predict flipped.kin weather.csv");
    assert!(told.starts_with("error: model `flipped.kin`: "), "{told}");
    assert!(told.contains(" is damaged: "), "{told}");
    assert_eq!(
        sandbox.err("append weather.csv weather.csv"),
        "error: model `weather.csv`: not a kinwood model file: it looks like text\n"
    );
    assert_eq!(
        sandbox.err("show none.kin"),
        "error: cannot read `none.kin`: no such file or directory\n"
    );
}

#[test]
fn other_data_than_the_model_knows_has_a_policy() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play -o model.kin --force");
    sandbox.write("lacking.csv", "outlook,windy\nsunny,true\n");
    assert_eq!(
        sandbox.err("predict model.kin lacking.csv"),
        "error: the data lacks column `temperature` of table `weather`, which the model needs; it has `outlook`, `windy`\n"
    );
    sandbox.write("typed.csv", "outlook,temperature,windy\nsunny,hot,true\n");
    assert_eq!(
        sandbox.err("predict model.kin typed.csv"),
        "error: column `temperature` of table `typed` is `nominal` but the model was fitted on `numeric`, and row 1 holds `hot`, which cannot be read so\n"
    );
    sandbox.write(
        "unseen.csv",
        "windy,extra,outlook,temperature\ntrue,1,foggy,70\n",
    );
    let ended = sandbox.run("predict model.kin unseen.csv");
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (
            0,
            "note: column `outlook` holds values not seen in training (`foggy`): they count as unlike every known value\n"
        )
    );
    assert!(
        ended
            .out
            .starts_with("row,prediction,p(no),p(yes)\n1,no,1,0\n"),
        "{}",
        ended.out
    );
}

#[test]
fn a_model_needs_only_the_tables_its_learner_looks_at() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("db")).unwrap();
    std::fs::create_dir(sandbox.path("two")).unwrap();
    sandbox.write(
        "db/molecule.csv",
        "name,logp,class\nm1,1,a\nm2,2,b\nm3,3,a\n",
    );
    sandbox.write("db/atom.csv", "molecule,element\nm1,c\nm9,o\n");
    sandbox.write("other.csv", "name,logp\nm7,2\n");
    let fit = "fit knn db --target class --ignore molecule.name --set depth=0 --set k=1 -o model.kin --force";
    sandbox.out(fit);
    let expected = "row,prediction,p(a),p(b)\n1,b,0,1\n";
    assert_eq!(sandbox.out("predict model.kin other.csv"), expected);
    // At depth 0 nearest neighbours look at the molecules alone, also where a foreign key leads on.
    sandbox.write(
        "db/schema.toml",
        "target = \"class\"\n[tables.molecule]\nkey = \"name\"\n[tables.atom]\n\
         [[tables.atom.foreign_keys]]\ncolumns = \"molecule\"\nreferences = \"molecule\"\n",
    );
    assert_eq!(sandbox.run(fit).code, 0);
    assert!(
        sandbox
            .out("predict model.kin other.csv")
            .ends_with(",b,0,1\n")
    );
    sandbox.write("two/x.csv", "a\n1\n");
    sandbox.write("two/y.csv", "a\n1\n");
    let told = sandbox.run("predict model.kin two").err;
    assert!(
        told.contains("the data lacks table `molecule`, which the model needs"),
        "{told}"
    );
    // What is wrong with keys is told once, though it is found twice.
    let told = sandbox.run("predict model.kin db").err;
    assert_eq!(told.matches("refer by").count(), 1, "{told}");
}

#[test]
fn neither_data_nor_model_is_written_over() {
    let sandbox = Sandbox::with_weather();
    let fit = "fit oner weather.csv --target play";
    let refused = |path: &str| format!("error: cannot write `{path}`: it is a file that is read\n");
    let told = sandbox.err(&format!("{fit} -o ./weather.csv"));
    assert_eq!(told, refused("./weather.csv"));
    sandbox.out(&format!("{fit} -o model.kin --force"));
    for path in ["model.kin", "weather.csv"] {
        let before = sandbox.read(path);
        let told = sandbox.err(&format!("predict model.kin weather.csv -o {path}"));
        assert_eq!(told, refused(path));
        assert_eq!(sandbox.read(path), before);
    }
}

#[test]
fn a_model_that_cannot_be_appended_to_says_so_and_stays() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit oner weather.csv --target play -o rule.kin --force");
    let before = sandbox.read("rule.kin");
    assert_eq!(
        sandbox.err("append rule.kin weather.csv"),
        "error: a `oner` model cannot be appended to: fit it again on all the data\n"
    );
    assert_eq!(sandbox.read("rule.kin"), before);
}

#[test]
fn explanations_are_tables_and_rules_have_none() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit kstar weather.csv --target play -o stars.kin --force");
    let told = sandbox.out("predict stars.kin weather.csv --explain=2 --rows 'windy = true'");
    assert!(told.starts_with("row 2\nplay: "), "{told}");
    assert_eq!(told.matches("12 others").count(), 6, "{told}");
    sandbox.out("fit knn weather.csv --target play --set k=3 -o near.kin --force");
    let told = sandbox.out("predict near.kin weather.csv --explain --rows 'temperature = 70'");
    assert!(
        told.contains("stored row  share     play  distance  weight"),
        "{told}"
    );
    assert!(told.contains("0 others"), "{told}");
    sandbox.out("fit citation_knn weather.csv --target play -o cited.kin --force");
    let told = sandbox.out("predict cited.kin weather.csv --explain --rows 'temperature = 70'");
    assert!(told.contains("reference, citer"), "{told}");
    sandbox.out("fit oner weather.csv --target play -o model.kin --force");
    let told = sandbox.err("predict model.kin weather.csv --explain");
    assert!(
        told.contains("a `oner` model cannot explain its predictions"),
        "{told}"
    );
}

#[test]
fn a_model_that_is_no_set_is_its_only_member_and_knn_is_no_sql() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play -o model.kin --force");
    for words in ["show model.kin", "predict model.kin weather.csv"] {
        let whole = sandbox.out(words);
        assert_eq!(sandbox.out(&format!("{words} --member 1")), whole);
        for other in [0, 2] {
            assert_eq!(
                sandbox.err(&format!("{words} --member {other}")),
                format!(
                    "error: there is no member {other}: the model has 1 member, counted from 1\n"
                )
            );
        }
    }
    assert_eq!(
        sandbox.err("show model.kin --sql"),
        "error: a `knn` model cannot be written as SQL\n"
    );
    let told = sandbox.err("show model.kin --sql=anwers");
    assert!(told.contains("expected answers, shares or known"), "{told}");
}

#[test]
fn a_model_of_flattened_tables_keeps_its_terms() {
    let sandbox = Sandbox::new();
    sandbox.out("sample molecules --size 40 -o data");
    for (kind, says) in [
        ("p1", "averaged over the rows"),
        ("p2 --set aggregates=paper", "most frequent labels"),
        ("p2", "aggregates along"),
    ] {
        let fit = format!("fit tree data --target molecule.activity --set flatten={kind}");
        sandbox.out(&format!("{fit} --threads 1 -o one.kin --force"));
        sandbox.out(&format!("{fit} --threads 2 -o two.kin --force"));
        assert_eq!(sandbox.read("one.kin"), sandbox.read("two.kin"));
        let shown = sandbox.out("show one.kin");
        assert!(
            shown.contains(says) && shown.contains("\n  atom.bond(atom1_id).atom(atom2_id)\n"),
            "{shown}"
        );
        let predicted = sandbox.out("predict one.kin data");
        assert_eq!(predicted.lines().count(), 41, "{predicted}");
        if kind == "p2" {
            let view = sandbox.out("show one.kin --sql");
            assert!(view.contains("WITH flat AS"), "{view}");
        } else {
            let told = sandbox.err("show one.kin --sql");
            assert!(
                told.contains(&format!("fitted with flatten={}", &kind[..2])),
                "{told}"
            );
        }
    }
    let flatten = "convert data flat.csv --flatten --target molecule.activity";
    let told = sandbox.out(&format!("{flatten} --set aggregates=count,mean"));
    assert!(told.starts_with("wrote flat.csv and"), "{told}");
    let header = sandbox.out("describe flat.csv");
    assert!(header.contains("mean(atom.charge)"), "{header}");
    let catalogue = String::from_utf8(sandbox.read("flat.catalogue.json")).unwrap();
    assert!(
        catalogue.contains("the mean of `charge` of the rows of `atom`"),
        "{catalogue}"
    );
    assert!(catalogue.contains("SELECT AVG("), "{catalogue}");
    let told = sandbox.err(&format!("{flatten} --set aggregates=coumt --force"));
    assert!(told.contains("did you mean `count`?"), "{told}");
    sandbox.out("fit knn data --target molecule.activity --set flatten=p2 -o near.kin");
    let told = sandbox.err("predict near.kin data/molecule.csv");
    assert!(told.contains("atom"), "{told}");
    let told = sandbox
        .err("fit mean data --target molecule.activity --set flatten=p1 --set flatten_rows=100");
    assert!(
        told.contains("more than flatten_rows=100; most of an object are the ")
            && told.contains("of `molecule`"),
        "{told}"
    );
}

#[test]
fn a_relational_tree_is_told_drawn_explained_and_written_as_a_view() {
    let sandbox = Sandbox::new();
    sandbox.out("sample molecules -o m.sqlite");
    sandbox.out("fit mirt m.sqlite --target molecule.activity --ignore molecule.active --set depth=3 -o m.kin --force");
    let text = sandbox.out("show m.kin");
    assert!(text.contains("as queries, with the objects that reach them:"));
    assert_eq!(sandbox.out("show m.kin --format text"), text);
    let view = sandbox.out("show m.kin --sql --view told");
    assert!(view.contains("CREATE VIEW \"told\" AS\n"), "{view}");
    assert!(view.ends_with("FROM \"molecule\" AS o;\n"), "{view}");
    assert_eq!(
        sandbox.out("show m.kin --format sql"),
        view.replace("\"told\"", "\"predictions\"")
    );
    let json = sandbox.out("show m.kin --format json");
    assert_eq!(json, sandbox.out("show m.kin --json"));
    assert!(
        sandbox
            .out("show m.kin --format dot")
            .starts_with("digraph")
    );
    assert!(
        sandbox
            .out("show m.kin --format svg")
            .contains("The keys followed")
    );
    assert!(
        sandbox
            .out("show m.kin --format html")
            .contains("way followed")
    );
    let told = sandbox.out("predict m.kin m.sqlite --explain");
    assert!(told.contains("term ") && told.contains("of\n"), "{told}");
}
