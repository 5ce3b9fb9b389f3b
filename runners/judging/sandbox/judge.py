"""The trusted side: run our own copy of the tests against a candidate that only answers calls.

A verdict ``passed`` needs our copy to end by itself, every test passed and at least one call
answered. Nothing a child can send means "passed".
"""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, ClassVar, Self

from models import codec
from models.words import ERROR, FAILED, NOT_RUN, OUT_OF_MEMORY, PASSED, SAME_INTERPRETER, SCRIPT
from runners.judging.sandbox import compare, rewrite, wire
from runners.judging.sandbox.inside.record import Recorder
from runners.judging.sandbox.shared import NAN, SEPARATOR, Table, lone
from runners.judging.sandbox.types import OUTPUTS, Suite

# Modules a test may use although only the program imports them (mbpp/596 uses sys).
LENT = {
    *("bisect", "cmath", "collections", "copy", "datetime", "decimal", "fractions", "functools"),
    *("heapq", "itertools", "json", "math", "operator", "random", "re", "statistics", "string"),
    *("sys", "time"),
}
CHUNK_BYTES = 4 * 1024 * 1024
MAX_PREDICTED_BYTES = 1024 * 1024
MAX_DIVERGENCES = 2
NOT_REVIVED = (StopIteration, StopAsyncIteration)
ONE_BY_ONE = 64  # items of an iterator that are asked for singly; after them as many at a time

Call = tuple[str, str]


class BrokenOff(BaseException):
    """The conversation cannot be continued; ``unswallowed`` says so again if a test caught it."""

    first: "ClassVar[BrokenOff | None]" = None  # of the conversation that is held

    def __init__(self, *arguments: object):
        super().__init__(*arguments)
        BrokenOff.first = BrokenOff.first or self


@contextmanager
def unswallowed() -> Iterator[None]:
    """Hold one conversation; raises what broke it off, though a test had a bare except for it."""
    BrokenOff.first = None
    try:
        yield
        if BrokenOff.first is not None:
            raise BrokenOff.first
    finally:
        BrokenOff.first = None


class Ended(BrokenOff):
    """The child is gone: no more answers will come."""


class TooSlow(BrokenOff):
    """The judge has waited for the child as long as the wall limit allows."""


class Diverged(BrokenOff):
    """This program led the tests to other calls than foretold."""


class Tampered(BrokenOff):
    """The child sent what an honest one never sends."""


class JudgeLimit(BrokenOff):
    """Judging took more time, memory or depth than is granted; what the program sent led there."""


class CandidateError(Exception):
    """The candidate raised something that is not a builtin exception."""


class CandidateExit(BaseException):
    """The candidate raised something that is no Exception."""


class PreparedSuite:
    """One suite, parsed and compiled once per worker."""

    def __init__(self, suite: Suite):
        self.suite = suite
        self.foretold: list[Call] | None = None
        self.divergences = 0
        self.problem: str | None = None
        self.helpers: dict[str, bool] = {}
        if suite.test_code is None:
            self.n_tests = len(suite.inputs)
            self.names: tuple[str, ...] = ()
            return
        whole = suite.prompt + suite.solution
        try:
            tests = rewrite.rewrite(suite.test_code, suite.setup_code)
            names = [name for name in tests.free_names if name != suite.entry_point]
            given = rewrite.defined(suite.prompt, suite.solution) if names else {}
        except SyntaxError as error:
            raise ValueError(f"the tests do not parse: {error}") from None
        self.n_tests = tests.n_tests
        self.labels = tests.labels
        self.calls_check = tests.calls_check
        self.names = tuple(names)
        # what the tests take from the prompt: the candidate redefines none of it for them
        self.helpers = {name: given[name] for name in names if name in given}
        self.program = (
            compile(whole, "<helpers>", "exec", dont_inherit=True) if self.helpers else None
        )
        self.tree = tests.tree
        self.code = compile(tests.tree, "<tests>", "exec", dont_inherit=True)
        self.setup = compile(suite.setup_code, "<setup>", "exec", dont_inherit=True)

    def bind_helpers(self, namespace: dict[str, Any], candidate: Any, found: list[str]) -> None:
        """Put what the prompt defines for the tests into their namespace, made afresh.

        It comes from prompt and solution, run here; only the entry point is the candidate's. A
        function that the program does not even define (not among ``found``) is missing here too.
        """
        if self.program is None:
            return
        own: dict[str, Any] = {"__name__": "helpers"}
        try:
            exec(self.program, own)
        except SystemExit as error:
            raise CandidateError(f"SystemExit: {error}") from None
        own[self.suite.entry_point] = candidate
        for name in self.helpers:
            if name in found or not callable(own[name]):
                namespace[name] = own[name]

    @cached_property
    def text(self) -> str:
        """The rewritten tests as source, for a child that runs them beside the candidate."""
        return rewrite.unparse(self.tree)

    def learn(self, calls: list[Call]) -> None:
        """Foretell these calls for the next program, unless programs steer them."""
        if self.foretold is None and self.divergences < MAX_DIVERGENCES:
            small = sum(len(text) for _, text in calls) < MAX_PREDICTED_BYTES
            self.foretold = calls if small else None

    def unlearn(self) -> None:
        """Forget what was foretold: a program led the tests elsewhere."""
        self.foretold = None
        self.divergences += 1


