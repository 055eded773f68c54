"""The artificial data sets against hand-checked cases and against the theory they come from."""

import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from nbframework.data.arff import read_arff
from nbframework.errors import RecipeError
from nbframework_generators import led24, monks, tic_tac_toe, waveform_21
from nbframework_generators.led24 import LED24, SEGMENTS
from nbframework_generators.monks import Monks
from nbframework_generators.tic_tac_toe import TicTacToe
from nbframework_generators.waveform_21 import BASE_WAVES, MIXED_WAVES, Waveform21

SHARED = Path(os.environ.get("NBFRAMEWORK_SHARED", Path(__file__).parents[2].parent / "shared"))
ABSENT = f"the shared data sets are not at {SHARED}; set NBFRAMEWORK_SHARED to their folder"
PARTS = [
    LED24(rows=50),
    LED24(rows=50, noise=0.0, irrelevant=0),
    Waveform21(rows=50),
    Waveform21(rows=50, irrelevant=19, decimals=None),
    Monks(problem=1),
    Monks(problem=2, rows=169),
    Monks(problem=3, rows=122, noise=0.05),
    TicTacToe(),
]


def made(part, seed=1):
    return part.generate(np.random.default_rng(seed))


def inputs(dataset):
    return np.array(dataset.input_columns).T


def texts(dataset):
    return [
        tuple(attribute.values[code] for attribute, code in zip(dataset.attributes, row, strict=True))
        for row in zip(*dataset.columns, strict=True)
    ]


def shared(name):
    path = SHARED / "datasets" / name
    if not path.exists():
        pytest.skip(ABSENT)
    return read_arff(path)


# --- all generators


@pytest.mark.parametrize("part", PARTS, ids=repr)
def test_the_same_seed_gives_the_same_bytes(part):
    first, second = made(part), made(part)
    assert first.equals(second)
    assert [column.tobytes() for column in first.columns] == [column.tobytes() for column in second.columns]


@pytest.mark.parametrize("part", [part for part in PARTS if getattr(part, "rows", None)], ids=repr)
def test_another_seed_gives_other_rows(part):
    assert not made(part, 1).equals(made(part, 2))


@pytest.mark.parametrize("part", PARTS, ids=repr)
def test_the_class_is_last_and_nothing_is_unknown(part):
    dataset = made(part)
    assert dataset.class_index == len(dataset.attributes) - 1
    assert not any(dataset.unknown(index).any() for index in range(len(dataset.attributes)))
    for attribute, column in zip(dataset.attributes, dataset.columns, strict=True):
        assert attribute.is_measured or column.max() < attribute.cardinality


@pytest.mark.parametrize("module", [led24, monks, tic_tac_toe, waveform_21], ids=lambda module: module.__name__)
def test_a_module_registers_its_one_generator(module):
    (part,) = module.nbframework_generators()
    assert part.__module__ == module.__name__
    assert part.kind == "generator"
    assert part.cite


@pytest.mark.parametrize(
    ("part", "parameters", "expected"),
    [
        (LED24, {"noise": 1.1}, "generator.noise: found 1.1, expected a number of at least 0 and of at most 1"),
        (LED24, {"rows": 0}, "generator.rows: found 0, expected a whole number of at least 1"),
        (Waveform21, {"irrelevant": -1}, "generator.irrelevant: found -1"),
        (Monks, {"problem": 4}, "generator.problem: found 4, expected a whole number of at least 1 and of at most 3"),
        (Monks, {"rows": 433}, "generator.rows: found 433"),
    ],
)
def test_a_parameter_outside_its_bounds_is_refused(part, parameters, expected):
    with pytest.raises(RecipeError, match=expected):
        part(**parameters)


@pytest.mark.parametrize(
    ("part", "rows", "names", "values", "classes"),
    [
        (LED24(), 3200, "att{}", ["01"] * 24, "0123456789"),
        (Waveform21(), 5000, "x{}", [""] * 21, "012"),
        (Monks(problem=1), 432, "a{}", ["123", "123", "12", "123", "1234", "12"], "01"),
    ],
)
def test_headers(part, rows, names, values, classes):
    dataset = made(part)
    assert len(dataset) == rows
    assert [attribute.name for attribute in dataset.inputs] == [names.format(i + 1) for i in range(len(values))]
    assert dataset.class_attribute.name == "class"
    assert ["".join(attribute.values or ()) for attribute in dataset.inputs] == values
    assert dataset.class_values == tuple(classes)


