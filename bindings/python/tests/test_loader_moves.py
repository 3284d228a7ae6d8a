"""Compares moves in batches of ``Loader`` with python-chess: from every source with moves, and as policy targets."""

import json
import re
import subprocess
import sys
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pyarrow
import pytest

import setwise

DATA = Path(__file__).parents[3] / "crates" / "formats" / "tests" / "data"
BOARDS = list(setwise.BOARDS)


def moves(path, **options):
    """Boards of python-chess, moves and plies."""
    loader = setwise.Loader(path, columns=BOARDS, labels=["move"], batch_size=300, **options)
    found = []
    for batch in loader:
        assert batch.move.dtype == np.uint16 and batch.score is None and batch.result is None
        columns = [batch.columns[name].astype(np.int64).view(np.uint64).tolist() for name in BOARDS]
        for row, (sets, bits) in enumerate(zip(zip(*columns), batch.move.tolist())):
            board = chess.Board(None)
            for role, of_role in zip((1, 2, 3, 4, 5, 6), sets[:6]):
                for square in chess.scan_forward(of_role):
                    board.set_piece_at(square, chess.Piece(role, bool(sets[6] >> square & 1)))
            board.turn = bool(batch.turn[row] == 0)
            found.append((board, bits, None if batch.ply is None else int(batch.ply[row])))
    return found


def uci(bits):
    promotion = bits >> 12 & 3
    return chess.Move(bits >> 6 & 63, bits & 63, promotion + 2 if bits >> 14 == 1 else None).uci()


@pytest.fixture(scope="module")
def pgn(tmp_path_factory):
    """Games with castling both ways, captures en passant, promotions."""
    path = tmp_path_factory.mktemp("moves") / "games.pgn"
    text = [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O d6 5. d4 Bd7 6. d5 Qf6 7. dxc6 O-O-O 8. cxb7+ Kb8 *",
        "1. e4 a6 2. e5 d5 3. exd6 h5 4. dxc7 h4 5. cxb8=N h3 6. Nxa6 hxg2 7. Nb4 gxh1=R *",
        '[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]\n\n1. O-O-O *',
        '[FEN "1r2k3/8/8/8/8/8/8/5KR1 w Gb - 0 1"]\n[Variant "Chess960"]\n\n1. O-O O-O-O *',
    ]
    path.write_text("\n\n".join(text) + "\n\n")
    return path


def test_moves_of_games_are_those_of_the_text(pgn):
    found = moves(pgn)
    expected = []
    with pgn.open() as text:
        while (game := chess.pgn.read_game(text)) is not None:
            board = game.board()
            for played in game.mainline_moves():
                expected.append((board.board_fen(), board.turn, board.uci(played)))
                board.push(played)
            expected.append((board.board_fen(), board.turn, "0000"))  # the last position has no move
    assert [(board.board_fen(), board.turn, uci(bits)) for board, bits, _ in found] == expected
    # Castling, en passant and promotions are marked.
    kinds = [bits >> 14 for _, bits, _ in found]
    assert (kinds.count(3), kinds.count(2), kinds.count(1)) == (5, 1, 2)


def test_a_move_leads_to_the_next_position():
    found = moves(DATA / "games.binpack")
    steps = 0
    for (board, bits, ply), (after, _, next_ply) in zip(found, found[1:]):
        if next_ply != ply + 1:
            continue
        if bits >> 14 == 2:
            board.ep_square = bits & 63
        board.push(chess.Move.from_uci(uci(bits)))
        steps += board.board_fen() == after.board_fen() and board.turn == after.turn
    assert steps > 20_000


def test_moves_of_tables_and_of_none(tmp_path):
    path = tmp_path / "puzzles.jsonl"
    path.write_text(
        '{"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "move": "e1g1"}\n'
        '{"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "move": "e1h1"}\n'
        '{"fen": "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "move": "a7a8q"}\n'
        '{"fen": "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "move": null}\n'
    )
    castling = 6 | 4 << 6 | 3 << 14
    [batch] = setwise.Loader(path, labels="move")
    assert batch.move.tolist() == [castling, castling, 56 | 48 << 6 | 3 << 12 | 1 << 14, 0]
    assert next(iter(setwise.Loader(path))).move is None
    with pytest.raises(ValueError, match="it has no move"):
        setwise.Loader(DATA.parents[3] / "data" / "sample.epd", labels="move", input_format="text")


