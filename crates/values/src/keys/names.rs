//! What names say: whether a column is called like a key, and which table it is called after.
//!
//! Names are taken apart into words (`atomId2`, `ATOM_ID2` and `atom id 2` are the same three),
//! plurals are singular, and what says "key" (`id`, `no`, `code`) is told from what the key is of.

/// Words that say "this names a row".
const KEY_WORDS: [&str; 16] = [
    "id", "ids", "key", "no", "nr", "num", "number", "code", "ref", "fk", "pk", "idx", "index",
    "uuid", "guid", "rowid",
];
/// Those among them that can hardly say anything else.
const SURE_KEY_WORDS: [&str; 8] = ["id", "ids", "key", "fk", "pk", "uuid", "guid", "rowid"];
/// Words that say "this was counted or measured".
const MEASURE_WORDS: [&str; 37] = [
    "n",
    "count",
    "cnt",
    "amount",
    "total",
    "sum",
    "mean",
    "avg",
    "average",
    "min",
    "max",
    "size",
    "length",
    "len",
    "width",
    "height",
    "weight",
    "mass",
    "age",
    "price",
    "cost",
    "rate",
    "ratio",
    "share",
    "percent",
    "score",
    "value",
    "level",
    "duration",
    "temperature",
    "quantity",
    "qty",
    "balance",
    "payment",
    "salary",
    "distance",
    "charge",
];
/// Words that say "this counts the rows within something".
const ORDER_WORDS: [&str; 24] = [
    "position", "pos", "part", "seq", "sequence", "line", "item", "rank", "step", "order",
    "ordinal", "index", "idx", "no", "nr", "num", "number", "slot", "turn", "round", "version",
    "revision", "day", "frame",
];
/// Words that say "this is what shall be predicted".
const TARGET_WORDS: [&str; 7] = [
    "target", "class", "outcome", "response", "label", "y", "fold",
];
/// Words for a row of the same table.
const SELF_WORDS: [&str; 18] = [
    "parent",
    "manager",
    "boss",
    "supervisor",
    "super",
    "previous",
    "prev",
    "next",
    "successor",
    "predecessor",
    "mother",
    "father",
    "root",
    "original",
    "master",
    "chief",
    "mentor",
    "reply",
];
/// Words that tell two references to one table apart.
const SIDE_WORDS: [&str; 22] = [
    "from",
    "to",
    "source",
    "target",
    "start",
    "end",
    "left",
    "right",
    "first",
    "second",
    "old",
    "new",
    "home",
    "away",
    "origin",
    "destination",
    "head",
    "tail",
    "parent",
    "child",
    "begin",
    "other",
];
/// Words in front of table names that say nothing about what the table holds.
const TABLE_WORDS: [&str; 5] = ["tbl", "table", "dim", "fact", "tab"];
/// Names that columns get when nobody names them: with a number behind they mean nothing.
const EMPTY_NAMES: [&str; 8] = [
    "column",
    "col",
    "field",
    "attr",
    "attribute",
    "var",
    "feature",
    "f",
];

/// A name in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    raw: String,
    words: Vec<String>,
    stem: Vec<String>,
    /// The stem's words as one.
    joined: String,
    /// All words but those that say "key" as one, numbers among them.
    spelled: String,
    key_word: bool,
    numbered: bool,
    measured: bool,
    meaningless: bool,
}

impl Name {
    /// Takes a column's name apart.
    pub fn of_column(name: &str) -> Self {
        let words = words(name);
        let numbered = words.iter().any(|word| is_number(word));
        let mut stem: Vec<String> = words
            .iter()
            .filter(|word| !is_number(word))
            .cloned()
            .collect();
        let is_key_word = |word: &String| KEY_WORDS.contains(&word.as_str());
        let key_word = stem.last().is_some_and(is_key_word)
            || stem.len() > 1 && stem.first().is_some_and(is_key_word);
        let counts = stem.len() > 1 && ["n", "num"].contains(&stem[0].as_str());
        while stem.last().is_some_and(is_key_word) {
            stem.pop();
        }
        if stem.len() > 1 && stem.first().is_some_and(is_key_word) {
            stem.remove(0);
        }
        let measure = |word: &String| MEASURE_WORDS.contains(&word.as_str());
        // `A1` and `column7` say nothing at all.
        let filler =
            |word: &String| word.chars().count() == 1 || EMPTY_NAMES.contains(&word.as_str());
        Self {
            raw: name.to_lowercase(),
            joined: stem.concat(),
            spelled: words
                .iter()
                .filter(|word| !is_key_word(word))
                .map(String::as_str)
                .collect(),
            measured: counts || !key_word && words.iter().any(measure),
            meaningless: numbered && !key_word && stem.iter().all(filler),
            words,
            stem,
            key_word,
            numbered,
        }
    }

