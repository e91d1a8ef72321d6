//! Points in the plane.

use crate::kit::number::ends;

/// The room for points.
pub(crate) struct Room {
    pub width: f64,
    /// The height that many points have, and that few have.
    pub heights: (f64, f64),
    pub margin: f64,
}

/// Where points stand: by one scale for both directions, for it is the distances that are shown,
/// and in the middle of their room.
pub(crate) struct Plane {
    pub height: f64,
    unit: f64,
    /// The left and the lowest end of the points.
    corner: [f64; 2],
    /// The left and the lower edge around them.
    edge: [f64; 2],
}

impl Plane {
    pub fn around(points: impl Iterator<Item = [f64; 2]> + Clone, room: &Room) -> Self {
        let along = |axis: usize| ends(points.clone().map(|point| point[axis]));
        let ((left, right), (bottom, top)) = (along(0), along(1));
        let unit = |room: f64, extent: f64| room / extent.max(f64::MIN_POSITIVE);
        let (most, least) = room.heights;
        let unit = unit(room.width - 2.0 * room.margin, right - left)
            .min(unit(most - 2.0 * room.margin, top - bottom));
        let unit = if unit.is_finite() { unit } else { 0.0 };
        let height = ((top - bottom) * unit + 2.0 * room.margin).max(least);
        let edge = [
            (room.width - (right - left) * unit) / 2.0,
            (height - (top - bottom) * unit) / 2.0,
        ];
        Self {
            height,
            unit,
            corner: [left, bottom],
            edge,
        }
    }

    /// The place of a point.
    pub fn at(&self, point: [f64; 2]) -> (f64, f64) {
        let [x, y] =
            [0, 1].map(|axis| self.edge[axis] + (point[axis] - self.corner[axis]) * self.unit);
        (x, self.height - y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_in_the_middle_by_one_scale() {
        let room = Room {
            width: 120.0,
            heights: (120.0, 60.0),
            margin: 10.0,
        };
        let wide = [[0.0, 0.0], [2.0, 1.0]];
        let plane = Plane::around(wide.into_iter(), &room);
        assert_eq!(
            (plane.height, plane.at(wide[0]), plane.at(wide[1])),
            (70.0, (10.0, 60.0), (110.0, 10.0))
        );
        let tall = [[0.0, 0.0], [1.0, 2.0]];
        let plane = Plane::around(tall.into_iter(), &room);
        assert_eq!(
            (plane.at(tall[0]), plane.at(tall[1])),
            ((35.0, 110.0), (85.0, 10.0))
        );
        let alone = [[3.0, 3.0]];
        let plane = Plane::around(alone.into_iter(), &room);
        assert_eq!((plane.height, plane.at(alone[0])), (60.0, (60.0, 30.0)));
    }
}
