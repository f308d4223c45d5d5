"""Patches of Kustomize: which objects they are for, and what becomes of these."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from gitgpu.load.access import family, inner, rows, words
from gitgpu.load.delivery.images import Image, imaged, images, written_images
from gitgpu.load.delivery.jsonpatch import operated
from gitgpu.load.delivery.merge import merged
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.load.validate.linear_regex import has_re2, longest, refusal
from gitgpu.load.validate.patterns import compile_pattern

_FLUX = "toolkit.fluxcd.io"
_SELECTOR = re.compile(r"\s*(?P<key>[\w./-]+)\s*(?:(?P<sign>==?|!=)\s*(?P<value>[\w.-]*)\s*)?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch as it is written, and as data: a list of operations, or a part of an object.

    `target` holds (key, text) pairs of what it selects objects by; without any, the part itself names its object.
    """

    text: str
    target: tuple[tuple[str, str], ...] = ()
    data: Any = field(default=None, compare=False)


Change: TypeAlias = Patch | Image


def changes(spec: Any) -> tuple[Change, ...]:
    """The patches and images of a Flux Kustomization; patches that cannot be read are left out: Flux refuses them."""
    found: list[Change] = []
    for patch in rows(spec, "patches"):
        found += written_patches(words(patch, "patch"), inner(patch, "target"))
    return (*found, *images(spec))


def written_patches(text: str, target: Any) -> list[Patch]:
    """The patches of a text, one for each document; none where it cannot be read."""
    chosen = {str(key): str(value) for key, value in target.items()} if isinstance(target, dict) else {}
    documents, faults = parse(Text("patch", text, "patch"), as_json=True)
    if faults:
        return []
    selected = tuple(sorted(chosen.items()))
    several = len(documents) > 1
    return [
        Patch(f"{text}\n# {at}" if several else text, selected, each.data) for at, each in enumerate(documents)
    ]  # the number tells the documents of one text apart


def application_changes(kustomize: Any) -> tuple[Change, ...]:
    """The patches and images of an Argo CD Application, which it adds to the kustomization that it applies."""
    texts = inner(kustomize, "images")
    own = written_images(texts) if isinstance(texts, list) else ()
    return (*changes({"patches": rows(kustomize, "patches")}), *own)


def changed(body: dict[str, Any], own: tuple[Change, ...], namespace: str = "") -> dict[str, Any] | None:
    """The object after what changes it, None where it is deleted; `namespace` is the one that it is put into."""
    for patch in own:
        if isinstance(patch, Image):
            body = imaged(body, patch)
        elif not _is_for(patch, body, namespace):
            continue
        elif isinstance(patch.data, list):
            body = operated(body, patch.data)
        elif isinstance(patch.data, dict):
            if patch.data.get("$patch") == "delete":
                return None
            body = _merged(body, patch.data)
    return body


def additions(every: Iterable[Change]) -> tuple[Change, ...]:
    """Those of the changes that only add to objects of Flux, or overwrite what they say, each once."""
    found = dict.fromkeys(change for change in every if isinstance(change, Patch) and isinstance(change.data, dict))
    return tuple(patch for patch in found if "$patch" not in patch.text and _FLUX in f"{patch.text}{patch.target}")


def _merged(body: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """What makes the object the object that it is stays, whatever the patch calls itself."""
    made: dict[str, Any] = merged(body, data, listed=not _is_custom(body))
    made |= {key: body[key] for key in ("apiVersion", "kind") if key in body}
    meta, old = made.get("metadata"), inner(body, "metadata")
    if isinstance(meta, dict) and isinstance(old, dict):
        names = {key: old[key] for key in ("name", "namespace") if key in old}
        made["metadata"] = {key: value for key, value in meta.items() if key not in ("name", "namespace")} | names
    return made


def _is_custom(body: Mapping[str, Any]) -> bool:
    """Kustomize knows by which key the lists of built-in kinds are merged, and replaces those of all others."""
    group = family(body)[0]
    return "." in group and not group.endswith(".k8s.io")


def _is_for(patch: Patch, body: Mapping[str, Any], namespace: str) -> bool:
    if patch.target:
        return all(_has(key, text, body, namespace) for key, text in patch.target)
    data = patch.data
    if not isinstance(data, dict) or family(data) != family(body):
        return False
    said = words(data, "metadata", "namespace")
    same = not said or said in (words(body, "metadata", "namespace"), namespace)
    return same and words(data, "metadata", "name") == words(body, "metadata", "name")


def _has(key: str, text: str, body: Mapping[str, Any], namespace: str) -> bool:
    """Does an object have what one key of a target selects? Texts are patterns that a whole name has to fit."""
    if key in ("labelSelector", "annotationSelector"):
        fields = inner(body, "metadata", "labels" if key == "labelSelector" else "annotations")
        return _selected(text, fields if isinstance(fields, dict) else {})
    version = str(body.get("apiVersion")).rpartition("/")
    found = {
        "group": (version[0],),
        "version": (version[2],),
        "kind": (str(body.get("kind")),),
        "name": (words(body, "metadata", "name"),),
        "namespace": (words(body, "metadata", "namespace"), namespace),
    }
    return any(_fits(name, text) for name in found.get(key, ())) or not text


def _fits(value: str, pattern: str) -> bool:
    """Does a name fit a pattern as a whole? Where Python's engine may take too long, a long name fits none."""
    most, search = _matcher(pattern)
    return (most is None or len(value) <= most) and search is not None and bool(search(value))


@cache
def _matcher(pattern: str) -> tuple[int | None, Callable[[str], Any] | None]:
    """The longest name that may be tried, None for any, and what tries it; nothing for a pattern that is not valid."""
    whole = f"^(?:{pattern})$"
    try:
        found = compile_pattern(whole)
    except (ValueError, re.error):
        return None, None
    is_linear = has_re2() and not refusal(whole)
    return (None if is_linear else longest(whole)), found.search


def _selected(text: str, labels: Mapping[str, Any]) -> bool:
    """Does a label selector take these labels? A form that is not supported here takes none."""
    return all(_takes(term, labels) for term in _terms(text))


def _terms(text: str) -> Iterator[str]:
    yield from (name for name in re.split(r",(?![^(]*\))", text) if name.strip())


def _takes(term: str, labels: Mapping[str, Any]) -> bool:
    term = term.strip()
    if term.startswith("!"):
        return term[1:].strip() not in labels
    members = re.fullmatch(r"([\w./-]+)\s+(in|notin)\s+\(([^)]*)\)", term, re.ASCII)
    if members:
        listed = {name.strip() for name in members[3].split(",")}
        return (str(labels.get(members[1])) in listed) == (members[2] == "in")
    found = _SELECTOR.match(term)
    if found is None:
        return False
    if found["sign"] is None:
        return found["key"] in labels
    return (str(labels.get(found["key"])) == found["value"]) == (found["sign"] != "!=")
