"""Shapes of cases in which other objects or rare fields decide.

These are storage, namespaces, RuntimeClasses, removed nodes, scheduling gates, claims of devices, and resources of a
pod as a whole.
"""

from typing import Any

from tests.simulate.recording.company import node, on_node
from tests.simulate.recording.parts import (
    APPS,
    AZURE,
    CAPACITY,
    CORE,
    GPU,
    HARD,
    HOST,
    NAME,
    TYPE,
    ZONE,
    Body,
    Draw,
    container,
    pod,
    pools,
    replicas,
    required,
    spread,
    term,
    wants,
)
from tests.simulate.recording.shapes import PLAIN, cluster, several

DISK = "disk.csi.azure.com"


def volumes(draw: Draw) -> Body:
    """Pods with claims of volumes: bound in a zone, bound in no zone, waiting for a pod, missing, or not usable."""
    named = {zone: f"pv-{at}" for at, zone in enumerate(draw.zones)}
    objects = [
        _storage_class("wait"),
        _storage_class("now", volumeBindingMode="Immediate"),
        _storage_class("zoned", allowedTopologies=[_topology(ZONE, draw.pick(*draw.zones))]),
        _storage_class("either", allowedTopologies=[_topology(ZONE, zone) for zone in draw.some(draw.zones, 2)]),
        _storage_class("disk", allowedTopologies=[_topology(f"topology.{DISK}/zone", *draw.some(draw.zones))]),
        *(_volume(name, wants(f"topology.{DISK}/zone", "In", zone)) for zone, name in named.items()),
        _volume("two", wants(ZONE, "In", *draw.some(draw.zones, 2))),
        _volume("or", *(wants(ZONE, "In", zone) for zone in draw.some(draw.zones, 2))),
        _volume("anywhere"),
        _volume("no-zone", wants(ZONE, "In", "0")),
    ]
    listed = several(draw, 3, 5)
    if draw.odds(50):
        rule = draw.pick(
            {"topologySpreadConstraints": [spread(draw, ZONE, APPS[0])]},
            {"affinity": {"podAntiAffinity": {HARD: [term(draw.pick(ZONE, HOST), APPS[0])]}}},
            {"affinity": {"podAffinity": {HARD: [term(ZONE, APPS[0])]}}},
            {"nodeSelector": {ZONE: draw.pick(*draw.zones)}},
        )
        listed += replicas(draw, APPS[0], draw.random.randint(1, 3), **rule)
    for body in listed:
        names = [f"{body['metadata']['name']}-{number}" for number in range(draw.pick(0, 1, 1, 1, 2))]
        body["spec"]["volumes"] = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in names]
        objects += [_claim(draw, name, [*named.values()]) for name in names]
    return cluster(draw, pools(draw, 2, **PLAIN), listed, others=objects)


def _claim(draw: Draw, name: str, zonal: list[str]) -> Body:
    """A claim."""
    kind = draw.pick(*["bound"] * 4, "wait", "wait", "zoned", "either", "disk", "now", "lost", "half", "none")
    spec: Body = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "10Gi"}}}
    meta: Body = {"name": name, "namespace": "default"}
    phase = "Pending"
    if kind in ("bound", "half", "lost"):
        spec["volumeName"] = draw.pick(*zonal, *zonal, "two", "or", "anywhere", "no-zone")
        phase = {"bound": "Bound", "half": "Pending", "lost": "Lost"}[kind]
        meta |= {} if kind == "half" else {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
        spec["storageClassName"] = draw.pick("wait", "")
    elif kind != "none":
        spec["storageClassName"] = kind
    body = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": meta, "spec": spec}
    return {**body, "status": {"phase": phase}}


def _storage_class(name: str, **fields: Any) -> Body:
    meta: Body = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name}}
    return {**meta, "provisioner": DISK, "volumeBindingMode": "WaitForFirstConsumer", **fields}


def _topology(key: str, *values: str) -> Body:
    return {"matchLabelExpressions": [{"key": key, "values": list(values)}]}


def _volume(name: str, *terms: Body) -> Body:
    listed = [{"matchExpressions": [expression]} for expression in terms]
    affinity = {"nodeAffinity": {"required": {"nodeSelectorTerms": listed}}} if terms else {}
    source = {"csi": {"driver": DISK, "volumeHandle": name}}
    spec = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "10Gi"}, **source, **affinity}
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": spec}


