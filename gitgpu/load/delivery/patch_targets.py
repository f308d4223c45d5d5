"""Which objects a patch targets, as in Kustomize. Texts are patterns that must match the whole name."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from gitgpu.load.access import inner, text_at
from gitgpu.load.validate.linear_regex import has_re2, longest, refusal
from gitgpu.load.validate.patterns import compile_pattern

# A term of a label selector: key, key=value, key==value or key!=value.
_SELECTOR = re.compile(r"\s*(?P<key>[\w./-]+)\s*(?:(?P<sign>==?|!=)\s*(?P<value>[\w.-]*)\s*)?\Z", re.ASCII)


def is_selected(target: Iterable[tuple[str, str]], body: Mapping[str, Any], namespace: str = "") -> bool:
    """Whether an object matches all (key, text) pairs of a target. `namespace` is the one that a kustomization sets."""
    return all(_has(key, text, body, namespace) for key, text in target)


def is_pattern(text: str) -> bool:
    """Whether a text of a target is a regular expression."""
    return _matcher(text).search is not None


def _has(key: str, text: str, body: Mapping[str, Any], namespace: str) -> bool:
    """Whether an object matches one key of a target."""
    if key in ("labelSelector", "annotationSelector"):
        fields = inner(body, "metadata", "labels" if key == "labelSelector" else "annotations")
        return _selected(text, fields if isinstance(fields, dict) else {})
    group, _, version = str(body.get("apiVersion")).rpartition("/")
    values = {
        "group": (group,),
        "version": (version,),
        "kind": (str(body.get("kind")),),
        "name": (text_at(body, "metadata", "name"),),
        "namespace": (text_at(body, "metadata", "namespace"), namespace),
    }
    return any(_fits(name, text) for name in values.get(key, ())) or not text


def _fits(value: str, pattern: str) -> bool:
    """Whether a pattern matches the whole name. If Python's engine may take too long, it does not match a long name."""
    most, search = _matcher(pattern)
    return (most is None or len(value) <= most) and search is not None and bool(search(value))


class _Matcher(NamedTuple):
    """The longest name to search (None for any length), and the search function, or None for an invalid pattern."""

    longest: int | None
    search: Callable[[str], Any] | None


@cache
def _matcher(pattern: str) -> _Matcher:
    whole = f"^(?:{pattern})$"
    try:
        compiled = compile_pattern(whole)
    except ValueError:  # no target matches such a pattern
        return _Matcher(None, None)
    is_linear = has_re2() and not refusal(whole)
    return _Matcher(None if is_linear else longest(whole), compiled.search)


def _selected(text: str, labels: Mapping[str, Any]) -> bool:
    """Whether a label selector matches these labels. A selector in an unsupported form matches nothing."""
    return all(_takes(term, labels) for term in _terms(text))


def _terms(text: str) -> Iterator[str]:
    for term in re.split(r",(?![^(]*\))", text):  # a comma in parentheses separates values of one term
        if term.strip():
            yield term


def _takes(term: str, labels: Mapping[str, Any]) -> bool:
    term = term.strip()
    if term.startswith("!"):
        return term[1:].strip() not in labels
    members = re.fullmatch(r"(?P<key>[\w./-]+)\s+(?P<sign>in|notin)\s+\((?P<values>[^)]*)\)", term, re.ASCII)
    if members:
        listed = {name.strip() for name in members["values"].split(",")}
        return (str(labels.get(members["key"])) in listed) == (members["sign"] == "in")
    match = _SELECTOR.match(term)
    if match is None:
        return False
    if match["sign"] is None:
        return match["key"] in labels
    return (str(labels.get(match["key"])) == match["value"]) == (match["sign"] != "!=")
