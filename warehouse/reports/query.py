"""A query of ``sql/`` with the names and values that a report asks for filled in.

The finished text is stored beside each export, so it holds everything and can be run by itself.
"""

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = resources.files("warehouse") / "reports" / "sql"


def query(name: str, /, **values: Any) -> str:
    """Return the SQL of a query, such as ``papers/mutations/effects``."""
    return _environment().get_template(f"{name}.sql").render(values)


@cache
def _environment() -> "Environment":
    """Return what fills the templates in; every macro is there by its name."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(str(FOLDER)),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    names = found.list_templates(filter_func=lambda name: name.startswith("macros/"))
    # as one template: each macro may call any other
    sources = (FOLDER.joinpath(name).read_text(encoding="utf-8") for name in names)
    macros = vars(found.from_string("".join(sources)).module)
    found.globals |= {name: macro for name, macro in macros.items() if name[0] != "_"}
    return found
