"""Registries: which object a name stands for, as text, so that listing names imports nothing."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from importlib import import_module
from operator import attrgetter
from typing import Any, Generic, TypeVar

from warehouse.errors import BadInput, known_names
from warehouse.plugins import BadPlugin, Plugin, plugins_of

Entry = TypeVar("Entry", covariant=True)


class Registry(dict[str, str], Generic[Entry]):
    """Import paths by name, each ``module:attribute``, as entry points are written.

    ``Entry`` is the type of what every path leads to; ``noun`` says in messages what is named.
    Plug-ins of the entry points' ``group`` are added; a name of Assay's own stays with it. What a
    plug-in brings must be ``of`` a class, named by its path, and say its name where ``named`` says.
    """

    def __init__(
        self,
        noun: str,
        paths: Mapping[str, str],
        *,
        group: str = "",
        of: str = "",
        named: str = "",
    ):
        super().__init__(paths)
        self.noun = noun
        self.of = of
        self.named = named
        self.plugins: dict[str, Plugin] = {}
        self.crowded_out: list[Plugin] = []
        for plugin in plugins_of(group) if group else ():
            if plugin.name in self:
                self.crowded_out.append(plugin)
                continue
            self.plugins[plugin.name] = plugin
            self[plugin.name] = plugin.path

    def load(self, name: str) -> Entry:
        """Import an entry; raises BadInput for an unknown name, with the known ones.

        Raises BadPlugin for a plug-in that cannot be imported, or is not what it should be.
        """
        if name not in self:
            raise BadInput(f"there is no {self.noun} {name!r}{known_names(name, self)}")
        if name in self.plugins:
            return self._plugged(self.plugins[name])
        entry: Entry = _imported(self[name])
        return entry

    def load_all(self, names: Iterable[str]) -> Iterator[tuple[str, Entry]]:
        """Yield names and entries; a plug-in that cannot be used is said once and left out.

        Raises BadPlugin where nothing else was asked for.
        """
        problem: BadPlugin | None = None
        is_any_loaded = False
        for name in names:
            try:
                entry = self.load(name)
            except BadPlugin as error:
                problem = error
                _say_once(str(error))
            else:
                is_any_loaded = True
                yield name, entry
        if problem and not is_any_loaded:
            raise problem

    def _plugged(self, plugin: Plugin) -> Entry:
        try:
            with redirect_stdout(sys.stderr):  # what a command prints may be JSON
                entry: Entry = _imported(plugin.path)
        except (Exception, SystemExit) as error:  # others wrote it: it may raise anything
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise BadPlugin(f"{plugin} cannot be imported: {reason}") from error
        wanted = _imported(self.of)
        for each in entry if isinstance(entry, tuple) else (entry,):
            kind = each if isinstance(each, type) else type(each)
            if wanted not in kind.__mro__:
                raise BadPlugin(f"{plugin} is no {wanted.__name__}")
            if self.named and (said := attrgetter(self.named)(each)) != plugin.name:
                raise BadPlugin(f"{plugin} calls itself {said!r}: both names must be the same")
        return entry


_said: set[str] = set()


def _say_once(warning: str) -> None:
    if warning not in _said:
        _said.add(warning)
        print(f"warning: {warning}; it is left out", file=sys.stderr)


def _imported(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)
