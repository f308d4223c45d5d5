"""Clusters for tests of adoption, from the objects of a fleet or from text."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from gitgpu.adopt.adoption import GpuNodes, SpecDocument
from gitgpu.emit import emit, emitters
from gitgpu.emit.manifest import Role
from gitgpu.emit.node.agent_pool import node_pool_manifests
from gitgpu.inventory.observed import Azure, Observed, ObservedCluster
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.plan.cluster_plan import plan
from gitgpu.source import SourceMap, Span

EMITTERS = emitters()
NODES = ("NodePool", "ManagedClustersAgentPool")


def observed(body: Mapping[str, Any], line: int = 1) -> Observed:
    """An object as printed by kubectl."""
    meta = body.get("metadata") or {}
    name = f"{body['kind']} {meta.get('name') or body.get('chart')}"
    return Observed(body, SourceMap.of(Span("cluster.yaml", line, 1)), name, "kubernetes")


def of_text(text: str, name: str = "", **azure: Any) -> ObservedCluster:
    """A cluster with the objects in a text."""
    bodies = [body for body in yaml.load_all(text, yaml.CSafeLoader) if body]
    return ObservedCluster(name, Azure(**azure), tuple(observed(body, at) for at, body in enumerate(bodies, start=1)))


def built(inputs: Inputs, cluster: Cluster) -> ObservedCluster:
    """A cluster to which everything that gitgpu emits for it has been applied, by an engine and by commands.

    The facts from Azure are the enabled add-ons, as in `az aks show`.
    """
    planned = plan(inputs, cluster)
    applied = [
        manifest
        for manifest in emit(planned, EMITTERS)
        if manifest.role is Role.RESOURCE and not manifest.layer.by_hand
    ]
    bodies = [manifest.body for manifest in (*applied, *node_pool_manifests(planned, beyond=True))]
    observations = tuple(observed(body, at) for at, body in enumerate(bodies, start=1))
    stack = cluster.stack
    logs = stack.metrics.insights != "none"
    addons = {"keda": stack.keda == "addon", "kaito": stack.kaito == "addon", "logs": logs}
    azure = Azure(kubernetes=cluster.kubernetes, region=cluster.region, addons=addons)
    return ObservedCluster(cluster.name, azure, observations)


def adopted(cluster: ObservedCluster) -> list[GpuNodes]:
    """The adopted pools of GPU nodes."""
    pools = [each for each in cluster.objects if each.body["kind"] in NODES]
    return [GpuNodes(each.body["metadata"]["name"], each, _class(each, cluster.objects), ()) for each in pools]


def _class(pool: Observed, objects: Iterable[Observed]) -> Observed | None:
    if pool.body["kind"] != "NodePool":
        return None
    wanted = pool.body["spec"]["template"]["spec"]["nodeClassRef"]["name"]
    classes = (each for each in objects if each.body["kind"] == "AKSNodeClass")
    return next((each for each in classes if each.body["metadata"]["name"] == wanted), None)


def emitted(inputs: Inputs, cluster: Cluster) -> list[Mapping[str, Any]]:
    """The bodies of everything that an engine or a command applies."""
    return [each.body for each in built(inputs, cluster).objects]


def applied_patches(inputs: Inputs, cluster: Cluster) -> list[dict[str, Any]]:
    """The target workloads of a cluster's patches, with the patches applied."""
    bodies = []
    for manifest in emit(plan(inputs, cluster), EMITTERS):
        if manifest.role is Role.PATCH and "." in manifest.folder:
            body = json.loads(json.dumps(manifest.body))
            body["metadata"]["namespace"] = manifest.folder.partition(".")[0]
            template = body["spec"]["template"]
            labels = {"app": body["metadata"]["name"]}
            body["spec"]["selector"] = {"matchLabels": labels}
            body["spec"] |= {"serviceName": "work"} if body["kind"] == "StatefulSet" else {}
            template["metadata"] = {"labels": labels}
            for container in template["spec"]["containers"]:
                container["image"] = "contoso.azurecr.io/work:1.0"
            bodies.append(body)
    return bodies


def spec_documents(documents: Iterable[Mapping[str, Any]], *kinds: str) -> list[SpecDocument]:
    """Fleet documents in the form that adoption uses."""
    wanted = [each for each in documents if each["kind"] in kinds]
    return [
        SpecDocument(each["kind"], each["metadata"]["name"], each["spec"], each["metadata"].get("namespace", ""))
        for each in wanted
    ]
