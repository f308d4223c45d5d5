"""Kueue that counts devices of DRA on a version of Kubernetes that does not serve their API."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach, text_at
from gitgpu.diagnostic import Severity
from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.names.groups import KUEUE_CONFIGURATION_GROUP
from gitgpu.model.names.kinds import CONFIG_MAP, KUEUE_CONFIGURATION
from gitgpu.model.syntax.version import NUMBERS, minor, version
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_VALUE = ("managerConfig", "controllerManagerConfigYaml")
_MAPPINGS, _FEATURE_GATES = ("resources", "deviceClassMappings"), "featureGates"
# The gate has the first name before Kueue 0.18.
_GATES = ("DynamicResourceAllocation", "KueueDRAIntegration")


class _Configuration(NamedTuple):
    """A configuration of Kueue's manager, and the place of the string with its YAML; () for a file of its own."""

    item: Item
    pointer: Pointer
    body: Mapping[str, Any]


def _check(objects: Objects) -> Iterator[Finding]:
    since = objects.catalog.must("features", "resource-claims")["since"]
    for item, pointer, body in _configurations(objects):
        setting = _setting(body)
        old = _version_before(since, objects) if setting else ""
        if old:
            name = f"feature gate {setting[-1]}" if setting[0] == _FEATURE_GATES else ".".join(setting)
            message = f"{name} needs Kubernetes {minor(since)} or later, not {old}: Kueue counts no devices"
            yield Finding(item, pointer or setting, message, "remove it, or upgrade Kubernetes first")


def _version_before(since: str, objects: Objects) -> str:
    """The version of the cluster, if it is known and older."""
    own = {str(reach(cluster.body, "spec", "kubernetesVersion") or "") for cluster in clusters(objects)}
    used = (objects.kubernetes, *(own if len(own) == 1 else ()))
    return next((each for each in used if NUMBERS.match(each) and version(minor(each)) < version(minor(since))), "")


def _configurations(objects: Objects) -> Iterator[_Configuration]:
    for release in releases(objects, "kueue"):
        item, pointer = release.locate(*_VALUE)
        yield _Configuration(item, pointer, mapping_in(release.value(*_VALUE)))
    for item in objects.of(*KUEUE_CONFIGURATION):
        yield _Configuration(item, (), item.body)
    for item in objects.of(*CONFIG_MAP):
        for key, text in mapping_at(item.body, "data").items():
            if KUEUE_CONFIGURATION_GROUP in text:
                yield _Configuration(item, ("data", key), mapping_in(text))


def _setting(body: Mapping[str, Any]) -> tuple[str, ...]:
    """The place of what turns devices on in a configuration; () if nothing does."""
    if not text_at(body, "apiVersion").startswith(f"{KUEUE_CONFIGURATION_GROUP}/"):
        return ()
    if list_at(body, *_MAPPINGS):
        return _MAPPINGS
    return next(((_FEATURE_GATES, gate) for gate in _GATES if reach(body, _FEATURE_GATES, gate) is True), ())


RULE = Rule(
    code="QUE044",
    name="device-classes-before-kubernetes-1-34",
    severity=Severity.WARNING,
    summary="The configuration of Kueue counts devices of DRA, on Kubernetes before 1.34.",
    help="Kueue reads DeviceClasses and ResourceClaimTemplates as resource.k8s.io/v1, which older versions of "
    "Kubernetes do not serve. So it counts no device, and quotas of devices have no effect.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/dynamic_resource_allocation.md",
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/CHANGELOG/CHANGELOG-0.15.md",
    ),
    facts=("features/resource-claims",),
    check=_check,
)
