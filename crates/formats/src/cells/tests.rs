//! Messy files, each with the types that a person would give.

use crate::read::ReadOptions;
use crate::{Dataset, Source, csv};

use super::understood;

/// The type of each column of a CSV file, by its name, after its text is understood.
fn types(text: &str) -> Vec<String> {
    let source = Source::from_bytes("x.csv", text.as_bytes());
    let read = csv::read(&source, &csv::CsvOptions::default()).unwrap();
    let attributes = read.table.attributes().iter();
    let of = attributes.map(|attribute| match understood(&attribute.column) {
        Some((column, _)) => format!("{}: {}", attribute.name, column.type_of()),
        None => format!("{}: {}", attribute.name, attribute.type_of()),
    });
    of.collect()
}

fn read(text: &str, options: &ReadOptions) -> Dataset {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    std::fs::write(&path, text).unwrap();
    crate::read(&path, options).unwrap()
}

#[test]
fn ten_messy_files_have_the_types_that_a_person_would_give() {
    let files: [(&str, &[&str]); 10] = [
        (
            "customer,basket,vegetarian\n1,\"[\"\"beer\"\", \"\"eggs\"\"]\",no\n2,\"[\"\"tofu\"\"]\",yes\n3,[],no\n",
            &["customer: numeric", "basket: set<nominal>", "vegetarian: nominal"],
        ),
        (
            "visitor,clicks\na,\"['home', 'search', 'home']\"\nb,\"['home']\"\nc,\"['cart', 'pay']\"\n",
            &["visitor: nominal", "clicks: list<nominal>"],
        ),
        (
            "id,tags,series\n1,red|blue,1.5|2|3\n2,blue,2|2.5\n3,red|green|blue,7|8|9\n4,green|red,1|2\n",
            &["id: numeric", "tags: set<nominal>", "series: list<numeric>"],
        ),
        (
            "day,us,named,iso\n28/01/2024,01/28/2024,Jan 28 2024,2024-01-28\n03/04/2024,02/03/2024,3 Apr 2024,2024-04-03\n",
            &["day: datetime", "us: datetime", "named: datetime", "iso: datetime"],
        ),
        (
            "price,discount,left\n\"$1,234.50\",12.5 %,\"1,234\"\n$3,7%,12\n($0.50),0%,\"2,000,000\"\n",
            &["price: numeric", "discount: numeric", "left: numeric"],
        ),
        (
            "preis;menge;ort\n1.234,50 €;3,5;München\n12 €;12;Köln\n0,99 €;1,25;Bonn\n",
            &["preis: numeric", "menge: numeric", "ort: nominal"],
        ),
        (
            "zip,phone,sku\n01234,555-1234,000123\n90210,555-9999,000200\n10001,555-0000,001000\n",
            &["zip: nominal", "phone: nominal", "sku: nominal"],
        ),
        (
            "churned,active,member\nyes,true,1\nno,false,0\nyes,TRUE,1\n",
            &["churned: nominal", "active: nominal", "member: numeric"],
        ),
        (
            "person,address\nSmith; John,{\"city\": \"Bonn\", \"zip\": 53111}\nDoe; Jane,{\"city\": \"Köln\", \"zip\": 50667}\n"
                .trim_end(),
            &["person: nominal", "address: nominal"],
        ),
        (
            "genres,note,when\n{drama; love},[deleted],soon\n{war},[removed],28/01/2024\n",
            &["genres: set<nominal>", "note: nominal", "when: nominal"],
        ),
    ];
    for (position, (text, expected)) in files.iter().enumerate() {
        // Files with commas inside of JSON are written with semicolons between cells.
        let text = match position {
            8 => {
                "person\taddress\nSmith; John\t{\"city\": \"Bonn\", \"zip\": 53111}\nDoe; Jane\t{\"city\": \"Köln\", \"zip\": 50667}\n"
            }
            9 => {
                "genres\tnote\twhen\n{drama, love}\t[deleted]\tsoon\n{war}\t[removed]\t28/01/2024\n"
            }
            _ => text,
        };
        let mut expected: Vec<String> = expected.iter().map(|of| (*of).to_owned()).collect();
        if position == 8 {
            expected[1] = "address: tuple<city: nominal, zip: numeric>".to_owned();
        }
        assert_eq!(types(text), expected, "file {position}");
    }
}

#[test]
fn what_was_understood_is_said_once_and_in_full_where_it_is_described() {
    let text = "day,price,zip\n28/01/2024,$5,01234\n03/04/2024,\"$1,200\",90210\n";
    let read = read(text, &ReadOptions::default());
    let told: Vec<String> = read.notices.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "text of `data` is read as what it writes: `day` is datetime (day before month), `price` is numeric (amounts in $)"
        ]
    );
    assert_eq!(
        read.evidence[0],
        [
            "all 2 values are dates, with the day before the month, as `28/01/2024` shows",
            "all 2 values are amounts in $ with commas between thousands, as in `$1,200`",
            "2 distinct values in 2 rows; figures with leading zeros, as `01234`, are labels",
        ]
    );
}

