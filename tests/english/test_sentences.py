"""A sentence that a person reads has at most 25 words; ``prose.py`` says what counts."""

from pathlib import Path

import pytest

from tests.data import ROOT
from tests.english.prose import ROOMS, files, n_words, prose_of, sentences

MOST_WORDS = 25


def too_long(text: str) -> list[str]:
    """Return the sentences with too many words, in which names are backticks."""
    return [sentence for sentence in sentences(text) if n_words(sentence) > MOST_WORDS]


@pytest.mark.parametrize("room", ROOMS)
def test_no_sentence_is_too_long(room: str) -> None:
    paths = files(room)
    found = [
        f"{path.relative_to(ROOT)}: {sentence}"
        for path in paths
        for text in prose_of(path)
        for sentence in too_long(text)
    ]
    assert len(paths) >= 5
    assert found == []


WORDS = " ".join(["word"] * MOST_WORDS)


@pytest.mark.parametrize(
    "text",
    [
        f"{WORDS} more.",
        f"A sentence. {WORDS},\nand more.",
        f"- {WORDS}\n  more",
        f"{WORDS[5:]}; two more.",
        f"A list: {WORDS[5:]} (more; still the same); more",
        f"`name` ({WORDS} more)",
        f"{WORDS} [more](docs/page.md)",
    ],
)
def test_a_long_sentence_is_found(text: str) -> None:
    assert len(too_long(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"{WORDS}.",
        f"{WORDS}. More.",
        f"List: {WORDS[5:]}; {WORDS}; more.",
        f"- {WORDS}\n- more",
        f"{WORDS} 12.5 % = 3",
        f"| {WORDS} | more |\n# {WORDS} more\n\n```sh\n{WORDS} more\n```",
        f"{WORDS[5:]} `one`, `two` (with a gloss), three_four and `five six`",
        f"As follows::\n\n    {WORDS} more\n",
        f"[{WORDS}](which/leads to/a place)",
    ],
)
def test_what_is_no_long_sentence_passes(text: str) -> None:
    assert too_long(text) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.md", "{}"),
        ("x.py", '"""{}"""'),
        ("x.py", "a = 1  # {}"),
        ("x.py", "# {}"),
        ("x.py", 'raise ValueError(f"{}" " more")'),
        ("x.py", 'add("--x", help="{}")'),
        ("x.sql", "select 1 -- {}"),
        ("x.sql", "{{#- {} -#}}"),
        ("x.yml", "models: [{{name: x, description: '{}'}}]"),
        ("x.toml", "# {}\na = 1"),
        ("Makefile", "# {}\nall:"),
    ],
)
def test_each_kind_of_prose_is_read(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content.format(f"{WORDS} more") + "\n")
    assert [sentence for text in prose_of(path) for sentence in too_long(text)]
