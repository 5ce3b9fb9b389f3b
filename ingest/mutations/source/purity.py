"""Functions that change nothing but what they are given to iterate over."""

import builtins


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


BUILTINS = frozenset(dir(builtins))
"""Every name that Python itself defines."""

NAMED_CONSTANTS = words("True False None")

PURE_BUILTINS = words(
    """
    abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter float
    format frozenset hex int isinstance issubclass len list map max min oct ord pow range
    repr reversed round set slice sorted str sum tuple type zip
    """
)
"""Builtins without side effects: not ``print``, ``input``, ``next`` or ``hash``."""

SCALAR_BUILTINS = words(
    """
    abs all any ascii bin bool chr complex float format hex int isinstance issubclass len oct
    ord repr round str
    """
)
"""Builtins whose result holds on to nothing that can change."""

SCALAR_METHODS = words(
    """
    bit_length capitalize casefold count endswith find format index isalnum isalpha isdecimal
    isdigit islower isnumeric isspace istitle isupper join ljust lower lstrip replace rfind
    rindex rjust rstrip startswith strip swapcase title upper zfill
    """
)
"""Methods of builtin types whose result holds on to nothing that can change."""

READING_METHODS = SCALAR_METHODS | words(
    """
    copy difference encode decode get intersection issubset issuperset items keys most_common
    partition rpartition rsplit split splitlines symmetric_difference union values
    """
)
"""Methods of builtin types that leave the object as it is."""

KEEPING_METHODS = READING_METHODS | words(
    """
    add append appendleft clear compile difference_update discard end escape extend extendleft
    findall fromkeys fullmatch group groupdict groups insert intersection_update match move_to_end
    pop popitem popleft remove reverse rotate search setdefault sort span start sub subn subtract
    symmetric_difference_update update
    """
)
"""Methods of builtin types, and functions of ``re``, that give what they got, or nothing lazy."""

NUMBERS_OF_MODULES = frozenset({"sys.maxsize", "sys.maxunicode"})
"""What modules hold and may be read at any time."""

EAGER = words("all any bytes dict frozenset join list max min set sorted sum tuple")
"""What reads a generator to its end, or to where it stops, before it returns."""

LAZY = words("enumerate filter iter map open reversed zip")
"""Builtins whose result is used up by being read."""

SORTING = frozenset({"max", "min", "sort", "sorted"})
"""What calls its ``key`` before it returns."""

LAZY_METHODS = frozenset({"merge"})
"""Functions of the handing modules whose result is used up by being read."""

STORING = frozenset({"add", "append", "appendleft", "insert", "setdefault"})
"""Methods that make an object hold on to their arguments as they are."""

STORING_PARTS = frozenset({"extend", "extendleft", "update"})
"""Methods that make an object hold on to what their arguments hold."""

CONTAINERS = words("dict frozenset list set sorted tuple")
"""Builtins that read what they are given to the end, and hold on to what came out."""

PURE_TYPES = words("bytes complex float int str")
"""Builtin types whose methods may be called on the type itself."""

PURE_MODULES = frozenset({"cmath", "math", "re", "string"})
"""Modules of which every function is pure."""

HANDING_MODULES = frozenset({"bisect", "heapq"})
"""Modules of which every function but the lazy ones gives what its arguments hold, or a number."""

NUMERIC_MODULES = frozenset({"cmath", "math"})
"""Modules of which every function returns a number."""

CONTAINER_IMPORTS = frozenset(
    {
        "collections.Counter",
        "collections.OrderedDict",
        "collections.defaultdict",
        "collections.deque",
    }
)
"""Imported types that read what they are given to the end, and hold on to what came out."""

PURE_IMPORTS = CONTAINER_IMPORTS | {"fractions.Fraction", "functools.reduce"}
"""Further functions of modules that are pure, once their callbacks are."""

INPUT_OUTPUT = words(
    """
    close communicate flush read readline readlines recv run seek send sendall start stop submit
    throw truncate wait write writelines __next__
    """
)
"""Methods that reach beyond their object, or advance a generator of the program."""

CALLBACKS = frozenset(
    {
        ("defaultdict", 0),
        ("filter", 0),
        ("map", 0),
        ("reduce", 0),
        *((name, place) for name in ("sub", "subn") for place in (0, 1, "repl")),
    }
)
"""Arguments that are called, or may be, by the name called and their place."""


def is_pure_origin(origin: str) -> bool:
    """Say whether what is imported under a dotted name is a function without effects."""
    return origin in PURE_IMPORTS or origin.rpartition(".")[0] in PURE_MODULES
