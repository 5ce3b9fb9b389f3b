"""C++ by g++.

One file holds the program and then the tests. ``assert`` becomes a macro of the driver. The token
is printed behind the last line of ``main``, by a function whose name only this run knows. A program
that ends early never comes there.
"""

import re
from collections.abc import Sequence

from runners.judging.languages.base import Command, Language, Plan, Tool, tool_path
from runners.judging.sandbox.types import Suite

GPP = Tool("g++", "g++")
FLAGS = ("-std=c++17", "-O1", "-w", "-pipe", "-I.")
INCLUDED = re.compile(r"#\s*include\s*<assert\.h>")

DRIVER = """
#undef assert
#undef static
#undef if
#undef main
#include <cstdio>
#include <unistd.h>
static volatile int failed_{token} = 0;
static void fail_{token}(const char *test) {{
    failed_{token} = 1;
    ::dprintf(2, "Assertion failed: %s\\n", test);
    __builtin_trap();
}}
static void done_{token}() {{
    if (failed_{token}) return;
    ::fflush(stdout);
    ::dprintf(1, "\\n%s\\n", "{token}");
}}
#define assert(...) ((__VA_ARGS__) ? (void)0 : fail_{token}(#__VA_ARGS__))
"""

BOOST = """#pragma once
#include <any>
namespace boost { using std::any; using std::any_cast; using std::bad_any_cast; }
"""
"""What two problems of HumanEval-X use of boost/any.hpp."""


def _plan(source: str, suite: Suite, token: str, memory_mb: int) -> Plan:
    tests = INCLUDED.sub("", suite.test_code or "")
    body, brace, rest = tests.rpartition("}")
    tests = f"{body}\n;done_{token}();\nreturn 0;\n{brace}{rest}"
    libraries = ["-lcrypto"] if "openssl/" in source else []
    command = [tool_path(GPP), *FLAGS, "program.cpp", "-o", "program", *libraries]
    return Plan(
        files={
            "program.cpp": source + DRIVER.format(token=token) + tests,
            "boost/any.hpp": BOOST,
        },
        compile=Command(command, memory_limit="DATA", forks=True, remove=["program.cpp"]),
        run=Command(["./program"], processes=8),
    )


def _folders() -> Sequence[str]:
    return ["/usr/bin", "/usr/include"]


CPP = Language(
    name="cpp",
    tools=(GPP,),
    labels=frozenset({"cpp", "c++", "cc", "cxx"}),
    stub="    throw 1;\n}\n",
    memory_words=("std::bad_alloc",),
    plan=_plan,
    folders=_folders,
)
