//! Each verb on good data: what it prints and what it writes.

use std::process::Stdio;

use crate::sandbox::{Sandbox, WEATHER};

#[test]
fn describe_shows_columns_and_the_target() {
    let sandbox = Sandbox::with_weather();
    let text = sandbox.out("describe weather.csv --target play");
    assert!(
        text.contains("weather   14 rows, 4 columns, CSV\n"),
        "{text}"
    );
    assert!(text.contains("play         nominal  target"), "{text}");
    let few = sandbox.out("describe weather.csv --rows 'windy = true'");
    assert!(few.contains("weather   6 rows, 4 columns, CSV\n"), "{few}");
}

#[test]
fn a_schema_is_printed_written_and_not_overwritten() {
    let sandbox = Sandbox::with_weather();
    let schema = sandbox.out("describe weather.csv --target play --schema");
    assert!(schema.contains("target = \"play\""), "{schema}");
    let words = "describe weather.csv --target play --schema -o weather.schema.toml";
    assert_eq!(sandbox.out(words), "wrote weather.schema.toml\n");
    assert_eq!(sandbox.read("weather.schema.toml"), schema.as_bytes());
    assert_eq!(
        sandbox.err(words),
        "error: `weather.schema.toml` is already there\n help: `--force` replaces it\n"
    );
    sandbox.out(&format!("{words} --force"));
    // The schema beside the data now names the target.
    let learned = sandbox.out("fit majority weather.csv");
    assert!(
        learned.starts_with("majority learned play from 14 rows"),
        "{learned}"
    );
}

#[test]
fn convert_keeps_targets_and_overwrites_nothing_unasked() {
    let sandbox = Sandbox::with_weather();
    assert_eq!(
        sandbox.out("convert weather.csv out.arff --target play --role windy=group"),
        "wrote out.arff and out.schema.toml\n"
    );
    assert_eq!(
        sandbox.err("convert weather.csv out.arff"),
        "error: `out.arff` is already there\n help: `--force` replaces it\n"
    );
    assert_eq!(sandbox.out("convert out.arff folder/"), "wrote folder\n");
    assert_eq!(
        sandbox.out("convert folder out.parquet"),
        "wrote out.parquet\n"
    );
    let text = sandbox.out("describe out.parquet");
    assert!(
        text.contains("weather   14 rows, 4 columns, Parquet\n"),
        "{text}"
    );
    assert!(text.contains("windy        nominal  group"), "{text}");
    assert!(text.contains("target weather.play (nominal)"), "{text}");
    let learned = sandbox.out("fit majority out.parquet");
    assert!(
        learned.starts_with("majority learned play from 14 rows"),
        "{learned}"
    );
    let facts = sandbox.run_with_input(
        "convert - facts.pl --quiet",
        "{\"a\": [1, 2]}\n{\"a\": null}\n",
    );
    assert_eq!((facts.code, facts.err.as_str()), (0, ""), "{}", facts.err);
    assert_eq!(
        sandbox.read("facts.pl"),
        b"% data: a\ndata([1,2]).\ndata('?').\n"
    );
    let told = sandbox.run("convert facts.pl facts.arff --force").err;
    assert!(told.contains("the order of elements is lost"), "{told}");
}

