//! What types, trees, terms and times print is read back, and no text makes a parser panic.

use kinwood_testing::{any_datetime, any_term, any_tree, any_type};
use kinwood_values::datetime::{parse, print};
use kinwood_values::types::unify;
use kinwood_values::{Term, Tree, Type};
use proptest::prelude::*;

mod times {
    use super::*;

    proptest! {
        #[test]
        fn prints_what_it_reads(time in any_datetime()) {
            prop_assert_eq!(parse(&print(time)), Ok(time));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "2024-0[1-9]-1[0-9]T1[0-9]:[0-5][0-9][Z:0-9.+é-]{0,7}") {
            if let Ok(time) = parse(&text) {
                prop_assert_eq!(parse(&print(time)), Ok(time));
            }
        }
    }
}

mod types {
    use super::*;

    proptest! {
        #[test]
        fn prints_what_it_reads(of in any_type()) {
            prop_assert_eq!(of.to_string().parse(), Ok(of));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[a-z<>:, ']{0,30}") {
            if let Ok(of) = text.parse::<Type>() {
                prop_assert_eq!(of.to_string().parse(), Ok(of));
            }
        }

        #[test]
        fn unify_is_reflexive_and_symmetric(a in any_type(), b in any_type()) {
            prop_assert_eq!(unify(&a, &a), Some(a.clone()));
            prop_assert_eq!(unify(&a, &b).is_some(), unify(&b, &a).is_some());
        }
    }
}

mod trees {
    use super::*;

    proptest! {
        #[test]
        fn prints_what_it_reads(tree in any_tree()) {
            prop_assert_eq!(tree.to_string().parse(), Ok(tree));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[ab(),' ]{0,20}") {
            if let Ok(tree) = text.parse::<Tree>() {
                prop_assert_eq!(tree.to_string().parse(), Ok(tree));
            }
        }

        #[test]
        fn children_add_up(tree in any_tree()) {
            for node in 0..tree.len() {
                prop_assert_eq!(tree.children(node).count(), tree.arity(node));
                let below: usize = tree.children(node).map(|child| tree.size(child)).sum();
                prop_assert_eq!(tree.size(node), below + 1);
            }
        }
    }
}

mod terms {
    use super::*;

    proptest! {
        #[test]
        fn prints_what_it_reads(term in any_term()) {
            prop_assert_eq!(term.to_string().parse(), Ok(term));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[aB_(),'\\[\\]| 1.e-]{0,20}") {
            if let Ok(term) = text.parse::<Term>() {
                prop_assert_eq!(term.to_string().parse(), Ok(term));
            }
        }
    }
}
