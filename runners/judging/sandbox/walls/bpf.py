"""Seccomp filters as balanced trees of classic BPF, for x86-64 and aarch64.

A filter is an allow-list. A denied call fails with EPERM, and one newer than the tables with
ENOSYS, so that the C library falls back to an older one.
"""

import errno
import platform
import struct
from collections.abc import Sequence

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant

ALLOW = 0x7FFF0000
DENY = 0x00050000 | errno.EPERM
ABSENT = 0x00050000 | errno.ENOSYS
KILL = 0x80000000
ASK = 0x7FC00000  # whoever holds the filter's listener decides

_LOAD, _JUMP, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_AND = 0x54
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_NEWEST = 425  # io_uring and everything after it: absent unless listed

CLONE_THREAD = 0x00010000
OPENS_TO_WRITE = 0o20001103  # to write, to create, to empty, without a name
CLONE_ANY_NAMESPACE = 0x7E020080

# Name, number on x86-64, number on aarch64.
_TABLE = """
read 0 63, write 1 64, open 2 -, close 3 57, stat 4 -, fstat 5 80, lstat 6 -, poll 7 -, lseek
8 62, mmap 9 222, mprotect 10 226, munmap 11 215, brk 12 214, rt_sigaction 13 134,
rt_sigprocmask 14 135, rt_sigreturn 15 139, ioctl 16 29, pread64 17 67, pwrite64 18 68, readv
19 65, writev 20 66, access 21 -, pipe 22 -, select 23 -, sched_yield 24 124, mremap 25 216,
msync 26 227, mincore 27 232, madvise 28 233, dup 32 23, dup2 33 -, pause 34 -, nanosleep 35
101, getitimer 36 102, alarm 37 -, setitimer 38 103, getpid 39 172, sendfile 40 71, sendto 44
206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212, shutdown 48 210, getsockname 51 204,
getpeername 52 205, socketpair 53 199, setsockopt 54 208, getsockopt 55 209, clone 56 220,
fork 57 -, vfork 58 -, execve 59 221, exit 60 93, wait4 61 260, kill 62 129, uname 63 160,
fcntl 72 25, flock 73 32, fsync 74 82, fdatasync 75 83, truncate 76 45, ftruncate 77 46,
getdents 78 -, getcwd 79 17, chdir 80 49, fchdir 81 50, rename 82 -, mkdir 83 -, rmdir 84 -,
creat 85 -, link 86 -, unlink 87 -, symlink 88 -, readlink 89 -, chmod 90 -, fchmod 91 52,
chown 92 -, fchown 93 55, lchown 94 -, umask 95 166, gettimeofday 96 169, getrlimit 97 163,
getrusage 98 165, sysinfo 99 179, times 100 153, getuid 102 174, getgid 104 176, geteuid 107
175, getegid 108 177, setpgid 109 154, getppid 110 173, getpgrp 111 -, setsid 112 157,
getgroups 115 158, setgroups 116 159, setresuid 117 147, getresuid 118 148, setresgid 119 149,
getresgid 120 150, getpgid 121 155, getsid 124 156, capget 125 90, capset 126 91,
rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigqueueinfo 129 138, rt_sigsuspend 130
133, sigaltstack 131 132, utime 132 -, statfs 137 43, fstatfs 138 44, getpriority 140 141,
sched_getparam 143 121, sched_getscheduler 145 120, sched_get_priority_max 146 125,
sched_get_priority_min 147 126, pivot_root 155 41, prctl 157 167, arch_prctl 158 -, setrlimit
160 164, mount 165 40, umount2 166 39, gettid 186 178, tkill 200 130, time 201 -, futex 202
98, sched_getaffinity 204 123, epoll_create 213 -, getdents64 217 61, set_tid_address 218 96,
restart_syscall 219 128, fadvise64 221 223, timer_create 222 107, timer_settime 223 110,
timer_gettime 224 108, timer_getoverrun 225 109, timer_delete 226 111, clock_gettime 228 113,
clock_getres 229 114, clock_nanosleep 230 115, exit_group 231 94, epoll_wait 232 -, epoll_ctl
233 21, tgkill 234 131, utimes 235 -, waitid 247 95, openat 257 56, mkdirat 258 34, fchownat
260 54, newfstatat 262 79, unlinkat 263 35, renameat 264 38, linkat 265 37, symlinkat 266 36,
readlinkat 267 78, fchmodat 268 53, faccessat 269 48, pselect6 270 72, ppoll 271 73, unshare
272 97, set_robust_list 273 99, get_robust_list 274 100, sync_file_range 277 84, utimensat 280
88, epoll_pwait 281 22, timerfd_create 283 85, eventfd 284 -, fallocate 285 47,
timerfd_settime 286 86, timerfd_gettime 287 87, eventfd2 290 19, epoll_create1 291 20, dup3
292 24, pipe2 293 59, preadv 295 69, pwritev 296 70, rt_tgsigqueueinfo 297 240, prlimit64 302
261, setns 308 268, getcpu 309 168, renameat2 316 276, seccomp 317 277, getrandom 318 278,
execveat 322 281, membarrier 324 283, copy_file_range 326 285, statx 332 291, rseq 334 293,
pidfd_send_signal 424 424, pidfd_open 434 434, clone3 435 435, close_range 436 436, faccessat2
439 439, mount_setattr 442 442, landlock_create_ruleset 444 444, landlock_add_rule 445 445,
landlock_restrict_self 446 446
"""

