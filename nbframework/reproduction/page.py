"""A page for a paper: what was claimed, what holds, on which reading, beside the printed numbers."""

from collections.abc import Sequence
from pathlib import Path

from nbframework.errors import writing
from nbframework.report.formats import Table, as_csv, as_markdown
from nbframework.reproduction.claims import holding
from nbframework.reproduction.outcome import Outcome
from nbframework.reproduction.verdicts import EXPLAINED, UNEXPLAINED, WITHIN

MARKS = "Each cell is print / ours; *e* is not within tolerance and explained, *u* not explained."


def markdown(outcomes: Sequence[Outcome], title: str, charts: bool) -> str:
    """Return a page in Markdown.

    Parameters
    ----------
    outcomes
        The targets of one paper, with their readings and slips.
    title
        Heading of the page.
    charts
        Whether the figures stand beside the page as SVG files.
    """
    paper = outcomes[0].paper
    lines = [f"# {title}", "", f"Written by `nbf reproduce {paper} --output FOLDER`; change that, not this.", ""]
    lines += [as_markdown(_overview(outcomes)), ""]
    for outcome in outcomes:
        lines += _section(outcome, charts)
    return "\n".join(lines).rstrip() + "\n"


def _overview(outcomes: Sequence[Outcome]) -> Table:
    rows: list[tuple[str, ...]] = []
    for outcome in outcomes:
        seconds = f"{outcome.seconds:.0f}"
        if outcome.survivals:
            survived = sum(entry.decided == entry.holds > 0 for entry in outcome.survivals)
            share = f"{survived} of {len(outcome.survivals)}"
            rows.append((f"{outcome.name}, all readings", "", "", "", share, seconds))
            continue
        count = [sum(cell.verdict == word for cell in outcome.judged) for word in (WITHIN, EXPLAINED, UNEXPLAINED)]
        holds, _ = holding(outcome.findings)
        claims = f"{holds} of {len(outcome.findings)}" if outcome.findings else ""
        if any(count) or claims:
            rows.append((outcome.name, *(str(n) if any(count) else "" for n in count), claims, seconds))
    header = ("target", "within", "explained", "unexplained", "claims that hold", "processor seconds")
    return Table("", header, tuple(rows))


def _section(outcome: Outcome, charts: bool) -> list[str]:
    lines = [f"## {outcome.name}: {outcome.title}", "", f"{outcome.source}."]
    if outcome.protocol:
        lines[-1] += f" Run as {outcome.protocol}."
    if outcome.quick:
        lines[-1] += " Only a part of it was run (`--quick`)."
    lines.append("")
    if charts and outcome.chart is not None:
        lines += [f"![{outcome.chart.title}]({outcome.chart.name}.svg)", "", outcome.chart.description, ""]
    if outcome.beside is not None:
        lines += [as_markdown(outcome.beside), ""]
        if outcome.judged:
            lines += [MARKS, ""]
    texts = outcome.texts or ("",) * len(outcome.tables)
    for table, text in zip(outcome.tables, texts, strict=True):
        # the long forms of what stands above are left to the screen
        if outcome.beside is not None and table.header[:2] in (outcome.beside.header[:2], ("row", "column")):
            continue
        lines += [f"### {table.title}", ""] if text else []
        lines += [text, ""] if text else []
        lines += [as_markdown(Table("" if text else table.title, table.header, table.rows, table.notes)), ""]
    lines += [f"- {remark}" for remark in outcome.remarks]
    return [*lines, ""] if outcome.remarks else lines


def write(outcomes: Sequence[Outcome], title: str, stem: str, folder: Path) -> tuple[Path, ...]:
    """Write the page, the tables as CSV, and the figures as SVG into a folder; return the files.

    Raises
    ------
    DataError
        Where a figure is wanted and matplotlib is not installed, or something cannot be written.
    """
    from nbframework.report.figures.files import write_chart

    paths = [folder / f"{stem}.md"]
    text = markdown(outcomes, title, charts=True)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with writing(paths[0]):
        paths[0].write_text(text, encoding="utf-8", newline="\n")
    for outcome in outcomes:
        if outcome.chart is not None:
            path = folder / f"{outcome.chart.name}.svg"
            write_chart(outcome.chart, path)
            paths.append(path)
    if len(outcomes) == 1 and outcomes[0].beside is not None:
        path = folder / f"{stem}.csv"
        long = next((t for t in outcomes[0].tables if t.header[:2] == ("row", "column")), outcomes[0].beside)
        with writing(path):
            path.write_text(as_csv(long) + "\n", encoding="utf-8", newline="\n")
        paths.append(path)
    return tuple(paths)
