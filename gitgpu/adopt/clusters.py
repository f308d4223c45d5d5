"""The Fleet and Cluster documents of the clusters that were read, and which of their keys are inferred."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from gitgpu.access import reach, text_at
from gitgpu.adopt.adoption import Inferred, SpecDocument
from gitgpu.adopt.flux_delivery import git_repository, revision_of
from gitgpu.adopt.node.node_objects import is_of_nodes
from gitgpu.counting import Count, no_count
from gitgpu.inventory.joined import region_of_node_pools
from gitgpu.inventory.observed import Observed, ObservedCluster
from gitgpu.inventory.sources import arm_template, terraform_show, terraform_state
from gitgpu.load.configuration.out_directory import OutDirectory
from gitgpu.load.spec.unfilled import NOT_IN_INPUT
from gitgpu.model.catalog import Catalog
from gitgpu.model.document_names import label
from gitgpu.model.names.annotations import FLUX_PRUNE_ANNOTATION, SYNC_OPTIONS_ANNOTATION
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    GIT_REPOSITORY,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    SCHEDULER_CONFIGURATION,
    group_kind,
)
from gitgpu.model.names.labels import APP_PART_OF_LABEL, MANAGED_BY_LABEL

REPOSITORY = "https://github.com/example/gpu-fleet"
PLAIN, FLEET = "cluster", "fleet"
# Used if the input has no region, because a Cluster needs one. A comment in the document says so.
_REGION = "swedencentral"
# The minor version in an orchestratorVersion such as 1.34.2.
_MINOR = re.compile(r"1\.[0-9]+")
_ELSEWHERE = "its NodePools require zones in "
_NO_VERSION = f"{NOT_IN_INPUT}the Kubernetes version: set the version of the cluster, or pass --kubernetes"
_ANNOTATED = {FLUX_PRUNE_ANNOTATION: "flux", SYNC_OPTIONS_ANNOTATION: "argocd"}


class AzureForm(NamedTuple):
    """A value of `delivery.azure`, the formats of documents that show it, and its name."""

    key: str
    sources: frozenset[str]
    title: str


_FORMS = (
    AzureForm("terraform", frozenset({terraform_show.SOURCE.name, terraform_state.SOURCE.name}), "Terraform"),
    AzureForm("bicep", frozenset({arm_template.SOURCE.name}), "an ARM template, as Bicep makes"),
)


class ClusterOptions(NamedTuple):
    """Options of the command line, which apply if no document has the value; "" if not set.

    `cluster`, `region` and `kubernetes` are about the only cluster, and `repository` is the URL of the fleet.
    Advisories are judged on `today` (ISO). A build of the fleet will write to `out`.
    The others get numbers: of files that are read, and of clusters that are imported and whose nodes are compared.
    """

    cluster: str = ""
    region: str = ""
    kubernetes: str = ""
    repository: str = ""
    on_read: Count = no_count
    on_import: Count = no_count
    on_compare: Count = no_count
    today: str = ""
    out: OutDirectory = OutDirectory()


_NO_OPTIONS = ClusterOptions()


def cluster_document(
    seen: ObservedCluster, options: ClusterOptions, catalog: Catalog
) -> tuple[SpecDocument, list[Inferred]]:
    """The Cluster without its stack, and which of its keys are inferred."""
    name = cluster_name(seen, options)
    version = seen.azure.kubernetes or seen.azure.classes_version or options.kubernetes or _pools_version(seen)
    spec: dict[str, Any] = {
        "region": seen.azure.region or options.region or region_of_node_pools(seen.objects) or _REGION,
        "kubernetesVersion": version.removeprefix("v") if version else assumed_version(catalog),
    }
    if provisioner(seen) != "nap":
        spec["provisioner"] = provisioner(seen)
    if seen.azure.sku == "automatic":
        spec["sku"] = seen.azure.sku
        spec |= {"safeguards": {"excludedNamespaces": [*seen.azure.excluded]}} if seen.azure.excluded else {}
    if resource_id := seen.azure.resource_id or _owner(seen):
        spec["resourceId"] = resource_id
    network = {key: value for key, value in seen.azure.network.items() if key != "subnet"} | _subnet(seen)
    if network:
        spec["network"] = network
    if any(map(_packs_gpus, seen.objects)):
        spec["scheduler"] = {"gpus": "binpack"}
    inferred = [
        Inferred(("Cluster", name), key, reason, reason.startswith((NOT_IN_INPUT, _ELSEWHERE)))
        for key, reason in _inferred(seen, options)
    ]
    return SpecDocument("Cluster", name, spec, labels=seen.azure.labels), inferred


def _packs_gpus(observed: Observed) -> bool:
    """Whether it is gitgpu's profile of the scheduler. One of another author stays with its owner."""
    body = observed.body
    is_profile = group_kind(body) == SCHEDULER_CONFIGURATION
    return is_profile and reach(body, "metadata", "labels", MANAGED_BY_LABEL) == "gitgpu"


