"""Run the benchmarks: ``python benchmarks/run.py [SUBJECT ...] [--quick] [--output FOLDER] [--weka JAR]``.

Each subject runs in a process of its own, on one thread. Times are processor time, medians over runs in which product
and peers take turns. The output folder gets ``results.json`` and ``table.md``; ``--page docs/benchmarks.md`` writes the
page of the documentation.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

from benchmarks.machine import described  # noqa: E402  # the path is set above
from benchmarks.session import ONE_THREAD, SEED, add_options, jars  # noqa: E402
from benchmarks.table import page, table  # noqa: E402

SUBJECTS = (
    "count",
    "score",
    "densities",
    "cuts",
    "arff",
    "cross_validation",
    "start_up",
    "neighbours",
    "structures",
    "local",
    "trees",
    "studies",
    "chunks",
)


def run(subject: str, options: argparse.Namespace) -> dict[str, Any]:
    """Return the result of one subject; one that fails has a note of it among the things not measured."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "result.json"
        command = [sys.executable, "-m", f"benchmarks.subjects.{subject}", "--output", str(output)]
        command += ["--quick"] if options.quick else []
        command += ["--data-dir", str(options.data_dir.resolve())] if options.data_dir else []
        for jar in jars(options):
            command += ["--weka", str(jar.resolve())]
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, **ONE_THREAD}, check=False)
        if done.returncode == 0:
            found: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
            return found
    reason = {"subject": subject, "what": "everything", "reason": f"failed with exit code {done.returncode}"}
    return {"subject": subject, "failed": True, "comparisons": [], "growth": [], "skipped": [reason], "weka": []}


def _others(earlier: dict[str, Any], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the results of other subjects than the named ones."""
    return [subject for subject in earlier["subjects"] if subject["subject"] not in names]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the subjects that are named, or all, and write the results; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"of: {', '.join(SUBJECTS)} (default: all)")
    add_options(parser)
    parser.add_argument("--output", type=Path, default=Path("benchmark-results"), metavar="FOLDER")
    parser.add_argument("--add", action="store_true", help="keep the folder's results of the other subjects")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table as a page of the documentation, too")
    options = parser.parse_args(arguments)
    if unknown := [subject for subject in options.subjects if subject not in SUBJECTS]:
        parser.error(f"no subject {', '.join(unknown)}; there are: {', '.join(SUBJECTS)}")
    found = []
    for subject in options.subjects or SUBJECTS:
        print(subject, file=sys.stderr, flush=True)
        found.append(run(subject, options))
    written = options.output / "results.json"
    if options.add and written.is_file():
        found += _others(json.loads(written.read_text(encoding="utf-8")), [subject["subject"] for subject in found])
    found.sort(key=lambda subject: SUBJECTS.index(subject["subject"]))
    versions = dict.fromkeys(version for subject in found for version in subject["weka"])
    results = {"machine": described(), "weka": list(versions), "seed": SEED, "subjects": found}
    results["quick"] = any(subject.get("quick") for subject in found)
    options.output.mkdir(parents=True, exist_ok=True)
    written.write_text(f"{json.dumps(results, indent=1, allow_nan=False)}\n", encoding="utf-8")
    report = table(results)
    (options.output / "table.md").write_text(report, encoding="utf-8")
    if options.page:
        options.page.write_text(page(report), encoding="utf-8")
    print(report)
    return 1 if any(subject.get("failed") for subject in found) else 0


if __name__ == "__main__":
    sys.exit(main())
