"""A custom resource definition that two Applications of Argo CD install."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.conform.gitops.applications import applications
from gitgpu.conform.gitops.releases import Release, releases
from gitgpu.conform.objects import Item, Objects, listed, mapping, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.syntax.version import NUMBERS, version

_CRD = ("apiextensions.k8s.io", "CustomResourceDefinition")
_RESPECT = "RespectIgnoreDifferences=true"


class _Source(NamedTuple):
    """A chart of an Application, and the definitions that it installs and other charts do as well, by name.

    Definitions that the Application leaves to others are omitted.
    """

    application: Item
    release: Release
    definitions: list[str]


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("delivery", "helm")
    specs = {id(item): spec for item, spec in applications(objects)}
    sources = [
        _Source(release.item, release, _kept(specs[id(release.item)], _definitions(release, facts)))
        for release in releases(objects)
        if id(release.item) in specs and not reach(release.item.body, *release.pointer[:-1], "skipCrds")
    ]
    hosts: dict[tuple[str, str], dict[str, _Source]] = {}  # the first Application of each chart, in order
    for source in sources:
        for name in source.definitions:
            hosts.setdefault((source.release.cluster, name), {}).setdefault(source.release.chart, source)
    order = {id(source): index for index, source in enumerate(sources)}
    for guest in sources:
        for name in guest.definitions:
            owner = facts["shared"][name]["owner"]
            host = _host(guest, owner, hosts[guest.release.cluster, name])
            if host and (host.release.chart == owner or order[id(host)] < order[id(guest)]):
                yield _finding(guest, host, name)
                break


def _host(guest: _Source, owner: str | None, by_chart: Mapping[str, _Source]) -> _Source | None:
    """The Application that keeps the definition: that of the owner, or the first one with another chart."""
    if guest.release.chart == owner:
        return None
    others = (source for chart, source in by_chart.items() if chart != guest.release.chart)
    return by_chart.get(owner or "") or next(others, None)


def _finding(guest: _Source, host: _Source, name: str) -> Finding:
    other = host.application.identity.name
    message = (
        f"Application {other} also installs the definition {name}, from chart {host.release.chart}: each sync "
        "overwrites the copy of the other"
    )
    remedy = (
        f"add ignoreDifferences: [{{group: {_CRD[0]}, kind: {_CRD[1]}, name: {name}, jsonPointers: "
        f"[/metadata/annotations, /metadata/labels, /spec]}}] to the spec, and {_RESPECT} to syncPolicy.syncOptions"
    )
    return Finding(guest.application, guest.release.pointer[:-2], message, remedy)


def _definitions(release: Release, facts: Facts) -> frozenset[str]:
    """What a chart installs although other charts do as well."""
    switches = mapping(mapping(facts["installed"].get(release.chart)).get("values"))
    written = {path: release.value(*path.split(".")) for path in switches}
    states = [default if written[path] is None else written[path] for path, default in switches.items()]
    if switches and True not in states:
        return frozenset()
    shared = (name for name, row in facts["shared"].items() if _ships(release, row["charts"].get(release.chart)))
    return frozenset(shared)


def _ships(release: Release, since: str | None) -> bool:
    """Whether the version installs a definition that its chart has `since`. An unknown version is the newest."""
    known = bool(NUMBERS.match(release.version.removeprefix("v")))
    return since is not None and (not since or not known or version(release.version) >= version(since))


def _kept(spec: Mapping[str, Any], definitions: Iterable[str]) -> list[str]:
    """The definitions that an Application does not leave to others, sorted."""
    return sorted(name for name in definitions if not _leaves(spec, name))


def _leaves(spec: Mapping[str, Any], name: str) -> bool:
    """Whether an Application leaves the definition to others."""
    if _RESPECT not in listed(reach(spec, "syncPolicy", "syncOptions")):
        return False
    entries = map(mapping, listed(spec.get("ignoreDifferences")))
    return any(entry.get("kind") in (_CRD[1], "*") and entry.get("name") in (None, "", name) for entry in entries)


_APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: NAME, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: gpu}
  source: {repoURL: "https://charts.example", chart: CHART, targetRevision: VERSION}
  syncPolicy: {automated: {selfHeal: true}, syncOptions: [ServerSideApply=true]}
"""


def _of(chart: str, version: str) -> str:
    return _APPLICATION.replace("NAME", chart).replace("CHART", chart).replace("VERSION", version)


DEFINITIONS = _of("prometheus-operator-crds", "25.0.1")
BAD = f"{_of('kube-prometheus-stack', '80.0.0')}---{DEFINITIONS}"
DRA = f"{_of('gpu-operator', 'v26.7.0')}---{_of('dra-driver-nvidia-gpu', '0.4.1')}".replace(
    "targetRevision: 0.4.1", "targetRevision: 0.4.1, helm: {valuesObject: {resources: {gpus: {enabled: false}}}}"
)
_LEFT = "{group: apiextensions.k8s.io, kind: CustomResourceDefinition, jsonPointers: [/spec]}"

RULE = Rule(
    code="GIT021",
    name="definition-with-two-owners",
    severity=Severity.WARNING,
    summary="Two Applications install the same custom resource definition, from different charts or versions.",
    help="Argo CD applies the crds folder of a chart like its templates. With self-healing, each Application replaces "
    "the definition of the other, again and again; without it, one of them is always OutOfSync. ignoreDifferences "
    "alone does not prevent it: a sync still writes the ignored fields unless RespectIgnoreDifferences is set.",
    sources=(
        "https://github.com/NVIDIA/aicr/issues/2546",
        "https://github.com/NVIDIA/aicr/pull/2715",
        "https://github.com/NVIDIA/gpu-operator/tree/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/crds",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("80.0.0", "80.0.0, helm: {skipCrds: true}"),
    variants=(DRA,),
    near_misses=(
        BAD.replace("ServerSideApply=true", _RESPECT, 1).replace("---", f"  ignoreDifferences: [{_LEFT}]\n---"),
        BAD.replace("80.0.0", "80.0.0, helm: {valuesObject: {crds: {enabled: false}}}"),
        BAD.replace('server: "https://kubernetes.default.svc"', "name: other", 1),
        DRA.replace("v26.7.0", "v26.3.3"),
    ),
)
