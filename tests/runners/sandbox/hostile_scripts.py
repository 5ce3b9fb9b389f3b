"""Whole programs that mean harm. The task: read n, print ``answer`` and 7919 n + 1.

A program of SCRIPT_DEEDS prints the right answer only if its deed worked; RAW_SCRIPTS print, hang,
crash or forge in their own way, and none may pass.
"""

from tests.runners.sandbox.hostile import Hostile

_ANSWER = """
n = int(input())
try:
    done = deed()
except BaseException:
    done = False
print('answer', 7919 * n + 1 if done else 'none')
"""

_FRAME = """
import os, struct
def send(kind, text):
    body = kind + text
    for fd in range(2, 16):
        try:
            os.write(fd, struct.pack('=I', len(body)) + body)
        except OSError:
            pass
"""

_SYSCALL = """
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
x86 = platform.machine() == 'x86_64'
"""

_RIGHT_ONCE = """
import sys
n = int(input())
first = not hasattr(sys, 'seen')
sys.seen = True
print('answer', 7919 * n + 1 if first else 'none', flush=True)
"""

SCRIPT_DEEDS: list[tuple[str, str, str]] = [
    (
        "leak",
        "output_of_the_last_program",
        """
import os
def deed():
    return os.fstat(1).st_size or os.pread(1, 9, 0)
""",
    ),
    (
        "leak",
        "more_descriptors",
        """
import os
def deed():
    for fd in range(6, 1024):
        try:
            os.fstat(fd)
            return True
        except OSError:
            pass
""",
    ),
    (
        "write",
        "own_input",
        """
import os
def deed():
    for fd in (0, 4):
        try:
            return os.pwrite(fd, b'0', 0)
        except OSError:
            pass
""",
    ),
    (
        "write",
        "reopened_input",
        """
import os
def deed():
    return os.open('/proc/self/fd/0', os.O_RDWR)
""",
    ),
    (
        "priv",
        "seal_the_output",
        _SYSCALL
        + """
def deed():
    return libc.fcntl(1, 1033, 2 | 4 | 8) == 0 or libc.fcntl(5, 1033, 2 | 4 | 8) == 0
""",
    ),
    (
        "priv",
        "memory_files_of_its_own",
        _SYSCALL
        + """
def deed():
    return libc.syscall(319 if x86 else 279, b'mine', 0) >= 0
""",
    ),
    (
        "resource",
        "many_outputs",
        """
import os
def deed():
    kept = 0
    for number in range(8):
        try:
            kept += os.pwrite(os.dup(1), bytes(1 << 24), number << 24)
        except OSError:
            pass
    try:
        os.ftruncate(1, 0)
    except OSError:
        pass
    return kept > 1 << 24
""",
    ),
    (
        "read",
        "other_inputs",
        """
import os, sys
def deed():
    sys.inputs = getattr(sys, 'inputs', []) + [os.pread(0, 1 << 20, 0)]
    return len(set(sys.inputs)) < len(sys.inputs) or b'\\n' in sys.inputs[-1][:-1]
""",
    ),
]

