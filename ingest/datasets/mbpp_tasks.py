"""Shared by both releases of MBPP: one task as a problem."""

from ingest.answers.synthesis import function_under_test, recast
from ingest.fields import Fields
from ingest.parsing import unix_lines
from ingest.problems.drafts import ProblemDraft, TestDraft


def problem_of(
    task: Fields, *, description: str, setup_code: str, tags: tuple[str, ...] = ()
) -> ProblemDraft:
    """Return one task recast; ``description`` names the field with the problem's text."""
    number = task.optional_count("task_id")
    if number is None:
        raise task.bad("the field 'task_id' is missing")
    code = task.text("code")
    asserts = [unix_lines(assertion).strip() for assertion in task.texts("test_list")]
    try:
        function = function_under_test(code, asserts)
        parts = recast(code, function, task.text(description))
    except (SyntaxError, ValueError) as error:
        raise task.bad(f"task {number}: {error}") from error
    return ProblemDraft(
        task_id=f"MBPP/{number}",
        entry_point=function,
        prompt=parts.prompt,
        reference=parts.reference,
        suffix=parts.suffix,
        setup_code=unix_lines(setup_code),
        test_code="\n".join(asserts) + "\n",
        tests=tuple(TestDraft("base", "assert", source) for source in asserts),
        tags=tags,
        row=task.row,
    )
