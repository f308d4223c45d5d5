"""A variable that Flux replaces with an empty string."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import FLUX_SUBSTITUTE_ANNOTATION
from gitgpu.model.names.kinds import CONFIG_MAP, FLUX_KUSTOMIZATION
from gitgpu.objects.gitops.references import applied_objects
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

# "$${name}" is an escape. Flux does not replace "$name", and "${name:-text}" has a default.
_VARIABLE = re.compile(r"(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)\}", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    kustomizations = list(objects.of(*FLUX_KUSTOMIZATION))
    if any(_patches_others(kustomization) for kustomization in kustomizations):
        return  # a patch can change what they substitute
    for kustomization in kustomizations:
        defined = _defined(kustomization, objects)
        if not defined:
            continue
        for item in applied_objects(kustomization, objects):
            if _is_excluded(item):
                continue
            for place, text in _texts(item.delivered.written if item.delivered else item.body, ()):
                unknown = [f"${{{name}}}" for name in dict.fromkeys(_VARIABLE.findall(text)) if name not in defined]
                if unknown:
                    them, empty = ("it", "an empty string") if len(unknown) == 1 else ("them", "empty strings")
                    message = (
                        f"Flux replaces {join_names(unknown)} with {empty}: {_name(kustomization)} does not set {them}"
                    )
                    kept = join_names([f"${name}" for name in unknown])
                    remedy = f"use {kept} to keep {them}, or add {them} to postBuild.substitute"
                    yield Finding(item, place, message, remedy)


def _patches_others(kustomization: Item) -> bool:
    """Whether it patches the Kustomizations that it applies, as a monorepo does to give them variables."""
    patches = reach(kustomization.body, "spec", "patches") or ()
    return any("Kustomization" in str(patch) for patch in patches)


def _defined(kustomization: Item, objects: Objects) -> frozenset[str]:
    """The variables that it substitutes; empty if there are none, or if some are not visible (a Secret)."""
    build = reach(kustomization.body, "spec", "postBuild") or {}
    defined = set(build.get("substitute") or ())
    for reference in build.get("substituteFrom") or ():
        namespace, name = kustomization.identity.namespace, str(reference.get("name") or "")
        config_maps = [item for item in objects.by_name(*CONFIG_MAP, name) if item.identity.namespace == namespace]
        is_seen = reference.get("kind") == "ConfigMap" and name not in objects.patched_names(*CONFIG_MAP)
        # Variables of a Secret are not in Git.
        if len(config_maps) != 1 or not is_seen:
            return frozenset()
        defined |= set(config_maps[0].body.get("data") or ())
    return frozenset(defined)


def _name(kustomization: Item) -> str:
    return f"the postBuild of Kustomization {kustomization.identity.name}"


# Flux ignores case.
def _is_excluded(item: Item) -> bool:
    fields = (reach(item.body, "metadata", field) or {} for field in ("annotations", "labels"))
    return any(str(field.get(FLUX_SUBSTITUTE_ANNOTATION)).lower() == "disabled" for field in fields)


def _texts(value: Any, place: Pointer) -> Iterator[tuple[Pointer, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, (*place, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*place, index))


RULE = Rule(
    code="GIT013",
    name="undefined-flux-variable",
    severity=Severity.WARNING,
    summary="An object contains ${name}, and the Flux Kustomization that applies it substitutes other variables but "
    "not this one.",
    help="Flux replaces it with an empty string and does not report it. Often it is a variable of a shell script.",
    sources=(
        "https://github.com/fluxcd/kustomize-controller/blob/186fb3b29138ce82ff61ba1a9370b96a3dd598fe/docs/spec/v1/kustomizations.md#post-build-variable-substitution",
    ),
    check=_check,
)
