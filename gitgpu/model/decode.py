"""Valid, normalised documents to frozen values. Each kind has one function, and each key is read once."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gitgpu.load.configuration.out_directory import DEFAULT_OUT
from gitgpu.load.spec.shape import Document
from gitgpu.model.fleet import FIXED, Cluster, Model, Pool, Workload
from gitgpu.model.mig import Mig
from gitgpu.model.sku import Sku
from gitgpu.model.spec.delivery import Delivery
from gitgpu.model.spec.fleet import Fleet
from gitgpu.model.spec.limits import limits, nodes
from gitgpu.model.spec.metadata import metadata
from gitgpu.model.spec.origin import Origin, SpecObject
from gitgpu.model.spec.pool_objects import pool_objects
from gitgpu.model.spec.quota import quota
from gitgpu.model.spec.registry import registry
from gitgpu.model.spec.scaling import scaling
from gitgpu.model.spec.sharing import Sharing
from gitgpu.model.spec.stack import stack
from gitgpu.model.spec.taint import taints
from gitgpu.model.spec.team import Team, quotas
from gitgpu.source import Span

Spec = Mapping[str, Any]
TASKS = ("inference", "tuning", "rag")
SILENT = {  # fields that are None if the spec does not set them, with their keys in the spec
    "node_pool_name": "nodePoolName",
    "reservation": "capacityReservationGroup",
    "placement": "placement",
    "weight": "weight",
    "driver": "driver",
    "driver_type": "driverType",
    "branch": "driverBranch",
    "max_pods": "maxPods",
    "rdma": "rdma",
}
SETTINGS = ("linuxOSConfig", "localDNS", "security")
NAMESPACES = {"flux": "flux-system", "argocd": "argocd"}  # where `flux bootstrap` and the Argo CD guide install them


def origin(document: Document) -> Origin:
    """Where a document's values come from."""
    _, line, column = document.places.span()
    mark = SpecObject(Span(document.label, line, column), document.ref)
    return Origin(document.places, mark, document.overlays)


def fleet(document: Document) -> Fleet:
    """A Fleet, without its delivery and defaults, which are merged into clusters and pools."""
    rings = tuple(ring["name"] for ring in document.data["spec"].get("rings", ()))
    return Fleet(document.data["metadata"]["name"], origin(document), rings)


def cluster(document: Document, spec: Spec) -> Cluster:
    """A Cluster from its normalised spec, with delivery, registry and stack merged."""
    meta = document.data["metadata"]
    decoded = Cluster(
        name=meta["name"],
        labels=meta.get("labels", {}),
        region=spec["region"],
        kubernetes=spec["kubernetesVersion"],
        provisioner=spec["provisioner"],
        resource_id=spec.get("resourceId"),
        karpenter=spec.get("karpenter"),
        quota=tuple(map(quota, spec.get("quota", ()))),
        network=spec["network"],
        delivery=_delivery(spec["delivery"]),
        stack=stack(spec["stack"]),
        origin=origin(document),
        registry=registry(spec.get("registry", {})),
        binpack=spec["scheduler"]["gpus"] == "binpack",
        sku=spec["sku"],
        excluded=tuple(spec.get("safeguards", {}).get("excludedNamespaces", ())),
    )
    metrics = decoded.stack.metrics
    if not metrics.server:
        return decoded
    server = metrics.server.replace("{cluster}", decoded.aks_name)
    return decoded._replace(stack=decoded.stack._replace(metrics=metrics._replace(server=server)))


def _delivery(spec: Spec) -> Delivery:
    return Delivery(
        engine=spec["engine"],
        repository=spec["repository"],
        revision=spec["revision"],
        path=spec.get("path", DEFAULT_OUT),
        namespace=spec.get("namespace", NAMESPACES[spec["engine"]]),
        interval=spec["interval"],
        secret=spec.get("secret"),
        destination=spec.get("destination"),
        namespaces=spec["namespaces"],
        azure=spec.get("azure"),
    )