CLONE = {"x86_64": 56, "aarch64": 220}
_ARCHITECTURES = {"x86_64": (0xC000003E, 1), "aarch64": (0xC00000B7, 2)}

# Calls any program may make, on itself and on what it can already reach.
_HARMLESS = """
read write close fstat poll lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn
pread64 pwrite64 readv writev select sched_yield mremap msync mincore madvise dup dup2 pause
nanosleep getitimer alarm setitimer getpid recvfrom recvmsg shutdown getsockname getpeername
getsockopt setsockopt exit wait4 uname fsync fdatasync getcwd gettimeofday getrlimit getrusage
sysinfo times getuid getgid geteuid getegid getppid getpgrp getgroups getresuid getresgid getpgid
getsid rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack getpriority sched_getaffinity
sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min gettid futex time
epoll_create epoll_wait epoll_ctl epoll_create1 epoll_pwait set_tid_address restart_syscall
clock_gettime clock_getres clock_nanosleep exit_group waitid pselect6 ppoll set_robust_list
get_robust_list eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime dup3 pipe pipe2
getcpu getrandom membarrier rseq close_range arch_prctl capget umask timer_settime timer_gettime
timer_getoverrun timer_delete
open openat stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents
getdents64 statfs fstatfs chdir fchdir fadvise64
"""

# Calls that change files: only where the whole file system is a private one.
_FILES = """
rename renameat renameat2 mkdir mkdirat rmdir creat link linkat unlink unlinkat symlink symlinkat
chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat truncate ftruncate
fallocate copy_file_range sendfile preadv pwritev sync_file_range
"""

# What the zygote needs for every program; a child with a separate uid must lose the first line.
_SIGNALS = "kill tkill tgkill pidfd_send_signal pidfd_open rt_sigqueueinfo rt_tgsigqueueinfo"
_STEPS_DOWN = "setsid setpgid setrlimit setresuid setresgid setgroups capset"

# What compilers and the programs that they make need beside: only where a process is for these.
_TOOLS = "execve fork vfork"


