//! Remedies as Python words them: each ends what a library's error, notice or text begins.

use kinwood::Trained;
use kinwood_values::{Notice, Remedy};
use serde_json::Value;

/// The end of a sentence that says what can be done, by which keyword or attribute.
fn ending(remedy: &Remedy) -> String {
    match remedy {
        Remedy::LeaveOut { column } => {
            let column = text(column);
            format!(" with `roles={{{column}: \"ignore\"}}` of a `Table` or `Database`")
        }
        Remedy::ChangeRole { column, role } => {
            let column = text(column.as_deref().unwrap_or("COLUMN"));
            format!(" (`roles={{{column}: \"{role}\"}}` changes that)")
        }
        Remedy::StateTarget { column } => {
            let column = text(column);
            format!("; if it is none, say `roles={{{column}: \"target\"}}`")
        }
        Remedy::IgnoreOthers => {
            "; say which one by `roles={\"COLUMN\": \"ignore\"}` for the other".to_owned()
        }
        Remedy::StateType { column, of } => {
            format!(" (`types={{\"{column}\": \"{of}\"}}` changes that)")
        }
        Remedy::NameTarget => " with `target=`".to_owned(),
        Remedy::NameTable => " with `table=`".to_owned(),
        Remedy::ReadTable {
            other_schema: false,
        } => " (`tables=` can name the table)".to_owned(),
        Remedy::ReadTable { other_schema: true } => {
            " (`database_schema=` or `tables=` can name the table)".to_owned()
        }
        Remedy::ReadSchema { schema } => format!(" with `database_schema={}`", text(schema)),
        Remedy::LeaveOutViews => ", `views=False` leaves views out".to_owned(),
        Remedy::MakeBags => {
            " (`bag=\"COLUMN\"` of a `Database` makes bags of the rows of a flat table)".to_owned()
        }
        Remedy::DivideIntoFolds { folds } => format!(", such as `folds={folds}`"),
        Remedy::ChooseMember => ", as `members_[0]` does".to_owned(),
        Remedy::ShowMember => "\n`members_[0].show()` shows a tree\n".to_owned(),
        Remedy::StateCutoff => " with `as_of=\"COLUMN\"`".to_owned(),
        Remedy::StateTime { table } => {
            let table = text(table.as_deref().unwrap_or("TABLE"));
            format!(" (`time={{{table}: \"COLUMN\"}}` of a `Database` states another)")
        }
        Remedy::ChooseRows => " (`rows=` chooses others)".to_owned(),
        Remedy::AnswerKnown => {
            ", and `to_sql(asked=\"known\")` leaves such rows unanswered".to_owned()
        }
    }
}

/// A text as Python writes it: what JSON writes is the same.
fn text(text: &str) -> String {
    Value::from(text).to_string()
}

/// The message of an error with what can be done about it.
pub(crate) fn message(error: &kinwood::Error) -> String {
    let remedy = error.remedy().as_ref().map(ending).unwrap_or_default();
    format!("{error}{remedy}")
}

/// Notices with what can be done about them.
pub(crate) fn told(notices: &[Notice]) -> Vec<String> {
    let told = |notice: &Notice| {
        let remedy = notice.remedy().map(ending).unwrap_or_default();
        format!("{notice}{remedy}")
    };
    notices.iter().map(told).collect()
}

/// A model as a person reads it.
pub(crate) fn shown(trained: &Trained) -> String {
    let (text, more) = trained.show();
    text + &more.as_ref().map(ending).unwrap_or_default()
}
