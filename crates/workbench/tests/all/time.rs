//! Data with cutoffs from file to prediction: what is stated, what is decided, and what is refused.

use std::path::Path;

use kinwood_formats::ReadOptions;
use kinwood_learners::{Context, Registry};
use kinwood_values::{Role, TableTime};
use kinwood_workbench::evaluate::{Division, evaluate};
use kinwood_workbench::time::{Cutoff, TimeChoices, past_name};
use kinwood_workbench::{Choices, Data, Opening, Origin, Problem, Trained, open};
use tempfile::TempDir;

const CUSTOMERS: usize = 24;
const MONTHS: usize = 6;

/// A folder of customers, their orders and whether they had left thirty days after each month's
/// beginning. `late` is what orders after the last cutoff hold.
fn shop(late: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let mut customers = "id,city\n".to_owned();
    let mut orders = "customer,date,amount,kind\n".to_owned();
    let mut churn = "customer,date,left\n".to_owned();
    // The first row of a file decides nothing.
    orders += &format!("c0,2031-01-01,{late}\n");
    for customer in 0..CUSTOMERS {
        let city = ["Graz", "Linz", "Wien"][customer * 7 % 3];
        customers += &format!("c{customer},{city}\n");
        for month in 1..=MONTHS {
            let busy = (customer * 5 + month * 3) % 4;
            for order in 0..busy {
                let (day, amount) = (order * 6 + 3, (customer * 13 + month * 7 + order * 11) % 40);
                let kind = ["book", "tea", "pen"][(customer + order) % 3];
                orders += &format!("c{customer},2024-{month:02}-{day:02},{amount}.5,{kind}\n");
            }
            let next = (customer * 5 + (month + 1) * 3) % 4;
            let left = if busy + next < 3 { "yes" } else { "no" };
            churn += &format!("c{customer},2024-{:02}-01,{left}\n", month + 1);
        }
        orders += &format!("c{customer},2030-01-01,{late}\n");
    }
    write("customers.csv", customers);
    write("orders.csv", orders);
    write("churn.csv", churn);
    folder
}

fn read(folder: &Path) -> Data {
    let opening = Opening {
        read: ReadOptions::default(),
        ..Opening::default()
    };
    open(folder, &opening).unwrap()
}

fn choices(time: TimeChoices) -> Choices {
    Choices {
        targets: vec!["churn.left".to_owned()],
        time,
        ..Choices::default()
    }
}

fn as_of(written: &str) -> TimeChoices {
    TimeChoices {
        as_of: Some(written.to_owned()),
        ..TimeChoices::default()
    }
}

fn problem(data: &Data, time: TimeChoices) -> Result<Problem, String> {
    let posed = data.problem(&choices(time));
    posed
        .map(|(problem, _)| problem)
        .map_err(|error| error.to_string())
}

fn fitted(learner: &str, problem: &Problem) -> Trained {
    let (registry, context) = (Registry::new(), Context::new().with_threads(1));
    let origin = Origin::default();
    let given = [("depth".to_owned(), "2".to_owned())];
    let given = if learner == "knn" { &given[..] } else { &[] };
    Trained::fit(&registry, learner, given, problem, &origin, &context)
        .unwrap()
        .0
}

fn file(trained: &Trained) -> Vec<u8> {
    trained.sections().unwrap().to_bytes().unwrap()
}

#[test]
fn tables_take_their_only_dates_for_their_time_and_that_is_told() {
    let folder = shop("1,book");
    let (problem, notices) = read(folder.path())
        .problem(&choices(as_of("churn.date")))
        .unwrap();
    let told: Vec<String> = notices.iter().map(ToString::to_string).collect();
    assert!(
        told.contains(&"the time of `orders` is `date`, its only column of dates".to_owned()),
        "{told:#?}"
    );
    assert!(
        told.contains(&"rows without a time are always seen: `customers`".to_owned()),
        "{told:#?}"
    );
    let database = problem.view.database();
    let churn = problem.view.table();
    let date = churn.position("date").unwrap();
    assert_eq!(churn.attribute(date).role, Role::Cutoff);
    assert_eq!(churn.time(), Some(TableTime::Instant { column: date }));
    assert!(
        !problem.view.inputs().contains(&date),
        "a cutoff is no input by itself"
    );
    // The date of the target's table is meant, though orders have one too.
    let bare = self::problem(&read(folder.path()), as_of("date")).unwrap();
    assert_eq!(
        bare.timing.unwrap().cutoff,
        Cutoff::Column("date".to_owned())
    );
    // What comes after all cutoffs is not even there.
    let orders = database.table(database.find("orders").unwrap());
    let last = orders.position("date").unwrap();
    let years = (0..orders.rows()).map(|row| orders.attribute(last).column.value(row).to_string());
    assert!(years.into_iter().all(|date| date.starts_with("2024")));
}