class Verdict:
    """What the judge found, before the zygote's word on limits is added."""

    def __init__(self, n_tests: int):
        self.outcomes: list[list[str]] = [[NOT_RUN, ""] for _ in range(n_tests)]
        self.first_bad: tuple[str, str] | None = None
        self.ended = False  # our copy of the tests ran to its end
        self.answered = 0
        self.outputs: list[str] = []
        self.current: int | None = None  # the test being run

    def bad(self, status: str, message: str) -> None:
        """Note a failure; the first one names the verdict."""
        if self.first_bad is None:
            self.first_bad = (status, message)

    @property
    def passed(self) -> bool:
        """Whether nothing at all speaks against the program."""
        return (
            self.ended
            and self.first_bad is None
            and self.answered > 0
            and all(status == PASSED for status, _ in self.outcomes)
        )


class JudgeRecorder(Recorder):
    """Records asserts on the judge's side and tells its own trouble from the candidate's."""

    kinds = (*Recorder.kinds, CandidateExit)

    def __init__(self, verdict: Verdict, prepared: PreparedSuite, channel: Any):
        self.channel = channel
        self.outcomes = verdict.outcomes
        self.verdict = verdict
        self.labels = prepared.labels
        self.raised: BaseException | None = None

    def enter(self, index: int) -> None:
        """Remember which test is open, should the child end during it."""
        self.verdict.current = index

    def caught(self, index: int, error: BaseException) -> None:
        """An exception from the candidate fails the test; our own lack of memory is ours."""
        if error is not self.raised and isinstance(error, MemoryError | RecursionError):
            raise JudgeLimit(type(error).__name__) from None
        super().caught(index, error)

    def note(self, index: int, status: str, message: str) -> None:
        """Keep the first failure, with the assert as its message."""
        message = message or (self.labels[index] if status == FAILED else "")
        super().note(index, status, message)
        self.verdict.current = None
        self.channel.next_test()
        if status != PASSED:
            self.verdict.bad(status, message)


def judge(prepared: PreparedSuite, channel: Any, mode: str, verdict: Verdict) -> None:
    """Hold the whole conversation with one child, filling ``verdict`` as it goes.

    Raises Ended, Diverged, Tampered or JudgeLimit where the conversation breaks off.
    """
    codec.forget_classes()
    suite = prepared.suite
    if suite.test_code is None:
        _judge_inputs(prepared, channel, mode, verdict)
    elif mode == SAME_INTERPRETER:
        _judge_report(prepared, channel, verdict)
    else:
        _judge_asserts(prepared, channel, verdict)


