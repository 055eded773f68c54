"""Classifier weka: any Weka scheme, run by Weka itself on exactly our rows."""

import os
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from nbframework.authoring import (
    Composition,
    Dataset,
    EvaluationError,
    FloatArray,
    WholeClassifier,
    hookimpl,
    write_arff,
)

JAR_VARIABLE = "WEKA_JAR"
USUAL_PLACES = ("/usr/share/java/weka.jar",)
PREDICTIONS = "weka.classifiers.evaluation.output.prediction.CSV -distribution -decimals 17"


@dataclass(frozen=True, kw_only=True)
class Weka(WholeClassifier):
    """Hand training and test rows to Weka's command line and read its probabilities back.

    Needs a Java runtime on the PATH and a weka.jar, named by the environment variable WEKA_JAR or where Debian's
    package puts it. Version 3.7 and later print 17 decimals; 3.6 prints three. Each prediction trains again, since
    Weka's command line does both in one run.

    Parameters
    ----------
    scheme
        Class name and options as Weka's command line takes them, such as ``weka.classifiers.bayes.NaiveBayes -D``.
    """

    name: ClassVar[str] = "weka"
    cite: ClassVar[str] = "Frank, Hall & Witten 2016"
    scheme: str

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> "FittedWeka":
        """Keep the training rows; raise EvaluationError where Java or the jar is missing."""
        return FittedWeka(self.scheme, training, _java(), _jar())


class FittedWeka:
    """Training rows that wait for queries."""

    def __init__(self, scheme: str, training: Dataset, java: str, jar: Path) -> None:
        self.scheme, self.training, self.java, self.jar = scheme, training, java, jar

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log posteriors as Weka prints them."""
        count = len(self.training.class_values)
        if not len(queries):
            return np.empty((0, count))
        with tempfile.TemporaryDirectory() as folder:
            train, test = Path(folder) / "train.arff", Path(folder) / "test.arff"
            write_arff(self.training, train)
            write_arff(_with_some_class(queries), test)
            words = shlex.split(self.scheme)
            command = [self.java, "-cp", str(self.jar), words[0], "-t", str(train), "-T", str(test)]
            command += ["-c", str(self.training.class_index + 1)]
            output = _run([*command, "-classifications", PREDICTIONS, *words[1:]])
            if "Illegal options: -classifications" in output:
                output = _run([*command, "-p", "0", "-distribution", *words[1:]])
        return _log_posteriors(output, self.scheme, len(queries), count)


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # the scheme is the user's
    return done.stdout + "\n" + done.stderr


def _log_posteriors(output: str, scheme: str, rows: int, count: int) -> FloatArray:
    """Return the distributions among Weka's predictions, in either of its two layouts."""
    lines = output.splitlines()
    starts = [i for i, line in enumerate(lines) if line.strip().startswith("inst#")]
    found = [_distribution(line, count) for line in lines[starts[0] + 1 :][:rows]] if starts else []
    if len(found) != rows or not all(found):
        said = next((line.strip() for line in lines if "xception" in line), "it printed no predictions")
        raise EvaluationError(f"weka: {scheme}: {said}")
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.array(found)))


def _distribution(line: str, count: int) -> list[float]:
    """Return the C probabilities at the end of a line, nothing where there are none."""
    cells = line.split(",")
    if len(cells) < count:
        return []
    cells = [cell.split()[-1] if cell.split() else "" for cell in cells[-count:]]
    try:
        return [float(cell.lstrip("*")) for cell in cells]
    except ValueError:
        return []


def _with_some_class(queries: Dataset) -> Dataset:
    """Return the rows with a known class, which Weka skips no row for; it does not look at it to predict."""
    columns = list(queries.columns)
    columns[queries.class_index] = np.zeros(len(queries), dtype=queries.classes.dtype)
    return Dataset.from_columns(queries.attributes, columns, queries.class_attribute.name, name=queries.name)


def _java() -> str:
    java = shutil.which("java")
    if java is None:
        raise EvaluationError("classifier weka needs a Java runtime, and there is no java on the PATH")
    return java


def _jar() -> Path:
    named = os.environ.get(JAR_VARIABLE)
    for place in (named,) if named else USUAL_PLACES:
        if Path(place).is_file():
            return Path(place)
    expected = f"{named} is no file" if named else f"set {JAR_VARIABLE} to a weka.jar"
    raise EvaluationError(f"classifier weka needs a weka.jar: {expected}")


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [Weka]
