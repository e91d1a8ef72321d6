//! Remedies as the command words them: each ends what a library's error, notice or text begins.

use kinwood::Trained;
use kinwood_values::{Notice, Remedy};

use crate::provenance::quoted;

/// The end of a sentence that says what can be done, by which flag.
fn ending(remedy: &Remedy) -> String {
    match remedy {
        Remedy::LeaveOut { column } => format!(" with `--ignore {column}`"),
        Remedy::ChangeRole { column, role } => {
            let column = column.as_deref().unwrap_or("COLUMN");
            format!(" (`--role {column}={role}` changes that)")
        }
        Remedy::StateTarget { column } => {
            format!("; if it is none, say `--role {column}=target`")
        }
        Remedy::IgnoreOthers => {
            "; say which one by `--role COLUMN=ignore` for the other".to_owned()
        }
        Remedy::StateType { column, of } => {
            format!(
                " (`--type {}` changes that)",
                quoted(&format!("{column}={of}"))
            )
        }
        Remedy::NameTarget => " with `--target`".to_owned(),
        Remedy::NameTable => " with `--table`".to_owned(),
        Remedy::ReadTable {
            other_schema: false,
        } => " (`--tables` can name the table)".to_owned(),
        Remedy::ReadTable { other_schema: true } => {
            " (`--database-schema` or `--tables` can name the table)".to_owned()
        }
        Remedy::ReadSchema { schema } => format!(" with `--database-schema {schema}`"),
        Remedy::LeaveOutViews => ", `--no-views` leaves views out".to_owned(),
        Remedy::MakeBags => " (`--bag COLUMN` makes bags of the rows of a flat table)".to_owned(),
        Remedy::DivideIntoFolds { folds } => format!(", such as `--folds {folds}`"),
        Remedy::ChooseMember => " with `--member`".to_owned(),
        Remedy::ShowMember => "\n`--member N` shows a tree\n".to_owned(),
        Remedy::StateCutoff => " with `--as-of COLUMN` or `--as-of DATE`".to_owned(),
        Remedy::StateTime { table } => {
            let table = table.as_deref().unwrap_or("TABLE");
            format!("; a schema states another by `time = \"COLUMN\"` below `[tables.{table}]`")
        }
        Remedy::ChooseRows => " (`--rows` chooses others)".to_owned(),
        Remedy::AnswerKnown => ", and `--sql=known` leaves such rows unanswered".to_owned(),
    }
}

/// The message of an error with what can be done about it.
pub fn message(error: &kinwood::Error) -> String {
    let remedy = error.remedy().as_ref().map(ending).unwrap_or_default();
    format!("{error}{remedy}")
}

/// A notice with what can be done about it.
pub fn told(notice: &Notice) -> String {
    let remedy = notice.remedy().map(ending).unwrap_or_default();
    format!("{notice}{remedy}")
}

/// A model as a person reads it.
pub fn shown(trained: &Trained) -> String {
    let (text, more) = trained.show();
    text + &more.as_ref().map(ending).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinwood::evaluation::run::RunError;
    use kinwood::learners::Error as LearnerError;
    use kinwood::learners::sql::Gap;
    use kinwood_values::Role;

    use crate::error::Error;

    #[test]
    fn errors_end_with_the_flag_that_helps_however_deep_they_are() {
        let input = || LearnerError::InputType {
            learner: "m5",
            column: "steps".to_owned(),
            found: "list<numeric>".to_owned(),
            expected: "numbers",
        };
        let told = "`m5` cannot use column `steps`, a `list<numeric>`: it reads numbers; leave it out with `--ignore steps`";
        let library = kinwood::Error::from(input());
        assert_eq!(Error::from(library).to_string(), told);
        let fold = RunError::Fold {
            repeat: 1,
            fold: 2,
            source: input(),
        };
        let of_data = kinwood::Error::DataSet {
            name: "walks".to_owned(),
            source: Box::new(fold.into()),
        };
        assert_eq!(
            Error::from(of_data).to_string(),
            format!("data set `walks`: repeat 1, fold 2: {told}")
        );
        let source = LearnerError::from(Gap::Several { trees: 3 });
        let model = Error::Model {
            path: "a.kin".into(),
            source: source.into(),
        };
        assert_eq!(
            model.to_string(),
            "model `a.kin`: the model cannot be written as SQL: 3 trees answer together and only one can be written: choose it with `--member`"
        );
    }

    #[test]
    fn every_remedy_has_its_flag() {
        let column = || "x".to_owned();
        for (remedy, flag) in [
            (Remedy::LeaveOut { column: column() }, "`--ignore x`"),
            (
                Remedy::ChangeRole {
                    column: Some(column()),
                    role: Role::Input,
                },
                "`--role x=input`",
            ),
            (
                Remedy::ChangeRole {
                    column: None,
                    role: Role::Input,
                },
                "`--role COLUMN=input`",
            ),
            (
                Remedy::StateTarget { column: column() },
                "`--role x=target`",
            ),
            (Remedy::IgnoreOthers, "`--role COLUMN=ignore`"),
            (Remedy::NameTarget, "`--target`"),
            (Remedy::NameTable, "`--table`"),
            (
                Remedy::ReadTable {
                    other_schema: false,
                },
                "(`--tables` ",
            ),
            (
                Remedy::ReadTable { other_schema: true },
                "`--database-schema` or `--tables`",
            ),
            (
                Remedy::ReadSchema {
                    schema: "lab".to_owned(),
                },
                "`--database-schema lab`",
            ),
            (Remedy::LeaveOutViews, "`--no-views`"),
            (Remedy::MakeBags, "`--bag COLUMN`"),
            (Remedy::DivideIntoFolds { folds: 10 }, "`--folds 10`"),
            (Remedy::ChooseMember, "`--member`"),
            (Remedy::ShowMember, "`--member N`"),
            (Remedy::StateCutoff, "`--as-of COLUMN`"),
            (Remedy::StateTime { table: None }, "`[tables.TABLE]`"),
            (Remedy::ChooseRows, "`--rows`"),
            (Remedy::AnswerKnown, "`--sql=known`"),
        ] {
            assert!(ending(&remedy).contains(flag), "{remedy:?}");
            let notice = Notice::new("so it is").with_remedy(remedy.clone());
            assert_eq!(told(&notice), format!("so it is{}", ending(&remedy)));
        }
        assert_eq!(told(&Notice::new("so it is")), "so it is");
    }
}
