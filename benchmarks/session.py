"""One run of one subject: what it is asked, what it finds, and the file that it writes."""

import argparse
import importlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.goals import WEKA, goal_of
from benchmarks.measuring import Timing, growth_exponent, peak_megabytes, timed_together
from benchmarks.weka import Weka
from nbframework.evaluation.memory import keep_freed_memory

SEED = 1
PAGE = 0.004096
"""Megabytes of a page of memory."""
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "ARROW_NUM_THREADS"), "1"
)


@dataclass
class Session:
    """Collects what a subject measures.

    Parameters
    ----------
    subject
        Its name.
    quick
        Whether to run on tiny data, to see that everything runs; figures of such a run mean nothing.
    data
        Folder of the ARFF files of the published comparisons, or None.
    weka
        The jars of the peer that runs on Java; a later one serves where an earlier one lacks a classifier.
    """

    subject: str
    quick: bool = False
    data: Path | None = None
    weka: Sequence[Weka] = ()
    comparisons: list[dict[str, Any]] = field(default_factory=list)
    growth: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)

    def sized(self, full: int, quick: int) -> int:
        """Return a size for this kind of run."""
        return quick if self.quick else full

    def timed(self, tasks: Mapping[str, Callable[[], Any]], runs: int = 9, least: int = 3) -> dict[str, Timing]:
        """Return the timing of tasks that take turns; one run each where the run is quick."""
        return timed_together(tasks, 1, 1) if self.quick else timed_together(tasks, runs, least)

    def compare(
        self, task: str, level: str, size: str, product: Timing, peers: Mapping[str, Timing | None], own: bool = False
    ) -> None:
        """Note the times of product and peers.

        Parameters
        ----------
        task, level, size
            What was done; by a kernel, as a user calls it, or by a whole process; on how much.
        product, peers
            Their times; a peer that is None was skipped.
        own
            Whether the product's own time has a goal or is worth a line without a peer.
        """
        if own:
            self._note(task, level, size, "ms", product.median, "", None, {"runs": product.runs})
        for name, peer in peers.items():
            if peer is not None:
                runs = {"runs": product.runs, "peer_runs": peer.runs}
                self._note(task, level, size, "ms", product.median, name, peer.median, runs)

    def amount(self, task: str, level: str, size: str, value: float, unit: str) -> None:
        """Note a figure that is not a time, such as memory."""
        self._note(task, level, size, unit, value, "", None, {})

    def grows(self, task: str, level: str, over: str, sizes: Sequence[int], times: Sequence[Timing]) -> None:
        """Note how time grows with a size."""
        exponent = growth_exponent(sizes, [timing.median for timing in times])
        entry = {"task": task, "level": level, "over": over, "sizes": list(sizes), "exponent": exponent}
        self.growth.append({**entry, "milliseconds": [timing.median for timing in times]})

    def grows_in_memory(
        self, task: str, level: str, over: str, sizes: Sequence[int], megabytes: Sequence[float]
    ) -> None:
        """Note how the extra memory of a task grows with a size; less than a page counts as one."""
        pages = [max(figure, PAGE) for figure in megabytes]
        entry = {"task": f"memory of {task}", "level": level, "over": over, "sizes": list(sizes)}
        self.growth.append({**entry, "exponent": growth_exponent(sizes, pages), "megabytes": list(megabytes)})

    def skip(self, what: str, reason: str) -> None:
        """Note what was not measured, and why."""
        self.skipped.append({"subject": self.subject, "what": what, "reason": reason})

    def module(self, name: str, peer: str) -> Any:
        """Return a peer's module, or None with a note where it is not installed."""
        try:
            return importlib.import_module(name)
        except ImportError as error:
            self.skip(peer, f"not installed: {error}")
            return None

    def recipe(self, what: str, name: str = "", text: str = "") -> Any:
        """Return a recipe by name or text, or None with a note where its parts are not installed."""
        from nbframework import PluginError, Recipe, RecipeError

        try:
            return Recipe.from_text(text) if text else Recipe.load(name)
        except (RecipeError, PluginError) as error:
            self.skip(what, str(error).splitlines()[0])
            return None

    def java(self, task: str, runs: int, arguments: Sequence[str | Path], peer: str = WEKA) -> dict[str, Timing]:
        """Return what Weka's harness measured, see `Weka.run`; nothing, with a note, where it cannot be used."""
        reasons = ["no jar named: --weka JAR or WEKA_JAR"] if not self.weka else []
        for weka in self.weka:
            if reason := weka.unavailable():
                reasons.append(reason)
                continue
            try:
                return weka.run(task, 1 if self.quick else runs, arguments)
            except RuntimeError as error:
                reasons.append(str(error).strip().splitlines()[-1])
        self.skip(f"{peer}: {task}", "; ".join(reasons))
        return {}

    def _note(
        self,
        task: str,
        level: str,
        size: str,
        unit: str,
        product: float,
        peer: str,
        value: float | None,
        runs: Mapping[str, int],
    ) -> None:
        goal = goal_of(self.subject, task, peer)
        entry: dict[str, Any] = {"subject": self.subject, "task": task, "level": level, "size": size, "unit": unit}
        entry |= {"product": product, "peer": peer or None, "peer_value": value, **runs}
        entry["ratio"] = None if value is None else value / product
        entry["goal"] = None if goal is None else goal.described(unit)
        entry["step"] = None if goal is None else goal.step
        entry["met"] = None if goal is None or self.quick else goal.met(product, value)
        self.comparisons.append(entry)

    def result(self) -> dict[str, Any]:
        """Return everything that was found, as plain data."""
        found = {"subject": self.subject, "quick": self.quick, "seed": SEED, "peak_megabytes": peak_megabytes()}
        return found | {
            "weka": [weka.version() for weka in self.weka],
            "comparisons": self.comparisons,
            "growth": self.growth,
            "skipped": self.skipped,
        }


def main(measure: Callable[[Session], None], subject: str) -> None:
    """Run one subject as a script and write its result."""
    parser = argparse.ArgumentParser(description=measure.__doc__)
    add_options(parser)
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="where to write the JSON")
    options = parser.parse_args()
    # as nbf does; product and peers have it alike
    keep_freed_memory()
    session = Session(subject, options.quick, options.data_dir, [Weka(jar) for jar in jars(options)])
    measure(session)
    options.output.write_text(json.dumps(session.result(), indent=1, allow_nan=False) + "\n", encoding="utf-8")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that the command and the scripts share."""
    parser.add_argument("--quick", action="store_true", help="tiny data, one run: to see that everything runs")
    parser.add_argument(
        "--data-dir",
        type=Path,
        metavar="FOLDER",
        default=_path("NBFRAMEWORK_DATA"),
        help="the ARFF files of the published comparisons (default: NBFRAMEWORK_DATA)",
    )
    parser.add_argument(
        "--weka",
        type=Path,
        metavar="JAR",
        action="append",
        default=[],
        help="Weka's jar; may be given again for another version (default: WEKA_JAR)",
    )


def jars(options: argparse.Namespace) -> list[Path]:
    """Return the jars that were named, by option or else by the environment."""
    named = _path("WEKA_JAR")
    return options.weka or ([] if named is None else [named])


def _path(variable: str) -> Path | None:
    value = os.environ.get(variable)
    return Path(value) if value else None
