"""Which `.Values` the templates of a Helm chart read, as paths, and which of them are passed on as a whole.

A rough model of Go's template language that errs towards "read": a value that is passed on as a whole (`toYaml`,
`include`, `range`, an unknown function) counts as read, with everything below it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

Path = tuple[str, ...]

_ACTION = re.compile(
    r"\{\{-?\s*(/\*.*?\*/|(?:\"(?:\\.|[^\"\\])*\"|`[^`]*`|'(?:\\.|[^'\\])'|[^\"`'}]|\}(?!\}))*)\}\}", re.DOTALL
)
_TOKEN = re.compile(
    r"\s+|(?P<text>\"(?:\\.|[^\"\\])*\"|`[^`]*`)|(?P<chain>\$?[\w$]*(?:\.[\w]+)+|\$\w*|\.(?![\w]))"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<sign>:=|[()|,=])|(?P<rest>[^\s()|]+)"
)
_OPENERS = {"if", "with", "range", "block", "define"}
_ASKED = {
    "and",
    "coalesce",
    "default",
    "empty",
    "eq",
    "ge",
    "gt",
    "kindIs",
    "le",
    "len",
    "lt",
    "ne",
    "not",
    "or",
    "typeIs",
}
_PICKS = {"index": 0, "hasKey": 0, "get": 0}


class Read(NamedTuple):
    """A path in the values that a template reads. If `whole`, everything below it is read too."""

    path: Path
    whole: bool


class _Frame(NamedTuple):
    """A block. `dot` and `variables` hold fields relative to the template's own dot; None means unknown."""

    kind: str
    dot: Path | None
    variables: dict[str, Path | None]


def reads(template: str) -> Iterator[Read]:
    """What a template file reads. Named templates in it are assumed to be called with the chart's root dot."""
    stack = [_Frame("", (), {})]
    for action in _ACTION.finditer(template):
        tokens = list(_tokens(action[1])) if not action[1].startswith("/*") else []
        if not tokens:
            continue
        word = tokens[0][1]
        if word == "end":
            stack = stack[:-1] or stack
        elif word == "else":
            yield from _branch(stack, tokens[1:])
        elif word in _OPENERS:
            yield from _open(stack, word, tokens[1:])
        else:
            yield from _expression(stack, tokens, asked=False)


def _tokens(action: str) -> Iterator[tuple[str, str]]:
    for token in _TOKEN.finditer(action.strip().removesuffix("-")):
        if token.lastgroup:
            yield token.lastgroup, token[0]


def _branch(stack: list[_Frame], tokens: list[tuple[str, str]]) -> Iterator[Read]:
    outer = stack[-2] if len(stack) > 1 else stack[-1]
    stack[-1] = _Frame(stack[-1].kind, outer.dot, dict(outer.variables))
    if tokens:
        yield from _expression([*stack[:-1]], tokens[1:], asked=tokens[0][1] == "if")
        if tokens[0][1] == "with":
            stack[-1] = stack[-1]._replace(dot=_plain(stack, tokens[1:]))


def _open(stack: list[_Frame], word: str, tokens: list[tuple[str, str]]) -> Iterator[Read]:
    top = stack[-1]
    inner = _Frame(word, top.dot, dict(top.variables))
    if word in ("define", "block"):
        inner = _Frame(word, (), {})
    elif word == "with":
        path = _plain(stack, tokens)
        yield from () if path is not None else _expression(stack, tokens, asked=False)
        inner = inner._replace(dot=path)
    elif word == "if":
        yield from _expression([*stack[:-1], inner], tokens, asked=True)
    else:
        inner = inner._replace(dot=None)
        names = [text for kind, text in tokens if kind == "chain" and text.startswith("$") and "." not in text]
        if any(text == ":=" for _, text in tokens):
            at = next(at for at, (_, text) in enumerate(tokens) if text == ":=")
            names, tokens = [text for _, text in tokens[:at] if text.startswith("$")], tokens[at + 1 :]
            inner.variables.update(dict.fromkeys(names))
        yield from _expression(stack, tokens, asked=False)
    stack.append(inner)


def _plain(stack: list[_Frame], tokens: list[tuple[str, str]]) -> Path | None:
    """The value of an expression that is just a chain, possibly assigned to a variable; None for any other."""
    if len(tokens) > 2 and tokens[1][1] in (":=", "="):
        tokens = tokens[2:]
    return _chain(stack, tokens[0][1]) if len(tokens) == 1 and tokens[0][0] == "chain" else None


def _expression(stack: list[_Frame], tokens: list[tuple[str, str]], *, asked: bool) -> Iterator[Read]:
    """What an expression reads.

    If `asked`, only the truth of a value matters, so nothing below it is read, unless an unknown function gets it.
    """
    if len(tokens) > 2 and tokens[1][1] in (":=", "="):
        name, tokens = tokens[0][1], tokens[2:]
        path = _plain(stack, tokens)
        known = tokens[0][1] != "" and path is not None
        stack[-1].variables[name] = path
        if known:
            return
    strange = any(kind == "word" and text not in _ASKED and text not in _PICKS for kind, text in tokens)
    picked: set[int] = set()
    for at, (kind, text) in enumerate(tokens):
        if kind == "word" and text in _PICKS and at + 1 < len(tokens) and tokens[at + 1][0] == "chain":
            keys = _keys(tokens, at + 2)
            base = _chain(stack, tokens[at + 1][1])
            if keys and base is not None:
                picked.add(at + 1)
                last = not asked or strange
                yield from _read((*base, *keys), whole=text != "hasKey" and last)
    for at, (kind, text) in enumerate(tokens):
        if kind == "chain" and at not in picked:
            chain = _chain(stack, text)
            if chain is not None:
                yield from _read(chain, whole=not asked or strange)


def _keys(tokens: list[tuple[str, str]], at: int) -> Path:
    keys = []
    while at < len(tokens) and tokens[at][0] == "text":
        keys.append(tokens[at][1][1:-1])
        at += 1
    return tuple(keys)


def _chain(stack: list[_Frame], text: str) -> Path | None:
    """A chain such as `.a.b` or `$x.a`, relative to the template's own dot; None if its start is unknown."""
    head, _, rest = text.partition(".")
    fields = tuple(part for part in rest.split(".") if part)
    start: Path | None = stack[-1].dot
    if head == "$":
        start = ()
    elif head.startswith("$"):
        start = stack[-1].variables.get(head)
    if "Values" in fields and (start is None or "Values" not in start):
        start = ()
    return None if start is None else (*start, *fields)


def _read(chain: Path, *, whole: bool) -> Iterator[Read]:
    if "Values" in chain:
        path = tuple(part for part in chain[chain.index("Values") + 1 :] if part != "AsMap")
        yield Read(path, whole)
