//! The shell that every page has: one file that opens anywhere, dark and light, and fetches
//! nothing.

use maud::{Markup, PreEscaped, html};
use serde_json::Value as Json;

use super::drawing::Embedded;
use super::writing::written;

/// A page without its markup around: whatever it shows goes in here.
#[derive(Debug, Default)]
pub(crate) struct Shell<'a> {
    pub title: &'a str,
    /// Style sheets, in their order.
    pub style: &'a [&'a str],
    /// The drawings that the body holds.
    pub drawings: Embedded,
    pub body: Markup,
    /// What runs when all else is there.
    pub scripts: &'a [Script],
}

/// A script of ours, or what one reads.
#[derive(Clone, Debug)]
pub(crate) enum Script {
    /// Data, in an element of this name.
    Data(&'static str, Json),
    /// A program.
    Program(&'static str),
}

impl Script {
    fn markup(&self) -> Markup {
        match self {
            // `<` could end the element: it is written as an escape.
            Script::Data(name, json) => html! {
                script type="application/json" id=(name) {
                    (PreEscaped(json.to_string().replace('<', "\\u003c")))
                } "\n"
            },
            Script::Program(text) => html! { script { "\n" (PreEscaped(text)) } "\n" },
        }
    }
}

impl Shell<'_> {
    /// The page as text.
    ///
    /// A policy in it forbids all requests, and scripts where it has none of its own.
    pub fn written(self) -> String {
        let scripts = match self.scripts {
            [] => "",
            _ => " script-src 'unsafe-inline';",
        };
        let policy = format!(
            "default-src 'none'; style-src 'unsafe-inline';{scripts} base-uri 'none'; form-action 'none'"
        );
        written(html! {
            (PreEscaped("<!doctype html>\n"))
            html lang="en" { "\n"
                head { "\n"
                    meta charset="utf-8"; "\n"
                    meta http-equiv="Content-Security-Policy" content=(policy); "\n"
                    meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                    title { (self.title) } "\n"
                    style { "\n"
                        @for sheet in self.style { (PreEscaped(sheet)) }
                        (PreEscaped(self.drawings.style()))
                    } "\n"
                } "\n"
                body { "\n"
                    (self.body)
                    @for script in self.scripts { (script.markup()) }
                } "\n"
            } "\n"
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_fetches_nothing_and_names_stay_text() {
        let bare = Shell {
            title: "</title><script>",
            style: &["a { }\n", "b { }\n"],
            body: html! { p { "x & <y>" } },
            ..Shell::default()
        };
        let page = bare.written();
        assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset="));
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
        assert!(page.contains("<style>\na { }\nb { }\n</style>"));
        assert!(page.ends_with("<body>\n<p>x &amp; &lt;y&gt;</p></body>\n</html>\n"));
        assert!(page.contains("default-src 'none'") && !page.contains("script-src"));
        assert!(!page.contains("http:") && !page.contains("https:"));
    }

    #[test]
    fn data_cannot_end_its_script() {
        let scripts = [
            Script::Data("data", json!({"name": "</script><b>"})),
            Script::Program("const a = 1 < 2;\n"),
        ];
        let page = Shell {
            scripts: &scripts,
            ..Shell::default()
        }
        .written();
        assert!(page.contains("id=\"data\">{\"name\":\"\\u003c/script>\\u003cb>\"}</script>\n"));
        assert!(page.contains("<script>\nconst a = 1 < 2;\n</script>\n</body>"));
        assert!(page.contains("script-src 'unsafe-inline'"));
    }
}
