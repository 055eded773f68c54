"""The contract of generators of artificial data sets."""

import abc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbframework.data.dataset import Dataset
from nbframework.parts.base import Part


@dataclass(frozen=True, kw_only=True)
class DataGenerator(Part):
    """Computes an artificial data set."""

    kind: ClassVar[str] = "generator"

    @abc.abstractmethod
    def generate(self, generator: np.random.Generator) -> Dataset:
        """Return the data set; the same generator state gives the same bytes."""