def opening(prepared: PreparedSuite, source: str, mode: str, nonce: str) -> list[bytes]:
    """The first frames for the child: the program, and the calls that can be foretold."""
    suite = prepared.suite
    if suite.entry_point == SCRIPT:
        return [_text(["script", [], source, ""])]
    if suite.test_code is None:
        program = ["inputs", [], source, suite.setup_code]
        return [_text(program), wire.pack_calls(next(_chunks(suite), []))]
    if mode == SAME_INTERPRETER:
        tests = [nonce, prepared.n_tests, suite.setup_code, prepared.text]
        # of the prompt's classes tests make objects for the candidate, which must be its own
        helpers = [name for name, is_class in prepared.helpers.items() if not is_class]
        tests += [suite.entry_point, prepared.calls_check, helpers]
        tests += [suite.prompt + suite.solution if helpers else ""]
        return [_text(["tests", [], source, codec.encode(tests)])]
    frames = [_text(["calls", list(prepared.names), source, ""])]
    if prepared.foretold:
        frames.append(wire.pack_calls(prepared.foretold))
    return frames


def _text(value: Any) -> bytes:
    return codec.encode(value).encode()


def _judge_asserts(prepared: PreparedSuite, channel: Any, verdict: Verdict) -> None:
    found = channel.loaded()
    suite = prepared.suite
    channel.next_test()
    recorder = JudgeRecorder(verdict, prepared, channel)
    proxies = Proxies(channel, prepared, verdict, recorder)
    namespace: dict[str, Any] = {"__name__": "tests", rewrite.RECORDER: recorder}
    for name in prepared.names:
        if name in LENT:
            namespace[name] = sys.modules.get(name) or __import__(name)
    for name in found:
        if name in prepared.names and name not in prepared.helpers:
            namespace[name] = proxies.make(name)
    candidate = namespace[suite.entry_point] = proxies.make(suite.entry_point)
    try:
        prepared.bind_helpers(namespace, candidate, found)
        random.seed(0)
        if suite.setup_code:
            exec(prepared.setup, namespace)
        exec(prepared.code, namespace)
        if prepared.calls_check:
            namespace["check"](candidate)
    except recorder.kinds as error:
        if error is not recorder.raised and isinstance(error, MemoryError | RecursionError):
            raise JudgeLimit(type(error).__name__) from None
        status = OUT_OF_MEMORY if isinstance(error, MemoryError) else ERROR
        verdict.bad(status, f"{type(error).__name__}: {error}"[:500])
        return
    channel.quiet(len(prepared.foretold or ()) - proxies.cursor)
    verdict.ended = True
    if not proxies.table.lent:  # whose items are asked for between two calls
        prepared.learn(proxies.calls)