    /// Takes a table's name apart.
    pub fn of_table(name: &str) -> Self {
        let mut words = words(name);
        if words.len() > 1 && TABLE_WORDS.contains(&words[0].as_str()) && !is_number(&words[1]) {
            words.remove(0);
        }
        Self {
            raw: name.to_lowercase(),
            joined: words.concat(),
            spelled: words.concat(),
            stem: words.clone(),
            words,
            key_word: false,
            numbered: false,
            measured: false,
            meaningless: false,
        }
    }

    /// Whether some word says that it was counted or measured.
    pub fn measured(&self) -> bool {
        self.measured
    }

    /// Whether it says that rows are counted within something.
    pub fn counts_rows(&self) -> bool {
        self.words
            .last()
            .is_some_and(|word| ORDER_WORDS.contains(&word.as_str()))
    }

    /// Whether it says that it shall be predicted.
    pub fn to_predict(&self) -> bool {
        !self.key_word
            && self
                .words
                .last()
                .is_some_and(|word| TARGET_WORDS.contains(&word.as_str()))
    }

    /// Whether it ends or begins like the name of a key.
    pub fn key_like(&self) -> bool {
        self.key_word
    }

    /// Whether it is called like a key by a word that says nothing else, as `no` or `code` might.
    pub fn surely_key_like(&self) -> bool {
        let sure = |word: &String| SURE_KEY_WORDS.contains(&word.as_str());
        let spoken = || self.words.iter().filter(|word| !is_number(word));
        self.key_word
            && (spoken().next_back().is_some_and(sure) || spoken().next().is_some_and(sure))
    }

    /// Whether it is the same name but for case and marks, or that name with something in front.
    pub fn ends_like(&self, other: &Name) -> bool {
        !other.meaningless && self.words.ends_with(&other.words)
    }

    /// Whether it is a key's name without saying of what.
    pub fn bare_key(&self) -> bool {
        self.key_word && self.stem.is_empty()
    }

    /// Whether it speaks of a row of its own table.
    pub fn own_kind(&self) -> bool {
        self.stem
            .iter()
            .any(|word| SELF_WORDS.contains(&word.as_str()))
    }

    /// How much the name of a column says that it is the key of a table of that name, in [0, 1].
    pub fn names_rows_of(&self, table: &Name) -> f64 {
        if self.bare_key() {
            return 0.85;
        }
        let called = self.called_after(table);
        if called >= STRONG {
            called.min(0.9)
        } else {
            0.0
        }
    }

    /// How much the name of a column says that it refers to the key of a table, in [0, 1].
    pub fn refers_to(&self, table: &Name, key: &Name) -> f64 {
        let mut best = self.called_after(table);
        if !key.meaningless && !key.bare_key() {
            if self.raw == key.raw {
                best = best.max(if key.key_word { 0.92 } else { 0.88 });
            } else if !key.stem.is_empty() && key.key_word {
                best = best.max(0.95 * self.called_after_words(&key.stem, &key.joined));
            }
        }
        best
    }

    /// How much a column is called after a table.
    pub fn called_after(&self, table: &Name) -> f64 {
        self.called_after_words(&table.stem, &table.joined)
    }

    fn called_after_words(&self, table: &[String], joined: &str) -> f64 {
        if table.is_empty() || self.stem.is_empty() || self.measured() {
            return 0.0;
        }
        if self.numbered && self.spelled == joined {
            return if self.key_word { 1.0 } else { 0.85 };
        }
        if self.meaningless {
            return 0.0;
        }
        if self.stem == table || self.joined == joined {
            return match (self.key_word, self.numbered) {
                (true, false) => 1.0,
                (true, true) => 0.95,
                (false, false) => 0.85,
                (false, true) => 0.75,
            };
        }
        if let [only] = self.stem.as_slice()
            && !self.key_word
        {
            // `tid`, `moleculeid`, `molid`: the word and its `id` written as one.
            if let Some(stem) = only.strip_suffix("id").filter(|stem| !stem.is_empty()) {
                return abbreviates(stem, table, joined);
            }
            return 0.0;
        }
        if self.stem.len() > table.len()
            && (self.stem.ends_with(table) || self.stem.starts_with(table))
        {
            let side = |word: &String| SIDE_WORDS.contains(&word.as_str());
            return match (self.key_word, self.stem.iter().any(side)) {
                (true, _) => 0.85,
                (false, true) => 0.75,
                (false, false) => 0.45,
            };
        }
        match self.stem.as_slice() {
            [only] if self.key_word => abbreviates(only, table, joined),
            _ => 0.0,
        }
    }
}

