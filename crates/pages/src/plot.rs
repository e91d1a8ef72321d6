//! What charts have in common: colours of light and dark, round ticks, lines of SVG.

use std::fmt::Write;

use crate::diagram::escape;

/// Colours of light and dark; some readers of SVG know no variables, so each class names its
/// colours twice.
pub(crate) const STYLE: &str = "
text { font-family: system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1c2430 }
.page { fill: #ffffff }
.title { font-weight: 600 }
.soft { fill: #5d6875 }
.bar { fill: #4a86d0 }
.link { fill: #3d9b6e }
.grid { stroke: #e3e8ee }
.zero { stroke: #8593a3 }
.error { fill: none; stroke: #1c2430; stroke-width: 1.3 }
@media (prefers-color-scheme: dark) {
text { fill: #e6eaf0 }
.page { fill: #14181d }
.soft { fill: #9aa6b5 }
.bar { fill: #5b93d8 }
.link { fill: #4fae80 }
.grid { stroke: #2a323c }
.zero { stroke: #6c7a8a }
.error { stroke: #e6eaf0 }
}
";

/// The distance of ticks for about five of them: 1, 2 or 5 times a power of ten.
pub(crate) fn tick_step(range: f64) -> f64 {
    if !(range > 0.0 && range.is_finite()) {
        return 1.0;
    }
    let rough = range / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0];
    let wanted = factor
        .iter()
        .find(|factor| **factor * power >= rough * 0.999);
    // A range below what numbers can tell apart has no finer ticks.
    (wanted.unwrap_or(&10.0) * power).max(f64::MIN_POSITIVE)
}

/// A tick in as many digits as the step needs.
pub(crate) fn rounded(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.digits$}")
}

/// One more line.
pub(crate) fn line(svg: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(svg, "{line}").expect("a string takes all that is written to it");
}

/// Words at a place, beginning, ending or centred there.
pub(crate) fn text(
    svg: &mut String,
    class: &str,
    size: f64,
    (x, y): (f64, f64),
    anchor: &str,
    text: &str,
) {
    line(
        svg,
        format_args!(
            "<text class=\"{class}\" font-size=\"{size}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let steps = [1.0, 0.43, 73.0, 0.0, f64::INFINITY].map(tick_step);
        assert_eq!(steps, [0.2, 0.1, 20.0, 1.0, 1.0]);
        assert_eq!(rounded(0.30000000000000004, 0.1), "0.3");
        assert_eq!(rounded(40.0, 20.0), "40");
    }
}
