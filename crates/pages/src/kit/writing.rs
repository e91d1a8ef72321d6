//! How markup becomes text.

use maud::Markup;

/// Shapes that mostly have no content.
const SHAPES: [&str; 3] = ["path", "rect", "circle"];

/// Markup as text.
///
/// Characters that XML has no place for do not get out, whatever name has them: a file with one is
/// refused by its readers. A shape without content is written as one tag.
pub(crate) fn written(markup: Markup) -> String {
    let markup = markup.into_string();
    let mut text = String::with_capacity(markup.len());
    let mut rest = markup.as_str();
    while let Some(end) = rest.find("></") {
        let (before, after) = (&rest[..end], &rest[end + 3..]);
        let opened = before.rfind('<').map(|start| &before[start + 1..]);
        let opened = opened.and_then(|tag| tag.split(' ').next());
        let closed = after.split_once('>');
        push(&mut text, before);
        (text, rest) = match closed {
            Some((name, after)) if opened == Some(name) && SHAPES.contains(&name) => {
                (text + "/>", after)
            }
            _ => (text + "></", after),
        };
    }
    push(&mut text, rest);
    text
}

/// What is left of a text when each control character is a blank.
fn push(text: &mut String, more: &str) {
    text.extend(more.chars().filter_map(|character| match character {
        '\n' | '\t' => Some(character),
        '\u{fffe}' | '\u{ffff}' => None,
        character if character.is_control() => Some(' '),
        character => Some(character),
    }));
}

/// More markup after what there is.
pub(crate) fn append(markup: &mut Markup, more: &Markup) {
    markup.0.push_str(&more.0);
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn shapes_without_content_are_one_tag_and_odd_characters_stay_inside() {
        let shapes = html! {
            g { rect class="a > b" {} path d="M0 0" { title { "a<b" } } path {} }
            text { "\u{1}\u{fffe}x\n" } (maud::PreEscaped("<pathological></pathological>"))
        };
        assert_eq!(
            written(shapes),
            "<g><rect class=\"a &gt; b\"/><path d=\"M0 0\"><title>a&lt;b</title></path><path/></g>\
             <text> x\n</text><pathological></pathological>"
        );
    }
}