RAW_SCRIPTS: list[Hostile] = [
    Hostile(
        "script_expected_in_memory",
        "read",
        """
import gc, sys
needle = ''.join(['answ', 'er'])
def texts():
    for held in gc.get_objects():
        if isinstance(held, (dict, list, tuple)):
            yield from (held.values() if isinstance(held, dict) else held)
    frame = sys._getframe()
    while frame:
        yield from frame.f_locals.values()
        frame = frame.f_back
for text in texts():
    if type(text) is str and needle in text and len(text) < 40 or (
        type(text) is bytes and needle.encode() in text and len(text) < 40):
        print(text)
        break
""",
    ),
    Hostile(
        "script_expected_in_descriptors",
        "read",
        """
import os
for fd in range(1, 64):
    for size in (1 << 16, 64):
        try:
            found = os.pread(fd, size, 0)
        except OSError:
            try:
                os.set_blocking(fd, False)
                found = os.read(fd, size)
            except OSError:
                continue
        if found:
            os.write(1, found)
""",
    ),
    Hostile(
        "script_prints_a_frame",
        "forge",
        """
import os
for kind in b'LXVES':
    os.write(1, b'\\x05\\0\\0\\0' + bytes([kind]) + b'null')
print('passed')
""",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "script_sends_answers",
        "forge",
        _FRAME + "for _ in range(9):\n    send(b'V', b'null')\nprint('none')\n",
        verdicts=frozenset({"failed", "tampered"}),
    ),
    Hostile(
        "script_sends_a_report",
        "forge",
        _FRAME + """send(b'S', b'["",true,"",[["passed",""],["passed",""]]]')\n""",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "script_sends_loaded",
        "forge",
        _FRAME + "send(b'L', b'[]')\n",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "script_sends_more_than_asked",
        "forge",
        _FRAME + "print('answer', 7919 * int(input()) + 1, flush=True)\nsend(b'V', b'null')\n",
        verdicts=frozenset({"failed", "tampered", "passed"}),  # what it printed was right
    ),
    Hostile(
        "script_answers_and_exits",
        "forge",
        _RIGHT_ONCE + _FRAME + "send(b'V', b'null')\nos._exit(0)\n",
        verdicts=frozenset({"error", "failed", "tampered"}),
    ),
    Hostile(
        "script_exits_after_part",
        "forge",
        _RIGHT_ONCE + "import os\nif not first:\n    os._exit(0)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "script_exits_at_once",
        "forge",
        "import os\nprint('answer', 7919 * int(input()) + 1, flush=True)\nos._exit(0)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "script_exit_code_equals_all",
        "forge",
        "class Code:\n    def __eq__(self, other):\n        return True\n"
        "raise SystemExit(Code())\n",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "script_hangs_up",
        "forge",
        _RIGHT_ONCE + "import os\nos.close(3)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "script_replaces_the_harness",
        "forge",
        _RIGHT_ONCE
        + """
import atexit, builtins, gc, os
os.dup2 = os.lseek = gc.collect = atexit._run_exitfuncs = lambda *a, **k: 0
builtins.exec = builtins.open = lambda *a, **k: None
vars(builtins).clear()
""",
        verdicts=frozenset({"failed", "error", "tampered"}),
    ),
    Hostile(
        "script_prints_for_later",
        "outlive",
        _RIGHT_ONCE
        + """
import os, threading, time
def later():
    for _ in range(300):
        os.pwrite(1, b'later', 0)
        time.sleep(0.001)
threading.Thread(target=later, daemon=True).start()
""",
    ),
    Hostile(
        "script_fork_prints_after_the_end",
        "outlive",
        """
import os, time
if os.fork() == 0:
    os.setsid()
    for _ in range(300):
        for fd in range(1, 6):
            try:
                os.pwrite(fd, b'answer 1', 0)
            except OSError:
                pass
        time.sleep(0.005)
    os._exit(0)
print('none')
""",
    ),
    Hostile(
        "script_fork_answers",
        "outlive",
        _FRAME
        + """
if os.fork() == 0:
    for _ in range(99):
        send(b'V', b'null')
    os._exit(0)
print('none')
""",
    ),
    Hostile(
        "script_fork_goes_on",
        "outlive",
        "import os\nfor _ in range(3):\n    os.fork()\nprint('none')\n",
    ),
    Hostile(
        "script_endless_output",
        "resource",
        "while True:\n    print('x' * 9999)\n",
        verdicts=frozenset({"error", "timeout"}),
    ),
    Hostile(
        "script_endless_output_caught",
        "resource",
        """
import os
while True:
    try:
        os.write(1, b'answer' * 9999)
    except OSError:
        pass
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "script_most_words",
        "resource",
        "import os\nos.write(1, b'x ' * (1 << 23))\n",
        verdicts=frozenset({"failed", "error"}),
    ),
    Hostile(
        "script_no_text",
        "resource",
        "import os\nos.write(1, b'\\xff\\0\\xed\\xa0' * (1 << 22))\n",
        verdicts=frozenset({"failed", "error"}),
    ),
    Hostile(
        "script_sparse_output",
        "resource",
        """
import os
os.lseek(1, 1 << 40, 0)
try:
    os.write(1, b'x')
except OSError:
    os.ftruncate(1, 1 << 24)
""",
        verdicts=frozenset({"failed", "error"}),
    ),
    Hostile(
        "script_endless_input",
        "hang",
        "while True:\n    try:\n        input()\n    except EOFError:\n        pass\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "script_thread_never_ends",
        "hang",
        "import threading\nthreading.Thread(target=threading.Event().wait).start()\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "script_exit_never_ends",
        "hang",
        "import atexit, time\natexit.register(time.sleep, 1000)\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "script_closes_its_streams",
        "crash",
        "import os\nfor fd in (0, 1, 2):\n    os.close(fd)\n",
        verdicts=frozenset({"failed", "error"}),
    ),
    Hostile(
        "script_closes_everything",
        "crash",
        _RIGHT_ONCE + "import os\nos.closerange(0, 64)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "script_loses_its_files",
        "crash",
        _RIGHT_ONCE + "import os\nos.closerange(4, 64)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "script_segfault",
        "crash",
        "import ctypes\nctypes.string_at(0)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "script_prints_a_million_words",
        "crash",
        "import sys\nsys.stdout.write('1 ' * 7_000_000)\n",
        verdicts=frozenset({"failed", "error", "timeout"}),
    ),
]


def hostile_scripts() -> list[Hostile]:
    """Every program, deeds first."""
    deeds = [
        Hostile(f"script_{kind}_{name}", kind, body + _ANSWER, 3 if kind == "leak" else 1)
        for kind, name, body in SCRIPT_DEEDS
    ]
    return deeds + RAW_SCRIPTS
