"""Installed plugins: entry points to modules to registered parts, each loaded when it is needed."""

import functools
import importlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import TracebackType
from typing import Any

import pluggy

from nbframework import hookspecs
from nbframework.errors import PluginError, UnknownPartError, did_you_mean
from nbframework.parts import KINDS, Part
from nbframework.registry import Registration, Registry, faults_of

GROUP = "nbframework"
BLOCK_VARIABLE = "NBFRAMEWORK_BLOCK"


@dataclass(frozen=True)
class Source:
    """Where a plugin comes from.

    Parameters
    ----------
    name
        The entry point's name, ``kind.part`` for a plugin that provides one part.
    module
        What it loads.
    distribution, version
        Who installed it; empty for a module named by the user.
    """

    name: str
    module: str
    distribution: str = ""
    version: str = ""

    @property
    def provider(self) -> str:
        """Distribution, version and entry point in one line."""
        return f"{self.distribution} {self.version} ({self.name})" if self.distribution else f"module {self.module}"

    @property
    def part(self) -> tuple[str, str] | None:
        """(kind, name) that the name promises, or None where it has another form."""
        kind, dot, name = self.name.partition(".")
        return (kind, name) if dot and kind in KINDS else None

    def misspelt_kind(self) -> str | None:
        """Return what is wrong with a name that looks like ``kind.part`` but names no kind, else None."""
        kind, dot, name = self.name.partition(".")
        hint = did_you_mean(kind, KINDS)
        if not dot or kind in KINDS or not hint or self.name == self.module:
            return None
        return f"entry point {self.name!r} names no kind{hint[:-1]}.{name}'"

    def is_blocked(self, blocked: Iterable[str]) -> bool:
        """Whether one of the names blocks it: of the entry point, its part, its module or its distribution."""
        names = {self.name, self.module, self.distribution, self.name.partition(".")[2]} - {""}
        return any(name in names for name in blocked)


@dataclass(frozen=True)
class Fault:
    """A plugin that cannot be used, and everything that is wrong with it."""

    source: Source
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        reasons = "; ".join(self.reasons)
        hint = self.source.distribution or self.source.name
        return f"plugin {self.source.provider}: {reasons} (to leave it out: {BLOCK_VARIABLE}={hint})"


