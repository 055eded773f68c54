"""The results as Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.goals import LIMITS
from benchmarks.reasons import REASONS

_HEAD = ("subject", "task", "level", "size", "product", "peer", "peer's", "ratio", "goal", "met")


_PAGE = """# Benchmarks

Processor time against the tools that a user would pick otherwise, and against the least that the task can cost. This
page is written by

```text
python benchmarks/run.py --data-dir FOLDER --weka weka.jar --page docs/benchmarks.md
```

where FOLDER holds the ARFF files of the 20 published data sets, and `weka.jar` is Weka's (3.6 or 3.9; name several to
have each method from the first that has it). Both may be left out, and so may any peer that is not installed: what
could not be measured is listed at the end. `python benchmarks/run.py count score` runs two subjects, `--quick` shows
that all of them run.

Every subject runs in a process of its own on one thread, which keeps freed memory as `nbf` does. Times are processor
time, not time on the clock; product and peers take turns, and the median of the runs counts. *kernel* is the inner loop
alone, *user* the call that a user makes, *process* a whole command. "faster" divides the peer's time by the product's,
"as long" the other way round. The goals are in `benchmarks/goals.py`. Ratios below 1.5 are noise on a busy machine.
[Another page](benchmarks-avx512.md) has the figures of a processor with AVX-512.

"""


def page(report: str) -> str:
    """Return the page of the documentation around a table."""
    return _PAGE + report


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
    comparisons = [entry for subject in subjects for entry in subject["comparisons"]]
    unmet = [entry for entry in comparisons if entry["met"] is False]
    lines += _explained("Goals that are not met on this machine, and why:", unmet)
    behind = [entry for entry in comparisons if entry not in unmet and _is_behind(entry)]
    lines += _explained("Peers that are faster on this machine, where no goal is set, and why:", behind)
    growth = [(subject["subject"], entry) for subject in subjects for entry in subject["growth"]]
    if growth:
        lines += ["", "Growth: time, or extra memory, is proportional to size to the power of", ""]
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


def _is_behind(entry: Mapping[str, Any]) -> bool:
    """Whether a rival took less time."""
    return entry["ratio"] is not None and entry["ratio"] < 1 and entry["peer"] not in LIMITS


def _explained(title: str, entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the list of comparisons with the reason of each, once for each task and peer; nothing without any."""
    keys = dict.fromkeys((entry["subject"], entry["task"], entry["peer"] or "") for entry in entries)
    return ["", title, "", *(f"- {_reason(*key)}" for key in keys)] if keys else []


def _reason(subject: str, task: str, peer: str) -> str:
    against = f", {peer}" if peer else ""
    return f"{subject}, {task}{against}: {REASONS.get((subject, task, peer), 'the reason is not known')}."


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
