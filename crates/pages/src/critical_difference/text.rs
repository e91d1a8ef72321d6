//! The diagram in lines of text.

use super::{Ranked, joined, levels};
use kinwood_text::{Align, TextTable, shortened};

/// Longer names are cut.
const WIDEST_NAME: usize = 40;

pub(super) fn draw(ranked: &Ranked) -> String {
    let order = ranked.in_order();
    let ranks: Vec<f64> = order.iter().map(|(_, rank)| *rank).collect();
    let groups = joined(&ranks, ranked.critical_difference);
    let places = groups
        .iter()
        // A line between two in one column, or they would look like one.
        .map(|&(first, last)| (first as f64, last as f64 + 1.0));
    let columns = levels(places);
    let names: Vec<String> = order.iter().map(|(name, _)| cut(name)).collect();
    let mut table = TextTable::new([Align::Right, Align::Left, Align::Left]);
    for (place, (name, rank)) in names.into_iter().zip(&ranks).enumerate() {
        let mut bars = vec![' '; columns.iter().max().map_or(0, |most| most + 1)];
        for (&(first, last), &column) in groups.iter().zip(&columns) {
            if (first..=last).contains(&place) {
                bars[column] = '│';
            }
        }
        let bars: Vec<String> = bars.iter().map(char::to_string).collect();
        table.line([format!("{rank:.2}"), name, bars.join(" ")]);
    }
    format!("{}\n\n{table}\n{}\n", ranked.heading(), ranked.legend())
}

fn cut(name: &str) -> String {
    let clean = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    shortened(&clean.collect::<String>(), WIDEST_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(learners: &[(&str, f64)], critical_difference: f64) -> Ranked {
        let learner = |&(name, rank): &(&str, f64)| (name.to_owned(), rank);
        Ranked {
            learners: learners.iter().map(learner).collect(),
            critical_difference,
            level: 0.05,
            data_sets: 14,
        }
    }

    #[test]
    fn lines_join_those_that_do_not_differ() {
        let learners = [
            ("C4.5", 3.143),
            ("C4.5+m", 2.0),
            ("C4.5+cf", 2.893),
            ("C4.5+m+cf", 1.964),
        ];
        let expected = "\
Mean ranks over 14 data sets, 1 is best

1.96  C4.5+m+cf  │
2.00  C4.5+m     │ │
2.89  C4.5+cf    │ │
3.14  C4.5         │

joined learners do not differ at level 0.05: their ranks are closer than the critical difference 1.15
";
        assert_eq!(draw(&ranked(&learners, 1.15)), expected);
    }

    #[test]
    fn groups_below_each_other_stand_apart() {
        let learners = [("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0)];
        let drawn = draw(&ranked(&learners, 1.5));
        let lines: Vec<&str> = drawn.lines().skip(2).take(4).collect();
        assert_eq!(
            lines,
            [
                "1.00  a  │",
                "2.00  b  │ │",
                "3.00  c    │ │",
                "4.00  d      │"
            ]
        );
    }

    #[test]
    fn names_are_cut_and_nothing_is_drawn_too() {
        let long = "name ".repeat(20);
        let drawn = draw(&ranked(
            &[(&long, 1.0), ("a\nb", 2.0), ("none", f64::NAN)],
            0.1,
        ));
        assert!(drawn.contains('…') && !drawn.contains(&long));
        assert!(drawn.contains("a b") && !drawn.contains("none"));
        assert!(draw(&ranked(&[], f64::NAN)).starts_with("Mean ranks"));
    }
}
