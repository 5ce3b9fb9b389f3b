"""The works that are cited: ``references.bib`` by its keys, and those of each dataset.

The file is BibTeX in one shape: an entry opens with ``@kind{key,``, has one field a line, and ends
with ``}``. What has another shape is refused, so that a slip is found here and not by a reader.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

FILE = "references.bib"
OPENING = re.compile(r"@(\w+){(\w+),")
FIELD = re.compile(r"  (\w+) = {(.+)},")

DATASETS: Mapping[str, tuple[str, ...]] = {
    "humaneval": ("chen2021",),
    "humaneval_plus": ("chen2021", "liu2023"),
    "mbpp": ("austin2021",),
    "mbpp_sanitized": ("austin2021",),
    "mbpp_plus": ("austin2021", "liu2023"),
    "apps": ("hendrycks2021",),
    "codecontests": ("li2022alphacode",),
    "codereviewer": ("li2022codereviewer", "naik2024"),
    "defects4j": ("just2014",),
    "manysstubs4j": ("karampatsis2020",),
    "arcade": ("yin2023",),
    "cruxeval_input": ("gu2024",),
    "cruxeval_output": ("gu2024",),
    "evoeval": ("xia2024", "liu2023"),
    "classeval": ("du2023",),
    **dict.fromkeys(
        (f"humaneval_x_{name}" for name in ("js", "java", "cpp", "rust")),
        ("zheng2023x", "chen2021"),
    ),
}
"""The works that describe each dataset; the starter set is a part of Assay itself."""


@dataclass(frozen=True)
class Work:
    """One work: its kind, key and fields, and its text as it is in the file."""

    kind: str
    key: str
    fields: Mapping[str, str]
    text: str

    @property
    def label(self) -> str:
        """Return authors and year, such as Chen et al. 2021."""
        authors = [plain(name).partition(",")[0] for name in self.fields["author"].split(" and ")]
        if len(authors) == 2 and authors[1] != "others":
            who = f"{authors[0]} and {authors[1]}"
        else:
            who = authors[0] + (" et al." if len(authors) > 1 else "")
        return f"{who} {self.fields['year']}"


@cache
def bibliography() -> dict[str, Work]:
    """Return every work by its key."""
    file = resources.files("warehouse") / "reports" / "citations" / FILE
    return parsed(file.read_text(encoding="utf-8"))


def parsed(text: str) -> dict[str, Work]:
    """Return the entries of a text by key; raises ValueError naming the line that does not fit."""
    entries: dict[str, Work] = {}
    opening: re.Match[str] | None = None
    fields: dict[str, str] = {}
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if opening is None:
            if not line.strip() or line.startswith("%"):
                continue
            opening, fields, lines = OPENING.fullmatch(line), {}, [line]
            if opening is None or opening[2] in entries:
                raise ValueError(f"line {number}: no entry, or a second one of its key: {line}")
            continue
        lines.append(line)
        if line == "}":
            kind, key = opening.groups()
            entries[key] = Work(kind, key, fields, "\n".join(lines))
            opening = None
            continue
        field = FIELD.fullmatch(line)
        if field is None or field[1] in fields or not _balanced(field[2]):
            raise ValueError(f"line {number}: no field, or a second one of its name: {line}")
        fields[field[1]] = field[2]
    if opening is not None:
        raise ValueError(f"the entry {opening[2]} does not end")
    return entries


def plain(value: str) -> str:
    """Return a value without the marks of TeX, for a terminal or a page."""
    accents = {"'": "\u0301", '"': "\u0308", "`": "\u0300"}
    value = re.sub(r"{\\(['\"`])(\w)}", lambda found: found[2] + accents[found[1]], value)
    value = value.replace(r"{\l}", "ł")
    return unicodedata.normalize("NFC", re.sub(r"[{}]", "", value))


def _balanced(value: str) -> bool:
    depth = 0
    for character in value:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0