@pytest.mark.parametrize("part", [LED24(), Waveform21(), TicTacToe()], ids=lambda part: part.name)
def test_the_header_is_the_published_one(part):
    assert made(part).attributes == shared(f"{part.name}.arff").attributes


# --- led24


def test_the_digits_look_like_digits():
    assert SEGMENTS.sum(axis=1).tolist() == [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]
    assert len(np.unique(SEGMENTS, axis=0)) == 10
    assert [np.flatnonzero(SEGMENTS[digit] == 0).tolist() for digit in (0, 6, 9)] == [[3], [2], [4]]
    assert np.flatnonzero(SEGMENTS[1]).tolist() == [2, 5]


def test_the_segments_are_those_of_another_implementation():
    dataset = shared("led24.arff")
    segments = inputs(dataset)[:, :7]
    usual = [np.round(segments[dataset.classes == digit].mean(axis=0)) for digit in range(10)]
    np.testing.assert_array_equal(usual, SEGMENTS)


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_without_noise_the_segments_are_right_and_with_certain_noise_opposite(noise):
    dataset = made(LED24(noise=noise, irrelevant=0))
    np.testing.assert_array_equal(inputs(dataset), SEGMENTS[dataset.classes] != noise)
    assert dataset.name == "led7"


def test_led24_frequencies():
    dataset = made(LED24(rows=40_000))
    cells = inputs(dataset)
    faulty = cells[:, :7] != SEGMENTS[dataset.classes]
    np.testing.assert_allclose(faulty.mean(axis=0), 0.1, atol=0.008)
    np.testing.assert_allclose(np.corrcoef(faulty.T), np.eye(7), atol=0.025)
    np.testing.assert_allclose(cells[:, 7:].mean(axis=0), 0.5, atol=0.0125)
    np.testing.assert_allclose(np.bincount(dataset.classes) / len(dataset), 0.1, atol=0.0075)


def test_the_best_classifier_is_right_on_74_percent():
    wrong = (np.array(list(product([0, 1], repeat=7)))[:, None] != SEGMENTS).sum(axis=2)
    best = (0.1**wrong * 0.9 ** (7 - wrong)).max(axis=1).sum() / 10
    assert best == pytest.approx(0.74, abs=0.001)
    dataset = made(LED24(rows=40_000))
    nearest = (inputs(dataset)[:, None, :7] != SEGMENTS).sum(axis=2).argmin(axis=1)
    assert np.mean(nearest == dataset.classes) == pytest.approx(best, abs=0.009)


# --- waveform-21


def test_the_base_waves():
    assert BASE_WAVES.shape == (3, 21)
    assert (BASE_WAVES.argmax(axis=1) + 1).tolist() == [7, 15, 11]
    assert BASE_WAVES.max(axis=1).tolist() == [6, 6, 6]
    assert BASE_WAVES.min() == 0
    assert BASE_WAVES[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1] + [0] * 9
    np.testing.assert_array_equal(BASE_WAVES[1][8:], BASE_WAVES[0][:-8])
    np.testing.assert_array_equal(BASE_WAVES[2][4:], BASE_WAVES[0][:-4])


def moments(dataset, label):
    points = inputs(dataset)[dataset.classes == label][:, :21]
    return points.mean(axis=0), np.cov(points.T)


@pytest.mark.parametrize("label", [0, 1, 2])
def test_waveform_moments(label):
    first, second = BASE_WAVES[MIXED_WAVES[label]]
    mean, covariance = moments(made(Waveform21(rows=60_000, decimals=None)), label)
    np.testing.assert_allclose(mean, (first + second) / 2, atol=0.06)
    # a uniform share has the variance 1 / 12
    np.testing.assert_allclose(covariance, np.eye(21) + np.outer(first - second, first - second) / 12, atol=0.13)


@pytest.mark.parametrize("label", [0, 1, 2])
def test_the_classes_mix_the_same_waves_as_the_published_file(label):
    mean, _ = moments(shared("waveform-21.arff"), label)
    np.testing.assert_allclose(mean, BASE_WAVES[MIXED_WAVES[label]].mean(axis=0), atol=0.16)


