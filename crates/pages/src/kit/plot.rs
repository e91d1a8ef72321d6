//! One kit for charts: axes with round ticks, points in the plane, lines, dots, bars, words and
//! legends.

mod axis;
mod chart;
mod plane;
mod shapes;
mod small;

pub(crate) use axis::{Axis, rounded, tick_step};
pub(crate) use chart::{Chart, Look};
pub(crate) use plane::{Plane, Room};
pub(crate) use shapes::{STYLE, colour, legend, path, swatch, tenths, text};
pub(crate) use small::{columns, strip};
