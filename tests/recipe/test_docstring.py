"""Docstrings in numpy's style, taken apart."""

import pytest

from nbframework.recipe.docstring import read_docstring


class Documented:
    """Add f to each of the k counts: (N + f) / (n + k f).

    It is simple.
    Very simple.

    And old.

    Parameters
    ----------
    f
        The factor,
        which is positive.
    a, b : float
        Two numbers.

    Notes
    -----
    A note.

    References
    ----------
    Somebody (1900), Something.
    """


FOUND = read_docstring(Documented)


def test_the_first_paragraph_is_the_summary_and_the_others_the_description():
    assert FOUND.summary == "Add f to each of the k counts: (N + f) / (n + k f)."
    assert FOUND.description == ("It is simple. Very simple.", "And old.")


def test_each_parameter_has_its_description():
    words = {"f": "The factor, which is positive.", "a": "Two numbers.", "b": "Two numbers."}
    assert FOUND.parameters == words


def test_the_other_sections_are_kept_by_title():
    assert FOUND.sections == {"Notes": "A note.", "References": "Somebody (1900), Something."}


@pytest.mark.parametrize(
    ("summary", "equation"),
    [
        ("Add f: (N + f) / (n + k f).", "(N + f) / (n + k f)"),
        ("Vote by distance: P(c | x) ~ d^-power.", "P(c | x) ~ d^-power"),
        ("Divide: w = a.", "w = a"),
        ("Look at no attribute: the class prior alone.", ""),
        ("Two words.", ""),
        ("", ""),
    ],
)
def test_the_equation_is_what_follows_the_last_colon(summary, equation):
    documented = type("Documented", (), {"__doc__": summary})
    assert read_docstring(documented).equation == equation


def test_nothing_is_said_without_a_docstring():
    found = read_docstring(type("Silent", (), {"__doc__": None}))
    assert (found.summary, found.description, found.parameters, found.sections) == ("", (), {}, {})
