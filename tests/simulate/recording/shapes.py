"""The shapes of cases, one for each subject. Each function generates the objects of one cluster."""

from typing import Any

from tests.simulate.recording.parts import (
    A100,
    AKS,
    APPS,
    AZURE,
    CAPACITY,
    GPU,
    HARD,
    HOST,
    NAME,
    SCOPE,
    SKU,
    T4,
    TAINTS,
    ZONE,
    Body,
    Draw,
    container,
    daemons,
    node_class,
    pod,
    pool,
    pools,
    replicas,
    required,
    spread,
    term,
    wants,
)

PLAIN = {"taints": [SKU]}


def several(draw: Draw, low: int = 3, high: int = 7, **spec: Any) -> list[Body]:
    """Random pods that have only `spec` in common."""
    return [pod(draw, f"p{at:02}", **spec) for at in range(draw.random.randint(low, high))]


def cluster(draw: Draw, node_pools: list[Body], pods: list[Body], **more: list[Body]) -> Body:
    """The objects of a case."""
    return {"nodeclasses": [node_class(draw)], "nodepools": node_pools, "daemonsets": [], **more, "pods": pods}


def daemon_sets(draw: Draw) -> Body:
    """Several DaemonSets, with different devices, host ports, zones, sizes and tolerations."""
    kinds: tuple[dict[str, Any], ...] = (
        {},
        {"main": {"resources": {"limits": {GPU: "1"}, "requests": {"cpu": "100m"}}}},
        {"main": {"ports": [{"containerPort": 9400, "hostPort": 9400}]}},
        {"nodeSelector": {ZONE: draw.pick(*draw.zones)}},
        {"tolerations": [{"key": "sku", "operator": "Exists"}]},
        {"tolerations": []},
        {"affinity": required([wants(NAME, "In", *draw.some(T4 + A100))])},
        {"affinity": required([wants(f"{AZURE}/sku-gpu-name", "In", "T4")], [wants(f"{AZURE}/sku-cpu", "Gt", "40")])},
        {"nodeSelector": {CAPACITY: "spot"}},
        {"nodeSelector": {SCOPE: draw.pick("zonal", "regional")}},
        {"initContainers": [{"name": "i", "image": "x", "resources": {"requests": {"memory": "6Gi"}}}]},
    )
    chosen = draw.random.sample(kinds, draw.random.randint(2, 4))
    sets = [daemons(draw, f"ds{at}", **spec) for at, spec in enumerate(chosen)]
    listed = several(draw)
    if draw.odds(40):
        listed[0]["spec"]["containers"][0]["ports"] = [{"containerPort": 9400, "hostPort": 9400}]
    return cluster(draw, pools(draw, 2, **PLAIN), listed, daemonsets=sets)


def host_ports(draw: Draw) -> Body:
    """Pods with host ports: with one or two protocols, on all addresses or one, in several containers."""

    def port() -> Body:
        number = draw.pick(8080, 8080, 9000)
        container_port: Body = {"containerPort": number, "hostPort": number}
        container_port |= {"protocol": "UDP"} if draw.odds(25) else {}
        return container_port | ({"hostIP": draw.pick("10.0.0.1", "10.0.0.2", "0.0.0.0")} if draw.odds(25) else {})

    listed = []
    for at in range(draw.random.randint(4, 8)):
        gpus, ports = draw.pick(0, 1, 1), [port()] if draw.odds(80) else ()
        listed.append(pod(draw, f"p{at:02}", main=container(draw, gpus, ports)))
    for body in listed:
        containers = body["spec"]["containers"]
        side = port() if draw.odds(25) else None
        if side and side not in containers[0].get("ports", ()):  # the API server rejects a duplicate port
            containers.append({"name": "side", "image": "x", "ports": [side]})
    extra = [daemons(draw, "ds0", main={"ports": [port()]})] if draw.odds(30) else []
    return cluster(draw, pools(draw, 2, **PLAIN), listed, daemonsets=extra)


