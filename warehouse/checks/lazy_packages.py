"""Load parts of a library whose packages import everything they offer.

The ``__init__`` of such a package is a list of ``from .part import name``: asking for one class
loads hundreds of modules. Inside ``lazily`` those lines are postponed, and each name is imported
when somebody first asks for it. Every module below runs as it was written, and the objects are the
library's own. The outermost ``__init__`` gives its names in the same way and is not run. Where it
fills registries, whoever loads a part imports the modules that must be registered.
"""

import ast
import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.metadata import version
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType
from typing import Any


@contextmanager
def lazily(library: str, without: Sequence[str] = ()) -> Iterator[None]:
    """Postpone what the packages of ``library`` re-export; a library that is loaded stays whole.

    ``without`` names modules of others that cannot be imported meanwhile, as if not installed.
    """
    if library in sys.modules:
        yield
        return
    finder = _Finder(library, without)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder(MetaPathFinder):
    def __init__(self, library: str, without: Sequence[str]) -> None:
        self.root = library
        self.without = without

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in self.without:
            raise ModuleNotFoundError(f"{fullname} is not wanted here", name=fullname)
        if _root_of(fullname) != self.root:
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and spec.submodule_search_locations and spec.origin is not None:
            spec.loader = _PackageLoader(fullname, spec.origin)
        return spec


class _PackageLoader(SourceFileLoader):
    """Runs an ``__init__`` without the lines that import from the same library."""

    def exec_module(self, module: ModuleType) -> None:
        package, namespace = module.__name__, module.__dict__
        postponed, rest = _split(Path(self.path).read_text(encoding="utf-8"), package)

        def get(name: str) -> Any:
            if name not in postponed:
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
            source, original = postponed[name]
            if source == package:
                value: Any = importlib.import_module(f"{source}.{original}")
            else:
                value = getattr(importlib.import_module(source), original)
            namespace[name] = value
            return value

        namespace["__getattr__"] = get
        if package == _root_of(package):
            namespace["__version__"] = version(package)
            return
        for name in _names_used(rest) & postponed.keys():
            get(name)
        exec(compile(ast.Module(rest, []), self.path, "exec"), namespace)


def _split(source: str, package: str) -> tuple[dict[str, tuple[str, str]], list[ast.stmt]]:
    """Return what the library re-exports, by module and name there, and the other statements."""
    postponed: dict[str, tuple[str, str]] = {}
    rest: list[ast.stmt] = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ImportFrom):
            dotted = "." * statement.level + (statement.module or "")
            origin = resolve_name(dotted, package)
            if _root_of(origin) == _root_of(package):
                postponed.update({n.asname or n.name: (origin, n.name) for n in statement.names})
                continue
        rest.append(statement)
    return postponed, rest


def _names_used(statements: Sequence[ast.stmt]) -> set[str]:
    return {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name)
    }


def _root_of(name: str) -> str:
    return name.partition(".")[0]