#[test]
fn models_and_predictions_do_not_change_by_a_byte_when_the_future_does() {
    let (one, other) = (shop("1,book"), shop("987654321,spaceship"));
    for learner in ["knn", "mirt", "forest", "svm", "kstar"] {
        let of = |folder: &TempDir| {
            let data = read(folder.path());
            let trained = fitted(learner, &problem(&data, as_of("churn.date")).unwrap());
            let rows = data
                .view(data.database().find("churn").unwrap(), None)
                .unwrap();
            let (rows, _) = trained.conform(&rows).unwrap();
            let predictions = trained
                .predict(&rows, &Context::new().with_threads(1))
                .unwrap();
            (file(&trained), format!("{predictions:?}"))
        };
        let (model, predictions) = of(&one);
        let (other_model, other_predictions) = of(&other);
        assert!(model == other_model, "{learner}: the model files differ");
        assert_eq!(predictions, other_predictions, "{learner}");
        // A date for all rows, which sees the future, tells them apart.
        let late = |folder: &TempDir| {
            let problem = problem(&read(folder.path()), as_of("2032-01-01")).unwrap();
            file(&fitted("knn", &problem))
        };
        if learner == "knn" {
            assert!(late(&one) != late(&other), "the tests do notice");
        }
    }
}

#[test]
fn a_model_sees_new_rows_as_it_saw_training_rows() {
    let folder = shop("1,book");
    let data = read(folder.path());
    let time = TimeChoices {
        gap: Some(2.0),
        window: Some(90.0),
        horizon: Some(30.0),
        ..as_of("churn.date")
    };
    let problem = problem(&data, time.clone()).unwrap();
    let trained = fitted("mirt", &problem);
    let path = folder.path().join("model.kin");
    trained.save(&path).unwrap();
    let loaded = Trained::load(&path, &Registry::new()).unwrap();
    let timing = loaded.timing().unwrap();
    assert_eq!(timing, problem.timing.as_ref().unwrap());
    assert_eq!(
        timing.describe(),
        "as of `date`, nothing of the last 2 days, nothing older than 90 days, targets known after 30 days"
    );
    let rows = data
        .view(data.database().find("churn").unwrap(), None)
        .unwrap();
    let (conformed, _) = loaded.conform(&rows).unwrap();
    assert_eq!(conformed.as_of(), problem.view.as_of());
    assert!(conformed.past_table().is_some());
    let context = Context::new().with_threads(1);
    let (posed, _) = trained.conform(&problem.view).unwrap();
    assert_eq!(
        loaded.predict(&conformed, &context).unwrap(),
        trained.predict(&posed, &context).unwrap()
    );
    // Another date for all rows, and a date after which nothing is seen.
    let seen = loaded.seen(&rows, &as_of("2024-03-01")).unwrap();
    assert_eq!(
        seen.as_of().unwrap().cutoff(0),
        seen.as_of().unwrap().cutoff(5)
    );
    let freeze = TimeChoices {
        freeze: Some("2024-03-15".to_owned()),
        ..TimeChoices::default()
    };
    let frozen = loaded.seen(&rows, &freeze).unwrap();
    let cutoffs = frozen.as_of().unwrap();
    assert_eq!(cutoffs.cutoff(0), conformed.as_of().unwrap().cutoff(0));
    assert!(cutoffs.cutoff(5) < conformed.as_of().unwrap().cutoff(5));
    let changed = loaded.seen(&rows, &time).err().unwrap().to_string();
    assert_eq!(
        changed,
        "the model was fitted with cutoffs: its gap cannot be changed"
    );
    let plain = fitted(
        "mirt",
        &self::problem(&data, TimeChoices::default()).unwrap(),
    );
    let changed = plain
        .seen(&rows, &as_of("2024-03-01"))
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        changed,
        "the model was fitted without cutoffs: its cutoffs cannot be changed"
    );
}

