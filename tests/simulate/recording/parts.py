"""Randomly generated parts of cases: NodePools, AKSNodeClasses, DaemonSets, pods."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

Body = dict[str, Any]
AZURE, AKS, CORE = "karpenter.azure.com", "kubernetes.azure.com", "karpenter.sh"
HARD = "requiredDuringSchedulingIgnoredDuringExecution"
GPU, AMD = "nvidia.com/gpu", "amd.com/gpu"
NAME, TYPE, ZONE = f"{AZURE}/sku-name", "node.kubernetes.io/instance-type", "topology.kubernetes.io/zone"
CAPACITY, SCOPE, HOST = f"{CORE}/capacity-type", f"{AZURE}/placement-scope", "kubernetes.io/hostname"
T4 = ("Standard_NC4as_T4_v3", "Standard_NC8as_T4_v3", "Standard_NC16as_T4_v3", "Standard_NC64as_T4_v3")
A100 = ("Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4", "Standard_NC96ads_A100_v4")
A10 = ("Standard_NV6ads_A10_v5", "Standard_NV12ads_A10_v5", "Standard_NV36ads_A10_v5", "Standard_NV72ads_A10_v5")
H100 = ("Standard_NC40ads_H100_v5", "Standard_NC80adis_H100_v5", "Standard_ND96isr_H100_v5")
MI300X = ("Standard_ND96isr_MI300X_v5",)
FAMILIES = (T4, A100, A10, H100)
SKU = {"key": "sku", "value": "gpu", "effect": "NoSchedule"}
TAINTS = (
    SKU,
    {"key": GPU, "effect": "NoSchedule"},
    {"key": "team", "value": "a", "effect": "NoExecute"},
    {"key": "soft", "value": "x", "effect": "PreferNoSchedule"},
)
APPS = ("red", "blue")


class Draw(NamedTuple):
    """The random generator, the region, and the sizes that no pool may use."""

    random: Random
    region: str
    zones: tuple[str, ...]
    without: tuple[str, ...]

    def odds(self, percent: int) -> bool:
        """True with this probability."""
        return self.random.randrange(100) < percent

    def some(self, values: Sequence[Any], least: int = 1) -> list[Any]:
        """A random subset of the values, in their order."""
        count = self.random.randint(min(least, len(values)), len(values))
        return sorted(self.random.sample(values, count), key=values.index)

    def pick(self, *values: Any) -> Any:
        """A random value."""
        return self.random.choice(values)


def wants(key: str, operator: str, *values: str, least: int | None = None) -> Body:
    """A requirement."""
    requirement: Body = {"key": key, "operator": operator} | ({"values": list(values)} if values else {})
    return requirement | ({"minValues": least} if least else {})


def sizes(draw: Draw) -> tuple[str, ...]:
    """Sizes of one or two families of GPUs."""
    first, second = draw.random.sample(FAMILIES, 2)
    return tuple(draw.some(first)) + (tuple(draw.some(second)) if draw.odds(40) else ())


def pool(draw: Draw, name: str, *more: Body, **spec: Any) -> Body:
    """A NodePool. `taints` and `labels` are set in its template, the rest of `spec` next to the template."""
    taints, startup = spec.pop("taints", None), spec.pop("startupTaints", None)
    labels, owner = spec.pop("labels", None), spec.pop("owner", "gpu")
    keys = {requirement["key"] for requirement in more}
    named = [] if NAME in keys or TYPE in keys else [wants(NAME, "In", *sizes(draw))]
    paid = [] if CAPACITY in keys else [wants(CAPACITY, "In", *draw.some(("spot", "on-demand")))]
    without = [wants(TYPE, "NotIn", *draw.without)] if draw.without else []
    inside: Body = {
        "nodeClassRef": {"group": AZURE, "kind": "AKSNodeClass", "name": owner},
        "requirements": [*named, *paid, *more, *without],
        **({"taints": taints} if taints else {}),
        **({"startupTaints": startup} if startup else {}),
    }
    template: Body = {"metadata": {"labels": labels}, "spec": inside} if labels else {"spec": inside}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {**spec, "template": template},
    }


def pools(draw: Draw, most: int = 3, **spec: Any) -> list[Body]:
    """One or more plain NodePools, in order of name. Either all have distinct weights, or none has a weight."""
    count = draw.random.randint(1, most)
    weights = draw.random.sample(range(1, 100), count) if draw.odds(50) else []
    return [
        pool(draw, name, **{**spec, **({"weight": weights[at]} if weights else {})})
        for at, name in enumerate(("alpha", "beta", "gamma", "delta")[:count])
    ]


def node_class(draw: Draw, name: str = "gpu", **spec: Any) -> Body:
    """An AKSNodeClass."""
    some = {"osDiskSizeGB": draw.pick(64, 256)} if draw.odds(20) else {}
    more = {"maxPods": draw.pick(10, 30)} if draw.odds(20) else {}
    given = {"imageFamily": draw.pick("Ubuntu", "Ubuntu2204"), **some, **more, **spec}
    return {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": name},
        "spec": given,
    }


def container(draw: Draw, gpus: int | None = None, ports: Sequence[Body] = (), name: str = GPU) -> Body:
    """A container that requests random cpu, memory and GPUs."""
    count = draw.pick(1, 1, 1, 2, 4) if gpus is None else gpus
    requests = {"cpu": draw.pick("500m", "1", "2", "3500m", "6"), "memory": draw.pick("1Gi", "4Gi", "12Gi", "40Gi")}
    limits = {"limits": {name: str(count)}} if count else {}
    listed = {"ports": list(ports)} if ports else {}
    return {"name": "main", "image": "x", "resources": {"requests": requests, **limits}, **listed}


def pod(draw: Draw, name: str, app: str = "", **spec: Any) -> Body:
    """A pod that tolerates the taint `sku`, with the container `main` if it is given."""
    main = spec.pop("main", None) or container(draw)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": app or draw.pick(*APPS)}},
        "spec": {"containers": [main], "tolerations": [{"key": "sku", "operator": "Exists"}], **spec},
    }


def replicas(draw: Draw, app: str, count: int, **spec: Any) -> list[Body]:
    """The pods of a Deployment."""
    main = spec.pop("main", None) or container(draw)
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": app, "uid": app, "controller": True}
    pods = [pod(draw, f"{app}-{at}", app, main=main, **spec) for at in range(count)]
    for body in pods:
        body["metadata"]["ownerReferences"] = [owner]
    return pods


def daemons(draw: Draw, name: str, **spec: Any) -> Body:
    """A DaemonSet that, by default, requests no GPU and tolerates everything."""
    asked = {"cpu": draw.pick("100m", "500m", "1"), "memory": draw.pick("128Mi", "1Gi", "3Gi")}
    main = {"name": "main", "image": "x", "resources": {"requests": asked}} | spec.pop("main", {})
    inside = {"containers": [main], "tolerations": [{"operator": "Exists"}], **spec}
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": inside}},
    }


def required(*terms: Sequence[Body]) -> Body:
    """A required node affinity with these terms."""
    listed = {"nodeSelectorTerms": [{"matchExpressions": list(term)} for term in terms]}
    return {"nodeAffinity": {HARD: listed}}


def spread(draw: Draw, key: str, app: str, how: str = "DoNotSchedule", **more: Any) -> Body:
    """A topology spread constraint over the pods of an app."""
    constraint = {"maxSkew": draw.pick(1, 1, 2), "topologyKey": key, "whenUnsatisfiable": how}
    return {**constraint, "labelSelector": {"matchLabels": {"app": app}}, **more}


def term(key: str, app: str) -> Body:
    """A term of pod affinity or anti-affinity."""
    return {"topologyKey": key, "labelSelector": {"matchLabels": {"app": app}}}
