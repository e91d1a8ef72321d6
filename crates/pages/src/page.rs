//! Pages of tables and pictures: one file that opens offline, on a phone, on paper, dark and light.

use crate::diagram::escape;

/// A page with this body, which must be well-formed.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    let style = include_str!("page/page.css");
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
{body}</main>
</body>
</html>
"#
    )
}

/// A text that keeps its lines, below a heading; `more` is markup that stands between.
pub fn preformatted(heading: &str, text: &str, more: &str) -> String {
    format!(
        "<section><h2>{}</h2>\n{more}<pre tabindex=\"0\">{}</pre></section>\n",
        escape(heading),
        text.lines().map(escape).collect::<Vec<_>>().join("\n")
    )
}

/// A picture below a heading.
pub fn picture(heading: &str, svg: &str) -> String {
    format!(
        "<section><h2>{}</h2>\n<div class=\"scroll\">{svg}</div></section>\n",
        escape(heading)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_and_nothing_is_fetched() {
        let page = page("a < b", &preformatted("x & y", "</pre><script>\nb", ""));
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("x &amp; y"));
        assert!(page.contains("&gt;\nb</pre>"), "{page}");
        assert!(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"));
    }
}
