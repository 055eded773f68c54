"""The doors through which strangers' files come in, each as a function of bytes.

A target returns, or raises one of our own errors; anything else is a bug.
"""

import io
import tempfile
import zipfile
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from nbframework import NBFrameworkError, Recipe, read_arff
from nbframework.data.arff.reader import Engine, parse_with
from nbframework.data.tabular import read_csv
from nbframework.persistence import load_model, save_model
from nbframework.recipe.strict_yaml import load_file
from nbframework.study.derivations import load_derivation
from nbframework.study.study import load_study
from nbframework.study.suite import load_suite
from nbframework.study.typed import read_score_csv
from nbframework.study.weka_results import read_weka_results
from nbframework.testing.datasets import mixed

Target = Callable[[bytes], None]


def through(suffix: str, read: Callable[[Path], object]) -> Target:
    """Return a target that reads a file of the bytes."""

    def target(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"input{suffix}"
            path.write_bytes(data)
            read(path)

    return target


def engines_agree(data: bytes) -> None:
    """Read a text by each engine alone; those that accept it have to give the same data set."""
    text = data.decode("utf-8", "replace")
    accepted = []
    refused = None
    for engine in Engine:
        try:
            found = parse_with((engine,), text)
        except NBFrameworkError as error:
            refused = error
        else:
            accepted += [] if found is None else [(engine, found)]
    for (one, first), (other, second) in pairwise(accepted):
        assert first.equals(second), f"engines {one.value} and {other.value} read different data"
    assert not (accepted and refused), f"engine {accepted[0][0].value} accepts what another refuses: {refused}"
    if refused is not None:
        raise refused


def model_with(data: bytes) -> None:
    """Load a true model file in which the document, or an array, is the bytes, with a checksum that fits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input.model"
        path.write_bytes(with_member(data[:1], data[1:]))
        load_model(path)


def with_member(choice: bytes, data: bytes) -> bytes:
    """Return a true model file with one member replaced; the first bit of the choice says which."""
    members = dict(true_model())
    if not choice or choice[0] % 2 == 0:
        members["model.json"] = data
    else:
        name = sorted(name for name in members if name.endswith(".npy"))[choice[0] // 2 % (len(members) - 1)]
        old = sha256(members[name]).hexdigest().encode()
        members["model.json"] = members["model.json"].replace(old, sha256(data).hexdigest().encode())
        members[name] = data
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def true_model(kept: dict[str, bytes] = {}) -> dict[str, bytes]:  # noqa: B006  # made once in a process
    """Return the members of a model file of sbc."""
    if not kept:
        with tempfile.TemporaryDirectory() as folder:
            path, recipe = Path(folder) / "true.model", Recipe.load("sbc")
            save_model(path, recipe, recipe.build().fit(mixed(30)))
            with zipfile.ZipFile(path) as archive:
                kept |= {name: archive.read(name) for name in archive.namelist()}
    return kept


TARGETS: dict[str, Target] = {
    "arff": through(".arff", read_arff),
    "arff-gzip": through(".arff.gz", read_arff),
    "arff-engines": engines_agree,
    "csv": through(".csv", read_csv),
    "yaml": through(".yaml", load_file),
    "recipe": through(".yaml", Recipe.load),
    "study": through(".yaml", load_study),
    "suite": through(".yaml", load_suite),
    "derivation": through(".yaml", load_derivation),
    "scores-csv": through(".csv", read_score_csv),
    "model": through(".model", load_model),
    "model-members": model_with,
    "weka-results-arff": through(".arff", read_weka_results),
    "weka-results-csv": through(".csv", read_weka_results),
}
"""Every door by name; the corpus has a folder of that name."""


def is_harmless(target: Target, data: bytes) -> bool:
    """Whether the target accepts the bytes; False where it refuses them with one of our errors."""
    try:
        target(data)
    except NBFrameworkError:
        return False
    return True