def namespaces(draw: Draw) -> Body:
    """Pods in several namespaces, with rules about pods in other namespaces."""
    names = ("default", "train", "serve", "bare")
    labelled = {"default": {"env": "dev"}, "train": {"env": "prod", "team": "a"}, "serve": {"env": "prod"}, "bare": {}}
    objects = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
        for name, labels in labelled.items()
    ]

    def rule() -> dict[str, Any]:
        about = draw.pick(
            {},
            {"namespaces": draw.some(names)},
            {"namespaceSelector": {}},
            {"namespaceSelector": {"matchLabels": {"env": draw.pick("prod", "dev", "none")}}},
            {"namespaceSelector": {"matchExpressions": [wants("team", "Exists")]}},
            {"namespaceSelector": {"matchLabels": {"env": "prod"}}, "namespaces": [draw.pick(*names)]},
        )
        kind = draw.pick("podAffinity", "podAntiAffinity", "podAntiAffinity")
        chosen: dict[str, Any] = {
            "affinity": {kind: {HARD: [{**term(draw.pick(HOST, ZONE), draw.pick(*APPS)), **about}]}}
        }
        return chosen if draw.odds(65) else {}

    listed = [pod(draw, f"p{at:02}", **rule()) for at in range(draw.random.randint(4, 7))]
    for body in listed:
        body["metadata"]["namespace"] = draw.pick(*names)
    return cluster(draw, pools(draw, 2, **PLAIN), listed, others=objects)


def rare_terms(draw: Draw) -> Body:
    """Keys of labels in affinity, labels that Karpenter reserves, terms with matchFields, and rules by NodePool."""

    def rule() -> dict[str, Any]:
        kind, key = draw.pick("podAffinity", "podAntiAffinity"), draw.pick(HOST, ZONE)
        about = term(key, draw.pick(*APPS))
        fields = {"nodeAffinity": {HARD: {"nodeSelectorTerms": [{"matchFields": [wants("metadata.name", "In", "n")]}]}}}
        reserved = draw.pick(
            wants(HOST, draw.pick("In", "NotIn"), "node-9"),
            wants(f"{CORE}/registered", "NotIn", "true"),
            wants(f"{CORE}/foo", "NotIn", "x"),
            wants(f"{AZURE}/foo", "DoesNotExist"),
            wants("kubernetes.io/foo", "DoesNotExist"),
        )
        chosen: dict[str, Any] = draw.pick(
            {},
            {"affinity": {kind: {HARD: [{**about, "matchLabelKeys": ["hash"]}]}}},
            {"affinity": {kind: {HARD: [{**about, "mismatchLabelKeys": ["hash"]}]}}},
            {"affinity": {"podAntiAffinity": {HARD: [{**about, "mismatchLabelKeys": ["hash", "none"]}]}}},
            {"topologySpreadConstraints": [{**spread(draw, key, draw.pick(*APPS)), "matchLabelKeys": ["hash"]}]},
            {"topologySpreadConstraints": [spread(draw, f"{CORE}/nodepool", draw.pick(*APPS))]},
            {"affinity": {kind: {HARD: [term(f"{CORE}/nodepool", draw.pick(*APPS))]}}},
            {"affinity": required([reserved])},
            {"affinity": required([reserved], [wants(CAPACITY, "Exists")])},
            {"affinity": fields},
            {"nodeSelector": {draw.pick(HOST, f"{CORE}/foo"): "x"}},
        )
        return chosen

    listed = [pod(draw, f"p{at:02}", **rule()) for at in range(draw.random.randint(4, 7))]
    for body in listed:
        body["metadata"]["labels"] |= draw.pick({}, {"hash": "1"}, {"hash": "2"})
    return cluster(draw, pools(draw, 2, **PLAIN), listed)


