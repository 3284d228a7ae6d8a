//! The parts of a game to read, and the handling of invalid games.

/// The parts of a game that a [`Replayer`](super::Replayer) reads, and its handling of invalid games.
///
/// ```
/// use setwise_formats::pgn::{OnError, Options};
/// let mut options = Options::default();
/// options.tags = vec!["White".into(), "Black".into()];
/// options.on_error = OnError::Skip;
/// assert!(options.comments && !options.san);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// True to store the text of each move as in the file. The default is false.
    pub san: bool,
    /// True to read clocks and evaluations in comments. The default is true.
    pub comments: bool,
    /// True to read variations. Each of their positions then has a row, in the order of the text, and
    /// [`Rows::variation`](super::Rows::variation) distinguishes them. The default is false: variations are skipped.
    pub variations: bool,
    /// The names of the tags to store, in upper or lower case. The default is an empty list.
    pub tags: Vec<String>,
    /// The handling of a game that cannot be replayed. The default is [`OnError::Stop`].
    pub on_error: OnError,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            san: false,
            comments: true,
            variations: false,
            tags: Vec::new(),
            on_error: OnError::Stop,
        }
    }
}

/// The handling of a game that cannot be replayed to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnError {
    /// Return the error. The rows contain the games before the invalid game, but not that game.
    #[default]
    Stop,
    /// Skip the game, and add it to [`Rows::rejects`](super::Rows::rejects).
    Skip,
    /// Keep the positions up to the error, and add the game to [`Rows::rejects`](super::Rows::rejects). A game with an
    /// unknown start (another variant, an invalid `FEN`, a malformed tag) has no positions and is skipped.
    Keep,
}
