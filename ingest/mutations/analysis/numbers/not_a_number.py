"""Which values may be NaN, of which neither is smaller, if those of the arguments are not.

The lattice: finite, infinite, NaN; each variable starts finite and rises until nothing changes.
Arithmetic on what may be infinite may give NaN.
Assumed: arguments are not NaN, and arithmetic on them alone stays within the range of floats.
Refused: unknown modules and texts made into numbers may give NaN; so may growing products.
Proved: the programs with NaN in tests/ingest/mutations/test_mutations_adversary.py.
"""

import ast
import math

import libcst as cst

from ingest.mutations.analysis.numbers.whole_numbers import WholeNumbers
from ingest.mutations.analysis.objects.aliases import Aliases
from ingest.mutations.source.program import ParsedProgram
from ingest.mutations.source.purity import SCALAR_BUILTINS, SCALAR_METHODS, words
from ingest.mutations.source.scopes import Role, Variable
from ingest.mutations.source.tree import children, inside

FINITE, INFINITE, NAN = 0, 1, 2
"""What a number may be at most."""

LARGE = 1e100
"""Literals beyond it count as infinite: a few products of such are."""

INFINITE_NAMES = words("HUGE_VAL Infinity float_info fromhex inf infj infty nextafter")
KNOWN_MODULES = words(
    """
    __future__ bisect calendar cmath collections copy datetime fractions functools hashlib heapq
    itertools math operator random re string sys textwrap time typing unicodedata
    """
)
"""Modules that give NaN for nothing that is finite."""

ARITHMETIC = (
    cst.Add,
    cst.Divide,
    cst.FloorDivide,
    cst.MatrixMultiply,
    cst.Modulo,
    cst.Multiply,
    cst.Power,
    cst.Subtract,
)
TEXTS = (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)
TEXT_MAKERS = words("ascii bin bytes bytearray chr format hex input oct open repr str")


