"""Programs that mean harm, each with the deed it attempts and how the deed would show.

The task is f(x) = x + 1. A program of DEEDS answers it only if its deed worked, so ``passed``
means the deed was done; what it would do outside the sandbox shows in the arena (see
test_hostile). RAW programs answer, hang, crash or forge in their own way. All are bounded and do
nothing lasting where nothing contains them: signals are 0 or SIGCONT, sockets are loopback, files
lie in the arena, bombs have a small count.

Placeholders: ARENA a folder anyone may write, PORT a TCP and UDP listener, ABSTRACT the name of an
abstract socket, BYSTANDER the id of a process of ours.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hostile:
    name: str
    kind: str
    source: str
    repeats: int = 1
    verdicts: frozenset[str] = frozenset(
        {"failed", "error", "timeout", "out_of_memory", "tampered"}
    )


ANSWER = """
def f(x):
    try:
        done = deed()
    except BaseException:
        done = False
    return x + 1 if done else None
"""

SYSCALL = """
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
def call(x86, arm, *arguments):
    return libc.syscall(x86 if platform.machine() == "x86_64" else arm, *arguments)
"""

SEND = """
import os, struct
def send(kind, text):
    body = kind + text
    for fd in range(3, 16):
        try:
            os.write(fd, struct.pack("=I", len(body)) + body)
        except OSError:
            pass
"""

# kind, name, body with deed(); a ``leak`` is run six times, to find what an earlier one left
DEEDS: list[tuple[str, str, str]] = [
    (
        "read",
        "passwd",
        """
def deed():
    return open('/etc/passwd').read()
""",
    ),
    (
        "read",
        "secret_file",
        """
def deed():
    return 'secret' in open('ARENA/secret').read()
""",
    ),
    (
        "read",
        "list_home",
        """
import os
def deed():
    return os.listdir(os.path.expanduser('~root'))
""",
    ),
    (
        "read",
        "environment",
        """
import os
def deed():
    return [k for k in os.environ if 'PYTEST' in k or 'ASSAY' in k]
""",
    ),
    (
        "read",
        "parent_environment",
        """
import os
def deed():
    return open(f'/proc/{os.getppid()}/environ', 'rb').read()
""",
    ),
    (
        "read",
        "proc_self_mem",
        """
def deed():
    return open('/proc/self/mem', 'rb+')
""",
    ),
    (
        "read",
        "proc_net",
        """
def deed():
    return open('/proc/net/tcp').read()
""",
    ),
    (
        "read",
        "shadow_by_handle",
        """
import os
def deed():
    return os.open('/etc/shadow', os.O_RDONLY)
""",
    ),
    (
        "read",
        "dotdot_from_library",
        """
import os
def deed():
    up = os.path.dirname(os.__file__) + '/..' * 12
    return open(up + '/etc/hostname').read() + open(up + '/etc/passwd').read()
""",
    ),
    (
        "read",
        "other_descriptors",
        """
import os
def deed():
    found = []
    for fd in range(4, 1024):
        try:
            found.append(os.fstat(fd))
        except OSError:
            pass
    return found
""",
    ),
    (
        "read",
        "tests_in_memory",
        """
import gc, sys
def deed():
    needle = ''.join(['asse', 'rt c('])
    seen = [o for o in gc.get_objects() if isinstance(o, (dict, list, tuple))]
    for o in seen:
        for v in (o.values() if isinstance(o, dict) else o):
            if isinstance(v, str) and needle in v and 'needle' not in v:
                return True
""",
    ),
    (
        "read",
        "tests_in_frames",
        """
import sys
def deed():
    frame = sys._getframe()
    while frame:
        if any('suite' in k or 'expected' in k for k in frame.f_locals):
            return True
        frame = frame.f_back
""",
    ),
    (
        "read",
        "harness_modules",
        """
def deed():
    import runners.judging.sandbox.judge
    return True
""",
    ),
    (
        "net",
        "tcp_loopback",
        """
import socket
def deed():
    return socket.create_connection(('127.0.0.1', PORT), 1).send(b'x')
""",
    ),
    (
        "net",
        "udp_loopback",
        """
import socket
def deed():
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))
""",
    ),
    (
        "net",
        "unix_path",
        """
