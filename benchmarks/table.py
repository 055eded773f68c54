"""The results as Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any

_HEAD = ("subject", "task", "level", "size", "product", "peer", "peer's", "ratio", "goal", "met")


def table(results: Mapping[str, Any]) -> str:
    """Return the report of a run: the machine, the comparisons, the growth exponents and what was skipped."""
    machine = results["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in machine["packages"].items())
    weka = ", ".join(number for number in results["weka"] if number)
    lines = [
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}, "
        f"{packages}{f', Weka {weka}' if weka else ''}; {machine['kernels']} kernels, seed {results['seed']}.",
        "",
    ]
    if results["quick"]:
        lines += ["A quick run: it shows that everything runs, its figures mean nothing.", ""]
    subjects = results["subjects"]
    lines += _rows(_HEAD, [_comparison(entry) for subject in subjects for entry in subject["comparisons"]])
    growth = [(subject["subject"], entry) for subject in subjects for entry in subject["growth"]]
    if growth:
        lines += ["", "Growth: time is proportional to size to the power of", ""]
        lines += _rows(("subject", "task", "level", "over", "sizes", "exponent"), [_growth(*pair) for pair in growth])
    skipped = [entry for subject in subjects for entry in subject["skipped"]]
    if skipped:
        lines += ["", "Not measured:", ""]
        lines += dict.fromkeys(f"- {entry['subject']}, {entry['what']}: {entry['reason']}" for entry in skipped)
    return "\n".join(lines) + "\n"


def _comparison(entry: Mapping[str, Any]) -> list[str]:
    unit, met = entry["unit"], entry["met"]
    return [
        entry["subject"],
        entry["task"],
        entry["level"],
        entry["size"],
        f"{number(entry['product'])} {unit}",
        entry["peer"] or "",
        "" if entry["peer_value"] is None else f"{number(entry['peer_value'])} {unit}",
        "" if entry["ratio"] is None else _ratio(entry["ratio"]),
        entry["goal"] or "",
        "" if met is None else ("yes" if met else "**no**"),
    ]


def _ratio(ratio: float) -> str:
    """Say how the product compares: faster, or how many times as long as a limit takes."""
    return f"{number(ratio)} x faster" if ratio >= 1 else f"{number(1 / ratio)} x as long"


def _growth(subject: str, entry: Mapping[str, Any]) -> list[str]:
    sizes = f"{entry['sizes'][0]:,} to {entry['sizes'][-1]:,}"
    return [subject, entry["task"], entry["level"], entry["over"], sizes, f"{entry['exponent']:.2f}"]


def number(value: float) -> str:
    """Return three significant digits, without an exponent where that is readable."""
    if value and abs(value) < 0.001:
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
