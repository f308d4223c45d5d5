"""An adapter that KAITO rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models, newest
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        adapters = (model.inference or {}).get("adapters") or []
        place: Pointer = (*model.inference_at, "adapters")
        maximum = newest(objects)["maxAdapters"]
        if len(adapters) > maximum:
            yield Finding(model.item, place, f"{len(adapters)} adapters; KAITO allows {maximum}", "remove adapters")
        seen: set[str] = set()
        for index, adapter in enumerate(adapters):
            name = reach(adapter, "source", "name")
            for path, message, remedy in _faults(adapter, name in seen):
                yield Finding(model.item, (*place, index, *path), message, remedy)
            seen.add(name)


def _faults(adapter: Mapping[str, Any], duplicate: bool) -> Iterator[tuple[Pointer, str, str]]:
    source, strength = adapter.get("source"), adapter.get("strength")
    if not source:
        yield (), "the adapter has no source", "add a source with a name and an image"
        return
    if not source.get("name"):
        yield ("source",), "the source of the adapter has no name", "add name to the source"
    elif duplicate:
        yield ("source", "name"), f"duplicate adapter name '{source['name']}'", "give each adapter a unique name"
    if source.get("urls"):
        yield ("source", "urls"), "KAITO does not load adapters from URLs", "use an image or a volumeSource"
    elif not source.get("image") and not source.get("volumeSource"):
        yield ("source",), "the source has neither an image nor a volumeSource", "add an image"
    if strength is not None and not _is_fraction(strength):
        yield ("strength",), f"strength '{strength}' is not between 0 and 1", 'use a number such as "0.8"'


def _is_fraction(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


RULE = Rule(
    code="KAI009",
    name="invalid-adapter",
    severity=Severity.ERROR,
    rejects=True,
    summary="An adapter has no source or no unique name, loads from URLs, or has a strength that is not between 0 and "
    "1.",
    help="KAITO mounts each adapter under its name, from an image or a volume. KAITO's admission webhook rejects "
    "other adapters.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
    ),
    facts=("kaito/*",),
    check=_check,
)
