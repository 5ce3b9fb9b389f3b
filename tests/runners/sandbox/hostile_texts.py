"""Hostile programs whose weapon is what they say: odd messages, forged and exhausting answers."""

from tests.runners.sandbox.hostile import SEND, Hostile

_ERROR = frozenset({"error"})
_CAUGHT = frozenset({"error", "tampered", "failed"})

# What a program raises, or returns, in f(x)
SAYINGS: dict[str, str] = {
    "surrogates_in_a_name": r"raise type('E\ud800', (Exception,), {})('\udfff')",
    "long_name": "raise type('E' * 10_000_000, (Exception,), {})('x')",
    "long_message": "raise ValueError('x' * 50_000_000)",
    "message_of_nul": r"raise ValueError('\0' * 400)",
    "message_for_a_terminal": r"raise ValueError('\x1b[2J\x1b]0;x\a\r\u202e')",
    "message_as_json": r"""raise ValueError('"]\n["result",1,"passed",[],0,0,0,"exit"]')""",
    "own_builtin": "raise type('MemoryError', (Exception,), {})('x')",
    "odd_builtin": "raise UnicodeDecodeError('utf-8', b'\\xff', 0, 1, '\\ud800')",
    "group": "raise ExceptionGroup('g', [ValueError(1)] * 1000)",
    "deep_chain": "return [f(x) for _ in '1']",
    "stop_iteration": "raise StopIteration(x + 1)",
    "generator_exit": "raise GeneratorExit",
    "interrupt": "raise KeyboardInterrupt",
    "system_exit_of_text": r"raise SystemExit('\ud800')",
    "assertion": "raise AssertionError",
    "not_implemented": "return NotImplemented",
    "surrogates": r"return '\ud800' * 1000",
    "hash_that_raises": "return type('A', (), {'__hash__': None, '__eq__': lambda *a: 1 / 0})()",
    "truth_that_raises": "return type('A', (), {'__bool__': lambda *a: 1 / 0})()",
    "huge_number": "return 1 << 60_000_000",
    "huge_fraction": "from fractions import Fraction\n    return Fraction(3 ** 2_000_000, 7)",
    "huge_decimal": "from decimal import Decimal\n    return Decimal('9' * 9_000_000)",
    "huge_exponent": "from decimal import Decimal\n    return Decimal('1e999999999999999999')",
    "endless_range": "return range(10 ** 4000)",
    "same_hash": "return {n * (2 ** 61 - 1) for n in range(3000)}",
    "wide": "return [[]] * 3_000_000",
}

_UNREDUCED = (
    'b\'{"fraction":[{"i":"0x\' + b\'7\' * 7_000_000 + b\'"},{"i":"0x\' + b\'5\' * 6_999_999'
)
# What it sends as its answer, as an expression of bytes
ANSWERS: dict[str, str] = {
    "digits": "b'9' * 15_000_000",
    "negative_digits": "b'[-' + b'9' * 15_000_000 + b']'",
    "digits_of_a_float": "b'1' * 8_000_000 + b'.' + b'1' * 7_000_000",
    "exponent": "b'1e' + b'9' * 1_000_000",
    "hexadecimal": """b'{"i":"0x' + b'f' * 15_000_000 + b'"}'""",
    "underscores": """b'{"i":"0x' + b'_f' * 100 + b'"}'""",
    "unreduced_fraction": _UNREDUCED + """ + b'"}]}'""",
    "fraction_of_zero": """b'{"fraction":[0,0]}'""",
    "same_hash": "b'{\"set\":[' + b','.join(b'%d' % (n * P) for n in range(400_000)) + b']}'",
    "same_hash_keys": "b'{\"d\":[' + b','.join(b'%d,0' % (n * P) for n in range(300_000)) + b']}'",
    "same_hash_tally": (
        "b'{\"counter\":[' + b','.join(b'%d,0' % (n * P) for n in range(300_000)) + b']}'"
    ),
    "digits_of_a_decimal": """b'{"decimal":"' + b'9' * 15_000_000 + b'"}'""",
    "decimal_exponent": """b'{"decimal":"1e999999999999999999"}'""",
    "signalling_decimal": """b'{"decimal":"sNaN"}'""",
    "set_of_lists": """b'{"set":[[1]]}'""",
    "odd_mapping": """b'{"d":[1]}'""",
    "two_keys": """b'{"t":[],"set":[]}'""",
    "long_tag": """b'{"' + b't' * 9_000_000 + b'":[]}'""",
    "large_range": """b'{"range":[0,' + b'9' * 4000 + b',1]}'""",
    "large_time": """b'{"timedelta":[999999999999,0,0]}'""",
    "no_date": """b'{"date":[0,0,0]}'""",
    "bounded_below_zero": """b'{"deque":[-1]}'""",
    "letters_out_of_range": """b'{"s":[1114112]}'""",
    "negative_letters": """b'{"s":[-1]}'""",
    "letters": "b'{\"s\":[' + b'65,' * 5_000_000 + b'65]}'",
    "type_of_nothing": """b'{"type":"Exception"}'""",
    "opaque_of_nothing": """b'{"?":[]}'""",
    "opaque_subclass": """b'{"?":["x",1]}'""",
    "nested_tags": """b'{"t":[' * 150_000 + b']}' * 150_000""",
    "nested_dicts": """b'{"d":[0,' * 100_000 + b'0' + b']}' * 100_000""",
    "two_values": "b'2 3'",
    "nothing": "b''",
    "blank": "b' ' * 15_000_000",
    "half_a_pair": r"""b'"\\ud800"' """,
    "nul": r"""b'"\0"'""",
    "byte_order_mark": r"""b'\xef\xbb\xbf2'""",
}

