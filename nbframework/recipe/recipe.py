"""The recipe: one part for each kind and the rules beside them."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from nbframework.classifier import Classifier
from nbframework.classifier.decision import CLASS_KEYS, NO_CLASS_RULES, ClassRules
from nbframework.classifier.tuned import TunedClassifier
from nbframework.errors import RecipeError, did_you_mean
from nbframework.evaluation.sweep import choice_of
from nbframework.parts import KINDS, Part
from nbframework.parts.base import Parameter, parameters
from nbframework.parts.classifier import WholeClassifier
from nbframework.parts.density import Density
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.estimator import Estimator
from nbframework.parts.missing import MissingPolicy
from nbframework.parts.neighbourhood import Neighbourhood
from nbframework.parts.structure import Structure
from nbframework.parts.weights import WeightLearner
from nbframework.plugins import Plugins, installed
from nbframework.recipe import catalog
from nbframework.recipe.layers import PART_KEYS, RULE_KEYS, Layer, node_of, overridden, read_layer
from nbframework.recipe.nodes import Faults
from nbframework.recipe.requirements import unmet
from nbframework.recipe.specification import Place, Setting, Specification, build_part
from nbframework.recipe.strict_yaml import load as load_yaml
from nbframework.recipe.strict_yaml import load_file
from nbframework.recipe.tuning import Tuning, check_values, grid_of, numeric_parameter


@dataclass(frozen=True, kw_only=True, eq=False)
class Recipe:
    """One complete classifier.

    ``Recipe(estimator=Laplace(f=1))`` composes parts directly; `load` reads a file. What is left out is the default,
    which stands in the recipe file ``defaults.yaml``.

    Parameters
    ----------
    name, title, cite
        Name, one line, and source.
    missing, discretizer, neighbourhood, estimator, density, weights, structure
        The parts.
    classifier
        A classifier that decides by itself, or None.
    prior
        The estimator of the class prior, or None for ``estimator``'s own.
    empty_classes
        keep, or drop classes without training weight before smoothing the prior.
    ties
        first or larger-class: which of tied classes is predicted.
    tie_tolerance
        Nats within which log posteriors are tied.
    requires
        Distributions that must be installed, such as ``some-plugin>=1.2``.
    tuning
        The parameters whose values are chosen by the training rows; what the parts say of them does not matter.
    class_rules
        Priors, costs and thresholds by the names of the classes.
    """

    name: str = "unnamed"
    title: str = ""
    cite: str = ""
    missing: MissingPolicy | None = None
    discretizer: Discretizer | None = None
    neighbourhood: Neighbourhood | None = None
    estimator: Estimator | None = None
    density: Density | None = None
    weights: WeightLearner | None = None
    structure: Structure | None = None
    classifier: WholeClassifier | None = None
    prior: Estimator | None = None
    empty_classes: Literal["keep", "drop"] | None = None
    ties: Literal["first", "larger-class"] | None = None
    tie_tolerance: float | None = None
    requires: tuple[str, ...] = ()
    tuning: tuple[Tuning, ...] = ()
    class_rules: ClassRules = NO_CLASS_RULES

    def __post_init__(self) -> None:
        wrong = [fault for key, kind in PART_KEYS.items() if (fault := _wrong_part(key, kind, getattr(self, key)))]
        if wrong:
            raise RecipeError("\n".join(wrong))
        if not all(getattr(self, key) is not None for key in (*PART_KEYS, *RULE_KEYS) if key not in _OPTIONAL):
            self._take_defaults()
        for tuning in self.tuning:
            try:
                check_values(self.numeric_parameter(tuning.path), tuning.values)
            except RecipeError as error:
                raise RecipeError(f"recipe {self.name}: {tuning.path}: {error}") from error

    def _take_defaults(self) -> None:
        plugins = installed()
        faults = Faults()
        defaults = _defaults_layer(faults)
        for key, kind in PART_KEYS.items():
            if getattr(self, key) is None and (spec := defaults.parts.get(key)):
                object.__setattr__(self, key, build_part(kind, spec, key, plugins, faults, []))
        for key in RULE_KEYS:
            if getattr(self, key) is None:
                object.__setattr__(self, key, defaults.rules[key])
        faults.raise_if_any()

    @classmethod
    def load(cls, name: str | os.PathLike[str], **overrides: Any) -> "Recipe":
        """Load a recipe by name or path.

        Parameters
        ----------
        name
            A shipped recipe's name, or a path of a YAML file.
        **overrides
            Paths to values, such as ``**{"neighbourhood.k": 30}`` or ``estimator="laplace"``.

        Raises
        ------
        RecipeError
            Listing every fault with file, line, column and key.
        """
        return cls.load_with(installed(), name, overrides)

    @classmethod
    def load_with(
        cls,
        plugins: Plugins,
        name: str | os.PathLike[str],
        overrides: Mapping[str, Any] | None = None,
        option: str = "override",
        beside: Path | None = None,
    ) -> "Recipe":
        """Load a recipe with the parts of the given plugins; see `load`."""
        faults = Faults()
        layer = _of_scheme(os.fspath(name), plugins)
        if layer is None:
            path = catalog.find_recipe(name, plugins, beside)
            layer = _with_parents(path, plugins, faults, (), beside)
        return cls._from_layer(layer, plugins, faults, overrides or {}, option)

    @classmethod
    def from_text(cls, text: str, source: str = "<text>", **overrides: Any) -> "Recipe":
        """Return the recipe that a YAML text holds; see `load`."""
        faults, plugins = Faults(), installed()
        layer = read_layer(load_yaml(text, source), source, faults)
        if parent := layer.texts.get("extends"):
            path = catalog.find_recipe(parent, plugins)
            layer = _with_parents(path, plugins, faults, (), None).under(layer, _defaults_layer(faults))
        return cls._from_layer(layer, plugins, faults, overrides, "override")

    @classmethod
    def _from_layer(
        cls, layer: Layer, plugins: Plugins, faults: Faults, overrides: Mapping[str, Any], option: str
    ) -> "Recipe":
        defaults = _defaults_layer(faults)
        layer = overridden(defaults.under(layer, defaults), defaults, overrides, option, faults)
        tunings: list[Tuning] = []
        parts = {
            key: build_part(kind, spec, key, plugins, faults, tunings)
            for key, kind in PART_KEYS.items()
            if (spec := layer.parts.get(key)) is not None
        }
        for requirement in layer.requires:
            if fault := unmet(requirement):
                faults.add(layer.texts.get("recipe", "recipe"), None, None, "requires", fault)
        faults.raise_if_any()
        texts = {"name": layer.texts.get("recipe", "unnamed")}
        texts |= {key: layer.texts[key] for key in ("title", "cite") if key in layer.texts}
        others = {"requires": layer.requires, "tuning": tuple(tunings), "class_rules": ClassRules(**layer.classes)}
        recipe = cls(**texts, **parts, **layer.rules, **others)  # type: ignore[arg-type]  # checked by kind
        recipe.build()
        return recipe

    def build(self) -> Classifier:
        """Return the classifier of the recipe.

        Raises
        ------
        RecipeError
            Where parts do not go together.
        """
        chosen = {key: getattr(self, key) for key in (*PART_KEYS, *RULE_KEYS, "class_rules") if key != "classifier"}
        try:
            if not self.tuning:
                return Classifier(**chosen, whole=self.classifier)
            first = self.tuning[0]
            choice = choice_of(grid_of(self.tuning), first.by, first.folds, first.metric)
            return TunedClassifier(**chosen, whole=self.classifier, choice=choice)
        except RecipeError as error:
            raise RecipeError(f"recipe {self.name}: {error}") from error

    def resolved(self) -> dict[str, Any]:
        """Return the recipe as plain data with every parameter, in the order of the keys."""
        data: dict[str, Any] = {"recipe": self.name}
        data |= {key: getattr(self, key) for key in ("title", "cite") if getattr(self, key)}
        if self.requires:
            data["requires"] = list(self.requires)
        for key in PART_KEYS:
            part = getattr(self, key)
            if part is not None:
                data[key] = described(part)
        for tuning in self.tuning:
            _write_clause(data, tuning)
        return data | {key: getattr(self, key) for key in RULE_KEYS} | self.class_rules.given()

    def numeric_parameter(self, path: str) -> Parameter:
        """Return the numeric parameter of a part that a path such as ``neighbourhood.k`` means.

        Raises
        ------
        RecipeError
            Where there is no such number.
        """
        key = path.partition(".")[0]
        if key not in PART_KEYS:
            raise RecipeError(f"{path}: unknown kind {key!r}{did_you_mean(key, PART_KEYS)}")
        return numeric_parameter(getattr(self, key), path)

    def identity(self) -> str:
        """Return the SHA-256 of what the recipe computes (its parts and rules, not its name and title)."""
        computing = (*PART_KEYS, *RULE_KEYS, *CLASS_KEYS)
        data = {key: value for key, value in self.resolved().items() if key in computing}
        return hashlib.sha256(json.dumps(data, sort_keys=True, allow_nan=False).encode()).hexdigest()

    def __repr__(self) -> str:
        given = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if getattr(self, f.name))
        return f"Recipe({given})"


_OPTIONAL = ("prior", "classifier")


def _wrong_part(key: str, kind: str, value: Any) -> str | None:
    if value is None or isinstance(value, KINDS[kind]):
        return None
    if isinstance(value, type):
        return f"{key}: found the class {value.__name__}, expected a part: {value.__name__}()"
    hint = "; names are read by Recipe.load and Recipe.from_text" if isinstance(value, str) else ""
    return f"{key}: found {value!r}, expected a {kind} (an instance of {KINDS[kind].__name__}){hint}"


def described(part: Part) -> Any:
    """Return a part as a recipe writes it: its name, or its name with all parameters."""
    values = {}
    for parameter in parameters(type(part)):
        value = getattr(part, parameter.name)
        values[parameter.name] = described(value) if isinstance(value, Part) else value
    return {part.name: values} if values else part.name


def _write_clause(data: dict[str, Any], tuning: Tuning) -> None:
    """Put a tuned parameter's clause in the place of its value."""
    key, *steps = tuning.path.split(".")
    holder: dict[str, Any] = data
    for step in steps:
        # a part stands as {name: {parameter: value}}
        (holder,) = holder[key].values()
        key = step
    holder[key] = tuning.clause()


