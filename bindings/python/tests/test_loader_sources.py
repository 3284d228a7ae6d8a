"""The sources that a ``Loader`` takes, and the errors for others."""

import pytest

import setwise

FEN = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 {}"


def test_data_sets_of_hugging_face_are_read():
    datasets = pytest.importorskip("datasets")
    fens = [FEN.format(1), FEN.format(2), FEN.format(3)]
    data = datasets.Dataset.from_dict({"fen": fens, "score": [1, 2, 3], "result": [1, 0, -1]})
    options = {"scores_of": "mover", "results_of": "mover", "preset": "none"}
    assert [batch.score.tolist() for batch in setwise.Loader(data, **options)] == [[1, 2, 3]]
    chosen = data.filter(lambda row: row["score"] != 2)
    assert [batch.score.tolist() for batch in setwise.Loader([chosen], **options)] == [[1, 3]]
    class Stream:
        with_format = None

    with pytest.raises(TypeError, match="found Stream, a stream: pass its files"):
        setwise.Loader(Stream())
    with pytest.raises(TypeError, match="found DatasetDict of `train`: pass one of them"):
        setwise.Loader(datasets.DatasetDict(train=data))


def test_other_sources_are_named():
    with pytest.raises(TypeError, match="found dict: for rows, use `pyarrow.Table.from_pylist`"):
        setwise.Loader([{"fen": FEN.format(1)}])
    with pytest.raises(TypeError, match="found dict of `fen`: pass one of them"):
        setwise.Loader({"fen": [FEN.format(1)]})
    with pytest.raises(ValueError, match="no files: the list of paths is empty"):
        setwise.Loader([])


def test_dir_lists_the_public_names():
    assert dir(setwise) == sorted(setwise.__all__)