#[test]
fn samples_are_listed_explained_and_written() {
    let sandbox = Sandbox::new();
    assert!(
        sandbox
            .out("sample")
            .starts_with("table      Apples of an orchard")
    );
    let law = sandbox.out("sample molecules");
    assert!(law.contains("nitrogen atom in a double bond"), "{law}");
    assert_eq!(
        sandbox.out("sample molecules -o m.sqlite --size 30 --noise 0 --seed 7"),
        "wrote m.sqlite and m.schema.toml\nrows: molecule 30, atom 748, bond 780\ntargets: molecule.activity, molecule.active\n"
    );
    let text = sandbox.out("describe m.sqlite");
    assert!(
        text.contains("molecule   30 rows, 4 columns, SQLite, key (molecule_id)\n"),
        "{text}"
    );
    assert!(text.contains("bond (atom2_id) -> atom (atom_id)"), "{text}");
    assert!(
        text.contains("target molecule.activity (numeric)"),
        "{text}"
    );
    // The same seed makes the same sample, in any form.
    sandbox.out("sample molecules -o m --size 30 --noise 0 --seed 7");
    sandbox.out("convert m.sqlite again");
    for file in ["molecule.csv", "atom.csv", "bond.csv", "schema.toml"] {
        let (one, other) = (format!("m/{file}"), format!("again/{file}"));
        assert!(sandbox.read(&one) == sandbox.read(&other), "{file}");
    }
    for (words, told) in [
        (
            "sample molecules -o m.sqlite",
            "error: `m.sqlite` is already there\n help: `--force` replaces it\n",
        ),
        (
            "sample molecules -o m",
            "error: `m` is already there\n help: `--force` replaces it\n",
        ),
        (
            "sample molecules -o no/m.sqlite",
            "error: cannot write `no/m.sqlite`: there is no such folder\n",
        ),
        (
            "sample molecules -o n.csv",
            "error: cannot write `n.csv`: such a file holds one table, and there are 3: molecule, atom, bond; a folder or a .sqlite, .json or .pl file holds them all\n",
        ),
        (
            "sample molecule -o n.sqlite",
            "error: there is no sample `molecule` (the samples are table, molecules, bags, phrases, shapes, baskets, genes, shop); did you mean `molecules`?\n",
        ),
    ] {
        assert_eq!(sandbox.err(words), told, "{words}");
    }
    sandbox.out("sample molecules -o m.sqlite --force --size 2");
}

#[test]
fn databases_are_read_and_chosen_from() {
    let sandbox = Sandbox::new();
    sandbox.out("sample molecules -o m.db --size 20");
    let measured = sandbox.out("evaluate knn m.db --target active --folds 3 --quiet");
    assert!(
        measured.starts_with("knn on m.db, target molecule.active"),
        "{measured}"
    );
    std::fs::remove_file(sandbox.path("m.schema.toml")).unwrap();
    let text = sandbox.out("describe m.db --tables atom,molecule --no-views");
    assert!(text.contains("atom (molecule_id) -> molecule"), "{text}");
    assert!(!text.contains("bond   "), "{text}");
    assert_eq!(
        sandbox.err("describe m.db --tables atoms"),
        "error: m.db: unknown table `atoms`; did you mean `atom`?; the tables are `atom`, `bond`, `molecule`\n"
    );
    sandbox.write("x.csv", "a,b\n1,2\n");
    assert_eq!(
        sandbox.err("describe x.csv --tables a"),
        "error: `x.csv` is no database, of which tables, schemas or views could be chosen\n"
    );
    sandbox.write("x.sqlite", "a,b\n1,2\n");
    assert_eq!(
        sandbox.err("describe x.sqlite"),
        "error: `x.sqlite` is not an SQLite database\n"
    );
}

/// Whatever goes wrong with a server, no message and no report shows the password.
#[test]
fn a_url_is_never_shown_with_its_password() {
    let sandbox = Sandbox::new();
    for (words, told) in [
        (
            "describe postgresql://ann:Xq7Zsecret@127.0.0.1:1/sales",
            "error: cannot connect to `postgresql://ann@127.0.0.1:1/sales`: connection refused; is the server running, and does it listen at this address and port?\n",
        ),
        (
            "fit knn postgres://ann:Xq7Zsecret@127.0.0.1:1/sales --target a -o m.kin",
            "error: cannot connect to `postgresql://ann@127.0.0.1:1/sales`: connection refused; is the server running, and does it listen at this address and port?\n",
        ),
        (
            "convert postgresql://ann:Xq7Zsecret@127.0.0.1:port/sales out.json",
            "error: the URL does not name a PostgreSQL database: invalid value for option `port`; expected `postgresql://user:password@host:port/database`\n",
        ),
    ] {
        assert_eq!(sandbox.err(words), told, "{words}");
    }
}

