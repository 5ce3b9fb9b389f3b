"""The prompt of ``assay sql``: several lines, commands, mistakes and interruptions."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from runners.cli.prompt import converse
from tests.warehouse.views import make_views
from warehouse.publish import publish
from warehouse.query import opened


def typing(*lines: str | type[BaseException]) -> Callable[[str], str]:
    """Return an ``input`` that types these lines, and then Ctrl-D."""
    left = iter(lines)

    def ask(prompt: str) -> str:
        for line in left:
            if not isinstance(line, str):
                raise line
            return line
        raise EOFError

    return ask


@pytest.fixture
def reader(home: Path) -> Iterator[object]:
    make_views()
    publish()
    with opened() as found:
        yield found


def test_a_session(reader: object, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        ".help",
        ".tables",
        ".schema leaderboard",
        ".schema raw.run",
        ".schema x' or 1 = 1 --",
        ".nonsense",
        "select 41",
        "",
        "  + 1 as answer;",
        "select 'half",
        KeyboardInterrupt,
        "drop table leaderboard_v1;",
        "select 'after' as word; select 2 as two;",
        ".quit",
        "select 'never';",
    ]
    converse(reader, max_rows=None, ask=typing(*lines))  # type: ignore[arg-type]
    shown = capsys.readouterr()
    assert "Ctrl-C drops" in shown.out
    assert "leaderboard_v1" in shown.out
    assert "pass_at_1_lo" in shown.out
    assert "Random key of the run." in shown.out, "tables carry their descriptions"
    assert "answer" in shown.out
    assert "42" in shown.out
    assert "after" in shown.out
    assert "never" not in shown.out
    mistakes = shown.err.splitlines()
    assert len(mistakes) == 3
    assert "no table or view named x' or 1 = 1 --" in mistakes[0]
    assert "no command .nonsense" in mistakes[1]
    assert "only reading is allowed here, not DROP" in mistakes[2]
    assert (home / "sql_history").stat().st_mode & 0o777 == 0o600


def test_a_history_that_cannot_be_kept_is_said(
    reader: object, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "sql_history").mkdir()
    converse(reader, max_rows=None, ask=typing())  # type: ignore[arg-type]
    assert "history not kept" in capsys.readouterr().err