/// From here on a name is reason enough, given that the values agree.
pub(super) const STRONG: f64 = 0.7;

/// How far a word is short for a table's name.
fn abbreviates(short: &str, table: &[String], whole: &str) -> f64 {
    if short.chars().next() != whole.chars().next() {
        return 0.0;
    }
    if short == whole || singular(short) == whole {
        return 0.95;
    }
    let initials: String = table
        .iter()
        .filter_map(|word| word.chars().next())
        .collect();
    let length = short.chars().count();
    if length >= 3 && whole.starts_with(short) {
        return 0.8;
    }
    if short == initials {
        return if length == 1 { 0.72 } else { 0.75 };
    }
    // `dept` is `department` with letters left out.
    let mut rest = whole.chars();
    let in_order = short
        .chars()
        .all(|letter| rest.any(|other| other == letter));
    if length >= 3 && in_order { STRONG } else { 0.0 }
}

fn is_number(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_digit())
}

/// The words of a name in lower case and singular; digits stand alone.
fn words(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut before: Option<char> = None;
    let letters: Vec<char> = name.chars().collect();
    for (position, &letter) in letters.iter().enumerate() {
        let next_is_lower = letters
            .get(position + 1)
            .is_some_and(|next| next.is_lowercase());
        let boundary = before.is_some_and(|before| {
            before.is_ascii_digit() != letter.is_ascii_digit()
                || before.is_lowercase() && letter.is_uppercase()
                || before.is_uppercase() && letter.is_uppercase() && next_is_lower
        });
        if (boundary || !letter.is_alphanumeric()) && !word.is_empty() {
            found.push(singular(&word));
            word.clear();
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
            before = Some(letter);
        } else {
            before = None;
        }
    }
    if !word.is_empty() {
        found.push(singular(&word));
    }
    found
}

/// The singular of an English word, near enough: both sides of a comparison go through it.
fn singular(word: &str) -> String {
    if word.len() > 4 && word.ends_with("ies") {
        return format!("{}y", &word[..word.len() - 3]);
    }
    for ending in ["sses", "xes", "ches", "shes", "zes"] {
        if word.len() > ending.len() && word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    let kept = ["ss", "us", "is"]
        .iter()
        .any(|ending| word.ends_with(ending));
    match word.strip_suffix('s') {
        Some(rest) if rest.len() >= 2 && !kept => rest.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refers(column: &str, table: &str, key: &str) -> f64 {
        Name::of_column(column).refers_to(&Name::of_table(table), &Name::of_column(key))
    }

    #[test]
    fn names_come_apart_into_words() {
        assert_eq!(words("atomID2"), ["atom", "id", "2"]);
        assert_eq!(words("HTTPStatusCodes"), ["http", "status", "code"]);
        assert_eq!(words("k_symbol"), ["k", "symbol"]);
        assert_eq!(words("__"), Vec::<String>::new());
    }

    #[test]
    fn plurals_are_singular() {
        for (plural, expected) in [
            ("trains", "train"),
            ("companies", "company"),
            ("boxes", "box"),
            ("classes", "class"),
            ("class", "class"),
            ("status", "status"),
            ("is", "is"),
        ] {
            assert_eq!(singular(plural), expected);
        }
    }

    #[test]
    fn columns_named_after_a_table_refer_to_it() {
        for (column, table, key) in [
            ("molecule_id", "molecule", "molecule_id"),
            ("district_id", "district", "A1"),
            ("atom1_id", "atom", "atom_id"),
            ("atom_id2", "atom", "atom_id"),
            ("tid", "trains", "id"),
            ("TrainID", "trains", "id"),
            ("customerno", "customers", "customerno"),
            ("parent_atom_id", "atoms", "id"),
            ("district", "districts", "code"),
            ("mol_id", "molecule", "id"),
            ("dept_no", "departments", "no"),
            ("from_station", "stations", "id"),
            ("ssn", "person", "ssn"),
            ("category_id", "tbl_categories", "id"),
            ("table2_id", "table2", "id"),
        ] {
            assert!(
                refers(column, table, key) >= STRONG,
                "{column} -> {table}.{key}"
            );
        }
    }

    #[test]
    fn other_columns_do_not() {
        for (column, table, key) in [
            ("n_atoms", "atom", "atom_id"),
            ("atom_count", "atom", "atom_id"),
            ("paid", "parent", "id"),
            ("id", "trains", "id"),
            ("A1", "district", "A1"),
            ("position", "trains", "id"),
            ("account_id", "disp", "disp_id"),
            ("group_type", "group", "group_id"),
        ] {
            assert!(
                refers(column, table, key) < STRONG,
                "{column} -> {table}.{key}"
            );
        }
    }
}