import socket
def deed():
    s = socket.socket(socket.AF_UNIX)
    s.connect('ARENA/socket')
    return s.send(b'x')
""",
    ),
    (
        "net",
        "unix_abstract",
        r"""
import socket
def deed():
    s = socket.socket(socket.AF_UNIX)
    s.connect('\0ABSTRACT')
    return s.send(b'x')
""",
    ),
    (
        "net",
        "listen",
        """
import socket
def deed():
    s = socket.socket()
    s.bind(('127.0.0.1', 0))
    s.listen()
    return True
""",
    ),
    (
        "net",
        "raw_packets",
        """
import socket
def deed():
    return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
""",
    ),
    (
        "net",
        "netlink",
        """
import socket
def deed():
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
""",
    ),
    (
        "net",
        "socketpair_connect",
        """
import socket
def deed():
    a, b = socket.socketpair()
    a.connect('ARENA/socket')
    return True
""",
    ),
    (
        "write",
        "outside",
        """
def deed():
    return open('ARENA/written', 'w').write('x')
""",
    ),
    (
        "write",
        "truncate_canary",
        """
import os
def deed():
    os.truncate('ARENA/canary', 0)
    return True
""",
    ),
    (
        "write",
        "chmod_canary",
        """
import os
def deed():
    os.chmod('ARENA/canary', 0o777)
    return True
""",
    ),
    (
        "write",
        "touch_canary",
        """
import os
def deed():
    os.utime('ARENA/canary', (0, 0))
    return True
""",
    ),
    (
        "write",
        "rename_canary",
        """
import os
def deed():
    os.rename('ARENA/canary', 'ARENA/moved')
    return True
""",
    ),
    (
        "write",
        "hard_link",
        """
import os
def deed():
    os.link('ARENA/canary', 'ARENA/link')
    return True
""",
    ),
    (
        "write",
        "poison_library",
        """
import os
def deed():
    place = os.path.dirname(os.__file__) + '/assay_poison.py'
    open(place, 'w').close()
    os.unlink(place)
    return True
""",
    ),
    (
        "write",
        "home",
        """
import os
def deed():
    open('/root/.assay-hostile', 'w').close()
    os.unlink('/root/.assay-hostile')
    return True
""",
    ),
    (
        "write",
        "xattr",
        """
import os
def deed():
    os.setxattr('ARENA/canary', 'user.x', b'1')
    return True
""",
    ),
    (
        "write",
        "symlink_then_clean",
        """
import os
def deed():
    os.symlink('ARENA', '/tmp/door')
    os.chdir('/tmp/door')
    os.unlink('ARENA/canary')
    return True
""",
    ),
    (
        "leak",
        "tmp_file",
        """
import os
def deed():
    if os.path.exists('/tmp/left'):
        return True
    open('/tmp/left', 'w').close()
""",
    ),
    (
        "leak",
        "tmp_mode",
        """
import os
def deed():
    if os.stat('/tmp').st_mode & 0o777 == 0o751:
        return True
    os.chmod('/tmp', 0o751)
""",
    ),
    (
        "leak",
        "dev_shm",
        """
import os
def deed():
    if os.path.exists('/dev/shm/assay-left'):
        os.unlink('/dev/shm/assay-left')
        return True
    open('/dev/shm/assay-left', 'w').close()
""",
    ),
    (
        "leak",
        "sysv_shared_memory",
        SYSCALL
        + """
def deed():
    if call(29, 194, 0x5A5A, 4096, 0o666) >= 0:
        return True
    call(29, 194, 0x5A5A, 4096, 0o1666)
""",
    ),
    (
        "leak",
        "shared_module",
        """
import math
def deed():
    if hasattr(math, 'left'):
        return True
    math.left = 1
""",
    ),
    (
        "leak",
        "message_queue",
        SYSCALL
        + """
def deed():
    return call(240, 180, b'left', 0o102, 0o600, None) >= 0
""",
    ),
    (
        "kill",
        "parent",
        """
import os
def deed():
    p = os.getppid()
    os.kill(p, 18)
    return p > 0
""",
    ),
    (
        "kill",
        "all",
        """
import os
def deed():
    os.kill(-1, 0)
    return True
