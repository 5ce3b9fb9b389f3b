"""How each assert of a rewritten test module went."""

from typing import Any


class Recorder:
    """Keeps how each assert went; the rewritten tests call it (see judge/rewrite.py)."""

    kinds: tuple[type[BaseException], ...] = (
        *(Exception, SystemExit, KeyboardInterrupt, GeneratorExit),
    )  # an assert that raises one of these has failed, and the next one is tried

    def __init__(self, n_tests: int):
        self.outcomes: list[list[str]] = [["not_run", ""] for _ in range(n_tests)]

    def enter(self, index: int) -> None:
        """Assert ``index`` begins; nothing to note here."""

    def check(self, index: int, condition: Any) -> None:
        """Note one execution of assert ``index``."""
        self.note(index, "passed" if condition else "failed", "")

    def caught(self, index: int, error: BaseException) -> None:
        """Note an exception raised while assert ``index`` was evaluated."""
        status = "out_of_memory" if isinstance(error, MemoryError) else "error"
        try:
            text = f"{type(error).__name__}: {error}"
        except Exception:
            text = type(error).__name__
        self.note(index, status, text[:200])

    def note(self, index: int, status: str, message: str) -> None:
        """Keep the first thing that went wrong: a test passes when all its executions do."""
        if self.outcomes[index][0] in ("not_run", "passed"):
            self.outcomes[index] = [status, message]