#[test]
fn fit_without_a_file_shows_the_model() {
    let sandbox = Sandbox::with_weather();
    let text = sandbox.out("fit oner weather.csv --target play");
    let (first, rest) = text.split_once('\n').unwrap();
    assert!(
        first.starts_with("oner learned play from 14 rows of weather.csv in "),
        "{first}"
    );
    assert_eq!(
        rest,
        "
if outlook = sunny then play = no   (3 of 5 rows)
if outlook = overcast then play = yes   (4 of 4 rows)
if outlook = rainy then play = yes   (3 of 5 rows)
right on 71.4% of 14 training rows
"
    );
    assert_eq!(sandbox.files(), ["weather.csv"]);
}

#[test]
fn a_model_is_kept_shown_and_asked() {
    let sandbox = Sandbox::with_weather();
    let text = sandbox.out("fit oner weather.csv --target play --ignore windy -o rule.kin");
    assert!(text.ends_with(" s\nwrote rule.kin\n"), "{text}");
    let shown = sandbox.out("show rule.kin");
    let made_by =
        "made by      kinwood fit oner weather.csv --target play --ignore windy --seed 1\n";
    assert!(shown.contains(made_by), "{shown}");
    assert!(shown.contains("settings     as by default\n"), "{shown}");
    assert!(
        shown.contains("if outlook = overcast then play = yes"),
        "{shown}"
    );
    sandbox.write("days.csv", "outlook,temperature\nsunny,70\novercast,60\n");
    let expected = "row,prediction,p(no),p(yes)\n1,no,0.6,0.4\n2,yes,0,1\n";
    assert_eq!(sandbox.out("predict rule.kin days.csv"), expected);
    assert_eq!(sandbox.out("predict rule.kin days.csv -o out.csv"), "");
    assert_eq!(sandbox.read("out.csv"), expected.as_bytes());
    assert_eq!(
        sandbox.out("predict rule.kin days.csv --rows 'temperature < 65'"),
        "row,prediction,p(no),p(yes)\n2,yes,0,1\n"
    );
    assert_eq!(
        sandbox.files(),
        ["days.csv", "out.csv", "rule.kin", "weather.csv"]
    );
}

#[test]
fn several_targets_are_predicted_at_once() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play --target temperature -o both.kin");
    let predicted = sandbox.out("predict both.kin weather.csv --rows 'temperature = 85'");
    assert_eq!(
        predicted.lines().next(),
        Some("row,prediction(play),p(play=no),p(play=yes),prediction(temperature)")
    );
}

#[test]
fn evaluate_divides_as_asked() {
    let sandbox = Sandbox::with_weather();
    let line = |options: &str| {
        let text = sandbox.out(&format!(
            "evaluate oner weather.csv --target play {options}"
        ));
        text.lines().next().unwrap().to_owned()
    };
    assert_eq!(
        line("--folds 2 --repeats 3 --seed 7"),
        "oner on weather.csv, target play, 3 times 2 folds, seed 7"
    );
    assert!(line("--split 0.67").contains(", 25 random splits,"));
    assert!(line("--split 0.5 --repeats 4").contains(", 4 random splits,"));
    assert!(line("--folds 3").contains(", 3 folds,"));
    assert!(line("--fold-column windy").contains(", 2 folds,"));
    assert!(line("--role windy=fold --quiet").contains(", 2 folds,"));
    assert!(line("--folds 2 --repeats 1 --role temperature=id").contains(", 2 folds,"));
    assert!(line("--leave-one-out").contains(", 14 folds,"));
    assert!(line("--leave-one-out --role windy=group --quiet").contains(", 2 folds,"));
    assert!(line("--by-time temperature --folds 3 --quiet").contains(", 3 folds,"));
    assert!(line("--by-time weather.temperature --quiet").contains(", 10 folds,"));
}

