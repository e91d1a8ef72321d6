//! What `describe` warns of: each warning where it is due, with its numbers, and none elsewhere.

use std::fmt::Write as _;

use kinwood_workbench::time::{TimeChoices, warnings};
use kinwood_workbench::{Opening, open};
use tempfile::TempDir;

const CONTRACTS: usize = 30;

/// Contracts with a question each month, their calls, and letters that all come later.
fn contracts() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let mut contract = "id,region,calls,minutes,longest,size\n".to_owned();
    let mut call = "id,contract,date,minutes,answered\n".to_owned();
    let mut letter = "id,contract,date,pages\n".to_owned();
    let mut asked = "contract,date,status,tone,ended\n".to_owned();
    let mut number = 0;
    for id in 0..CONTRACTS {
        let calls = 1 + id % 4;
        let minutes: Vec<usize> = (0..calls).map(|at| (id * 7 + at * 5) % 23 + 1).collect();
        for (at, minutes) in minutes.iter().enumerate() {
            let month = 1 + (id + 3 * at) % 9;
            // Two in three are answered some days after they came.
            let days = if number % 3 == 0 { 4 } else { 8 };
            writeln!(
                call,
                "k{number},c{id},2024-{month:02}-04,{minutes},2024-{month:02}-{days:02}"
            )
            .unwrap();
            number += 1;
        }
        let (sum, longest) = (minutes.iter().sum::<usize>(), minutes.iter().max().unwrap());
        let region = ["north", "south", "west"][id % 3];
        writeln!(
            contract,
            "c{id},{region},{calls},{sum},{longest},{}",
            id * 11 % 17
        )
        .unwrap();
        writeln!(letter, "l{id},c{id},2025-02-{:02},{}", 1 + id % 20, id % 5).unwrap();
        for month in [4, 7] {
            let ended = if (id + month) % 3 == 0 { "yes" } else { "no" };
            let status = match (ended, id % 2) {
                ("yes", 0) => "closed",
                ("yes", _) => "paid out",
                (_, 0) => "open",
                _ => "new",
            };
            let tone = ["kind", "cross", "plain"][(id / 3 + month / 4) % 3];
            writeln!(asked, "c{id},2024-{month:02}-01,{status},{tone},{ended}").unwrap();
        }
    }
    write("contract.csv", contract);
    write("call.csv", call);
    write("letter.csv", letter);
    write("asked.csv", asked);
    folder
}

fn told(folder: &TempDir, time: TimeChoices, ignored: &[&str]) -> Vec<String> {
    let roles: Vec<_> = ignored
        .iter()
        .map(|column| ((*column).to_owned(), kinwood_values::Role::Ignore))
        .collect();
    let opening = Opening {
        roles,
        ..Opening::default()
    };
    let data = open(folder.path(), &opening).unwrap();
    let (targets, _) = data.targets(&["asked.ended".to_owned()]).unwrap();
    // All rows, as `describe` looks at them: of a problem only those are kept that somebody sees.
    let (view, _, _) = data
        .view_as_of(targets.table, None, &targets.columns, &time)
        .unwrap();
    warnings(&view, &targets.columns)
        .iter()
        .map(|notice| notice.message().to_owned())
        .collect()
}

#[test]
fn columns_that_are_known_later_and_targets_that_are_given_away_are_told() {
    let folder = contracts();
    // Two columns of dates: which is the time of a call must be stated.
    std::fs::write(
        folder.path().join("schema.toml"),
        "[tables.call]\ntime = \"date\"\n",
    )
    .unwrap();
    let time = TimeChoices {
        as_of: Some("asked.date".to_owned()),
        ..TimeChoices::default()
    };
    let found = told(&folder, time.clone(), &[]);
    let later = {
        let calls: usize = (0..CONTRACTS).map(|id| 1 + id % 4).sum();
        let after = (0..calls).filter(|number| number % 3 != 0).count();
        format!(
            "`call.answered` is later than `date` in {after} of {calls} rows: it is only known later than its row"
        )
    };
    let expected = [
        "all times of `letter` are after the cutoffs: none of its rows is seen".to_owned(),
        later,
        "`contract.calls` is the number of all rows of `call` that refer to its row, later ones among them".to_owned(),
        "`contract.minutes` is the sum `minutes` of all rows of `call` that refer to its row, later ones among them".to_owned(),
        "`contract.longest` is the largest `minutes` of all rows of `call` that refer to its row, later ones among them".to_owned(),
        "each value of `status` goes with one value of the target `ended`: it gives the target away".to_owned(),
    ];
    assert_eq!(found, expected, "{found:#?}");
    // What is left out is no matter any more; and a date behind all sees the letters.
    let left_out = [
        "call.answered",
        "contract.calls",
        "contract.minutes",
        "contract.longest",
        "asked.status",
    ];
    let late = TimeChoices {
        as_of: Some("2026-01-01".to_owned()),
        ..TimeChoices::default()
    };
    assert_eq!(told(&folder, late, &left_out), [] as [String; 0]);
    // Within a week before the cutoffs nobody called.
    let week = TimeChoices {
        window: Some(7.0),
        as_of: Some("2026-01-01".to_owned()),
        ..TimeChoices::default()
    };
    assert_eq!(
        told(&folder, week, &left_out),
        [
            "all times of `call` are before the windows: none of its rows is seen",
            "all times of `letter` are before the windows: none of its rows is seen",
        ]
    );
}

#[test]
fn without_cutoffs_a_target_that_is_given_away_is_told_still() {
    let folder = contracts();
    assert_eq!(
        told(&folder, TimeChoices::default(), &[]),
        [
            "each value of `status` goes with one value of the target `ended`: it gives the target away"
        ]
    );
}
