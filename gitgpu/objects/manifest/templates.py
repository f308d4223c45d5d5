"""Templates: texts that Helm, Jinja, Terraform or a shell renders to YAML."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from gitgpu.diagnostic import Diagnostic
from gitgpu.source import Span

# Of Go and Jinja, Jinja, Terraform, shells, ERB, FreeMarker.
_ACTION = re.compile(r"\{\{|\{[%#]|%\{\s*[a-z]|\$\{[A-Za-z_]|<%|</?#[a-z]|<@")
_PLACEHOLDER = re.compile(r"@@?[A-Za-z_]\w*@|%%?[A-Za-z_]\w*%|\{[A-Z_][A-Z0-9_]*\}", re.ASCII)  # for sed
_QUOTING = re.compile(r'"[^"]*\{\{[^"}]*"|\'[^\']*\{\{[^\'}]*\'')  # a: "{{ value "x" }}"
# A line with only control flow makes a text a template, even if it is valid YAML.
_CONTROL = re.compile(
    r"\s*(?:\{\{-?\s*(?:/\*|(?:block|define|else|end|for|if|include|range|template|with)\b)|\{%|%\{\s*(?:if|for|else|end)|"
    r"</?#(?:if|else|elseif|list|assign|macro|include)\b)"
)
_TEMPLATE_FAULTS = (
    "YML001",
    "YML003",
    "YML005",
)  # faults that an action in YAML causes; a duplicate key is a separate fault
# The two keys that every Kubernetes object has, in block style, in flow style, and quoted.
_YAML = re.compile(r"^(?:\{\s*)?[\"']?apiVersion[\"']?\s*:.*\S", re.MULTILINE)
_KIND = re.compile(r"(?:^|[{,]\s*)[\"']?kind[\"']?\s*:.*\S", re.MULTILINE)
_JSON = (re.compile(r'"apiVersion"\s*:\s*"'), re.compile(r'"kind"\s*:\s*"'))
# The separator of documents.
_SEPARATOR = re.compile(r"^---(?:\s.*)?$", re.MULTILINE)


def action(file: str, content: str, faults: Sequence[Diagnostic]) -> Span | None:
    """The first action of a template, if actions are the reason why the text is not valid YAML."""
    wrong = [fault.span.line for fault in faults if fault.code in _TEMPLATE_FAULTS]
    if not wrong:
        return None
    lines = content.splitlines()
    # The YAML parser reports a broken line at its own number or at the next one.
    near = {*wrong, *(number - 1 for number in wrong)}
    for number, line in enumerate(lines, start=1):
        is_cause = number in near and (_has_unquoted_action(line) or (number in wrong and _PLACEHOLDER.search(line)))
        if is_cause or (number <= max(wrong) and _CONTROL.match(line)):
            return next(_actions(file, lines))
    return None


def first_action(file: str, content: str) -> Span:
    """The place of the first action of a template."""
    return next(_actions(file, content.splitlines()))


class KubernetesDocuments:
    """The lines of a text in documents that are meant to be Kubernetes objects.

    Such a document has apiVersion and kind at the start of lines, even if it is not valid YAML.
    """

    def __init__(self, content: str) -> None:
        starts = [0, *(match.start() for match in _SEPARATOR.finditer(content)), len(content)]
        self._parts = [_is_kubernetes(content[first:last]) for first, last in pairwise(starts)]
        self._lines = list(accumulate(content.count("\n", first, last) for first, last in pairwise(starts)))

    def __bool__(self) -> bool:
        return any(self._parts)

    def at(self, line: int) -> bool:
        """Whether this line (from 1) is in a document that is meant to be a Kubernetes object."""
        return self._parts[min(bisect_left(self._lines, line), len(self._parts) - 1)]


def _is_kubernetes(document: str) -> bool:
    if _YAML.search(document) and _KIND.search(document):
        return True
    return document.lstrip()[:1] in ("{", "[") and all(pattern.search(document) for pattern in _JSON)


def _has_unquoted_action(line: str) -> bool:
    """Whether a line has an action outside of quotes, or one whose own quotes end those around it."""
    if _QUOTING.search(line):
        return True
    for match in _ACTION.finditer(line):
        before = line[: match.start()]
        if before.count('"') % 2 == 0 and before.count("'") % 2 == 0:
            return True
    return False


def _actions(file: str, lines: Sequence[str]) -> Iterator[Span]:
    for number, line in enumerate(lines, start=1):
        if match := _ACTION.search(line) or _PLACEHOLDER.search(line):
            yield Span(file, number, match.start() + 1)
