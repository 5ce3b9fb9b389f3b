"""The untrusted side: load one program, answer calls with plain data, know nothing of tests.

Runs in a process forked for one program. What it sends is only ever data to be judged.
"""

import os
import sys
from types import ModuleType
from typing import Any

from runners.sandbox import wire
from runners.sandbox.record import Recorder

_BUILTIN_ERRORS = {
    name: kind
    for name, kind in vars(__import__("builtins")).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}


class Child:
    """One conversation over one socket."""

    def __init__(self, fd: int, codec: ModuleType, max_answer: int):
        self.fd = fd
        self.codec = codec
        self.max_answer = max_answer
        self.module = ModuleType("candidate")

    def serve(self) -> None:
        """Load the program, answer every call, return when the worker hangs up."""
        program = self._receive()
        if program is None:
            return
        mode, names, source, extra = self.codec.decode(program.decode())
        sys.modules["candidate"] = self.module
        try:
            exec(compile(source, "<candidate>", "exec", dont_inherit=True), self.module.__dict__)
            if extra and mode != "tests":
                exec(compile(extra, "<setup>", "exec", dont_inherit=True), self.module.__dict__)
        except BaseException as error:
            self._send(wire.REFUSED, self._describe(error))
            return
        if mode == "tests":
            self._run_tests(extra)
            return
        namespace = self.module.__dict__
        found = [name for name in names if callable(namespace.get(name))]
        self._send(wire.LOADED, self.codec.encode(found))
        while (calls := self._receive()) is not None:
            for name, arguments in wire.unpack_calls(calls):
                self._answer(name, arguments)

    def _answer(self, name: str, arguments: str) -> None:
        try:
            given = self.codec.decode(arguments)
            args, keywords = (given, {}) if type(given) is list else given
            try:
                function = self.module.__dict__[name]
            except KeyError:
                raise NameError(f"name {name!r} is not defined") from None
            value = function(*args, **keywords)
            try:
                text = self.codec.encode(value, self._opaque)
            except (TypeError, RecursionError, ValueError):
                text = self.codec.encode(self._opaque(value))
            if len(text) > self.max_answer:
                raise OverflowError(f"the answer is larger than {self.max_answer} bytes")
        except BaseException as error:
            self._send(wire.RAISED, self._describe(error))
        else:
            self._send(wire.ANSWER, text)

    def _run_tests(self, text: str) -> None:
        """The other mode: the tests run here, beside the candidate, and can be tricked by it."""
        nonce, n_tests, setup, tests, entry_point, calls_check = self.codec.decode(text)
        recorder = Recorder(n_tests)
        namespace = self.module.__dict__
        ended = False
        message = ""
        try:
            exec(compile(setup, "<setup>", "exec", dont_inherit=True), namespace)
            namespace["__assay__"] = recorder
            candidate = namespace.get(entry_point)
            exec(compile(tests, "<tests>", "exec", dont_inherit=True), namespace)
            if calls_check:
                namespace["check"](candidate)
            ended = True
        except BaseException as error:
            message = self._describe(error)
        outcome = [nonce, ended, message, recorder.outcomes]
        self._send(wire.REPORT, self.codec.encode(outcome))

    def _opaque(self, value: Any) -> Any:
        try:
            truth = bool(value)
        except Exception:
            truth = True
        return self.codec.Opaque(type(value).__name__, truth)

    def _describe(self, error: BaseException) -> str:
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
        return self.codec.encode([str(kind.__name__), builtin, text])  # type: ignore[no-any-return]

    def _receive(self) -> bytes | None:
        def read(size: int) -> bytes:
            return os.read(self.fd, size)

        header = wire.read_exactly(read, wire.HEADER.size)
        if header is None:
            return None
        return wire.read_exactly(read, wire.HEADER.unpack(header)[0])

    def _send(self, kind: bytes, text: str) -> None:
        body = text.encode()
        data = memoryview(wire.HEADER.pack(len(body) + 1) + kind + body)
        while data:
            data = data[os.write(self.fd, data) :]
