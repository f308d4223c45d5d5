"""What advisories can apply to in objects: nodes, AKS node pools, releases of charts, and images of containers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from typing import NamedTuple

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.model.names.kinds import NODE
from gitgpu.model.names.labels import (
    CHART_LABEL,
    DEPLOY_DRIVER_LABEL,
    INSTANCE_TYPE_LABEL,
    NODE_IMAGE_LABEL,
    NODEPOOL_LABEL,
)
from gitgpu.model.sku import Sku
from gitgpu.model.software.advisories import (
    NO_KARPENTER,
    Advisory,
    Combination,
    Match,
    Verdict,
    advisories,
    exact_version,
    match,
    node_image_parts,
)
from gitgpu.model.syntax.reference import reference
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools, kubernetes_of
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.source import Pointer

_CHART = re.compile(r"(?P<chart>.+?)-(?P<version>v?\d+\.\d+.*)")  # the name may contain dashes
_CONTAINERD = "containerd://"
_KARPENTER = ("karpenter", "karpenter/controller")  # its chart, and the end of the name of its image
_GRID = "grid"  # how the names of drivers for vGPU start: only that of Azure has a licence


class Subject(NamedTuple):
    """What an advisory can apply to: an object, the place in it that says so, a text for it, and what is known."""

    item: Item
    pointer: Pointer
    title: str
    combination: Combination


class Advised(NamedTuple):
    """An advisory that applies to a subject, or may, and to how many others like it."""

    advisory: Advisory
    subject: Subject
    match: Match
    others: int = 0


def applicable_advisories(objects: Objects) -> Iterator[Advised]:
    """The advisories that apply to these objects, or may, each once for all subjects that are alike."""
    nodes = node_subjects(objects)
    concerned = _all(objects) if nodes or _by_name(objects) else ()
    for advisory in concerned:
        alike: dict[str, Advised] = {}
        for subject in _subjects(advisory, nodes, objects):
            found = match(advisory, subject.combination, objects.today)
            if found.verdict is Verdict.NO:
                continue
            first = alike.get(subject.title)
            alike[subject.title] = (
                first._replace(others=first.others + 1) if first else Advised(advisory, subject, found)
            )
        yield from alike.values()


def node_subjects(objects: Objects) -> list[Subject]:
    """Every Node, and the nodes of each size of every AKS node pool."""
    return [*(node_subject(node, objects) for node in objects.of(*NODE)), *_pools(objects)]


def node_subject(node: Item, objects: Objects) -> Subject:
    """A Node: its size, node image, versions, and whether AKS installs its driver, as far as it says so."""
    labels = mapping_at(node.body, "metadata", "labels")
    size, image = str(labels.get(INSTANCE_TYPE_LABEL) or ""), str(labels.get(NODE_IMAGE_LABEL) or "")
    sku = objects.catalog.sku(size)
    system, version = node_image_parts(image)
    runtime = text_at(node.body, "status", "nodeInfo", "containerRuntimeVersion")
    kubelet = text_at(node.body, "status", "nodeInfo", "kubeletVersion")
    combination = Combination(
        sku=sku,
        system=system,
        driver=_driver(str(labels.get(DEPLOY_DRIVER_LABEL) or ""), sku),
        node_image=version,
        kubernetes=kubelet or None,
        containerd=exact_version(runtime.removeprefix(_CONTAINERD)) if runtime.startswith(_CONTAINERD) else None,
        karpenter=_karpenter(objects) if NODEPOOL_LABEL in labels else NO_KARPENTER,
    )
    return Subject(node, ("metadata", "labels", NODE_IMAGE_LABEL), _title(size, image), combination)


def _driver(deployed: str, sku: Sku | None) -> str | None:
    """What installs the driver of a node. The GPU Operator labels the nodes that get its own; it has none for vGPU."""
    if deployed == "true":
        return "operator"
    if deployed == "pre-installed" or (sku and sku.driver and sku.driver.startswith(_GRID)):
        return "aks"
    return None


def _title(size: str, image: str) -> str:
    return f"{size} with node image {image}" if image else size


def _pools(objects: Objects) -> Iterator[Subject]:
    for pool in agent_pools(objects):
        image = image_of(pool)
        system, version = node_image_parts(image)
        for sized in pool.by_size():
            size = str(sized.pool.spec.get("vmSize") or "")
            combination = Combination(
                sku=objects.catalog.sku(size),
                system=system or ("Windows" if pool.os_type == "Windows" else _system(pool.os_sku)),
                driver="aks" if pool.installs_driver or pool.manages_gpus else "none",
                node_image=version,
                kubernetes=kubernetes_of(pool, objects) or None,
                karpenter=NO_KARPENTER,
            )
            yield Subject(pool.item, sized.size_at, _title(size, image), combination)


def image_of(pool: AgentPool) -> str:
    """The node image that Azure reports for a pool; "" if the object has no status."""
    status = mapping_at(pool.item.body, "status")
    profiles = (profile for profile in list_at(status, "agentPoolProfiles") if text_at(profile, "name") == pool.name)
    return text_at(next(profiles, status), "nodeImageVersion")


def _system(os_sku: str) -> str | None:
    return next((system for system in ("AzureLinux", "Ubuntu") if os_sku.startswith(system)), None)


def _subjects(advisory: Advisory, nodes: list[Subject], objects: Objects) -> Iterator[Subject]:
    if not advisory.of_software:
        yield from nodes
        return
    parts = [part for name in advisory.software for part in _by_name(objects).get(name, ())]
    if not advisory.of_nodes:
        yield from parts
        return
    for part, node in product(parts, nodes):
        combination = part.combination
        known = node.combination._replace(chart=combination.chart, image=combination.image, version=combination.version)
        yield part._replace(title=f"{part.title} with {node.title}", combination=known)


def _all(objects: Objects) -> Sequence[Advisory]:
    return objects.once_per_run("advisories", lambda: tuple(advisories(objects.catalog)))


def _names(objects: Objects) -> frozenset[str]:
    """The names of charts and images that advisories are about."""
    named = (advisory.software for advisory in _all(objects))
    return objects.once_per_run("advised names", lambda: frozenset((*chain.from_iterable(named), *_KARPENTER)))


def _by_name(objects: Objects) -> Mapping[str, list[Subject]]:
    """The charts and images that run, by the names that advisories use for them."""
    return objects.once("advised software", lambda: _sorted_software(objects))


def _sorted_software(objects: Objects) -> Mapping[str, list[Subject]]:
    names = _names(objects)
    ends = tuple(f"/{name}" for name in names)
    by_name: dict[str, list[Subject]] = {}
    for release in releases(objects):
        if release.chart in names:
            known = _chart_combination(release.chart, release.version, objects)
            title = f"{release.chart} {release.version}".rstrip()
            by_name.setdefault(release.chart, []).append(Subject(release.item, release.version_at, title, known))
    released = frozenset(by_name)
    for pod in pods(objects):
        named = _CHART.fullmatch(text_at(pod.item.body, "metadata", "labels", CHART_LABEL))
        if named and named["chart"] in names - released:
            by_name.setdefault(named["chart"], []).append(_labelled_subject(pod.item, objects, *named.groups()))
        for place, container in pod.containers():
            image = reference(text_at(container, "image"))
            whole = f"/{image.repository}"
            named_so = [name for name in names if whole.endswith(f"/{name}")] if whole.endswith(ends) else []
            for name in named_so:
                version = exact_version(image.tag)
                known = Combination(chart="", image=image.repository, version=version, kubernetes=_minor(objects))
                by_name.setdefault(name, []).append(Subject(pod.item, (*place, "image"), image.text, known))
    return by_name


def _chart_combination(chart: str, version: str, objects: Objects) -> Combination:
    return Combination(chart=chart, image="", version=exact_version(version), kubernetes=_minor(objects))


def _minor(objects: Objects) -> str | None:
    return objects.kubernetes or None


def _labelled_subject(item: Item, objects: Objects, chart: str, version: str) -> Subject:
    """A workload whose label names its chart and its version."""
    known = _chart_combination(chart, version, objects)
    return Subject(item, ("metadata", "labels", CHART_LABEL), f"{chart} {version}", known)


def _karpenter(objects: Objects) -> str | None:
    """The version of the Karpenter that the objects run; None if AKS runs it, or none of them does."""
    found = (subject for name in _KARPENTER for subject in _by_name(objects).get(name, ()))
    return next((subject.combination.version for subject in found), None)
