"""A Flux object with values from a ConfigMap that does not exist."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP, FLUX_KUSTOMIZATION, HELM_RELEASE
from gitgpu.objects.gitops.references import has_some
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PLACES: dict[tuple[str, str], Pointer] = {
    HELM_RELEASE: ("spec", "valuesFrom"),
    FLUX_KUSTOMIZATION: ("spec", "postBuild", "substituteFrom"),
}
_KEY = "values.yaml"  # the default of valuesKey


def _check(objects: Objects) -> Iterator[Finding]:
    # Without any ConfigMap among the objects, they are created in another way.
    if not objects.closed or not has_some(*CONFIG_MAP, objects):
        return
    for kind, place in _PLACES.items():
        for item in objects.of(*kind):
            for index, reference in enumerate(reach(item.body, *place) or ()):
                fault = _fault(reference, item, objects) if reference.get("kind") == "ConfigMap" else None
                if fault:
                    yield Finding(item, (*place, index, fault[0]), *fault[1:])


def _fault(reference: Mapping[str, Any], item: Item, objects: Objects) -> tuple[str, str, str] | None:
    name, namespace = reference.get("name") or "", item.identity.namespace
    if Identity(*CONFIG_MAP, namespace, name) not in objects.present:
        message = f"ConfigMap {namespace}/{name} does not exist"
        return None if reference.get("optional") else ("name", message, "add it to this namespace, or correct the name")
    named = objects.by_name(*CONFIG_MAP, name)
    config_map = next((map_ for map_ in named if map_.identity.namespace == namespace), None)
    key = reference.get("valuesKey") or _KEY
    # Flux substitutes every key, so only the values of a HelmRelease need a certain one.
    if config_map is None or name in objects.patched_names(*CONFIG_MAP) or item.identity[:2] != HELM_RELEASE:
        return None
    if key in (config_map.body.get("data") or {}) or key in (config_map.body.get("binaryData") or {}):
        return None
    return "name", f"ConfigMap {name} has no key {key}", "set valuesKey to the key that has the values"


RULE = Rule(
    code="GIT006",
    name="missing-values-config-map",
    severity=Severity.ERROR,
    summary="A HelmRelease or a Kustomization reads values from a ConfigMap that does not exist or does not have the "
    "key.",
    help="Flux stops before it installs anything. optional: true allows a missing ConfigMap but not a missing key.",
    sources=(
        "https://github.com/fluxcd/helm-controller/blob/0f61a8607a62be64638f2f912d9487e653960a6e/docs/spec/v2/helmreleases.md#values-references",
        "https://github.com/fluxcd/kustomize-controller/blob/186fb3b29138ce82ff61ba1a9370b96a3dd598fe/docs/spec/v1/kustomizations.md#post-build-variable-substitution",
    ),
    check=_check,
)