def base_filter(
    *, namespaces: bool, asks: bool = False, tools: bool = False, narrows: bool = False
) -> bytes | None:
    """The filter a zygote installs once, or None on an unknown machine.

    ``namespaces``: children live in namespaces with the zygote as their first process, so files may
    change and the zygote may mount; else each child will add ``child_filter``. ``asks``: the
    zygote holds this filter's listener, and is asked before a thread begins or ends. ``tools``:
    programs of the machine may be started, and children may add ``program_filter``. ``narrows``:
    children may add ``reading_filter``.
    """
    rules: dict[str, list[Instruction]] = {name: [_give(ALLOW)] for name in _HARMLESS.split()}
    names = _SIGNALS.split()[: -2 if not namespaces else None] + _STEPS_DOWN.split()
    names += (_FILES + " mount umount2").split() if namespaces else []
    names += _TOOLS.split() if tools else []
    rules |= {name: [_give(ALLOW)] for name in names}
    rules["clone"] = _unless_any_bit(0, CLONE_ANY_NAMESPACE)
    rules["clone3"] = [_give(ABSENT)]
    rules["rt_sigaction"] = _unless_child_signal()
    if asks:
        thread = [(_ANY_BIT, 0, 1, CLONE_THREAD), _give(ASK)]
        rules["clone"] = [*rules["clone"][:-1], *thread, _give(ALLOW)]
        rules["exit"] = [_give(ASK)]
    # Pairs that stay pairs: a datagram socket could be pointed elsewhere, by address or message.
    rules["socketpair"] = _socket_pairs()
    rules["sendto"] = _only_zero(4)  # no address
    rules["prlimit64"] = _only(0, (0,))  # only oneself
    rules["timer_create"] = [_give(ALLOW)]
    # No owner, no signal choice: those would let a descriptor signal other processes. No locks:
    # the libraries' files are everybody's.
    rules["fcntl"] = _only(1, (0, 1, 2, 3, 4, 1030, 1032))
    listening = (0xC0502100, 0xC0182101) if asks else ()
    rules["ioctl"] = _only(1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, *listening))
    options = (2, 3, 15, 16) if namespaces else (1, 2, 3, 4, 15, 16, 22, 38)
    rules["prctl"] = _only(0, (*options, 22) if (tools or narrows) and namespaces else options)
    if namespaces:
        for name in ("kill", "tkill", "rt_sigqueueinfo", "pidfd_open"):
            rules[name] = _unless(0, 1)  # the zygote
        for name in ("tgkill", "rt_tgsigqueueinfo"):
            rules[name] = [*_unless(0, 1)[:-1], *_unless(1, 1)]
    return _assemble(rules, default=DENY)


def child_filter(*, threads: bool) -> bytes | None:
    """The filter a child adds where it shares uid and process ids with others.

    No new process, no signal, no setting of another's anything, no outliving the zygote; where
    somebody counts them, ``threads`` stay possible.
    """
    rules: dict[str, list[Instruction]] = {
        name: [_give(DENY)] for name in (_SIGNALS + " " + _STEPS_DOWN + " prctl").split()
    }
    rules["setrlimit"] = [_give(ALLOW)]
    rules["prctl"] = _only(0, (2, 3, 15, 16))
    rules["clone"] = _threads_only() if threads else [_give(DENY)]
    rules["clone3"] = [_give(ABSENT)]
    rules["fork"] = rules["vfork"] = [_give(DENY)]
    return _assemble(rules, default=ALLOW)


def reading_filter() -> bytes | None:
    """The filter of a child that reads and computes: the kernel ends it for anything else.

    It can write to what is open, and opens nothing to be written. It changes no flag of an open
    file: processes that fork share these.
    """
    names = f"{_HARMLESS} ftruncate prlimit64".split()
    rules: dict[str, list[Instruction]] = {name: [_give(ALLOW)] for name in names}
    rules["fcntl"] = _only(1, (0, 1, 2, 3, 1030, 1032), KILL)
    rules["ioctl"] = _only(1, (0x5401, 0x5413, 0x541B, 0x5450, 0x5451), KILL)
    for name, index in (("open", 1), ("openat", 2)):
        rules[name] = [
            *(_load_argument(index), (_ANY_BIT, 0, 1, OPENS_TO_WRITE)),
            *(_give(KILL), _give(ALLOW)),
        ]
    return _assemble(rules, default=KILL)


