"""``nbf run --jobs``: workers start while a study is planned that needs them, and only then."""

import pytest

from nbframework.study import runner


@pytest.fixture
def run(nbf, tmp_path, monkeypatch):
    """Run a study with some options; return for how many workers preparations were made."""
    (tmp_path / "s.yaml").write_text("study: s\nrecipes: [sbc]\ndata: [iris]\n")
    prepared = []
    monkeypatch.setattr(runner, "prepare", prepared.append)
    # the work itself is not the matter here
    monkeypatch.setattr(runner, "_workers", lambda _: 1)

    def run(*options):
        prepared.clear()
        assert nbf("run", str(tmp_path / "s.yaml"), *options).code == 0
        return list(prepared)

    return run


def test_workers_start_for_a_study_without_results(run):
    assert run("--jobs", "2") == [2]


def test_workers_do_not_start_for_a_study_that_may_be_finished(run):
    run("--jobs", "2")
    assert run("--jobs", "2") == []


def test_workers_start_where_earlier_results_are_thrown_away(run):
    run("--jobs", "2")
    assert run("--jobs", "2", "--fresh") == [2]