""",
    ),
    (
        "kill",
        "bystander",
        """
import os
def deed():
    os.kill(BYSTANDER, 18)
    return True
""",
    ),
    (
        "kill",
        "scan",
        """
import os
def deed():
    hit = 0
    for pid in range(2, 400):
        try:
            os.kill(pid, 0)
            hit += pid != os.getpid()
        except OSError:
            pass
    return hit
""",
    ),
    (
        "kill",
        "descriptor_signals",
        """
import fcntl, os
def deed():
    r, w = os.pipe()
    fcntl.fcntl(r, fcntl.F_SETOWN, BYSTANDER)
    return True
""",
    ),
    (
        "kill",
        "queued_signal",
        SYSCALL
        + """
def deed():
    info = ctypes.create_string_buffer(128)
    return call(129, 138, BYSTANDER, 18, info) == 0
""",
    ),
    (
        "kill",
        "pidfd",
        """
import os, signal
def deed():
    signal.pidfd_send_signal(os.pidfd_open(BYSTANDER), 18)
    return True
""",
    ),
    (
        "kill",
        "ptrace_bystander",
        SYSCALL
        + """
def deed():
    return call(101, 117, 0x4206, BYSTANDER, 0, 0) == 0
""",
    ),
    (
        "kill",
        "parent_memory",
        """
import os
def deed():
    return open(f'/proc/{os.getppid() or 1}/mem', 'rb+')
""",
    ),
    (
        "kill",
        "vm_read",
        SYSCALL
        + """
def deed():
    spot = ctypes.create_string_buffer(16)
    vector = (ctypes.c_ulong * 2)(ctypes.addressof(spot), 8)
    call(310, 270, BYSTANDER, vector, 1, vector, 1, 0)
    return ctypes.get_errno() not in (1, 38)
""",
    ),
    (
        "kill",
        "limits_of_bystander",
        """
import resource
def deed():
    resource.prlimit(BYSTANDER, resource.RLIMIT_CORE)
    return True
""",
    ),
    (
        "kill",
        "priority_of_bystander",
        """
import os
def deed():
    os.setpriority(os.PRIO_PROCESS, BYSTANDER, 1)
    return True
""",
    ),
    (
        "resource",
        "fork_bomb",
        """
import os, time
def deed():
    made = 0
    for _ in range(60):
        if os.fork() == 0:
            time.sleep(3)
            os._exit(0)
        made += 1
    return made > 40
""",
    ),
    (
        "resource",
        "thread_bomb",
        """
import threading, time
def deed():
    made = 0
    for _ in range(300):
        threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
        made += 1
    return made > 250
""",
    ),
    (
        "resource",
        "memory",
        """
def deed():
    held = []
    for _ in range(40):
        held.append(bytearray(10_000_000))
    return len(held) == 40
""",
    ),
    (
        "resource",
        "memory_mapped",
        """
import mmap
def deed():
    m = mmap.mmap(-1, 400_000_000)
    for i in range(0, 400_000_000, 4096 * 64):
        m[i] = 1
    return True
""",
    ),
    (
        "resource",
        "memory_file",
        """
import os
def deed():
    fd = os.memfd_create('x')
    return os.write(fd, bytes(50_000_000))
""",
    ),
    (
        "resource",
        "disk",
        """
import os
def deed():
    total = 0
    for place in ('/tmp', 'ARENA', '/dev/shm', '/var/tmp'):
        for n in range(40):
            try:
                with open(f'{place}/assay-bomb{n}', 'wb') as out:
                    total += out.write(bytes(1_000_000))
            except OSError:
                break
        for n in range(40):
            try:
                os.unlink(f'{place}/assay-bomb{n}') if place != '/tmp' else None
            except OSError:
                break
    return total > 20_000_000
""",
    ),
    (
        "resource",
        "inodes",
        """
import os
def deed():
    made = 0
    for n in range(3000):
        try:
            os.close(os.open(f'/tmp/n{n}', os.O_CREAT))
            made += 1
        except OSError:
            break
    return made > 2000
""",
    ),
    (
        "resource",
        "one_large_file",
        """
