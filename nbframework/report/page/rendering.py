"""Pages as one file each: a template filled in with everything escaped, and its style and programs inlined."""

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from nbframework.errors import DataError

if TYPE_CHECKING:
    from jinja2 import Environment

SHARED = "nbframework.report.page"
"""The package whose style and programs all pages share."""


def render(package: str, template: str, **values: Any) -> str:
    """Return a template with its values filled in.

    Every value is escaped. Inside a template ``asset("style.css")`` gives a file of the package itself, and
    ``shared("style.css")`` one of `SHARED`, both as they are; ``data(value)`` gives JSON for a ``script`` element.

    Parameters
    ----------
    package, template
        The package that holds the template, and the template's file name.
    values
        By their names in the template; a name that is missing is an error.

    Raises
    ------
    DataError
        Where jinja2 is not installed.
    """
    environment = _environment()
    from markupsafe import Markup

    environment.globals["asset"] = lambda name: Markup(text_of(package, name))  # noqa: S704  # our own file
    environment.globals["shared"] = lambda name: Markup(text_of(SHARED, name))  # noqa: S704
    environment.globals["data"] = lambda value: Markup(script_json(value))  # noqa: S704  # escaped for its place
    return environment.from_string(text_of(package, template)).render(**values)


def text_of(package: str, name: str) -> str:
    """Return a text file of a package."""
    return (files(package) / name).read_text(encoding="utf-8")


def script_json(value: Any) -> str:
    r"""Return strict JSON that is safe inside a ``script`` element; what is not finite is to be None.

    >>> script_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # the end of a script, a comment in it, and the two line ends of JavaScript that JSON does not know
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _environment() -> "Environment":
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        raise DataError("a page needs jinja2: pip install 'nbframework[report]'") from error
    return Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
