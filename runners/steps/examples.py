"""The example configurations and the example project: ``configs``, inside when installed."""

import re
from dataclasses import dataclass
from pathlib import Path

from warehouse.errors import AssayError, BadInput, known_names
from warehouse.kinds import unfit_folder


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
    found = sorted(_configs().glob("*.toml"))
    return {path.stem: Example(path.stem, path.read_text(encoding="utf-8")) for path in found}


def _configs() -> Path:
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "_configs", here.parent / "configs"):
        if any(folder.glob("*.toml")):
            return folder
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


def init_project(folder: Path) -> list[Path]:
    """Write the example project into a new or empty folder, and return its files.

    Raises BadInput where something is in that folder, and AssayError where none can be made.
    """
    example = _configs() / "project"
    if reason := unfit_folder(folder):
        raise BadInput(reason, path=folder)
    if folder.exists() and any(folder.iterdir()):
        raise BadInput("the folder is not empty: name a new one", path=folder)
    written = []
    for file in sorted(path for path in example.rglob("*") if path.suffix != ".pyc"):
        if file.is_file():
            place = folder / file.relative_to(example)
            if file.name == "gitignore":  # under its own name, it would hide files of Assay's
                place = place.with_name(".gitignore")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.read_bytes())
            written.append(place)
    return written
