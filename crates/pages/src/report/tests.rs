//! Reports of real models in a real browser: nothing is fetched, nothing goes wrong, trees open and
//! light up, nothing sticks out.

use kinwood_learners::{Context, Registry};
use serde_json::json;

use super::*;
use crate::browsing::{browser, seen};
use kinwood_workbench::evaluate::{Division, evaluate};
use kinwood_workbench::sample::find;
use kinwood_workbench::{Choices, Opening, Origin, Trained, open};

/// What is fitted: the learner with its settings, the sample and the target.
struct Fitted {
    learner: &'static str,
    settings: &'static [(&'static str, &'static str)],
    sample: &'static str,
    target: &'static str,
}

const FITTED: [Fitted; 8] = [
    fitted("tree", &[], "table", "grade"),
    fitted("tree", BEAM, "table", "grade"),
    fitted("dbdt", &[], "shapes", "kind"),
    fitted("mirt", &[], "molecules", "activity"),
    fitted("knn", &[("k", "3")], "table", "grade"),
    fitted("svm", &[], "table", "grade"),
    fitted("m5", &[("leaf", "10")], "table", "price"),
    fitted("majority", &[], "table", "grade"),
];

/// Nothing is pruned and nothing costs: the beam stays full.
const BEAM: &[(&str, &str)] = &[
    ("search", "beam"),
    ("width", "4"),
    ("pruning", "none"),
    ("alpha", "0"),
    ("depth", "4"),
];

const fn fitted(
    learner: &'static str,
    settings: &'static [(&'static str, &'static str)],
    sample: &'static str,
    target: &'static str,
) -> Fitted {
    Fitted {
        learner,
        settings,
        sample,
        target,
    }
}

/// The page of a model fitted to a sample, and its sections.
fn page(of: &Fitted, rows: &[&str]) -> (String, Vec<&'static str>) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("sample");
    let sample = find(of.sample).unwrap();
    sample.write(60, 0.1, 1, &data, false).unwrap();
    let data = open(&data, &Opening::default()).unwrap();
    let choices = Choices {
        targets: vec![of.target.to_owned()],
        ..Choices::default()
    };
    let (problem, _) = data.problem(&choices).unwrap();
    let (registry, context) = (Registry::new(), Context::new());
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let given: Vec<(String, String)> = of.settings.iter().map(owned).collect();
    let origin = Origin {
        command: format!("kinwood fit {} sample", of.learner),
        data: "sample".to_owned(),
    };
    let fit = Trained::fit(&registry, of.learner, &given, &problem, &origin, &context);
    let (trained, _) = fit.unwrap();
    let (conformed, _) = trained.conform(&problem.view).unwrap();
    let division = Division::Folds {
        folds: 3,
        repeats: 1,
    };
    let problem = kinwood_workbench::Problem {
        view: conformed.clone(),
        targets: trained.targets().to_vec(),
        rows: None,
        timing: None,
    };
    let division = Some(&division);
    let evaluated = evaluate(
        &registry, of.learner, &given, &problem, division, "sample", &context,
    );
    let evaluated = evaluated.unwrap();
    let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
    let asked = Asked {
        rows: &rows,
        command: "kinwood report model.kin -o report.html --data sample",
        evaluation: Some(&evaluated.evaluation),
        baseline: evaluated.baseline.as_ref(),
    };
    let given = Rows {
        conformed: &conformed,
        source: "sample",
    };
    let report = of_model(&trained, Some(given), &asked, &context).unwrap();
    (html(&report), report.sections())
}

/// What sticks out of a page of this width, other than what scrolls within its own box.
const WIDTH: &str = r##"
document.body.style.width = "360px";
document.body.style.overflow = "hidden";
dispatchEvent(new Event("resize"));
dispatchEvent(new Event("beforeprint"));
seen.closed = all("main details:not([open])").filter((closed) => closed.id !== "trees").length;
seen.out = all("body *").filter((one) => one.getBoundingClientRect().right > 361 && !one.closest(".box, .scroll, nav ul, pre, #details figure, .skip, .tools datalist"))
  .map((one) => one.outerHTML.slice(0, 120));
"##;

