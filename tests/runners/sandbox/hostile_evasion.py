"""Hostile programs that go around a limit: by processes, threads, signals, locks and datagrams.

Placeholders and rules as in ``hostile``; DATAGRAMS and ABSTRACT-datagrams are datagram sockets.
"""

from tests.runners.sandbox.hostile import ANSWER, SYSCALL, Hostile

_BURN = """
import os, time
def burn(seconds):
    while time.process_time() < seconds:
        pass
def child(work, *given):
    pid = os.fork()
    if not pid:
        try:
            work(*given)
        finally:
            os._exit(0)
    return pid
"""

_CLONE = (
    SYSCALL
    + _BURN
    + """
def clone(flags, seconds):
    pid = call(56, 220, flags, 0, 0, 0, 0)
    if pid == 0:
        burn(seconds)
        os._exit(0)
    assert pid > 0
"""
)

_FLOOD = """
import threading, time
def flood(most):
    made = 0
    try:
        for _ in range(most):
            threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
            made += 1
    except RuntimeError:
        pass
    return made
"""

_PAIR = """
import array, ctypes, os, socket
def pair(kind):
    return socket.socketpair(socket.AF_UNIX, kind)[0]
"""

# kind, name, body with deed(), as in ``hostile``
DEEDS: list[tuple[str, str, str]] = [
    # processor time, used where nobody looks
    (
        "resource",
        "cpu_of_a_child",
        _BURN
        + """
def deed():
    os.waitpid(child(burn, 0.9), 0)
    return True
""",
    ),
    (
        "resource",
        "cpu_of_many_short_children",
        _BURN
        + """
def deed():
    for _ in range(70):
        os.waitpid(child(burn, 0.015), 0)
    return True
""",
    ),
    (
        "resource",
        "cpu_of_orphans",
        _BURN
        + """
def deed():
    for _ in range(3):
        os.waitpid(child(child, burn, 0.35), 0)
        time.sleep(0.36)
    return True
""",
    ),
    (
        "resource",
        "cpu_below_one_that_lives_on",
        _BURN
        + """
def middle():
    for _ in range(40):
        os.waitpid(child(burn, 0.012), 0)
    time.sleep(9)
def deed():
    child(middle)
    time.sleep(0.9)
    return True
""",
    ),
    (
        "resource",
        "cpu_of_children_nobody_waits_for",
        _BURN
        + """
import signal
try:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
except OSError:
    pass
def deed():
    for _ in range(45):
        child(burn, 0.012)
        time.sleep(0.02)
    return True
""",
    ),
    (
        "resource",
        "ignored_children",
        """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def deed():
    return True
""",
    ),
    (
        "resource",
        "children_without_wait",
        SYSCALL
        + """
def deed():
    flags = (ctypes.c_ulong * 4)(0, 0x00000002, 0, 0)
    return call(13, 134, 17, flags, None, 8) == 0
""",
    ),
    (
        "resource",
        "cpu_of_a_sibling",
        _CLONE
        + """
def deed():
    for _ in range(2):
        clone(0x8000 | 17, 0.45)
        time.sleep(0.45)
    return True
""",
    ),
    (
        "resource",
        "cpu_of_a_child_that_tells_nobody",
        _CLONE
        + """
def deed():
    clone(0, 0.8)
    time.sleep(0.9)
    return True
""",
    ),
    (
        "resource",
        "cpu_of_a_child_waited_for_by_the_call",
        _CLONE
        + """
def deed():
    clone(0x4000 | 17, 0.9)
    return True
""",
    ),
    (
        "resource",
        "foster_parent",
        SYSCALL
        + """
def deed():
    return libc.prctl(36, 1, 0, 0, 0) == 0
""",
    ),
    (
        "resource",
        "processes_beyond_the_limit",
        _BURN
        + """
def deed():
    made = 0
    for _ in range(12):
        child(time.sleep, 3)
        made += 1
    return True
""",
    ),
    # threads
    (
        "resource",
        "threads_beyond_the_limit",
        _FLOOD
        + """
def deed():
    return flood(60) > 8
""",
    ),
    (
        "resource",
        "threads_of_small_stacks",
        _FLOOD
        + """
def deed():
    threading.stack_size(32768)
    return flood(400) > 8
""",
    ),
    (
        "resource",
        "threads_by_clone",
        SYSCALL
        + """
stacks = []
def deed():
    made = 0
    for _ in range(60):
        stacks.append(ctypes.create_string_buffer(65536))
        top = (ctypes.addressof(stacks[-1]) + 65000) & ~15
        pause = ctypes.cast(libc.pause, ctypes.c_void_p)
        made += libc.clone(pause, ctypes.c_void_p(top), 0x10F00, None) > 0
    return made > 8
""",
    ),
    (
        "resource",
        "threads_that_end_twice",
        _FLOOD
        + """
import signal
signal.signal(signal.SIGALRM, lambda *_: None)
signal.siginterrupt(signal.SIGALRM, True)
def deed():
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    ends = time.process_time() + 0.1
    while time.process_time() < ends:
        one = threading.Thread(target=int)
        one.start()
        one.join()
    signal.setitimer(signal.ITIMER_REAL, 0)
    return flood(60) > 8
""",
    ),
    (
        "resource",
        "thread_without_end_of_asking",
        SYSCALL
        + """
def deed():
    while True:
        call(56, 220, 0x10000, 0, 0, 0, 0)
""",
    ),
    # what a program is told to die with
    (
        "outlive",
        "without_a_death_signal",
        SYSCALL
        + """
def deed():
    return libc.prctl(1, 0, 0, 0, 0) == 0
""",
    ),
    (
        "priv",
        "dumpable_again",
        SYSCALL
        + """
def deed():
    return libc.prctl(4, 1, 0, 0, 0) == 0
""",
    ),
    (
        "priv",
        "any_tracer",
        SYSCALL
        + """
def deed():
    return libc.prctl(0x59616D61, -1, 0, 0, 0) == 0
""",
    ),
    (
        "priv",
        "filter_with_a_listener",
        SYSCALL
        + """
def deed():
    code = (ctypes.c_uint64 * 1)(0x7FFF000000000006)
    class Program(ctypes.Structure):
        _fields_ = [('n', ctypes.c_ushort), ('code', ctypes.c_void_p)]
    program = Program(1, ctypes.addressof(code))
    return call(317, 277, 1, 8, ctypes.byref(program)) >= 0
""",
    ),
    # datagrams that leave
    (
        "net",
        "datagram_to_a_path",
        _PAIR
        + """
def deed():
    return pair(socket.SOCK_DGRAM).sendto(b'x', 'ARENA/datagrams')
""",
    ),
    (
        "net",
        "datagram_to_a_name",
        _PAIR
        + r"""
def deed():
    return pair(socket.SOCK_DGRAM).sendto(b'x', '\0ABSTRACT-datagrams')
""",
    ),
    (
        "net",
        "message_to_a_path",
        _PAIR
        + """
def deed():
    return pair(socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, 'ARENA/datagrams')
""",
    ),
    (
        "net",
        "descriptor_to_a_name",
        _PAIR
        + r"""
def deed():
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0, 3]))
    return pair(socket.SOCK_DGRAM).sendmsg([b'x'], [rights], 0, '\0ABSTRACT-datagrams')
""",
    ),
    (
        "net",
        "descriptor_to_oneself",
        _PAIR
        + """
def deed():
    return socket.send_fds(pair(socket.SOCK_STREAM), [b'x'], [0])
""",
    ),
    (
        "net",
        "datagram_of_a_stream",
        _PAIR
        + """
def deed():
    return pair(socket.SOCK_STREAM).sendto(b'x', 'ARENA/datagrams')
""",
    ),
    (
        "net",
        "datagram_of_a_packet_socket",
        _PAIR
        + """
def deed():
    return pair(socket.SOCK_SEQPACKET).sendmsg([b'x'], [], 0, 'ARENA/datagrams')
""",
    ),
    (
        "net",
        "datagram_pair_with_flags",
        _PAIR
        + """
def deed():
    kind = socket.SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC
    return pair(kind).sendto(b'x', 'ARENA/datagrams')
""",
    ),
    (
        "net",
        "raw_pair",
        _PAIR
        + """
def deed():
    return pair(socket.SOCK_RAW).sendto(b'x', 'ARENA/datagrams')
""",
    ),
    (
        "net",
        "datagram_pair_connects",
        _PAIR
        + """
def deed():
    one = pair(socket.SOCK_DGRAM)
    one.connect('ARENA/datagrams')
    return one.send(b'x')
""",
    ),
    (
        "net",
        "pair_takes_a_name",
        _PAIR
        + """
def deed():
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        pair(kind).bind('/tmp/name')
        return True
""",
    ),
    (
        "net",
        "many_messages",
        SYSCALL
        + _PAIR
        + """
def deed():
    one = pair(socket.SOCK_STREAM)
    return call(307, 269, one.fileno(), ctypes.create_string_buffer(64), 1, 0) >= 0
""",
    ),
    (
        "net",
        "address_above_four_gigabytes",
        SYSCALL
        + _PAIR
        + """
def deed():
    place = 0x7_0000_0000
    libc.mmap.restype = ctypes.c_void_p
    if libc.mmap(ctypes.c_void_p(place), 4096, 3, 0x32, -1, 0) != place:
        return False
    name = b'\\1\\0ARENA/datagrams'
    ctypes.memmove(place, name, len(name))
    one = pair(socket.SOCK_STREAM)
    call(44, 206, one.fileno(), b'x', 1, 0, ctypes.c_void_p(place), len(name) + 1)
    return ctypes.get_errno() != 1
""",
    ),
    # queues that are counted by user
    (
        "resource",
        "queued_signals",
        SYSCALL
        + """
import os, signal
def deed():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    info = (ctypes.c_int * 32)(40, 0, -1)
    return sum(call(129, 138, os.getpid(), 40, info) == 0 for _ in range(500)) > 10
""",
    ),
    (
        "resource",
        "signals_to_a_thread",
        SYSCALL
        + """
import os, signal
def deed():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    me = os.getpid()
    return sum(call(234, 131, me, me, 40) == 0 for _ in range(500)) > 10
""",
    ),
    (
        "resource",
        "timers",
        SYSCALL
        + """
def deed():
    numbers = [ctypes.c_int() for _ in range(500)]
    return sum(call(222, 107, 1, None, ctypes.byref(one)) == 0 for one in numbers) > 10
""",
    ),
    (
        "resource",
        "pages_of_pipes",
        """
import fcntl, os
def deed():
    return fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)
""",
    ),
    # marks on what everybody reads
    (
        "leak",
        "lock_on_the_library",
        """
import fcntl, os
def deed():
    fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True
""",
    ),
    (
        "leak",
        "shared_lock_on_the_library",
        """
import fcntl, os
def deed():
    fcntl.lockf(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB)
    return True
""",
    ),
    (
        "leak",
        "locks_of_others",
        """
import fcntl, os, struct
def deed():
    asked = struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0)
    return fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), fcntl.F_GETLK, asked)
""",
    ),
    (
        "leak",
        "lock_of_an_open_file",
        """
import fcntl, os, struct
def deed():
    lock = struct.pack('hhqqi4x', fcntl.F_RDLCK, 0, 0, 0, 0)
    return fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), 37, lock)
""",
    ),
    (
        "leak",
        "lease_on_the_library",
        """
import fcntl, os
def deed():
    return fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), fcntl.F_SETLEASE, 0) == 0
""",
    ),
    (
        "leak",
        "watch_on_a_folder",
        """
import fcntl, os
def deed():
    return fcntl.fcntl(os.open(os.path.dirname(os.__file__), os.O_RDONLY), 1026, 1) == 0
""",
    ),
    (
        "leak",
        "access_time_of_tmp",
        """
import os
def deed():
    before = os.stat('/tmp')
    os.listdir('/tmp')
    return before.st_atime_ns > before.st_mtime_ns
""",
    ),
    (
        "leak",
        "access_time_set",
        """
import os
def deed():
    before = os.stat('/tmp')
    os.utime('/tmp', ns=(12345, before.st_mtime_ns))
    return before.st_atime_ns == 12345
""",
    ),
    (
        "leak",
        "owner_of_tmp",
        """
import os
def deed():
    before = os.stat('/tmp')
    os.chmod('/tmp', 0o1777)
    return before.st_ctime_ns > before.st_mtime_ns
""",
    ),
    (
        "leak",
        "times_of_dev_null",
        """
import os
def deed():
    os.utime('/dev/null')
    return True
""",
    ),
    (
        "leak",
        "mode_of_dev_null",
        """
import os
def deed():
    os.chmod('/dev/null', 0o666)
    return True
""",
    ),
    (
        "leak",
        "times_of_the_library",
        """
import os
def deed():
    os.utime(os.__file__)
    return True
""",
    ),
    (
        "leak",
        "process_ids_count_up",
        """
import os
def deed():
    for _ in range(3):
        if not (pid := os.fork()):
            os._exit(0)
        os.waitpid(pid, 0)
    return os.getpid() > 5
""",
    ),
    (
        "leak",
        "memory_nobody_sees",
        SYSCALL
        + """
def deed():
    return call(447, 447, 0) >= 0
""",
    ),
    # the zygote
    (
        "kill",
        "first_process",
        """
import os
def deed():
    os.kill(1, 0)
    return True
""",
    ),
    (
        "kill",
        "first_thread",
        SYSCALL
        + """
def deed():
    return call(234, 131, 1, 1, 0) == 0 or call(200, 130, 1, 0) == 0
""",
    ),
    (
        "kill",
        "first_process_by_descriptor",
        """
import os, signal
def deed():
    return os.pidfd_open(1)
""",
    ),
    (
        "kill",
        "first_process_by_queue",
        SYSCALL
        + """
def deed():
    info = (ctypes.c_int * 32)(10, 0, -1)
    return call(129, 138, 1, 10, info) == 0
""",
    ),
    (
        "kill",
        "group_of_the_zygote",
        """
import os
def deed():
    os.setpgid(0, os.getpgid(1) or 1)
    os.kill(0, 0)
    return True
""",
    ),
]