import signal
def deed():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open('/tmp/large', 'wb') as out:
        for _ in range(40):
            out.write(bytes(1_000_000))
    return True
""",
    ),
    (
        "resource",
        "descriptors",
        """
import os
def deed():
    held = [os.open('/dev/null', 0) for _ in range(500)]
    return len(held)
""",
    ),
    (
        "resource",
        "raise_limits",
        """
import resource
def deed():
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard * 2, hard * 2))
    return True
""",
    ),
    (
        "resource",
        "deep_folders",
        """
import os
def deed():
    os.chdir('/tmp')
    for _ in range(3000):
        os.mkdir('d')
        os.chdir('d')
    return True
""",
    ),
    (
        "resource",
        "core_dump",
        """
import resource, signal, os
def deed():
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
    return True
""",
    ),
    (
        "outlive",
        "daemon",
        """
import os, time
def deed():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(4)
            open('ARENA/daemon', 'w').close()
        os._exit(0)
    return False
""",
    ),
    (
        "outlive",
        "new_session_child",
        """
import os, time
def deed():
    if os.fork() == 0:
        os.setsid()
        time.sleep(4)
        open('ARENA/session', 'w').close()
        os._exit(0)
    return False
""",
    ),
    (
        "outlive",
        "shell",
        """
import subprocess
def deed():
    return subprocess.run(['/bin/sh', '-c', 'echo x > ARENA/shell']).returncode == 0
""",
    ),
    (
        "outlive",
        "system",
        """
import os
def deed():
    return os.system('true') == 0
""",
    ),
    (
        "outlive",
        "replace_itself",
        """
import os, sys
def deed():
    os.execv(sys.executable or '/bin/sh', ['x', '-c', 'pass'])
""",
    ),
    (
        "outlive",
        "ignore_and_thread",
        """
import threading, time
def deed():
    threading.Thread(target=time.sleep, args=(4,)).start()
    return False
""",
    ),
    (
        "priv",
        "user_namespace",
        SYSCALL
        + """
def deed():
    return libc.unshare(0x10000000) == 0
""",
    ),
    (
        "priv",
        "user_namespace_by_clone",
        SYSCALL
        + """
def deed():
    return call(56, 220, 0x10000011, 0, 0, 0, 0) >= 0
""",
    ),
    (
        "priv",
        "clone3",
        SYSCALL
        + """
def deed():
    return call(435, 435, (ctypes.c_ulong * 11)(0x10000000), 88) >= 0
""",
    ),
    (
        "priv",
        "mount",
        SYSCALL
        + """
def deed():
    return libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0
""",
    ),
    (
        "priv",
        "unmount",
        SYSCALL
        + """
def deed():
    return libc.umount2(b'/tmp', 2) == 0
""",
    ),
    (
        "priv",
        "pid_namespace",
        SYSCALL
        + """
def deed():
    return libc.unshare(0x20000000) == 0
""",
    ),
    (
        "priv",
        "chroot",
        """
import os
def deed():
    os.chroot('/tmp')
    return True
""",
    ),
    (
        "priv",
        "become_root",
        """
import os
def deed():
    os.setresuid(0, 0, 0)
    return os.open('/etc/shadow', 0)
""",
    ),
    (
        "priv",
        "io_uring",
        SYSCALL
        + """
def deed():
    return call(425, 425, 1, ctypes.create_string_buffer(120)) >= 0
""",
    ),
    (
        "priv",
        "bpf",
        SYSCALL
        + """
def deed():
    call(321, 280, 0, ctypes.create_string_buffer(128), 128)
    return ctypes.get_errno() not in (1, 38)
""",
    ),
    (
        "priv",
        "perf_event",
        SYSCALL
        + """
def deed():
    call(298, 241, ctypes.create_string_buffer(128), 0, -1, -1, 0)
    return ctypes.get_errno() not in (1, 13, 38)
""",
    ),
    (
        "priv",
        "keyring",
        SYSCALL
        + """
def deed():
    return call(250, 219, 0, -3, 1) >= 0
""",
    ),
    (
        "priv",
        "userfaultfd",
        SYSCALL
        + """
def deed():
    return call(323, 282, 1) >= 0
""",
    ),
    (
        "priv",
        "hostname",
        """
