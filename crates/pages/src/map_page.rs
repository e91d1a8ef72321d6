//! A map of objects: one self-contained HTML page, coloured by class, with each object behind its
//! point.
//!
//! No script is fetched and none is needed to see the picture; a few lines of it show an object on
//! hover, by keyboard or by search.

use std::fmt::Write;

use kinwood_similarity::cluster::scaling::Scaled;
use serde_json::json;

use crate::diagram::escape as escaped;

/// What the page shows.
pub struct Map<'a> {
    /// What the objects are of.
    pub title: &'a str,
    /// The distance they were placed by.
    pub distance: &'a str,
    /// Their places.
    pub scaled: &'a Scaled,
    /// Their names.
    pub names: &'a [String],
    /// Each in a line.
    pub objects: &'a [String],
    /// The column that colours them, and the label of each.
    pub classes: Option<(&'a str, &'a [Option<String>])>,
}

/// Colours that people with colour blindness can tell apart (Okabe and Ito), then others around the
/// circle.
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#6a51a3",
];

/// The colour of a class by number.
pub(crate) fn colour(class: usize) -> String {
    COLOURS.get(class).map_or_else(
        || format!("hsl({},60%,45%)", class * 137 % 360),
        |&colour| colour.to_owned(),
    )
}

const SIDE: f64 = 720.0;
const MARGIN: f64 = 30.0;

/// Draws the page.
pub fn html(map: &Map<'_>) -> String {
    let ends = |axis: usize| {
        let along = map.scaled.points.iter().map(|point| point[axis]);
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        })
    };
    let ((left, right), (bottom, top)) = (ends(0), ends(1));
    // One scale for both axes: it is the distances that are shown.
    let extent = (right - left).max(top - bottom).max(f64::MIN_POSITIVE);
    let unit = (SIDE - 2.0 * MARGIN) / extent;
    let height = ((top - bottom).max(0.0) * unit + 2.0 * MARGIN).max(200.0);
    let mut labels: Vec<&str> = Vec::new();
    let mut class_of = vec![None; map.names.len()];
    if let Some((_, classes)) = map.classes {
        for (position, class) in classes.iter().enumerate() {
            class_of[position] = class.as_deref().map(|label| {
                labels
                    .iter()
                    .position(|&other| other == label)
                    .unwrap_or_else(|| {
                        labels.push(label);
                        labels.len() - 1
                    })
            });
        }
    }
    let mut points = String::new();
    for (position, point) in map.scaled.points.iter().enumerate() {
        let x = MARGIN + (point[0] - left) * unit;
        let y = height - MARGIN - (point[1] - bottom) * unit;
        let fill = class_of[position].map_or_else(|| "#888".to_owned(), colour);
        let name = escaped(&map.names[position]);
        let _ = writeln!(
            points,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{fill}\" tabindex=\"0\" role=\"img\" aria-label=\"{name}\" data-i=\"{position}\"><title>{name}</title></circle>"
        );
    }
    let mut legend = String::new();
    if let Some((column, _)) = map.classes {
        let _ = write!(legend, "<p class=\"legend\"><b>{}</b>", escaped(column));
        for (class, label) in labels.iter().enumerate() {
            let (fill, label) = (colour(class), escaped(label));
            let _ = write!(
                legend,
                " <span><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><circle cx=\"6\" cy=\"6\" r=\"5\" fill=\"{fill}\"/></svg> {label}</span>"
            );
        }
        legend.push_str("</p>\n");
    }
    // `<` could end the script: it is written as an escape.
    let data = json!(
        map.names
            .iter()
            .zip(map.objects)
            .enumerate()
            .map(|(position, (name, object))| {
                let label = class_of[position].map(|class| labels[class]);
                json!([name, object, label])
            })
            .collect::<Vec<_>>()
    )
    .to_string()
    .replace('<', "\\u003c");
    let (title, distance) = (escaped(map.title), escaped(map.distance));
    let shown = (map.scaled.shown * 100.0).round();
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Map of {title}</title>
<style>
:root{{color-scheme:light dark;--paper:#fff;--ink:#1a1a1a;--edge:#d0d0d0}}
@media(prefers-color-scheme:dark){{:root{{--paper:#16181d;--ink:#e6e6e6;--edge:#3a3f4a}}}}
body{{margin:0 auto;max-width:1100px;padding:1.2rem;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}}
h1{{font-size:1.25rem;margin:0 0 .2rem}} code{{overflow-wrap:anywhere}}
.view{{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}}
.view svg.map{{flex:2 1 480px;max-width:100%;height:auto;border:1px solid var(--edge);border-radius:6px}}
aside{{flex:1 1 260px;min-width:0}} aside dd{{margin:0 0 .6rem;overflow-wrap:anywhere;max-height:24rem;overflow:auto}} dt{{font-weight:600}}
circle{{stroke:var(--paper);stroke-width:1}} circle[data-i]{{cursor:pointer}}
circle[data-i]:hover,circle[data-i]:focus,circle.on{{stroke:var(--ink);stroke-width:2.5;outline:none}}
circle.off{{opacity:.12}}
.legend span{{margin-left:.8rem;white-space:nowrap}}
input{{font:inherit;padding:.3rem .5rem;width:100%;box-sizing:border-box}}
@media print{{aside{{display:none}}}}
</style>
</head>
<body>
<h1>Map of {title}</h1>
<p>{count} objects, placed so that near points are near by <code>{distance}</code>. The two directions show {shown} % of the spread.</p>
{legend}<div class="view">
<svg class="map" viewBox="0 0 {SIDE:.0} {height:.0}" role="group" aria-label="Map">
{points}</svg>
<aside>
<p><label>Find <input id="find" type="search" placeholder="name, class or content"></label></p>
<dl id="object" aria-live="polite"><dt>Object</dt><dd>Point at one, or reach it with the Tab key.</dd></dl>
</aside>
</div>
<script>
const objects={data};
const box=document.getElementById("object"),points=[...document.querySelectorAll("circle[data-i]")];
const show=i=>{{const [name,object,label]=objects[i];box.replaceChildren();
for(const [term,text] of [["Object",name],["Class",label],["Content",object]]){{if(text===null||text===undefined)continue;
const dt=document.createElement("dt"),dd=document.createElement("dd");dt.textContent=term;dd.textContent=text;box.append(dt,dd);}}
points.forEach(p=>p.classList.toggle("on",p.dataset.i==i));}};
points.forEach(p=>["pointerenter","focus","click"].forEach(e=>p.addEventListener(e,()=>show(p.dataset.i))));
document.getElementById("find").addEventListener("input",e=>{{const q=e.target.value.toLowerCase();
points.forEach(p=>p.classList.toggle("off",q!==""&&!objects[p.dataset.i].some(t=>t!==null&&String(t).toLowerCase().includes(q))));}});
</script>
</body>
</html>
"##,
        count = map.names.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_has_a_point_and_nothing_escapes() {
        let scaled = Scaled {
            points: vec![[0.0, 0.0], [1.0, 0.5]],
            shown: 0.75,
        };
        let names = ["a".to_owned(), "</script>".to_owned()];
        let objects = ["{1, 2}".to_owned(), "<b>".to_owned()];
        let classes = [Some("x & y".to_owned()), None];
        let page = html(&Map {
            title: "t",
            distance: "hausdorff(absolute)",
            scaled: &scaled,
            names: &names,
            objects: &objects,
            classes: Some(("kind", &classes)),
        });
        assert_eq!(page.matches("data-i=").count(), 2);
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(page.contains("x &amp; y") && page.contains("show 75 %"));
        assert!(!page.contains("http"));
    }
}