def pool(document: Document, spec: Spec, clusters: Sequence[str], skus: Sequence[Sku]) -> Pool:
    """A GpuPool from its normalised spec, with its clusters, sizes and provisioner already found."""
    return Pool(
        name=document.data["metadata"]["name"],
        clusters=tuple(clusters),
        skus=tuple(skus),
        sizes=tuple(spec.get("sku", ())),
        os=spec["os"],
        provisioner=spec["provisioner"],
        capacity=tuple(spec["capacity"]),
        limits=limits(spec, skus),
        nodes=nodes(spec, is_fixed=spec["provisioner"] == FIXED),
        zones=tuple(sorted(spec.get("zones", ()))),
        device_plugin=spec["devicePlugin"],
        retire=spec.get("retire", False),
        image=spec.get("image", {}),
        kubelet=spec.get("kubelet", {}),
        disruption=spec["disruption"],
        taints=taints(spec["taints"]),
        startup_taints=taints(spec.get("startupTaints", ())),
        labels={key: value for key, value in spec.get("labels", {}).items() if value is not None},
        tags=spec.get("tags", {}),
        sharing=_sharing(spec.get("partition", {})),
        mig=_mig(spec.get("partition", {}).get("mig")),
        **_silent(spec),
        origin=origin(document),
        **_objects(spec, document.data["metadata"]["name"]),
        metadata=metadata(document.data["metadata"]),
    )


def _objects(spec: Spec, name: str) -> dict[str, Any]:
    """What the spec says about the AKSNodeClass and the NodePool of a pool beyond its nodes."""
    return {
        "settings": {key: spec[key] for key in SETTINGS if key in spec},
        "node_class": spec.get("nodeClass", {"name": name})["name"],
        "operator_opt_out": spec.get("operatorOptOut", True),
        "objects": pool_objects(spec),
        "node_requirements": tuple(spec.get("nodeRequirements", ())),
    }


def _silent(spec: Spec) -> Spec:
    return {key: spec.get(word) for key, word in SILENT.items()}


def _sharing(partition: Spec) -> Sharing:
    return next((Sharing(way, settings["replicas"]) for way, settings in partition.items() if way != "mig"), Sharing())


def _mig(spec: Spec | None) -> Mig | None:
    if spec is None:
        return None
    profiles = spec["profiles"]
    return Mig(spec["strategy"], tuple(profiles) if isinstance(profiles, list) else (profiles,))


def model(document: Document, spec: Spec) -> Model:
    """A GpuWorkload that KAITO runs, from its normalised spec."""
    meta, task = document.data["metadata"], next(task for task in TASKS if task in spec)
    decoded = Model(meta["name"], meta["namespace"], tuple(spec["pools"]), task, spec[task], origin(document))
    return decoded._replace(metadata=metadata(meta), team=spec.get("team"), priority=spec.get("priority"))


def workload(document: Document, spec: Spec) -> Workload:
    """A GpuWorkload from its normalised spec."""
    target, meta = spec["target"], document.data["metadata"]
    return Workload(
        name=meta["name"],
        namespace=meta["namespace"],
        pools=tuple(spec["pools"]),
        target_kind=target["kind"],
        target_name=target["name"],
        container=target.get("container", ""),
        job=spec.get("job"),
        gpus=spec["gpus"],
        rdma=spec.get("rdma", 0),
        mig=spec.get("mig"),
        compute_domain=spec.get("computeDomain", False),
        cuda=spec.get("cuda"),
        scaling=scaling(spec["scaling"], jobs="job" in spec) if "scaling" in spec else None,
        origin=origin(document),
        metadata=metadata(meta),
        team=spec.get("team"),
        priority=spec.get("priority"),
        target_group=target.get("group", ""),
        target_version=target.get("apiVersion", ""),
    )


def team(document: Document, spec: Spec, clusters: Collection[str]) -> Team:
    """A GpuTeam from its normalised spec, with its clusters already found."""
    meta = document.data["metadata"]
    return Team(
        name=meta["name"],
        namespaces=tuple(spec["namespaces"]),
        clusters=tuple(sorted(clusters)),
        quota=quotas(spec["quota"]),
        priorities=dict(sorted(spec.get("priorities", {}).items())),
        fair_share=spec.get("fairShare"),
        origin=origin(document),
        metadata=metadata(meta),
    )