import socket
def deed():
    socket.sethostname(socket.gethostname())
    return True
""",
    ),
    (
        "priv",
        "device_node",
        """
import os, stat
def deed():
    os.mknod('/tmp/disk', stat.S_IFBLK | 0o666, os.makedev(8, 0))
    return True
""",
    ),
    (
        "priv",
        "terminal_input",
        """
import fcntl
def deed():
    fcntl.ioctl(0, 0x5412, b'x')
    return True
""",
    ),
]

_WRONG = "def f(x):\n    return 0\n"

RAW: list[Hostile] = [
    Hostile(
        "hang_spin",
        "hang",
        """
def f(x):
    while True:
        pass
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_on_load",
        "hang",
        """
while True:
    pass
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_ignoring_signals",
        "hang",
        """
import signal
for n in range(1, 65):
    try:
        signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
def f(x):
    while True:
        pass
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_catching_everything",
        "hang",
        """
def f(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_masked_pause",
        "hang",
        """
import signal
def f(x):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        signal.pause()
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_sleep",
        "hang",
        """
import time
def f(x):
    time.sleep(1000)
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_big_power",
        "hang",
        """
def f(x):
    return 7 ** (7 ** 11)
""",
        verdicts=frozenset({"out_of_memory", "timeout"}),
    ),
    Hostile(
        "hang_regex",
        "hang",
        """
import re
def f(x):
    return re.match('(a+)+b', 'a' * 60)
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "crash_segfault",
        "crash",
        """
import ctypes
def f(x):
    return ctypes.string_at(0)
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "crash_c_stack",
        "crash",
        """
import sys
sys.setrecursionlimit(10 ** 8)
def f(x):
    def g():
        return [g() for _ in sorted([1], key=lambda _: g())]
    return g()
""",
        verdicts=frozenset({"error", "out_of_memory", "timeout"}),
    ),
    Hostile(
        "crash_huge_answer",
        "crash",
        """
def f(x):
    return 'x' * 20_000_000
""",
        verdicts=frozenset({"error", "failed", "out_of_memory"}),
    ),
    Hostile(
        "crash_deep_answer",
        "crash",
        """
def f(x):
    v = []
    for _ in range(100_000):
        v = [v]
    return v
""",
    ),
    Hostile(
        "crash_cyclic_answer",
        "crash",
        """
def f(x):
    v = []
    v.append(v)
    return v
""",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "crash_many_digits",
        "crash",
        """
def f(x):
    return 10 ** 100_000
""",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "crash_endless_answer",
        "crash",
        """
def f(x):
    while True:
        yield 1
""",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "crash_bad_repr",
        "crash",
        """
class E(Exception):
    def __str__(self):
        raise SystemExit
    __repr__ = __str__
def f(x):
    raise E
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "crash_null_byte",
        "crash",
        "def f(x):\n    return '\\0'\n\x00",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "crash_surrogates",
        "crash",
        r"""
def f(x):
    raise ValueError('\ud800' * 100)
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "print_flood",
        "resource",
        """
import sys
def f(x):
    for _ in range(20_000):
        print('x' * 1000)
    sys.stderr.write('x' * 1_000_000)
    return 0
""",
    ),
    Hostile(
        "forge_exit",
        "forge",
        """
raise SystemExit(0)
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_os_exit",
        "forge",
        """
import os
os._exit(0)
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_exit_in_call",
        "forge",
        """
import os
def f(x):
    os._exit(0)
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_exit_quietly",
        "forge",
        """
import sys
def f(x):
    sys.exit(0)
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_equal_to_all",
        "forge",
        """
class A:
    def __eq__(self, other):
        return True
    def __bool__(self):
        return True
def f(x):
    return A()
""",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_int_subclass",
        "forge",
        """
class A(int):
    def __eq__(self, other):
        return True
    __hash__ = int.__hash__
def f(x):
    return A(0)
""",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_float_lookalike",
        "forge",
        """
class A(float):
    def __sub__(self, other):
        return 0.0
    __rsub__ = __eq__ = __sub__
    __hash__ = float.__hash__
def f(x):
    return A(0)
""",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_patched_builtins",
        "forge",
        """