def _inferred(seen: ObservedCluster, options: ClusterOptions) -> Iterator[tuple[tuple[str, ...], str]]:
    """The keys of the Cluster that neither a document nor an option sets, each with the evidence."""
    name = seen.name or options.cluster
    if not name:
        yield ("metadata", "name"), f"{NOT_IN_INPUT}the name of the cluster: set it, or pass --cluster"
    elif seen.folder:
        yield ("metadata", "name"), f"no document has the name of the cluster; its files are in {seen.folder}"
    elif cluster_name(seen, options) != name:
        yield ("metadata", "name"), f"names in the fleet must be DNS labels: the cluster is named {name}"
    region = region_of_node_pools(seen.objects)
    chosen = seen.azure.region or options.region
    if region and chosen and region != chosen:
        yield ("spec", "region"), f"{_ELSEWHERE}{region}: correct the region, or the zones"
    if not chosen:
        missing = f"{NOT_IN_INPUT}the region: set it, or pass --region"
        reason = "the zones of its NodePools are in this region" if region else missing
        yield ("spec", "region"), reason
    if not (seen.azure.kubernetes or seen.azure.classes_version or options.kubernetes):
        version = _pools_version(seen)
        reason = f"its newest node pool runs {version}, but the cluster may be newer" if version else _NO_VERSION
        yield ("spec", "kubernetesVersion"), reason
    if form := azure_form(seen):
        yield ("spec", "delivery", "azure"), f"its node pools are in {form.title}"


def cluster_name(seen: ObservedCluster, options: ClusterOptions) -> str:
    """The name of the Cluster, as a DNS label: AKS allows other names too, and Argo CD may use the URL of a cluster."""
    name = seen.name or options.cluster or PLAIN
    return label(_host(name) or name) or PLAIN


def distinct_clusters(
    clusters: Iterable[ObservedCluster], options: ClusterOptions = _NO_OPTIONS
) -> tuple[list[ObservedCluster], list[Inferred]]:
    """The clusters with distinct names, and a note for each that got a number because its DNS label was taken."""
    all_clusters = list(clusters)
    names = [cluster_name(seen, options) for seen in all_clusters]
    # A cluster whose own name is a DNS label keeps it, wherever it is in the list.
    taken = {seen.name for seen in all_clusters}
    distinct, notes = [], []
    for seen, name in zip(all_clusters, names, strict=True):
        if name == seen.name or name not in taken:
            taken.add(name)
            distinct.append(seen)
            continue
        free = _free_name(name, taken)
        reason = f"the cluster is named {seen.name}, but another cluster has the name {name}"
        notes.append(Inferred(("Cluster", free), ("metadata", "name"), reason))
        taken.add(free)
        distinct.append(seen._replace(name=free))
    return distinct, notes


def _free_name(name: str, taken: Container[str]) -> str:
    """The name with the lowest number, from 2, that is not taken."""
    numbered = (f"{name}-{number}" for number in count(2))
    return next(new for new in numbered if new not in taken)


def _host(name: str) -> str:
    """The host of a URL; "" if the name is not a URL."""
    return name.partition("://")[2].partition("/")[0].partition(":")[0]


def fleet_document(
    clusters: Iterable[ObservedCluster], options: ClusterOptions = _NO_OPTIONS
) -> tuple[SpecDocument, list[Inferred]]:
    """The Fleet without defaults, and its inferred keys."""
    seen = tuple(clusters)
    objects: list[Mapping[str, Any]] = []
    for cluster in seen:
        objects += [observed.body for observed in cluster.objects]
    # gitgpu labels the objects of a fleet with its name.
    names = {reach(body, "metadata", "labels", APP_PART_OF_LABEL) for body in objects if is_of_nodes(body)} - {None, ""}
    name = names.pop() if len(names) == 1 else FLEET
    repository = options.repository or _repository(objects)
    inferred = []
    if not repository:
        reason = f"{NOT_IN_INPUT}the repository of the fleet: set its URL, or pass --repository"
        inferred.append(Inferred(("Fleet", name), ("spec", "delivery", "repository"), reason, missing=True))
    source = git_repository(objects, repository)
    given = {"revision": revision_of(source), "secret": text_at(source, "secretRef", "name")}
    # A cluster with another engine says so itself: which is the first must not matter.
    delivery = {"engine": "flux", "repository": repository or REPOSITORY}
    spec = {"delivery": delivery | {key: value for key, value in given.items() if value}}
    return SpecDocument("Fleet", name, spec), inferred