def program_filter() -> bytes | None:
    """The filter of a program that the tools made: threads begin, processes do not."""
    rules: dict[str, list[Instruction]] = {name: [_give(DENY)] for name in ("fork", "vfork")}
    rules["clone"] = _threads_only()
    rules["clone3"] = [_give(ABSENT)]
    return _assemble(rules, default=ALLOW)


def _threads_only() -> list[Instruction]:
    return [_load_argument(0), (_ANY_BIT, 0, 1, CLONE_THREAD), _give(ALLOW), _give(DENY)]


def _give(action: int) -> Instruction:
    return (_RETURN, 0, 0, action)


def _load_argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * index)  # the low half, on a little-endian machine


def _only(index: int, values: Sequence[int], otherwise: int = DENY) -> list[Instruction]:
    """Allow when the argument is one of the values."""
    tests = [(_EQUAL, len(values) - position, 0, value) for position, value in enumerate(values)]
    return [_load_argument(index), *tests, _give(otherwise), _give(ALLOW)]


def _only_zero(index: int) -> list[Instruction]:
    """Allow when the whole argument is zero."""
    high = (_LOAD, 0, 0, _ARGUMENTS + 8 * index + 4)
    return [
        *(_load_argument(index), (_EQUAL, 0, 2, 0)),
        *(high, (_EQUAL, 1, 0, 0)),
        *(_give(DENY), _give(ALLOW)),
    ]


def _unless(index: int, value: int) -> list[Instruction]:
    return [_load_argument(index), (_EQUAL, 0, 1, value), _give(DENY), _give(ALLOW)]


def _socket_pairs() -> list[Instruction]:
    """Allow pairs of local stream or packet sockets."""
    return [
        *(_load_argument(0), (_EQUAL, 1, 0, 1), _give(DENY)),  # AF_UNIX
        *(_load_argument(1), (_AND, 0, 0, 0xF)),
        *((_EQUAL, 1, 0, 1), (_EQUAL, 0, 1, 5)),  # SOCK_STREAM, SOCK_SEQPACKET
        *(_give(ALLOW), _give(DENY)),
    ]


def _unless_child_signal() -> list[Instruction]:
    """Let SIGCHLD be asked about but not changed: who ignores it has its children go uncounted."""
    return [_load_argument(0), (_EQUAL, 1, 0, 17), _give(ALLOW), *_only_zero(1)]


def _unless_any_bit(index: int, bits: int) -> list[Instruction]:
    return [_load_argument(index), (_ANY_BIT, 0, 1, bits), _give(DENY), _give(ALLOW)]


def _assemble(rules: dict[str, list[Instruction]], default: int) -> bytes | None:
    machine = _ARCHITECTURES.get(platform.machine())
    if machine is None:
        return None
    audit, column = machine
    numbers = {
        words[0]: int(words[column])
        for words in (entry.split() for entry in _TABLE.replace("\n", " ").split(","))
        if words[column] != "-"
    }
    by_number = {numbers[name]: block for name, block in rules.items() if name in numbers}
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, audit),
        _give(KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, 0x40000000),  # the x32 way in
        _give(DENY),
        *_tree(_segments(by_number, default)),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _segments(
    by_number: dict[int, list[Instruction]], default: int
) -> list[tuple[int, list[Instruction]]]:
    """Cut the call numbers into runs of equal treatment: (first number, what to do)."""
    runs: list[tuple[int, list[Instruction]]] = []
    newer = default if default == ALLOW else ABSENT
    for number in range(max([*by_number, _NEWEST]) + 2):
        block = by_number.get(number) or [_give(default if number < _NEWEST else newer)]
        if not runs or runs[-1][1] != block:
            runs.append((number, block))
    return runs


def _tree(runs: list[tuple[int, list[Instruction]]]) -> list[Instruction]:
    if len(runs) == 1:
        return runs[0][1]
    middle = len(runs) // 2
    low, high = _tree(runs[:middle]), _tree(runs[middle:])
    return [(_AT_LEAST, 0, 1, runs[middle][0]), (_JUMP, 0, 0, len(low)), *low, *high]
