"""Compares named and custom feature sets with plain loops over the pieces."""

import gzip
import pickle

import numpy as np
import pytest
import setwise
from conftest import DATA

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/P6P/8/8/8/8/p6p/K7 w - - 0 1",
    "6k1/5ppp/pp6/2p5/2P1P3/PP3P2/6PP/1K6 b - - 0 1",
]
MAP = [(7 * square) % 64 for square in range(64)]
PLANES = [[-1, 0, 1, 2, 3, 10], [4, 5, 6, 7, -1, 10]]


def pieces(fen):
    """Lists the square, colour (0 or 1) and role (0 to 5) of each piece, from a1 on."""
    ranks = fen.split()[0].split("/")
    found = []
    for rank, text in enumerate(reversed(ranks)):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                found.append((8 * rank + file, int(letter.islower()), "pnbrqk".index(letter.lower())))
                file += 1
    return found


def seen(square, side, king, mirror):
    if mirror == "king_to_a_d" and king % 8 > 3 or mirror == "king_to_e_h" and king % 8 < 4:
        square ^= 7
    return square ^ 56 if side else square


def piece_square(fen, side, buckets, planes, mirror):
    king = next(square for square, colour, role in pieces(fen) if (colour, role) == (side, 5))
    bucket = 64 * (1 + max(map(max, planes))) * buckets[seen(king, side, king, mirror)]
    for square, colour, role in pieces(fen):
        plane = planes[int(colour != side)][role]
        if plane >= 0:
            yield bucket + 64 * plane + seen(square, side, king, mirror)


def pawn_pairs(fen, side, files_apart, ranks, mirror):
    king = next(square for square, colour, role in pieces(fen) if (colour, role) == (side, 5))
    low, high = ranks
    pawns = [
        (square % 8, seen(square, side, king, mirror) - 8 * (low - 1) + 8 * (high - low + 1) * (colour != side))
        for square, colour, role in pieces(fen)
        if role == 0 and low <= square // 8 + 1 <= high
    ]
    for at, (file, number) in enumerate(pawns):
        for other_file, other in pawns[:at]:
            if abs(file - other_file) <= files_apart:
                larger, smaller = max(number, other), min(number, other)
                yield larger * (larger - 1) // 2 + smaller


def rows(lists):
    offsets, items = lists
    return [sorted(items[start:end].tolist()) for start, end in zip(offsets, offsets[1:])]