def test_the_best_classifier_is_right_on_86_percent():
    dataset = made(Waveform21(rows=6000, decimals=None))
    shares = (np.arange(40) + 0.5) / 40
    scores = []
    for first, second in BASE_WAVES[MIXED_WAVES]:
        waves = np.outer(shares, first) + np.outer(1 - shares, second)
        squared = ((inputs(dataset)[:, None] - waves) ** 2).sum(axis=2)
        scores.append(np.exp(-squared / 2).sum(axis=1))
    assert np.mean(np.argmax(scores, axis=0) == dataset.classes) == pytest.approx(0.86, abs=0.02)


def test_waveform_40_has_19_attributes_of_noise():
    dataset = made(Waveform21(rows=40_000, irrelevant=19, decimals=None))
    noise = inputs(dataset)[:, 21:]
    assert dataset.name == "waveform-40"
    assert noise.shape[1] == 19
    np.testing.assert_allclose(noise.mean(axis=0), 0, atol=0.025)
    np.testing.assert_allclose(noise.std(axis=0), 1, atol=0.02)
    np.testing.assert_allclose(np.bincount(dataset.classes) / len(dataset), 1 / 3, atol=0.012)


def test_decimals_only_round():
    exact, rounded = inputs(made(Waveform21(decimals=None))), inputs(made(Waveform21()))
    np.testing.assert_array_equal(np.round(exact, 2), rounded)
    assert not np.signbit(rounded[rounded == 0]).any()


# --- monks


def monks_truth(problem, a1, a2, a3, a4, a5, a6):
    if problem == 1:
        return a1 == a2 or a5 == 1
    if problem == 2:
        return [a1, a2, a3, a4, a5, a6].count(1) == 2
    return (a5 == 3 and a4 == 1) or (a5 != 4 and a2 != 3)


@pytest.mark.parametrize(("problem", "positive"), [(1, 216), (2, 142), (3, 228)])
def test_monks_lists_all_robots_with_their_truth(problem, positive):
    dataset = made(Monks(problem=problem))
    rows = [tuple(map(int, row)) for row in texts(dataset)]
    robots = list(product(range(1, 4), range(1, 4), range(1, 3), range(1, 4), range(1, 5), range(1, 3)))
    assert rows == [(*robot, int(monks_truth(problem, *robot))) for robot in robots]
    assert len(dataset) == 432
    assert dataset.classes.sum() == positive
    assert dataset.name == f"monks-{problem}"


@pytest.mark.parametrize(
    ("problem", "labels"),
    [
        (1, {"222242": "1", "122212": "1", "122222": "0"}),
        (2, {"112222": "1", "112212": "0", "222221": "0"}),
        (3, {"131131": "1", "121141": "0", "122222": "1", "132222": "0"}),
    ],
)
def test_monks_truths_by_hand(problem, labels):
    rows = {"".join(row[:-1]): row[-1] for row in texts(made(Monks(problem=problem)))}
    assert {robot: rows[robot] for robot in labels} == labels


def test_a_sample_of_monks_has_distinct_robots_with_their_truth():
    sample, complete = texts(made(Monks(problem=2, rows=169))), set(texts(made(Monks(problem=2))))
    assert len(set(sample)) == 169
    assert set(sample) < complete


def test_noise_turns_classes():
    right = made(Monks(problem=3)).classes
    assert (made(Monks(problem=3, noise=1.0)).classes == 1 - right).all()
    turned = [np.mean(made(Monks(problem=3, noise=0.05), seed).classes != right) for seed in range(100)]
    assert np.mean(turned) == pytest.approx(0.05, abs=0.005)


# --- tic-tac-toe


def finished_games():
    """Play every game move by move."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    reached, ended = {"b" * 9}, set()
    for move in range(9):
        player = "xo"[move % 2]
        boards = {board[:i] + player + board[i + 1 :] for board in reached for i in range(9) if board[i] == "b"}
        won = {board for board in boards if any(all(board[i] == player for i in line) for line in lines)}
        ended |= {(*board, "positive" if player == "x" else "negative") for board in won}
        reached = boards - won
    return ended | {(*board, "negative") for board in reached}


def test_tic_tac_toe_has_the_boards_of_all_games():
    dataset = made(TicTacToe())
    boards = texts(dataset)
    assert len(boards) == len(set(boards)) == 958
    assert np.bincount(dataset.classes).tolist() == [332, 626]
    assert sum("b" not in board and board[-1] == "negative" for board in boards) == 16
    assert set(boards) == finished_games()


def test_tic_tac_toe_equals_the_published_file():
    assert sorted(texts(made(TicTacToe()))) == sorted(texts(shared("tic-tac-toe.arff")))
