"""The untrusted side: load one program, answer calls with plain data, know nothing of tests.

Runs in a process forked for one program. What it sends is only ever data to be judged. Its first
touch of every function, code object and type costs a copied page, so the common path is one
function over builtins; see docs/decisions/0005.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any

from runners.sandbox import wire
from runners.sandbox.record import Recorder
from runners.sandbox.script import Stage

READ_BYTES = 65536
Step = tuple[Callable[..., Any], tuple[Any, ...]]

_BUILTIN_ERRORS = {
    name: kind
    for name, kind in vars(__import__("builtins")).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}


def serve(fd: int, codec: ModuleType, max_answer: int, entering: Sequence[Step] = ()) -> None:
    """Enter confinement, load the program, answer every call until the worker hangs up."""
    for step, given in entering:
        step(*given)
    encode, decode, opaque = codec.encode, codec.decode, codec.opaque
    module = sys.modules["candidate"] = ModuleType("candidate")
    namespace = module.__dict__
    frames = _frames(fd)
    program = next(frames, None)
    if program is None:
        return
    mode, names, source, extra = decode(program.decode())
    if mode == "script":
        _serve_script(fd, source, frames, codec)
        return
    try:
        exec(compile(source, "<candidate>", "exec", dont_inherit=True), namespace)
        if extra and mode != "tests":
            exec(compile(extra, "<setup>", "exec", dont_inherit=True), namespace)
    except BaseException as error:
        _send(fd, wire.REFUSED, _describe(error, codec))
        return
    if mode == "tests":
        _send(fd, wire.REPORT, _run_tests(extra, namespace, codec))
        return
    found = []
    for name in names:
        if callable(namespace.get(name)):
            found.append(name)  # not a comprehension, which is a function
    _send(fd, wire.LOADED, encode(found))
    for calls in frames:
        for line in calls.decode().split("\n"):
            name, _, arguments = line.partition("\t")
            try:
                given = decode(arguments)
                if name not in namespace:
                    raise NameError(f"name {name!r} is not defined")
                if type(given) is list:
                    value = namespace[name](*given)
                else:
                    value = namespace[name](*given[0], **given[1])
                try:
                    text = encode(value, opaque)
                except (TypeError, RecursionError, ValueError):
                    text = encode(opaque(value))
                if len(text) > max_answer:
                    raise OverflowError(f"the answer is larger than {max_answer} bytes")
            except BaseException as error:
                _send(fd, wire.RAISED, _describe(error, codec))
            else:
                _send(fd, wire.ANSWER, text)


def _frames(fd: int) -> Iterator[bytes]:
    """Yield the body of every frame that arrives."""
    size_of = wire.HEADER.unpack_from
    buffer = b""
    while data := os.read(fd, READ_BYTES):
        buffer += data
        while len(buffer) >= 4:
            end = size_of(buffer)[0] + 4
            if len(buffer) < end:
                rest = wire.read_exactly(lambda size: os.read(fd, size), end - len(buffer))
                if rest is None:
                    return
                buffer += rest
            yield buffer[4:end]
            buffer = buffer[end:]


def _send(fd: int, kind: bytes, text: str) -> None:
    body = text.encode()
    data = wire.HEADER.pack(len(body) + 1) + kind + body
    sent = os.write(fd, data)
    while sent < len(data):
        sent += os.write(fd, memoryview(data)[sent:])


def _run_tests(text: str, namespace: dict[str, Any], codec: ModuleType) -> str:
    """The other mode: the tests run here, beside the candidate, and can be tricked by it."""
    nonce, n_tests, setup, tests, entry_point, calls_check, helpers, program = codec.decode(text)
    recorder = Recorder(n_tests)
    ended = False
    message = ""
    try:
        exec(compile(setup, "<setup>", "exec", dont_inherit=True), namespace)
        space = {**namespace, "__assay__": recorder}
        if type(space.get(entry_point)) is FunctionType:
            space[entry_point] = _unstopping(space[entry_point])
        candidate = space.get(entry_point)
        if helpers:
            own: dict[str, Any] = {"__name__": "helpers"}
            exec(compile(program, "<helpers>", "exec", dont_inherit=True), own)
            own[entry_point] = candidate
            space.update((name, own[name]) for name in helpers)
        exec(compile(tests, "<tests>", "exec", dont_inherit=True), space)
        if calls_check:
            space["check"](candidate)
        ended = True
    except BaseException as error:
        message = _describe(error, codec)
    return codec.encode([nonce, ended, message, recorder.outcomes])  # type: ignore[no-any-return]


def _unstopping(function: Callable[..., Any]) -> Callable[..., Any]:
    """The candidate, but its StopIteration ends no loop of the test that calls it."""

    def candidate(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except (StopIteration, StopAsyncIteration) as error:
            raise RuntimeError(f"{type(error).__name__}: {error}") from None

    candidate.__name__ = function.__name__
    candidate.__dict__.update(function.__dict__)
    return candidate


def _serve_script(fd: int, source: str, frames: Iterator[bytes], codec: ModuleType) -> None:
    """Run a whole program once per frame; the answer says only that a run has ended."""
    try:
        code = compile(source, "<candidate>", "exec", dont_inherit=True)
    except BaseException as error:
        _send(fd, wire.REFUSED, _describe(error, codec))
        return
    _send(fd, wire.LOADED, codec.encode([]))
    stage = Stage(fd)
    for _ in frames:
        try:
            stage.run(code)
        except BaseException as error:
            _send(fd, wire.RAISED, _describe(error, codec))
        else:
            _send(fd, wire.ANSWER, codec.encode(None))


def _describe(error: BaseException, codec: ModuleType) -> str:
    """Encode what the judge may know: the type, its nearest builtin, the message."""
    try:
        text = str(error)[:500]
    except BaseException:
        text = ""
    kind = type(error)
    builtin = next(
        (base.__name__ for base in kind.__mro__ if _BUILTIN_ERRORS.get(base.__name__) is base),
        "Exception",
    )
    return codec.encode([str(kind.__name__), builtin, text])  # type: ignore[no-any-return]
