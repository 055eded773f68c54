"""Reading ARFF files, big ones and small ones, and CSV files."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.data import write_mixed
from benchmarks.goals import LIAC, WEKA
from benchmarks.measuring import Timing, extra_megabytes, run_process
from benchmarks.session import Session, main
from nbframework import read_arff
from nbframework.data.csv_files.reader import read_csv

BIG, SMALL, CSV = "read, big", "read, small, with start-up", "read CSV, big"
NUMBERS, WORDS = 11, 10


def measure(session: Session) -> None:
    """Measure `read_arff` on a mixed file, and a whole process that reads a small one."""
    with tempfile.TemporaryDirectory() as folder:
        _small(session, Path(folder) / "small.arff")
        big = Path(folder) / "mixed.arff"
        _big(session, big, session.sized(1_000_000, 500))
        _csv(session, big, Path(folder) / "mixed.csv")
        _growth(session, Path(folder))


def _big(session: Session, path: Path, rows: int) -> None:
    write_mixed(path, rows)
    size = f"{path.stat().st_size / 1e6:.0f} MB, {rows:,} x {NUMBERS + WORDS}, mixed"
    tasks: dict[str, Callable[[], Any]] = {"product": lambda: read_arff(path), "reading the bytes": path.read_bytes}
    if liac := session.module("arff", LIAC):
        tasks[LIAC] = lambda: _with_liac(liac, path)
    if pandas := session.module("pandas", "pandas"):
        tasks["pandas"] = lambda: _with_pandas(pandas, path)
    if arrow := session.module("pyarrow.csv", "pyarrow"):
        tasks["pyarrow"] = lambda: _with_arrow(arrow, session.module("pyarrow", "pyarrow"), path)
    times = session.timed(tasks, runs=7, least=1)
    peers: dict[str, Timing | None] = {name: time for name, time in times.items() if name != "product"}
    peers[WEKA] = session.java("read", 3, [path]).get("read")
    session.compare(BIG, "user", size, times["product"], peers)
    extra = extra_megabytes(lambda: read_arff(path))
    session.amount("extra memory of reading", "user", size, 100 * extra * 1e6 / path.stat().st_size, "% of file")


def _csv(session: Session, source: Path, path: Path) -> None:
    """Compare readers that find out by themselves what the columns hold."""
    with source.open(encoding="utf-8") as lines, path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"c{column}" for column in range(NUMBERS + WORDS)) + "\n")
        for _ in range(_data_start(source)):
            next(lines)
        file.writelines(lines)
    tasks: dict[str, Callable[[], Any]] = {"product": lambda: read_csv(path)}
    if pandas := session.module("pandas", "pandas"):
        tasks["pandas"] = lambda: pandas.read_csv(path, na_values="?")
    if arrow := session.module("pyarrow.csv", "pyarrow"):
        coded = arrow.ConvertOptions(auto_dict_encode=True, null_values=["?"])
        alone = arrow.ReadOptions(use_threads=False)
        tasks["pyarrow"] = lambda: arrow.read_csv(path, read_options=alone, convert_options=coded)
    times = session.timed(tasks, runs=5, least=1)
    peers: dict[str, Timing | None] = {name: time for name, time in times.items() if name != "product"}
    size = f"{path.stat().st_size / 1e6:.0f} MB, {NUMBERS + WORDS} columns, mixed"
    session.compare(CSV, "user", size, times["product"], peers)


def _with_liac(liac: Any, path: Path) -> Any:
    with path.open(encoding="utf-8") as file:
        return liac.load(file, encode_nominal=True)


def _data_start(path: Path) -> int:
    """Return the number of lines up to ``@data``, which the CSV readers skip."""
    with path.open(encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.startswith("@data"))


def _with_pandas(pandas: Any, path: Path) -> Any:
    words = dict.fromkeys(range(NUMBERS, NUMBERS + WORDS), "category")
    return pandas.read_csv(path, skiprows=_data_start(path), header=None, na_values="?", dtype=words)


def _with_arrow(csv: Any, arrow: Any, path: Path) -> Any:
    names = [f"c{column}" for column in range(NUMBERS + WORDS)]
    coded = arrow.dictionary(arrow.int32(), arrow.string())
    types = {name: arrow.float64() if index < NUMBERS else coded for index, name in enumerate(names)}
    return csv.read_csv(
        path,
        read_options=csv.ReadOptions(skip_rows=_data_start(path), column_names=names, use_threads=False),
        convert_options=csv.ConvertOptions(column_types=types, null_values=["?"]),
    )


def _small(session: Session, path: Path) -> None:
    """Compare whole processes that read a file below 1 MB, and import and first read where NumPy is there already."""
    write_mixed(path, session.sized(7_500, 200))
    size = f"{path.stat().st_size / 1e6:.2f} MB, {NUMBERS + WORDS} attributes, mixed"
    programs = {"product": "from nbframework import read_arff; read_arff({path!r})"}
    tasks: dict[str, Callable[[], Any]] = {"product": lambda: read_arff(path)}
    if liac := session.module("arff", LIAC):
        programs[LIAC] = "import arff; arff.load(open({path!r}), encode_nominal=True)"
        tasks[LIAC] = lambda: _with_liac(liac, path)
    runs = session.sized(7, 1)
    for task, level, function in (
        (SMALL, "process", _process),
        (SMALL, "user: import and first read, after numpy", _first_read),
    ):
        times = {name: function(program.format(path=str(path)), runs) for name, program in programs.items()}
        session.compare(task, level, size, times["product"], {LIAC: times.get(LIAC)})
    warm = session.timed(tasks)
    session.compare("read, small, without start-up", "user", size, warm["product"], {LIAC: warm.get(LIAC)})


def _process(program: str, runs: int) -> Timing:
    return Timing.of([run_process([sys.executable, "-c", program]).milliseconds for _ in range(runs)])


def _first_read(program: str, runs: int) -> Timing:
    """Return what the program adds to a process that has imported NumPy, as any program on such data has."""
    timer = "import numpy, time; start = time.process_time()\n{}\nprint(1e3 * (time.process_time() - start))"
    command = [sys.executable, "-c", timer.format(program)]
    return Timing.of([float(run_process(command).output.split()[-1]) for _ in range(runs)])


def _growth(session: Session, folder: Path) -> None:
    base = session.sized(20_000, 200)
    sizes = [base, 2 * base, 4 * base, 8 * base]
    times = []
    for rows in sizes:
        path = folder / f"growing-{rows}.arff"
        write_mixed(path, rows)
        times.append(session.timed({"product": lambda path=path: read_arff(path)})["product"])  # type: ignore[misc]  # a default in a lambda
    session.grows(BIG, "user", "rows", sizes, times)


if __name__ == "__main__":
    main(measure, "arff")