def limits(draw: Draw) -> Body:
    """NodePools with every kind of limit, and pods that come close to it."""

    def most() -> Body:
        kinds = {
            "cpu": draw.pick("24", "48", "100", "200"),
            "memory": draw.pick("200Gi", "500Gi", "2000Gi"),
            GPU: draw.pick("1", "2", "4", "8"),
            "nodes": draw.pick("1", "2", "3"),
            "pods": "500",
        }
        return {name: kinds[name] for name in draw.some(tuple(kinds)[: draw.pick(3, 4, 4, 5)])}

    node_pools = pools(draw, 3, **PLAIN)
    for body in node_pools:
        if draw.odds(85):
            body["spec"]["limits"] = most()
    return cluster(draw, node_pools, several(draw, 4, 9))


def minimum_values(draw: Draw) -> Body:
    """NodePools with minValues for sizes, GPU families, zones, capacity types and placement."""
    kinds = (
        wants(NAME, "In", *draw.some(T4 + A100, 3), least=draw.pick(1, 2, 3)),
        wants(f"{AZURE}/sku-gpu-name", "In", "T4", "A100", "H100", "A10", least=draw.pick(1, 2, 3)),
        wants(f"{AZURE}/sku-family", "Exists", least=1),
        wants(f"{AZURE}/sku-series", "Exists", least=draw.pick(2, 3, 5)),
        wants(ZONE, "In", *draw.zones, least=draw.pick(1, 2, 3)),
        wants(ZONE, "Exists", least=draw.pick(1, 2, 3, 4)),
        wants(CAPACITY, "In", "spot", "on-demand", least=draw.pick(1, 2)),
        wants(SCOPE, "In", "zonal", "regional", least=draw.pick(1, 2)),
        wants(f"{AZURE}/sku-cpu", "Exists", least=draw.pick(2, 4)),
        wants(f"{AZURE}/sku-gpu-count", "Gt", "0", least=draw.pick(1, 2)),
    )
    node_pools = [
        pool(draw, name, *draw.random.sample(kinds, draw.pick(1, 1, 2)), **PLAIN)
        for name in ("alpha", "beta")[: draw.pick(1, 2)]
    ]
    listed = several(draw)
    for body in listed:
        if draw.odds(30):
            body["spec"]["nodeSelector"] = draw.pick({ZONE: draw.zones[0]}, {CAPACITY: "on-demand"}, {SCOPE: "zonal"})
    return cluster(draw, node_pools, listed)


def narrowed(draw: Draw) -> Body:
    """NodePools with minValues on labels of offerings, and pods that leave fewer values of these labels.

    Karpenter counts only values that the pods leave as of 1.14.3.
    """

    def choice() -> Body:
        kinds = (
            wants(ZONE, "In", *draw.zones, least=draw.pick(1, 2, 2, 3)),
            wants(ZONE, "Exists", least=draw.pick(2, 3, 4)),
            wants(ZONE, "NotIn", draw.pick(*draw.zones, "0"), least=draw.pick(2, 3, 4)),
            wants(CAPACITY, "In", "spot", "on-demand", least=draw.pick(1, 2, 2)),
            wants(SCOPE, "In", "zonal", "regional", least=2),
            wants(f"{AKS}/scalesetpriority", "Exists", least=2),
        )
        chosen: Body = draw.pick(*kinds)
        return chosen

    def narrow() -> dict[str, Any]:
        other: dict[str, Any] = draw.pick(
            {},
            {"nodeSelector": {ZONE: draw.pick(*draw.zones)}},
            {"nodeSelector": {CAPACITY: draw.pick("spot", "on-demand")}},
            {"nodeSelector": {SCOPE: draw.pick("zonal", "regional")}},
            {"nodeSelector": {f"{AKS}/scalesetpriority": "regular"}},
            {"affinity": required([wants(ZONE, "In", *draw.some(draw.zones, 2))])},
            {"affinity": required([wants(ZONE, "NotIn", draw.pick(*draw.zones))])},
            {"affinity": required([wants(ZONE, "In", draw.zones[0])], [wants(ZONE, "In", *draw.zones)])},
            {"topologySpreadConstraints": [spread(draw, ZONE, draw.pick(*APPS))]},
            {"topologySpreadConstraints": [spread(draw, HOST, draw.pick(*APPS))]},
            {"affinity": {"podAntiAffinity": {HARD: [term(ZONE, draw.pick(*APPS))]}}},
            {"affinity": {"podAffinity": {HARD: [term(draw.pick(ZONE, HOST), draw.pick(*APPS))]}}},
        )
        return other

    node_pools = [pool(draw, "alpha", choice(), **PLAIN, weight=10)]
    if draw.odds(40):
        more = [choice()] if draw.odds(50) else []
        node_pools.append(pool(draw, "beta", *more, **PLAIN))
    listed = [pod(draw, f"p{at:02}", **narrow()) for at in range(draw.random.randint(2, 5))]
    if draw.odds(40):
        listed += replicas(draw, APPS[0], draw.random.randint(2, 4), **narrow())
    return cluster(draw, node_pools, listed)


