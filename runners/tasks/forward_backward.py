"""What all round trips share: a task that describes code, and a task that writes it again.

Allamanis et al. 2024 (arXiv 2402.08699, section 2). A forward task gives descriptions, a backward
task asks for the code again from each of them, and without one (the baseline).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ingest.answers import RULES
from models.words import Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.tasks.base import Prompt, Question, Task, TaskInput
from runners.tasks.templates import Template
from warehouse.errors import BadInput
from warehouse.facts.generations import CodeDescription, descriptions
from warehouse.facts.problems import StoredProblem
from warehouse.parameters import BadValue
from warehouse.store.connection import reading

PARAGRAPH = "\n\n"


@dataclass(frozen=True)
class RoundTripPlace:
    """The subject of a round trip: the code to be described, and the variant that is shown."""

    problem: StoredProblem
    variant_id: str
    code: str

    def question(self, prompt: Prompt, n: int, parent: tuple[str, int] | None = None) -> Question:
        """Return a question whose right answer is the code."""
        of = self.problem
        return Question(
            of.problem_id, of.task_id, self.variant_id, prompt, self.code, n, parent=parent
        )


class ForwardTask(Task):
    """Asks for descriptions; a completion ends at a blank line, a chat by itself."""

    planted = "description"
    bare_in_chat = False
    template_in_completion = True

    def stop(self, style: Style) -> tuple[str, ...]:
        """Return the texts that end a description."""
        return () if style.in_chat else (PARAGRAPH,)

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the rules of the style."""
        return ("whole",) if style.in_chat else ("stop", "whole")


class BackwardTask(Task):
    """Asks for code from each description, and without one (the baseline).

    The baseline is drawn as often as all descriptions of a problem together, unless sampling is
    deterministic. No request is made for an empty description: the views count it as failed.
    ``ending`` is the text that ends a completion; a chat closes its block. ``rule`` keeps a part
    of a completion, ``chat_rule`` of a chat's answer.
    """

    of_descriptions = True
    bare_in_chat = False
    template_in_completion = True
    ending: str
    rule: str
    chat_rule: str

    def own_prompt(self, style: Style) -> str:
        """Return the template of the style."""
        return f"{self.name}_chat_v1" if style.in_chat else f"{self.name}_v1"

    def stop(self, style: Style) -> tuple[str, ...]:
        """Return the text that ends a completion; none for a chat."""
        return () if style.in_chat else (self.ending,)

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the rule of the style."""
        return (self.chat_rule,) if style.in_chat else (self.rule,)


def required(template: Template | None) -> Template:
    """Return the template; raises BadValue for the bare prompt, which asks no question here."""
    if template is None:
        raise BadValue(
            "prompt", "a round trip needs a prompt template: leave it out for the default"
        )
    return template


def prompt_of(template: Template, style: Style, **parts: str) -> Prompt:
    """Return a template with its parts filled in, as a message where a chat is asked."""
    messages = template.messages(**parts) if style.in_chat else None
    return Prompt(template.render(**parts), messages)


def spaced_once(description: str) -> str:
    """Return a description with one space for each run of white space."""
    return " ".join(description.split())


def text_rule(rule: str, stop: Sequence[str]) -> AnswerRule:
    """Return the rule that keeps a description."""

    def kept_text(completion: Completion) -> KeptAnswer:
        return KeptAnswer(RULES.load(rule)(completion.text, stop), rule)

    return kept_text


def described(wanted: TaskInput, forward: str) -> list[CodeDescription]:
    """Return the answers of ``described_by`` to a forward task; raises BadInput where it has
    none."""
    with reading() as con:
        found = descriptions(con, wanted.dataset, wanted.described_by, forward)
    if not found:
        raise BadInput(
            f"no descriptions of {wanted.dataset} by {wanted.described_by} are stored: run `assay "
            f"generate --lm {wanted.described_by} --dataset {wanted.dataset} --task "
            f"{forward} ...` first, or name another language model with --described-by"
        )
    return found


def backward_questions(
    wanted: TaskInput,
    place: RoundTripPlace,
    texts: Sequence[CodeDescription],
    prompt: Callable[[str], Prompt],
    uninformed: str,
) -> list[Question]:
    """Return a question for each description that is not empty, and one for the baseline.

    ``uninformed`` is the baseline's description. The baseline is drawn as often as all descriptions
    together, unless sampling is deterministic. Without any description there is no question.
    """
    if not texts:
        return []
    n = wanted.n * len(texts) if wanted.pairs.repeat else wanted.n
    return [
        place.question(prompt(uninformed), n),
        *(
            place.question(
                prompt(spaced_once(text.kept_text)),
                wanted.n,
                (text.generation_id, text.sample_index),
            )
            for text in texts
            if text.kept_text.strip()
        ),
    ]


def grouped(
    texts: Sequence[CodeDescription], key: Callable[[CodeDescription], str]
) -> Mapping[str, list[CodeDescription]]:
    """Return descriptions by a key, in their order."""
    found: dict[str, list[CodeDescription]] = {}
    for text in texts:
        found.setdefault(key(text), []).append(text)
    return found
