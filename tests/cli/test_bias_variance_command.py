"""``nbf bias-variance`` prints parts that sum to the error, whatever the number of processes."""

import json

import pytest
from click.testing import CliRunner

from nbframework.cli.bias_variance import command

WORDS = ["majority", "sbc", "-d", "iris", "--repeats", "2", "--samples", "4", "--json"]


def run(*extra: str) -> list[dict[str, object]]:
    done = CliRunner().invoke(command, [*WORDS, *extra])
    assert done.exit_code == 0, done.output
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def test_bias_and_variance_sum_to_the_error() -> None:
    for row in run():
        assert row["bias"] + row["variance"] == pytest.approx(row["error"], abs=1e-12)  # type: ignore[operator]


def test_the_ratio_is_relative_to_the_first_recipe() -> None:
    first, second = run()
    assert first["ratio"] == 1.0
    assert second["ratio"] == pytest.approx(second["error"] / first["error"])  # type: ignore[operator]


def test_two_processes_give_the_same_numbers() -> None:
    assert run("--jobs", "2") == run()
