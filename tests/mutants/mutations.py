"""Small changes to a module, one at a time: a boundary moved, an operator swapped, a guard or a statement dropped.

Left alone is what no test should pin: docstrings, annotations, decorators, texts, the messages of errors, and the
`strict` of zip, which like an assertion says what is true anyway.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
PAIRS = (("min", "max"), ("any", "all"), ("minimum", "maximum"), ("fmin", "fmax"), ("nanmin", "nanmax"))
PAIRS += (("argmin", "argmax"), ("floor", "ceil"))
NAMES = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
SIDES = {"left": "right", "right": "left"}
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "type_comment"}
SKIPPED = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LARGEST = 1000  # beyond are sizes of blocks of work; one more of them changes nothing that should be tested
LONG, CLEAR = 200, 24  # characters of source that are too many, and from which a reader knows which place is meant


@dataclass(frozen=True)
class Mutant:
    """One change. `name` survives a change of line numbers; `function` is the outermost around it, None for none."""

    module: str
    name: str
    lines: range
    function: tuple[str, int] | None
    node: int
    choice: int

    @property
    def id(self) -> str:
        return f"{self.module}: {self.name}"

    def tree(self, source: str) -> ast.Module:
        """The module with this change."""
        place = list(_places(ast.parse(source)))[self.node]
        place.put(_replacements(place)[self.choice])
        return ast.fix_missing_locations(place.above[0])


@dataclass
class Place:
    """A node, the field that holds it, and everything around it from the module down."""

    node: ast.AST
    above: list[Any]
    field: str
    index: int | None

    def put(self, other: ast.AST) -> None:
        if self.index is None:
            setattr(self.above[-1], self.field, other)
        else:
            getattr(self.above[-1], self.field)[self.index] = other

    @property
    def statement(self) -> ast.stmt:
        return next(node for node in (self.node, *reversed(self.above)) if isinstance(node, ast.stmt))

    def scope(self) -> tuple[str, ast.AST | None]:
        """The name of the class and functions around it, and the outermost function whose body it is in."""
        chain = [*self.above, self.node]
        named = [node for node in chain[:-1] if isinstance(node, (*FUNCTIONS, ast.ClassDef))]
        outer = next((node for node in named if isinstance(node, FUNCTIONS)), None)
        inside = outer is not None and chain[chain.index(outer) + 1] in outer.body
        return ".".join(node.name for node in named), outer if inside else None

    def shown(self) -> Callable[[], str]:
        """Prints the smallest piece of source around the node from which a reader knows the place, before and after."""
        chain, print_it = [*self.above, self.node], None
        for depth in range(len(chain) - 1, 0, -1):
            whole = chain[depth]
            if not isinstance(whole, (ast.expr, ast.keyword, ast.arguments, ast.stmt)):
                continue
            field = "test" if isinstance(whole, ast.If | ast.While) else None
            larger = partial(_printed, chain[depth - 1], self._step(chain, depth), field)
            if print_it is not None and len(larger()) > LONG:
                break
            print_it = larger
            if isinstance(whole, (ast.stmt, ast.arguments)) or (depth < len(chain) - 1 and len(print_it()) >= CLEAR):
                break
        assert print_it is not None
        return print_it

    def _step(self, chain: list[Any], depth: int) -> tuple[str, int | None]:
        """How to get from one node of the chain to the next."""
        if depth == len(chain) - 1:
            return self.field, self.index
        for field, value in ast.iter_fields(chain[depth - 1]):
            if value is chain[depth]:
                return field, None
            if isinstance(value, list) and any(node is chain[depth] for node in value):
                return field, next(i for i, node in enumerate(value) if node is chain[depth])
        raise LookupError


def _printed(parent: Any, step: tuple[str, int | None], field: str | None) -> str:
    held = getattr(parent, step[0])
    node = held if step[1] is None else held[step[1]]
    return f"if {ast.unparse(getattr(node, field))}" if field else ast.unparse(node)


def mutants(module: str, source: str) -> list[Mutant]:
    """Every change to a module, in the order of its source."""
    made, seen = [], Counter[str]()
    for number, place in enumerate(_places(ast.parse(source))):
        others = _replacements(place)
        if not others:
            continue
        original, shown = place.node, place.shown()
        before = shown()
        for choice, other in enumerate(others):
            scope, outer = place.scope()
            place.put(other)
            name = f"{scope or 'module'}: {before} -> {shown()}"
            place.put(original)
            seen[name] += 1
            name += f" #{seen[name]}" if seen[name] > 1 else ""
            function = None if outer is None else (_qualified(place.above, outer), _first_line(outer))
            made.append(Mutant(module, name, _lines(place), function, number, choice))
    return made


def _places(tree: ast.Module) -> Iterator[Place]:
    def walk(above: list[Any]) -> Iterator[Place]:
        for field, value in ast.iter_fields(above[-1]):
            if field in SKIPPED_FIELDS:
                continue
            for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(node, ast.AST) and not isinstance(node, SKIPPED) and not _is_strict(node):
                    yield Place(node, above, field, index)
                    yield from walk([*above, node])

    yield from walk([tree])


def _is_strict(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _replacements(place: Place) -> list[ast.AST]:
    """What could be here instead."""
    node, parent = place.node, place.above[-1]
    if isinstance(node, ast.cmpop):
        return [other() for other in COMPARISONS[type(node)]]
    if type(node) in OPERATORS and (place.scope()[0] or not isinstance(node, ast.BitOr)):  # there, a union of types
        return [OPERATORS[type(node)]()]
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        return [node.operand]
    if place.field == "test" and isinstance(parent, ast.If | ast.While | ast.IfExp):
        return _conditions(node, parent)
    if isinstance(node, ast.stmt):
        return [ast.Pass()] if _droppable(node) else []
    return _constants(node.value) if isinstance(node, ast.Constant) else _names(node)


def _names(node: ast.AST) -> list[ast.AST]:
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return []
    if isinstance(node, ast.Name) and node.id in NAMES:
        return [ast.Name(NAMES[node.id], ast.Load())]
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        return [ast.Attribute(node.value, NAMES[node.attr], ast.Load())]
    return []


def _constants(value: object) -> list[ast.AST]:
    if isinstance(value, bool):
        return [ast.Constant(not value)]
    if isinstance(value, int | float):
        return [ast.Constant(value + 1)] if value <= LARGEST else []
    return [ast.Constant(SIDES[value])] if isinstance(value, str) and value in SIDES else []


def _conditions(test: ast.AST, parent: ast.AST) -> list[ast.AST]:
    """A guard is dropped; a condition without an operator of its own is negated."""
    if ast.unparse(test) == "TYPE_CHECKING":
        return []
    guards = isinstance(parent, ast.If) and not parent.orelse and isinstance(parent.body[-1], ast.Return | ast.Continue)
    negated = [] if isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp) else [ast.UnaryOp(ast.Not(), test)]
    return [*([ast.Constant(False)] if guards else []), *negated]  # type: ignore[list-item]


def _droppable(node: ast.stmt) -> bool:
    """Statements that change something without naming it; others would only leave a name undefined."""
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Subscript | ast.Attribute) for target in node.targets)
    calls = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return calls or isinstance(node, ast.AugAssign | ast.Break | ast.Continue)


def _lines(place: Place) -> range:
    """The lines whose execution runs the change."""
    statement = place.statement
    node = statement if not hasattr(statement, "body") else place.node
    if not hasattr(node, "lineno"):
        node = place.above[-1]
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _qualified(above: list[Any], outer: ast.AST) -> str:
    """The qualified name that Python gives to a function outside of functions."""
    classes = [node.name for node in above[: above.index(outer)] if isinstance(node, ast.ClassDef)]
    return ".".join([*classes, outer.name])  # type: ignore[attr-defined]


def _first_line(outer: ast.AST) -> int:
    """As in the function's code: decorators belong to it."""
    decorators = getattr(outer, "decorator_list", [])
    return min(node.lineno for node in (outer, *decorators))  # type: ignore[attr-defined]