#[test]
fn every_section_is_there_and_nothing_goes_wrong_or_sticks_out() {
    let Some(browser) = browser() else { return };
    for of in &FITTED {
        let (page, sections) = page(of, &[]);
        let all = [
            "answer",
            "model",
            "performance",
            "map",
            "predictions",
            "data",
            "overview",
        ];
        assert_eq!(sections, all, "{}", of.learner);
        let script = format!(
            r##"
seen.charts = all("#the-performance svg.chart").length;
seen.places = all(".places .place").length;
seen.explained = all(".explained").length;
seen.headings = all("h1").length;
seen.doubled = all("[id]").map((one) => one.id).filter((id, place, ids) => ids.indexOf(id) !== place);
seen.dangling = all("a[href^='#']").map((one) => one.getAttribute("href").slice(1)).filter((id) => !document.getElementById(id));
seen.nameless = all("svg[role=img]").filter((one) => !one.getAttribute("aria-label") && !one.querySelector("title")).length;
seen.numbers = (document.body.innerHTML.match(/[ "](NaN|inf)/g) || []).length;
{WIDTH}"##
        );
        let seen = seen(&browser, &page, 500, &script);
        for (what, expected) in [
            ("heard", json!([])),
            ("fetched", json!(0)),
            ("places", json!(60)),
            ("headings", json!(1)),
            ("doubled", json!([])),
            ("dangling", json!([])),
            ("nameless", json!(0)),
            ("numbers", json!(0)),
            ("closed", json!(0)),
            ("out", json!([])),
        ] {
            assert_eq!(
                seen[what], expected,
                "{} {:?}: {what}",
                of.learner, of.settings
            );
        }
        assert!(seen["charts"].as_u64() >= Some(2), "{}", of.learner);
        assert!(seen["explained"].as_u64() >= Some(3), "{}", of.learner);
        assert!(!page.contains("http:") && !page.contains("https:"));
    }
}

#[test]
fn trees_open_and_rows_light_up_from_the_map_and_the_predictions() {
    let Some(browser) = browser() else { return };
    let (page, _) = page(&FITTED[0], &["7", "11"]);
    let script = r##"
seen.nodes = nodes(0);
click(node(0).querySelector(".toggle"));
seen.closed = nodes(0);
node(0).focus();
press("Enter");
seen.opened = nodes(0);
seen.explained = all(".explained summary b").map((one) => one.textContent);
click(one("[data-light='11']"));
seen.lit = numbers(".node.lit");
seen.row = one("#row").value;
const places = all(".places .place");
places[0].focus();
press("ArrowRight");
seen.place = document.activeElement.dataset.row;
seen.said = one("#place-said").textContent;
seen.litByPlace = [one("#row").value, numbers(".node.lit").length > 1];
seen.stops = all(".places [tabindex='0']").length;
press("End");
seen.last = document.activeElement === places[places.length - 1];
const explained = places.find((place) => place.dataset.row === "7");
click(explained);
seen.link = one("#place-said a").getAttribute("href");
location.hash = "#explained-2";
dispatchEvent(new Event("hashchange"));
seen.revealed = one("#explained-2").open;
click(one("#theme")); click(one("#theme"));
seen.theme = getComputedStyle(document.body).backgroundColor;
seen.shown = all("[data-copies]").every((button) => !button.hidden);
"##;
    let seen = seen(&browser, &page, 1280, script);
    assert_eq!(seen["heard"], json!([]));
    let nodes = seen["nodes"].as_u64().unwrap();
    assert!(nodes > 2, "{nodes}");
    assert_eq!(
        (&seen["closed"], &seen["opened"]),
        (&json!(1), &json!(nodes))
    );
    let lit: Vec<u64> = serde_json::from_value(seen["lit"].clone()).unwrap();
    assert!(lit.len() > 1 && lit[0] == 0, "{lit:?}");
    for (what, expected) in [
        ("explained", json!(["7", "11"])),
        ("row", json!("11")),
        ("place", json!("2")),
        ("litByPlace", json!(["2", true])),
        ("stops", json!(1)),
        ("last", json!(true)),
        ("link", json!("#explained-1")),
        ("revealed", json!(true)),
        ("theme", json!("rgb(20, 24, 29)")),
        ("shown", json!(true)),
    ] {
        assert_eq!(seen[what], expected, "{what}");
    }
    assert!(
        seen["said"].as_str().unwrap().starts_with("Row2grade"),
        "{}",
        seen["said"]
    );
}

#[test]
fn what_models_go_by_is_told() {
    let part = |of: usize, from: &str| -> String {
        let (page, _) = page(&FITTED[of], &["3"]);
        assert!(page.contains(from), "{} has no {from}", FITTED[of].learner);
        page
    };
    part(2, "<h3>Prototypes</h3>");
    part(3, "Tables and the keys between them");
    part(4, "Stored rows used most");
    let machine = part(5, "Support objects");
    assert!(machine.contains("for B") && !machine.contains("<td>2 others"));
    let rule = part(7, "The model does not say why.");
    assert!(!rule.contains("id=\"viewer\""));
}

#[test]
fn a_report_is_the_same_every_time_and_may_be_of_a_model_alone() {
    assert_eq!(page(&FITTED[0], &[]), page(&FITTED[0], &[]));
    let nothing = Report {
        title: "</title><script>alert(1)</script>".to_owned(),
        ..Report::default()
    };
    let page = html(&nothing);
    assert!(!page.contains("<script>alert") && nothing.sections().is_empty());
}

#[test]
fn tables_and_drawings_of_several_evaluations_are_shown() {
    let report = Report {
        title: "study".to_owned(),
        tables: vec![TableShown {
            title: "Ranks".to_owned(),
            caption: "Lower is better.".to_owned(),
            headers: vec!["learner".to_owned(), "rank".to_owned()],
            rows: vec![vec!["tree<".to_owned(), "1.5".to_owned()]],
        }],
        figures: vec![Figure {
            title: "Critical differences".to_owned(),
            drawing: crate::Drawing {
                style: crate::Style::new(".a { fill: #fff }", ""),
                body: maud::html! { rect class="a" {} },
                ..crate::Drawing::default()
            },
        }],
        ..Report::default()
    };
    let page = html(&report);
    assert_eq!(report.sections(), ["performance"]);
    assert!(page.contains("tree&lt;") && page.contains("<td class=\"number\">1.5</td>"));
    let (head, body) = page.split_once("</head>").unwrap();
    assert!(head.contains(".drawn-0 { .a { fill: #fff } }"));
    assert!(body.contains("<div class=\"drawn-0\"><svg ") && !body.contains("<style"));
}