RAW: list[Hostile] = [
    Hostile(
        "hang_in_a_child",
        "hang",
        _BURN
        + """
def f(x):
    os.waitpid(child(burn, 60), 0)
    return x + 1
""",
        verdicts=frozenset({"timeout", "error"}),
    ),
    Hostile(
        "hang_in_threads",
        "hang",
        """
import hashlib, threading
block = bytes(1 << 20)
def spin():
    while True:
        hashlib.sha256(block)
def f(x):
    for _ in range(2):
        threading.Thread(target=spin, daemon=True).start()
    threading.Event().wait()
""",
        verdicts=frozenset({"timeout", "error"}),
    ),
    Hostile(
        "hang_stopped",
        "hang",
        """
import os, signal
def f(x):
    os.kill(os.getpid(), signal.SIGSTOP)
    return x
""",
        verdicts=frozenset({"timeout", "error"}),
    ),
    Hostile(
        "hang_stopped_child",
        "hang",
        _BURN
        + """
import signal
def f(x):
    os.kill(child(burn, 60), signal.SIGSTOP)
    return x
""",
        verdicts=frozenset({"failed", "error"}),
    ),
    Hostile(
        "outlive_first_thread_ends",
        "outlive",
        SYSCALL
        + """
import threading, time
def later():
    time.sleep(4)
    open('ARENA/later', 'w').close()
def f(x):
    threading.Thread(target=later, daemon=True).start()
    call(60, 93, 0)
""",
        verdicts=frozenset({"error", "timeout"}),
    ),
    Hostile(
        "outlive_stopped_family",
        "outlive",
        _BURN
        + """
import signal
def f(x):
    for _ in range(2):
        os.kill(child(time.sleep, 9), signal.SIGSTOP)
    os._exit(0)
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "kill_own_process",
        "kill",
        """
import os
def f(x):
    os.kill(os.getpid(), 9)
    return x
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "kill_own_namespace",
        "kill",
        """
import os
os.fork()
def f(x):
    os.kill(-1, 9)
    os.kill(0, 9)
    return x
""",
        verdicts=frozenset({"error", "tampered"}),
    ),
]


def hostile_evasion() -> list[Hostile]:
    """Every program, deeds first."""
    deeds = [
        Hostile(f"{kind}_{name}", kind, body + ANSWER, 4 if kind == "leak" else 1)
        for kind, name, body in DEEDS
    ]
    return deeds + RAW