def test_own_blocks_are_those_of_plain_loops():
    own = setwise.FeatureSet(
        "own",
        [
            {"kind": "piece_square", "buckets": MAP, "planes": PLANES, "mirror": "king_to_e_h"},
            {"kind": "pawn_pairs", "files_apart": 3, "ranks": (1, 8), "mirror": "king_to_a_d", "width": 200},
            {"kind": "piece_square"},
        ],
    )
    standard = [list(range(6)), list(range(6, 12))]
    first = [64 * 11 * (1 + max(MAP[square] for square in range(64) if square % 8 > 3))]
    first.append(first[0] + 128 * 127 // 2)
    assert own.inputs == first[1] + 768
    assert [block["range"] for block in own.blocks] == [(0, first[0]), tuple(first), (first[1], own.inputs)]
    assert own.row_width == 32 + 200 + 32
    padded = setwise.features(FENS, own, padded=own.row_width)
    for side, lists in enumerate(setwise.features(FENS, own)):
        for row, (fen, list_) in enumerate(zip(FENS, rows(lists))):
            expected = list(piece_square(fen, side, MAP, PLANES, "king_to_e_h"))
            expected += [first[0] + i for i in pawn_pairs(fen, side, 3, (1, 8), "king_to_a_d")]
            expected += [first[1] + i for i in piece_square(fen, side, [0] * 64, standard, "never")]
            assert list_ == sorted(expected)
            assert sorted(i for i in padded[side][row].tolist() if i >= 0) == list_
            assert (padded[side][row][len(list_) :] == -1).all()
    table = setwise.maps(FENS, columns="white_features", feature_set=own)
    assert len(table) == len(FENS)


def test_named_sets_and_their_parts():
    whole = setwise.FeatureSet("nnue-pytorch-2026-07")
    assert (whole.inputs, whole.row_width, whole.max_inputs) == (88_944, 288, 856)
    assert whole.inputs == setwise.feature_sets()[whole.name]
    by_parts = "stockfish-threats-2026-08+pawn-pairs-3-wide+halfka-hm"
    assert [block["kind"] for block in whole.blocks] == ["threats", "pawn_pairs", "piece_square"]
    for a, b in zip(setwise.features(FENS, whole), setwise.features(FENS, by_parts)):
        assert all(np.array_equal(x, y) for x, y in zip(a, b))
    buckets = [31 - 4 * (s // 8) - (s % 8 - 4) if s % 8 > 3 else 0 for s in range(64)]
    planes = [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]
    for side, lists in enumerate(setwise.features(FENS, "halfka-hm")):
        for fen, list_ in zip(FENS, rows(lists)):
            assert list_ == sorted(piece_square(fen, side, buckets, planes, "king_to_e_h"))
    for side, lists in enumerate(setwise.features(FENS, "pawn-pairs-3-wide")):
        for fen, list_ in zip(FENS, rows(lists)):
            assert list_ == sorted(pawn_pairs(fen, side, 1, (2, 7), "king_to_a_d"))


def test_sets_are_values():
    blocks = [{"kind": "pawn_pairs", "files_apart": 0}]
    own, again = (setwise.FeatureSet("files", blocks) for _ in range(2))
    assert own == again and hash(own) == hash(again)
    assert own != setwise.FeatureSet("other", blocks)
    assert own != setwise.FeatureSet("files", [{"kind": "pawn_pairs", "files_apart": 1}])
    for one in (own, setwise.FeatureSet("halfka-hm"), setwise.FeatureSet("stockfish-threats-2025-11+halfka-hm")):
        back = pickle.loads(pickle.dumps(one))
        assert back == one and back.blocks == one.blocks
    assert repr(own) == 'setwise.FeatureSet("files", inputs=4560)'


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([], "0 blocks"),
        ([{"kind": "pieces"}], "`pieces`.*`piece_square`"),
        ([{}], "no `kind`"),
        ([{"kind": "threats", "map": [[0] * 6] * 6, "once": [[False] * 2] * 6}], "no `targets`"),
        ([{"kind": "pawn_pairs", "files_apart": 1, "ranks": (2, 8)}], "ranks 2 to 8"),
        ([{"kind": "pawn_pairs", "files_apart": 8}], "8 files apart"),
        ([{"kind": "pawn_pairs", "files_apart": -1}], "files_apart"),
        ([{"kind": "pawn_pairs", "files_apart": 1, "planes": []}], "no `planes`"),
        ([{"kind": "piece_square", "mirror": "left"}], "`left`.*`king_to_a_d`"),
        ([{"kind": "piece_square", "buckets": [0] * 63}], "63 squares"),
        ([{"kind": "piece_square"}] * 2, "overlap"),
    ],
)
def test_blocks_that_are_wrong(blocks, words):
    with pytest.raises(ValueError, match=words):
        setwise.FeatureSet("wrong", blocks)


def test_names_that_are_wrong():
    for name in ("halfka", "halfka-hm+", ""):
        with pytest.raises(ValueError, match="`halfka-hm`"):
            setwise.FeatureSet(name)
        with pytest.raises(ValueError, match="`halfka-hm`"):
            setwise.features(FENS, name)
    with pytest.raises(ValueError, match="overlap"):
        setwise.features(FENS, "halfka-hm+nnue-pytorch-2026-07")
    with pytest.raises((TypeError, ValueError)):
        setwise.features(FENS, 3)


def test_the_trainers_own_indices():
    with gzip.open(DATA / "trainer-inputs.tsv.gz", "rt") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    fens = [line[0] for line in lines]
    starts = [block["range"][0] for block in setwise.FeatureSet("nnue-pytorch-2026-07").blocks]
    both = setwise.features(fens, "nnue-pytorch-2026-07")
    padded = setwise.features(fens, "nnue-pytorch-2026-07", padded=288)
    for side in range(2):
        for row, (line, list_) in enumerate(zip(lines, rows(both[side]))):
            expected = [
                start + int(number)
                for block, start in enumerate(starts)
                for number in line[1 + 2 * block + side].split()
            ]
            assert list_ == expected
            assert sorted(number for number in padded[side][row].tolist() if number >= 0) == expected
