"""Compares games in PGN with those that python-chess reads from the same files; invalid games, and tags."""

import datetime
import gzip
import io
import itertools
from pathlib import Path

import chess
import chess.pgn
import pyarrow as pa
import pytest

import setwise

DATA = Path(__file__).parents[3] / "crates" / "formats" / "tests" / "data"


@pytest.fixture(scope="module")
def pgn():
    return gzip.open(DATA / "games.pgn.gz", "rb").read()


@pytest.fixture(scope="module")
def nodes(pgn):
    """Yields every position of the first games: the game, its number, and the node."""
    file, found = io.StringIO(pgn.decode()), []
    for number in range(1, 301):
        node = game = chess.pgn.read_game(file)
        while node is not None:
            found.append((number, game, node))
            node = node.next()
    return found


def uci(node):
    following = node.next()
    return None if following is None else following.move.uci()


def lines(node, number, numbers):
    """Lists the rows of a line and its variations, in the order of the text: variation, position, move."""
    while node.variations:
        main, *others = node.variations
        yield number, node, main.move
        for other in others:
            variation = next(numbers)
            yield variation, node, other.move
            yield from lines(other, variation, numbers)
        node = main
    yield number, node, None


def test_variations_are_those_of_python_chess(pgn, tmp_path):
    path = tmp_path / "games.pgn"
    path.write_bytes(pgn)
    file, expected = io.StringIO(pgn.decode()), []
    for number in range(1, 301):
        game = chess.pgn.read_game(file)
        expected += [(number, game, *row) for row in lines(game, 0, itertools.count(1))]
    table = pa.table(setwise.read(path, ["fen"], keep=["game", "variation", "ply", "move"])).slice(0, len(expected))
    assert sum(row[2] > 0 for row in expected) > 1000
    for (number, game, variation, node, move), row in zip(expected, table.to_pylist(), strict=True):
        assert (row["game"], row["variation"]) == (number, variation)
        assert row["ply"] == node.ply() - game.ply()
        assert row["move"] == (None if move is None else node.board().uci(move))
        assert chess.Board(row["fen"], chess960=True).epd() == chess.Board(node.board().fen(), chess960=True).epd()


def test_rows_are_those_of_python_chess(pgn, nodes, tmp_path):
    path = tmp_path / "games.pgn.zst"
    with pa.CompressedOutputStream(str(path), "zstd") as file:
        file.write(pgn)
    columns = ["fen", "turn", "white_knight", "black_all"]
    table = pa.table(setwise.read(path, columns, keep=["White", "FEN"])).slice(0, len(nodes)).to_pydict()
    assert list(table) == ["White", "FEN", "game", "ply", "move", "san", "clock", "elapsed", "eval", "mate", "result",
                           *columns]
    for row, (number, game, node) in enumerate(nodes):
        board, of_row = node.board(), {name: column[row] for name, column in table.items()}
        assert of_row["game"] == number and of_row["ply"] == node.ply() - game.ply()
        assert chess.Board(of_row["fen"], chess960=True).epd() == chess.Board(board.fen(), chess960=True).epd()
        assert of_row["move"] == uci(node)
        assert of_row["san"] == (None if node.next() is None else board.san(node.next().move))
        assert of_row["clock"] == pytest.approx(node.clock()) if node.clock() is not None else of_row["clock"] is None
        assert of_row["elapsed"] == pytest.approx(node.emt()) if node.emt() is not None else of_row["elapsed"] is None
        score = node.eval()
        white = None if score is None else score.white()
        assert of_row["eval"] == (None if white is None else white.score())
        assert of_row["mate"] == (None if white is None else white.mate())
        of_white = {"1-0": 1, "0-1": -1, "1/2-1/2": 0, "*": None}[game.headers["Result"]]
        assert of_row["result"] == (of_white if of_white is None or board.turn else -of_white)
        assert (of_row["White"], of_row["FEN"]) == (game.headers["White"], game.headers.get("FEN"))
        assert of_row["turn"] == (not board.turn)
        for name, pieces in (("white_knight", board.pieces(chess.KNIGHT, chess.WHITE)),
                             ("black_all", board.occupied_co[chess.BLACK])):
            attacked = chess.SquareSet()
            for square in chess.SquareSet(pieces):
                attacked |= board.attacks(square)
            assert of_row[name] == int(attacked)


