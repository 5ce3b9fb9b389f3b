"""What a language other than Python says: its tools, and how a program is compiled and run.

A program passes when the last line that it prints is a token that only the driver knows, and its
exit status is 0. The driver runs the tests and prints the token after the last one. So a program
that ends early, or that prints what a harness prints, does not pass. The program shares its process
with the driver: one that searches its memory for the token could forge a verdict. So the integrity
of these verdicts is ``same_interpreter``.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from runners.judging.sandbox.types import Suite


@dataclass(frozen=True)
class Tool:
    """A program of the machine, and the Debian package that brings it.

    ``find`` returns its real path where the name on the path is not the program itself.
    """

    name: str
    package: str
    find: Callable[[], str | None] | None = None

    def path(self) -> str | None:
        """Return its path, None where it is absent."""
        found = (
            self.find() if self.find else shutil.which(self.name, path="/usr/bin:/usr/local/bin")
        )
        return str(Path(found).resolve()) if found else None


@dataclass(frozen=True)
class Command:
    """A step: what is started, what it reads, and what it may use.

    ``memory_limit`` names the limit of the kernel that ``memory_mb`` sets. AS counts all addresses.
    DATA counts what can be written: runtimes reserve more than they use. ``remove`` are files to
    be gone after it. ``forks``: it may start processes.
    """

    command: Sequence[str]
    stdin: str = ""
    memory_limit: str = "AS"
    environment: Mapping[str, str] = field(default_factory=dict)
    processes: int = 64
    forks: bool = False
    remove: Sequence[str] = ()


@dataclass(frozen=True)
class Plan:
    """The files of a program with its tests, the command that compiles, and the one that runs."""

    files: Mapping[str, str]
    run: Command
    compile: Command | None = None


@dataclass(frozen=True)
class Language:
    """One language.

    ``plan`` takes a program, its tests, the token and the memory in MB. ``stub`` is what ends a
    body that only raises, ``labels`` are of fenced blocks. ``folders`` returns those of the host
    that its tools read. ``memory_words`` are what a program prints that has too little memory.
    """

    name: str
    tools: tuple[Tool, ...]
    labels: frozenset[str]
    stub: str
    memory_words: tuple[str, ...]
    plan: Callable[[str, Suite, str, int], Plan]
    folders: Callable[[], Sequence[str]]

    def absent(self) -> str | None:
        """Return why its programs cannot run here, and what to install; None where they can."""
        missing = [tool for tool in self.tools if tool.path() is None]
        if not missing:
            return None
        names = " and ".join(tool.name for tool in missing)
        packages = " ".join(dict.fromkeys(tool.package for tool in missing))
        return f"{names} not found: install the Debian package {packages}"


def tool_path(tool: Tool) -> str:
    """Return the path of a tool that is there."""
    found = tool.path()
    assert found is not None
    return found
