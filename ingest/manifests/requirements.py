"""The packages that problems need: what they import that is not in Python's library."""

import ast
import re
import sys
from collections.abc import Mapping

from ingest.fields import Fields
from ingest.parsing import parse

NEEDS = "needs:"
"""How the tag begins that names a package which a problem needs."""

REQUIREMENT = re.compile(
    r"[a-z0-9][\w.-]*\s*(\[[\w.,\s-]*\])?\s*(\(?\s*[<>=!~][\w\s<>=!~.,*+-]*\)?)?\s*(;.*)?", re.I
)
"""A package with versions, where they matter; never an address, a path or an option of pip."""


def requirements_of(row: Fields) -> Mapping[str, str]:
    """Return the packages that a row names, by the name under which they are imported."""
    found = row.values.get("requirements", {})
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise row.bad("'requirements' must be an object: import name to name of the package")
    for module, package in found.items():
        if not REQUIREMENT.fullmatch(package):
            raise row.bad(no_package(module, package))
    return found


def no_package(module: str, package: str) -> str:
    """Return what is said of a requirement that names no package."""
    return f"{module} needs {package[:100]!r}, which is no name of a package: add versions at most"


def needed_packages(row: Fields, sources: Mapping[str, str], known: Mapping[str, str]) -> set[str]:
    """Return the packages that are imported; raises BadInput for one that nothing names."""
    needed = set()
    for what, source in sources.items():
        for module in _imported(source):
            if module in known:
                needed.add(known[module])
            elif module not in sys.stdlib_module_names:
                raise row.bad(
                    f"the {what} import{'' if what == 'tests' else 's'} {module!r}, which is not "
                    f'in Python\'s library: name its package, "requirements": {{"{module}": "..."}}'
                )
    return needed


def _imported(source: str) -> list[str]:
    """Return the top-level modules that a text imports; none where it does not parse."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []  # check_program says so
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= dict.fromkeys(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found[node.module.partition(".")[0]] = None
    return list(found)
