"""Planning: a program by a plan, which the language model makes in three requests beforehand.

It is a strategy of Chon et al. 2024 (arXiv 2408.14504, appendix A.2) in four requests. They
ask for notes on the problem, at most three possible solutions, the choice of the best, and the
program by the chosen solution. The paper's released code shows the list of solutions in place of
the chosen one, and one plan to all samples of a problem. Here, as in the paper's text, the chosen
solution is shown; each sample has a separate plan. The notes are shown in all later requests, as in
the released code. The wording is ours.

A list and a choice must have a form (``plan_forms.py``). A reply in another form is asked for once
more, by the template ``repair``, which shows it. The second failure ends the plan.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from ingest.problems.programs import PROGRAMS
from models.words import Style
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.tasks.base import FormFault, Questions, Task, TaskInput, questions_for_problems
from runners.tasks.forward_backward import text_rule
from runners.tasks.strategies.base import Strategy
from runners.tasks.strategies.plan_forms import fault_of_choice, fault_of_solutions
from runners.tasks.synthesis import problem_prompt
from warehouse.facts.problems import StoredProblem
from warehouse.parameters import BadValue

PLANNING = Strategy("synthesis_chat_planning_v1", "synthesis_program_chat_planning_v1")


class PlanStep(Task):
    """One request of a plan: a text in a chat, which later requests show and nothing judges."""

    over = (PROGRAMS.task,)
    bare_in_chat = False

    def own_prompt(self, style: Style) -> str:
        """Return the template."""
        return f"{self.name}_v1"

    def keeping_rules(
        self, style: Style, problems: Sequence[StoredProblem] | None = None
    ) -> tuple[str, ...]:
        """Return the rule that keeps all of an answer."""
        return ("whole",)

    def questions(self, wanted: TaskInput) -> Questions:
        """Return a question for each problem, or for each sample that has earlier answers."""
        if wanted.template is None:
            raise BadValue("prompt", f"{self.name} needs a prompt template: leave the prompt out")
        earlier = {
            (problem_id, chain.sample_index): chain.texts
            for problem_id, chains in (wanted.chains or {}).items()
            for chain in chains
        }
        rules = self.keeping_rules(wanted.style)
        return Questions(
            questions_for_problems(wanted, problem_prompt),
            rules,
            partial(form_rule, fault_of=self.form_fault, earlier=earlier),
        )


class PlanReflection(PlanStep):
    """First request of a plan: notes on the problem, in any form."""

    name = "plan_reflection"
    planted = "notes"


class PlanSolutions(PlanStep):
    """Second request: a numbered list of at most three possible solutions."""

    name = "plan_solutions"
    planted = "solutions"
    repair = "plan_solutions_repair_v1"
    form_fault = staticmethod(fault_of_solutions)


class PlanChoice(PlanStep):
    """Third request: the best of the solutions, named and written out in full."""

    name = "plan_choice"
    planted = "choice"
    repair = "plan_choice_repair_v1"
    form_fault = staticmethod(fault_of_choice)


def form_rule(
    rule: str,
    stop: Sequence[str],
    fault_of: FormFault | None,
    earlier: Mapping[tuple[str, int], Mapping[str, str]],
) -> AnswerRule:
    """Return the rule that keeps all of an answer, and notes one in another form.

    ``earlier`` are the answers to earlier requests, by problem and sample index.
    """
    keep = text_rule(rule, stop)

    def kept_reply(completion: Completion) -> KeptAnswer:
        found = keep(completion)
        if fault_of is None or not found.kept.text.strip():
            return found
        request = completion.request
        texts = earlier.get((request.problem_id, request.sample_index), {})
        fault = fault_of(found.kept.text, texts)
        return KeptAnswer(found.kept, rule, (("parse_fail", fault),) if fault else ())

    return kept_reply
