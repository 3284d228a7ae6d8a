//! Seeded random numbers (SplitMix64), the same on every machine and in every version.

/// The increment of the state.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of random numbers with sequential and random access.
///
/// ```
/// use setwise_table::Draws;
/// let mut draws = Draws::of(&[7, 1]);
/// let (second, mut order) = (draws.at(1), [0, 1, 2, 3]);
/// draws.next();
/// assert_eq!(draws.next(), second);
/// draws.shuffle(&mut order);
/// assert!(draws.below(6) < 6 && order.iter().sum::<i32>() == 6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Draws(u64);

impl Draws {
    /// Derives a sequence from a seed and numbers that identify its use.
    #[must_use]
    pub fn of(numbers: &[u64]) -> Self {
        Self(numbers.iter().fold(0, |state, number| mix(state ^ mix(*number))))
    }

    /// The random numbers that select the rows of a file, indexed by row.
    #[must_use]
    pub fn of_file(seed: u64, epoch: u64, file: u64) -> Self {
        Self::of(&[seed, epoch, 2, file])
    }

    /// The random numbers for steering, indexed by the number of rows seen so far.
    #[must_use]
    pub fn of_steering(seed: u64, epoch: u64, shard: (u64, u64)) -> Self {
        Self::of(&[seed, epoch, 3, shard.0, shard.1])
    }

    /// Returns the number at an index. Index 0 is the next number.
    #[must_use]
    #[inline]
    pub const fn at(self, index: u64) -> u64 {
        mix(self.0.wrapping_add(index.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// Returns the next number.
    #[allow(clippy::should_implement_trait, reason = "there is always one")]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Returns the next number, scaled to the range from 0 to below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    /// Shuffles a slice.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Combines a hash with a number.
pub(crate) const fn join(hash: u64, number: u64) -> u64 {
    mix((hash.rotate_left(29) ^ number).wrapping_add(STEP))
}

/// Scatters the bits of a number.
const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix() {
        // The first numbers of the reference implementation for the seed 1234567.
        let mut draws = Draws(1_234_567);
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([0, 1, 2].map(|index| draws.at(index)), expected);
        assert_eq!([draws.next(), draws.next(), draws.next()], expected);
    }
}
