"""docs/studies.md: its commands run one after the other, and print what it shows."""

import pytest
from support.paths import ROOT
from support.transcripts import assert_shown, commands, run

PAGE = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    return run(PAGE, tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize("number", range(len(commands(PAGE))))
def test_a_command_prints_what_the_page_shows(printed, number):
    assert_shown(commands(PAGE)[number][1], printed[number])


def test_the_page_names_every_key_and_protocol_of_study_files():
    from nbframework.study.protocols import KINDS
    from nbframework.study.study import KEYS, TESTS

    missing = [name for name in (*KEYS, *KINDS, *TESTS) if f"`{name}`" not in PAGE]
    assert missing == []