def test_moves_are_targets_of_a_policy():
    """Runs the example of docs/training.md."""
    columns = [*setwise.BOARDS, *setwise.STATE[1:]]
    loader = setwise.Loader(DATA / "games.binpack", columns=columns, labels="move", batch_size=512, shuffle=4096)
    seen = 0
    for batch in loader:
        boards = np.stack([batch.columns[name].view(np.uint64) for name in setwise.BOARDS], axis=1)
        state = [batch.turn, *(batch.columns[name] for name in setwise.STATE[1:])]
        for policy in ("lc0", "pgx"):
            target = setwise.policy_index(boards, batch.move, policy, state=state)
            mask = setwise.policy_mask(boards, policy, state=state)
            assert mask[np.arange(len(target)), target].all()
        seen += len(batch)
        if seen > 2000:
            break


@pytest.mark.parametrize("policy", ["lc0", "pgx", "uci"])
def test_batches_have_targets_and_masks(pgn, policy):
    loader = setwise.Loader(pgn, policy=policy, legal=True, columns=["pawns"], labels=[])
    [batch] = loader
    assert list(batch.columns) == ["pawns"] and batch.score is None
    classes = setwise.policies()[policy]
    assert batch.legal.shape == (len(batch), classes) and batch.legal.dtype == bool
    place, classes_of = 0, setwise.policy_index
    with pgn.open() as text:
        while (game := chess.pgn.read_game(text)) is not None:
            board = game.board()
            for played in [*game.mainline_moves(), None]:
                fen = board.fen(en_passant="fen")
                legal = [board.uci(move) for move in board.legal_moves]
                indices = classes_of([fen] * len(legal), legal, policy, errors="null").tolist()
                expected = set(indices) - {-1}
                assert set(np.flatnonzero(batch.legal[place])) == expected
                wanted = -1 if played is None else classes_of([fen], [board.uci(played)], policy, errors="null")[0]
                assert batch.policy[place] == wanted
                if played is not None:
                    board.push(played)
                place += 1
    assert place == len(batch) and batch.policy.max() > 0


def test_columns_do_not_depend_on_the_policy(pgn):
    """Also columns that batches have as attributes, and those that a pattern selects and the policy needs."""
    options = {"columns": ["turn", "piece_count", "castling_*", "white"], "labels": []}
    [batch], [plain] = setwise.Loader(pgn, policy="lc0", **options), setwise.Loader(pgn, **options)
    assert list(batch.columns) == list(plain.columns) == ["turn", "piece_count", "castling_white", "castling_black", "white"]
    for name, array in plain.columns.items():
        assert np.array_equal(array, batch.columns[name]) and array.dtype == batch.columns[name].dtype
    assert np.array_equal(batch.columns["turn"], batch.turn)
    assert np.array_equal(batch.columns["piece_count"], batch.piece_count)


def test_an_invalid_position_has_no_classes():
    fens = [chess.STARTING_FEN, "8/8/8/8/8/8/8/8 w - - 0 1", chess.STARTING_FEN]
    rows = pyarrow.table({"fen": fens, "move": ["e2e4", None, "e2e4"]})
    [batch] = setwise.Loader(rows, policy="lc0", legal=True, labels=[])
    assert batch.policy.tolist() == [322, -1, 322] and batch.legal.sum(1).tolist() == [20, 0, 20]


def test_policies_say_what_is_wrong(pgn):
    for policy in ("leela", ["lc0"]):
        with pytest.raises(ValueError, match="no policy is called `.*`; there are `alphazero`"):
            setwise.Loader(pgn, policy=policy)
    with pytest.raises(ValueError, match="`legal=True` needs `policy`, an encoding of moves: one of `alphazero`, `pgx`, "):
        setwise.Loader(pgn, legal=True)
    state = setwise.Loader(pgn, policy="lc0").state_dict()
    setwise.Loader(pgn, policy="uci").load_state_dict(state)
    assert next(iter(setwise.Loader(pgn, labels=[]))).policy is None


def test_the_example_trains_a_policy(tmp_path):
    """Trains on moves that follow a rule: the first legal move, square by square."""
    example = Path(__file__).parents[1] / "examples" / "policy.py"
    fens = (DATA.parents[3] / "data" / "sample.epd").read_text().splitlines()
    boards = [board for board in map(chess.Board, fens) if board.is_valid() and any(board.legal_moves)]
    path = tmp_path / "first.jsonl"
    with path.open("w") as rows:
        for board in boards[:4000]:
            first = min(board.legal_moves, key=lambda move: (move.from_square, move.to_square))
            rows.write(json.dumps({"fen": board.fen(), "move": first.uci()}) + "\n")
    command = [sys.executable, example, path, "--batches", "60", "--batch-size", "512"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *_, last = done.stdout.splitlines()
    found = re.fullmatch(r"top-1 on ([\d,]+) held-out positions: ([\d.]+)%, of a random legal move ([\d.]+)%", last)
    assert int(found[1].replace(",", "")) > 50 and float(found[2]) > 2 * float(found[3]) > 0, last
