"""Plain naive Bayes as PMML, the Predictive Model Markup Language of the Data Mining Group."""

import math
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from nbframework.errors import DataError, writing
from nbframework.persistence.export import exported
from nbframework.persistence.model_file import Model

NAMESPACE = "http://www.dmg.org/PMML-4_4"
SUM = 1e-9
"""How far the probabilities of an attribute's values may be from summing to 1."""
Element = ElementTree.Element


def export_pmml(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a ``NaiveBayesModel`` of PMML 4.4, which other programs read to the same posteriors.

    PMML leaves an unknown value out, and has no value outside the declared ones: it is written to be treated as
    unknown. The tie rule and the given costs and thresholds have no place in it.

    Parameters
    ----------
    model
        Naive Bayes without weights, whose probabilities of each attribute sum to 1 and which leaves unknown values out,
        over nominal, discretized and Gaussian attributes.
    path
        The file.

    Raises
    ------
    DataError
        Where PMML cannot say what the model says, or the file cannot be written.
    """
    data = exported(model)
    for attribute in data["attributes"]:
        _check(attribute)
    root = Element("PMML", {"xmlns": NAMESPACE, "version": "4.4"})
    header = _under(root, "Header", description=f"recipe {data['recipe']}")
    _under(header, "Application", name="nbframework", version=version("nbframework"))
    _dictionary(root, data)
    naive = _under(root, "NaiveBayesModel", functionName="classification", threshold="0", modelName=data["recipe"])
    schema = _under(naive, "MiningSchema")
    _under(schema, "MiningField", name=data["class"]["name"], usageType="target")
    for attribute in data["attributes"]:
        _under(schema, "MiningField", name=attribute["name"], invalidValueTreatment="asMissing")
    output = _under(naive, "Output")
    for value in data["class"]["values"]:
        _under(
            output,
            "OutputField",
            name=f"P({value})",
            feature="probability",
            value=value,
            optype="continuous",
            dataType="double",
        )
    inputs = _under(naive, "BayesInputs")
    for attribute in data["attributes"]:
        _input(inputs, attribute, data["class"]["values"])
    target = _under(_under(naive, "BayesOutput", fieldName=data["class"]["name"]), "TargetValueCounts")
    _counts(target, data["class"]["values"], data["log_prior"])
    ElementTree.indent(root)
    with writing(path):
        ElementTree.ElementTree(root).write(Path(path), encoding="utf-8", xml_declaration=True)


def _check(attribute: dict[str, Any]) -> None:
    """Raise DataError where PMML has no words for an attribute's factors."""
    name = attribute["name"]
    if any(attribute["unknown"]):
        raise DataError(f"PMML leaves an unknown value out, and here that of {name!r} counts")
    if "density" in attribute:
        form = attribute["density"]
        if form["form"] != "gaussian" or any(exponent != 1 for exponent in attribute["exponent"]):
            raise DataError(f"PMML has no density but the Gaussian one, without exponents; {name!r} has another")
        if any(variance is None or variance == 0 for variance in form["variance"]):
            raise DataError(f"PMML needs a variance above 0 in each class, and {name!r} has none")
        return
    for column in zip(*attribute["log_factors"], strict=True):
        if abs(sum(map(_probability, column)) - 1) > SUM:
            raise DataError(f"PMML divides the probabilities of {name!r} by their sum, which here is not 1")


def _dictionary(root: Element, data: dict[str, Any]) -> None:
    dictionary = _under(root, "DataDictionary", numberOfFields=str(len(data["attributes"]) + 1))
    for attribute in [*data["attributes"], {**data["class"], "kind": "nominal"}]:
        if attribute["kind"] == "nominal":
            field = _under(dictionary, "DataField", name=attribute["name"], optype="categorical", dataType="string")
            for value in attribute["values"]:
                _under(field, "Value", value=value)
        else:
            _under(dictionary, "DataField", name=attribute["name"], optype="continuous", dataType="double")


def _input(inputs: Element, attribute: dict[str, Any], classes: list[str]) -> None:
    given = _under(inputs, "BayesInput", fieldName=attribute["name"])
    if "density" in attribute:
        stats = _under(given, "TargetValueStats")
        form = attribute["density"]
        for value, mean, variance in zip(classes, form["mean"], form["variance"], strict=True):
            stat = _under(stats, "TargetValueStat", value=value)
            _under(stat, "GaussianDistribution", mean=repr(mean), variance=repr(variance))
        return
    values = attribute.get("values")
    if values is None:
        values = [str(interval) for interval in range(len(attribute["cut_points"]) + 1)]
        _discretize(given, attribute, values)
    for value, factors in zip(values, attribute["log_factors"], strict=True):
        counts = _under(_under(given, "PairCounts", value=value), "TargetValueCounts")
        _counts(counts, classes, factors)


def _discretize(given: Element, attribute: dict[str, Any], intervals: list[str]) -> None:
    name = attribute["name"]
    field = _under(given, "DerivedField", name=f"{name} interval", optype="categorical", dataType="string")
    discretize = _under(field, "Discretize", field=name)
    cuts = attribute["cut_points"]
    for interval, left, right in zip(intervals, [None, *cuts], [*cuts, None], strict=True):
        margins = {"leftMargin": left, "rightMargin": right}
        known = {key: repr(margin) for key, margin in margins.items() if margin is not None}
        closure = "openOpen" if right is None else "openClosed"
        _under(_under(discretize, "DiscretizeBin", binValue=interval), "Interval", closure=closure, **known)


def _counts(parent: Element, classes: list[str], logs: list[float | None]) -> None:
    for value, log in zip(classes, logs, strict=True):
        _under(parent, "TargetValueCount", value=value, count=repr(_probability(log)))


def _probability(log: float | None) -> float:
    return 0.0 if log is None else math.exp(log)


def _under(parent: Element, tag: str, **attributes: str) -> Element:
    return ElementTree.SubElement(parent, tag, attributes)
