"""PromQL as far as rules need it: the series that a query selects, and what it does with them."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from gitgpu.model.metrics.promql_text import parse_query

AGGREGATIONS = ("avg", "count", "group", "max", "min", "quantile", "stddev", "stdvar", "sum")
# Aggregations that can return several series for a group.
SEVERAL = ("topk", "bottomk", "count_values", "limitk", "limit_ratio")
COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
SETS = ("and", "or", "unless")
# Functions that return every series of their argument, with its labels.
PER_SERIES = {
    "abs",
    "avg_over_time",
    "ceil",
    "changes",
    "clamp",
    "clamp_max",
    "clamp_min",
    "delta",
    "deriv",
    "floor",
    "idelta",
    "increase",
    "irate",
    "last_over_time",
    "max_over_time",
    "min_over_time",
    "rate",
    "round",
    "sum_over_time",
}
_TO_ONE = (*AGGREGATIONS, "scalar", "absent", "absent_over_time", "vector", "time")


class Matcher(NamedTuple):
    """The condition of a selector on one label."""

    label: str
    operator: str
    value: str

    @property
    def wants_label(self) -> bool:
        """Whether the matcher excludes series without the label."""
        empty = self.value in ("", ".*") if self.operator == "=~" else self.value == ""
        return empty if self.operator == "!=" else self.operator in ("=", "=~") and not empty


class Selector(NamedTuple):
    """The name of a metric ("" if there is none), and the matchers of its labels."""

    metric: str
    matchers: tuple[Matcher, ...]


class Part(NamedTuple):
    """A part of a query, without the brackets and ranges around it.

    `kind` is series, number, text, call, aggregation or operation; `name` is the name of the function, aggregation or
    operator; `parts` are its arguments or operands. `by` are the labels that an aggregation keeps, or with `without`,
    those that it drops. With `matched`, an operation has on() or ignoring().
    """

    kind: str
    name: str = ""
    parts: tuple["Part", ...] = ()
    by: tuple[str, ...] = ()
    without: bool = False
    selector: Selector = Selector("", ())
    number: float = 0.0
    matched: bool = False

    def walk(self) -> Iterator["Part"]:
        """The part itself and all parts in it, in the order of the query."""
        yield self
        for part in self.parts:
            yield from part.walk()


@cache
def read_query(query: str) -> Part | None:
    """The query in parts; None if the parser cannot read it (`promql_faults` says whether Prometheus can)."""
    tree = parse_query(query).tree
    return None if tree is None else _part(tree)


def selectors(query: Part | None) -> tuple[Selector, ...]:
    """Every selector of a query, in order."""
    parts = query.walk() if query else ()
    return tuple(part.selector for part in parts if part.kind == "series")


def is_aggregated(query: Part) -> bool:
    """Whether anything in the query makes one value of several."""
    return any(part.kind in ("call", "aggregation") and part.name in _TO_ONE for part in query.walk())


def operators(query: Part | None) -> frozenset[str]:
    """The operators anywhere in the query."""
    parts = query.walk() if query else ()
    return frozenset(part.name for part in parts if part.kind == "operation")


def comparison(query: Part | None) -> tuple[Part, float] | None:
    """What a query compares with a number, and the number; None if the query is not such a comparison."""
    if query is None or query.name not in COMPARISONS:
        return None
    left, right = query.parts
    return (left, right.number) if right.kind == "number" and left.kind != "operation" else None


def _part(node: Any) -> Part:
    """A node of the parser's tree, with all nodes below it."""
    return _READERS[type(node).__name__](node)


def _aggregation(node: Any) -> Part:
    inner = (node.expr,) if node.param is None else (node.param, node.expr)
    labels = tuple(node.modifier.labels) if node.modifier else ()
    without = bool(node.modifier) and str(node.modifier.type).endswith("Without")
    return Part("aggregation", str(node.op), _several(inner), labels, without)


def _operation(node: Any) -> Part:
    matched = node.modifier is not None and node.modifier.matching is not None
    return Part("operation", str(node.op), _several((node.lhs, node.rhs)), matched=matched)


def _selector(node: Any) -> Selector:
    signs = {"Equal": "=", "NotEqual": "!=", "Re": "=~", "NotRe": "!~"}
    metric = node.name
    matchers = []
    for matcher in node.matchers.matchers:
        operator = signs[str(matcher.op).partition(".")[2]]
        if matcher.name != "__name__":
            matchers.append(Matcher(matcher.name, operator, matcher.value))
        elif operator == "=" and not metric:
            metric = matcher.value
    return Selector(metric or "", tuple(matchers))


def _several(nodes: tuple[Any, ...]) -> tuple[Part, ...]:
    return tuple(_part(entry) for entry in nodes)


_READERS: dict[str, Callable[[Any], Part]] = {
    "VectorSelector": lambda given: Part("series", selector=_selector(given)),
    "MatrixSelector": lambda given: _part(given.vector_selector),
    "ParenExpr": lambda given: _part(given.expr),
    "SubqueryExpr": lambda given: _part(given.expr),
    "UnaryExpr": lambda given: Part("operation", "-", (_part(given.expr),)),
    "BinaryExpr": _operation,
    "Call": lambda given: Part("call", given.func.name, _several(given.args)),
    "AggregateExpr": _aggregation,
    "NumberLiteral": lambda given: Part("number", number=given.val),
    "StringLiteral": lambda given: Part("text", given.val),
}
