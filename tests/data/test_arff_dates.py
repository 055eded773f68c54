"""Date patterns: reading, writing and what they refuse."""

from datetime import UTC, datetime

import pytest

from nbframework.data.arff.dates import DEFAULT_PATTERN, date_pattern


def milliseconds(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp() * 1000


@pytest.mark.parametrize(
    ("pattern", "text", "moment"),
    [
        (DEFAULT_PATTERN, "2001-02-03T04:05:06", milliseconds(2001, 2, 3, 4, 5, 6)),
        ("yyyy-MM-dd", "1969-12-31", -86_400_000.0),
        ("yyyyMMddHHmm", "200102030405", milliseconds(2001, 2, 3, 4, 5)),
        ("dd.MM.yy", "03.02.69", milliseconds(1969, 2, 3)),
        ("dd.MM.yy", "03.02.68", milliseconds(2068, 2, 3)),
        ("d MMM yyyy", "3 Feb 2001", milliseconds(2001, 2, 3)),
        ("MMMM d, yyyy", "February 3, 2001", milliseconds(2001, 2, 3)),
        ("yyyy-MM-dd hh:mm a", "2001-02-03 12:05 AM", milliseconds(2001, 2, 3, 0, 5)),
        ("yyyy-MM-dd hh:mm a", "2001-02-03 12:05 PM", milliseconds(2001, 2, 3, 12, 5)),
        ("HH:mm:ss.SSS", "00:00:01.250", 1250.0),
        ("'it''s' yyyy", "it's 1970", 0.0),
        ("H 'o''clock'", "7 o'clock", 7 * 3_600_000.0),
    ],
)
def test_a_date_is_read_and_written_alike(pattern: str, text: str, moment: float) -> None:
    compiled = date_pattern(pattern)
    assert (compiled.parse(text), compiled.format(moment)) == (moment, text)


def test_short_numbers_and_any_case_of_names_are_read() -> None:
    assert date_pattern("dd MMM yyyy hh a").parse("3 FEBRUARY 2001 1 pm") == milliseconds(2001, 2, 3, 13)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("yyyy-MM-dd", "2001-02-30"),
        ("yyyy-MM-dd", "2001-13-01"),
        ("yyyy-MM-dd", "2001-02-03 "),
        ("yyyy-MM-dd", "２００１-02-03"),  # noqa: RUF001
        ("yyyy", "0000"),
        ("HH:mm", "24:00"),
        ("hh a", "13 PM"),
        ("hh a", "0 PM"),
        (DEFAULT_PATTERN, "2001-02-03t04:05:06"),
    ],
)
def test_a_text_that_is_no_such_date_is_refused(pattern: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        date_pattern(pattern).parse(text)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("yyyy-DD", "pattern letter 'D' is not supported, expected letters of y M d H h m s S a"),
        ("yyyy yyyy", "pattern letter 'y' stands at two places, expected one"),
        ("", "the pattern is empty"),
        ("yyyy'T", "the quote at character 5 of the pattern is never closed"),
    ],
)
def test_a_pattern_that_is_not_supported_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        date_pattern(pattern)
    assert str(caught.value) == message


@pytest.mark.parametrize("moment", [1e300, 0.5, -1e18])
def test_a_moment_that_a_pattern_cannot_hold_is_refused(moment: float) -> None:
    with pytest.raises(ValueError, match=r"cannot hold it exactly|outside the years 1 to 9999"):
        date_pattern(DEFAULT_PATTERN).format(moment)


def test_a_field_beyond_every_calendar_is_refused() -> None:
    with pytest.raises(ValueError, match="a field of it is too large"):
        date_pattern("y" * 30).parse("99999999999")