def sold_in_part(draw: Draw) -> Body:
    """Zone spread and zone preferences with a size that is not available in every zone of the region."""
    names = draw.pick([A100[0]], [T4[2]], [A100[0], T4[2]], [A100[0], *draw.some(A100[1:])], [*T4[1:]])
    named = [wants(ZONE, "In", *draw.some(draw.zones, 2))] if draw.odds(40) else []
    node_pools = [pool(draw, "alpha", wants(NAME, "In", *names), *named, **PLAIN)]
    if draw.odds(40):
        node_pools.append(pool(draw, "beta", wants(NAME, "In", *draw.some(T4)), **PLAIN))
    listed = []
    for app in APPS[: draw.pick(1, 1, 2)]:
        fewest = draw.pick(2, 3) if draw.odds(25) else None
        otherwise = draw.pick("DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")
        more = {"minDomains": fewest} if fewest and otherwise == "DoNotSchedule" else {}  # otherwise it is rejected
        rule = spread(draw, ZONE, app, otherwise, **more)
        wish = draw.pick({}, {}, {"affinity": required([wants(ZONE, "NotIn", draw.pick(*draw.zones))])})
        listed += replicas(draw, app, draw.random.randint(2, 5), topologySpreadConstraints=[rule], **wish)
    return cluster(draw, node_pools, listed)


def taints(draw: Draw) -> Body:
    """Taints, startup taints and labels of NodePools, and pods that tolerate some of them."""
    node_pools = pools(draw, 4)
    for body in node_pools:
        template = body["spec"]["template"]
        template["spec"]["taints"] = draw.some(TAINTS)
        if draw.odds(40):
            template["spec"]["startupTaints"] = [{"key": "boot", "value": "1", "effect": "NoSchedule"}]
        if draw.odds(40):
            template["metadata"] = {"labels": {"team": draw.pick("a", "b")}}
    listed = several(draw, 4, 8)
    tolerations = (
        {"key": "sku", "operator": "Exists"},
        {"key": "sku", "value": "gpu", "effect": "NoSchedule"},
        {"key": "team", "value": "a", "effect": "NoExecute"},
        {"key": "team", "operator": "Exists", "effect": "NoSchedule"},
        {"key": "soft", "operator": "Exists"},
        {"operator": "Exists"},
    )
    for body in listed:
        body["spec"]["tolerations"] = draw.some(tolerations[:5]) if draw.odds(85) else [tolerations[5]]
        if draw.odds(25):
            body["spec"]["nodeSelector"] = {"team": draw.pick("a", "b")}
    return cluster(draw, node_pools, listed)