#[test]
fn types_can_be_stated_and_text_can_stay_as_it_is_written() {
    let text = "zip,basket,day\n12345,eggs|tofu,03/04/2024\n54321,tofu,05/06/2024\n67890,eggs|beer,07/08/2024\n";
    let of = |read: &Dataset| -> Vec<String> {
        let attributes = read.database.table(0).attributes().iter();
        attributes.map(|of| of.type_of().to_string()).collect()
    };
    let plain = read(text, &ReadOptions::default());
    assert_eq!(of(&plain), ["numeric", "set<nominal>", "datetime"]);
    let stated = ReadOptions {
        types: vec![
            ("zip".to_owned(), "nominal".parse().unwrap()),
            ("data.basket".to_owned(), "list<nominal>".parse().unwrap()),
        ],
        ..ReadOptions::default()
    };
    let stated = read(text, &stated);
    assert_eq!(of(&stated), ["nominal", "list<nominal>", "datetime"]);
    let written = ReadOptions {
        as_written: true,
        ..ReadOptions::default()
    };
    assert_eq!(of(&read(text, &written)), ["numeric", "nominal", "nominal"]);
}

#[test]
fn a_stated_type_that_does_not_fit_is_an_error_with_the_nearest_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    std::fs::write(&path, "basket,n\neggs,1\ntofu,2\n").unwrap();
    let failed = |name: &str, of: &str| {
        let options = ReadOptions {
            types: vec![(name.to_owned(), of.parse().unwrap())],
            ..ReadOptions::default()
        };
        crate::read(&path, &options).err().unwrap().to_string()
    };
    let unknown = failed("baskte", "nominal");
    assert!(unknown.contains("did you mean `basket`"), "{unknown}");
    let unfit = failed("basket", "numeric");
    assert!(unfit.contains("a number"), "{unfit}");
}

/// Files as they come out of other programs, with what goes wrong there.
#[test]
fn exports_of_other_programs_have_the_types_that_a_person_would_give() {
    let files: [(&str, &[&str]); 6] = [
        // A form: time stamps, several answers in one cell, free text, what nobody filled in.
        (
            "\u{feff}Timestamp,Age?,Pets,Comment\r\n1/28/2024 15:04:05,34,cat;dog,\"Fine, thanks\"\r\n2/3/2024 9:10:00,,dog,\r\n2/13/2024 10:00:00,51,cat;fish;dog,ok\r\n",
            &[
                "Timestamp: datetime",
                "Age?: numeric",
                "Pets: set<nominal>",
                "Comment: nominal",
            ],
        ),
        // A till: opened and closed, a trade, money with its sign behind.
        (
            "opened;closed;items;total\n08:00;16:30;12;12,50 €\n16:30;00:15;3;1.003,00 €\n9:05;17:00;;-4,20 €\n",
            &[
                "opened: numeric",
                "closed: numeric",
                "items: numeric",
                "total: numeric",
            ],
        ),
        // A log: instants with offsets, addresses, versions, codes that are figures.
        (
            "at,host,version,status\n2024-01-28T14:30:00+02:00,10.0.0.1,1.2.3,0404\n2024-01-28T14:31:10Z,10.0.0.12,1.2.10,0200\n",
            &[
                "at: datetime",
                "host: nominal",
                "version: nominal",
                "status: nominal",
            ],
        ),
        // A laboratory: markers for what was not measured, a ratio, a range.
        (
            "sample,ph,ratio,range\nS1,7.1,16:9,1-2\nS2,NA,4:3,2-3\nS3,,1:1,1-2\n",
            &[
                "sample: nominal",
                "ph: numeric",
                "ratio: nominal",
                "range: nominal",
            ],
        ),
        // A shop: arrays of JSON, one of them empty, flags, a column without anything.
        (
            "order\tlines\tgift\tnote\n1\t[{\"sku\": \"a\", \"n\": 2}]\ttrue\t\n2\t[]\tfalse\t\n3\t[{\"sku\": \"b\", \"n\": 1}, {\"sku\": \"a\", \"n\": 1}]\ttrue\t\n",
            &[
                "order: numeric",
                "lines: list<tuple<sku: nominal, n: numeric>>",
                "gift: nominal",
                "note: nominal",
            ],
        ),
        // Races: laps, times in the afternoon, years, a mark behind every line.
        (
            "driver|lap|start|year|\nA|1:23:45|2:00 PM|2019|\nB|1:24:01|3:15 PM|2020|\n",
            &[
                "driver: nominal",
                "lap: numeric",
                "start: numeric",
                "year: numeric",
            ],
        ),
    ];
    for (text, expected) in files {
        assert_eq!(types(text), expected, "{text}");
    }
}

#[test]
fn guesses_are_said_to_be_guesses_and_contradictions_stay_labels() {
    let read_types = |text: &str| types(text);
    assert_eq!(read_types("d\n28/01/2024\n01/28/2024\n"), ["d: nominal"]);
    assert_eq!(read_types("p\n$5\n€6\n"), ["p: nominal"]);
    assert_eq!(
        read_types("p;q\n1,5;x\n1.5;y\n2,5;z\n"),
        ["p: nominal", "q: nominal"]
    );
    let guessed = read("d\n03/04/2024\n05/06/2024\n", &ReadOptions::default());
    assert!(
        guessed.evidence[0][0].contains("could be either"),
        "{:?}",
        guessed.evidence
    );
}
