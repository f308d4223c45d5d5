"""More shapes of cases: pods with affinity to other pods, preferences, and existing nodes."""

from typing import Any

from tests.simulate.recording.parts import (
    AKS,
    APPS,
    CAPACITY,
    CORE,
    GPU,
    HARD,
    HOST,
    NAME,
    SCOPE,
    SKU,
    TYPE,
    ZONE,
    Body,
    Draw,
    container,
    daemons,
    pod,
    pools,
    replicas,
    required,
    spread,
    term,
    wants,
)
from tests.simulate.recording.shapes import PLAIN, cluster, several

SOFT = "preferredDuringSchedulingIgnoredDuringExecution"


def preferences(draw: Draw) -> Body:
    """Preferences of pods: for nodes, zones, and other pods."""

    def wish() -> dict[str, Any]:
        named = [wants(NAME, "In", *draw.some(("Standard_NC24ads_A100_v4", "Standard_NC16as_T4_v3")))]
        liked = (
            [{"weight": draw.random.randint(1, 100), "preference": {"matchExpressions": named}}],
            [{"weight": 10, "preference": {"matchExpressions": [wants(ZONE, "In", draw.pick(*draw.zones))]}}],
            [
                {"weight": 50, "preference": {"matchExpressions": [wants(CAPACITY, "In", "on-demand")]}},
                {"weight": 60, "preference": {"matchExpressions": [wants(ZONE, "In", "mars-1")]}},
            ],
        )
        company = [
            {"weight": draw.random.randint(1, 100), "podAffinityTerm": term(draw.pick(HOST, ZONE), draw.pick(*APPS))}
        ]
        chosen: dict[str, Any] = draw.pick(
            {"affinity": {"nodeAffinity": {SOFT: draw.pick(*liked)}}},
            {"affinity": {"podAntiAffinity": {SOFT: company}}},
            {"affinity": {"podAffinity": {SOFT: company}}},
            {"topologySpreadConstraints": [spread(draw, draw.pick(HOST, ZONE), draw.pick(*APPS), "ScheduleAnyway")]},
            {"affinity": {**required([wants(CAPACITY, "Exists")]), "podAntiAffinity": {SOFT: company}}},
        )
        return chosen

    return cluster(
        draw, pools(draw, 3, **PLAIN), [pod(draw, f"p{at:02}", **wish()) for at in range(draw.pick(3, 4, 5, 6))]
    )


def deployments(draw: Draw) -> Body:
    """Several identical pods that are spread, kept apart or kept together."""

    def rule(app: str) -> dict[str, Any]:
        other = draw.pick(*APPS)
        chosen: dict[str, Any] = draw.pick(
            {},
            {"topologySpreadConstraints": [spread(draw, ZONE, app)]},
            {"topologySpreadConstraints": [spread(draw, HOST, app)]},
            {"topologySpreadConstraints": [spread(draw, ZONE, app), spread(draw, HOST, app, "ScheduleAnyway")]},
            {"affinity": {"podAntiAffinity": {HARD: [term(HOST, app)]}}},
            {"affinity": {"podAntiAffinity": {HARD: [term(ZONE, other)]}}},
            {"affinity": {"podAffinity": {HARD: [term(draw.pick(HOST, ZONE), other)]}}},
        )
        return chosen

    node_pools = pools(draw, 3, **PLAIN)
    for body in node_pools:
        if draw.odds(25):
            body["spec"]["limits"] = {GPU: draw.pick("2", "4", "8")}
    listed = [replica for app in APPS for replica in replicas(draw, app, draw.random.randint(1, 6), **rule(app))]
    return cluster(draw, node_pools, listed)


def aliases(draw: Draw) -> Body:
    """Pods that select nodes by aliases of labels, by region, operating system or capacity type."""
    selectors = (
        {f"{AKS}/sku-cpu": draw.pick("4", "16", "24", "96")},
        {f"{AKS}/sku-memory": draw.pick("112640", "225280", "28672")},
        {"beta.kubernetes.io/instance-type": draw.pick("Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4")},
        {"beta.kubernetes.io/arch": draw.pick("amd64", "arm64")},
        {"failure-domain.beta.kubernetes.io/zone": draw.pick(*draw.zones)},
        {"topology.disk.csi.azure.com/zone": draw.pick(*draw.zones)},
        {"failure-domain.beta.kubernetes.io/region": draw.pick(draw.region, "mars")},
        {f"{AKS}/scalesetpriority": draw.pick("spot", "regular")},
        {f"{AKS}/priority": draw.pick("spot", "regular")},
        {f"{AKS}/os-sku": draw.pick("Ubuntu", "AzureLinux")},
        {f"{AKS}/mode": draw.pick("user", "system", "other")},
        {SCOPE: draw.pick("zonal", "regional")},
        {CAPACITY: draw.pick("spot", "on-demand")},
        {ZONE: "0"},
        {f"{CORE}/nodepool": draw.pick("alpha", "beta")},
    )
    listed = several(draw, 4, 8)
    for body in listed:
        chosen: Body = {}
        for part in draw.random.sample(selectors, draw.pick(1, 1, 2)):
            chosen |= part
        body["spec"]["nodeSelector"] = chosen
    return cluster(draw, pools(draw, 3, **PLAIN), listed)


