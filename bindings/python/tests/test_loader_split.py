"""Tests splits of ``Loader``: train and test are disjoint and complete, and do not depend on the seed."""

import gzip
import itertools
import struct
from pathlib import Path

import pytest

import setwise

DATA = Path(__file__).parents[3] / "crates" / "formats" / "tests" / "data"
NAMES = ["white", "black", "pawns", "knights", "bishops", "rooks", "queens", "kings"]


def positions(paths, **options):
    """Lists boards and sides to move, in the order of the batches."""
    return [row for row, _ in with_ply(paths, **options)]


def with_ply(paths, **options):
    loader = setwise.Loader(paths, columns=NAMES, labels=[], batch_size=500, **options)
    rows = []
    for batch in loader:
        plies = itertools.repeat(0) if batch.ply is None else batch.ply.tolist()
        boards = zip(batch.turn.tolist(), *(batch.columns[name].tolist() for name in NAMES))
        rows += zip(boards, plies)
    return rows


def games(rows):
    """Splits rows, in the order of a file, into games: a new one begins where the ply does not continue."""
    found, last = [], None
    for row, ply in rows:
        if last is None or ply != last + 1:
            found.append([])
        found[-1].append(row)
        last = ply
    return [tuple(game) for game in found]


def viri(boards):
    """Packs games of two king moves, with a different square of a white pawn in each."""
    out = b""
    for pawns in boards:
        occupied = 1 << 4 | 1 << 60 | pawns << 16
        codes = [5] + [0] * pawns.bit_count() + [13]
        codes += [0] * (32 - len(codes))
        nibbles = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2]))
        out += struct.pack("<Q", occupied) + nibbles + struct.pack("<BBHhBB", 64, 0, 1, 0, 1, 0)
        out += struct.pack("<HhHh", 4 | 3 << 6, 0, 60 | 59 << 6, 0) + bytes(4)
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("split")
    (folder / "games.pgn").write_bytes(gzip.decompress((DATA / "games.pgn.gz").read_bytes()))
    (folder / "kings.vf").write_bytes(viri(range(1, 3001)))
    (folder / "games.binpack").write_bytes((DATA / "games.binpack").read_bytes())
    return folder


@pytest.mark.parametrize("name", ["games.pgn", "kings.vf", "games.binpack"])
def test_games_stay_together(folder, name):
    options = {"errors": "skip"} if name == "games.pgn" else {}
    whole = games(with_ply(folder / name, **options))
    train, test = (games(with_ply(folder / name, split=(part, 0.7), **options)) for part in ("train", "test"))
    assert sorted(train + test) == sorted(whole) and not set(train) & set(test)
    # In viriformat, which has no plies, games differ by their pawns.
    pawns = [{row[3] for game in part for row in game} for part in (train, test)]
    assert name != "kings.vf" or not pawns[0] & pawns[1]
    assert len(whole) > 50 and abs(len(train) - 0.7 * len(whole)) < 5 * (0.21 * len(whole)) ** 0.5 + 1


def test_games_that_begin_alike_are_told_apart(tmp_path):
    """If only the first position counted, all games from the start position would be in one part."""
    moves = ["e4", "d4", "c4", "Nf3", "b3", "g3", "f4", "Nc3", "a3", "h3", "d3", "e3", "c3", "f3", "a4", "h4", "g4", "b4"]
    path = tmp_path / "first.pgn"
    path.write_text("".join(f"1. {move} *\n\n" for move in moves))
    parts = [positions(path, split=(part, 0.5)) for part in ("train", "test")]
    assert [len(part) % 2 for part in parts] == [0, 0] and min(map(len, parts)) >= 4
    assert len(parts[0] + parts[1]) == 2 * len(moves)


@pytest.mark.parametrize("shuffle", [0, 2000])
def test_a_split_does_not_depend_on_the_order(folder, shuffle):
    """The split does not depend on the units either, which differ with the size of a file and with shuffling."""
    path = folder / "games.binpack"
    train, test = (sorted(positions(path, split=(part, 0.8))) for part in ("train", "test"))
    assert sorted(train + test) == sorted(positions(path)) and min(len(train), len(test)) > 300
    for part, expected in (("train", train), ("test", test)):
        again = positions(path, split=(part, 0.8), shuffle=shuffle, seed=3, threads=2)
        assert sorted(again) == expected
        shards = [positions(path, split=(part, 0.8), shuffle=shuffle, shard=(i, 3)) for i in range(3)]
        assert sorted(itertools.chain(*shards)) == expected
        both = positions([path, folder / "kings.vf"], split=(part, 0.8), shuffle=shuffle)
        assert len(set(both) - set(expected)) > 300 and not set(expected) - set(both)


