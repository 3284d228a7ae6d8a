"""The exception for an invalid row."""

import re

# The pattern of a message, which may be part of a longer message.
_MESSAGE = re.compile(r'row (?P<row>\d+), character (?P<column>\d+): .*?: "(?P<text>(?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}


class FenError(ValueError):
    """Raised if the text of a row is not a position.

    Attributes
    ----------
    row : int
        The index of the row, counting from 0.
    text : str
        The text of the row.
    column : int
        The first invalid character of the text, counting from 1; 0 if the error is in another column.

    It can be pickled, so it can be passed between processes. Programs that recreate exceptions from the message alone
    (polars) also keep all attributes, but cut ``text`` to 100 characters. In engines that process a table in pieces
    (Spark, Ray, polars' streaming engine), ``row`` is relative to its piece.

    >>> import setwise
    >>> try:
    ...     setwise.maps(["8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8"])
    ... except setwise.FenError as error:
    ...     print(error.row, error.column, error.text)
    ...     print(error)
    1 6 4k3/8
    row 1, character 6: expected 8 ranks, found 2: "4k3/8"
    """

    row: int
    text: str
    column: int

    def __init__(
        self, message: str, row: int | None = None, text: str | None = None, column: int | None = None
    ) -> None:
        if row is None or text is None or column is None:
            row, text, column = _parsed(message)
        # Pickling needs all arguments.
        super().__init__(message, row, text, column)
        self.row, self.text, self.column = row, text, column

    def __str__(self) -> str:
        return str(self.args[0])


def _parsed(message: str) -> tuple[int, str, int]:
    """Returns row, text and column of a message; -1, "" and 0 if the message has another form."""
    found = _MESSAGE.search(message)
    if found is None:
        return -1, "", 0
    # Rust escapes characters that cannot be displayed.
    text = _ESCAPE.sub(lambda c: chr(int(c[1], 16)) if c[1] else _ESCAPED.get(c[2], c[2]), found["text"])
    return int(found["row"]), text, int(found["column"])


def placed(error: FenError, file: str, row: int) -> FenError:
    """Names the file of an invalid row, and replaces the row of a piece by that of the file."""
    message = str(error).replace(f"row {error.row}", f"row {row}", 1)
    return FenError(f"{file}: {message}", row, error.text, error.column)
