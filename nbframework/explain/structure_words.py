"""What a structure says of its factors, in the words of its documentation."""

import inspect
import re
from dataclasses import MISSING

from nbframework.parts.base import parameters
from nbframework.parts.structure import Structure


def structure_words(structure: Structure) -> str:
    """Return the name and summary of a structure, and what its parameters mean that have not their defaults.

    A parameter is told up to the first semicolon or full stop of its description.
    """
    documentation = inspect.getdoc(type(structure)) or ""
    summary, _, rest = documentation.partition("\n\n")
    told = [f"{structure.name}: {_one_line(summary)}"]
    for parameter in parameters(type(structure)):
        value = getattr(structure, parameter.name)
        if parameter.default is MISSING or value != parameter.default:
            found = re.search(rf"^{parameter.name}\n((?:    .*\n?)+)", rest, re.MULTILINE)
            words = re.split(r"[;.](?:\s|$)", _one_line(found.group(1)) if found else "")[0]
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            told.append(f"{parameter.name} = {shown}" + (f", {words}" if words else ""))
    return "; ".join(told)


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
