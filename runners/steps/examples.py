"""The example configurations that come along: ``configs`` in a checkout, inside when installed."""

import re
from dataclasses import dataclass
from pathlib import Path

from warehouse.errors import AssayError, BadInput, known_names


@dataclass(frozen=True)
class Example:
    """One configuration: its name, its text, and its first sentence."""

    name: str
    text: str

    @property
    def purpose(self) -> str:
        """The first sentence of the comment that the file begins with."""
        comment = " ".join(re.findall(r"^# ?(.*)$", self.text.partition("\n\n")[0], re.MULTILINE))
        return comment.partition(". ")[0].rstrip(".")


def examples() -> dict[str, Example]:
    """Return all examples by name."""
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "_configs", here.parent / "configs"):
        found = {path.stem: path for path in sorted(folder.glob("*.toml"))}
        if found:
            return {
                name: Example(name, path.read_text(encoding="utf-8"))
                for name, path in found.items()
            }
    raise AssayError(f"the example configurations are missing: looked beside and inside {here}")


def example(name: str) -> Example:
    """Return one example; raises BadInput naming those there are."""
    found = examples()
    wanted = name.removesuffix(".toml")
    if wanted not in found:
        raise BadInput(f"no example {name!r}{known_names(wanted, found)}")
    return found[wanted]


def copy_example(name: str, to: Path) -> Path:
    """Write an example to a file, or into a folder, and return the file's path.

    Raises BadInput where there is a file already.
    """
    text = example(name).text
    path = to / f"{name.removesuffix('.toml')}.toml" if to.is_dir() else to
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise BadInput("this file exists already; name another one", path=path) from None
    except FileNotFoundError:
        reason = f"cannot be written: there is no folder {path.parent}"
        raise AssayError(f"{path}: {reason}") from None
    return path
