"""A variable that Flux replaces by nothing."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.gitops.references import KUSTOMIZE, applied_objects
from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

_VARIABLE = re.compile(r"(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)\}", re.ASCII)
_SWITCH = "kustomize.toolkit.fluxcd.io/substitute"


def _check(objects: Objects) -> Iterator[Finding]:
    kustomizations = list(objects.of(*KUSTOMIZE))
    if any(_patches_others(kustomization) for kustomization in kustomizations):
        return  # what they substitute is not what they say
    for kustomization in kustomizations:
        known = _known(kustomization, objects)
        for item in applied_objects(kustomization, objects) if known else ():
            if _left_alone(item):
                continue
            for place, text in _texts(item.delivered.written if item.delivered else item.body, ()):
                unknown = [name for name in _VARIABLE.findall(text) if name not in known]
                if unknown:
                    message = f"Flux puts nothing in the place of ${{{unknown[0]}}}: {_name(kustomization)} lacks it"
                    remedy = f"write $${{{unknown[0]}}} to keep it, or add it to postBuild.substitute"
                    yield Finding(item, place, message, remedy)


def _patches_others(kustomization: Item) -> bool:
    """Does it change the Kustomizations that it applies, as a monorepo does to give them all their variables?"""
    patches = reach(kustomization.body, "spec", "patches") or ()
    return any("Kustomization" in str(patch) for patch in patches)


def _known(kustomization: Item, objects: Objects) -> frozenset[str]:
    """The variables that it substitutes; empty where there are none, or some that cannot be seen, as in a Secret."""
    build = reach(kustomization.body, "spec", "postBuild") or {}
    known = set(build.get("substitute") or ())
    for reference in build.get("substituteFrom") or ():
        namespace, name = kustomization.identity.namespace, str(reference.get("name") or "")
        found = [one for one in objects.named("", "ConfigMap", name) if one.identity.namespace == namespace]
        is_seen = reference.get("kind") == "ConfigMap" and name not in objects.patched("", "ConfigMap")
        if len(found) != 1 or not is_seen:
            return frozenset()
        known |= set(found[0].body.get("data") or ())
    return frozenset(known)


def _name(kustomization: Item) -> str:
    return f"the postBuild of Kustomization {kustomization.identity.name}"


def _left_alone(item: Item) -> bool:
    fields = (reach(item.body, "metadata", field) or {} for field in ("annotations", "labels"))
    return any(str(field.get(_SWITCH)).lower() == "disabled" for field in fields)


def _texts(value: Any, place: Pointer) -> Iterator[tuple[Pointer, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _texts(one, (*place, key))
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from _texts(one, (*place, at))


RULE = Rule(
    code="GIT013",
    name="blanked-variable",
    severity=Severity.WARNING,
    summary="An object holds ${name}, and the Flux Kustomization that applies it substitutes others and not this one.",
    help="Flux puts an empty text in its place without a word; variables of shell scripts are the usual victims.",
    sources=(
        "https://github.com/fluxcd/kustomize-controller/blob/186fb3b29138ce82ff61ba1a9370b96a3dd598fe/docs/spec/v1/kustomizations.md#post-build-variable-substitution",
    ),
    check=_check,
    bad="""
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: monitoring, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: fleet}
  postBuild: {substitute: {region: eastus}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: scripts, namespace: monitoring}
data:
  check.sh: |
    count=$(nvidia-smi -L | wc -l)
    echo "${count} GPUs in ${region}"
""",
    good="""
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: monitoring, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: fleet}
  postBuild: {substitute: {region: eastus}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: scripts, namespace: monitoring}
data:
  check.sh: |
    count=$(nvidia-smi -L | wc -l)
    echo "$${count} GPUs in ${region}"
""",
)
