"""The oracle: a program and its tests share one interpreter and one namespace, and are trusted.

This file is not imported. The sandbox runs its text as a whole program (see ``ways``), which keeps
it apart from everything that is to be checked: judge, proxies, codec. It reads one task from
standard input and prints how it went, as openai/human-eval (asserts) and EvalPlus (inputs) decide.
"""

import base64
import copy
import json
import os
import pickle
import sys
import types
from typing import Any

PROGRAM, TESTS = "<program>", "<tests>"


def main() -> None:
    """Run one task and print its verdict."""
    task = json.loads(sys.stdin.read())
    told, told_to = sys.stdout, os.getpid()
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
    verdict, message = "passed", ""
    try:
        (run_asserts if "tests" in task else run_inputs)(task)
    except BaseException as error:
        verdict = verdict_of(error)
        try:
            message = f"{type(error).__name__}: {error}"
        except BaseException:
            message = type(error).__name__
    if os.getpid() != told_to:
        os._exit(0)
    sys.stdout = told
    print(json.dumps([verdict, message[:500]]))


def run_asserts(task: dict[str, Any]) -> None:
    """Play program, setup and tests one after the other, then ``check`` where tests define it."""
    namespace = loaded(task["program"])
    exec(compile(task["setup"], TESTS, "exec", dont_inherit=True), namespace)
    exec(compile(task["tests"], TESTS, "exec", dont_inherit=True), namespace)
    if task["calls_check"]:
        namespace["check"](namespace[task["entry_point"]])


def run_inputs(task: dict[str, Any]) -> None:
    """Ask program and reference for every input, each with a separate copy, and compare."""
    agrees = comparison(task["compare_source"])
    reference = loaded(task["reference"])[task["entry_point"]]
    candidate = loaded(task["program"])[task["entry_point"]]
    for given in pickle.loads(base64.b64decode(task["inputs"])):
        wanted = reference(*copy.deepcopy(given))
        out = candidate(*copy.deepcopy(given))
        if not agrees(task["compare"], given, out, wanted, task["atol"]):
            raise WrongOutput(f"{task['entry_point']}(*{given})"[:200])


def comparison(source: str) -> Any:
    """Return the judge's rule; the codec it imports only guards it, and is left out here."""
    codec = types.ModuleType("models.plain.codec")
    codec.check_table = lambda *_: None  # type: ignore[attr-defined]
    ours = {"models": types.ModuleType("models"), "models.plain.codec": codec}
    sys.modules.update(ours)
    rules = loaded(source)
    for name in ours:
        del sys.modules[name]
    return rules["agrees"]


class WrongOutput(Exception):
    """The program's output is not the reference's."""


def loaded(source: str) -> dict[str, Any]:
    """Return the namespace of a program after it has run."""
    module = sys.modules["candidate"] = types.ModuleType("candidate")
    exec(compile(source, PROGRAM, "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


def verdict_of(error: BaseException) -> str:
    """Say what an exception means: a test's own assert has failed, anything else is an error."""
    if isinstance(error, MemoryError):
        return "out_of_memory"
    if isinstance(error, WrongOutput):
        return "failed"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    in_tests = trace is not None and trace.tb_frame.f_code.co_filename == TESTS
    return "failed" if isinstance(error, AssertionError) and in_tests else "error"


main()
