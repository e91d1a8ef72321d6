//! A drawing: shapes with the style they need, alone or as a part of a page.

use std::borrow::Cow;

use maud::{Markup, PreEscaped, html};

use super::writing::written;

/// Colours of light and dark: rules for both, then those that differ in the dark.
///
/// Some readers of SVG know no variables, so each class names its colours twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// What holds for both.
    pub light: Cow<'static, str>,
    /// What differs in the dark.
    pub dark: Cow<'static, str>,
}

impl Style {
    /// A style with these rules.
    pub const fn new(light: &'static str, dark: &'static str) -> Self {
        Self {
            light: Cow::Borrowed(light),
            dark: Cow::Borrowed(dark),
        }
    }

    /// The rules of both, those of the other last.
    pub fn with(&self, other: &Style) -> Style {
        Style {
            light: format!("{}{}", self.light, other.light).into(),
            dark: format!("{}{}", self.dark, other.dark).into(),
        }
    }

    /// The style of a document of its own.
    fn alone(&self) -> String {
        let Style { light, dark } = self;
        format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")
    }

    /// The style of what is within elements of a class; it follows the colours that the reader of
    /// the page chose.
    fn within(&self, class: &str) -> String {
        let Style { light, dark } = self;
        format!(
            ".{class} {{ {light} }}\n\
             @media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=\"light\"]) .{class} {{ {dark} }} }}\n\
             @media screen {{ :root[data-theme=\"dark\"] .{class} {{ {dark} }} }}\n"
        )
    }
}

/// A drawing.
///
/// ```
/// use kinwood_pages::{Drawing, Style};
/// let drawing = Drawing {
///     title: "a < b".into(),
///     style: Style::new("text { fill: #000 }\n", "text { fill: #fff }\n"),
///     body: maud::html! { text y="12" { "a < b" } },
///     size: (40.0, 16.0),
/// };
/// assert!(drawing.alone().contains("<text y=\"12\">a &lt; b</text></svg>"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// The style of its shapes; the class `page` is that of the ground.
    pub style: Style,
    /// Its shapes.
    pub body: Markup,
    /// Its width and its height.
    pub size: (f64, f64),
}

impl Drawing {
    /// The drawing as an SVG document that needs nothing else.
    pub fn alone(&self) -> String {
        let style = html! { style { (PreEscaped(self.style.alone())) } "\n" };
        written(self.svg(Some("http://www.w3.org/2000/svg"), style)) + "\n"
    }

    /// The element with its shapes. A document names its language; a part of a page does not.
    fn svg(&self, language: Option<&str>, style: Markup) -> Markup {
        let (width, height) = self.size;
        let view = format_args!("0 0 {width} {height}");
        html! {
            svg xmlns=[language] width=(width) height=(height) viewBox=(view) role="img" {
                "\n" title { (self.title) } "\n" (style)
                rect class="page" width=(width) height=(height) {} "\n"
                (self.body)
            }
        }
    }
}

/// The drawings of a page. Each style is written once, in the head of the page, and applies to the
/// drawings that have it and to nothing else.
#[derive(Debug, Default)]
pub(crate) struct Embedded(Vec<Style>);

impl Embedded {
    /// A drawing as a part of the page.
    pub fn embed(&mut self, drawing: &Drawing) -> Markup {
        let known = self.0.iter().position(|style| *style == drawing.style);
        let number = known.unwrap_or_else(|| {
            self.0.push(drawing.style.clone());
            self.0.len() - 1
        });
        html! { div class=(class(number)) { (drawing.svg(None, Markup::default())) } }
    }

    /// The styles of all of them.
    pub fn style(&self) -> String {
        let each = self.0.iter().enumerate();
        each.map(|(number, style)| style.within(&class(number)))
            .collect()
    }
}

fn class(number: usize) -> String {
    format!("drawn-{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(light: &'static str) -> Drawing {
        Drawing {
            title: "<b> & \"c\"".to_owned(),
            style: Style::new(light, ".a { fill: #000 }\n"),
            body: html! { rect class="a" {} },
            size: (10.0, 2.5),
        }
    }

    #[test]
    fn alone_it_has_its_style_inside() {
        assert_eq!(
            drawing(".a { fill: #fff }\n").alone(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"2.5\" viewBox=\"0 0 10 2.5\" role=\"img\">\n\
             <title>&lt;b&gt; &amp; &quot;c&quot;</title>\n\
             <style>.a { fill: #fff }\n@media (prefers-color-scheme: dark) {\n.a { fill: #000 }\n}\n</style>\n\
             <rect class=\"page\" width=\"10\" height=\"2.5\"/>\n<rect class=\"a\"/></svg>\n"
        );
    }

    #[test]
    fn in_a_page_styles_are_collected_once_and_apply_to_their_drawings_alone() {
        let mut embedded = Embedded::default();
        let (one, other) = (drawing(".a { fill: #fff }"), drawing(".a { fill: #eee }"));
        let parts: Vec<String> = [&one, &other, &one]
            .map(|drawing| written(embedded.embed(drawing)))
            .to_vec();
        assert_eq!(parts[0], parts[2]);
        assert!(parts[0].starts_with("<div class=\"drawn-0\"><svg width="));
        assert!(parts[1].starts_with("<div class=\"drawn-1\">"));
        assert!(!parts[0].contains("<style") && !parts[0].contains("xmlns"));
        let style = embedded.style();
        assert_eq!(style.matches(".drawn-0 { .a { fill: #fff } }").count(), 1);
        assert_eq!(style.matches("{ .a { fill: #000 }\n }").count(), 4);
        assert_eq!(style.matches('{').count(), style.matches('}').count());
    }
}