#[test]
fn a_column_of_times_is_learned_from_unless_ignored() {
    let sandbox = Sandbox::new();
    // The second half is of the other class, which is never the most frequent one of what comes
    // before.
    let rows: String = (0..20)
        .map(|day| {
            format!(
                "2024-01-{:02},{},{}\n",
                day + 1,
                day % 3,
                ["a", "b"][day / 10]
            )
        })
        .collect();
    sandbox.write("data.csv", format!("day,x,c\n{rows}"));
    let ended = sandbox.run("evaluate majority data.csv --target c --by-time day --folds 3 --json");
    assert!(
        ended.err.contains(
            "column `day` divides by time and is learned from like any other (`--role day=ignore` changes that)"
        ),
        "{}",
        ended.err
    );
    let report: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let accuracies: Vec<f64> = report["folds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| fold["accuracy"].as_f64().unwrap())
        .collect();
    assert_eq!(accuracies, [1.0, 0.0, 0.0]);
    let ignoring = "evaluate majority data.csv --target c --by-time day --ignore day --folds 3";
    assert!(!sandbox.run(ignoring).err.contains("divides by time"));
}

#[test]
fn a_fold_column_is_not_learned_from() {
    let sandbox = Sandbox::new();
    // The fold column alone would predict the class perfectly.
    let rows: String = (0..20)
        .map(|row| format!("{},{},{}\n", row % 2, row % 3, ["a", "b"][row % 2]))
        .collect();
    sandbox.write("data.csv", format!("f,x,c\n{rows}"));
    let ended = sandbox.run("evaluate oner data.csv --target c --fold-column f --json");
    let report: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(report["mean"]["accuracy"], 0.0, "{report}");
}

#[test]
fn append_replaces_the_model_or_writes_another() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play -o model.kin");
    let before = sandbox.read("model.kin");
    assert_eq!(
        sandbox.out("append model.kin weather.csv --rows 'windy = true' -o larger.kin"),
        "knn took 6 more rows of weather.csv, 20 in all\nwrote larger.kin\n"
    );
    assert_eq!(sandbox.read("model.kin"), before);
    sandbox.out("append model.kin weather.csv --rows 'windy = true'");
    assert_eq!(sandbox.read("model.kin"), sandbox.read("larger.kin"));
    let shown = sandbox.out("show larger.kin");
    let made_by = "kinwood fit knn weather.csv --target play --seed 1; kinwood append MODEL weather.csv --rows 'windy = true'\n";
    assert!(shown.contains(made_by), "{shown}");
}

#[test]
fn learners_are_listed_and_explained() {
    let sandbox = Sandbox::new();
    let listed = sandbox.out("learners");
    for learner in ["majority", "mean", "oner", "knn"] {
        assert!(
            listed.lines().any(|line| line.starts_with(learner)),
            "{listed}"
        );
    }
    let explained = sandbox.out("learners knn");
    assert!(explained.contains("  missing=own\n"), "{explained}");
    assert!(
        explained.contains("      Expected: one of own, max, skip.\n"),
        "{explained}"
    );
    let explained = sandbox.out("learners majority");
    assert!(explained.contains("  flatten=none\n"), "{explained}");
}

#[test]
fn a_dash_reads_standard_input() {
    let sandbox = Sandbox::new();
    let ended = sandbox.run_with_input("fit oner - --target play -o rule.kin", WEATHER);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    assert!(
        ended
            .out
            .starts_with("oner learned play from 14 rows of standard input")
    );
    let ended = sandbox.run_with_input(
        "predict rule.kin -",
        "outlook,temperature,windy\nrainy,1,true\n",
    );
    assert_eq!(ended.out, "row,prediction,p(no),p(yes)\n1,yes,0.4,0.6\n");
}

#[test]
fn a_folder_of_tables_has_a_target_in_one_of_them() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("zoo")).unwrap();
    sandbox.write(
        "zoo/animal.csv",
        "name,legs,kind\nrex,4,dog\ntom,4,cat\nkai,0,fish\n",
    );
    sandbox.write("zoo/keeper.csv", "who,legs\nann,2\n");
    let learned = sandbox.out("fit majority zoo --target animal.kind");
    assert!(
        learned.starts_with("majority learned kind from 3 rows of zoo"),
        "{learned}"
    );
    assert_eq!(
        sandbox.err("describe zoo --rows 'legs = 4'"),
        "error: a condition on rows needs to know their table: name a target, the tables are animal, keeper\n"
    );
}

