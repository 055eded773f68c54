"""An explanation as text, as plain data and as an HTML table."""

import html
import math
from collections.abc import Sequence
from typing import Any

from nbframework.explain.contribution import Contribution
from nbframework.explain.evidence import Explanation, FloatArray


def as_text(explanation: Explanation, odds: bool = False) -> str:
    """Return the explanation as a table, one line a factor, the most telling first.

    Parameters
    ----------
    explanation
        The explanation.
    odds
        Show odds against the predicted class, which multiply, in place of nats, which add.
    """
    values = explanation.class_values

    def shown(nats: FloatArray) -> list[str]:
        return [_odds(x) for x in explanation.odds(nats)] if odds else [_nats(x) for x in nats]

    words = ("odds", "product", "") if odds else ("log", "sum", "log posterior")
    first = _of_prior(explanation, words[0])
    labels = [_label(c) for c in explanation.contributions]
    if explanation.log_prior is None:
        labels = [f"without {name}" for name, _ in explanation.without]
        labels += [f"term of {name}" for name, _ in explanation.terms]
    width = max([len("log posterior"), len(first), *map(len, labels)])
    columns = [max(9, len(value)) for value in values]
    lines = [_line("", values, width, columns)]
    if explanation.log_prior is not None:
        lines.append(_line(first, shown(explanation.log_prior), width, columns))
        for contribution in sorted(explanation.contributions, key=_spread, reverse=True):
            lines.append(
                _line(_label(contribution), shown(contribution.contribution), width, columns)
                + _column(_behind(contribution))
            )
        lines.append(_line(words[1], shown(explanation.log_joint), width, columns))
    else:
        lines += [_line(f"term of {name}", shown(nats), width, columns) for name, nats in _by_size(explanation)]
        lines += [_line(f"without {name}", shown(nats), width, columns) for name, nats in explanation.without]
    if words[2]:
        lines.append(_line(words[2], shown(explanation.log_posterior), width, columns))
    lines.append(_line("posterior", [f"{x:.6f}" for x in explanation.posterior], width, columns))
    lines.append(f"predicted: {values[explanation.predicted]}")
    return "\n".join([*lines, *_sentences(explanation)])


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
        "prior_odds": None if explanation.log_prior is None else by_class(explanation.odds(explanation.log_prior)),
        "posterior_odds": by_class(explanation.odds(explanation.log_posterior)),
        "smoothing": dict(explanation.smoothing),
        "letters": list(explanation.letters),
        "exceptions": list(explanation.exceptions),
        "structure": explanation.structure,
        "votes": explanation.votes,
        "contributions": [
            {
                "factor": c.label,
                "value": c.value,
                "contribution": by_class(c.contribution),
                "log_factor": by_class(c.log_factor),
                "weight": by_class(c.weight),
                "odds": by_class(explanation.odds(c.contribution)),
                "given": list(c.given),
                "counts": None if c.support.counts is None else by_class(c.support.counts),
                "known": None if c.support.known is None else by_class(c.support.known),
                "added": c.support.added,
                "total": c.support.total,
            }
            for c in explanation.contributions
        ],
        "terms": {name: by_class(numbers) for name, numbers in explanation.terms},
        "without": {name: by_class(numbers) for name, numbers in explanation.without},
        "reasons": list(explanation.reasons),
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
    """Return the explanation as an HTML table with odds against the predicted class and rows; all text is escaped."""
    head = "".join(f'<th scope="col">{html.escape(value)}</th>' for value in explanation.class_values)
    rows = []
    if explanation.log_prior is not None:
        rows.append(_html_row(explanation, _of_prior(explanation, "log"), explanation.log_prior))
        for contribution in sorted(explanation.contributions, key=_spread, reverse=True):
            rows.append(_html_row(explanation, _label(contribution), contribution.contribution, _behind(contribution)))
    else:
        rows += [_html_row(explanation, f"term of {name}", nats) for name, nats in _by_size(explanation)]
        rows += [_html_row(explanation, f"without {name}", nats) for name, nats in explanation.without]
    rows.append(_html_row(explanation, "log posterior", explanation.log_posterior))
    rows.append(_html_cells("posterior", [f"{x:.6f}" for x in explanation.posterior]))
    predicted = html.escape(explanation.class_values[explanation.predicted])
    below = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in _sentences(explanation))
    return (
        f"<table><caption>predicted: {predicted}</caption>"
        f'<thead><tr><th scope="col">evidence (nats; odds against {predicted})</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>{below}"
    )


