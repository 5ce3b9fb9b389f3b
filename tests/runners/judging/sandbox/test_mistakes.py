"""Mistakes earlier sandboxes made, each kept as a test at every safe level."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.words import SAFE_LEVELS
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Limits, Result
from tests.runners.judging.sandbox.cases import job, require_level

RIGHT = "def f(x):\n    return x + 1\n"
LIMITS = Limits(cpu_s=1.0, wall_s=3.0, memory_mb=256)


@pytest.fixture(scope="module", params=SAFE_LEVELS)
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    require_level(request.param)
    with Pool(workers=1, isolation=request.param) as pool:
        yield pool


def run(pool: Pool, *sources: str) -> list[Result]:
    """Run the programs one after another on the one worker, then a correct one."""
    results = []
    for source in (*sources, RIGHT):
        results += pool.run([job(source, limits=LIMITS)])
    assert results[-1].verdict == "passed"
    return results[:-1]


def test_cleaning_up_does_not_follow_a_symlink(pool: Pool, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("kept")
    for place in (tmp_path, *tmp_path.parents[:2]):
        place.chmod(0o777)
    run(
        pool,
        f"import os\nos.symlink({str(tmp_path)!r}, '/tmp/door')\n{RIGHT}",
        f"import os\nos.rmdir(os.getcwd())\nos.symlink({str(tmp_path)!r}, '/tmp')\n{RIGHT}",
    )
    assert kept.read_text() == "kept"


def test_deep_folders_do_not_harm_the_next_program(pool: Pool) -> None:
    deep = (
        "import os\ntry:\n    for _ in range(3000):\n        os.mkdir('d')\n        os.chdir('d')\n"
    )
    (result,) = run(pool, deep + "except OSError:\n    pass\n" + RIGHT)
    assert result.verdict == "passed"


def test_one_tmp_is_not_shared_by_two_programs(pool: Pool) -> None:
    count = (
        "import os\nfound = os.listdir('/tmp')\ntry:\n    open('/tmp/left', 'w').close()\n"
        "except OSError:\n    pass\ndef f(x):\n    return x + 1 + len(found)\n"
    )
    if pool.isolation == "seccomp+landlock":
        count = count.replace("os.listdir('/tmp')", "[n for n in ['left'] if os.path.exists(n)]")
    assert [result.verdict for result in run(pool, *[count] * 4)] == ["passed"] * 4


def test_the_zygote_and_other_programs_are_out_of_reach(pool: Pool) -> None:
    line = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    others = ", ".join(["os.getppid()", "-1", *line])
    reach = (
        f"import os\ndef f(x):\n    hits = 0\n    for pid in [{others}]:\n"
        "        try:\n            os.kill(pid, 0)\n            hits += pid != 0\n"
        "        except OSError:\n            pass\n"
        "        try:\n            open(f'/proc/{pid}/mem', 'rb+')\n            hits += 1\n"
        "        except OSError:\n            pass\n    return x + 1 + hits\n"
    )
    (result,) = run(pool, reach)
    assert result.verdict == "passed"


def test_prints_never_land_in_the_verdict_channel(pool: Pool) -> None:
    noisy = "import os\nfor fd in (0, 1, 2):\n    try:\n        os.write(fd, b'x' * 9999)\n"
    noisy += "    except OSError:\n        pass\nprint('x' * 99_999, flush=True)\n" + RIGHT
    (result,) = run(pool, noisy)
    assert result.verdict == "passed"


def test_no_message_a_program_writes_is_a_verdict(pool: Pool) -> None:
    report = '["",true,"",[["passed",""],["passed",""]]]'
    forged = "import os, struct\nfor kind in b'LXVES':\n    body = bytes([kind]) + "
    forged += f"{report.encode()!r}\n    os.write(3, struct.pack('=I', len(body)) + body)\n"
    (result,) = run(pool, forged + "def f(x):\n    return 0\n")
    assert result.verdict == "tampered"


def test_no_program_fills_the_disk(pool: Pool) -> None:
    fill = (
        "import os\ntotal = made = 0\nfor place in ('/tmp', '/var/tmp', '/dev/shm'):\n"
        "    try:\n        for n in range(2000):\n"
        "            with open(f'{place}/fill{n}', 'wb') as out:\n                made += 1\n"
        "                total += out.write(bytes(100_000 if n < 200 else 0))\n"
        "    except OSError:\n        pass\n"
        "def f(x):\n    return x + 1 if total > 17_000_000 or made > 1100 else None\n"
    )
    (result,) = run(pool, fill)
    assert result.verdict == "failed"
    assert not list(Path("/var/tmp").glob("fill*"))


def test_memory_is_bounded_over_all_processes(pool: Pool) -> None:
    many = (
        "import os, time\nmade = 0\ntry:\n    for _ in range(20):\n        if os.fork() == 0:\n"
        "            held = bytearray(10_000_000)\n            time.sleep(2)\n"
        "            os._exit(0)\n        made += 1\nexcept OSError:\n    pass\n"
        "def f(x):\n    return x + 1 if made >= 8 else None\n"
    )
    (result,) = run(pool, many)
    assert result.verdict == "failed"


def test_threads_come_and_go_within_the_limit(pool: Pool) -> None:
    """At most eight are there at once. On a loaded machine some that were joined are among them."""
    threads = (
        "import threading\ndef f(x):\n    found = []\n    for _ in range(30):\n"
        "        some = [threading.Thread(target=found.append, args=(1,)) for _ in range(2)]\n"
        "        [one.start() for one in some]\n        [one.join() for one in some]\n"
        "    return x + len(found) // 60\n"
    )
    assert [result.verdict for result in run(pool, threads, threads)] == ["passed"] * 2


def test_what_a_program_starts_counts_as_its_own(pool: Pool) -> None:
    """Waited for or not, ended or not: a program may fork, within its limit."""
    if pool.isolation == "seccomp+landlock":
        pytest.skip("nothing can be started at this level")
    fork = (
        "import os, time\nours, theirs = os.pipe()\ndef f(x):\n    if not os.fork():\n"
        "        while time.process_time() < SECONDS:\n            pass\n"
        "        os.write(theirs, b'.')\n        END\n"
        "    os.read(ours, 1)\n    WAIT\n    return x + 1\n"
    )
    waits = fork.replace("END", "os._exit(0)").replace("WAIT", "os.wait()")
    leaves = fork.replace("END", "time.sleep(9)").replace("WAIT", "")
    for source in (waits, leaves):
        within, beyond = run(
            pool, source.replace("SECONDS", "0.2"), source.replace("SECONDS", "0.6")
        )
        assert within.verdict == "passed"
        assert within.cpu_s is not None
        assert within.cpu_s > 0.35
        assert beyond.verdict == "timeout"