class Proxies:
    """Functions that look like the candidate's and ask the child."""

    def __init__(
        self, channel: Any, prepared: PreparedSuite, verdict: Verdict, recorder: JudgeRecorder
    ):
        self.channel = channel
        self.foretold = prepared.foretold or []
        self.cursor = 0
        self.calls: list[Call] = []
        self.verdict = verdict
        self.recorder = recorder
        self.table = Table(self._stand_in, judges=True, truth=self._truth)

    def make(self, name: str) -> Any:
        """Return a function that calls ``name`` in the child."""

        def proxy(*args: Any, **keywords: Any) -> Any:
            return self._call(name, args, keywords)

        proxy.__name__ = name
        return proxy

    def _call(self, name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        try:
            if self.table.objects or not (lone(args) and (not keywords or lone(keywords.values()))):
                text = self.table.ask(args, keywords)
            else:
                text = codec.encode((list(args), keywords) if keywords else list(args), None, True)
                if NAN in text:
                    text = self.table.ask(args, keywords)
        except TypeError as error:
            raise TypeError(f"cannot be asked across processes: {error}") from None
        return self._ask((name, text))

    def _ask(self, call: Call) -> Any:
        self.calls.append(call)
        if self.cursor < len(self.foretold):
            if self.foretold[self.cursor] != call:
                raise Diverged
            self.cursor += 1
        else:
            self.channel.ask([call])
        kind, text = self.channel.answer(wire.NEXT)
        while kind == wire.NEXT:
            self.channel.send([wire.ITEM + self._item(text).encode()])
            kind, text = self.channel.answer(wire.NEXT)
        self.verdict.answered += 1
        value = self._read(text) if self.table.objects or SEPARATOR in text else decoded(text)
        if kind == wire.ANSWER:
            return value
        self.recorder.raised = revived(value)
        raise self.recorder.raised

    def _read(self, text: str) -> Any:
        try:
            return self.table.read(text)
        except codec.TooLarge as error:
            raise JudgeLimit(str(error)) from None
        except ValueError as error:
            raise Tampered(f"malformed answer: {error}"[:200]) from None

    def _item(self, text: str) -> str:
        """The next item of an iterator of the test, in a list; an empty list where it has ended.

        An exception that ends it is a tuple: its name, the nearest builtin, message, arguments.
        """
        number = self._read(text)
        iterator: Any = self.table.objects.get(number) if type(number) is int else None
        if iterator is None or number % 2 or not hasattr(iterator, "__next__"):
            raise Tampered("not an iterator of the test")
        item: tuple[Any, ...]
        try:
            item = (next(iterator),)
        except StopIteration:
            item = ()
        except Exception as error:
            return codec.encode(_raised_by_the_test(error))
        return self.table.ask(item, {})

    def _truth(self, number: int) -> bool:
        """Whether what stays with the child is true now."""
        answer = self._ask((f"?{number}", self.table.ask((), {})))
        if type(answer) is not bool:
            raise Tampered("neither true nor false")
        return answer

    def _stand_in(self, number: int, kind: str) -> Any:
        """What stands for an iterator that stays with the child."""
        return self._items(number) if kind == "generator" else RemoteIterator(self._items(number))

    def _items(self, number: int) -> Iterator[Any]:
        n_asked = 0
        ended = False
        while not ended:
            count = 1 if n_asked < ONE_BY_ONE else ONE_BY_ONE
            n_asked += count
            answer = self._ask((f"*{number}", self.table.ask((count,), {})))
            try:
                items, ended = answer
                well_formed = type(items) is list and len(items) <= count and type(ended) is bool
            except (TypeError, ValueError):
                well_formed = False
            if not well_formed:
                raise Tampered("malformed items")
            yield from items


def _raised_by_the_test(error: Exception) -> tuple[Any, ...]:
    name = type(error).__name__
    bases = (base.__name__ for base in type(error).__mro__ if base.__module__ == "builtins")
    builtin = next(bases)
    try:
        arguments = list(error.args) if name == builtin else [str(error)]
        codec.encode(arguments)
    except Exception:
        arguments = [str(error)[:500]]
    return (name, builtin, arguments)


class RemoteIterator:
    """An iterator that is no generator, and stays with the child."""

    def __init__(self, items: Iterator[Any]):
        self._items = items

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return next(self._items)


def decoded(text: str) -> Any:
    """The value of an answer; a text that is no plain value means a tampered child."""
    try:
        return codec.decode(text)
    except codec.TooLarge as error:
        raise JudgeLimit(str(error)) from None
    except ValueError as error:
        raise Tampered(f"malformed answer: {error}"[:200]) from None


def revived(value: Any) -> BaseException:
    """The exception a child reports, as the builtin it derives from.

    StopIteration does not pass as such: it would end a loop of the test that calls the candidate.
    """
    name, builtin, message, arguments = _exception(value)
    kind = vars(sys.modules["builtins"]).get(builtin)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        raise Tampered("malformed exception")
    if kind is BaseException:
        return CandidateExit(f"{name}: {message}")
    if kind in NOT_REVIVED:
        return CandidateError(f"{name}: {message}")
    given = decoded(arguments) if arguments else [message]
    try:
        if name == builtin:
            return kind(*given)
        # a class of the candidate's own: its name, and what it says
        own: type[BaseException] = type(name[:100], (kind,), {"__str__": lambda _self: message})
        return own(*given)
    except Exception:
        return CandidateError(f"{name}: {message}")


def described(text: str) -> tuple[str, str]:
    """The type and message of a reported exception."""
    name, _, message, _ = _exception(decoded(text))
    return name[:100], message[:500]


def _exception(value: Any) -> tuple[str, str, str, str]:
    if type(value) is not list or [type(part) for part in value] != [str, str, str, str]:
        raise Tampered("malformed exception")
    name, builtin, message, arguments = value
    return name, builtin, message, arguments


def _chunks(suite: Suite) -> Any:
    """The inputs as calls, in pieces that fit a frame."""
    calls: list[Call] = []
    size = 0
    for text in suite.inputs:
        calls.append((suite.entry_point, text))
        size += len(text)
        if size > CHUNK_BYTES:
            yield calls
            calls, size = [], 0
    if calls:
        yield calls


def _judge_inputs(prepared: PreparedSuite, channel: Any, mode: str, verdict: Verdict) -> None:
    channel.loaded()
    channel.next_test()
    suite = prepared.suite
    index = 0
    for number, calls in enumerate(_chunks(suite)):
        if number:
            channel.ask(calls)
        for _, arguments in calls:
            verdict.current = index
            kind, text = channel.answer()
            channel.next_test()
            verdict.answered += 1
            status, message = PASSED, ""
            if kind == wire.RAISED:
                name, reason = described(text)
                status = OUT_OF_MEMORY if name == "MemoryError" else ERROR
                message = f"{name}: {reason}"[:200]
            elif mode == OUTPUTS:
                decoded(text)
            elif not _is_right(suite, index, arguments, text):
                status, message = FAILED, f"{suite.entry_point}(*{arguments})"[:200]
            verdict.outputs.append(text)
            verdict.outcomes[index] = [status, message]
            if status != PASSED:
                verdict.bad(status, message)
            index += 1
    channel.quiet(0)
    verdict.ended = True


def _is_right(suite: Suite, index: int, arguments: str, text: str) -> bool:
    assert suite.expected is not None
    expected = suite.expected[index]
    same = text == expected and suite.compare in ("exact", "evalplus", "set")
    if same and '"f"' not in text and '"?"' not in text and '"iter"' not in text:
        return True  # equal texts are equal values, save for nan and things without equality
    try:
        out, wanted = decoded(text), codec.decode(expected)
        return compare.agrees(suite.compare, codec.decode(arguments), out, wanted, suite.atol)
    except (MemoryError, RecursionError) as error:
        raise JudgeLimit(type(error).__name__) from None
    except codec.TooLarge as error:
        raise JudgeLimit(str(error)) from None


def _judge_report(prepared: PreparedSuite, channel: Any, verdict: Verdict) -> None:
    """Read the one report of a child that ran the tests itself; anything odd is no pass."""
    nonce, ended, message, outcomes = _report(channel.report(), prepared.n_tests)
    if nonce != channel.nonce:
        raise Tampered("the report lacks this run's nonce")
    for index, (status, text) in enumerate(outcomes):
        text = text[:200] or (prepared.labels[index] if status == FAILED else "")
        verdict.outcomes[index] = [status, text]
        if status not in (PASSED, NOT_RUN):
            verdict.bad(status, text)
    if not ended:
        name, reason = described(message)
        verdict.bad(OUT_OF_MEMORY if name == "MemoryError" else ERROR, f"{name}: {reason}"[:500])
    verdict.answered = 1
    verdict.ended = ended


def _report(text: str, n_tests: int) -> tuple[str, bool, str, list[list[str]]]:
    value = decoded(text)
    try:
        nonce, ended, message, outcomes = value
        well_formed = (
            [type(part) for part in value] == [str, bool, str, list]
            and len(outcomes) == n_tests
            and all([type(a), type(b)] == [str, str] for a, b in outcomes)
            and {a for a, _ in outcomes} <= {PASSED, FAILED, ERROR, OUT_OF_MEMORY, NOT_RUN}
        )
    except (TypeError, ValueError):
        well_formed = False
    if not well_formed:
        raise Tampered("malformed report")
    return nonce, ended, message, outcomes