class NotANumber:
    """What is known of a program's numbers, without order: an over-estimate.

    Assumed is that arithmetic on arguments alone does not leave the range of floats. A float that
    the program makes and that grows by its own value may.
    """

    def __init__(self, program: ParsedProgram, aliases: Aliases) -> None:
        self.program = program
        self.aliases = aliases
        self.values = aliases.values
        self.whole = WholeNumbers(program, aliases)
        self._levels: dict[Variable, int] = dict.fromkeys(self.values.unknown, NAN)
        self._results: dict[Variable, int] = {}
        self._augmented = program.nodes.of(cst.AugAssign)
        if self.whole.makes_others():
            for variable in self._growing():
                self._levels.setdefault(variable, INFINITE)
        self._spread()

    def may_be(self, node: cst.CSTNode) -> bool:
        """Say whether a value may be NaN, or hold it."""
        return self._of(node) == NAN

    def _spread(self) -> None:
        changed = True
        while changed:
            changed = False
            found = [(variable, self._of(value)) for variable, _, value in self.values.ways]
            for node in self._augmented:
                level = self._of_operation(node.target, node.value)
                found += [
                    (variable, level) for variable in self.program.bound_variables_in(node.target)
                ]
            for variable, level in found:
                if level > self._levels.get(variable, FINITE):
                    self._levels[variable] = level
                    changed = True
            for variable, given in self.values.results.items():
                level = max((self._of(each) for each in given), default=FINITE)
                if level > self._results.get(variable, FINITE):
                    self._results[variable] = level
                    changed = True

    def _growing(self) -> set[Variable]:
        """Return the variables that may grow by their own value, round after round."""
        comes_from: dict[Variable, set[Variable]] = {}
        computed: dict[Variable, set[Variable]] = {}
        for variable, _, value in self.values.ways:
            comes_from.setdefault(variable, set()).update(self.program.bound_variables_in(value))
            for part in inside(value):
                if isinstance(part, cst.BinaryOperation) and not self.whole.is_whole(part):
                    computed.setdefault(variable, set()).update(self._grown(variable, part))
        for node in self._augmented:
            for variable in self.program.bound_variables_in(node.target):
                used = self.program.bound_variables_in(node.value)
                comes_from.setdefault(variable, set()).update(used)
                if isinstance(node.operator, cst.MultiplyAssign | cst.PowerAssign):
                    used = used | {variable}
                if not self.whole.is_whole(node.target):
                    computed.setdefault(variable, set()).update(used)
        return {
            variable
            for variable, used in computed.items()
            if any(variable in _reached(each, comes_from) for each in used)
        }

    def _grown(self, variable: Variable, node: cst.BinaryOperation) -> set[Variable]:
        """Return what a variable grows by; adding to it what is not of it lets it creep at most."""
        if isinstance(node.operator, cst.Add | cst.Subtract):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if self.program.bound_variables_in(one) == {variable} and isinstance(one, cst.Name):
                    return self.program.bound_variables_in(other)
        return self.program.bound_variables_in(node)

    # one value

    def _of(self, node: cst.CSTNode) -> int:
        if self.whole.is_number(node):
            return FINITE
        match node:
            case cst.Integer():
                return INFINITE if len(node.value) > 90 else FINITE
            case cst.Float(value=text):
                return FINITE if abs(ast.literal_eval(text)) < LARGE else INFINITE
            case cst.Name():
                variable = self.program.scopes.variable_of.get(node)
                if node.value in INFINITE_NAMES:
                    return INFINITE
                return FINITE if variable is None else self._levels.get(variable, FINITE)
            case cst.BinaryOperation() if isinstance(node.operator, ARITHMETIC):
                return self._of_operation(node.left, node.right)
            case cst.Comparison() | cst.Param() | cst.Ellipsis() | cst.BaseString():
                return FINITE
            case cst.Attribute(value=value, attr=cst.Name(value=name)):
                return INFINITE if name in INFINITE_NAMES else self._of(value)
            case cst.Await() | cst.Yield():
                return NAN
            case cst.Subscript():
                return self._of(node.value)
            case cst.Call():
                return self._of_call(node)
            case _:
                return max((self._of(part) for part in children(node)), default=FINITE)

    def _of_operation(self, left: cst.CSTNode, right: cst.CSTNode) -> int:
        return NAN if max(self._of(left), self._of(right)) > FINITE else FINITE

    def _of_call(self, node: cst.Call) -> int:
        given = max((self._of(each.value) for each in node.args), default=FINITE)
        match node.func:
            case cst.Name(value="float") if self.program.is_builtin(node.func):
                return self._of_float(node)
            case cst.Name(value=name) if self.program.is_builtin(node.func):
                if name in ("divmod", "pow", "sum"):
                    return NAN if given > FINITE else FINITE
                is_scalar = name in SCALAR_BUILTINS - {"abs", "complex", "round"}
                if name in ("eval", "map") and not self._maps_to_numbers(node):
                    return NAN
                return FINITE if is_scalar else given
            case cst.Name() if self.program.scopes.variable_of.get(node.func) in self._results:
                variable = self.program.scopes.variable_of[node.func]
                return self._results[variable]
            case cst.Name() if (
                self.program.scopes.variable_of.get(node.func) in self.values.results
            ):
                return FINITE  # none of its results is known for more yet
            case cst.Name() | cst.Attribute() if self.aliases.origin(node.func) is not None:
                return self._of_imported(node, given)
            case cst.Attribute(value=holder, attr=cst.Name(value=name)):
                if name in INFINITE_NAMES:
                    return INFINITE
                return FINITE if name in SCALAR_METHODS else max(given, self._of(holder))
            case _:
                return NAN

    def _maps_to_numbers(self, node: cst.Call) -> bool:
        match node.args:
            case [cst.Arg(value=cst.Name(value=name) as function), *_]:
                return self.program.is_builtin(function) and name not in ("eval", "float")
            case [cst.Arg(value=cst.Lambda()), *_]:
                return True
            case _:
                return False

    def _of_float(self, node: cst.Call) -> int:
        """Return what ``float`` makes: of a text that the program puts together, anything."""
        match node.args:
            case []:
                return FINITE
            case [cst.Arg(value=cst.SimpleString() as text, star="")]:
                try:
                    value = float(ast.literal_eval(text.value))
                except (SyntaxError, ValueError, TypeError):
                    return FINITE
                return NAN if math.isnan(value) else FINITE if abs(value) < LARGE else INFINITE
            case [cst.Arg(value=value, star="")]:
                return NAN if self._is_text(value) else self._of(value)
            case _:
                return NAN

    def _is_text(self, node: cst.CSTNode, seen: frozenset[Variable] = frozenset()) -> bool:
        """Say whether a value may be a text of the program's own."""
        for part in inside(node):
            if isinstance(part, TEXTS):
                return True
            if not isinstance(part, cst.Name):
                continue
            if part.value in TEXT_MAKERS and self.program.is_builtin(part):
                return True
            variable = self.program.scopes.variable_of.get(part)
            if variable is None or variable in seen:
                continue
            if variable in self.values.unknown or variable.roles & {Role.IMPORT, Role.FUNCTION}:
                return True
            sources = (value for known, _, value in self.values.ways if known is variable)
            if any(self._is_text(each, seen | {variable}) for each in sources):
                return True
        return False

    def _of_imported(self, node: cst.Call, given: int) -> int:
        origin = self.aliases.origin(node.func) or ""
        module = origin.partition(".")[0]
        name = node.func.attr.value if isinstance(node.func, cst.Attribute) else origin
        if module not in KNOWN_MODULES:
            return NAN
        if module in ("cmath", "math"):
            if name.endswith("prod") and self.whole.makes_others():
                return INFINITE
            return NAN if given > FINITE else FINITE
        if name.endswith("reduce") or module == "operator":
            return NAN if given > FINITE or self.whole.makes_others() else FINITE
        return given


def _reached(start: Variable, comes_from: dict[Variable, set[Variable]]) -> set[Variable]:
    found, stack = {start}, [start]
    while stack:
        for each in comes_from.get(stack.pop(), ()):
            if each not in found:
                found.add(each)
                stack.append(each)
    return found