def _of_scheme(text: str, plugins: Plugins) -> Layer | None:
    """Return the recipe that ``NAME:SCHEME`` means: the classifier NAME with its parameter ``scheme``."""
    name, colon, scheme = text.partition(":")
    if not colon or name not in plugins.names("classifier"):
        return None
    place = Place(text)
    setting = Setting(node_of(scheme.strip()), place)
    return Layer({"recipe": text}, parts={"classifier": Specification(name, place, {"scheme": setting})})


def _defaults_layer(faults: Faults) -> Layer:
    path = catalog.shipped_folder() / f"{catalog.DEFAULTS}.yaml"
    return read_layer(load_file(path), str(path), faults)


def _with_parents(path: Path, plugins: Plugins, faults: Faults, seen: tuple[Path, ...], beside: Path | None) -> Layer:
    """Return a recipe file laid over its chain of parents."""
    node = load_file(path)
    layer = read_layer(node, str(path), faults)
    parent = layer.texts.get("extends")
    if not parent:
        return layer
    if path.resolve() in seen:
        raise RecipeError(f"{path}: extends: recipes extend each other in a circle")
    try:
        above = catalog.find_recipe(parent, plugins, path.parent)
    except RecipeError as error:
        raise RecipeError(f"{path}: extends: {error}") from error
    base = _with_parents(above, plugins, faults, (*seen, path.resolve()), beside)
    base = replace(base, texts={key: text for key, text in base.texts.items() if key != "title"})
    return base.under(layer, _defaults_layer(faults))
