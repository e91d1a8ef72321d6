//! A hierarchy of clusters as a picture: leaves from top to bottom.

use kinwood_similarity::cluster::hierarchy::{Merge, leaf_order};
use maud::{Markup, html};

use crate::kit::number::{Tenth, whole};
use crate::kit::plot::colour;
use crate::kit::{Drawing, Style};

const STYLE: Style = Style::new(
    "
svg{color:#1a1a1a;font:12px system-ui,sans-serif} .page{fill:#fff}
text{fill:currentColor} path{fill:none;stroke:currentColor;stroke-opacity:.6;stroke-width:1.5}
path.own{stroke-opacity:1} path.grid{stroke-opacity:.15;stroke-width:1} path.scale{stroke-width:1}
",
    "svg{color:#e6e6e6} .page{fill:#16181d}\n",
);

/// The height of a leaf where there is room, and of all leaves where there is not.
const ROW: f64 = 18.0;
const HEIGHT: f64 = 1_080.0;
/// Leaves lower than this have no names: nobody could read them.
const READABLE: f64 = 7.0;
const TREE: f64 = 460.0;
const MARGIN: f64 = 24.0;
const NAME: usize = 40;

/// Draws merges of so many things; `clusters` colours the leaves.
pub fn svg(merges: &[Merge], names: &[String], clusters: &[usize]) -> Drawing {
    let count = names.len();
    let row = ROW.min(HEIGHT / count.max(1) as f64);
    let named = row >= READABLE;
    let longest = names
        .iter()
        .filter(|_| named)
        .map(|name| shortened(name).chars().count());
    let longest = longest.max().unwrap_or(0) as f64;
    let highest = merges.iter().map(|merge| merge.height).fold(0.0, f64::max);
    let (leaves, order) = (MARGIN + TREE, leaf_order(count, merges));
    let mut places = vec![(0.0, 0.0); count];
    for (place, &leaf) in order.iter().enumerate() {
        places[leaf] = (leaves, MARGIN + row * (place as f64 + 0.5));
    }
    let bottom = MARGIN + row * count as f64;
    let body = html! {
        @for tick in 0..=4 {
            @let value = highest * f64::from(tick) / 4.0;
            @let x = across(value, highest);
            path class="grid" d=(format_args!("M{x:.1} {MARGIN:.1}V{bottom:.1}")) {}
            path class="scale" d=(format_args!("M{x:.1} {bottom:.1}v5")) {}
            text x=(Tenth(x)) y=(Tenth(bottom + 18.0)) text-anchor="middle" { (rounded(value)) } "\n"
        }
        path class="scale" d=(format_args!("M{MARGIN:.1} {bottom:.1}H{leaves:.1}")) {}
        text x=(Tenth(MARGIN + TREE / 2.0)) y=(Tenth(bottom + 34.0)) text-anchor="middle" { "distance at which groups join" } "\n"
        @for leaf in order {
            @let cluster = clusters.get(leaf).copied().unwrap_or(0);
            (of_leaf(&names[leaf], cluster, places[leaf], row))
        }
        (of_merges(merges, clusters, places, highest))
    };
    Drawing {
        title: format!("Dendrogram of {count} objects"),
        style: STYLE,
        body,
        size: whole(
            MARGIN * 2.0 + TREE + 16.0 + 7.5 * longest,
            bottom + MARGIN + 20.0,
        ),
    }
}

/// Where a height stands, the highest at the left.
fn across(height: f64, highest: f64) -> f64 {
    let share = if highest > 0.0 { height / highest } else { 0.0 };
    MARGIN + TREE * (1.0 - share)
}

/// A leaf in the colour of its cluster; its name stands beside it, or where there is no room in a
/// tooltip.
fn of_leaf(name: &str, cluster: usize, (x, y): (f64, f64), row: f64) -> Markup {
    let radius = (row / 2.5).clamp(1.5, 4.0);
    let size = format!("{:.1}px", row.min(12.0));
    html! {
        circle cx=(Tenth(x + 4.0)) cy=(Tenth(y)) r=(Tenth(radius)) fill=(colour(cluster)) {
            title { (name) }
        }
        @if row >= READABLE {
            text x=(Tenth(x + 14.0)) y=(Tenth(y + 4.0)) font-size=(size) { (shortened(name)) }
        }
        "\n"
    }
}

/// The merges of things at these places, each drawn to where its parts stand.
///
/// One within a cluster has its colour.
fn of_merges(
    merges: &[Merge],
    clusters: &[usize],
    mut places: Vec<(f64, f64)>,
    highest: f64,
) -> Markup {
    let leaves = (0..places.len()).map(|leaf| clusters.get(leaf).copied());
    let mut within: Vec<Option<usize>> = leaves.collect();
    html! {
        @for merge in merges {
            @let [a, b] = merge.parts.map(|part| places[part]);
            @let [one, other] = merge.parts.map(|part| within[part]);
            @let own = one.filter(|_| one == other);
            @let () = within.push(own);
            @let x = across(merge.height, highest);
            @let () = places.push((x, (a.1 + b.1) / 2.0));
            path class=[own.map(|_| "own")] style=[own.map(|own| format!("stroke:{}", colour(own)))]
                d=(format_args!("M{:.1} {:.1}H{x:.1}V{:.1}H{:.1}", a.0, a.1, b.1, b.0)) {
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
        assert_eq!(drawn.matches("objects at").count(), 2);
        assert!(drawn.contains("a&lt;b") && drawn.contains("3 objects at 3"));
    }
}
