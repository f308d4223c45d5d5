"""Small clusters for edge cases of the simulator: each has a value at a limit, or a missing value."""

from decimal import Decimal
from typing import Any

from tests.simulate.clusters import (
    BOTH,
    CAPACITY,
    HOST,
    ONE_GPU,
    PREFERRED,
    TEMPLATE,
    TWO_ZONES,
    UNCOUNTED,
    agents,
    beside,
    changed,
    claim_template,
    claiming,
    fixed,
    group_of_pods,
    hpa,
    job,
    labelled,
    made,
    nodes_with,
    preferring,
    release,
    replica_set,
    scaled_job,
    spread,
    stateful,
)
from tests.simulate.test_running import node, pod
from tests.simulate.worlds import (
    A100,
    A100X2,
    A100X4,
    CLASS,
    COUNT,
    GPU,
    NAME,
    POOL,
    T4,
    ZONE,
    Body,
    daemon,
    deployment,
    pod_spec,
    pool,
    wants,
)

SPOT_ONLY = wants(CAPACITY, "In", "spot")
DRA = release("nvidia-dra-driver-gpu", "25.8.0", {"gpuResourcesEnabledOverride": True})
FIPS = "kubernetes.azure.com/fips_enabled"
OTHER = {"key": "other", "effect": "NoSchedule"}


def preferring_nodes(*entries: Any) -> Body:
    """A node affinity with exactly these preferences."""
    return {"nodeAffinity": {PREFERRED: list(entries)}}


def weighted(weight: int | None, *expressions: Body) -> Body:
    """A node preference with this weight, or without the field."""
    return {**({} if weight is None else {"weight": weight}), "preference": {"matchExpressions": list(expressions)}}


def without(body: Body, key: str) -> Body:
    """An object without a key of its spec."""
    return {**body, "spec": {name: value for name, value in body["spec"].items() if name != key}}


def beside_pods(name: str, **term: Any) -> Body:
    """A Deployment without GPUs whose pods have to run next to other pods."""
    return deployment(name, gpus=0, nodeSelector={POOL: "a"}, affinity=beside("podAffinity", HOST, **term))


def unlabelled(body: Body, *keys: str) -> Body:
    """An object without some of its labels."""
    labels = {key: value for key, value in body["metadata"]["labels"].items() if key not in keys}
    return {**body, "metadata": {**body["metadata"], "labels": labels}}


def of_kind(body: Body, kind: str) -> Body:
    """A NodePool whose node class is of another kind."""
    template = body["spec"]["template"]
    spec = {**template["spec"], "nodeClassRef": {**template["spec"]["nodeClassRef"], "kind": kind}}
    return {**body, "spec": {**body["spec"], "template": {**template, "spec": spec}}}


