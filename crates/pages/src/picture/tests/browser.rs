//! The page in a real browser: nothing is fetched, nothing goes wrong, and what can be done by hand
//! can be done by keyboard.

use serde_json::json;

use super::*;
use crate::browsing::{browser, seen};

#[test]
fn nodes_open_close_light_up_and_are_found() {
    let Some(browser) = browser() else { return };
    let page = html(&hand_made(), &rows_made());
    let script = r##"
seen.panels = all(".panel").length;
seen.nodes = [nodes(0), nodes(1)];
click(node(1).querySelector(".toggle"));
seen.closed = [nodes(0), nodes(1), node(1).getAttribute("aria-expanded"), at()];
click(node(1).querySelector(".toggle"));
seen.opened = [nodes(0), node(1).getAttribute("aria-expanded")];
node(0).focus();
press("ArrowDown"); seen.down = at();
press("ArrowRight"); seen.right = at();
press("Enter"); seen.entered = nodes(0);
press(" "); seen.blank = nodes(0);
press("ArrowUp"); seen.up = at();
press("End"); seen.end = at();
press("Home"); seen.home = at();
seen.stops = all("[role=tree] [tabindex='0']").length;
seen.levels = numbers(".panel:first-child [aria-level='3']");
type("#find", "molecule");
seen.found = numbers(".found");
seen.told = one("#found").value;
click(one("#collapse"));
seen.collapsed = nodes(0);
seen.holding = numbers(".holds");
click(one("#next"));
seen.revealed = [nodes(0), one("#details h2").textContent];
type("#find", "");
seen.forgotten = numbers(".found").length;
type("#row", "first");
seen.lit = numbers(".panel:first-child .node.lit");
seen.ways = all(".panel:first-child .way.lit").length;
seen.litBeside = numbers(".panel:last-child .node.lit");
click(node(0)); seen.details = all("#details figure").length;
seen.aligned = one("#details").textContent.includes("aligned with the prototype of its branch");
type("#row", "nobody"); seen.nobody = one("#row-said").value;
click(one("#row-none")); seen.dark = numbers(".node.lit").length;
type("#depth", "1"); seen.depth = nodes(0);
click(one("#expand")); seen.expanded = nodes(0);
const boxes = all("#list input");
boxes[0].click(); seen.alone = [all(".panel").length, one(".panel h2").textContent];
boxes[1].click(); seen.never = [all(".panel").length, boxes[1].checked];
click(one("#theme")); click(one("#theme"));
seen.theme = [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor];
seen.injected = all("#panels b, #list b").length;
"##;
    let mut seen = seen(&browser, &page, 1400, script);
    assert_eq!(seen["heard"], json!([]));
    assert_eq!(seen["fetched"], 0);
    let expected = json!({
        "panels": 2,
        "nodes": [10, 10],
        "closed": [8, 10, "false", "1"],
        "opened": [10, "true"],
        "down": "1",
        "right": "4",
        "entered": 6,
        "blank": 10,
        "up": "0",
        "end": "9",
        "home": "0",
        "stops": 2,
        "levels": [2, 3, 5, 6, 7, 8],
        "found": [1, 1],
        "told": "2 found",
        "collapsed": 1,
        "holding": [0, 0],
        "revealed": [4, "molecule by prototypes"],
        "forgotten": 0,
        "lit": [0, 1, 2],
        "ways": 2,
        "litBeside": [0, 9],
        "details": 7,
        "aligned": true,
        "nobody": "no such row",
        "dark": 0,
        "depth": 4,
        "expanded": 10,
        "alone": [1, HOSTILE],
        "never": [1, true],
        "theme": ["dark", "rgb(20, 24, 29)"],
        "injected": 0,
    });
    // The document does not hold control characters as they are.
    seen["alone"][1] = json!(HOSTILE);
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&seen[name], value, "{name}");
    }
}

/// A tree in which every test has two branches, so many levels deep.
fn complete(levels: u32) -> Drawing {
    let mut nodes = Vec::new();
    let mut pending = vec![(None, 0)];
    while let Some((parent, level)) = pending.pop() {
        let place = nodes.len() as u32;
        let divided = level < levels;
        let halves = vec![branch("yes", None, 0.5), branch("no", None, 0.5)];
        let test = divided
            .then(|| test(&format!("x{level}"), halves))
            .flatten();
        nodes.push(node(parent, test, [1.0, 2.0, 3.0]));
        if divided {
            pending.extend([1, 0].map(|branch| (Some((place, branch)), level + 1)));
        }
    }
    let mut drawing = hand_made();
    drawing.trees[0].nodes = nodes;
    drawing
}

#[test]
fn of_large_trees_only_what_is_open_is_drawn() {
    let Some(browser) = browser() else { return };
    let drawing = complete(12);
    assert_eq!(drawing.trees[0].nodes.len(), 8191);
    let page = html(&drawing, &[]);
    let script = r##"
seen.first = nodes(0);
seen.panels = all(".panel").length;
seen.rows = one("#rows-tool").hidden;
click(one("#expand"));
seen.most = nodes(0) <= 2000 && nodes(0) > 1000;
seen.told = one("#opened").value;
seen.wide = document.documentElement.scrollWidth <= innerWidth;
"##;
    // A telephone: one tree at a time, and the page itself does not scroll sideways.
    let seen = seen(&browser, &page, 500, script);
    assert_eq!(seen["heard"], json!([]));
    assert_eq!(seen["first"], 31);
    assert_eq!(
        (&seen["panels"], &seen["rows"], &seen["most"], &seen["wide"]),
        (&json!(1), &json!(true), &json!(true), &json!(true))
    );
    assert_eq!(seen["told"], "2000 nodes at most are opened at once");
}
