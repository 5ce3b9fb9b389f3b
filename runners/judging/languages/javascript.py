"""JavaScript by Node.js.

The driver reads the token before the program begins. Program and tests run in a separate context.
It holds ``console``, whose ``assert`` counts, ``require`` of a few modules, and little else.
"""

from collections.abc import Sequence
from pathlib import Path

from runners.judging.languages.base import Command, Language, Plan, Tool, tool_path
from runners.judging.sandbox.types import Suite

NODE = Tool("node", "nodejs")
DRIVER = Path(__file__).with_name("inside") / "driver.js"
RESERVED_MB = 128
"""What Node itself needs of the memory that a program is granted."""


def _plan(source: str, suite: Suite, token: str, memory_mb: int) -> Plan:
    heap = max(memory_mb - RESERVED_MB, 32)
    return Plan(
        files={
            "driver.js": DRIVER.read_text(),
            "program.js": source,
            "tests.js": suite.test_code or "",
        },
        run=Command(
            command=[tool_path(NODE), f"--max-old-space-size={heap}", "driver.js"],
            stdin=token,
            memory_limit="DATA",
        ),
    )


def _folders() -> Sequence[str]:
    return [str(Path(tool_path(NODE)).parent)]


JAVASCRIPT = Language(
    name="javascript",
    tools=(NODE,),
    labels=frozenset({"javascript", "js", "node", "nodejs"}),
    stub="  throw new Error()\n}\n",
    memory_words=("JavaScript heap out of memory", "Array buffer allocation failed"),
    plan=_plan,
    folders=_folders,
)
