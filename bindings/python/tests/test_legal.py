"""Compares legal moves with python-chess, and the encodings of policies with the published ones."""

import gzip
import hashlib
import tracemalloc

import chess
import numpy as np
import pandas as pd
import polars as pl
import pytest

import setwise
from conftest import DATA

WAYS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


@pytest.fixture(scope="module")
def positions(fens):
    """Positions with python-chess's legal moves: origin, destination, promotion (or None), and whether it castles."""
    fens = list(fens)
    with gzip.open(DATA / "legal-moves.tsv.gz", "rt") as lines:
        fens += [line.split("\t")[0] for line in lines]
    boards = [chess.Board(fen, chess960=True) for fen in fens]
    return fens, boards, [sorted(moves_of(board)) for board in boards]


def moves_of(board):
    for move in board.legal_moves:
        origin, target, castles = move.from_square, move.to_square, board.is_castling(move)
        if castles and origin % 8 == 4 and target % 8 in (0, 7):
            target = origin + (2 if target > origin else -2)
        yield origin, target, -1 if move.promotion is None else move.promotion - chess.KNIGHT, castles


def plane_of(origin, target, role, black):
    """Returns the type of a move and its origin, from the point of view of the side to move."""
    origin, target = (origin ^ 56, target ^ 56) if black else (origin, target)
    files, ranks = target % 8 - origin % 8, target // 8 - origin // 8
    if role in (0, 1, 2):
        return 64 + 3 * role + files + 1, origin
    if (files, ranks) in LEAPS:
        return 56 + LEAPS.index((files, ranks)), origin
    distance = max(abs(files), abs(ranks))
    return 7 * WAYS.index((files // distance, ranks // distance)) + distance - 1, origin


def expected_planes(boards, moves):
    planes = np.zeros((len(boards), 73), np.uint64)
    for row, (board, of_board) in enumerate(zip(boards, moves)):
        for origin, target, role, _ in of_board:
            plane, square = plane_of(origin, target, role, not board.turn)
            planes[row, plane] |= np.uint64(1 << square)
    return planes


def state_of(boards):
    back = lambda board, rank: (board.clean_castling_rights() >> rank) & 0xFF  # noqa: E731
    return (
        np.array([0 if board.turn else 1 for board in boards]),
        np.array([back(board, 0) for board in boards]),
        np.array([back(board, 56) for board in boards]),
        np.array([-1 if board.ep_square is None else board.ep_square for board in boards]),
    )


def test_moves_are_those_of_python_chess(positions):
    fens, boards, moves = positions
    targets = np.zeros((len(boards), 64), np.uint64)
    for row, of_board in enumerate(moves):
        for origin, target, *_ in of_board:
            targets[row, origin] |= np.uint64(1 << target)
    for threads in (1, 2):
        assert (setwise.legal(fens, threads=threads) == expected_planes(boards, moves)).all()
        assert (setwise.legal(fens, "origin", threads=threads) == targets).all()
    offsets, listed = setwise.legal_moves(fens)
    assert offsets.dtype == np.int64 and listed.dtype == np.uint16
    for row, (board, of_board) in enumerate(zip(boards, moves)):
        found = listed[offsets[row] : offsets[row + 1]].tolist()
        parts = [
            (bits >> 6 & 63, bits & 63, bits >> 12 & 3 if bits >> 14 == 1 else -1, bits >> 14 == 3) for bits in found
        ]
        assert parts == of_board, fens[row]
        for bits in found:
            move = chess.Move(bits >> 6 & 63, bits & 63)
            assert (bits >> 14 == 2) == board.is_en_passant(move)


def test_columns_are_those_of_python_chess(positions):
    fens, boards, moves = positions
    for backend in setwise.backends():
        table = setwise.maps(fens, ["legal_count", "status", "legal_planes"], backend=backend)
        assert table["legal_count"].tolist() == [len(of_board) for of_board in moves]
        mates = [(board.is_check(), not of_board) for board, of_board in zip(boards, moves)]
        status = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}
        assert table["status"].tolist() == [status[mate] for mate in mates]
        assert (table["legal_planes"] == expected_planes(boards, moves)).all()


def test_boards_with_state_have_the_same_moves(positions):
    fens, boards, moves = positions
    expected = expected_planes(boards, moves)
    pieces, state = setwise.pieces(fens), state_of(boards)
    for layout in (pieces, np.ascontiguousarray(pieces), list(pieces.T)):
        assert (setwise.legal(layout, state=state) == expected).all()
    states = [array.astype(dtype) for array, dtype in zip(state, (np.int8, np.uint8, np.uint64, np.int64))]
    states[3] = np.ma.masked_equal(states[3], -1)
    assert (setwise.legal(pieces, state=states) == expected).all()
    table = setwise.maps(fens, [*setwise.BOARDS, *setwise.STATE])
    assert (setwise.legal(table) == expected).all()
    assert (setwise.legal(pieces, state=[table[name] for name in setwise.STATE]) == expected).all()
    assert (setwise.legal(table, "origin") == setwise.legal(fens, "origin")).all()
    assert (setwise.policy_mask(pieces, "uci", state=state) == setwise.policy_mask(fens, "uci")).all()


def test_planes_are_squares(positions):
    fens, boards, moves = positions
    planes = setwise.planes(setwise.legal(fens[:100]), bool)
    assert planes.shape == (100, 73, 8, 8) and planes.dtype == bool
    for row, (board, of_board) in enumerate(zip(boards[:100], moves)):
        places = {plane_of(*move[:3], not board.turn) for move in of_board}
        assert {(plane, 8 * rank + file) for plane, rank, file in np.argwhere(planes[row]).tolist()} == places


def test_rows_without_a_position():
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    in_check = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1"
    with pytest.raises(ValueError, match="row 1: white has 0 kings|row 1"):
        setwise.legal([start, "4k3/8/8/8/8/8/8/8 w - - 0 1"])
    with pytest.raises(ValueError, match="row 1 is no valid position"):
        setwise.legal_moves([start, in_check])
    fens = [start, in_check, None, "bad", start]
    counts = [20, 0, 0, 0, 20]
    legal = setwise.legal(fens, errors="null")
    assert np.bitwise_count(legal).sum(1).tolist() == counts
    offsets, _ = setwise.legal_moves(fens, errors="null")
    assert np.diff(offsets).tolist() == counts
    for policy in setwise.policies():
        assert setwise.policy_mask(fens, policy, errors="null").sum(1).tolist() == counts
        index = setwise.policy_index(fens, ["e2e4"] * 5, policy, errors="null")
        assert (index >= 0).tolist() == [True, False, False, False, True]
    table = setwise.maps(fens, ["legal_count", "status"], errors="null")
    assert table["legal_count"].tolist() == [20, None, None, None, 20]
    assert table["status"].tolist() == [0, None, None, None, 0]
    assert setwise.legal([]).shape == (0, 73) and setwise.legal([], "origin").shape == (0, 64)
    assert setwise.legal([None]).tolist() == [[0] * 73]


def test_states_that_do_not_fit():
    boards = setwise.pieces(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"])
    good = [np.array([value]) for value in (0, 0x81, 0x81, -1)]
    assert np.bitwise_count(setwise.legal(boards, state=good)).sum() == 20
    with pytest.raises(ValueError, match="`state=` takes turn, castling_white, castling_black, en_passant"):
        setwise.legal(boards)
    with pytest.raises(ValueError, match="`state` is four arrays"):
        setwise.legal(boards, state=good[:3])
    with pytest.raises(ValueError, match="`turn` of `state` is integers of shape"):
        setwise.legal(boards, state=[np.array([0, 0]), *good[1:]])
    with pytest.raises(ValueError, match="`turn` of `state` is 0 to 1, found 2 to 2"):
        setwise.legal(boards, state=[np.array([2]), *good[1:]])
    with pytest.raises(ValueError, match="`en_passant` of `state` is -1 to 63"):
        setwise.legal(boards, state=[*good[:3], np.array([64])])
    with pytest.raises(ValueError, match="integers"):
        setwise.legal(boards, state=[*good[:3], np.array([0.5])])
    with pytest.raises(ValueError, match="`state` goes with boards"):
        setwise.legal(["4k3/8/8/8/8/8/8/4K3 w - - 0 1"], state=good)
    with pytest.raises(ValueError, match="`by` is"):
        setwise.legal(boards, "piece")
    with pytest.raises(ValueError, match="no policy is called `leela`"):
        setwise.policy_mask(boards, "leela", state=good)


def uci_actions():
    """The 1,968 moves in the order of searchless_chess, by python-chess."""
    actions = []
    board = chess.BaseBoard.empty()
    for square in range(64):
        targets = []
        for symbol in "QN":
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
            targets += board.attacks(square)
        board.remove_piece_at(square)
        actions += [chess.square_name(square) + chess.square_name(target) for target in targets]
    for rank, to_rank in (("2", "1"), ("7", "8")):
        for at, file in enumerate(chess.FILE_NAMES):
            for to in (at, at - 1, at + 1):
                if 0 <= to < 8:
                    actions += [file + rank + chess.FILE_NAMES[to] + to_rank + role for role in "qrbn"]
    return actions


def lc0_moves():
    """The 1,858 moves in the order of Lc0's table, confirmed by the digest of the published table."""
    moves = []
    for origin in range(64):
        for target in range(64):
            files, ranks = abs(target % 8 - origin % 8), abs(target // 8 - origin // 8)
            if origin != target and (0 in (files, ranks) or files == ranks or {files, ranks} == {1, 2}):
                moves.append(chess.square_name(origin) + chess.square_name(target))
    for at, file in enumerate(chess.FILE_NAMES):
        for to in range(max(0, at - 1), min(7, at + 1) + 1):
            moves += [f"{file}7{chess.FILE_NAMES[to]}8{role}" for role in "qrb"]
    digest = hashlib.sha256(",".join(moves).encode()).hexdigest()
    assert digest == "89f7e8b772633e70c06fae4caac5a2858eeeee5c357b19cd355553f79b51b231"
    return moves


def mirrored(move):
    """Flips a move to the point of view of black."""
    return move[0] + str(9 - int(move[1])) + move[2] + str(9 - int(move[3])) + move[4:]


def expected_classes(board, policy, tables):
    """Yields the name and the class of each legal move."""
    for move in board.legal_moves:
        name = move.uci()  # in Chess960 notation
        origin, target, castles = move.from_square, move.to_square, board.is_castling(move)
        if policy == "lc0":
            seen = name if board.turn else mirrored(name)
            yield name, tables["lc0"].index(seen.removesuffix("n"))
            continue
        if castles and origin % 8 == 4 and target % 8 in (0, 7):
            target = origin + (2 if target > origin else -2)
        if policy == "uci":
            usual = chess.square_name(origin) + chess.square_name(target) + name[4:]
            yield name, tables["uci"].index(usual)
            continue
        role = -1 if move.promotion is None else move.promotion - chess.KNIGHT
        plane, square = plane_of(origin, target, role, not board.turn)
        if policy == "alphazero":
            yield name, 64 * plane + square
        else:
            yield name, pgx_label(origin, target, role, not board.turn)


def pgx_label(origin, target, role, black):
    """Computes pgx's label from its planes, in the order in which its tables are filled."""
    origin, target = (origin ^ 56, target ^ 56) if black else (origin, target)
    from_, to = (8 * (square % 8) + square // 8 for square in (origin, target))
    if role in (0, 1, 2):
        return from_ * 73 + 3 * (2 - role) + [1, 9, -7].index(to - from_)
    seq = list(range(1, 8))
    back, none = seq[::-1], [0] * 7
    dr = [-x for x in back] + seq + none + none + [-x for x in back] + seq + back + [-x for x in seq]
    dc = none + none + [-x for x in back] + seq + [-x for x in back] + seq + [-x for x in back] + seq
    dr += [-1, +1, -2, +2, -1, +1, -2, +2]
    dc += [-2, -2, -1, -1, +2, +2, +1, +1]
    step = to % 8 - from_ % 8, to // 8 - from_ // 8
    return from_ * 73 + 9 + list(zip(dr, dc)).index(step)


def test_policies_are_those_of_their_sources(positions):
    fens, boards, _ = positions
    tables = {"lc0": lc0_moves(), "uci": uci_actions()}
    assert setwise.policies() == {"alphazero": 4672, "pgx": 4672, "lc0": 1858, "uci": 1968}
    for policy, size in setwise.policies().items():
        mask = setwise.policy_mask(fens, policy)
        assert mask.shape == (len(fens), size) and mask.dtype == bool
        rows, names, classes = [], [], []
        for row in range(len(fens)):
            pairs = list(expected_classes(boards[row], policy, tables))
            assert sorted({index for _, index in pairs}) == np.flatnonzero(mask[row]).tolist(), fens[row]
            rows += [row] * len(pairs)
            names += [name for name, _ in pairs]
            classes += [index for _, index in pairs]
        found = setwise.policy_index([fens[row] for row in rows], names, policy)
        assert found.dtype == np.int64 and found.tolist() == classes


def test_the_start_has_the_actions_that_pgx_publishes():
    start = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
    published = [89, 90, 652, 656, 673, 674, 1257, 1258, 1841, 1842, 2425, 2426, 3009, 3010, 3572, 3576, 3593, 3594, 4177, 4178]
    assert np.flatnonzero(setwise.policy_mask(start, "pgx")[0]).tolist() == published


def test_moves_by_other_names():
    castles = "r3k2r/8/8/8/8/8/8/R3K2R {} KQkq - 0 1"
    for turn, rank in (("w", 1), ("b", 8)):
        fens = [castles.format(turn)] * 6
        names = ["e{0}g{0}", "e{0}h{0}", "e{0}c{0}", "e{0}a{0}", "e{0}d{0}", "a{0}b{0}"]
        names = [name.format(rank) for name in names]
        for policy in setwise.policies():
            a, b, c, d, e, f = setwise.policy_index(fens, names, policy).tolist()
            assert a == b and c == d and len({a, c, e, f}) == 4
    offsets, moves = setwise.legal_moves(fens[:1])
    fens = fens[:1] * len(moves)
    classes = setwise.policy_index(fens, moves, "uci")
    assert sorted(classes.tolist()) == np.flatnonzero(setwise.policy_mask(fens[:1], "uci")[0]).tolist()
    # Chess960: king and rook may swap squares, and the king's step to the g-file differs from castling.
    fen = "k7/8/8/8/8/8/8/5K1R w H - 0 1"
    step, castle = setwise.policy_index([fen] * 2, ["f1g1", "f1h1"], "lc0").tolist()
    assert step != castle
    # With the rook on the g-file, castling is e1g1 in Chess960 too, but its class in Lc0 differs from that of castling
    # with a rook in the corner.
    fens = ["k7/8/8/8/8/8/8/4K1R1 w G - 0 1", "k7/8/8/8/8/8/8/4K2R w K - 0 1"]
    near, corner = setwise.policy_index(fens, ["e1g1", "e1g1"], "lc0").tolist()
    assert near + 1 == corner
    assert setwise.policy_mask(fens, "lc0")[[0, 1], [near, corner]].all()


# The last three would be e2e4 in 16 bits or with squares that are wrapped around.
@pytest.mark.parametrize(
    "move",
    ["e2e5", "e7e5", "", "e2", "e2e4q", "e2e4qq", "i2i4", "e2e9", "♙2e4", None]
    + [1 << 16 | 12 << 6 | 28, 1 << 28 | 12 << 6 | 28, -65536 | 12 << 6 | 28, "e2m3", "m1e4", "e\t2e4"]
    + [1 << 70, -1 << 70],
)
def test_moves_that_are_not_legal(move):
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    with pytest.raises(ValueError, match="row 1: .* is not a legal move"):
        setwise.policy_index([start] * 2, ["e2e4", move], "uci")
    assert setwise.policy_index([start], [move], "uci", errors="null").tolist() == [-1]
    with pytest.raises(ValueError, match="there are 2 positions, and moves of shape"):
        setwise.policy_index([start] * 2, ["e2e4"], "uci")


def test_missing_moves_have_no_class():
    fens = [chess.STARTING_FEN] * 3
    e4, knight = 12 << 6 | 28, 6 << 6 | 21
    masks = [np.ma.masked_array(moves, [0, 1, 0]) for moves in ([e4] * 2 + [knight], ["e2e4"] * 2 + ["g1f3"])]
    lists = [["e2e4", missing, "g1f3"] for missing in (None, np.nan, pd.NA)]
    series = [pd.Series([e4, None, knight], dtype=object), pd.Series(lists[0], dtype="string"), pl.Series(lists[0])]
    # Numpy has no integers with nulls, so these become floating-point numbers.
    numbers = [e4, None, knight]
    series += [pd.Series(numbers), pd.Series(numbers, dtype="UInt16"), pl.Series(numbers), pl.Series(numbers, dtype=pl.UInt16)]
    for moves in [*masks, *map(np.array, lists[:1]), pd.array(lists[2], dtype=object), *series]:
        assert setwise.policy_index(fens, moves, "lc0", errors="null").tolist() == [322, -1, 159]
        with pytest.raises(ValueError, match="row 1: .* is not a legal move"):
            setwise.policy_index(fens, moves, "lc0")
    assert setwise.policy_index([], [], "lc0").shape == (0,)
    assert setwise.policy_index(fens, pl.Series([None] * 3), "lc0", errors="null").tolist() == [-1] * 3
    with pytest.raises(TypeError, match="16-bit integers, found float64"):
        setwise.policy_index(fens, np.array([e4, np.nan, 0.5]), "lc0", errors="null")
    for moves in (np.array([e4, 1e30, knight]), [b"e2e4", b"e2e\xff", b"g1f3"]):
        assert setwise.policy_index(fens, moves, "lc0", errors="null").tolist() == [322, -1, 159]


@pytest.mark.parametrize("behind", ["q", "x", " ", "=", "Q", "\u2655"])
def test_something_behind_a_promotion_is_not_legal(behind):
    fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    moves = ["a7a8q", "a7a8q" + behind, "a7a8" + behind + "q", "a7a8" + behind.replace("q", "k")]
    index = setwise.policy_index([fen] * 4, moves, "uci", errors="null").tolist()
    assert index[0] >= 0 and index[1:] == [-1, -1, -1]


def test_classes_of_moves_need_memory_for_their_result():
    fens = ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"] * 60_000
    moves = np.full(len(fens), 4 << 6 | 6 | 3 << 14, np.uint16)  # e1g1
    for call, arguments in ((setwise.policy_mask, ()), (setwise.policy_index, (moves,))):
        tracemalloc.start()
        classes = call(fens, *arguments, "lc0")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < classes.nbytes + (24 << 20)
    # The same in every part.
    assert (classes == classes[0]).all() and setwise.policy_mask(fens, "lc0").sum() == 48 * len(fens)
    moves[50_000] = 0
    with pytest.raises(ValueError, match="row 50000: 0 is not a legal move"):
        setwise.policy_index(fens, moves, "lc0")


@pytest.mark.parametrize("count", [8191, 8192, 8193, 16385])
def test_classes_do_not_depend_on_the_rows_of_a_call(count):
    start = [chess.STARTING_FEN]
    fens = start * (count - 1) + ["4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]
    mask = setwise.policy_mask(fens, "lc0")
    assert (mask[:-1] == setwise.policy_mask(start, "lc0")).all() and (mask[-1:] == setwise.policy_mask(fens[-1:], "lc0")).all()
    moves = np.full(count, 12 << 6 | 28, np.uint16)
    moves[-1] = 48 << 6 | 56 | 7 << 12
    index = setwise.policy_index(fens, moves, "lc0")
    assert (index[:-1] == 322).all() and mask[-1, index[-1]]
    moves[-1] = 48 << 6 | 57 | 7 << 12
    with pytest.raises(ValueError, match=f"row {count - 1}: .* is not a legal move"):
        setwise.policy_index(fens, moves, "lc0")


def test_pictures_of_legal_moves():
    drawing = setwise.show("startpos", "legal")
    assert drawing._repr_svg_().count("<line ") == 20 + 2  # two are in the legend
    assert "destinations" in str(drawing) and "0x00000000ffff0000" in str(drawing)


def test_ctrl_c_stops_successors(interrupted):
    with interrupted():
        for _ in range(1000):
            setwise.successors(["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"] * 200_000)


def test_successors(positions):
    """Compares boards, states, moves and their order with python-chess's ``push``."""
    fens, boards, moves = positions
    after = setwise.successors(fens)
    assert after.offsets.tolist() == np.cumsum([0] + [len(of_board) for of_board in moves]).tolist()
    for row, board in enumerate(boards):
        for at in range(after.offsets[row], after.offsets[row + 1]):
            move = int(after.moves[at])
            origin, target, kind = move >> 6 & 63, move & 63, move >> 14
            promotion = chess.KNIGHT + (move >> 12 & 3) if kind == 1 else None
            if kind == 3 and abs(target - origin) == 2 and not board.occupied_co[board.turn] >> target & 1:
                target = origin + 3 if target > origin else origin - 4
            pushed = board.copy(stack=False)
            pushed.push(chess.Move(origin, target, promotion))
            expected = [pushed.pawns, pushed.knights, pushed.bishops, pushed.rooks, pushed.queens, pushed.kings]
            expected += [pushed.occupied_co[chess.WHITE], pushed.occupied_co[chess.BLACK]]
            assert after.boards[at].tolist() == expected, (fens[row], move)
            turn, white, black, square = (int(column[at]) for column in after.state)
            rights = pushed.castling_rights
            assert (turn == 0, white, black) == (pushed.turn, rights & 0xFF, rights >> 56), (fens[row], move)
            assert square == (-1 if pushed.ep_square is None else pushed.ep_square), (fens[row], move)
    again = setwise.successors(after.boards, state=after.state)
    counts = np.ma.filled(setwise.maps(after.boards, "legal_count", state=after.state)["legal_count"], 0)
    assert np.diff(again.offsets).tolist() == counts.tolist()


def test_successors_of_what_is_no_position():
    fens = ["8/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]
    with pytest.raises(ValueError, match="row 0 is no valid position"):
        setwise.successors(fens)
    assert setwise.successors(fens, errors="null").offsets.tolist() == [0, 0, 5]


def test_fens_of_boards_are_those_of_python_chess(positions):
    fens, boards, _ = positions
    # Castling rights have several notations.
    same = lambda fens: [chess.Board(fen, chess960=True).fen(en_passant="fen") for fen in fens]  # noqa: E731
    expected = [board.fen(en_passant="fen") for board in boards]
    pieces, state = setwise.pieces(fens), state_of(boards)
    clocks = [np.array([getattr(board, name) for board in boards]) for name in ("halfmove_clock", "fullmove_number")]
    found = setwise.to_fen(pieces, (*state, *clocks))
    assert same(found) == expected
    for layout in (np.ascontiguousarray(pieces), list(pieces.T)):
        assert setwise.to_fen(layout, (*state, *clocks)) == found
        assert setwise.to_fen(layout, state, threads=2) == [fen.rsplit(" ", 2)[0] + " 0 1" for fen in found]
    names = [*setwise.BOARDS, *setwise.STATE, "halfmove_clock", "fullmove_number"]
    for signed in (False, True):
        table = setwise.maps(fens, names, signed=signed)
        assert setwise.to_fen(table) == found
        assert setwise.maps(table, "fen").to_pyarrow()["fen"].to_pylist() == found
    wide = table.to_pyarrow().set_column(12, "halfmove_clock", [clocks[0].astype(np.int64)])
    assert setwise.to_fen(wide) == found
    with pytest.raises(ValueError, match=r"`halfmove_clock`, row 0: expected 0 to 4294967295, found -1"):
        setwise.to_fen(wide.set_column(12, "halfmove_clock", [clocks[0].astype(np.int64) - 1 - clocks[0][0]]))


def test_boards_that_no_fen_describes():
    boards = setwise.pieces(["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"] * 4)
    boards[1, 0] |= 1  # a pawn on the rook's square
    boards[2, 7] |= 2  # a black square without a role
    state = [np.array(array) for array in ([0] * 4, [1] * 4, [0] * 4, [-1] * 4)]
    with pytest.raises(setwise.FenError, match="row 1: a FEN needs one role and one colour") as caught:
        setwise.to_fen(boards, state)
    assert caught.value.row == 1
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    assert setwise.to_fen(boards, state, errors="null") == [fen, None, None, fen]
    with pytest.raises(ValueError, match="`state=` takes turn"):
        setwise.to_fen(boards)
    for columns in (setwise.BOARDS, [*setwise.BOARDS, "turn"]):
        for function in (setwise.to_fen, setwise.legal):
            with pytest.raises(ValueError, match="tables need these columns"):
                function(setwise.maps([fen], columns))
    with pytest.raises(ValueError, match="four arrays .* or six"):
        setwise.to_fen(boards, state[:3])
    with pytest.raises(ValueError, match="`fullmove_number` of `state` is 0 to 4294967295, found -1 to -1"):
        setwise.to_fen(boards, [*state, state[0], state[3]])