def _of_prior(explanation: Explanation, word: str) -> str:
    """Return what the prior's numbers are: of the classes, or where only neighbours vote, of their votes."""
    if explanation.votes:
        return f"{word} share of votes" if word == "log" else f"{word} of votes"
    return f"{word} prior" if word == "log" else f"prior {word}"


def _html_row(explanation: Explanation, label: str, nats: Any, behind: Sequence[str] = ()) -> str:
    odds = [_odds(number) for number in explanation.odds(nats)]
    behind = behind or [""] * len(odds)
    return _html_cells(
        label,
        [
            f"{_nats(number)}<br><small>{'; '.join(filter(None, [of_odds, rows]))}</small>"
            for number, of_odds, rows in zip(nats, odds, behind, strict=True)
        ],
    )


def _html_cells(label: str, cells: Sequence[str]) -> str:
    return f'<tr><th scope="row">{html.escape(label)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _sentences(explanation: Explanation) -> list[str]:
    """Return what is to say below the table."""
    lines = []
    if explanation.reasons:
        lines.append(f"because {'; '.join(explanation.reasons)}")
    if explanation.smoothing:
        words = {"conditional": "P(value | class)", "prior": "P(class)"}
        found = [f"{words[name]} is {formula}" for name, formula in explanation.smoothing.items()]
        lines.append(f"{', '.join(explanation.letters)}: {'; '.join(found)}")
    if explanation.exceptions:
        whose = f"the factor of {', '.join(explanation.exceptions)} is not the estimator's formula of its rows"
        if "conditional" not in explanation.smoothing:
            whose = "no factor is the estimator's formula of its rows"
        lines.append(f"{whose}, but what the structure makes of them: {explanation.structure}")
    if any(_exponent(contribution) for contribution in explanation.contributions):
        lines.append("^ is the exponent of a factor: it multiplies the nats of the formula")
    if explanation.terms:
        lines.append("the joint probability is the sum of the terms, each of one parent on which all others depend")
    if explanation.neighbours is not None and not explanation.neighbours:
        lines.append("no training row spoke")
    elif explanation.neighbours is not None:
        shown = ", ".join(f"row {row + 1} ({weight:.3g})" for row, weight in explanation.neighbours[:5])
        count = len(explanation.neighbours)
        lines.append(f"{count} training {'row' if count == 1 else 'rows'} spoke, the loudest: {shown}")
    if explanation.change is not None:
        changes = " and ".join(f"{name} = {new} instead of {old}" for name, old, new in explanation.change.values)
        lines.append(f"with {changes}: {explanation.change.predicted} ({explanation.change.posterior:.3f})")
    return lines


def _by_size(explanation: Explanation) -> list[tuple[str, FloatArray]]:
    """Return the terms of a sum, the largest for the predicted class first."""
    return sorted(explanation.terms, key=lambda term: -term[1][explanation.predicted])


def _label(contribution: Contribution) -> str:
    own = f"{contribution.label} = {contribution.value}" if contribution.value else contribution.label
    own += _exponent(contribution)
    return f"{own} given {', '.join(contribution.given)}" if contribution.given else own


def _exponent(contribution: Contribution) -> str:
    """Return the exponent of a factor where it is not 1, of each class where they differ."""
    exponents = [f"{weight:.4g}" for weight in contribution.weight]
    distinct = list(dict.fromkeys(exponents))
    if distinct == ["1"]:
        return ""
    return f" ^ {distinct[0]}" if len(distinct) == 1 else f" ^ ({', '.join(exponents)})"


def _behind(contribution: Contribution) -> list[str]:
    """Return the rows behind each class's number, in words."""
    counts, known = contribution.support.counts, contribution.support.known
    if counts is None or known is None:
        return []
    return [f"{n:g} of {rows:g}" for n, rows in zip(counts, known, strict=True)]


def _column(behind: Sequence[str]) -> str:
    return f"   {', '.join(behind)}" if behind else ""


def _spread(contribution: Contribution) -> float:
    numbers = [number for number in contribution.contribution if math.isfinite(number)]
    if len(numbers) < len(contribution.contribution):
        return math.inf
    return float(max(numbers) - min(numbers))


def _nats(number: float) -> str:
    return f"{number:.4f}" if math.isfinite(number) else "-inf"


def _odds(number: float) -> str:
    return f"{number:.4g}" if math.isfinite(number) else "inf" if number > 0 else "undefined"


def _line(label: str, cells: Any, width: int, columns: list[int]) -> str:
    return label.ljust(width) + "".join("  " + cell.rjust(size) for cell, size in zip(cells, columns, strict=True))
