"""One table in four forms."""

import csv
import io

import pytest

from nbframework.report.formats import FORMS, Table, as_csv, as_latex, as_line, as_markdown, as_text

TABLE = Table(
    "Errors & such",
    ("error (%)", "sbc_1", "a|b"),
    (("zoo", "4.00 ± 1.63 *", "5.00"), ("breast_w, old", "3.1", "<0.0001")),
    ("± is 100 % sure.",),
)


def test_text_is_aligned_by_blanks():
    assert as_text(TABLE) == (
        "Errors & such\n"
        "error (%)              sbc_1      a|b\n"
        "zoo            4.00 ± 1.63 *     5.00\n"
        "breast_w, old            3.1  <0.0001\n"
        "± is 100 % sure."
    )


def test_markdown_escapes_its_markup():
    assert as_markdown(TABLE).splitlines() == [
        "**Errors & such**",
        "",
        r"| error (%)      |         sbc\_1 |     a\|b |",
        "| -------------- | -------------: | -------: |",
        r"| zoo            | 4.00 ± 1.63 \* |     5.00 |",
        r"| breast\_w, old |            3.1 | \<0.0001 |",
        "",
        "± is 100 % sure.",
    ]


def test_csv_is_read_back():
    assert list(csv.reader(io.StringIO(as_csv(TABLE)))) == [list(TABLE.header), *[list(row) for row in TABLE.rows]]


def test_latex_escapes_its_markup():
    text = as_latex(TABLE)
    assert r"\caption{Errors \& such}" in text
    assert r"error (\%) & sbc\_1 & a\textbar{}b \\" in text
    assert r"zoo & 4.00 $\pm$ 1.63 * & 5.00 \\" in text
    assert r"breast\_w, old & 3.1 & $<$0.0001 \\" in text
    assert r"\begin{tabular}{lrr}" in text


def test_a_row_of_latex_that_begins_with_a_bracket_or_a_star_is_no_argument_of_the_row_above():
    text = as_latex(Table("", ("data set", "sbc"), (("[a]", "1"), ("*", "2"))))
    assert r"{}[a] & 1 \\" in text
    assert r"{}* & 2 \\" in text


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("text", '100 % of A&B_c "x" {y}: --fair'),
        ("markdown", r'100 % of A&B\_c "x" {y}: --fair'),
        ("latex", r"100 \% of A\&B\_c \symbol{34}x\symbol{34} \{y\}: -{}-fair"),
    ],
)
def test_a_line_outside_of_tables_has_the_markup_of_its_form_escaped(form, line):
    assert as_line('100 % of A&B_c "x" {y}: --fair', form) == line


@pytest.mark.parametrize("form", FORMS)
def test_a_table_without_rows_is_its_header(form):
    assert "method" in FORMS[form](Table("", ("data set", "method"), ()))