import builtins
builtins.abs = lambda x: 0
builtins.all = lambda x: True
"""
        + _WRONG,
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_trace",
        "forge",
        """
import sys
def tracer(frame, event, arg):
    for k in list(frame.f_locals):
        if k in ('candidate', 'c'):
            frame.f_locals[k] = lambda *a: True
    return tracer
sys.settrace(tracer)
"""
        + _WRONG,
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_frames",
        "forge",
        """
import sys
frame = sys._getframe()
while frame:
    for v in list(frame.f_locals.values()):
        if hasattr(v, 'outcomes'):
            v.outcomes = [['passed', '']] * 9
        if isinstance(v, list):
            v.append('passed')
    frame = frame.f_back
"""
        + _WRONG,
    ),
    Hostile(
        "forge_main_module",
        "forge",
        """
import sys
for module in list(sys.modules.values()):
    for name in ('check', 'report', 'judge', 'passed'):
        try:
            setattr(module, name, lambda *a: True)
        except Exception:
            pass
"""
        + _WRONG,
    ),
    Hostile(
        "forge_random",
        "forge",
        """
import random
random.random = lambda: 0
random.seed = lambda *a: None
"""
        + _WRONG,
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_report",
        "forge",
        SEND
        + """
send(b'S', b'["",true,"",[["passed",""],["passed",""]]]')
"""
        + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_loaded_twice",
        "forge",
        SEND
        + """
send(b'L', b'[]')
"""
        + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_answers_before_questions",
        "forge",
        SEND
        + """
send(b'V', b'2')
send(b'V', b'3')
"""
        + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_more_answers",
        "forge",
        SEND
        + """
def f(x):
    send(b'V', str(x + 1).encode())
    send(b'V', b'0')
    return x + 1
""",
    ),
    Hostile(
        "forge_words",
        "forge",
        SEND
        + r"""
for fd in range(3, 64):
    try:
        os.write(fd, b'passed\n' * 100)
    except OSError:
        pass
"""
        + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_json",
        "forge",
        SEND
        + """
send(b'V', b'{"passed": true}')
"""
        + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_bad_tag",
        "forge",
        SEND
        + """
def f(x):
    send(b'V', b'{"fraction":[1,0]}')
    return 0
""",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_json_depth",
        "forge",
        SEND
        + """
def f(x):
    send(b'V', b'[' * 200000 + b']' * 200000)
    return 0
""",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_not_utf8",
        "forge",
        SEND
        + r"""
def f(x):
    send(b'V', b'\xff\xfe')
    return 0
""",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_nan_constant",
        "forge",
        SEND
        + """
def f(x):
    send(b'V', b'NaN')
    return 0
""",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_giant_header",
        "forge",
        """
import os, struct
def f(x):
    os.write(3, struct.pack('=I', 0xFFFFFFFF))
    return 0
""",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_unfinished_frame",
        "forge",
        """
import os, struct, time
def f(x):
    os.write(3, struct.pack('=I', 100) + b'V1')
    time.sleep(100)
""",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "forge_hang_up",
        "forge",
        """
import os
def f(x):
    os.close(3)
    return x + 1
""",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_borrowed_descriptor",
        "forge",
        """
import os
os.dup2(os.open('/dev/null', 1), 3)
"""
        + _WRONG,
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_exception_shape",
        "forge",
        SEND
        + """
def f(x):
    send(b'E', b'["AssertionError"]')
    return 0
""",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_answer_without_a_bottom",
        "forge",
        SEND
        + """
def f(x):
    send(b'V', b'[' * 500_000 + b']' * 500_000)
    return 0
""",
        verdicts=frozenset({"error", "tampered"}),
    ),
    Hostile(
        "forge_answer_of_many_parts",
        "forge",
        SEND
        + """
def f(x):
    send(b'V', b'[' + b'[],' * 5_000_000 + b'[]]')
    return 0
""",
        verdicts=frozenset({"failed", "error", "tampered"}),
    ),
]


def hostile() -> list[Hostile]:
    """Every program, deeds first."""
    deeds = [
        Hostile(f"{kind}_{name}", kind, body + ANSWER, 6 if kind == "leak" else 1)
        for kind, name, body in DEEDS
    ]
    return deeds + RAW
