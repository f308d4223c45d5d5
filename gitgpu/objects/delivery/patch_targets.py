"""Which objects a patch targets, as in Kustomize. Texts are patterns that must match the whole name."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, text_at
from gitgpu.load.validate.whole_texts import whole

# A term of a label selector: key, key=value, key==value or key!=value.
_SELECTOR = re.compile(r"\s*(?P<key>[\w./-]+)\s*(?:(?P<sign>==?|!=)\s*(?P<value>[\w.-]*)\s*)?\Z", re.ASCII)


def is_selected(target: Iterable[tuple[str, str]], body: Mapping[str, Any], namespace: str = "") -> bool:
    """Whether an object matches all (key, text) pairs of a target. `namespace` is the one that a kustomization sets."""
    return all(_has(key, text, body, namespace) for key, text in target)


def is_pattern(text: str) -> bool:
    """Whether a text of a target is a regular expression."""
    return whole(text).is_valid


def _has(key: str, text: str, body: Mapping[str, Any], namespace: str) -> bool:
    """Whether an object matches one key of a target."""
    if key in ("labelSelector", "annotationSelector"):
        fields = mapping_at(body, "metadata", "labels" if key == "labelSelector" else "annotations")
        return _selected(text, fields)
    return any(map(whole(text).matches, _values(key, body, namespace))) or not text


def _values(key: str, body: Mapping[str, Any], namespace: str) -> tuple[str, ...]:
    """The texts of an object that a key of a target is compared with."""
    if key == "kind":
        return (str(body.get("kind")),)
    if key == "name":
        return (text_at(body, "metadata", "name"),)
    if key == "namespace":
        return text_at(body, "metadata", "namespace"), namespace
    group, _, version = str(body.get("apiVersion")).rpartition("/")
    return {"group": (group,), "version": (version,)}.get(key, ())


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