def test_batches_threads_and_compression_change_nothing(pgn, tmp_path):
    (tmp_path / "games.pgn").write_bytes(pgn)
    (tmp_path / "games.pgn.gz").write_bytes(gzip.compress(pgn[: len(pgn) // 2]) + gzip.compress(pgn[len(pgn) // 2:]))
    (tmp_path / "games.bin").write_bytes(pgn)
    whole = pa.table(setwise.read(tmp_path / "games.pgn", "white_all")).combine_chunks()
    assert whole.num_rows == sum(1 for _ in gzip.open(DATA / "games.pgn.tsv.gz"))
    for name, options in (("games.pgn.gz", {}), ("games.bin", {"input_format": "pgn", "threads": 1}),
                          ("games.pgn", {"batch_size": 777, "threads": 3})):
        batches = list(setwise.read(tmp_path / name, "white_all", **options))
        assert all(len(batch) <= options.get("batch_size", 1 << 16) for batch in batches)
        assert pa.concat_tables(map(pa.table, batches)).combine_chunks() == whole
    # Without `columns`, a batch has boards too, so that it can be passed as positions.
    batch = next(iter(setwise.read(tmp_path / "games.pgn", keep=[])))
    assert (setwise.attacks(batch)[:, 6] == whole["white_all"].to_numpy()[: len(batch)]).all()
    assert batch.column_names[:8] == list(setwise.BOARDS)


BAD = """1. e4 e5 1-0

[White "a"]
[WhiteElo "2100"]
[UTCDate "2024.02.29"]

1. e4 d5 2. exd5 Nd4 *

1. d4 0-1
"""


def test_bad_games(tmp_path):
    path = tmp_path / "bad.pgn"
    path.write_text(BAD)
    reader = iter(setwise.read(path, "turn", keep=["game", "ply"]))
    assert next(reader)["game"].tolist() == [1, 1, 1]
    with pytest.raises(setwise.FenError, match="game 2, line 7, column 18: expected a legal move of black") as raised:
        next(reader)
    assert (raised.value.row, raised.value.text, raised.value.column) == (2, "1. e4 d5 2. exd5 Nd4 *", 18)
    assert list(reader) == []
    for errors, games in (("skip", [1, 1, 1, 3, 3]), ("keep", [1, 1, 1, 2, 2, 2, 2, 3, 3])):
        table = pa.table(setwise.read(path, "turn", keep=["game", "WhiteElo", "UTCDate"], errors=errors))
        assert table["game"].to_pylist() == games
        of_second = (2100, datetime.date(2024, 2, 29))
        dates = list(zip(table["WhiteElo"].to_pylist(), table["UTCDate"].to_pylist()))
        assert dates == [of_second if game == 2 else (None, None) for game in games]
    with pytest.raises(ValueError, match="`null` is for rows"):
        setwise.read(path, errors="null")
    with pytest.raises(ValueError, match="`keep` is for games"):
        setwise.read(path, errors="keep", input_format="marlin")
    with pytest.raises(ValueError, match="no column is called `a-b`"):
        setwise.read(path, keep="a-b")
    with pytest.raises(ValueError, match="`threads` must be 1 to 1024"):
        setwise.read(path, threads=0)
    with pytest.raises(ValueError, match="`threads` must be 1 to 1024"):
        setwise.read(path, threads=2**62)
    with pytest.raises(ValueError, match="`batch_size` must be at least 1, found -1"):
        setwise.read(path, batch_size=-1)


def test_where_counts_what_it_leaves_out(pgn, nodes, tmp_path):
    path = tmp_path / "games.pgn"
    path.write_bytes(pgn)
    conditions = ["ply >= 4", "White != 'nobody'", "checkers = 0"]
    reader = setwise.read(path, "turn", keep=["game", "ply"], where=conditions, batch_size=100)
    batches = [pa.table(batch) for batch in reader]
    assert all(0 < batch.num_rows <= 100 for batch in batches)
    table = pa.concat_tables(batches)
    last = nodes[-1][0] - 1
    rows = [row for row in zip(table["game"].to_pylist(), table["ply"].to_pylist()) if row[0] <= last]
    kept = [(number, node.ply() - game.ply()) for number, game, node in nodes if number <= last
            and node.ply() - game.ply() >= 4 and not node.board().is_check()]
    assert rows == kept and len(kept) > 1000
    everything = pa.table(setwise.read(path, "turn", keep=["game", "ply"])).num_rows
    assert sum(reader.left_out) == everything - table.num_rows and reader.left_out[0] > 0
    binpack = setwise.read(DATA / "games.binpack", ["move", "score"], where="score > 100000", batch_size=7)
    assert list(binpack) == [] and binpack.left_out[0] > 1000
