"""The expressions of ARM templates, `[format('{0}-gpu', parameters('name'))]`, as trees.

The grammar: learn.microsoft.com/azure/azure-resource-manager/templates/template-expressions.
"""

import re
from typing import Any, NamedTuple, TypeAlias

# In texts, two quotes stand for one. Names may have dots, for functions in a namespace.
_TOKEN = re.compile(
    r"\s*(?:'(?P<text>(?:[^']|'')*)'|(?P<number>-?\d+)|(?P<name>[A-Za-z_][\w.]*?(?=[^\w.]|\Z))|(?P<sign>[().,\[\]]))"
)
_MAX_DEPTH = 50  # levels of nested calls; deeper expressions are not evaluated


class Call(NamedTuple):
    """A call of a function, with the name in lower case."""

    function: str
    arguments: tuple[Any, ...]


class Member(NamedTuple):
    """A property or an element of a value."""

    of: Any
    key: Any


Expression: TypeAlias = str | int | Call | Member


class NotAnExpressionError(Exception):
    """The text is not an expression that is understood."""


def is_expression(text: str) -> bool:
    """Whether a text is in brackets."""
    return text.startswith("[") and text.endswith("]")


def parse(text: str) -> Expression:
    """The tree of an expression without its brackets. Raises NotAnExpressionError."""
    tokens, position = [], 0
    while position < len(text.rstrip()):
        token = _TOKEN.match(text, position)
        if not token:
            raise NotAnExpressionError(text)
        tokens.append(token)
        position = token.end()
    reader = _Reader(tokens)
    tree = reader.value(0)
    if reader.at != len(tokens):
        raise NotAnExpressionError(text)
    return tree


class _Reader:
    """Reads tokens one after the other."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self.tokens, self.at = tokens, 0

    def sign(self) -> str:
        """The next token, if it is a sign. It is not consumed."""
        return (self.tokens[self.at]["sign"] or "") if self.at < len(self.tokens) else ""

    def take(self, sign: str) -> None:
        """Consumes a sign. Raises NotAnExpressionError if the next token is another one."""
        if self.sign() != sign:
            raise NotAnExpressionError
        self.at += 1

    def value(self, depth: int) -> Expression:
        """A literal or a call, with properties of the result."""
        if depth > _MAX_DEPTH or self.at >= len(self.tokens):
            raise NotAnExpressionError
        text, number, name, _ = self.tokens[self.at].groups()
        self.at += 1
        if text is not None:
            return str(text).replace("''", "'")
        if number is not None:
            return int(number)
        if name is None:
            raise NotAnExpressionError
        return self.members(self.call(name, depth), depth)

    def call(self, name: str, depth: int) -> Expression:
        """The call of a function up to its closing parenthesis."""
        self.take("(")
        arguments: list[Expression] = []
        while self.sign() != ")":
            if arguments:
                self.take(",")
            arguments.append(self.value(depth + 1))
        self.take(")")
        return Call(name.lower(), tuple(arguments))

    def members(self, value: Expression, depth: int) -> Expression:
        """Properties and elements of a value: `.name` and `[0]`."""
        while (sign := self.sign()) in (".", "["):
            self.at += 1
            if sign == "[":
                value = Member(value, self.value(depth + 1))
                self.take("]")
                continue
            name = self.tokens[self.at]["name"] if self.at < len(self.tokens) else ""
            if not name:
                raise NotAnExpressionError
            for part in name.split("."):
                value = Member(value, part)
            self.at += 1
        return value
