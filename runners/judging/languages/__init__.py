"""Languages other than Python, by name: each says how its programs are compiled and run."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from runners.judging.languages.base import Language

OTHER_LANGUAGES: "Registry[Language]" = Registry(
    "language",
    {
        "javascript": "runners.judging.languages.javascript:JAVASCRIPT",
        "java": "runners.judging.languages.java:JAVA",
        "cpp": "runners.judging.languages.cpp:CPP",
        "rust": "runners.judging.languages.rust:RUST",
    },
)