#[test]
fn past_targets_are_seen_when_their_horizon_is_over() {
    let folder = shop("1,book");
    let data = read(folder.path());
    let horizon = |days: f64| TimeChoices {
        horizon: Some(days),
        ..as_of("churn.date")
    };
    // Cutoffs are months apart: the last answer is known after thirty days, not after forty.
    for (days, expected) in [(28.0, [0, 1, 2, 3, 4, 5]), (40.0, [0, 0, 1, 2, 3, 4])] {
        let view = problem(&data, horizon(days)).unwrap().view;
        let past = view.database().find(&past_name("churn")).unwrap();
        let keys = view.database().foreign_keys();
        let to_customer = keys
            .iter()
            .position(|key| key.from == view.table_position())
            .unwrap();
        let of_past = keys.iter().position(|key| key.from == past).unwrap();
        for row in 0..view.len() as u32 {
            let customer = view
                .linked(row, to_customer, kinwood_values::Direction::Forward, row)
                .next()
                .unwrap();
            let seen: Vec<u32> = view
                .linked(row, of_past, kinwood_values::Direction::Backward, customer)
                .collect();
            assert_eq!(seen.len(), expected[row as usize % MONTHS], "row {row}");
            assert!(
                seen.iter().all(|&earlier| earlier < row),
                "a row never sees its own target"
            );
        }
        let database = view.database();
        assert_eq!(database.table(past).rows(), view.table().rows());
    }
    let refused = |time| problem(&data, time).err().unwrap();
    assert_eq!(
        refused(horizon(0.0)),
        "a horizon of 0 days cannot be: more than 0"
    );
    let one_date = TimeChoices {
        horizon: Some(30.0),
        ..as_of("2024-05-01")
    };
    assert!(refused(one_date).starts_with("all rows see by one date"));
}