def engine_of(cluster: ObservedCluster) -> str:
    """The engine that delivers the pools of a cluster: flux, argocd, or "" if unknown."""
    return _named_engine([observed.body for observed in cluster.objects]) or next(
        (observed.owner.tool for observed in cluster.objects if observed.owner.tool in ("flux", "argocd")), ""
    )


def with_delivery(document: SpecDocument, seen: ObservedCluster, fleet: SpecDocument) -> SpecDocument:
    """The Cluster with its own delivery engine, if that differs from the engine of the Fleet, and form for Azure."""
    engine, form = engine_of(seen), azure_form(seen)
    delivery = {"engine": engine} if engine not in ("", fleet.spec["delivery"]["engine"]) else {}
    delivery |= {"azure": form.key} if form else {}
    return document._replace(spec={**document.spec, "delivery": delivery}) if delivery else document


def azure_form(seen: ObservedCluster) -> AzureForm | None:
    """The form in which a team has the node pools of a cluster; None if it is another one, or not known."""
    pools = [observed for observed in seen.objects if observed.body.get("kind") == MANAGED_CLUSTERS_AGENT_POOL.kind]
    sources = {observed.source for observed in pools}
    return next((form for form in _FORMS if sources and sources <= form.sources), None)


def provisioner(seen: ObservedCluster) -> str:
    """The provisioner of a cluster, as Azure reports it or else as the kinds of its pools show."""
    kinds = {observed.body.get("kind") for observed in seen.objects if is_of_nodes(observed.body)}
    likely = (
        "cluster-autoscaler" if MANAGED_CLUSTERS_AGENT_POOL.kind in kinds and NODE_POOL.kind not in kinds else "nap"
    )
    return seen.azure.provisioner or likely


def assumed_version(catalog: Catalog) -> str:
    """The version assumed for a cluster if none is known: the newest whose KEDA add-on the catalog knows."""
    # For newer versions the catalog lacks facts, and rules would report findings about a version that is only assumed.
    rows = catalog.rows("kubernetes")
    versions = [name for name, row in rows.items() if row["aks"]["status"] == "ga" and row["keda"]]
    return max(versions, key=lambda name: [int(part) for part in name.split(".")])


def _pools_version(seen: ObservedCluster) -> str:
    """The newest minor version of the AKS node pools, which are never newer than their cluster; "" for none."""
    versions = (str(reach(observed.body, "spec", "orchestratorVersion") or "") for observed in seen.objects)
    minors = [match[0] for match in map(_MINOR.match, versions) if match]
    return max(minors, key=lambda version: int(version.partition(".")[2]), default="")


def _named_engine(objects: Iterable[Mapping[str, Any]]) -> str:
    for body in objects:
        notes = reach(body, "metadata", "annotations") if is_of_nodes(body) else None
        for key, engine in _ANNOTATED.items():
            if isinstance(notes, Mapping) and key in notes:
                return engine
    return ""


def _repository(objects: Iterable[Mapping[str, Any]]) -> str:
    for body in objects:
        if body.get("kind") == GIT_REPOSITORY.kind:
            url = str(reach(body, "spec", "url") or "")
            if url.startswith(("https://", "ssh://")):
                return url
    return ""


def _owner(seen: ObservedCluster) -> str | None:
    owners = (reach(observed.body, "spec", "owner", "armId") for observed in seen.objects if is_of_nodes(observed.body))
    return next((str(owner) for owner in owners if owner), None)


def _subnet(seen: ObservedCluster) -> dict[str, str]:
    """The subnet that all node classes and node pools share; {} if they differ, because then each pool sets its own."""
    subnets = set()
    for body in (observed.body for observed in seen.objects):
        if is_of_nodes(body) and body["kind"] in (AKS_NODE_CLASS.kind, MANAGED_CLUSTERS_AGENT_POOL.kind):
            subnets.add(
                str(reach(body, "spec", "vnetSubnetID") or reach(body, "spec", "vnetSubnetReference", "armId") or "")
            )
    common = subnets.pop() if len(subnets) == 1 else ""
    return {"subnet": common} if common else {}
