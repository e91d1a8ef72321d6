//! Enums whose values have words in settings.

/// Gives an enum the words that settings have for its values: `NAMES`, `named` and `name`.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Threshold {
///     Middle,
///     Value,
/// }
/// kinwood_learning::named!(Threshold { Middle => "middle", Value => "value" });
/// assert_eq!(Threshold::named("value"), Some(Threshold::Value));
/// assert_eq!((Threshold::Middle.name(), Threshold::NAMES), ("middle", &["middle", "value"][..]));
/// ```
#[macro_export]
macro_rules! named {
    ($type:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// The names in settings, in the order they are explained.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The one of that name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The name in settings.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }
    };
}
