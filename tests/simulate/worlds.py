"""Realistic small clusters for the simulator: NodePools, AKSNodeClasses, workloads."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

import yaml

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.simulate import Assumptions, of_manifests
from gitgpu.simulate.forecast import Forecast, Verdict

Body = dict[str, Any]
A100, A100X2, A100X4 = "Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4", "Standard_NC96ads_A100_v4"
T4, T4X4, H100X8 = "Standard_NC16as_T4_v3", "Standard_NC64as_T4_v3", "Standard_ND96isr_H100_v5"
NAME, COUNT = "karpenter.azure.com/sku-name", "karpenter.azure.com/sku-gpu-count"
ZONE, POOL = "topology.kubernetes.io/zone", "karpenter.sh/nodepool"
GPU = "nvidia.com/gpu"
TAINT = {"key": "sku", "value": "gpu", "effect": "NoSchedule"}
TOLERATION = {"key": "sku", "operator": "Exists"}
CLASS = {
    "apiVersion": "karpenter.azure.com/v1beta1",
    "kind": "AKSNodeClass",
    "metadata": {"name": "gpu"},
    "spec": {"imageFamily": "Ubuntu2204"},
}


def wants(key: str, operator: str, *values: str, least: int | None = None) -> Body:
    """A requirement."""
    requirement: Body = {"key": key, "operator": operator} | ({"values": list(values)} if values else {})
    return requirement | ({"minValues": least} if least else {})


def pool(name: str, *sizes: str, labels: Mapping[str, str] = {}, more: tuple[Body, ...] = (), **spec: Any) -> Body:
    """An on-demand NodePool with a taint. `more` are requirements; `spec` can replace taints and add fields."""
    requirements = [wants("karpenter.sh/capacity-type", "In", "on-demand"), *more]
    requirements += [wants(NAME, "In", *sizes)] if sizes else []
    keys = {requirement["key"]: requirement for requirement in requirements}  # arguments replace defaults
    taints = spec.pop("taints", [TAINT])
    template: Body = {
        "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": spec.pop("owner", "gpu")},
        "requirements": list(keys.values()),
        **({"taints": taints} if taints else {}),
        **{key: spec.pop(key) for key in ("startupTaints",) if key in spec},
    }
    inside = {"metadata": {"labels": dict(labels)}, "spec": template} if labels else {"spec": template}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {**spec, "template": inside},
    }


def pod_spec(gpus: int = 1, requests: Mapping[str, str] = {}, limits: Mapping[str, str] = {}, **spec: Any) -> Body:
    """The spec of a pod that tolerates the taint of `pool`."""
    asked = {**({GPU: str(gpus)} if gpus else {}), **limits}
    main = {
        "name": "main",
        "image": "x",
        "resources": {"requests": dict(requests), "limits": asked},
        **spec.pop("main", {}),
    }
    return {"tolerations": [TOLERATION], "containers": [main], **spec}


def deployment(name: str, replicas: int = 1, **spec: Any) -> Body:
    """A Deployment of such pods."""
    labels = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": pod_spec(**spec)}
    body = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "a"}, "spec": body}


def daemon(name: str, requests: Mapping[str, str], **spec: Any) -> Body:
    """A DaemonSet without a GPU."""
    body = deployment(name, gpus=0, requests=requests, **spec)
    del body["spec"]["replicas"]
    return {**body, "kind": "DaemonSet"}


@cache
def catalog() -> Catalog:
    """The catalog of this release."""
    return Catalog(CatalogFiles(()))


def forecasts(*bodies: Body, region: str = "eastus", **asked: Any) -> list[Forecast]:
    """The forecasts for these objects, one for each cluster."""
    text = yaml.dump_all(bodies, Dumper=yaml.CSafeDumper, sort_keys=False)
    pools, beside = read_manifests([Text("all.yaml", text, "all.yaml")]), read_manifests([])
    given = Assumptions(asked.get("spot", {}), asked.get("overhead", {}), region, "1.36", asked.get("crds", ()))
    given = given._replace(versions=asked.get("versions", ()))
    return list(of_manifests(pools, beside, asked.get("catalog") or catalog(), given))


def forecast(*bodies: Body, **asked: Any) -> Forecast:
    """The forecast for these objects as one cluster."""
    (result,) = forecasts(*bodies, **asked)
    return result


def verdicts(*bodies: Body, **asked: Any) -> dict[str, Verdict]:
    """The verdicts by name of workload. A node class is added."""
    return {verdict.name: verdict for verdict in forecast(CLASS, *bodies, **asked).verdicts}


def only(*bodies: Body, **asked: Any) -> Verdict:
    """The only verdict."""
    (result,) = verdicts(*bodies, **asked).values()
    return result


def nodes(*bodies: Body, **asked: Any) -> list[str]:
    """The sizes of all nodes at maximum replicas, in order."""
    return sorted(node.sku for node in forecast(CLASS, *bodies, **asked).high)


def gib(amount: str) -> Decimal:
    """GiB in bytes."""
    return Decimal(amount) * 2**30
