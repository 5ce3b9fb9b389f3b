"""What this machine offers, found by trying and never by version.

Each level is really entered, and a program in it really tries what it must not be able to do.
"""

import functools
import os
import platform
from typing import Any

from models.plain import codec
from models.words import LEVELS, SAFE_LEVELS, WITH_NAMESPACES
from runners.judging.sandbox.types import OUTPUTS, Job, Limits, Suite
from runners.judging.sandbox.walls import linux
from runners.judging.sandbox.worker_link import WorkerLink
from warehouse.errors import IsolationRefused

# What a program tries that a safe level must prevent, and the words for one that does not.
_DEEDS = {
    "reads": "read other files",
    "writes": "write files",
    "connects": "use the network",
    "runs": "start programs",
    "signals": "signal other processes",
}

_PROGRAM = """
def can(deed):
    try:
        return bool(deed())
    except BaseException:
        return False

def reads():
    return len(open("/etc/passwd").read(1))

def writes():
    import os
    open("/var/tmp/.assay-probe", "w").close()
    os.unlink("/var/tmp/.assay-probe")
    return True

def connects():
    import socket
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b".", ("127.0.0.1", 9))
    return True

def runs():
    import os
    return os.posix_spawn("/bin/true", ["true"], {})

def signals():
    import os
    parent = os.getppid()
    os.kill(parent, 0)
    return parent

def hits_memory_limit():
    try:
        bytearray(1 << 31)
    except MemoryError:
        return True

def attempt():
    deeds = [reads, writes, connects, runs, signals, hits_memory_limit]
    return {deed.__name__: can(deed) for deed in deeds}
"""


@functools.cache
def probe() -> dict[str, Any]:
    """Try every level in throwaway processes (about a second).

    Returns the best safe level (None when there is none). Per level it says whether it works, why
    not and what a program in it could do. It also returns the facts of the machine the result holds
    for.
    """
    levels = {level: try_level(level) for level in LEVELS}
    safe = (level for level in SAFE_LEVELS if levels[level]["contains"])
    return {
        "best": next(safe, None),
        "levels": levels,
        "landlock_abi": linux.landlock_abi(),
        "root": os.geteuid() == 0,
        "kernel": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
    }


@functools.cache
def best_safe_level() -> str:
    """Return the first safe level that holds here; raises IsolationRefused when none does."""
    reasons = []
    for level in SAFE_LEVELS:
        found = try_level(level)
        if found["contains"]:
            return level
        reasons.append(f"{level}: {found['reason']}")
    raise IsolationRefused(
        f"this machine offers no safe isolation ({'; '.join(reasons)}); "
        "`--isolation none` runs programs without any"
    )


@functools.cache
def namespace_level() -> str:
    """Return the strongest level with a private /tmp; raises IsolationRefused where none holds."""
    reasons = []
    for level in WITH_NAMESPACES:
        found = try_level(level)
        if found["contains"]:
            return level
        reasons.append(f"{level}: {found['reason']}")
    told = "; ".join(reasons)
    raise IsolationRefused(f"suites and packages need namespaces, which do not hold here ({told})")


def try_level(level: str) -> dict[str, Any]:
    """Enter one level and attempt the deeds: works, contains, reason, effects."""
    worker = None
    try:
        worker = WorkerLink(level)
        worker.wait_ready()
        effects = _attempt(worker)
    except (IsolationRefused, OSError) as error:
        return {"works": False, "contains": False, "reason": str(error), "effects": {}}
    finally:
        if worker is not None:
            worker.hang_up()
            worker.end()
    open_doors = [words for deed, words in _DEEDS.items() if effects.get(deed) is not False]
    limited = effects.get("hits_memory_limit") is True
    contains = level in SAFE_LEVELS and not open_doors and limited
    reason = None
    if not limited:
        reason = "the memory limit does not hold"
    elif open_doors:
        reason = f"not safe: a program can {', '.join(open_doors)}"
    return {"works": limited, "contains": contains, "reason": reason, "effects": effects}


def _attempt(worker: WorkerLink) -> dict[str, bool]:
    suite = Suite("probe", "attempt", "", None, ("[]",), None, "exact", 0.0)
    limits = Limits(cpu_s=5, wall_s=10, memory_mb=512)
    worker.give(1, Job("probe", _PROGRAM, suite, limits, OUTPUTS))
    reports = worker.read_wait(20)
    outputs = reports[0].outputs if reports else None
    effects = codec.decode(outputs[0]) if outputs else {}
    return effects if isinstance(effects, dict) else {}
