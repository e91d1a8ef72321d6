//! Pages in a real browser, for tests: what a script sees that runs in them, and whatever went
//! wrong.
//!
//! A script at the end of a copy of the page presses keys and buttons and leaves what it saw in the
//! document, which headless Chromium then prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

/// Hears of every error, warning and refused request from the first line on.
const LISTENING: &str = r#"<script>
window.heard = [];
for (const way of ["error", "warn"]) console[way] = (...words) => heard.push(words.join(" "));
addEventListener("error", (event) => heard.push(event.message));
addEventListener("securitypolicyviolation", (event) => heard.push(event.violatedDirective));
</script>"#;

/// What every script has: pressing, typing, looking.
const HANDS: &str = r##"
const one = (path) => document.querySelector(path);
const all = (path) => [...document.querySelectorAll(path)];
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
const type = (path, text) => { one(path).value = text; one(path).dispatchEvent(new Event("input", { bubbles: true })); };
const nodes = (number) => all(".panel")[number].querySelectorAll("[role=treeitem]").length;
const at = () => document.activeElement.dataset.node;
const node = (place) => one(`.panel [data-node="${place}"]`);
const numbers = (path) => all(path).map((element) => Number(element.dataset.node));
"##;

/// A browser, unless there is none or tests are told to do without.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn browser() -> Option<PathBuf> {
    let skips = std::env::var("KINWOOD_SKIP").unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file())
        .filter(|_| !skips.split(',').any(|skip| skip == "chromium"));
    if found.is_none() {
        eprintln!("skipped: this test needs `chromium`, which is not there or KINWOOD_SKIP names");
    }
    found
}

/// What a script sees that runs in the page, in a window of this width.
pub(crate) fn seen(browser: &Path, page: &str, width: u32, script: &str) -> Json {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let outcome = format!(
        "<script>(() => {{ {HANDS}\nconst seen = {{}};\ntry {{ {script} }} catch (error) {{ heard.push(error.stack); }}\n\
         seen.heard = heard;\nseen.fetched = performance.getEntriesByType(\"resource\").length;\n\
         document.body.textContent = \"SEEN\" + JSON.stringify(seen) + \"SEEN\"; }})();</script></body>"
    );
    let page = page
        .replacen("<head>", &format!("<head>{LISTENING}"), 1)
        .replacen("</body>", &outcome, 1);
    std::fs::write(&file, page).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--disable-dev-shm-usage", "--no-first-run"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", folder.path().display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let seen = text.split("SEEN").nth(1).unwrap_or_else(|| {
        panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr));
    });
    // The document is printed as HTML.
    let seen = seen
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&seen).unwrap()
}
