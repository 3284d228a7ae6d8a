//! Building blocks of evaluation functions: attack maps, attacker counts, hanging pieces, x-rays, checks, pins and
//! mobility. Each is written once, for any number of boards.
//!
//! For one position (`u64`) they are scalar fills. Where speed matters there, find hanging pieces with two calls of
//! [`position::attacked`](crate::position::attacked), which take half the time of [`hanging`] with AVX2. A loop over the
//! pieces with tables takes 0.5 to 1.0 of the time of [`attacker_counts_by_role`] for mobility, and 0.7 to 0.9 of the time
//! of [`x_rays`] and [`attacker_counts`].

mod attacks;
mod counts;
mod king;
mod rays;
mod values;

#[cfg(feature = "bulk")]
pub(crate) use self::attacks::slider_attacks;
pub(crate) use self::attacks::with_sliders;
pub use self::attacks::{Attacks, attacked, attacks_by};
pub use self::counts::{SquareCounts, attacker_counts, attacker_counts_by_role};
pub use self::king::{KingThreats, king_danger, king_threats};
pub(crate) use self::rays::slider_rays;
pub use self::rays::{Rays, rays, x_rays};
#[cfg(feature = "bulk")]
pub(crate) use self::values::no_attacks;
pub use self::values::{Cumulative, attacked_by_lesser, cumulative, cumulative_of, hanging};
