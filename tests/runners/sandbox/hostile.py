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


_ANSWER = """
def f(x):
    try:
        done = deed()
    except BaseException:
        done = False
    return x + 1 if done else None
"""

_SYSCALL = """
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
def call(x86, arm, *arguments):
    return libc.syscall(x86 if platform.machine() == "x86_64" else arm, *arguments)
"""

_SEND = """
import os, struct
def send(kind, text):
    body = kind + text
    for fd in range(3, 16):
        try:
            os.write(fd, struct.pack("=I", len(body)) + body)
        except OSError:
            pass
"""

# kind, name, body with deed(); repeats > 1 where a later run would find what an earlier one left
DEEDS: list[tuple[str, str, str]] = [
    ("read", "passwd", "def deed():\n    return open('/etc/passwd').read()"),
    ("read", "secret_file", "def deed():\n    return 'secret' in open('ARENA/secret').read()"),
    (
        "read",
        "list_home",
        "import os\ndef deed():\n    return os.listdir(os.path.expanduser('~root'))",
    ),
    (
        "read",
        "environment",
        "import os\ndef deed():\n    return [k for k in os.environ if 'PYTEST' in k or 'ASSAY' in k]",
    ),
    (
        "read",
        "parent_environment",
        "import os\ndef deed():\n    return open(f'/proc/{os.getppid()}/environ', 'rb').read()",
    ),
    ("read", "proc_self_mem", "def deed():\n    return open('/proc/self/mem', 'rb+')"),
    ("read", "proc_net", "def deed():\n    return open('/proc/net/tcp').read()"),
    (
        "read",
        "shadow_by_handle",
        "import os\ndef deed():\n    return os.open('/etc/shadow', os.O_RDONLY)",
    ),
    (
        "read",
        "dotdot_from_library",
        "import os\ndef deed():\n    up = os.path.dirname(os.__file__) + '/..' * 12\n"
        "    return open(up + '/etc/hostname').read() + open(up + '/etc/passwd').read()",
    ),
    (
        "read",
        "other_descriptors",
        "import os\ndef deed():\n    found = []\n    for fd in range(4, 1024):\n        try:\n"
        "            found.append(os.fstat(fd))\n        except OSError:\n            pass\n    return found",
    ),
    (
        "read",
        "tests_in_memory",
        "import gc, sys\ndef deed():\n    needle = ''.join(['asse', 'rt c('])\n"
        "    seen = [o for o in gc.get_objects() if isinstance(o, (dict, list, tuple))]\n"
        "    for o in seen:\n        for v in (o.values() if isinstance(o, dict) else o):\n"
        "            if isinstance(v, str) and needle in v and 'needle' not in v:\n                return True",
    ),
    (
        "read",
        "tests_in_frames",
        "import sys\ndef deed():\n    frame = sys._getframe()\n    while frame:\n"
        "        if any('suite' in k or 'expected' in k for k in frame.f_locals):\n            return True\n"
        "        frame = frame.f_back",
    ),
    ("read", "harness_modules", "def deed():\n    import runners.sandbox.judge\n    return True"),
    (
        "net",
        "tcp_loopback",
        "import socket\ndef deed():\n    return socket.create_connection(('127.0.0.1', PORT), 1).send(b'x')",
    ),
    (
        "net",
        "udp_loopback",
        "import socket\ndef deed():\n"
        "    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    ),
    (
        "net",
        "unix_path",
        "import socket\ndef deed():\n    s = socket.socket(socket.AF_UNIX)\n"
        "    s.connect('ARENA/socket')\n    return s.send(b'x')",
    ),
    (
        "net",
        "unix_abstract",
        "import socket\ndef deed():\n    s = socket.socket(socket.AF_UNIX)\n"
        "    s.connect('\\0ABSTRACT')\n    return s.send(b'x')",
    ),
    (
        "net",
        "listen",
        "import socket\ndef deed():\n    s = socket.socket()\n    s.bind(('127.0.0.1', 0))\n"
        "    s.listen()\n    return True",
    ),
    (
        "net",
        "raw_packets",
        "import socket\ndef deed():\n    return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    ),
    (
        "net",
        "netlink",
        "import socket\ndef deed():\n    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    ),
    (
        "net",
        "socketpair_connect",
        "import socket\ndef deed():\n    a, b = socket.socketpair()\n    a.connect('ARENA/socket')\n    return True",
    ),
    ("write", "outside", "def deed():\n    return open('ARENA/written', 'w').write('x')"),
    (
        "write",
        "truncate_canary",
        "import os\ndef deed():\n    os.truncate('ARENA/canary', 0)\n    return True",
    ),
    (
        "write",
        "chmod_canary",
        "import os\ndef deed():\n    os.chmod('ARENA/canary', 0o777)\n    return True",
    ),
    (
        "write",
        "touch_canary",
        "import os\ndef deed():\n    os.utime('ARENA/canary', (0, 0))\n    return True",
    ),
    (
        "write",
        "rename_canary",
        "import os\ndef deed():\n    os.rename('ARENA/canary', 'ARENA/moved')\n    return True",
    ),
    (
        "write",
        "hard_link",
        "import os\ndef deed():\n    os.link('ARENA/canary', 'ARENA/link')\n    return True",
    ),
    (
        "write",
        "poison_library",
        "import os\ndef deed():\n    place = os.path.dirname(os.__file__) + '/assay_poison.py'\n"
        "    open(place, 'w').close()\n    os.unlink(place)\n    return True",
    ),
    (
        "write",
        "home",
        "import os\ndef deed():\n    open('/root/.assay-hostile', 'w').close()\n    os.unlink('/root/.assay-hostile')\n    return True",
    ),
    (
        "write",
        "xattr",
        "import os\ndef deed():\n    os.setxattr('ARENA/canary', 'user.x', b'1')\n    return True",
    ),
    (
        "write",
        "symlink_then_clean",
        "import os\ndef deed():\n    os.symlink('ARENA', '/tmp/door')\n    os.chdir('/tmp/door')\n"
        "    os.unlink('ARENA/canary')\n    return True",
    ),
    (
        "leak",
        "tmp_file",
        "import os\ndef deed():\n    if os.path.exists('/tmp/left'):\n        return True\n"
        "    open('/tmp/left', 'w').close()",
    ),
    (
        "leak",
        "tmp_mode",
        "import os\ndef deed():\n    if os.stat('/tmp').st_mode & 0o777 == 0o751:\n        return True\n"
        "    os.chmod('/tmp', 0o751)",
    ),
    (
        "leak",
        "dev_shm",
        "import os\ndef deed():\n    if os.path.exists('/dev/shm/assay-left'):\n        os.unlink('/dev/shm/assay-left')\n"
        "        return True\n    open('/dev/shm/assay-left', 'w').close()",
    ),
    (
        "leak",
        "sysv_shared_memory",
        _SYSCALL
        + "def deed():\n    if call(29, 194, 0x5A5A, 4096, 0o666) >= 0:\n        return True\n"
        "    call(29, 194, 0x5A5A, 4096, 0o1666)",
    ),
    (
        "leak",
        "shared_module",
        "import math\ndef deed():\n    if hasattr(math, 'left'):\n        return True\n    math.left = 1",
    ),
    (
        "leak",
        "message_queue",
        _SYSCALL + "def deed():\n    return call(240, 180, b'left', 0o102, 0o600, None) >= 0",
    ),
    (
        "kill",
        "parent",
        "import os\ndef deed():\n    p = os.getppid()\n    os.kill(p, 18)\n    return p > 0",
    ),
    ("kill", "all", "import os\ndef deed():\n    os.kill(-1, 0)\n    return True"),
    ("kill", "bystander", "import os\ndef deed():\n    os.kill(BYSTANDER, 18)\n    return True"),
    (
        "kill",
        "scan",
        "import os\ndef deed():\n    hit = 0\n    for pid in range(2, 400):\n        try:\n"
        "            os.kill(pid, 0)\n            hit += pid != os.getpid()\n        except OSError:\n            pass\n"
        "    return hit",
    ),
    (
        "kill",
        "descriptor_signals",
        "import fcntl, os\ndef deed():\n    r, w = os.pipe()\n    fcntl.fcntl(r, fcntl.F_SETOWN, BYSTANDER)\n    return True",
    ),
    (
        "kill",
        "queued_signal",
        _SYSCALL
        + "def deed():\n    info = ctypes.create_string_buffer(128)\n    return call(129, 138, BYSTANDER, 18, info) == 0",
    ),
    (
        "kill",
        "pidfd",
        "import os, signal\ndef deed():\n    signal.pidfd_send_signal(os.pidfd_open(BYSTANDER), 18)\n    return True",
    ),
    (
        "kill",
        "ptrace_bystander",
        _SYSCALL + "def deed():\n    return call(101, 117, 0x4206, BYSTANDER, 0, 0) == 0",
    ),
    (
        "kill",
        "parent_memory",
        "import os\ndef deed():\n    return open(f'/proc/{os.getppid() or 1}/mem', 'rb+')",
    ),
    (
        "kill",
        "vm_read",
        _SYSCALL + "def deed():\n    spot = ctypes.create_string_buffer(16)\n"
        "    vector = (ctypes.c_ulong * 2)(ctypes.addressof(spot), 8)\n"
        "    call(310, 270, BYSTANDER, vector, 1, vector, 1, 0)\n    return ctypes.get_errno() not in (1, 38)",
    ),
    (
        "kill",
        "limits_of_bystander",
        "import resource\ndef deed():\n    resource.prlimit(BYSTANDER, resource.RLIMIT_CORE)\n    return True",
    ),
    (
        "kill",
        "priority_of_bystander",
        "import os\ndef deed():\n    os.setpriority(os.PRIO_PROCESS, BYSTANDER, 1)\n    return True",
    ),
    (
        "resource",
        "fork_bomb",
        "import os, time\ndef deed():\n    made = 0\n    for _ in range(60):\n        if os.fork() == 0:\n"
        "            time.sleep(3)\n            os._exit(0)\n        made += 1\n    return made > 40",
    ),
    (
        "resource",
        "thread_bomb",
        "import threading, time\ndef deed():\n    made = 0\n    for _ in range(300):\n"
        "        threading.Thread(target=time.sleep, args=(3,), daemon=True).start()\n        made += 1\n    return made > 250",
    ),
    (
        "resource",
        "memory",
        "def deed():\n    held = []\n    for _ in range(40):\n        held.append(bytearray(10_000_000))\n    return len(held) == 40",
    ),
    (
        "resource",
        "memory_mapped",
        "import mmap\ndef deed():\n    m = mmap.mmap(-1, 400_000_000)\n    for i in range(0, 400_000_000, 4096 * 64):\n"
        "        m[i] = 1\n    return True",
    ),
    (
        "resource",
        "memory_file",
        "import os\ndef deed():\n    fd = os.memfd_create('x')\n    return os.write(fd, bytes(50_000_000))",
    ),
    (
        "resource",
        "disk",
        "import os\ndef deed():\n    total = 0\n    for place in ('/tmp', 'ARENA', '/dev/shm', '/var/tmp'):\n"
        "        for n in range(40):\n            try:\n                with open(f'{place}/assay-bomb{n}', 'wb') as out:\n"
        "                    total += out.write(bytes(1_000_000))\n"
        "            except OSError:\n                break\n        for n in range(40):\n            try:\n"
        "                os.unlink(f'{place}/assay-bomb{n}') if place != '/tmp' else None\n            except OSError:\n                break\n"
        "    return total > 20_000_000",
    ),
    (
        "resource",
        "inodes",
        "import os\ndef deed():\n    made = 0\n    for n in range(3000):\n        try:\n            os.close(os.open(f'/tmp/n{n}', os.O_CREAT))\n"
        "            made += 1\n        except OSError:\n            break\n    return made > 2000",
    ),
    (
        "resource",
        "one_large_file",
        "import signal\ndef deed():\n    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n    with open('/tmp/large', 'wb') as out:\n"
        "        for _ in range(40):\n            out.write(bytes(1_000_000))\n    return True",
    ),
    (
        "resource",
        "descriptors",
        "import os\ndef deed():\n    held = [os.open('/dev/null', 0) for _ in range(500)]\n    return len(held)",
    ),
    (
        "resource",
        "raise_limits",
        "import resource\ndef deed():\n    soft, hard = resource.getrlimit(resource.RLIMIT_AS)\n"
        "    resource.setrlimit(resource.RLIMIT_AS, (hard * 2, hard * 2))\n    return True",
    ),
    (
        "resource",
        "deep_folders",
        "import os\ndef deed():\n    os.chdir('/tmp')\n    for _ in range(3000):\n        os.mkdir('d')\n        os.chdir('d')\n    return True",
    ),
    (
        "resource",
        "core_dump",
        "import resource, signal, os\ndef deed():\n    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))\n    return True",
    ),
    (
        "outlive",
        "daemon",
        "import os, time\ndef deed():\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n"
        "            time.sleep(4)\n            open('ARENA/daemon', 'w').close()\n        os._exit(0)\n    return False",
    ),
    (
        "outlive",
        "new_session_child",
        "import os, time\ndef deed():\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(4)\n"
        "        open('ARENA/session', 'w').close()\n        os._exit(0)\n    return False",
    ),
    (
        "outlive",
        "shell",
        "import subprocess\ndef deed():\n    return subprocess.run(['/bin/sh', '-c', 'echo x > ARENA/shell']).returncode == 0",
    ),
    ("outlive", "system", "import os\ndef deed():\n    return os.system('true') == 0"),
    (
        "outlive",
        "replace_itself",
        "import os, sys\ndef deed():\n    os.execv(sys.executable or '/bin/sh', ['x', '-c', 'pass'])",
    ),
    (
        "outlive",
        "ignore_and_thread",
        "import threading, time\ndef deed():\n    threading.Thread(target=time.sleep, args=(4,)).start()\n    return False",
    ),
    ("priv", "user_namespace", _SYSCALL + "def deed():\n    return libc.unshare(0x10000000) == 0"),
    (
        "priv",
        "user_namespace_by_clone",
        _SYSCALL + "def deed():\n    return call(56, 220, 0x10000011, 0, 0, 0, 0) >= 0",
    ),
    (
        "priv",
        "clone3",
        _SYSCALL
        + "def deed():\n    return call(435, 435, (ctypes.c_ulong * 11)(0x10000000), 88) >= 0",
    ),
    (
        "priv",
        "mount",
        _SYSCALL + "def deed():\n    return libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0",
    ),
    ("priv", "unmount", _SYSCALL + "def deed():\n    return libc.umount2(b'/tmp', 2) == 0"),
    ("priv", "pid_namespace", _SYSCALL + "def deed():\n    return libc.unshare(0x20000000) == 0"),
    ("priv", "chroot", "import os\ndef deed():\n    os.chroot('/tmp')\n    return True"),
    (
        "priv",
        "become_root",
        "import os\ndef deed():\n    os.setresuid(0, 0, 0)\n    return os.open('/etc/shadow', 0)",
    ),
    (
        "priv",
        "io_uring",
        _SYSCALL
        + "def deed():\n    return call(425, 425, 1, ctypes.create_string_buffer(120)) >= 0",
    ),
    (
        "priv",
        "bpf",
        _SYSCALL
        + "def deed():\n    call(321, 280, 0, ctypes.create_string_buffer(128), 128)\n    return ctypes.get_errno() not in (1, 38)",
    ),
    (
        "priv",
        "perf_event",
        _SYSCALL
        + "def deed():\n    call(298, 241, ctypes.create_string_buffer(128), 0, -1, -1, 0)\n    return ctypes.get_errno() not in (1, 13, 38)",
    ),
    ("priv", "keyring", _SYSCALL + "def deed():\n    return call(250, 219, 0, -3, 1) >= 0"),
    ("priv", "userfaultfd", _SYSCALL + "def deed():\n    return call(323, 282, 1) >= 0"),
    (
        "priv",
        "hostname",
        "import socket\ndef deed():\n    socket.sethostname(socket.gethostname())\n    return True",
    ),
    (
        "priv",
        "device_node",
        "import os, stat\ndef deed():\n    os.mknod('/tmp/disk', stat.S_IFBLK | 0o666, os.makedev(8, 0))\n    return True",
    ),
    (
        "priv",
        "terminal_input",
        "import fcntl\ndef deed():\n    fcntl.ioctl(0, 0x5412, b'x')\n    return True",
    ),
]

_WRONG = "def f(x):\n    return 0\n"

RAW: list[Hostile] = [
    Hostile(
        "hang_spin",
        "hang",
        "def f(x):\n    while True:\n        pass\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile("hang_on_load", "hang", "while True:\n    pass\n", verdicts=frozenset({"timeout"})),
    Hostile(
        "hang_ignoring_signals",
        "hang",
        "import signal\nfor n in range(1, 65):\n    try:\n        signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\n"
        "def f(x):\n    while True:\n        pass\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_catching_everything",
        "hang",
        "def f(x):\n    while True:\n        try:\n            while True:\n                pass\n        except BaseException:\n            pass\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_masked_pause",
        "hang",
        "import signal\ndef f(x):\n    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n    while True:\n        signal.pause()\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_sleep",
        "hang",
        "import time\ndef f(x):\n    time.sleep(1000)\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "hang_big_power",
        "hang",
        "def f(x):\n    return 7 ** (7 ** 11)\n",
        verdicts=frozenset({"timeout", "out_of_memory"}),
    ),
    Hostile(
        "hang_regex",
        "hang",
        "import re\ndef f(x):\n    return re.match('(a+)+b', 'a' * 60)\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "crash_segfault",
        "crash",
        "import ctypes\ndef f(x):\n    return ctypes.string_at(0)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "crash_c_stack",
        "crash",
        "import sys\nsys.setrecursionlimit(10 ** 8)\ndef f(x):\n    def g():\n        return [g() for _ in sorted([1], key=lambda _: g())]\n    return g()\n",
        verdicts=frozenset({"error", "out_of_memory", "timeout"}),
    ),
    Hostile(
        "crash_huge_answer",
        "crash",
        "def f(x):\n    return 'x' * 50_000_000\n",
        verdicts=frozenset({"error", "out_of_memory", "failed"}),
    ),
    Hostile(
        "crash_deep_answer",
        "crash",
        "def f(x):\n    v = []\n    for _ in range(100_000):\n        v = [v]\n    return v\n",
    ),
    Hostile(
        "crash_cyclic_answer",
        "crash",
        "def f(x):\n    v = []\n    v.append(v)\n    return v\n",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "crash_many_digits",
        "crash",
        "def f(x):\n    return 10 ** 100_000\n",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "crash_endless_answer",
        "crash",
        "def f(x):\n    while True:\n        yield 1\n",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "crash_bad_repr",
        "crash",
        "class E(Exception):\n    def __str__(self):\n        raise SystemExit\n    __repr__ = __str__\ndef f(x):\n    raise E\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "crash_null_byte", "crash", "def f(x):\n    return '\\0'\n\0", verdicts=frozenset({"error"})
    ),
    Hostile(
        "crash_surrogates",
        "crash",
        "def f(x):\n    raise ValueError('\\ud800' * 100)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "print_flood",
        "resource",
        "import sys\ndef f(x):\n    for _ in range(20_000):\n        print('x' * 1000)\n    sys.stderr.write('x' * 1_000_000)\n    return 0\n",
    ),
    Hostile("forge_exit", "forge", "raise SystemExit(0)\n", verdicts=frozenset({"error"})),
    Hostile("forge_os_exit", "forge", "import os\nos._exit(0)\n", verdicts=frozenset({"error"})),
    Hostile(
        "forge_exit_in_call",
        "forge",
        "import os\ndef f(x):\n    os._exit(0)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_exit_quietly",
        "forge",
        "import sys\ndef f(x):\n    sys.exit(0)\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_equal_to_all",
        "forge",
        "class A:\n    def __eq__(self, other):\n        return True\n    def __bool__(self):\n        return True\ndef f(x):\n    return A()\n",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_int_subclass",
        "forge",
        "class A(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = int.__hash__\ndef f(x):\n    return A(0)\n",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_float_lookalike",
        "forge",
        "class A(float):\n    def __sub__(self, other):\n        return 0.0\n    __rsub__ = __eq__ = __sub__\n    __hash__ = float.__hash__\ndef f(x):\n    return A(0)\n",
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_patched_builtins",
        "forge",
        "import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.all = lambda x: True\n" + _WRONG,
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_trace",
        "forge",
        "import sys\ndef tracer(frame, event, arg):\n    for k in list(frame.f_locals):\n        if k in ('candidate', 'c'):\n"
        "            frame.f_locals[k] = lambda *a: True\n    return tracer\nsys.settrace(tracer)\n"
        + _WRONG,
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_frames",
        "forge",
        "import sys\nframe = sys._getframe()\nwhile frame:\n    for v in list(frame.f_locals.values()):\n"
        "        if hasattr(v, 'outcomes'):\n            v.outcomes = [['passed', '']] * 9\n        if isinstance(v, list):\n            v.append('passed')\n"
        "    frame = frame.f_back\n" + _WRONG,
    ),
    Hostile(
        "forge_main_module",
        "forge",
        "import sys\nfor module in list(sys.modules.values()):\n    for name in ('check', 'report', 'judge', 'passed'):\n"
        "        try:\n            setattr(module, name, lambda *a: True)\n        except Exception:\n            pass\n"
        + _WRONG,
    ),
    Hostile(
        "forge_random",
        "forge",
        "import random\nrandom.random = lambda: 0\nrandom.seed = lambda *a: None\n" + _WRONG,
        verdicts=frozenset({"failed"}),
    ),
    Hostile(
        "forge_report",
        "forge",
        _SEND + 'send(b\'S\', b\'["",true,"",[["passed",""],["passed",""]]]\')\n' + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_loaded_twice",
        "forge",
        _SEND + "send(b'L', b'[]')\n" + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_answers_before_questions",
        "forge",
        _SEND + "send(b'V', b'2')\nsend(b'V', b'3')\n" + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_more_answers",
        "forge",
        _SEND
        + "def f(x):\n    send(b'V', str(x + 1).encode())\n    send(b'V', b'0')\n    return x + 1\n",
    ),
    Hostile(
        "forge_words",
        "forge",
        _SEND
        + "for fd in range(3, 64):\n    try:\n        os.write(fd, b'passed\\n' * 100)\n    except OSError:\n        pass\n"
        + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_json",
        "forge",
        _SEND + "send(b'V', b'{\"passed\": true}')\n" + _WRONG,
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_bad_tag",
        "forge",
        _SEND + "def f(x):\n    send(b'V', b'{\"fraction\":[1,0]}')\n    return 0\n",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_json_depth",
        "forge",
        _SEND + "def f(x):\n    send(b'V', b'[' * 200000 + b']' * 200000)\n    return 0\n",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_not_utf8",
        "forge",
        _SEND + "def f(x):\n    send(b'V', b'\\xff\\xfe')\n    return 0\n",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_nan_constant",
        "forge",
        _SEND + "def f(x):\n    send(b'V', b'NaN')\n    return 0\n",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_giant_header",
        "forge",
        "import os, struct\ndef f(x):\n    os.write(3, struct.pack('=I', 0xFFFFFFFF))\n    return 0\n",
        verdicts=frozenset({"tampered"}),
    ),
    Hostile(
        "forge_unfinished_frame",
        "forge",
        "import os, struct, time\ndef f(x):\n    os.write(3, struct.pack('=I', 100) + b'V1')\n    time.sleep(100)\n",
        verdicts=frozenset({"timeout"}),
    ),
    Hostile(
        "forge_hang_up",
        "forge",
        "import os\ndef f(x):\n    os.close(3)\n    return x + 1\n",
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_borrowed_descriptor",
        "forge",
        "import os\nos.dup2(os.open('/dev/null', 1), 3)\n" + _WRONG,
        verdicts=frozenset({"error"}),
    ),
    Hostile(
        "forge_exception_shape",
        "forge",
        _SEND + "def f(x):\n    send(b'E', b'[\"AssertionError\"]')\n    return 0\n",
        verdicts=frozenset({"tampered"}),
    ),
]


def hostile() -> list[Hostile]:
    """Every program, deeds first."""
    deeds = [
        Hostile(f"{kind}_{name}", kind, body + _ANSWER, 6 if kind == "leak" else 1)
        for kind, name, body in DEEDS
    ]
    return deeds + RAW
