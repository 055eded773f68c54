"""An explanation as text, as plain data and as an HTML table."""

import html
import math
from typing import Any

from nbframework.explain.evidence import Explanation


def as_text(explanation: Explanation) -> str:
    """Return the explanation as a table of nats, one line a factor, the most telling first."""
    values = explanation.class_values
    width = max([len("log posterior"), *(len(_label(c)) for c in explanation.contributions)])
    columns = [max(9, len(value)) for value in values]
    lines = [_line("", values, width, columns)]
    if explanation.log_prior is not None:
        lines.append(_line("log prior", [_nats(x) for x in explanation.log_prior], width, columns))
        for contribution in sorted(explanation.contributions, key=_spread, reverse=True):
            numbers = [_nats(x) for x in contribution.contribution]
            lines.append(_line(_label(contribution), numbers, width, columns) + _behind(contribution))
        lines.append(_line("sum", [_nats(x) for x in explanation.log_joint], width, columns))
    lines.append(_line("log posterior", [_nats(x) for x in explanation.log_posterior], width, columns))
    lines.append(_line("posterior", [f"{x:.6f}" for x in explanation.posterior], width, columns))
    lines.append(f"predicted: {values[explanation.predicted]}")
    if explanation.neighbours is not None:
        shown = ", ".join(f"row {row + 1} ({weight:.3g})" for row, weight in explanation.neighbours[:5])
        lines.append(f"{len(explanation.neighbours)} neighbours spoke, the loudest: {shown}")
    if explanation.change is not None:
        changes = " and ".join(f"{name} = {new} instead of {old}" for name, old, new in explanation.change.values)
        lines.append(f"with {changes}: {explanation.change.predicted} ({explanation.change.posterior:.3f})")
    return "\n".join(lines)


def as_data(explanation: Explanation) -> dict[str, Any]:
    """Return the explanation as plain data; numbers by class, in nats."""
    values = explanation.class_values

    def by_class(numbers: Any) -> dict[str, float]:
        return {value: float(number) for value, number in zip(values, numbers, strict=True)}

    change = explanation.change
    return {
        "predicted": values[explanation.predicted],
        "posterior": by_class(explanation.posterior),
        "log_posterior": by_class(explanation.log_posterior),
        "log_joint": by_class(explanation.log_joint),
        "log_prior": None if explanation.log_prior is None else by_class(explanation.log_prior),
        "contributions": [
            {
                "factor": c.label,
                "value": c.value,
                "contribution": by_class(c.contribution),
                "log_factor": by_class(c.log_factor),
                "weight": by_class(c.weight),
                "counts": None if c.counts is None else by_class(c.counts),
                "known": None if c.known is None else by_class(c.known),
            }
            for c in explanation.contributions
        ],
        "without": {name: by_class(numbers) for name, numbers in explanation.without},
        "neighbours": None
        if explanation.neighbours is None
        else [{"row": row + 1, "weight": weight} for row, weight in explanation.neighbours],
        "change": None
        if change is None
        else {
            "values": [{"attribute": name, "from": old, "to": new} for name, old, new in change.values],
            "predicted": change.predicted,
            "posterior": change.posterior,
        },
    }


def as_html(explanation: Explanation) -> str:
    """Return the explanation as an HTML table; every text is escaped."""
    head = "".join(f'<th scope="col">{html.escape(value)}</th>' for value in explanation.class_values)
    rows = []
    if explanation.log_prior is not None:
        rows.append(_html_row("log prior", explanation.log_prior))
        for contribution in sorted(explanation.contributions, key=_spread, reverse=True):
            rows.append(_html_row(_label(contribution), contribution.contribution))
    rows.append(_html_row("log posterior", explanation.log_posterior))
    predicted = html.escape(explanation.class_values[explanation.predicted])
    return (
        f'<table><caption>predicted: {predicted}</caption><thead><tr><th scope="col">evidence (nats)</th>{head}</tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _html_row(label: str, numbers: Any) -> str:
    cells = "".join(f"<td>{_nats(number)}</td>" for number in numbers)
    return f'<tr><th scope="row">{html.escape(label)}</th>{cells}</tr>'


def _label(contribution: Any) -> str:
    return f"{contribution.label} = {contribution.value}" if contribution.value else str(contribution.label)


def _behind(contribution: Any) -> str:
    if contribution.counts is None:
        return ""
    pairs = zip(contribution.counts, contribution.known, strict=True)
    return "   " + ", ".join(f"{n:g} of {known:g}" for n, known in pairs)


def _spread(contribution: Any) -> float:
    numbers = [number for number in contribution.contribution if math.isfinite(number)]
    if len(numbers) < len(contribution.contribution):
        return math.inf
    return float(max(numbers) - min(numbers))


def _nats(number: float) -> str:
    return f"{number:.4f}" if math.isfinite(number) else "-inf"


def _line(label: str, cells: Any, width: int, columns: list[int]) -> str:
    return label.ljust(width) + "".join("  " + cell.rjust(size) for cell, size in zip(cells, columns, strict=True))
