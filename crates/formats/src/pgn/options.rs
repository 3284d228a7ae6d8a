//! What to read of a game, and what to do with a bad one.

/// What a [`Replayer`](super::Replayer) keeps of a game, and what it does with a game that it refuses.
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
    /// Whether to keep the text of each move, as the file has it. False unless set.
    pub san: bool,
    /// Whether to read clocks and evaluations in comments. True unless set.
    pub comments: bool,
    /// Whether to read variations too. Each of their positions has a row then, where the text has it, and
    /// [`Rows::variation`](super::Rows::variation) tells them apart. They are skipped unless set.
    pub variations: bool,
    /// The names of tags to keep, whatever their case. None unless set.
    pub tags: Vec<String>,
    /// What to do with a game that cannot be replayed. [`OnError::Stop`] unless set.
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

/// What to do with a game that cannot be replayed to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnError {
    /// Give the error. The games before it are in the rows; nothing of the bad game is.
    #[default]
    Stop,
    /// Leave the game out, and note it in [`Rows::rejects`](super::Rows::rejects).
    Skip,
    /// Keep the positions up to the error, and note it in [`Rows::rejects`](super::Rows::rejects). A game whose
    /// start is unknown (another variant, a bad `FEN`, a malformed tag) has none, and is left out.
    Keep,
}
