"""Java by javac and java.

Program and tests are two files of one package. The tests import the library's classes by name, so
no class of the program hides them. A class of ours reads the token before any class of the program
is loaded. It calls ``Main.main``, and prints the token behind it.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from runners.judging.languages.base import Command, Language, Plan, Tool, tool_path
from runners.judging.sandbox.types import Suite

JAVAC = Tool("javac", "default-jdk-headless")
JAVA_RUN = Tool("java", "default-jdk-headless")

IMPORT = re.compile(r"^\s*import\s+[^;]+;", re.MULTILINE)
UTIL = (
    *("ArrayList", "Arrays", "Collections", "HashMap", "HashSet", "LinkedList", "List", "Map"),
    *("Objects", "Optional", "Random", "Set", "TreeMap"),
)
LANG = ("AssertionError", "Boolean", "Double", "Integer", "Math", "Object", "String")
RESERVED_MB = 320
"""What the runtime itself needs of the memory that a program is granted."""

DRIVER = """
class Driver{nonce} {{
    public static void main(String[] args) throws Throwable {{
        java.io.PrintStream out = System.out;
        String token = new String(System.in.readAllBytes());
        Main.main(args);
        out.println();
        out.println(token);
        out.flush();
    }}
}}
"""


def _plan(source: str, suite: Suite, token: str, memory_mb: int) -> Plan:
    tests = suite.test_code or ""
    used = set(re.findall(r"\b[A-Z]\w*", tests))
    imports = [match.group().strip() for match in IMPORT.finditer(source)]
    imports += [f"import java.util.{name};" for name in UTIL if name in used]
    imports += [f"import java.lang.{name};" for name in LANG if name in used]
    heap = max(memory_mb - RESERVED_MB, 32)
    driver = f"Driver{token[:8]}"
    quiet = ["-XX:-UsePerfData", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]
    files = ["Program.java", "Main.java", "Driver.java"]
    libraries = _home() / "lib"
    environment = {"LD_LIBRARY_PATH": f"{libraries}:{libraries}/server"}
    return Plan(
        files={
            "Program.java": source.replace("public class Solution", "class Solution"),
            "Main.java": "\n".join(dict.fromkeys(imports)) + "\n" + tests,
            "Driver.java": DRIVER.format(nonce=token[:8]),
        },
        compile=Command(
            [tool_path(JAVAC), "-nowarn", "-proc:none", *(f"-J{each}" for each in quiet), *files],
            memory_limit="DATA",
            environment=environment,
            forks=True,
            remove=files,
        ),
        run=Command(
            [tool_path(JAVA_RUN), *quiet, f"-Xmx{heap}m", "-Xss4m", "-cp", ".", driver],
            stdin=token,
            memory_limit="DATA",
            environment=environment,
        ),
    )


def _home() -> Path:
    return Path(tool_path(JAVA_RUN)).parent.parent


def _folders() -> Sequence[str]:
    # /usr/lib is read in any case; Debian keeps the settings of the runtime in /etc
    settings = sorted(str(path) for path in Path("/etc").glob("java-*-openjdk"))
    home = _home()
    return [*settings, *([] if home.is_relative_to("/usr/lib") else [str(home)])]


JAVA = Language(
    name="java",
    tools=(JAVAC, JAVA_RUN),
    labels=frozenset({"java"}),
    stub="        throw new RuntimeException();\n    }\n}\n",
    memory_words=("java.lang.OutOfMemoryError",),
    plan=_plan,
    folders=_folders,
)
