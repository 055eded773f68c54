"""A part that promises to need no rows, and then does."""

import numpy as np
import pytest
from support.builders import table
from support.densities import density

from nbframework.errors import PluginError
from nbframework.parts.density import Density
from nbframework.parts.missing import MissingPolicy
from nbframework.recipe import Recipe


def test_a_density_without_a_fit_from_moments_is_named() -> None:
    with pytest.raises(PluginError, match="density 'gaussian' says that moments are sufficient"):
        Density.fit_moments(density("gaussian"), None)  # type: ignore[arg-type]  # it is not looked at


def test_a_missing_policy_without_a_fit_from_counts_is_named() -> None:
    policy = Recipe.from_text("recipe: t\nmissing: ignore").missing
    schema = table("a {x,y}; c {k,l}", "x k").schema
    with pytest.raises(PluginError, match="missing policy 'ignore' says that counts are sufficient"):
        MissingPolicy.fit_unknown(policy, schema, np.zeros((1, 2)), np.zeros(2))