#[test]
fn notes_are_told_unless_silence_is_asked_for() {
    let sandbox = Sandbox::new();
    let arff =
        "@relation r\n@attribute size numeric\n@attribute kind {a,b}\n@data\n1,a\n2,b\n3,a\n";
    sandbox.write("data.arff", arff);
    let ended = sandbox.run("fit majority data.arff");
    let note = "note: no target is named: `kind`, the last column, is taken\n";
    assert_eq!((ended.code, ended.err.as_str()), (0, note));
    sandbox.out("fit majority data.arff --quiet");
}

#[test]
fn a_class_with_one_example_works_with_a_note() {
    let sandbox = Sandbox::new();
    sandbox.write("one.csv", "size,kind\n1,a\n2,a\n3,b\n4,a\n5,a\n6,a\n");
    let ended = sandbox.run("evaluate oner one.csv --target kind --folds 2");
    let note = "note: class `b` has 1 example: it is never in both training and test\n";
    assert_eq!((ended.code, ended.err.as_str()), (0, note));
    assert!(
        ended
            .out
            .starts_with("oner on one.csv, target kind, 2 folds"),
        "{}",
        ended.out
    );
}

#[test]
fn the_tour_shows_every_step_with_its_output() {
    let sandbox = Sandbox::new();
    let ended = sandbox.run("tour --dir tour");
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.out);
    let commands = ended
        .out
        .lines()
        .filter(|line| line.starts_with("$ kinwood "));
    assert!(commands.count() > 15, "{}", ended.out);
    // The law that is planted, and that the database knows it too.
    for shown in [
        "kind of bond = double",
        "$ mkdir tour && cd tour\n",
        "tour/report.html",
        "  kinwood tour relational",
    ] {
        assert!(ended.out.contains(shown), "{shown}: {}", ended.out);
    }
    let predicted =
        sandbox.out("predict tour/near.kin tour/phrases.json --rows 'id = 7' --explain=3");
    assert!(ended.out.contains(&predicted), "{predicted}");
    for topic in ["relational", "structured", "beam", "time", "query"] {
        let ended = sandbox.run(&format!("tour {topic} --dir {topic}"));
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.out);
    }
    let told = sandbox.err("tour relation --dir other");
    assert!(told.contains("did you mean `relational`?"), "{told}");
    assert_eq!(
        sandbox.err("tour --dir tour"),
        "error: the folder `tour` is not empty\n help: name an empty or a new folder\n"
    );
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let sandbox = Sandbox::new();
    let rows: String = (0..20_000).map(|row| format!("{},a\n", row % 10)).collect();
    sandbox.write("long.csv", format!("x,c\n{rows}"));
    sandbox.out("fit majority long.csv --target c -o model.kin");
    for options in ["", "--json"] {
        let mut child = sandbox
            .command(&format!("predict model.kin long.csv {options}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.as_str()), (Some(0), ""));
    }
}

#[test]
fn describe_draws_tables_as_text_and_as_a_picture() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "musk.csv",
        "name,f1,class\na,1.5,yes\nb,2.5,no\na,3.5,yes\n",
    );
    let drawn = sandbox.run("describe musk.csv --bag name --draw");
    assert_eq!(drawn.code, 0, "{}", drawn.err);
    assert!(
        drawn.out.contains("musk_instances") && drawn.err.contains("are 2 bags by `name`"),
        "{}",
        drawn.out
    );
    assert_eq!(
        sandbox
            .run("describe musk.csv --bag name --svg musk.svg")
            .code,
        0
    );
    let picture = String::from_utf8_lossy(sandbox.read("musk.svg").as_ref()).into_owned();
    assert!(
        picture.starts_with("<svg") && picture.contains("musk_instances"),
        "{picture}"
    );
    let again = sandbox.run("describe musk.csv --bag name --svg musk.svg");
    assert_eq!(again.code, 2, "a picture that is there stays");
}