# Whole frames: kind and text
FRAMES: dict[str, tuple[str, str]] = {
    "exception_that_exits": ("E", """b'["x","SystemExit","y"]'"""),
    "exception_of_the_judge": ("E", """b'["Ended","BaseException","y"]'"""),
    "exception_that_is_none": ("E", """b'["x","print","y"]'"""),
    "exception_of_many_words": ("E", """b'["' + b'x' * 7_000_000 + b'","KeyError","y"]'"""),
    "exception_in_surrogates": ("E", r"""b'["\\ud800","\\ud800","\\ud800"]'"""),
    "exception_of_the_system": ("E", """b'["x","OSError","' + b'y' * 999 + b'"]'"""),
    "refused_after_all": ("X", """b'["x","MemoryError","y"]'"""),
    "loaded_again": ("L", """b'["f"]'"""),
    "end_of_the_zygote": ("K", """bytes(60)"""),
    "unknown_kind": ("\\0", """b'2'"""),
}


def hostile_texts() -> list[Hostile]:
    """Every program."""
    said = [
        Hostile(f"say_{name}", "crash", f"def f(x):\n    {body}\n", verdicts=_SAID)
        for name, body in SAYINGS.items()
    ]
    answers = [
        Hostile(f"answer_{name}", "forge", _sending("V", text), verdicts=_CAUGHT)
        for name, text in ANSWERS.items()
    ]
    frames = [
        Hostile(f"frame_{name}", "forge", _sending(kind, text), verdicts=_CAUGHT)
        for name, (kind, text) in FRAMES.items()
    ]
    return [*said, *answers, *frames, *OTHERS]


_SAID = frozenset({"error", "failed", "out_of_memory", "timeout"})


_SENDING = """
P = 2 ** 61 - 1  # hashes to 0, as every multiple of it
text = TEXT
def f(x):
    send(b'KIND', text)
    return 0
"""


def _sending(kind: str, text: str) -> str:
    return SEND + _SENDING.replace("TEXT", text).replace("KIND", kind)


OTHERS = [
    Hostile(
        "say_names_everywhere",
        "crash",
        r"""
class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit
class E(Exception, metaclass=Meta):
    pass
def f(x):
    raise E
""",
        verdicts=_ERROR,
    ),
    Hostile(
        "say_no_order",
        "crash",
        """
class Meta(type):
    def mro(cls):
        return [cls, Exception, BaseException, object]
class E(Exception, metaclass=Meta):
    __module__ = None
    __qualname__ = '\\ud800'
def f(x):
    raise E('x' * 999)
""",
        verdicts=_ERROR,
    ),
    Hostile(
        "say_on_load",
        "crash",
        "raise ImportError('\\ud800\\0' * 999)\n",
        verdicts=_ERROR,
    ),
    Hostile(
        "say_syntax",
        "crash",
        "def f(x):\n    return '\ud800'\n\u202e\x1b[2J = 1\n",
        verdicts=_ERROR,
    ),
    Hostile(
        "forge_many_small_answers",
        "forge",
        SEND
        + """
def f(x):
    os.write(3, b'\\2\\0\\0\\0V2' * 500_000)
    return x
""",
        verdicts=_CAUGHT,
    ),
    Hostile(
        "forge_one_letter_at_a_time",
        "forge",
        SEND
        + """
def f(x):
    for letter in b'\\2\\0\\0\\0V3':
        os.write(3, bytes([letter]))
    return 0
""",
        verdicts=_CAUGHT,
    ),
    Hostile(
        "forge_names_of_the_tests",
        "forge",
        """
import builtins
def check(candidate):
    return True
class Any:
    __eq__ = __call__ = lambda *a: True
for name in ('check', 'candidate', 'c', '__assay__', 'assert_equal', 'AssertionError'):
    globals()[name] = Any()
    setattr(builtins, name, Any())
def f(x):
    return x
""",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_stop_iteration_on_load",
        "forge",
        "def f(x):\n    return x\nraise StopIteration\n",
        verdicts=_ERROR,
    ),
    Hostile(
        "forge_closed_and_reopened",
        "forge",
        """
import os, socket
ours, theirs = socket.socketpair()
os.dup2(ours.fileno(), 3)
theirs.sendall(b'\\2\\0\\0\\0V2\\2\\0\\0\\0V3')
def f(x):
    return x
""",
        verdicts=frozenset({"error", "tampered", "timeout"}),
    ),
    Hostile(
        "forge_deaf",
        "hang",
        """
import os, socket
socket.socket(fileno=os.dup(3)).shutdown(socket.SHUT_RD)
def f(x):
    return x
""",
        verdicts=_CAUGHT,
    ),
]
