"""The exception for a row that is no position."""


class FenError(ValueError):
    """A row's text is no position.

    Attributes
    ----------
    row : int
        The row, counting from 0.
    text : str
        What stands there.
    column : int
        The character of the text at which it goes wrong, counting from 1.

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

    def __init__(self, message: str, row: int, text: str, column: int) -> None:
        # All of them, so that it can be pickled on its way back from another process.
        super().__init__(message, row, text, column)
        self.row, self.text, self.column = row, text, column

    def __str__(self) -> str:
        return str(self.args[0])
