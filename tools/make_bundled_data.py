"""Write the data files that ship inside the package: python tools/make_bundled_data.py [folder].

Needs scikit-learn, which carries four of them; the others are computed. The same versions of NumPy and scikit-learn
give the same files. `nbframework/data/bundled/SOURCES.md` tells where each comes from.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn import datasets  # type: ignore[import-untyped]

from nbframework.data.arff import write_arff
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework_generators.led24 import LED24
from nbframework_generators.monks import Monks
from nbframework_generators.tic_tac_toe import TicTacToe
from nbframework_generators.waveform_21 import Waveform21

BUNDLED = Path(__file__).parents[1] / "nbframework" / "data" / "bundled"
SEED = 1
GENERATED = {
    "led24": LED24(rows=1000),
    "monks-1": Monks(problem=1),
    "monks-2": Monks(problem=2),
    "monks-3": Monks(problem=3),
    "tic-tac-toe": TicTacToe(),
    "waveform-21": Waveform21(rows=1000),
}
FROM_SKLEARN = {
    "breast-cancer-wisconsin-diagnostic": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
}
COMPRESSED = ("digits",)


def bundled_datasets() -> Iterator[tuple[str, Dataset]]:
    """Yield the file name and the rows of each bundled data set."""
    made = {name: part.generate(np.random.default_rng(SEED)) for name, part in GENERATED.items()}
    for name, dataset in sorted({**made, **{name: from_sklearn(name) for name in FROM_SKLEARN}}.items()):
        yield f"{name}.arff.gz" if name in COMPRESSED else f"{name}.arff", dataset


def from_sklearn(name: str) -> Dataset:
    """Return a data set of scikit-learn under names without blanks and units."""
    bunch = FROM_SKLEARN[name]()
    attributes = [Attribute.numeric(feature.removesuffix(" (cm)").replace(" ", "_")) for feature in bunch.feature_names]
    attributes.append(Attribute.nominal("class", [str(target) for target in bunch.target_names]))
    return Dataset.from_columns(attributes, [*bunch.data.T, bunch.target], name=name)


def main(folder: Path) -> None:
    """Write all files into a folder."""
    for file_name, dataset in bundled_datasets():
        write_arff(dataset, folder / file_name)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else BUNDLED)
