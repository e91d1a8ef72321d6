//! Charts as small as a word, for the cells of tables.

use maud::{Markup, html};

use crate::kit::number::{Tenth, ends};

/// Dots along a line, one a fold, and a mark at their mean; nothing where there is no number.
pub(crate) fn strip(values: &[(String, f64)], mean: Option<f64>) -> Markup {
    let finite = || values.iter().filter(|value| value.1.is_finite());
    let (least, greatest) = ends(finite().map(|value| value.1));
    if least > greatest {
        return Markup::default();
    }
    let at = |value: f64| match greatest > least {
        true => 8.0 + 164.0 * (value - least) / (greatest - least),
        false => 90.0,
    };
    let said = format!("from {least:.4} to {greatest:.4}");
    html! {
        svg class="strip" viewBox="0 0 180 22" role="img" aria-label=(said) {
            title { (said) }
            path class="grid" d="M8 11H172" {}
            @if let Some(mean) = mean.filter(|mean| mean.is_finite()) {
                path class="mark" d=(format_args!("M{:.1} 2V20", at(mean))) {}
            }
            @for (fold, value) in finite() {
                circle class="fold" cx=(Tenth(at(*value))) cy="11" r="4" {
                    title { (fold) ": " (format_args!("{value:.4}")) }
                }
            }
        }
        span class="ends" { (format_args!("{least:.3} – {greatest:.3}")) }
    }
}

/// Columns of a small histogram, each with its height, what it stands for and a colour of its own;
/// nothing where none has a height.
pub(crate) fn columns(heights: &[(f64, String, Option<String>)], title: &str) -> Markup {
    let most = heights.iter().map(|column| column.0).fold(0.0, f64::max);
    if most <= 0.0 {
        return Markup::default();
    }
    let step = (110.0 / heights.len() as f64).min(22.0);
    html! {
        svg class="spark" viewBox="0 0 112 26" role="img" aria-label=(title) {
            title { (title) }
            @for (place, (height, told, fill)) in heights.iter().enumerate() {
                @let tall = (24.0 * height / most).max(if *height > 0.0 { 1.0 } else { 0.0 });
                @let class = fill.is_none().then_some("bar");
                rect fill=[fill.as_deref()] class=[class]
                    x=(Tenth(place as f64 * step)) y=(Tenth(25.0 - tall))
                    width=(Tenth((step - 1.0).max(1.0))) height=(Tenth(tall)) {
                    title { (told) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_not_drawn() {
        let fold = |name: &str, value: f64| (name.to_owned(), value);
        assert!(strip(&[fold("1", f64::NAN)], None).0.is_empty());
        let drawn = strip(&[fold("1", 0.5), fold("<", 0.5)], Some(0.5)).into_string();
        assert_eq!(drawn.matches("<circle").count(), 2);
        assert!(drawn.contains("<title>&lt;: 0.5000</title>"));
        assert!(columns(&[(0.0, String::new(), None)], "t").0.is_empty());
    }
}