def existing(draw: Draw) -> Body:
    """Existing nodes with running pods, and further pods that are pending."""
    node_pools = pools(draw, 2, **PLAIN)
    for body in node_pools:
        if draw.odds(40):
            most = ({GPU: draw.pick("1", "2", "4")}, {"nodes": draw.pick("1", "2", "3")}, {"cpu": "48"})
            body["spec"]["limits"] = draw.pick(*most)
    running = [daemons(draw, "ds0")] if draw.odds(50) else []
    nodes = [node(draw, f"node-{at}", draw.pick(*node_pools)) for at in range(draw.random.randint(1, 3))]
    listed = [placed for each in nodes for placed in on_node(draw, each["metadata"]["name"], running)]
    rule = draw.pick({}, {}, {"topologySpreadConstraints": [spread(draw, draw.pick(HOST, ZONE), APPS[0])]})
    listed += replicas(draw, APPS[0], draw.pick(1, 2, 4), **rule) + several(draw, 1, 3)
    return cluster(draw, node_pools, listed, daemonsets=running, nodes=nodes)


def on_node(draw: Draw, name: str, running: list[Body]) -> list[Body]:
    """The pods on a node. Those of DaemonSets may not have started yet."""
    mains = [container(draw, draw.pick(0, 1)) for _ in range(draw.random.randrange(3))]
    pods = [pod(draw, f"{name}-r{at}", nodeName=name, main=main) for at, main in enumerate(mains)]
    pods += [of_daemons(daemon_set, name) for daemon_set in running if draw.odds(60)]
    return [{**body, "status": {"phase": "Running"}} for body in pods]


def of_daemons(daemon: Body, name: str) -> Body:
    """The pod of a DaemonSet on a node."""
    own = daemon["metadata"]["name"]
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": own, "uid": own, "controller": True}
    meta = {"name": f"{own}-{name}", "namespace": "default", "labels": {"app": own}, "ownerReferences": [owner]}
    spec = {**daemon["spec"]["template"]["spec"], "nodeName": name}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}


ROOM = {  # the capacity of nodes of a size: cpu, memory in MiB, GPUs
    "NC4as_T4": (4, 24000, 1),
    "NC8as_T4": (8, 48000, 1),
    "NC16as_T4": (16, 100000, 1),
    "NC64as_T4": (64, 410000, 4),
    "NC24ads_A100": (24, 205000, 1),
    "NC48ads_A100": (48, 415000, 2),
    "NC96ads_A100": (96, 840000, 4),
    "NV6ads_A10": (6, 50000, 1),
    "NV12ads_A10": (12, 102000, 1),
    "NV36ads_A10": (36, 410000, 1),
    "NV72ads_A10": (72, 830000, 2),
    "NC40ads_H100": (40, 300000, 1),
    "NC80adis_H100": (80, 600000, 2),
    "ND96isr_H100": (96, 1800000, 8),
}


def node(draw: Draw, name: str, owner: Body) -> Body:
    """A node of a NodePool in its final state."""
    asked = {
        requirement["key"]: requirement["values"] for requirement in owner["spec"]["template"]["spec"]["requirements"]
    }
    size, paid = draw.pick(*asked[NAME]), draw.pick(*asked[CAPACITY])
    cpu, memory, gpus = next(has for part, has in ROOM.items() if size.startswith(f"Standard_{part}"))
    zone, spot = draw.pick(*draw.zones, "0"), paid == "spot"
    labels = {
        HOST: name,
        TYPE: size,
        NAME: size,
        ZONE: zone,
        "topology.kubernetes.io/region": draw.region,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
        CAPACITY: paid,
        SCOPE: "regional" if zone == "0" else "zonal",
        f"{AKS}/scalesetpriority": "spot" if spot else "regular",
        f"{CORE}/nodepool": owner["metadata"]["name"],
        f"{CORE}/registered": "true",
        f"{CORE}/initialized": "true",
    }
    capacity = {"cpu": str(cpu), "memory": f"{memory}Mi", GPU: str(gpus), "pods": "110", "ephemeral-storage": "120Gi"}
    allocatable = {**capacity, "cpu": f"{cpu * 1000 - 180}m", "memory": f"{memory - 3000}Mi"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"providerID": f"azure:///{name}", "taints": [SKU]},
        "status": {"capacity": capacity, "allocatable": allocatable},
    }