class Plugins:
    """The plugins of one process.

    Parameters
    ----------
    sources
        Entry points and modules; sorted by name, so that the order of installation decides nothing.
    blocked
        Names of entry points, parts, modules or distributions to leave out.
    """

    def __init__(self, sources: Iterable[Source], blocked: Sequence[str] = ()) -> None:
        ordered = sorted(set(sources), key=lambda source: (source.name, source.distribution, source.module))
        self.blocked = tuple(source for source in ordered if source.is_blocked(blocked))
        self.sources = tuple(source for source in ordered if not source.is_blocked(blocked))
        self._places: dict[tuple[str, str] | None, list[int]] = {}
        for place, source in enumerate(self.sources):
            self._places.setdefault(source.part, []).append(place)
        self.registry = Registry()
        self.faults: list[Fault] = []
        self.recipe_folders: list[tuple[Path, Source]] = []
        self._loaded: set[str] = set()
        self._provider_of_module: dict[str, str] = {}
        self._manager = pluggy.PluginManager(hookspecs.PROJECT)
        self._manager.add_hookspecs(hookspecs)

    def find(self, kind: str, name: str) -> Registration:
        """Return the part of a kind called ``name``, loading only what can provide it.

        Raises
        ------
        PluginError
            Where no plugin, a broken plugin or several plugins provide it.
        """
        named = self._places.get((kind, name), [])
        for place in sorted([*named, *self._places.get(None, [])]):
            self.load(self.sources[place])
        registration = self.registry.find(kind, name)
        if registration is not None:
            return registration
        raise self._not_found(kind, name, [self.sources[place] for place in named])

    def names(self, kind: str) -> list[str]:
        """Return the names of a kind as far as metadata and loaded plugins know them, sorted."""
        promised = {source.part[1] for source in self.sources if source.part and source.part[0] == kind}
        return sorted(promised | {r.part.name for r in self.registry if r.part.kind == kind})

    def load_all(self, strict: bool = False) -> None:
        """Load every plugin; with ``strict`` raise PluginError on the faults that were found."""
        for source in self.sources:
            self.load(source)
        if strict and self.faults:
            raise PluginError("\n".join(str(fault) for fault in self.faults))

    def load(self, source: Source) -> None:
        """Load one plugin once; what is wrong with it goes to ``faults``."""
        if source.name + source.module in self._loaded:
            return
        self._loaded.add(source.name + source.module)
        reasons: list[str] = []
        if misspelt := source.misspelt_kind():
            self.faults.append(Fault(source, (misspelt,)))
            return
        try:
            module = importlib.import_module(source.module)
        except Exception as error:  # whatever a stranger's module raises is a fault of that plugin, not of the frame
            hint = "; decorate parts with @dataclass(frozen=True, kw_only=True)" if "non-frozen" in str(error) else ""
            place = _last_line_of(error, source.module)
            reasons.append(f"cannot be imported: {type(error).__name__}: {error}{place}{hint}")
            self.faults.append(Fault(source, tuple(reasons)))
            return
        self._provider_of_module.setdefault(source.module, source.provider)
        reasons += self._registered(module)
        if not reasons:
            reasons += self._collected(module, source)
        if not reasons and source.part is not None and self.registry.find(*source.part) is None:
            reasons.append(f"does not provide the {source.part[0]} {source.part[1]!r} that its name promises")
        if reasons:
            self.faults.append(Fault(source, tuple(reasons)))

    def provider_of(self, traceback: TracebackType | None) -> str | None:
        """Return the provider of the innermost frame of a traceback that belongs to a plugin."""
        provider = None
        while traceback is not None:
            module = traceback.tb_frame.f_globals.get("__name__", "")
            provider = self._provider_of_module.get(module, provider)
            traceback = traceback.tb_next
        return provider

    def _registered(self, module: Any) -> list[str]:
        if self._manager.is_registered(module):
            return []
        try:
            self._manager.register(module)
            self._manager.check_pending()
        except pluggy.PluginValidationError as error:
            if self._manager.is_registered(module):
                self._manager.unregister(module)
            return [" ".join(str(error).split()) + _nearest_hook(str(error))]
        if not self._manager.get_hookcallers(module):
            return ["registers no hook; is the mark @hookimpl missing?"]
        return []

    def _collected(self, module: Any, source: Source) -> list[str]:
        reasons: list[str] = []
        for kind, hook in hookspecs.HOOK_OF_KIND.items():
            for part in self._results(module, hook, reasons):
                faults = faults_of(part, kind)
                reasons += faults
                if not faults:
                    self.registry.add(part, self._provider(part, source))
        for folder in self._results(module, "nbframework_recipes", reasons, single=True):
            if isinstance(folder, str | Path) and Path(folder).is_dir():
                self.recipe_folders.append((Path(folder), source))
            else:
                reasons.append(f"hook nbframework_recipes returned {folder!r}, expected the path of a folder")
        return reasons

    def _results(self, module: Any, hook: str, reasons: list[str], single: bool = False) -> list[Any]:
        caller = getattr(self._manager.hook, hook)
        implementations = [impl for impl in caller.get_hookimpls() if impl.plugin is module]
        try:
            results = [impl.function() for impl in implementations]
            if single:
                return results
            for result in results:
                if not isinstance(result, list | tuple):
                    reasons.append(f"hook {hook} returned {result!r}, expected a list of classes")
            return [part for result in results if isinstance(result, list | tuple) for part in result]
        except Exception as error:  # a stranger's hook; see load
            reasons.append(f"hook {hook} failed: {type(error).__name__}: {error}")
            return []

    def _provider(self, part: type[Part], source: Source) -> str:
        for other in self.sources:
            if other.part == (part.kind, part.name) and other.module == source.module:
                return other.provider
        return source.provider

    def _not_found(self, kind: str, name: str, named: Sequence[Source]) -> PluginError:
        broken = [fault for fault in self.faults if fault.source in named or fault.source.part is None]
        if named and broken:
            return PluginError(f"{kind} {name!r} cannot be used: {'; '.join(str(fault) for fault in broken)}")
        blocked = [source for source in self.blocked if source.part == (kind, name)]
        if blocked:
            return PluginError(f"{kind} {name!r} of {blocked[0].provider} is blocked by {BLOCK_VARIABLE}")
        names = self.names(kind)
        others = "".join(f"\nnote: {fault}" for fault in broken)
        known = ", ".join(names) or "none"
        return UnknownPartError(f"no {kind} {name!r}{did_you_mean(name, names)} (known: {known}){others}")


def _last_line_of(error: Exception, module: str) -> str:
    """Return the file and line of the innermost frame of a module, for a message."""
    place, frame = "", error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_globals.get("__name__") == module:
            place = f" ({Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno})"
        frame = frame.tb_next
    return place


def _nearest_hook(message: str) -> str:
    """Return the nearest right name where a message of pluggy names an unknown hook."""
    found = re.search(r"unknown hook '(\w+)'", message)
    return did_you_mean(found.group(1), [*hookspecs.HOOK_OF_KIND.values(), "nbframework_recipes"]) if found else ""


def installed_sources() -> list[Source]:
    """Return the entry points of all installed distributions."""
    found, known = [], dict[int, tuple[str, str]]()
    points = list(entry_points(group=GROUP))
    for point in points:
        distribution = point.dist
        if id(distribution) not in known:
            # either is read from the metadata again whenever it is asked for
            known[id(distribution)] = (distribution.name, distribution.version) if distribution else ("", "")
        found.append(Source(point.name, point.value.partition(":")[0], *known[id(distribution)]))
    return found


def blocked_names() -> list[str]:
    """Return the names that the environment blocks."""
    return [name.strip() for name in os.environ.get(BLOCK_VARIABLE, "").split(",") if name.strip()]


@functools.cache
def installed() -> Plugins:
    """Return the plugins of this process, without those that the environment blocks."""
    blocked = blocked_names()
    named = [name.strip() for name in os.environ.get("NBFRAMEWORK_PLUGINS", "").split(",") if name.strip()]
    sources = installed_sources()
    present = {source.module for source in sources}
    sys.path[:0] = [] if not named or "" in sys.path else [""]
    return Plugins([*sources, *(Source(name, name) for name in named if name not in present)], blocked)
