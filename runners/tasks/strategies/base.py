"""What every strategy says: the prompt templates by which it asks for a program."""

from collections.abc import Sequence
from dataclasses import dataclass

from models.words import SCRIPT, Style
from runners.tasks.templates import ORIGINAL
from warehouse.facts.problems import StoredProblem
from warehouse.parameters import BadValue


@dataclass(frozen=True)
class Strategy:
    """One way to ask for a program: a chat template for functions, and one for whole programs.

    The placeholders of a template say which requests come before it. ``takes_bare_prompt`` says
    whether the prompt of a problem, without a template, is the same strategy.
    """

    functions: str
    programs: str
    takes_bare_prompt: bool = False

    @property
    def prompts(self) -> tuple[str, ...]:
        """The names of all its prompts."""
        bare = (ORIGINAL,) if self.takes_bare_prompt else ()
        return (*bare, self.functions, self.programs)

    def prompt_for(self, style: Style, problems: Sequence[StoredProblem] | None) -> str:
        """Return the prompt that asks about some problems; functions are assumed without any.

        Raises BadValue where some are functions and others whole programs.
        """
        if self.takes_bare_prompt and not style.in_chat:
            return ORIGINAL
        n_programs = sum(problem.entry_point == SCRIPT for problem in problems or ())
        if problems and 0 < n_programs < len(problems):
            raise BadValue(
                "prompt",
                "the dataset has functions and whole programs, and a strategy asks for them by "
                f"different templates: name {self.functions} or {self.programs}",
            )
        return self.programs if n_programs else self.functions
