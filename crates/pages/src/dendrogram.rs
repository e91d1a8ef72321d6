//! A hierarchy of clusters as a picture: leaves from top to bottom.

use kinwood_similarity::cluster::hierarchy::{Merge, leaf_order};
use maud::{Markup, html};

use crate::kit::number::{Tenth, whole};
use crate::kit::plot::colour;
use crate::kit::{Drawing, Style};

const STYLE: Style = Style::new(
    "
svg{color:#1a1a1a;font:12px system-ui,sans-serif} .page{fill:#fff}
text{fill:currentColor} path{fill:none;stroke:currentColor;stroke-opacity:.6}
",
    "svg{color:#e6e6e6} .page{fill:#16181d}\n",
);

const ROW: f64 = 18.0;
const TREE: f64 = 460.0;
const MARGIN: f64 = 24.0;
const NAME: usize = 40;

/// Draws merges of so many things; `clusters` colours the leaves.
pub fn svg(merges: &[Merge], names: &[String], clusters: &[usize]) -> Drawing {
    let count = names.len();
    let longest = names.iter().map(|name| shortened(name).chars().count());
    let longest = longest.max().unwrap_or(0) as f64;
    let highest = merges.iter().map(|merge| merge.height).fold(0.0, f64::max);
    let (leaves, order) = (MARGIN + TREE, leaf_order(count, merges));
    let mut places = vec![(0.0, 0.0); count];
    for (row, &leaf) in order.iter().enumerate() {
        places[leaf] = (leaves, MARGIN + ROW * (row as f64 + 0.5));
    }
    let body = html! {
        @for leaf in order {
            @let cluster = clusters.get(leaf).copied().unwrap_or(0);
            (of_leaf(&names[leaf], cluster, places[leaf]))
        }
        (of_merges(merges, places, highest))
        @for tick in 0..=4 {
            @let value = highest * f64::from(tick) / 4.0;
            @let bottom = MARGIN + ROW * count as f64 + 14.0;
            text x=(Tenth(across(value, highest))) y=(Tenth(bottom)) text-anchor="middle" opacity=".7" {
                (rounded(value))
            } "\n"
        }
    };
    Drawing {
        title: format!("Dendrogram of {count} objects"),
        style: STYLE,
        body,
        size: whole(
            MARGIN * 2.0 + TREE + 16.0 + 7.5 * longest,
            MARGIN * 2.0 + ROW * count as f64 + 20.0,
        ),
    }
}

/// Where a height stands, the highest at the left.
fn across(height: f64, highest: f64) -> f64 {
    let share = if highest > 0.0 { height / highest } else { 0.0 };
    MARGIN + TREE * (1.0 - share)
}

fn of_leaf(name: &str, cluster: usize, (x, y): (f64, f64)) -> Markup {
    html! {
        circle cx=(Tenth(x + 4.0)) cy=(Tenth(y)) r="4" fill=(colour(cluster)) {}
        text x=(Tenth(x + 14.0)) y=(Tenth(y + 4.0)) { (shortened(name)) } "\n"
    }
}

/// The merges of things at these places, each drawn to where its parts stand.
fn of_merges(merges: &[Merge], mut places: Vec<(f64, f64)>, highest: f64) -> Markup {
    html! {
        @for merge in merges {
            @let [a, b] = merge.parts.map(|part| places[part]);
            @let x = across(merge.height, highest);
            @let () = places.push((x, (a.1 + b.1) / 2.0));
            path d=(format_args!("M{:.1} {:.1}H{x:.1}V{:.1}H{:.1}", a.0, a.1, b.1, b.0)) {
                title { (merge.size) " objects at " (merge.height) }
            } "\n"
        }
    }
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    let mut short: String = name.chars().take(NAME - 1).collect();
    short.push('…');
    short
}

fn rounded(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_and_merge_is_drawn() {
        let merges = [
            Merge {
                parts: [0, 2],
                height: 0.5,
                size: 2,
            },
            Merge {
                parts: [1, 3],
                height: 3.0,
                size: 3,
            },
        ];
        let names: Vec<String> = ["a<b", "c", "d"].map(str::to_owned).to_vec();
        let drawn = svg(&merges, &names, &[0, 1, 0]).alone();
        assert_eq!(drawn.matches("<circle").count(), 3);
        assert_eq!(drawn.matches("<path").count(), 2);
        assert!(drawn.contains("a&lt;b") && drawn.contains("3 objects at 3"));
    }
}
