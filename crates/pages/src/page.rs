//! Pages of tables, drawings and texts, one below the other.

use maud::{Markup, html};

use crate::kit::{Drawing, Embedded, Shell, append};
use crate::sheet::Sheet;

/// A page that is being written: one file that opens offline, on a phone, on paper, dark and light.
///
/// ```
/// use kinwood_pages::page::Page;
/// let mut page = Page::new("a < b");
/// page.heading("a < b");
/// assert!(page.written().contains("<h1>a &lt; b</h1>"));
/// ```
#[derive(Debug, Default)]
pub struct Page {
    title: String,
    drawings: Embedded,
    body: Markup,
}

impl Page {
    /// An empty page, called so in the list of pages of its reader.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            ..Self::default()
        }
    }

    /// The heading of the page.
    pub fn heading(&mut self, heading: &str) {
        self.add(html! { h1 { (heading) } "\n" });
    }

    /// A table, in a box of its own.
    pub fn sheet(&mut self, sheet: &Sheet) {
        self.add(html! { div class="scroll" { (sheet.html()) } "\n" });
    }

    /// A drawing below a heading.
    pub fn drawing(&mut self, heading: &str, drawing: &Drawing) {
        let drawn = self.drawings.embed(drawing);
        self.add(html! {
            section { h2 { (heading) } "\n" div class="scroll" { (drawn) } } "\n"
        });
    }

    /// A text that keeps its lines, below a heading and a note.
    pub fn text(&mut self, heading: &str, note: &str, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        self.add(html! {
            section {
                h2 { (heading) } "\n"
                p class="note" { (note) } "\n"
                pre tabindex="0" { (lines.join("\n")) }
            } "\n"
        });
    }

    /// A command below a heading.
    pub fn command(&mut self, heading: &str, command: &str) {
        self.add(html! {
            section { h2 { (heading) } "\n" pre tabindex="0" { code { (command) } } } "\n"
        });
    }

    fn add(&mut self, part: Markup) {
        append(&mut self.body, &part);
    }

    /// The page as text.
    pub fn written(self) -> String {
        Shell {
            title: &self.title,
            style: &[include_str!("page/page.css")],
            drawings: self.drawings,
            body: html! { main { "\n" (self.body) } "\n" },
            ..Shell::default()
        }
        .written()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_and_nothing_is_fetched() {
        let mut page = Page::new("a < b");
        page.text("x & y", "</p>", "</pre><script>\nb\n");
        let page = page.written();
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("x &amp; y"));
        assert!(page.contains("&gt;\nb</pre>"), "{page}");
        assert!(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"));
    }
}
