"""Which class provides which part: (kind, name) -> class and provider, validated on the way in."""

import dataclasses
import inspect
from collections.abc import Iterator
from dataclasses import dataclass

from nbframework.errors import NBFrameworkError, PluginError
from nbframework.parts import KINDS, Part
from nbframework.parts.base import NAME_PATTERN, parameters


@dataclass(frozen=True)
class Registration:
    """One registered part.

    Parameters
    ----------
    part
        The class.
    provider
        Distribution, version and entry point, such as ``nbframework 0.1.0 (estimator.laplace)``.
    """

    part: type[Part]
    provider: str

    @property
    def origin(self) -> str:
        """The file and line of the class."""
        try:
            return f"{inspect.getsourcefile(self.part)}:{inspect.getsourcelines(self.part)[1]}"
        except (OSError, TypeError):
            return self.part.__module__


class Registry:
    """The registered parts; two providers of one name are an error when that name is used."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], dict[type[Part], Registration]] = {}

    def add(self, part: type[Part], provider: str) -> None:
        """Register a class that has no fault; the same class twice is registered once."""
        self._found.setdefault((part.kind, part.name), {}).setdefault(part, Registration(part, provider))

    def find(self, kind: str, name: str) -> Registration | None:
        """Return what is registered under the name, or None.

        Raises
        ------
        PluginError
            Where several plugins provide the name.
        """
        found = list(self._found.get((kind, name), {}).values())
        if len(found) > 1:
            raise PluginError(self._conflict(kind, name))
        return found[0] if found else None

    def conflicts(self) -> list[str]:
        """Return a message for every name that several plugins provide."""
        return [self._conflict(*key) for key, found in sorted(self._found.items()) if len(found) > 1]

    def _conflict(self, kind: str, name: str) -> str:
        found = list(self._found[kind, name].values())
        providers = " and ".join(sorted(registration.provider for registration in found))
        block = found[-1].provider.split()[0]
        return f"{kind} {name!r} is provided by {providers}; block one of them, for instance NBFRAMEWORK_BLOCK={block}"

    def __iter__(self) -> Iterator[Registration]:
        for key in sorted(self._found):
            yield from self._found[key].values()


def faults_of(part: object, kind: str) -> list[str]:
    """Return everything that keeps an object from being registered as a part of a kind."""
    base = KINDS[kind]
    if not isinstance(part, type) or not issubclass(part, base):
        return [f"{part!r} is no subclass of {base.__name__}"]
    word = part.__name__
    faults = []
    if not isinstance(part.name, str) or not NAME_PATTERN.fullmatch(part.name):
        faults.append(f"{word}: name {part.name!r} is not lower-case words joined by hyphens")
    options = part.__dict__.get("__dataclass_params__")
    if options is None:
        faults.append(f"{word}: has no decorator of its own, expected @dataclass(frozen=True, kw_only=True)")
    elif not options.frozen or any(field.init and not field.kw_only for field in dataclasses.fields(part)):
        faults.append(f"{word}: expected @dataclass(frozen=True, kw_only=True)")
    reserved = {"kind", "name", "cite", "exceptions"} & {field.name for field in dataclasses.fields(part)}
    faults += [f"{word}: {name} has to be a ClassVar[...], it is no parameter" for name in sorted(reserved)]
    for name, value in vars(part).items():
        plain = isinstance(value, bool | int | float | str) and not name.startswith("_")
        if plain and not _is_annotated(part, name):
            faults.append(f"{word}: {name} = {value!r} has no type, so it is no parameter; write {name}: type = ...")
    if inspect.isabstract(part):
        faults.append(f"{word}: lacks {', '.join(sorted(part.__abstractmethods__))}")
    try:
        required = [p for p in parameters(part) if p.default is dataclasses.MISSING]
        if not faults and not required:
            part()
    except (TypeError, NameError, NBFrameworkError) as error:
        faults.append(f"{word}: {error}")
    return faults


def _is_annotated(part: type[Part], name: str) -> bool:
    return any(name in inspect.get_annotations(base) for base in part.__mro__)
