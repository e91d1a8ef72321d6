//! A hierarchy of clusters as a picture: one self-contained SVG, leaves from top to bottom.

use std::fmt::Write;

use kinwood_similarity::cluster::hierarchy::{Merge, leaf_order};

use crate::diagram::escape as escaped;

const ROW: f64 = 18.0;
const TREE: f64 = 460.0;
const MARGIN: f64 = 24.0;
const NAME: usize = 40;

/// Draws merges of so many things; `clusters` colours the leaves.
pub fn svg(merges: &[Merge], names: &[String], clusters: &[usize]) -> String {
    let count = names.len();
    let highest = merges.iter().map(|merge| merge.height).fold(0.0, f64::max);
    let across = |height: f64| {
        let share = if highest > 0.0 { height / highest } else { 0.0 };
        MARGIN + TREE * (1.0 - share)
    };
    let longest = names
        .iter()
        .map(|name| shortened(name).chars().count())
        .max();
    let width = MARGIN * 2.0 + TREE + 16.0 + 7.5 * longest.unwrap_or(0) as f64;
    let height = MARGIN * 2.0 + ROW * count as f64 + 20.0;
    let mut places = vec![(0.0, 0.0); count + merges.len()];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"Dendrogram of {count} objects\">\n<style>\nsvg{{background:#fff;color:#1a1a1a;font:12px system-ui,sans-serif}}\n@media(prefers-color-scheme:dark){{svg{{background:#16181d;color:#e6e6e6}}}}\ntext{{fill:currentColor}} path{{fill:none;stroke:currentColor;stroke-opacity:.6}}\n</style>\n"
    );
    for (row, &leaf) in leaf_order(count, merges).iter().enumerate() {
        let y = MARGIN + ROW * (row as f64 + 0.5);
        places[leaf] = (across(0.0), y);
        let cluster = clusters.get(leaf).copied().unwrap_or(0);
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            across(0.0) + 4.0,
            crate::map_page::colour(cluster),
            across(0.0) + 14.0,
            y + 4.0,
            escaped(&shortened(&names[leaf]))
        );
    }
    for (i, merge) in merges.iter().enumerate() {
        let [a, b] = merge.parts.map(|part| places[part]);
        let x = across(merge.height);
        places[count + i] = (x, (a.1 + b.1) / 2.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}H{x:.1}V{:.1}H{:.1}\"><title>{} objects at {}</title></path>",
            a.0, a.1, b.1, b.0, merge.size, merge.height
        );
    }
    let bottom = MARGIN + ROW * count as f64 + 14.0;
    for tick in 0..=4 {
        let value = highest * f64::from(tick) / 4.0;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{bottom:.1}\" text-anchor=\"middle\" opacity=\".7\">{}</text>",
            across(value),
            rounded(value)
        );
    }
    svg.push_str("</svg>\n");
    svg
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
        let drawn = svg(&merges, &names, &[0, 1, 0]);
        assert_eq!(drawn.matches("<circle").count(), 3);
        assert_eq!(drawn.matches("<path").count(), 2);
        assert!(drawn.contains("a&lt;b") && drawn.contains("3 objects at 3"));
    }
}