WORLDS: dict[str, list[Body]] = {
    "spot and on demand for one workload": [
        pool("cheap", T4, more=(SPOT_ONLY,), limits={GPU: "1"}, weight=9), pool("more", A100X2),
        deployment("w", 3),
    ],
    "the first pools cannot be used": [
        pool("z-absent", A100, owner="absent", weight=90),
        pool("z-least", weight=80, more=(wants(NAME, "In", A100, A100X2, least=3),)),
        pool("z-taint", A100, weight=70, taints=[OTHER]),
        pool("z-limit", A100, weight=60, limits={"nodes": "0"}),
        pool("z-zone", A100, weight=50, more=(wants(ZONE, "In", "eastus-9"),)),
        pool("z-label", A100, weight=40, labels={"team": "z"}),
        pool("use", A100), deployment("w", 2, nodeSelector={"team": "z"}), deployment("any", 1),
        deployment("not-z", 1, affinity=nodes_with([wants("team", "NotIn", "z")], [wants(POOL, "In", "z-taint")])),
    ],
    "preferences for nodes": [
        pool("a", A100, more=(BOTH, TWO_ZONES)), pool("t", T4, more=(BOTH,), labels={"team": "t"}),
        deployment("heavier-last", affinity=preferring_nodes(
            weighted(1, wants(NAME, "In", A100)), weighted(2, wants(NAME, "In", T4)))),
        deployment("equal", affinity=preferring_nodes(
            weighted(5, wants(NAME, "In", A100)), weighted(5, wants(NAME, "In", T4)))),
        deployment("two-entries", affinity=preferring_nodes(
            weighted(3, wants(NAME, "In", A100), wants(ZONE, "In", "eastus-2")))),
        deployment("all-dropped", affinity=preferring_nodes(
            *(weighted(at, wants(f"example.com/{at}", "Exists")) for at in range(1, 4)))),
        deployment("most", affinity=preferring_nodes(
            *(weighted(100 - at, wants(f"example.com/{at}", "Exists")) for at in range(30)),
            weighted(1, wants(NAME, "In", T4)))),
        deployment("required-too", affinity={"nodeAffinity": {
            **nodes_with([wants(CAPACITY, "In", "spot")])["nodeAffinity"],
            **preferring_nodes(weighted(1, wants(NAME, "In", A100)))["nodeAffinity"]}}),
    ],
    "affinities of all sorts at once": [
        pool("a", A100X4, more=(TWO_ZONES,)),
        deployment("base", 2),
        deployment("w", 3, affinity={
            "podAffinity": {
                **beside("podAffinity", ZONE, labelSelector={"matchLabels": {"app": "base"}})["podAffinity"],
                **preferring("podAffinity", (9, HOST, {"app": "base"}), (1, ZONE, {"app": "gone"}))["podAffinity"]},
            **preferring("podAntiAffinity", (4, HOST, {"app": "w"}), (3, ZONE, {"app": "w"}))}),
        deployment("equal", 2, affinity=preferring("podAffinity", (4, HOST, {"app": "gone"}), (4, HOST, {"app": "w"}))),
    ],
    "selectors of pods": [
        pool("a", A100X4),
        labelled(deployment("base"), team="x", tier="1"),
        *(beside_pods(name, labelSelector={"matchExpressions": expressions})
          for name, expressions in {
              "in-one": [{"key": "team", "operator": "In", "values": ["x", "web"]}],
              "in-none": [{"key": "team", "operator": "In", "values": ["web"]}],
              "not-in": [{"key": "team", "operator": "NotIn", "values": ["web"]},
                         {"key": "app", "operator": "In", "values": ["base"]}],
              "not-in-own": [{"key": "team", "operator": "NotIn", "values": ["x"]},
                             {"key": "app", "operator": "In", "values": ["base"]}],
              "exists": [{"key": "tier", "operator": "Exists"}],
              "absent": [{"key": "tier", "operator": "DoesNotExist"},
                         {"key": "app", "operator": "In", "values": ["base"]}],
              "neither": [{"key": "stage", "operator": "DoesNotExist"},
                          {"key": "app", "operator": "In", "values": ["base"]}],
          }.items()),
        beside_pods("keys", labelSelector={"matchLabels": {"tier": "1"}}, matchLabelKeys=["app"]),
        beside_pods("keys-alone", labelSelector={"matchExpressions": [
            {"key": "tier", "operator": "DoesNotExist"}]}, matchLabelKeys=["app"]),
        beside_pods("both-namespaces", namespaces=["b", "a"], labelSelector={"matchLabels": {"app": "base"}}),
        deployment("everything", affinity=beside("podAffinity", HOST, labelSelector={})),
    ],
    "spreads that are given up": [
        pool("a", A100, more=(wants(ZONE, "In", "eastus-1"),), limits={GPU: "9"}),
        deployment("w", 2, topologySpreadConstraints=[
            spread(ZONE, "ScheduleAnyway"), spread(HOST, "ScheduleAnyway", minDomains=None),
            spread("example.com/rack", "ScheduleAnyway"), spread(ZONE)]),
        deployment("hard", 2, topologySpreadConstraints=[spread(ZONE, app="hard", minDomains=2)]),
        deployment("hard-host", 2, topologySpreadConstraints=[spread(HOST, app="hard-host", minDomains=3)]),
        deployment("skewed", 3, topologySpreadConstraints=[spread(ZONE, app="skewed", maxSkew=3, minDomains=2)]),
    ],
    "pods that keep others away": [
        pool("a", A100X4, more=(TWO_ZONES,)), node("n1", A100X4, gpus=4),
        changed(pod("alone", "n1"), metadata={"name": "alone", "namespace": "a", "labels": {"app": "alone"}},
                spec={**pod("alone", "n1", affinity=beside(
                    "podAntiAffinity", HOST, labelSelector={"matchLabels": {"app": "w"}}))["spec"]}),
        deployment("w", 2), deployment("v", 2),
        deployment("zone", 1, affinity=beside("podAntiAffinity", ZONE, labelSelector={"matchLabels": {"app": "v"}})),
        deployment("softly", 1, affinity=preferring("podAntiAffinity", (1, HOST, {"app": "v"}))),
    ],
    "ports of several kinds": [
        pool("a", A100X4),
        deployment("any", 2, main={"ports": [{"containerPort": 80, "hostPort": 8080}]}),
        deployment("address", 2, main={"ports": [{"containerPort": 80, "hostPort": 9090, "hostIP": "10.0.0.1"}]}),
        deployment("other", 1, main={"ports": [{"containerPort": 80, "hostPort": 9090, "hostIP": "10.0.0.2"}]}),
        deployment("zero", 1, main={"ports": [{"containerPort": 80, "hostPort": 9090, "hostIP": "0.0.0.0"}]}),
        deployment("udp", 1, main={"ports": [{"containerPort": 80, "hostPort": 8080, "protocol": "UDP"}]}),
        deployment("net", 2, hostNetwork=True, main={"ports": [{"containerPort": 8443}]}),
        deployment("init", 2, initContainers=[
            {"name": "i", "image": "x", "ports": [{"containerPort": 1, "hostPort": 7000}]}]),
        deployment("two", 2, main={"ports": [{"containerPort": 1}, {"containerPort": 2, "hostPort": 7001}]}),
    ],
    "claims of devices": [
        agents("b", size="Standard_NC64as_T4_v3"), pool("a", A100X2), DRA,
        claim_template("one", {"exactly": {"deviceClassName": "gpu.nvidia.com", "count": 1}}),
        claim_template("two", {"exactly": {"deviceClassName": "gpu.nvidia.com", "count": 2}}),
        claim_template("all", {"exactly": {"deviceClassName": "gpu.nvidia.com", "allocationMode": "All"}}),
        claim_template("exact", {"exactly": {"deviceClassName": "gpu.nvidia.com", "allocationMode": "ExactCount"}}),
        claim_template("chosen", {"exactly": {"deviceClassName": "gpu.nvidia.com", "selectors": [
            {"cel": {"expression": "true"}}]}}),
        claim_template("first", {"firstAvailable": [{"name": "x", "deviceClassName": "gpu.nvidia.com"}]}),
        claim_template("mig", {"exactly": {"deviceClassName": "mig.nvidia.com"}}),
        claim_template("daemon", {"exactly": {"deviceClassName": "compute-domain-daemon.nvidia.com"}}),
        changed(claim_template("away", ONE_GPU), metadata={"name": "away", "namespace": "b"}),
        *(claiming(name, name) for name in ("one", "two", "all", "exact", "chosen", "first", "mig", "daemon", "away")),
        claiming("both", "one", "two"), claiming("again", "two", "mig"),
        deployment("with-limit", gpus=1, resourceClaims=[{"name": "c", "resourceClaimTemplateName": "one"}]),
    ],
    "replicas that run": [
        pool("a", A100X4), node("n1", A100X4, gpus=4),
        *(pod(f"w-{at}", "n1", owner=("ReplicaSet", "w-5d")) for at in range(3)),
        pod("s-0", "n1", owner=("StatefulSet", "s")),
        deployment("w", 2), deployment("scaled", 9), hpa("scaled", 1, 4), stateful("s", 3),
        changed(replica_set("w-5d", "w", 2)),
        without(deployment("default"), "replicas"),
        changed(pod("alien", "n9", owner=("Job", "gone"))), job("gone", parallelism=2),
    ],
    "the order of pods": [
        pool("a", A100, limits={GPU: "4"}),
        deployment("d-small", requests={"cpu": "1"}), deployment("c-large", requests={"cpu": "8"}),
        deployment("b-memory", requests={"cpu": "8", "memory": "10Gi"}), deployment("a-none"),
        made(pod("young"), "09"), made(pod("old"), "02"),
    ],
    "nodes of pools that are scaled to their minimum": [
        agents("least", minCount=2, maxCount=3), agents("full", minCount=1, maxCount=1),
        agents("none", minCount=0, maxCount=0), pool("static", A100, replicas=2),
        node("n1", "Standard_NC4as_T4_v3", of="", agentpool="least"),
        node("n2", A100, of="static"), pod("p", "n1"),
        deployment("w", 4, nodeSelector={"agentpool": "least"}), deployment("f", 2, nodeSelector={"agentpool": "full"}),
        deployment("s", 3, nodeSelector={POOL: "static"}), deployment("zero", 1, nodeSelector={"agentpool": "none"}),
    ],
    "limits exactly reached": [
        pool("gpus", A100X2, limits={GPU: "4"}, labels={"of": "gpus"}),
        pool("nodes", A100, limits={"nodes": "2"}, labels={"of": "nodes"}),
        pool("cpu", A100, limits={"cpu": "48"}, labels={"of": "cpu"}),
        pool("memory", A100, limits={"memory": "400Gi"}, labels={"of": "memory"}),
        pool("odd", A100, limits={"example.com/x": "1", "hugepages-2Mi": "0", GPU: "1"}, labels={"of": "odd"}),
        pool("mixed", A100, A100X4, limits={GPU: "5"}, labels={"of": "mixed"}),
        *(deployment(name, 5, nodeSelector={"of": name}) for name in ("gpus", "nodes", "cpu", "memory", "odd")),
        deployment("mixed", 3, gpus=2, nodeSelector={"of": "mixed"}),
    ],
    "daemons of some nodes": [
        pool("a", A100), pool("t", T4, labels={"team": "t"}, taints=[OTHER]),
        daemon("tolerant", {"cpu": "1"}, tolerations=[{"operator": "Exists"}]),
        daemon("either", {"cpu": "2"}, tolerations=[{"operator": "Exists"}], affinity=nodes_with(
            [wants("team", "In", "t")], [wants(NAME, "In", A100X2)])),
        daemon("gpus", {"cpu": "4"}, affinity=nodes_with([wants(COUNT, "Gt", "0")])),
        daemon("unset", {"cpu": "7"}, nodeSelector={"example.com/own": "x"}),
        daemon("udp", {"cpu": "0"}, main={"ports": [{"containerPort": 1, "hostPort": 53, "protocol": "UDP"}]}),
        deployment("fits", requests={"cpu": "18"}), deployment("over", requests={"cpu": "19500m"}),
        deployment("tolerates", requests={"cpu": "12"}, tolerations=[{"operator": "Exists"}],
                   nodeSelector={"team": "t"}),
        deployment("too-large", requests={"cpu": "13"}, tolerations=[{"operator": "Exists"}],
                   nodeSelector={"team": "t"}),
        deployment("dns", main={"ports": [{"containerPort": 1, "hostPort": 53, "protocol": "UDP"}]}),
        deployment("dns-tcp", main={"ports": [{"containerPort": 1, "hostPort": 53}]}),
    ],
    "taints of AKS node pools": [
        agents("plain", nodeTaints=["a=b:NoSchedule"]), agents("colon", nodeTaints=["a=b:c:NoExecute"]),
        agents("empty", nodeTaints=["key:NoSchedule"]), agents("spot", scaleSetPriority="Spot"),
        fixed("system", 1, mode="System", availabilityZones=["2"]),
        *(deployment(name, tolerations=[{"key": "a", "value": value}], nodeSelector={"agentpool": at})
          for name, value, at in (("b", "b", "plain"), ("c", "b:c", "colon"), ("wrong", "b", "colon"))),
        deployment("key", tolerations=[{"key": "key"}], nodeSelector={"agentpool": "empty"}),
        deployment("way", tolerations=[{"operator": "Exists"}],
                   nodeSelector={"kubernetes.azure.com/scalesetpriority": "spot"}),
        deployment("mode", nodeSelector={"kubernetes.azure.com/mode": "system"}),
        deployment("zone", nodeSelector={ZONE: "eastus-2"}), deployment("zones", nodeSelector={ZONE: "0"}),
        deployment("regular", nodeSelector={"kubernetes.azure.com/scalesetpriority": "regular"}),
        fixed("user", 2), deployment("not-spot", affinity=nodes_with(
            [wants("kubernetes.azure.com/scalesetpriority", "NotIn", "spot")])),
        deployment("nodes", affinity=nodes_with([wants("kubernetes.azure.com/scalesetpriority", "DoesNotExist")])),
    ],
    **{
        f"GPUs that AKS cuts, {strategy}": [
            agents("large", size=A100, gpuInstanceProfile="MIG3g"),
            agents("small", size=A100, gpuInstanceProfile="MIG1g"),
            agents("whole", size=A100), agents("wrong", gpuInstanceProfile="MIG1g"),
            release("nvidia-device-plugin", "0.17.1", {"migStrategy": strategy} if strategy != "unknown" else {}),
            deployment("parts", 9, nodeSelector={"agentpool": "small"}), deployment("whole", nodeSelector={
                "agentpool": "whole"}), deployment("two", 1, gpus=2),
            deployment("third", 3, gpus=0, limits={"nvidia.com/mig-3g.40gb": "1"}),
            deployment("half", 1, gpus=0, limits={"nvidia.com/mig-2g.20gb": "1"}),
        ]
        for strategy in ("single", "mixed", "unknown")
    },
    "images with FIPS": [
        pool("a", A100, owner="fips"), pool("t", T4),
        {**CLASS, "metadata": {"name": "fips"}, "spec": {"imageFamily": "Ubuntu", "fipsMode": "FIPS"}},
        deployment("with", nodeSelector={FIPS: "true"}),
        deployment("without", affinity=nodes_with([wants(FIPS, "DoesNotExist")])),
        deployment("false", nodeSelector={FIPS: "false"}),
    ],
    "pods of daemons count": [
        pool("a", A100, owner="few"),
        {**CLASS, "metadata": {"name": "few"}, "spec": {"imageFamily": "Ubuntu2204", "maxPods": 10}},
        daemon("one", {"cpu": "10m"}), daemon("two", {"cpu": "10m"}),
        deployment("w", 9, gpus=0, requests={"cpu": "100m"}, nodeSelector={POOL: "a"}),
    ],
    "nodes that a spread does not count": [
        pool("a", A100X4, labels={"team": "a"}, more=(TWO_ZONES,)),
        pool("b", A100X4, labels={"team": "b"}, more=(TWO_ZONES,)),
        node("n1", A100X4, gpus=4, team="a"), node("n2", A100X4, of="b", gpus=4, team="b", **{ZONE: "eastus-2"}),
        *(pod(f"w-{at}", "n2") for at in range(3)), pod("w-9", "n1"),
        deployment("w", 2, topologySpreadConstraints=[spread(ZONE)], nodeSelector={"team": "a"}),
        deployment("v", 1, topologySpreadConstraints=[spread(ZONE, app="w")], affinity=nodes_with(
            [wants("team", "In", "a"), wants("absent", "DoesNotExist")])),
        deployment("u", 1, topologySpreadConstraints=[spread(ZONE, app="w")], affinity=nodes_with(
            [wants("team", "In", "b")], [wants("team", "In", "c")])),
    ],
    "a spread over a zone of existing nodes alone": [
        pool("a", A100, more=(wants(ZONE, "In", "eastus-1"),)),
        node("n1", A100, of="gone", gpus=1, **{ZONE: "eastus-3"}), pod("other", "n1"),
        deployment("x", 2, topologySpreadConstraints=[spread(ZONE, app="x")]),
        deployment("v", 2, topologySpreadConstraints=[spread(ZONE, app="v")], nodeSelector={ZONE: "eastus-1"}),
    ],
    "a spread over nodes that only their pods name": [
        pool("a", A100X2, more=(TWO_ZONES,)), pod("w-1", "aks-a-9"), pod("w-2", "aks-a-9"),
        deployment("w", 2, topologySpreadConstraints=[spread(ZONE)]),
    ],
    "a spread that honours taints": [
        pool("a", A100, more=(TWO_ZONES,)), changed(node("n1", A100X4, gpus=4), spec={"taints": [OTHER]}),
        *(pod(f"w-{at}", "n1") for at in range(3)),
        deployment("w", 2, topologySpreadConstraints=[spread(ZONE, nodeTaintsPolicy="Honor")]),
        deployment("v", 2, topologySpreadConstraints=[spread(ZONE, app="w")]),
    ],
    "an existing node in the second zone": [
        pool("a", A100, limits={"nodes": "0"}), node("n1", A100X4, gpus=4, **{ZONE: "eastus-2"}),
        deployment("w", 2, nodeSelector={ZONE: "eastus-2"}), deployment("first", nodeSelector={ZONE: "eastus-1"}),
    ],
    "a MIG layout without an operator": [
        pool("a", A100, labels={"nvidia.com/mig.config": "all-1g.10gb"}), deployment("w", 8),
        deployment("parts", gpus=0, limits={"nvidia.com/mig-1g.10gb": "1"}),
    ],
    "a daemon that is too large for some sizes": [
        pool("a", A100, T4), pool("t", T4), daemon("large", {"cpu": "20"}),
        deployment("any"), deployment("small", nodeSelector={POOL: "t"}),
    ],
    "a daemon that asks for what no node has": [
        pool("a", A100), daemon("odd", {}, limits={"example.com/x": "1"}), deployment("w"),
    ],
    "images of several systems": [
        pool("u", A100), pool("l", A100, owner="azure"),
        {**CLASS, "metadata": {"name": "azure"}, "spec": {"imageFamily": "AzureLinux"}},
        *(deployment(name.lower(), nodeSelector={"kubernetes.azure.com/os-sku": name})
          for name in ("Ubuntu", "AzureLinux", "Windows")),
    ],
    **{
        f"MIG instances by the {name} of a device plugin": [
            agents("small", size=A100, gpuInstanceProfile="MIG1g"), daemon("plugin", {}, main=main),
            deployment("whole", 7), deployment("parts", 7, gpus=0, limits={"nvidia.com/mig-1g.10gb": "1"}),
        ]
        for name, main in {
            "variable": {"env": [{"name": "OTHER", "value": "x"}, {"name": "MIG_STRATEGY", "value": "mixed"}]},
            "variable that is set elsewhere": {"env": [
                {"name": "MIG_STRATEGY", "valueFrom": {"configMapKeyRef": {"name": "m", "key": "k"}}}]},
            "options": {"args": ["--mig-strategy", "single"]},
            "command": {"command": ["plugin", "-mig-strategy=mixed"]},
            "options and the variable": {
                "args": ["--mig-strategy=single"], "env": [{"name": "MIG_STRATEGY", "value": "mixed"}]},
        }.items()
    },
    "existing nodes come before new ones": [
        pool("a", A100X2), node("n1", A100X2, gpus=2), pod("p", "n1", requests={"cpu": "12"}),
        deployment("large", requests={"cpu": "20"}), deployment("medium", requests={"cpu": "8"}),
    ],
    "a node that is open to a pod only once another pod is there": [
        pool("a", A100X4, limits={"nodes": "0"}), node("n1", A100X4, gpus=4),
        deployment("first", requests={"cpu": "8"}, affinity=beside(
            "podAffinity", HOST, labelSelector={"matchLabels": {"app": "second"}})),
        deployment("second", requests={"cpu": "2"}),
    ],
    "zones that are open in turn": [
        pool("a", A100X4, limits={"nodes": "0"}, more=(TWO_ZONES,)),
        *(node(f"n{at}", A100X4, gpus=4, **{ZONE: f"eastus-{at}"}) for at in (1, 2)),
        deployment("w", 5, topologySpreadConstraints=[spread(ZONE)]),
        deployment("apart", 3, topologySpreadConstraints=[spread(HOST, app="apart")]),
    ],
    "a zone of a pool that is not ready": [
        pool("a", A100, more=(wants(ZONE, "In", "eastus-1"),)),
        pool("b", A100, owner="absent", more=(wants(ZONE, "In", "eastus-2"),)),
        deployment("w", 3, topologySpreadConstraints=[spread(ZONE)]),
    ],
    "GPUs that Azure does not count, on nodes that are always there": [
        agents("least", size=UNCOUNTED[0], minCount=1), agents("none", size=UNCOUNTED[0], minCount=0),
        fixed("fixed", 1, size=UNCOUNTED[0]),
        *(deployment(name, gpus=0, limits={"amd.com/gpu": "1"}, nodeSelector={"agentpool": name})
          for name in ("least", "none", "fixed")),
    ],
    "a spread next to a running pod": [
        pool("a", A100, more=(TWO_ZONES,)), node("n1", A100), pod("w-1", "n1"),
        deployment("w", 2, topologySpreadConstraints=[spread(ZONE)]),
    ],
    "a spread that ignores labels of nodes": [
        *(pool(name, A100, labels={"team": name}, more=(wants(ZONE, "In", f"eastus-{at}"),))
          for at, name in ((1, "a"), (2, "b"))),
        deployment("honor", 2, topologySpreadConstraints=[spread(ZONE, app="honor")], nodeSelector={"team": "a"}),
        deployment("ignore", 2, topologySpreadConstraints=[
            spread(ZONE, app="ignore", nodeAffinityPolicy="Ignore")], nodeSelector={"team": "a"}),
        node("n2", A100X4, of="b", gpus=4, team="b", **{ZONE: "eastus-2"}), pod("w-1", "n2"), pod("w-2", "n2"),
        deployment("w", 3, topologySpreadConstraints=[spread(ZONE, nodeAffinityPolicy="Ignore")],
                   nodeSelector={"team": "a"}),
    ],
    "zones of pools of a fixed number of nodes": [
        pool("a", A100, more=(wants(ZONE, "In", "eastus-1"),)),
        pool("b", A100, replicas=0, more=(wants(ZONE, "In", "eastus-2"),)), fixed("c", 0, availabilityZones=["3"]),
        deployment("w", 3, topologySpreadConstraints=[spread(ZONE)]),
    ],
    "workloads that need a GPU node, and others": [
        pool("a", A100), pool("b", T4, taints=[OTHER]), deployment("cpu", gpus=0, requests={"cpu": "1"}),
        deployment("w"), deployment("zero", gpus=0, limits={GPU: "0"}, tolerations=[]),
        deployment("plain", gpus=0, tolerations=[]), deployment("none", gpus=0, limits={"kubernetes.io/x": "1"}),
        claiming("claim", "absent", tolerations=[]),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "Bad_Name", "namespace": "a"}},
        {"apiVersion": "example.org/v1", "kind": "Thing", "metadata": {"name": "Bad_Name", "namespace": "a"}},
    ],
    "no pool but one that is rejected": [pool("a", A100, weight=1000), deployment("w")],
    "labels of AKS node pools": [
        agents("a", nodeLabels={"team": "a", "tier": "1"}), agents("b", nodeLabels={"team": "b"}),
        deployment("neither", nodeSelector={"team": "c"}), deployment("b", nodeSelector={"team": "b"}),
        deployment("both", nodeSelector={"team": "b", "tier": "1"}),
    ],
    "daemons that are yet to come to a node": [
        pool("a", A100, limits={"nodes": "0"}), node("n1", A100X4, gpus=4),
        daemon("one", {"cpu": "6"}), daemon("two", {"cpu": "6", "memory": "1Gi"}),
        deployment("fits", requests={"cpu": "12"}), deployment("over", requests={"cpu": "13"}),
    ],
    "daemons, one of them running": [
        pool("a", A100, limits={"nodes": "0"}), node("n1", A100X4, gpus=4),
        daemon("one", {"cpu": "6"}), daemon("two", {"cpu": "6"}),
        pod("one-x", "n1", owner=("DaemonSet", "one"), gpus=0, requests={"cpu": "6"}),
        deployment("fits", requests={"cpu": "12"}), deployment("over", requests={"cpu": "13"}),
    ],
    "a region without known zones": [
        pool("a", A100, more=(wants(ZONE, "In", "jioindiawest-2"),)), pool("b", T4),
        agents("c", availabilityZones=["1"]),
        deployment("w"), deployment("z", nodeSelector={ZONE: "jioindiawest-2"}),
        deployment("auto", nodeSelector={"agentpool": "c"}),
    ],
    "node pools without numbers of nodes": [
        agents("scaled", minCount=None), agents("open", minCount=None, maxCount=None),
        fixed("fixed", 0), agents("bare", enableAutoScaling=None, minCount=None, maxCount=None),
        *(deployment(name, 2, nodeSelector={"agentpool": name}) for name in ("scaled", "open", "fixed", "bare")),
    ],
    "GPUs that are shared under a different name": [
        agents("a"), release("nvidia-device-plugin", "0.17.1", {"config": {"default": "slices", "map": {
            "slices": "version: v1\nsharing: {timeSlicing: {renameByDefault: true, resources: "
                      "[{name: nvidia.com/gpu, replicas: 3}]}}\n"}}}),
        deployment("shared", 3, gpus=0, limits={f"{GPU}.shared": "1"}), deployment("whole", 3),
    ],
    "a nodeClassRef of another kind": [
        of_kind(pool("a", A100), "NodeClass"), deployment("w"),
    ],
    "an AKS node that is not ready": [
        agents("x", minCount=0, maxCount=0),
        unlabelled(changed(node("n1", "Standard_NC4as_T4_v3", agentpool="x"), spec={"taints": [
            {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}), POOL, "karpenter.sh/initialized"),
        unlabelled(node("n2", "Standard_NC4as_T4_v3", agentpool="x"), POOL, "karpenter.sh/initialized"),
        deployment("w", 2),
    ],
    "node pools of Windows": [
        agents("l"), agents("w", size="Standard_NV36ads_A10_v5", osType="Windows", osSKU="Windows2022"),
        *(deployment(name, nodeSelector={"kubernetes.io/os": name}) for name in ("linux", "windows")),
        deployment("directx", gpus=0, limits={"microsoft.com/directx": "1"}),
    ],
    "pods in objects of unknown kinds": [
        pool("a", A100X4),
        group_of_pods("Labelled", {"replicas": 2, "template": {
            "metadata": {"labels": {"app": "x"}},
            "spec": pod_spec(affinity=beside("podAntiAffinity", HOST, labelSelector={"matchLabels": {"app": "x"}}))}}),
        group_of_pods("Bare", {"replicas": 2, "template": {
            "spec": pod_spec(affinity=beside("podAntiAffinity", HOST, labelSelector={"matchLabels": {"app": "x"}}))}}),
        changed(scaled_job("other-version", maxReplicaCount=2), apiVersion="keda.sh/v2"),
        changed(deployment("no-version", 2), apiVersion="apps/v9"),
        group_of_pods("Negative", {"replicas": -1, "template": TEMPLATE}),
        group_of_pods("Text", {"replicas": "2", "parallelism": 3, "template": TEMPLATE}),
        group_of_pods("Sized", {"size": 3, "workerTemplate": TEMPLATE}),
        group_of_pods("Odd", {"size": "3", "workerTemplate": TEMPLATE}),
        group_of_pods("Leader", {"size": 0, "leaderTemplate": {}, "workerTemplate": TEMPLATE}),
    ],
}  # fmt: skip
ASKED: dict[str, dict[str, Any]] = {
    "a region without known zones": {"region": "jioindiawest"},
    "spot and on demand for one workload": {"spot": {T4: 0.3}},
    "limits exactly reached": {"overhead": {"cpu": Decimal(1)}},
}
