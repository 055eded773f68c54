"""docs/reproduction.md: its target file loads, its commands are well formed and name targets that there are."""

import re

import click
import pytest
from support.paths import ROOT
from support.transcripts import blocks, commands

from nbframework.cli.reproduce import command
from nbframework.reproduction.claims import members
from nbframework.reproduction.definition import load_target, target_names

PAGE = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
PRINT = "data set,sbc,c45,best k,gain\niris,6,5,5,1\nleaf,30,31,28,-1\nadult,17,14,16,3\nmean,18,18,16.5,0\n"


def test_the_target_file_of_the_page_loads(tmp_path):
    (text,) = blocks(PAGE, "yaml")
    (tmp_path / "paper-table2.csv").write_text(PRINT)
    (tmp_path / "paper-table2.yaml").write_text(text)
    target = load_target(tmp_path / "paper-table2.yaml", tmp_path)
    assert [column.name for column in target.columns] == ["sbc", "c45", "best k", "gain"]
    assert [members(claim) for claim in target.claims]


@pytest.mark.parametrize("line", [line for line, _ in commands(PAGE)])
def test_a_command_that_needs_the_papers_data_is_well_formed(line):
    words = re.sub(r"\s+#.*", "", line).split()
    assert words[:2] == ["nbf", "reproduce"]
    with command.make_context("reproduce", words[2:], resilient_parsing=False) as context:
        assert isinstance(context, click.Context)
        paper, *targets = [value for value in words[2:4] if not value.startswith("-")]
        assert set(targets) <= set(target_names()[paper])
