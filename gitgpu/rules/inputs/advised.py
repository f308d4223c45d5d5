"""Which advisories of the catalog apply to a fleet, and which depend on what a fleet does not say."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import BY_AKS, driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.advisories import NO_KARPENTER, Advisory, Combination, Match, Verdict, advisories, match
from gitgpu.model.software.installed import installed_software
from gitgpu.model.software.node_images import release
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import pool_place, stack_place, written_place
from gitgpu.source import pointer_text
from gitgpu.spelling import join_names

_Named: TypeAlias = tuple[str, str]  # a chart and an image; "" for the other
_SYSTEMS = ("AzureLinux", "Ubuntu", "Windows")


class Subject(NamedTuple):
    """What an advisory can apply to: nodes of a pool, software of a cluster, or both, and where the spec says so."""

    cluster: str
    title: str
    combination: Combination
    place: SpecPlace


class Affected(NamedTuple):
    """An advisory, and a subject that it applies to or, if the verdict is unknown, may apply to."""

    advisory: Advisory
    subject: Subject
    match: Match


def applicable_advisories(inputs: Inputs, clusters: Iterable[Cluster]) -> Iterator[Affected]:
    """The advisories that apply or may apply to these clusters, except those that rules report."""
    known_advisories = [advisory for advisory in advisories(inputs.catalog) if not advisory.rules]
    nodes: dict[str, list[Subject]] = {}  # by cluster
    software: dict[_Named, list[Subject]] = {}
    for cluster in clusters:
        nodes[cluster.name] = _nodes(inputs, cluster)
        for part in _software(inputs, cluster):
            software.setdefault((part.combination.chart or "", part.combination.image or ""), []).append(part)
    for advisory in known_advisories:
        for subject in _subjects(advisory, nodes, software):
            found = match(advisory, subject.combination, inputs.today)
            if found.verdict is not Verdict.NO:
                yield Affected(advisory, subject, found)


def advisory_findings(inputs: Inputs) -> list[Diagnostic]:
    """A finding for each advisory that certainly applies, at each place of the spec that chooses what it is about."""
    by_place: dict[tuple[str, str, Hashable], tuple[Affected, list[str]]] = {}
    for each in applicable_advisories(inputs, inputs.clusters):
        if each.match.verdict is Verdict.YES:
            origin, pointer = each.subject.place
            key = each.advisory.id, each.subject.title, origin.place(pointer)
            by_place.setdefault(key, (each, []))[1].append(each.subject.cluster)
    return [_finding(each, names) for each, names in by_place.values()]


def _finding(each: Affected, clusters: list[str]) -> Diagnostic:
    advisory, (origin, pointer) = each.advisory, each.subject.place
    message = f"{each.subject.title} on {join_names(list(dict.fromkeys(clusters)))}: {advisory.effect}"
    span, place = origin.span(pointer), pointer_text(origin.place_of(pointer))
    return Diagnostic(advisory.id, advisory.severity, message, advisory.remedy, span, place, origin.ref)


def _subjects(
    advisory: Advisory, nodes: Mapping[str, list[Subject]], software: Mapping[_Named, list[Subject]]
) -> Iterator[Subject]:
    """What an advisory can apply to: nodes, by cluster, or software, by chart and image."""
    if not advisory.of_software:
        yield from chain.from_iterable(nodes.values())
        return
    for part in chain.from_iterable(parts for named, parts in software.items() if advisory.is_about(*named)):
        if advisory.of_nodes:
            yield from (_software_on(part, node) for node in nodes[part.cluster])
        else:
            yield part


def _software_on(part: Subject, node: Subject) -> Subject:
    chosen = part.combination
    combination = node.combination._replace(chart=chosen.chart, image=chosen.image, version=chosen.version)
    return part._replace(title=f"{part.title} with {node.title}", combination=combination)


def _nodes(inputs: Inputs, cluster: Cluster) -> list[Subject]:
    """The nodes of a cluster by pool and size. Which node image they get is only known once they run."""
    subjects: list[Subject] = []
    for pool in inputs.pools_on(cluster):
        driver = driver_on(cluster, pool)
        for sku in pool.skus:
            combination = Combination(
                sku=sku,
                system=_system(pool, cluster.kubernetes, inputs.catalog),
                driver="aks" if driver in BY_AKS else driver,
                kubernetes=cluster.kubernetes,
                karpenter=None if pool.by_karpenter else NO_KARPENTER,
            )
            title = f"pool {pool.name} ({sku.name})"
            subjects.append(Subject(cluster.name, title, combination, pool_place(pool)))
    return subjects


def _system(pool: Pool, kubernetes: str, catalog: Catalog) -> str | None:
    if pool.windows:
        return "Windows"
    image = release(pool, kubernetes, catalog)
    name = str(image["os"]).replace(" ", "") if image else ""
    return next((system for system in _SYSTEMS if name.startswith(system)), None)


def _software(inputs: Inputs, cluster: Cluster) -> list[Subject]:
    """The charts and images that gitgpu installs on a cluster. The place is its pin, or the cluster without one."""
    catalog = inputs.catalog_for(cluster)
    subjects: list[Subject] = []
    named = written_place(cluster.origin, ("metadata", "name"))
    for name in installed_software(inputs, cluster):
        version = catalog.version(name)
        chart, container = catalog.facts("charts", name), catalog.facts("containers", name)
        known = Combination(
            kubernetes=cluster.kubernetes,
            # A name of both, such as dcgm-exporter, stands for the image.
            chart=str(chart["chart"]) if chart and not container else "",
            image=str(container["repository"]) if container else "",
            version=version,
        )
        place = stack_place(cluster, "versions", name) if name in cluster.stack.versions else named
        subjects.append(Subject(cluster.name, f"{name} {version}", known, place))
    return subjects
