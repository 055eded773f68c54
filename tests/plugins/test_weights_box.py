"""The ascent in a box: quadratic models with rank-deficient matrices, and functions whose Newton step overshoots."""

import numpy as np
import pytest

from nbframework.kernels.definitions import box
from nbframework.kernels.definitions.box import box_ascent, box_quadratic, projected_slope


def problems(count, size, rank, seed):
    random = np.random.default_rng(seed)
    half = random.normal(size=(count, rank, size))
    matrix = np.einsum("gri,grj->gij", half, half) + 1e-6 * np.eye(size)
    low, high = -random.random((count, size)), random.random((count, size))
    low[random.random((count, size)) < 0.2] = 0.0
    fixed = random.random((count, size)) < 0.1
    low[fixed] = high[fixed] = 0.0
    return matrix, random.normal(size=(count, size)), low, high


@pytest.mark.parametrize("exchanges", [30, 0], ids=["exchanges", "active-set"])
@pytest.mark.parametrize(("count", "size", "rank"), [(40, 6, 6), (40, 12, 4), (1, 60, 20)])
def test_quadratic_maximisers_fulfil_the_optimality_conditions(monkeypatch, exchanges, count, size, rank):
    monkeypatch.setattr(box, "EXCHANGES", exchanges)
    matrix, slope, low, high = problems(count, size, rank, seed=size)
    step = box_quadratic(matrix, slope, low, high)
    assert ((step >= low) & (step <= high)).all()
    rest = slope - np.einsum("gij,gj->gi", matrix, step)
    assert projected_slope(rest, low - step, high - step).max() < 1e-8


class Hill:
    """-log cosh(5 (x - top)) summed: the full Newton step from afar leaves the region of its model."""

    top = np.array([[0.3, 2.0]])

    def value(self, points, which):
        return -np.logaddexp(5 * (points - self.top), -5 * (points - self.top)).sum(axis=-1)

    def derivatives(self, points, which):
        slope = np.tanh(5 * (points - self.top))
        return -5 * slope, np.einsum("gi,ij->gij", 25 * (1 - slope**2), np.eye(2))


def test_steps_that_promise_too_much_are_shortened():
    start = np.array([[-1.0, -1.0]])
    solution = box_ascent(Hill(), start, np.full((1, 2), -1.0), np.full((1, 2), 1.0), 1e-18, 200)
    assert solution.finished.all()
    assert solution.points[0] == pytest.approx([0.3, 1.0], abs=1e-8)


def test_running_out_of_iterations_is_told():
    start = np.array([[-1.0, -1.0]])
    assert not box_ascent(Hill(), start, np.full((1, 2), -1.0), np.full((1, 2), 1.0), 1e-18, 1).finished.any()


def test_a_start_outside_the_box_is_moved_into_it():
    corner = np.full((1, 2), 0.5)
    assert box_ascent(Hill(), np.array([[9.0, -9.0]]), corner, corner, 1e-18, 5).points.tolist() == [[0.5, 0.5]]