/// Targets that are not known yet are changed wildly, and those of rows that are not learned from.
#[test]
fn targets_that_are_not_known_yet_leak_nowhere() {
    let folder = shop("1,book");
    let data = read(folder.path());
    let time = TimeChoices {
        horizon: Some(40.0),
        ..as_of("churn.date")
    };
    let problem = problem(&data, time).unwrap();
    let left = problem.targets[0];
    let table = problem.view.table_position();
    let past = problem.view.past_table().unwrap();
    let turned = |keep: &dyn Fn(usize) -> bool| {
        let database = problem.view.database();
        let turn = |column: &kinwood_values::Column| {
            let (codes, dictionary) = column.codes().unwrap();
            let codes = codes.iter().enumerate();
            let codes = codes
                .map(|(row, &code)| if keep(row) { code } else { 1 - code })
                .collect();
            let dictionary = std::sync::Arc::clone(dictionary);
            kinwood_values::Column::new(
                kinwood_values::Cells::Nominal { codes, dictionary },
                column.validity().cloned(),
            )
        };
        let own = turn(&database.table(table).attribute(left).column);
        let place = database.table(past).position("left").unwrap();
        let later = turn(&database.table(past).attribute(place).column);
        let other = database
            .with_column(table, left, own)
            .with_column(past, place, later);
        problem.view.of(std::sync::Arc::new(other))
    };
    let context = Context::new().with_threads(1);
    let month = |row: usize| row % MONTHS;
    // Learned from the first four months, asked about the fifth: of the answers of then, those of
    // the first three months are known to it, and those of the first two to the fourth.
    let training: Vec<u32> = (0..problem.view.len() as u32)
        .filter(|&row| month(row as usize) < 4)
        .collect();
    let asked: Vec<u32> = (0..problem.view.len() as u32)
        .filter(|&row| month(row as usize) == 4)
        .collect();
    let registry = Registry::new();
    for (learner, given) in [
        ("mirt", vec![("counts", "true"), ("aggregates", "true")]),
        ("knn", vec![("depth", "2")]),
        ("forest", vec![("trees", "5")]),
        ("svm", vec![("depth", "2")]),
        ("knn", vec![("distance", "fourlayer"), ("k", "3")]),
        ("tree", vec![("flatten", "p2"), ("flatten_depth", "2")]),
        ("boost", vec![("trees", "5")]),
        ("kstar", vec![("flatten", "p2"), ("flatten_depth", "2")]),
    ] {
        let entry = registry.find(learner).unwrap();
        let settings = entry.settings(&given).unwrap();
        let built = entry.learner(&settings).unwrap();
        let model = |view: &kinwood_values::View| {
            let training = view.select(&training);
            let task = kinwood_learners::Task::new(&training, &[left]).unwrap();
            built.fit(&task, &context).unwrap()
        };
        let bytes = |model: &dyn kinwood_learners::Model| {
            let mut sections = kinwood_container::Sections::new();
            model.write(&mut sections).unwrap();
            sections.to_bytes().unwrap()
        };
        let honest = model(&problem.view);
        // Nothing is learned from later answers, however they turn out.
        let later = model(&turned(&|row| month(row) < 4));
        assert!(bytes(&*honest) == bytes(&*later), "{learner} {given:?}");
        let answers = |view: &kinwood_values::View| {
            let rows = view.hiding(table, left).select(&asked);
            let answers = honest.predict(&rows, &context);
            answers.unwrap_or_else(|error| panic!("{learner} {given:?}: {error}"))
        };
        let unknown = turned(&|row| month(row) < 3);
        assert_eq!(
            answers(&problem.view),
            answers(&unknown),
            "{learner} {given:?}"
        );
        // What is known does make a difference.
        if learner == "knn" && given.len() == 1 {
            let known = turned(&|row| month(row) >= 3);
            assert_ne!(answers(&problem.view), answers(&known), "{learner}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let folder = shop("1,book");
    let data = read(folder.path());
    let refused = |time| problem(&data, time).err().unwrap();
    assert_eq!(
        refused(as_of("orders.date")),
        "the cutoffs of rows of `churn` are in a column of it, and `orders.date` is of another table"
    );
    assert_eq!(
        refused(as_of("churn.left")),
        "column `left` is a `nominal`; rows are ordered by numeric and datetime columns"
    );
    assert!(refused(as_of("churn.dat")).contains("did you mean `churn.date`?"));
    assert_eq!(
        refused(as_of("churn.customer")),
        "column `customer` is a `nominal`; rows are ordered by numeric and datetime columns"
    );
    assert_eq!(
        refused(as_of("2024")),
        "`churn.date` has dates for times and the cutoff 2024 is by numbers: they cannot be compared"
    );
    let gap = TimeChoices {
        gap: Some(3.0),
        ..TimeChoices::default()
    };
    assert_eq!(
        refused(gap),
        "nobody says by when rows see others: name a column of cutoffs, or a date"
    );
    let gap = TimeChoices {
        gap: Some(-1.0),
        ..as_of("churn.date")
    };
    assert_eq!(refused(gap), "a gap of -1 days cannot be: 0 or more");
    let freeze = TimeChoices {
        freeze: Some("soon".to_owned()),
        ..as_of("churn.date")
    };
    assert_eq!(
        refused(freeze),
        "`soon` is neither a date, such as 2024-12-31, nor a number"
    );
    // Data without the times that a model sees by.
    let trained = fitted("mirt", &problem(&data, as_of("churn.date")).unwrap());
    std::fs::write(
        folder.path().join("orders.csv"),
        "customer,amount,kind\nc0,3.5,tea\n",
    )
    .unwrap();
    let other = read(folder.path());
    let rows = other
        .view(other.database().find("churn").unwrap(), None)
        .unwrap();
    let lacking = trained.conform(&rows).err().unwrap().to_string();
    assert!(
        lacking.starts_with("unknown column `date` in table `orders`"),
        "{lacking}"
    );
}

#[test]
fn a_schema_says_when_rows_are_and_what_ends_later_is_no_input() {
    let folder = shop("1,book");
    let schema = "[tables.orders]\nvalid = ['date', 'until']\n";
    std::fs::write(folder.path().join("schema.toml"), schema).unwrap();
    let orders = "customer,date,until,amount\nc0,2024-01-05,2024-02-05,3\nc0,2024-02-20,,9\n";
    std::fs::write(folder.path().join("orders.csv"), orders).unwrap();
    let data = read(folder.path());
    let table = data.database().find("orders").unwrap();
    let orders = data.database().table(table);
    assert_eq!(orders.time(), Some(TableTime::Valid { from: 1, to: 2 }));
    assert_eq!(orders.attribute(2).role, Role::Ignore);
    let view = problem(&data, as_of("churn.date")).unwrap().view;
    let keys = view.database().foreign_keys();
    let place = view.database().find("orders").unwrap();
    let key = keys.iter().position(|key| key.from == place).unwrap();
    let seen = |row: u32| -> Vec<u32> {
        view.linked(row, key, kinwood_values::Direction::Backward, 0)
            .collect()
    };
    // In February the first holds, in March the second.
    assert_eq!((seen(0), seen(1), seen(2)), (vec![0], vec![1], vec![1]));
    let roles = [("orders.until".to_owned(), Role::Input)];
    let opening = Opening {
        roles: roles.to_vec(),
        ..Opening::default()
    };
    let error = open(folder.path(), &opening).err().unwrap().to_string();
    assert_eq!(
        error,
        "`orders.until` says until when rows are valid, which is only known later: it cannot be an input"
    );
}

/// Rolling origin: each block of months is tested by a model of what was known when it began. What
/// comes later is changed wildly, and no score of an earlier block may notice, whether the window
/// of training grows or slides.
#[test]
fn blocks_of_time_are_tested_by_what_was_known_when_they_began() {
    let folder = shop("1,book");
    let context = Context::new().with_threads(1);
    let scores = |learner: &str, train_window: Option<f64>| -> Vec<Option<f64>> {
        let problem = problem(&read(folder.path()), as_of("churn.date")).unwrap();
        let division = Division::ByTime {
            column: "churn.date".to_owned(),
            folds: 3,
            train_window,
        };
        let given = match learner {
            "tree" => [("flatten".to_owned(), "p2".to_owned())].to_vec(),
            _ => Vec::new(),
        };
        let registry = Registry::new();
        let report = evaluate(
            &registry,
            learner,
            &given,
            &problem,
            Some(&division),
            "shop",
            &context,
        );
        let evaluation = report.unwrap().evaluation;
        let place = evaluation.measures.iter().position(|name| name == "brier");
        let folds = evaluation.folds.iter();
        folds.map(|fold| fold.scores[place.unwrap()]).collect()
    };
    let cases = [
        ("mirt", None),
        ("tree", None),
        ("tree", Some(40.0)),
        ("knn", Some(40.0)),
    ];
    let before = cases.map(|(learner, window)| scores(learner, window));
    // Six months in four blocks: the last begins with June or July, of which orders are changed
    // now.
    let path = folder.path().join("orders.csv");
    let orders = std::fs::read_to_string(&path).unwrap();
    let changed: String = orders
        .lines()
        .map(|line| match line.split(',').nth(1) {
            Some(date) if date.starts_with("2024-06") => {
                let of: Vec<&str> = line.split(',').collect();
                format!("{},{},{}.5,tea\n", of[0], of[1], 1000 * of[0].len())
            }
            _ => format!("{line}\n"),
        })
        .collect();
    assert_ne!(changed, orders);
    std::fs::write(&path, changed).unwrap();
    let mut noticed = 0;
    for ((learner, window), before) in cases.into_iter().zip(before) {
        let after = scores(learner, window);
        assert_eq!(before.len(), 3, "{learner}");
        assert_eq!(before[..2], after[..2], "{learner} {window:?}");
        noticed += usize::from(before[2] != after[2]);
    }
    assert!(noticed > 0, "nobody noticed that the last month is another");
}