def removed(draw: Draw) -> Body:
    """Nodes that are being drained, with pods that need other nodes, and NodePools with limits."""
    node_pools = pools(draw, 2, **PLAIN)
    for body in node_pools:
        if draw.odds(50):
            body["spec"]["limits"] = draw.pick({GPU: draw.pick("1", "2", "4")}, {"nodes": draw.pick("1", "2")})
    nodes = [node(draw, f"node-{at}", draw.pick(*node_pools)) for at in range(draw.random.randint(1, 3))]
    listed = [placed for each in nodes for placed in on_node(draw, each["metadata"]["name"], [])]
    for each in nodes:
        if draw.odds(60):
            each["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
            each["spec"]["taints"] = [
                *each["spec"]["taints"],
                *draw.some(({"key": f"{CORE}/disrupted", "effect": "NoSchedule"},), 0),
            ]
    return cluster(draw, node_pools, listed + several(draw, 1, 3), nodes=nodes)


def runtime_classes(draw: Draw) -> Body:
    """Pods with RuntimeClasses that add overhead, a node selector or tolerations."""
    names = (TYPE, NAME)
    objects = [
        _runtime_class("heavy", overhead={"podFixed": {"cpu": draw.pick("2", "6"), "memory": "4Gi"}}),
        _runtime_class("zonal", scheduling={"nodeSelector": {ZONE: draw.pick(*draw.zones)}}),
        _runtime_class("sized", scheduling={"nodeSelector": {draw.pick(*names): "Standard_NC24ads_A100_v4"}}),
        _runtime_class("bold", scheduling={"tolerations": [{"key": "sku", "operator": "Exists"}]}),
        _runtime_class("plain"),
    ]
    listed = several(draw, 4, 7)
    for body in listed:
        if draw.odds(80):
            body["spec"]["runtimeClassName"] = draw.pick("heavy", "zonal", "sized", "bold", "plain")
        if draw.odds(30):
            body["spec"]["tolerations"] = []
        if draw.odds(20):
            body["spec"]["nodeSelector"] = {CAPACITY: "on-demand"}
    return cluster(draw, pools(draw, 2, **PLAIN), listed, others=objects)


def gates(draw: Draw) -> Body:
    """Pods with scheduling gates, next to pods without: a queue has not admitted them yet."""
    listed = several(draw, 4, 7)
    if draw.odds(60):
        rule = draw.pick(
            {},
            {"topologySpreadConstraints": [spread(draw, draw.pick(ZONE, HOST), APPS[0])]},
            {"affinity": {"podAntiAffinity": {HARD: [term(HOST, APPS[0])]}}},
            {"affinity": {"podAffinity": {HARD: [term(ZONE, APPS[0])]}}},
        )
        listed += replicas(draw, APPS[0], draw.random.randint(1, 3), **rule)
    for body in listed:
        if draw.odds(40):
            body["spec"]["schedulingGates"] = [{"name": draw.pick("kueue.x-k8s.io/admission", "example.com/quota")}]
    return cluster(draw, pools(draw, 2, **PLAIN), listed)


def claims(draw: Draw) -> Body:
    """Pods that claim devices, next to pods that request them, with nodes that exist and nodes that do not yet."""
    node_pools = pools(draw, 2, **PLAIN)
    nodes = [node(draw, f"node-{at}", draw.pick(*node_pools)) for at in range(draw.pick(0, 0, 1))]
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "one", "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }
    listed = several(draw, 4, 7)
    for body in listed:
        if draw.odds(40):
            body["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "one"}]
            body["spec"]["containers"] = [container(draw, draw.pick(0, 0, 1))]
    return cluster(draw, node_pools, listed, nodes=nodes, others=[template])


def whole_pods(draw: Draw) -> Body:
    """Pods that set requests or limits as a whole, in addition to those of some of their containers."""

    def whole() -> Body:
        limits = {"cpu": draw.pick("10", "20", "40"), "memory": draw.pick("60Gi", "120Gi")}
        requests = {"cpu": draw.pick("8", "10"), "memory": draw.pick("48Gi", "60Gi")}
        kinds = {"limits": limits, "requests": requests}
        chosen = draw.some(tuple(kinds))
        return {kind: {name: kinds[kind][name] for name in draw.some(tuple(kinds[kind]))} for kind in chosen}

    listed = several(draw, 4, 7)
    for body in listed:
        inside = body["spec"]
        resources = inside["containers"][0]["resources"]
        if draw.odds(50):
            kept = draw.pick((), ("cpu",), ("memory",))
            resources["requests"] = {name: resources["requests"][name] for name in kept}
        if draw.odds(30):
            side = {"limits": {"cpu": "1", "memory": "2Gi"}}
            inside["containers"].append({"name": "side", "image": "x", "resources": side})
        if draw.odds(30):
            always = {"restartPolicy": "Always"} if draw.odds(50) else {}
            first = {"requests": {"cpu": draw.pick("500m", "7") if not always else "500m", "memory": "1Gi"}}
            inside["initContainers"] = [{"name": "first", "image": "x", "resources": first, **always}]
        if draw.odds(75):
            inside["resources"] = whole()
    return cluster(draw, pools(draw, 2, **PLAIN), listed)


def _runtime_class(name: str, **fields: Any) -> Body:
    return {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": name},
        "handler": name,
        **fields,
    }
