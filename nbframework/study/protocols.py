"""The protocol as studies and suites write it."""

from dataclasses import dataclass, replace
from typing import cast

from nbframework.errors import did_you_mean
from nbframework.evaluation.bias_variance import Definition
from nbframework.evaluation.protocol import PARAMETERS, EvaluationProtocol
from nbframework.recipe.nodes import Node
from nbframework.study.decomposition import BIAS_VARIANCE, DEFINITIONS, DecompositionProtocol
from nbframework.study.decomposition import PARAMETERS as DECOMPOSED
from nbframework.study.sections import Section

PUBLISHED, LEARNING_CURVE = "published", "learning-curve"
KINDS = (*PARAMETERS, BIAS_VARIANCE, PUBLISHED, LEARNING_CURVE)
_FOLDED = ("folds", "repeats", "seed")


@dataclass(frozen=True)
class StudyProtocol:
    """A protocol for every data set of a study.

    Parameters
    ----------
    base
        For data sets without a protocol of their own, or for all of them.
    published
        Whether data sets follow their suite's own protocol where it names one.
    shares
        The training shares of a learning curve; (1,) for none.
    """

    base: EvaluationProtocol
    published: bool = False
    shares: tuple[float, ...] = (1.0,)

    def of(self, own: EvaluationProtocol | None) -> tuple[EvaluationProtocol, ...]:
        """Return the protocols of a data set, one for each training share."""
        protocol = self.base
        if self.published and own is not None:
            protocol = replace(own, seed=self.base.seed)
        return tuple(replace(protocol, training_share=share) for share in self.shares)

    def described(self) -> str:
        """Return the protocol in words."""
        text = self.base.described()
        if self.published:
            text = f"the published protocol of each data set, else {text}"
        if self.shares != (1.0,):
            text += f", training shares {', '.join(f'{share:g}' for share in self.shares)}"
        return text


def read_study_protocol(section: Section, key: str = "protocol") -> StudyProtocol:
    """Return the protocol under a key of a study, 10-fold cross-validation where it is absent."""
    kind, node = _kind_and_node(section, key, KINDS)
    if kind == PUBLISHED:
        inner = Section.of(node, section.source, (*section.path, key, kind), section.faults, _FOLDED)
        return StudyProtocol(_folded("cross-validation", inner), published=True)
    if kind == LEARNING_CURVE:
        keys = ("shares", *_FOLDED)
        inner = Section.of(node, section.source, (*section.path, key, kind), section.faults, keys)
        inner.require("shares")
        known = len(inner.faults)
        shares = tuple(inner.number_at(item, ("shares", i), 1.0, 0.0, 1.0) for i, item in inner.items("shares"))
        # a share that is no number stands in the list as its default
        if len(inner.faults) == known and len(set(shares)) < len(shares):
            inner.fault("shares", "a share is given twice")
        return StudyProtocol(_folded("cross-validation", inner), shares=tuple(sorted(shares)) or (1.0,))
    if kind == BIAS_VARIANCE:
        inner = Section.of(node, section.source, (*section.path, key, kind), section.faults, DECOMPOSED)
        return StudyProtocol(_decomposition(inner))
    return StudyProtocol(_read(kind, node, section, key))


def read_set_protocol(section: Section, key: str = "protocol") -> EvaluationProtocol | None:
    """Return a data set's own protocol, or None where it names none."""
    if key not in section:
        return None
    kind, node = _kind_and_node(section, key, tuple(PARAMETERS))
    return _read(kind, node, section, key)


def _kind_and_node(section: Section, key: str, kinds: tuple[str, ...]) -> tuple[str, Node]:
    """Return the kind of a protocol written as ``kind`` or ``{kind: {parameter: value}}``, and the parameters."""
    empty = Node({}, section.node.line, section.node.column)
    if key not in section:
        return "cross-validation", empty
    node = section.entries[key].node
    empty = Node({}, node.line, node.column)
    if isinstance(node.value, str):
        name, inner = node.value, empty
    elif isinstance(node.value, dict) and len(node.value) == 1:
        ((name, entry),) = node.value.items()
        inner = entry.node if entry.node.value is not None or isinstance(entry.node.value, dict) else empty
        if isinstance(inner.value, str):
            inner = Node({_MAIN.get(name, "value"): replace(entry, node=inner)}, inner.line, inner.column)
    else:
        section.fault(key, f"expected one protocol: {', '.join(kinds)}, or {{protocol: {{parameter: value}}}}")
        return "cross-validation", empty
    if name not in kinds:
        section.fault(key, f"unknown protocol {name!r}{did_you_mean(name, kinds)} (known: {', '.join(kinds)})")
        return "cross-validation", empty
    return name, inner


_MAIN = {"split": "ranges", "grouped": "attribute"}
"""What text alone means: ``split: 1-20 | 21-30``."""


def _read(kind: str, node: Node, section: Section, key: str) -> EvaluationProtocol:
    inner = Section.of(node, section.source, (*section.path, key, kind), section.faults, PARAMETERS[kind])
    if kind == "holdout" and "test_rows" in inner and "test_share" in inner:
        inner.fault("test_rows", "test_rows and test_share exclude each other")
    required = {"split": ("ranges",), "grouped": ("attribute",)}.get(kind, ())
    inner.require(*required)
    return replace(
        _folded(kind, inner),
        test_share=inner.number("test_share", 1 / 3, 0.0, 1.0),
        test_rows=inner.integer("test_rows", 0, 1),
        ranges=inner.text("ranges"),
        attribute=inner.text("attribute"),
        stratified=inner.boolean("stratified", True),
    )


def _decomposition(inner: Section) -> EvaluationProtocol:
    shares = {name: inner.number(name, default, 0.0, 1.0) for name, default in _SHARES.items()}
    for name, share in shares.items():
        if share == 1.0:
            inner.fault(name, "found '1', expected less than 1: some rows have to be left")
            shares[name] = _SHARES[name]
    return DecompositionProtocol(
        seed=inner.integer("seed", 1, 0),
        repeats=inner.integer("repeats", 0, 1),
        evaluation_share=shares["evaluation_share"],
        drawn_share=shares["training_share"],
        samples=inner.integer("samples", 10, 2),
        definition=cast(Definition, inner.choice("definition", DEFINITIONS, DEFINITIONS[0])),
    )


_SHARES = {"evaluation_share": 0.3, "training_share": 0.5}


def _folded(kind: str, inner: Section) -> EvaluationProtocol:
    return EvaluationProtocol(
        kind,
        folds=inner.integer("folds", 10, 1 if kind == "time-ordered" else 2),
        repeats=inner.integer("repeats", 1, 1),
        seed=inner.integer("seed", 1, 0),
    )
