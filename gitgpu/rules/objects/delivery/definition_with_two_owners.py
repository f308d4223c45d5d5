"""A custom resource definition that two releases install."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CUSTOM_RESOURCE_DEFINITION, HELM_RELEASE
from gitgpu.objects.gitops.applications import applications
from gitgpu.objects.gitops.installed_definitions import Installed, installed_definitions
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_RESPECT = "RespectIgnoreDifferences=true"
_REPLACE = "CreateReplace"
_DISCOVERY = "node-feature-discovery"  # two installations of it are another rule's fault


class _Source(NamedTuple):
    """A release and the definitions that it installs, by name, without those that it leaves to others.

    `replaces` says whether it replaces definitions that exist.
    """

    release: Release
    engine: str
    definitions: Mapping[str, Installed]
    replaces: bool


def _check(objects: Objects) -> Iterator[Finding]:
    sources = [*_argo_sources(objects), *_flux_sources(objects)]
    hosts: dict[tuple[str, str, str], dict[str, _Source]] = {}  # the first release of each chart, in order
    for source in sources:
        for name in source.definitions:
            hosts.setdefault(_key(source, name), {}).setdefault(source.release.chart, source)
    order = {id(source): index for index, source in enumerate(sources)}
    for guest in sources:
        shared: dict[str, _Source] = {}
        for name, definition in guest.definitions.items():
            host = _host(guest, definition, hosts[_key(guest, name)])
            is_owner = host is not None and host.release.chart == definition.owner
            if host and (is_owner or (guest.engine == "argo" and order[id(host)] < order[id(guest)])):
                shared[name] = host
        if guest.replaces and shared and (remedy := _remedy(guest, list(shared))):
            yield _finding(guest, *next(iter(shared.items())), remedy)


def _key(source: _Source, name: str) -> tuple[str, str, str]:
    return source.engine, source.release.cluster, name


def _host(guest: _Source, definition: Installed, by_chart: Mapping[str, _Source]) -> _Source | None:
    """The release that keeps the definition: that of the owner, or the first one with another chart."""
    if guest.release.chart == definition.owner:
        return None
    others = (source for chart, source in by_chart.items() if chart != guest.release.chart)
    return by_chart.get(definition.owner) or next(others, None)


def _argo_sources(objects: Objects) -> Iterator[_Source]:
    specs = {id(item): spec for item, spec in applications(objects)}
    for release in releases(objects):
        spec = specs.get(id(release.item))
        if spec is not None:
            skipped = bool(reach(release.item.body, *release.pointer[:-1], "skipCrds"))
            kept = {
                name: definition
                for name, definition in _definitions(release, objects, skipped=skipped).items()
                if not _leaves(spec, name)
            }
            yield _Source(release, "argo", kept, replaces=True)


def _flux_sources(objects: Objects) -> Iterator[_Source]:
    for release in releases(objects):
        spec = mapping_at(release.item.body, "spec")
        if release.item.identity.kind == HELM_RELEASE.kind and not spec.get("suspend"):
            install, upgrade = (reach(spec, action, "crds") for action in ("install", "upgrade"))
            skipped = install == "Skip" and upgrade in (None, "Skip")
            yield _Source(release, "flux", _definitions(release, objects, skipped=skipped), upgrade == _REPLACE)


def _definitions(release: Release, objects: Objects, *, skipped: bool) -> dict[str, Installed]:
    installed = sorted(installed_definitions(release, objects.catalog))
    kept_definitions = (definition for definition in installed if definition.owner != _DISCOVERY)
    return {definition.name: definition for definition in kept_definitions if not (skipped and definition.folder)}


def _finding(guest: _Source, name: str, host: _Source, remedy: str) -> Finding:
    other, is_flux = host.release.item, guest.engine == "flux"
    effect = "an upgrade replaces" if is_flux else "each sync overwrites"
    message = (
        f"{other.identity.kind} {other.identity.name} also installs the definition {name}, "
        f"from chart {host.release.chart}: {effect} the copy of the other"
    )
    pointer = ("spec", "upgrade", "crds") if is_flux else guest.release.pointer[:-2]
    return Finding(guest.release.item, pointer, message, remedy)


def _remedy(guest: _Source, names: Sequence[str]) -> str:
    """What leaves the definitions to the other releases and keeps those of its own; "" if nothing does."""
    if guest.engine == "argo":
        return _ignored(guest, names)
    definitions = [guest.definitions[name] for name in names]
    switches = {path: None for definition in definitions for path in definition.switches}
    if not all(definition.folder for definition in definitions):
        return ""
    if all(definition.switches for definition in definitions):
        return "in its values, set " + " and ".join(f"{path}: false" for path in switches)
    for definition in guest.definitions.values():
        if definition.folder and definition.owner == guest.release.chart:
            return ""
    return "set install.crds and upgrade.crds to Create: no definition in its crds folder is its own"


def _ignored(guest: _Source, names: Sequence[str]) -> str:
    """Without the definition in one of them, Argo CD could prune it, and with it all objects of the kind."""
    chosen = [""] if len(names) == len(guest.definitions) else [f", name: {name}" for name in names]
    pointers = "jsonPointers: [/metadata/annotations, /metadata/labels, /spec]"
    entries = ", ".join(
        f"{{group: {CUSTOM_RESOURCE_DEFINITION.group}, kind: {CUSTOM_RESOURCE_DEFINITION.kind}{name}, {pointers}}}"
        for name in chosen
    )
    return f"add ignoreDifferences: [{entries}] to the spec, and {_RESPECT} to syncPolicy.syncOptions"


def _leaves(spec: Mapping[str, Any], name: str) -> bool:
    """Whether an Application leaves the definition to others."""
    if _RESPECT not in list_at(spec, "syncPolicy", "syncOptions"):
        return False
    entries = map(mapping_at, list_at(spec, "ignoreDifferences"))
    return any(
        entry.get("kind") in (CUSTOM_RESOURCE_DEFINITION.kind, "*") and entry.get("name") in (None, "", name)
        for entry in entries
    )


RULE = Rule(
    code="GIT021",
    name="definition-with-two-owners",
    severity=Severity.WARNING,
    summary="Two releases install the same custom resource definition, from different charts.",
    help="Argo CD applies the crds folder of a chart like its templates. With self-healing, each Application replaces "
    "the definition of the other, again and again; without it, one of them is always OutOfSync. ignoreDifferences "
    "alone does not prevent it: a sync still writes the ignored fields unless RespectIgnoreDifferences is set. "
    "Flux applies a crds folder when it installs or upgrades a release: Create keeps a definition that exists, "
    "CreateReplace replaces it.",
    sources=(
        "https://github.com/NVIDIA/aicr/issues/2546",
        "https://github.com/NVIDIA/aicr/pull/2715",
        "https://github.com/NVIDIA/gpu-operator/tree/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/crds",
        "https://github.com/fluxcd/helm-controller/blob/0f61a8607a62be64638f2f912d9487e653960a6e/internal/action/crds.go",
    ),
    facts=("definitions",),
    check=_check,
)