def test_positions_are_split_where_there_are_no_games(tmp_path):
    fens = (Path(__file__).parents[3] / "data" / "sample.epd").read_text().splitlines()[:2000]
    text, table = tmp_path / "all.fen", tmp_path / "all.jsonl"
    text.write_text("\n".join(fens))
    table.write_text("\n".join(f'{{"fen": "{fen}"}}' for fen in fens))
    train = positions(text, split=("train", 0.9))
    test = positions(text, split=("test", 0.9))
    assert sorted(train + test) == sorted(positions(text)) and not set(train) & set(test)
    assert abs(len(train) - 0.9 * len(fens)) < 5 * (0.09 * len(fens)) ** 0.5 + 20
    assert sorted(positions(table, split=("test", 0.9))) == sorted(test)


def test_a_split_is_counted_and_may_be_written_as_a_condition(folder):
    path = folder / "games.binpack"
    loader = setwise.Loader(path, split=("test", 0.25), where="checkers = 0", labels=[])
    kept = sum(map(len, loader))
    assert list(loader.left_out) == ["game_hash >= 4611686018427387904", "checkers = 0"]
    assert kept + sum(loader.left_out.values()) == len(positions(path))
    assert positions(path, where="game_hash < 4611686018427387904") == positions(path, split=("train", 0.25))


@pytest.mark.parametrize("name", ["games.pgn", "games.binpack", "kings.vf"])
@pytest.mark.parametrize("sampled", [False, True])
def test_batches_have_the_hash_of_the_game(folder, name, sampled):
    """The hash is the one that splits use: equal for all positions of a game, no matter which rows are dropped."""
    options = {"errors": "skip"} if name == "games.pgn" else {}
    options |= {"one_in": 3, "where": "piece_count < 30", "seed": 5} if sampled else {}

    def hashed(columns, **more):
        found = []
        for batch in setwise.Loader(folder / name, columns=columns, labels=[], **options, **more):
            boards = zip(batch.turn.tolist(), *(batch.columns[name].tolist() for name in NAMES))
            found += zip(boards, batch.columns["game_hash"].view("uint64").tolist())
        return found

    rows = hashed([*NAMES, "game_hash"], shuffle=5000)
    test = hashed(["game_hash", *NAMES], split=("test", 0.7))
    bound = int(0.7 * 2**64)
    if not sampled:
        assert sorted(row for row in rows if row[1] >= bound) == sorted(test)
        of_games = [hashes for _, hashes in itertools.groupby(hash for _, hash in hashed([*NAMES, "game_hash"]))]
        one_after_another = [game for game, _ in itertools.groupby(games(with_ply(folder / name, **options)))]
        assert len(of_games) == len(one_after_another) or name == "kings.vf"  # it has no plies
    assert {hash >= bound for _, hash in test} == {True} and len({hash for _, hash in rows}) > 50


def test_positions_without_games_have_their_own_hash(tmp_path):
    text = tmp_path / "all.fen"
    text.write_text((Path(__file__).parents[3] / "data" / "sample.epd").read_text())
    where = "game_hash >= 9223372036854775808"
    options = {"columns": ["game_hash"], "labels": [], "batch_size": 1 << 20}
    [whole], [half] = setwise.Loader(text, **options), setwise.Loader(text, where=where, **options)
    hashes = whole.columns["game_hash"]
    assert hashes.dtype == "int64" and half.columns["game_hash"].tolist() == hashes[hashes < 0].tolist()


@pytest.mark.parametrize("split", [("train", 0), ("train", 1.0), ("validation", 0.5), ("test", float("nan"))])
def test_wrong_splits_say_what(folder, split):
    with pytest.raises(ValueError, match="`split`"):
        setwise.Loader(folder / "games.binpack", split=split)
