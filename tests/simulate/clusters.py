"""Small clusters, each for one part of the simulator: what it counts, chooses and reports."""

from decimal import Decimal
from typing import Any

from tests.compare.sides import AGENTS
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
    T4X4,
    TOLERATION,
    ZONE,
    Body,
    daemon,
    deployment,
    pod_spec,
    pool,
    wants,
)

MIG = "nvidia.com/mig.config"
UNCOUNTED = ("Standard_NV4ads_V710_v5",)  # Azure's API reports no GPU for it
FACTS = ("cpu", "family", "gpu-count", "gpu-manufacturer", "memory", "networking-accelerated", "series",
         "storage-ephemeralos-maxsize", "storage-premium-capable", "storage-ultra-ssd", "version")  # fmt: skip
HOST, CAPACITY = "kubernetes.io/hostname", "karpenter.sh/capacity-type"
BOTH = wants(CAPACITY, "In", "spot", "on-demand")
TWO_ZONES = wants(ZONE, "In", "eastus-1", "eastus-2")
REQUIRED, PREFERRED = (
    f"{word}DuringSchedulingIgnoredDuringExecution" for word in ("required", "preferred")
)  # of an affinity


def labelled(body: Body, **labels: str) -> Body:
    """A workload whose pods have these labels too."""
    body["spec"]["template"]["metadata"]["labels"].update(labels)
    return body


def beside(sort: str, key: str, **term: Any) -> Body:
    """A required pod affinity or anti-affinity."""
    return {sort: {REQUIRED: [{"topologyKey": key, **term}]}}


def preferring(sort: str, *terms: tuple[int, str, Body]) -> Body:
    """Preferred pod affinities or anti-affinities, each with its weight."""
    entries = [
        {"weight": weight, "podAffinityTerm": {"topologyKey": key, "labelSelector": {"matchLabels": labels}}}
        for weight, key, labels in terms
    ]
    return {sort: {PREFERRED: entries}}


def nodes_with(*terms: list[Body], prefer: tuple[tuple[int, Body], ...] = ()) -> Body:
    """A node affinity: one of the terms, and preferences with their weights."""
    required = {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": term} for term in terms]}} if terms else {}
    preferred = [{"weight": weight, "preference": {"matchExpressions": [entry]}} for weight, entry in prefer]
    return {"nodeAffinity": {**required, **({PREFERRED: preferred} if preferred else {})}}


def spread(key: str, when: str = "DoNotSchedule", app: str = "w", **more: Any) -> Body:
    """A topology spread constraint."""
    return {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": when,
            "labelSelector": {"matchLabels": {"app": app}}, **more}  # fmt: skip


def job(name: str, **spec: Any) -> Body:
    """A Job of GPU pods."""
    template = {"metadata": {"labels": {"app": name}}, "spec": {**pod_spec(), "restartPolicy": "Never"}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": "a"},
            "spec": {"template": template, **spec}}  # fmt: skip


def hpa(target: str, low: int | None, high: int, name: str = "h") -> Body:
    """A HorizontalPodAutoscaler of a Deployment."""
    spec: Body = {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": target},
                  "maxReplicas": high, **({} if low is None else {"minReplicas": low})}  # fmt: skip
    meta = {"name": name, "namespace": "a"}
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": meta, "spec": spec}


def scaled_object(target: str, **spec: Any) -> Body:
    """A ScaledObject of a Deployment."""
    triggers = [{"type": "cron", "metadata": {"timezone": "UTC", "start": "0 6 * * *", "end": "0 8 * * *",
                                              "desiredReplicas": "2"}}]  # fmt: skip
    return {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": target, "namespace": "a"},
            "spec": {"scaleTargetRef": {"name": target}, "triggers": triggers, **spec}}  # fmt: skip


def scaled_job(name: str, **spec: Any) -> Body:
    """A ScaledJob."""
    reference = {"template": job(name)["spec"]["template"], **spec.pop("jobTargetRef", {})}
    return {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "ScaledJob",
        "metadata": {"name": name, "namespace": "a"},
        "spec": {"jobTargetRef": reference, "triggers": scaled_object("x")["spec"]["triggers"], **spec},
    }  # fmt: skip,


def replica_set(name: str, owner: str, replicas: int) -> Body:
    """A ReplicaSet that is owned by a Deployment."""
    body = {**deployment(name, replicas), "kind": "ReplicaSet"}
    owners = [{"apiVersion": "apps/v1", "kind": "Deployment", "name": owner, "uid": "u", "controller": True}]
    return {**body, "metadata": {**body["metadata"], "ownerReferences": owners}}


def agents(name: str = "a", size: str = "Standard_NC4as_T4_v3", **spec: Any) -> Body:
    """An AKS node pool that scales between 0 and 4 nodes. A value of None removes the field."""
    whole = {**AGENTS["spec"], "azureName": name, "vmSize": size, **spec}
    kept = {key: value for key, value in whole.items() if value is not None}
    return {**AGENTS, "metadata": {"name": name, "namespace": "aks"}, "spec": kept}


def fixed(name: str, count: int, **spec: Any) -> Body:
    """An AKS node pool with a fixed number of nodes."""
    return agents(name, enableAutoScaling=False, minCount=None, maxCount=None, count=count, **spec)


def claim_template(name: str, request: Body) -> Body:
    """A ResourceClaimTemplate of one request."""
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate",
            "metadata": {"name": name, "namespace": "a"},
            "spec": {"spec": {"devices": {"requests": [{"name": "gpu", **request}]}}}}  # fmt: skip


def claiming(name: str, *templates: str, **spec: Any) -> Body:
    """A Deployment whose pods claim devices."""
    claims = [{"name": f"c{at}", "resourceClaimTemplateName": template} for at, template in enumerate(templates)]
    return deployment(name, gpus=0, resourceClaims=claims, **spec)


def group_of_pods(kind: str, spec: Body) -> Body:
    """An object of a kind without a schema."""
    return {"apiVersion": "example.com/v1", "kind": kind, "metadata": {"name": kind.lower(), "namespace": "a"},
            "spec": spec}  # fmt: skip


TEMPLATE = {"metadata": {"labels": {"app": "t"}}, "spec": pod_spec()}


def release(chart: str, version: str, values: Body) -> Body:
    """A HelmRelease of a chart."""
    source = {"kind": "HelmRepository", "name": "nvidia"}
    return {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": {"name": chart, "namespace": "gpu"},
            "spec": {"interval": "1h", "values": values, "chart": {"spec": {
                "chart": chart, "version": version, "sourceRef": source}}}}  # fmt: skip


def made(body: Body, day: str) -> Body:
    """An object with a creation date."""
    return {**body, "metadata": {**body["metadata"], "creationTimestamp": f"2026-01-{day}T00:00:00Z"}}


def changed(body: Body, **parts: Any) -> Body:
    """An object with some parts replaced."""
    return {**body, **parts}


def stateful(name: str, replicas: int) -> Body:
    """A StatefulSet."""
    return {**deployment(name, replicas), "kind": "StatefulSet"}


ONE_GPU = {"exactly": {"deviceClassName": "gpu.nvidia.com"}}
WORLDS: dict[str, list[Body]] = {
    "numbers of pods": [
        pool("t", T4X4),
        job("one"), job("some", parallelism=3), job("fewer", parallelism=5, completions=2), job("none", parallelism=0),
        {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "nightly", "namespace": "a"},
         "spec": {"schedule": "0 3 * * *", "jobTemplate": {"spec": job("x", parallelism=2)["spec"]}}},
        deployment("plain"), {**deployment("stateful", 2), "kind": "StatefulSet"},
    ],
    "scaled workloads": [
        pool("t", T4X4, more=(BOTH,)),
        deployment("between", 9), hpa("between", 2, 5),
        deployment("from-one", 9), hpa("from-one", None, 3, "g"),
        deployment("queue", 9), scaled_object("queue", minReplicaCount=1, maxReplicaCount=4),
        deployment("idle", 9), scaled_object("idle", maxReplicaCount=2, idleReplicaCount=0, minReplicaCount=1),
        deployment("twice", 9), hpa("twice", 1, 2, "i"), scaled_object("twice", maxReplicaCount=6),
        hpa("absent", 1, 2, "j"),
        scaled_job("jobs", minReplicaCount=1, maxReplicaCount=3, jobTargetRef={"parallelism": 2}),
        scaled_job("zero", maxReplicaCount=1),
    ],
    "pods that exist": [
        pool("a", A100, A100X4, limits={GPU: "8", "nodes": "3"}),
        node("n1", A100X4, gpus=4), node("n2", A100, of="b"),
        node("n3", A100X4, gpus=4, **{"karpenter.sh/initialized": "false"}),
        node("n4", "Standard_D8s_v5", gpus=0),
        pod("w-1", "n1", owner=("ReplicaSet", "w-5d")), pod("w-2", "n1", owner=("ReplicaSet", "w-5d")),
        pod("done", "n1", phase="Succeeded"), pod("broken", "n2", phase="Failed"), pod("seen", "n2"),
        pod("far", "n9"), pod("agent-1", "n1", owner=("DaemonSet", "agent"), gpus=0, requests={"cpu": "2"}),
        pod("waits"), daemon("agent", {"cpu": "3"}),
        deployment("w", 5), replica_set("w-5d", "w", 5), replica_set("orphan", "gone", 1),
    ],
    "AKS nodes that exist": [
        agents("agents", maxCount=3, count=2, mode="System"), agents("spot", scaleSetPriority="Spot"),
        node("n1", "Standard_NC4as_T4_v3", of="", gpus=1, agentpool="agents",
             **{"kubernetes.azure.com/agentpool": "agents"}),
        node("n2", "Standard_NC4as_T4_v3", of="", gpus=1, agentpool="spot",
             **{"kubernetes.azure.com/scalesetpriority": "spot", ZONE: ""}),
        pod("p1", "n1", requests={"cpu": "1"}), pod("p2", "n2", gpus=0),
        deployment("w", 5, requests={"cpu": "1"}),
    ],
    "pod affinity": [
        pool("a", A100X2, T4X4, more=(TWO_ZONES,)),
        deployment("base", 2, gpus=1), deployment("w", 3, affinity=beside(
            "podAffinity", HOST, labelSelector={"matchLabels": {"app": "base"}})),
        deployment("z", 2, affinity=beside("podAffinity", ZONE, labelSelector={"matchExpressions": [
            {"key": "app", "operator": "In", "values": ["z", "base"]}]})),
        deployment("other", 1, affinity=beside("podAffinity", HOST, namespaces=["b"],
                                               labelSelector={"matchLabels": {"app": "base"}})),
        deployment("every", 1, affinity=beside("podAffinity", HOST, namespaceSelector={},
                                               labelSelector={"matchLabels": {"app": "base"}})),
        deployment("rack", 1, affinity=beside("podAffinity", "example.com/rack",
                                              labelSelector={"matchLabels": {"app": "rack"}})),
    ],
    "pod anti-affinity": [
        pool("a", A100X2, A100X4, more=(TWO_ZONES,)),
        deployment("w", 2, affinity=beside("podAntiAffinity", HOST, labelSelector={"matchLabels": {"app": "w"}})),
        deployment("z", 3, affinity=beside("podAntiAffinity", ZONE, labelSelector={"matchLabels": {"app": "z"}})),
        deployment("not-w", 1, affinity=beside("podAntiAffinity", HOST, labelSelector={"matchExpressions": [
            {"key": "app", "operator": "NotIn", "values": ["not-w"]}]})),
        deployment("free", 1, affinity=beside("podAntiAffinity", HOST, labelSelector={"matchExpressions": [
            {"key": "team", "operator": "Exists"}]})),
        labelled(deployment("team", 1), team="x"),
        deployment("nothing", 1, affinity=beside("podAntiAffinity", HOST)),
    ],
    "preferences that are given up": [
        pool("a", A100, more=(TWO_ZONES,)), pool("t", T4, taints=[
            {"key": "soft", "effect": "PreferNoSchedule"}, {"key": "sku", "value": "gpu", "effect": "NoSchedule"}]),
        deployment("w", 2, affinity=preferring("podAntiAffinity", (1, HOST, {"app": "w"}), (9, ZONE, {"app": "w"}))),
        deployment("v", 2, affinity=preferring("podAffinity", (5, ZONE, {"app": "none"}), (7, HOST, {"app": "w"}))),
        deployment("node", 1, affinity=nodes_with(
            [wants(NAME, "In", "Standard_NC6s_v3")], [wants(NAME, "In", T4)],
            prefer=((1, wants(ZONE, "In", "eastus-2")), (9, wants(CAPACITY, "In", "spot")),
                    (5, wants(COUNT, "Lt", "2"))))),
        deployment("s", 3, topologySpreadConstraints=[
            spread(ZONE, "ScheduleAnyway", "s"), spread(HOST, app="s"), spread(CAPACITY, "ScheduleAnyway", "s")]),
    ],
    "spreads": [
        pool("a", T4X4, more=(TWO_ZONES,)), pool("b", T4, labels={"team": "b"}, more=(wants(ZONE, "In", "eastus-3"),)),
        deployment("two", 5, topologySpreadConstraints=[spread(ZONE, app="two", maxSkew=2)]),
        deployment("domains", 4, topologySpreadConstraints=[spread(ZONE, app="domains", minDomains=4)]),
        deployment("honor", 3, tolerations=[TOLERATION], topologySpreadConstraints=[
            spread(ZONE, app="honor", nodeTaintsPolicy="Honor", nodeAffinityPolicy="Ignore")],
            nodeSelector={"team": "b"}),
        deployment("within", 3, topologySpreadConstraints=[spread(ZONE, app="within")], nodeSelector={"team": "b"}),
        deployment("host", 3, topologySpreadConstraints=[spread(HOST, app="host", matchLabelKeys=["team"])]),
        deployment("none", 2, topologySpreadConstraints=[
            {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}]),
        deployment("way", 2, topologySpreadConstraints=[spread(CAPACITY, app="way")]),
        deployment("rack", 2, topologySpreadConstraints=[spread("example.com/rack", app="rack")]),
    ],
    "a spread counts what runs": [
        pool("a", T4X4, more=(wants(ZONE, "In", "eastus-1", "eastus-2", "eastus-3"),)),
        node("n1", T4X4, gpus=4), node("n2", T4X4, gpus=4, **{ZONE: "eastus-2"}),
        pod("w-1", "n1"), pod("w-2", "n1"), pod("w-3", "n2"),
        deployment("w", 4, topologySpreadConstraints=[spread(ZONE, minDomains=3)]),
        deployment("apart", 1, affinity=beside("podAntiAffinity", ZONE, labelSelector={"matchLabels": {"app": "w"}})),
        deployment("with", 1, affinity=beside("podAffinity", HOST, labelSelector={"matchLabels": {"app": "w"}})),
    ],
    "limits": [
        pool("both", A100, A100X4, limits={GPU: "5", "cpu": "100", "nodes": "2", "memory": "600Gi"}, weight=5),
        pool("none", A100, limits={GPU: "0"}), pool("static", A100, replicas=1), pool("zero", A100, replicas=0),
        pool("few", T4, limits={"nodes": "1"}), pool("small", T4X4, limits={GPU: "3"}),
        deployment("w", 12), deployment("big", 1, gpus=4, requests={"memory": "600Gi"}),
    ],
    "sizes to choose from": [
        pool("many", more=(wants(NAME, "In", A100, A100X2, T4, T4X4, least=3),)),
        pool("counts", A100, A100X2, A100X4, more=(wants(COUNT, "Gt", "1", least=2),)),
        pool("unread", A100, more=(wants(COUNT, "Gt", "many"),)),
        pool("left-out", "Standard_NC6s_v3"), pool("wrong", "Standard_NC4as_T4_v4"),
        deployment("any", requests={"cpu": "12"}),
        deployment("one"), deployment("two", gpus=2), deployment("four", gpus=4, requests={"memory": "300Gi"}),
        deployment("nine", gpus=9),
        deployment("label", nodeSelector={"karpenter.azure.com/sku-gpu-name": "A100"}),
        deployment("not", affinity=nodes_with([wants(COUNT, "NotIn", "1", "2")])),
        deployment("late", nodeSelector={"nvidia.com/gpu.product": "NVIDIA-A100-80GB-PCIe"}),
        deployment("own", nodeSelector={"example.com/team": "a"}),
        deployment("reserved", nodeSelector={"kubernetes.azure.com/podnetwork-type": "overlay"}),
    ],
    "offerings": [
        pool("spot", T4, more=(wants(CAPACITY, "In", "spot"),)),
        pool("zonal", A100, more=(wants(ZONE, "In", "eastus-1"),)),
        pool("none", A100, more=(wants(ZONE, "In", "westus-1"),)), pool("all", T4X4, more=(BOTH, TWO_ZONES)),
        deployment("spot", nodeSelector={CAPACITY: "spot"}), deployment("zone", nodeSelector={ZONE: "eastus-2"}),
        deployment("both", nodeSelector={ZONE: "eastus-3", CAPACITY: "on-demand"}), deployment("any", 2, gpus=4),
        deployment("elsewhere", nodeSelector={ZONE: "westus-1"}),
        deployment("not-spot", affinity=nodes_with([wants(CAPACITY, "NotIn", "spot")])),
    ],
    "taints": [
        pool("soft", T4, taints=[{"key": "a", "effect": "PreferNoSchedule"}], weight=50),
        pool("no-execute", T4, taints=[{"key": "b", "value": "x", "effect": "NoExecute"}]),
        pool("starting", T4, taints=[], startupTaints=[{"key": "c", "effect": "NoSchedule"}], weight=1),
        deployment("plain", tolerations=[]),
        deployment("b", tolerations=[{"key": "b", "operator": "Equal", "value": "x"}]),
        deployment("wrong", tolerations=[{"key": "b", "value": "other"}], nodeSelector={POOL: "no-execute"}),
        deployment("all", tolerations=[{"operator": "Exists"}]),
        deployment("effect", tolerations=[{"key": "b", "operator": "Exists", "effect": "NoSchedule"}],
                   nodeSelector={POOL: "no-execute"}),
    ],
    "daemons": [
        pool("a", A100), pool("t", T4, labels={"team": "t"}),
        daemon("all", {"cpu": "1", "memory": "1Gi"}, tolerations=[{"operator": "Exists"}],
               main={"ports": [{"containerPort": 9400, "hostPort": 9400}]}),
        daemon("team", {"cpu": "10"}, nodeSelector={"team": "t"}),
        daemon("registered", {"cpu": "2"}, nodeSelector={"karpenter.sh/registered": "true"}),
        daemon("kept-off", {"cpu": "20"}, tolerations=[]),
        deployment("cpu", requests={"cpu": "20"}), deployment("small", requests={"cpu": "3"}),
        deployment("port", main={"ports": [{"containerPort": 80, "hostPort": 9400}]}),
        deployment("udp", main={"ports": [{"containerPort": 80, "hostPort": 9400, "protocol": "UDP"}]}),
        deployment("twice", 2, gpus=0, requests={"nvidia.com/gpu": "1"}, hostNetwork=True,
                   main={"ports": [{"containerPort": 7000}]}),
    ],
    "AKS node pools": [
        agents("auto", availabilityZones=["auto"], nodeLabels={"team": "x"}),
        agents("zonal", availabilityZones=["1", "2"], nodeTaints=["a=b:NoSchedule", "c:d=e:PreferNoSchedule"]),
        fixed("fixed", 2, maxPods=3, osDiskSizeGB=64), fixed("empty", 0),
        agents("spot", scaleSetPriority="Spot", minCount=1), agents("unknown", size="Standard_NC4as_T4_v4"),
        agents("windows", osType="Windows", osSKU="Windows2022", size="Standard_NV36ads_A10_v5"),
        deployment("w", 9), deployment("team", nodeSelector={"team": "x"}),
        deployment("pool", nodeSelector={"agentpool": "fixed"}),
        deployment("system", nodeSelector={"kubernetes.azure.com/mode": "user"}),
        deployment("own", nodeSelector={"example.com/x": "own"}),
        deployment("nvidia", nodeSelector={"nvidia.com/gpu.present": "true"}),
        deployment("spot", tolerations=[{"operator": "Exists"}],
                   nodeSelector={"kubernetes.azure.com/scalesetpriority": "spot"}),
        deployment("zone", nodeSelector={ZONE: "eastus-2"}),
        deployment("region", nodeSelector={"topology.kubernetes.io/region": "eastus"}),
        deployment("rdma", limits={"rdma/hca_shared_devices_a": "1"}, gpus=0),
        deployment("disk", requests={"ephemeral-storage": "100Gi"}), deployment("large", requests={"memory": "27Gi"}),
    ],
    "instances of GPUs on AKS": [
        agents("single", A100, gpuInstanceProfile="MIG1g"),
        agents("mixed", A100, gpuInstanceProfile="MIG2g", gpuProfile={
            "driver": "Install", "nvidia": {"managementMode": "Managed", "migStrategy": "Mixed"}}),
        deployment("whole", 2), deployment("part", 3, gpus=0, limits={"nvidia.com/mig-2g.20gb": "1"}),
        deployment("other", 1, gpus=0, limits={"nvidia.com/mig-1g.10gb": "2"}),
    ],
    "claims": [
        agents("a", A100X4, nodeTaints=[]), pool("k", A100),
        claim_template("one", ONE_GPU), claim_template("two", {"exactly": {**ONE_GPU["exactly"], "count": 2}}),
        claim_template("all", {"exactly": {**ONE_GPU["exactly"], "allocationMode": "All"}}),
        claim_template("chosen", {"exactly": {**ONE_GPU["exactly"], "selectors": [{"cel": {"expression": "true"}}]}}),
        claim_template("mig", {"exactly": {"deviceClassName": "mig.nvidia.com"}}),
        claim_template("first", {"firstAvailable": [{"name": "a", "deviceClassName": "gpu.nvidia.com"}]}),
        claim_template("channel", {"exactly": {"deviceClassName": "compute-domain-default-channel.nvidia.com"}}),
        claiming("one", "one"), claiming("three", "one", "two"), claiming("all", "all"), claiming("chosen", "chosen"),
        claiming("mig", "mig"), claiming("first", "first"), claiming("channel", "one", "channel"),
        claiming("absent", "absent"),
        deployment("shared", gpus=0, resourceClaims=[{"name": "c", "resourceClaimName": "shared"}]),
    ],
    "kinds without a description": [
        pool("t", T4X4),
        group_of_pods("Replicated", {"replicas": 2, "template": TEMPLATE}),
        group_of_pods("Nested", {"roles": [{"replicas": 3, "template": TEMPLATE},
                                           {"parallelism": 0, "template": TEMPLATE}]}),
        group_of_pods("Leaders", {"replicas": 2, "leaderWorkerTemplate": {"size": 3, "workerTemplate": TEMPLATE}}),
        group_of_pods("Both", {"replicas": 1, "leaderWorkerTemplate": {
            "size": 3, "leaderTemplate": TEMPLATE, "workerTemplate": TEMPLATE}}),
        group_of_pods("Empty", {"template": {"spec": {"containers": "none"}}}),
    ],
    "shared GPUs": [
        pool("t", T4, labels={"nvidia.com/device-plugin.config": "four"}, limits={GPU: "4"}),
        agents("b", nodeLabels={"nvidia.com/device-plugin.config": "four"}),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "plugin", "namespace": "gpu"},
         "data": {"four": "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"}},
        {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
         "metadata": {"name": "nvidia-device-plugin", "namespace": "gpu"},
         "spec": {"interval": "1h", "chart": {"spec": {"chart": "nvidia-device-plugin", "version": "0.17.1",
                  "sourceRef": {"kind": "HelmRepository", "name": "nvidia"}}},
                  "values": {"config": {"name": "plugin"}}}},
        deployment("w", 6), deployment("many", gpus=3), deployment("agents", 2, nodeSelector={"agentpool": "b"}),
    ],
    "what is not simulated": [
        pool("t", T4X4),
        deployment("volcano", schedulerName="volcano"), deployment("named", nodeName="n1"),
        labelled(deployment("queued"), **{"kueue.x-k8s.io/queue-name": "q"}),
        deployment("disk", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "v"}}]),
        deployment("fields", affinity={"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [
            {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}}}),
        deployment("cpu", gpus=0, requests={"cpu": "1"}),
        deployment("pinned", gpus=0, nodeSelector={POOL: "t"}),
        {"apiVersion": "kaito.sh/v1beta1", "kind": "Workspace", "metadata": {"name": "k", "namespace": "a"},
         "resource": {"instanceType": A100, "labelSelector": {"matchLabels": {"a": "k"}}},
         "inference": {"preset": {"name": "phi-4-mini-instruct"}}},
    ],
    "node classes": [
        pool("absent", A100, owner="absent"), pool("default", A100, owner="default"),
        pool("small", T4, owner="small"), pool("other", T4, owner="gpu"),
        {**CLASS, "metadata": {"name": "small"},
         "spec": {"imageFamily": "Ubuntu2204", "osDiskSizeGB": 40, "maxPods": 12}},
        deployment("disk", 2, requests={"ephemeral-storage": "60Gi"}, nodeSelector={POOL: "small"}),
        deployment("pods", 1, nodeSelector={POOL: "small"}),
        deployment("absent", nodeSelector={POOL: "absent"}), deployment("default"),
    ],
    "amounts near the limit": [
        pool("a", A100),
        deployment("near", requests={"memory": "190Gi"}), deployment("over", requests={"memory": "210Gi", "cpu": "2"}),
        deployment("cpu", requests={"cpu": "23500m"}), deployment("init", initContainers=[
            {"name": "i", "image": "x", "resources": {"requests": {"cpu": "30"}}}]),
        deployment("side", initContainers=[{"name": "i", "image": "x", "restartPolicy": "Always",
                                            "resources": {"requests": {"cpu": "12"}}}], requests={"cpu": "12"}),
        deployment("overhead", overhead={"cpu": "20"}, requests={"cpu": "6"}),
    ],
    "what decides at last": [
        pool("a", A100, limits={GPU: "2"}),
        *(made(pod(name), at) for name, at in (("first", "03"), ("second", "01"), ("third", "02"))),
        {**deployment("chat"), "kind": "ReplicaSet"},
    ],
    "nodes in several states": [
        pool("a", A100, A100X2, limits={GPU: "9"}), pool("a-b", A100X2), pool("absent", A100, owner="absent"),
        changed(node("n1", A100), status={"capacity": {"cpu": "24", "memory": "200Gi", "pods": "3", GPU: "1"}}),
        changed(node("n2", A100X2, gpus=2), spec={"taints": [
            {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}),
        changed(node("n3", A100X2, gpus=2, **{"karpenter.sh/initialized": "false"}), spec={"taints": [
            {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}, {"key": "own", "effect": "NoSchedule"}]}),
        changed(node("n4", A100X2, gpus=2, **{"karpenter.sh/initialized": "false"}), spec={"taints": [
            {"key": "karpenter.sh/unregistered", "effect": "NoExecute"}]}),
        node("n5", "Standard_NC4as_T4_v4"), node("n6", A100, gpus=0), node("n7", A100, of="gone"),
        daemon("agent", {"cpu": "4"}),
        pod("agent-1", "n4", owner=("DaemonSet", "agent"), gpus=0, requests={"cpu": "9"}),
        pod("old", "n4", requests={"cpu": "3"}),
        pod("on-a", "aks-a-1"), pod("on-b", "aks-a-b-7"), pod("on-b-too", "aks-a-b-7"),
        pod("too-large", "aks-a-9", gpus=8),
        pod("off", "aks-absent-1"), pod("agent-2", "aks-a-2", owner=("DaemonSet", "agent"), gpus=0),
        deployment("w", 8), deployment("cpu", 2, requests={"cpu": "20"}),
    ],
    "ports of nodes": [
        pool("a", A100X4), node("n1", A100X4, gpus=4),
        pod("old", "n1", main={"ports": [{"containerPort": 80, "hostPort": 8080}]}),
        deployment("w", 3, main={"ports": [{"containerPort": 80, "hostPort": 8080}]}),
        deployment("other", 2, main={"ports": [{"containerPort": 80, "hostPort": 8081, "hostIP": "10.0.0.1"}]}),
        deployment("all", 1, main={"ports": [{"containerPort": 80, "hostPort": 8081}]}),
        deployment("free", 2, main={"ports": [{"containerPort": 80}]}),
    ],
    "labels of sizes": [
        pool("a", A100, A100X2, more=(wants(COUNT, "Gt", "0"),)), pool("t", T4, T4X4, labels={"team": "t"}),
        deployment("more", affinity=nodes_with([wants(COUNT, "Gt", "4")])),
        deployment("less", affinity=nodes_with([wants(COUNT, "Lt", "1")])),
        deployment("not", affinity=nodes_with([wants(NAME, "NotIn", A100, A100X2, T4, T4X4)])),
        deployment("exists", affinity=nodes_with([wants("example.com/x", "Exists")])),
        deployment("without", affinity=nodes_with([wants("team", "DoesNotExist")])),
        deployment("absent", affinity=nodes_with([wants(NAME, "DoesNotExist")])),
        deployment("either", affinity=nodes_with([wants("team", "In", "u")], [wants("team", "In", "t", "u")])),
        deployment("windows", nodeSelector={"kubernetes.io/os": "windows"}),
        deployment("fips", nodeSelector={"kubernetes.azure.com/fips_enabled": "true"}),
        deployment("mode", nodeSelector={"kubernetes.azure.com/mode": "user"}),
        deployment("region", nodeSelector={"topology.kubernetes.io/region": "westus"}),
        deployment("memory", affinity=nodes_with([wants("karpenter.azure.com/sku-memory", "Gt", "100000")])),
        deployment("way", nodeSelector={"kubernetes.azure.com/scalesetpriority": "regular"}),
    ],
    "prices and zones": [
        pool("spot", T4, T4X4, more=(wants(CAPACITY, "In", "spot"),)), pool("both", A100, A100X2, more=(BOTH,)),
        pool("unpriced", "Standard_NC80adis_H100_v5"), pool("zoned", "Standard_NC40ads_H100_v5", more=(TWO_ZONES,)),
        deployment("spot", 2, nodeSelector={POOL: "spot"}), deployment("both", 3, nodeSelector={POOL: "both"}),
        deployment("large", gpus=2, nodeSelector={POOL: "unpriced"}), deployment("zoned", nodeSelector={POOL: "zoned"}),
        deployment("zone", nodeSelector={POOL: "zoned", ZONE: "eastus-2"}),
    ],
    "several domains": [
        pool("a", A100, more=(TWO_ZONES,), labels={"team": "a"}, weight=2),
        pool("b", T4, more=(wants(ZONE, "In", "eastus-2", "eastus-3"),), labels={"team": "b"}),
        pool("c", T4, taints=[{"key": "soft", "effect": "PreferNoSchedule"}], more=(wants(ZONE, "In", "eastus-9"),)),
        node("n1", A100, team="a"), pod("two-1", "n1", owner=("ReplicaSet", "x")),
        deployment("w", 4, topologySpreadConstraints=[spread(ZONE)], affinity=nodes_with(
            [wants("team", "In", "a")], [wants("team", "In", "b")])),
        deployment("ignored", 3, topologySpreadConstraints=[spread(ZONE, app="ignored", nodeAffinityPolicy="Ignore")],
                   nodeSelector={"team": "a"}),
        deployment("tolerant", 4, topologySpreadConstraints=[spread(ZONE, app="tolerant", nodeTaintsPolicy="Honor")],
                   tolerations=[{"operator": "Exists"}]),
        deployment("teams", 3, topologySpreadConstraints=[spread("team", app="teams")]),
        deployment("hosts", 3, topologySpreadConstraints=[spread(HOST, maxSkew=2)]),
        deployment("together", 3, affinity=beside(
            "podAffinity", ZONE, labelSelector={"matchLabels": {"app": "together"}})),
        deployment("softly", 2, affinity=preferring("podAffinity", (1, HOST, {"app": "together"}))),
    ],
    "GPUs that the operator cuts": [
        pool("small", A100, labels={MIG: "all-1g.10gb"}), pool("own", A100, labels={MIG: "own"}),
        pool("off", A100, labels={MIG: "all-disabled"}), pool("unknown", A100, labels={MIG: "nobody-knows"}),
        pool("t", T4, labels={MIG: "all-1g.10gb"}),
        release("gpu-operator", "v26.7.0", {
            "mig": {"strategy": "mixed"}, "migManager": {"config": {"name": "layouts"}}}),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "layouts", "namespace": "gpu"}, "data": {
            "config.yaml": "version: v1\nmig-configs:\n  own:\n  - devices: all\n    mig-enabled: true\n"
                           "    mig-devices: {1g.10gb: 2, 2g.20gb: 1, 1g.10gb+me: 1}\n"}},
        deployment("part", 9, gpus=0, limits={"nvidia.com/mig-1g.10gb": "1"}),
        deployment("larger", 2, gpus=0, limits={"nvidia.com/mig-2g.20gb": "1"}),
        deployment("media", 1, gpus=0, limits={"nvidia.com/mig-1g.10gb.me": "1"}),
        deployment("whole", 2), deployment("off", nodeSelector={POOL: "off"}),
    ],
    "the default of the device plugin": [
        pool("a", A100), pool("mps", A100X2, labels={"nvidia.com/device-plugin.config": "mps"}),
        pool("absent", T4, labels={"nvidia.com/device-plugin.config": "absent"}),
        release("nvidia-device-plugin", "0.17.1", {"config": {"default": "slices", "map": {
            "slices": "version: v1\nsharing: {timeSlicing: {renameByDefault: true, resources: "
                      "[{name: nvidia.com/gpu, replicas: 3}, {name: gpu, replicas: 1}, {replicas: 2}]}}\n",
            "mps": "version: v1\nsharing: {mps: {renameByDefault: true, resources: "
                   "[{name: gpu, rename: gpu-part, replicas: 5}]}}\n"}}}),
        deployment("shared", 4, gpus=0, limits={"nvidia.com/gpu.shared": "1"}),
        deployment("part", 7, gpus=0, limits={"nvidia.com/gpu-part": "1"}), deployment("whole", 2),
    ],
    "what the API server rejects": [
        pool("a", A100, owner="wrong"), pool("t", T4), fixed("b", 1, nodeTaints=["sku=gpu"]),
        {**CLASS, "metadata": {"name": "wrong"}, "spec": {"imageFamily": "Debian"}},
        changed(pool("named", T4), spec={**pool("named", T4)["spec"], "weight": 1000}),
        deployment("w"), deployment("a", nodeSelector={POOL: "a"}),
        deployment("dup", initContainers=[{"name": "main", "image": "x"}]), job("never", backoffLimit=-1),
        daemon("bad", {"cpu": "1 core"}), group_of_pods("Odd", {"template": {"spec": {"containers": [{"name": "A"}]}}}),
    ],
    "pools that are alike": [
        agents("one"), agents("two"), fixed("three", 1), agents("min", minCount=2, maxCount=2),
        changed(node("n1", "Standard_NC4as_T4_v3", of="", agentpool="three"), spec={}),
        changed(node("n2", "Standard_NC4as_T4_v3", of="", agentpool="min"), status={
            "capacity": {"cpu": "4", "memory": "lots", "pods": "30", GPU: "1"}, "allocatable": {}}),
        pod("on-none", "aks-one-1"), pod("daemon", "aks-one-2", owner=("DaemonSet", "d"), gpus=0),
        deployment("w", 7), deployment("memory", requests={"memory": "1Gi"}),
    ],
    "GPUs that Azure does not count": [
        pool("none", *UNCOUNTED), pool("t", T4), deployment("w", nodeSelector={POOL: "none"}),
        deployment("many", gpus=2, requests={"cpu": "200"}), deployment("amd", gpus=0, limits={"amd.com/gpu": "1"}),
    ],
    "more pods than are simulated": [
        pool("t", T4, limits={GPU: "1"}), deployment("w", 10_001), deployment("v", 2), hpa("v", 1, 20_000),
    ],
    "many nodes with as many pods": [
        pool("a", A100X2), deployment("w", 13, requests={"cpu": "25"}),
        deployment("v", 13, gpus=0, requests={"cpu": "4"},
                                                                                  nodeSelector={POOL: "a"}),
    ],
    "unknown facts": [
        pool("new", "Standard_NC12s_v2"), pool("large", "Standard_ND96ams_A100_v4"), pool("old", T4),
        *(deployment(key, nodeSelector={POOL: "new"} if "storage" in key or "networking" in key else {POOL: "large"},
                     affinity=nodes_with([wants(f"karpenter.azure.com/sku-{key}", "Exists")])) for key in FACTS),
        *(deployment(f"k{at}", nodeSelector={POOL: "large"}, affinity=nodes_with([wants(key, "Exists")]))
          for at, key in enumerate(("kubernetes.azure.com/sku-cpu", "kubernetes.azure.com/sku-memory",
                                    "kubernetes.azure.com/cluster"))),
    ],
    "not for Karpenter on AKS": [
        pool("t", T4, weight=1),
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "aws"},
         "spec": {"template": {"spec": {"requirements": [], "nodeClassRef": {
             "group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "aws"}}}}},
        changed(deployment("queued"), metadata={"name": "queued", "namespace": "a",
                                                "labels": {"kueue.x-k8s.io/queue-name": "gpus"}}),
        changed(stateful("kept", 2), spec={**stateful("kept", 2)["spec"], "volumeClaimTemplates": [
            {"metadata": {"name": "v"},
             "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}),
        {**scaled_object("wrong", maxReplicaCount=3, minReplicaCount=9),
         "metadata": {"name": "Wrong", "namespace": "a"}},
        hpa("absent", 1, 2, "one"), hpa("absent", 1, 3, "two"), hpa("t", 1, 2, "Two"),
    ],
}  # fmt: skip
ASKED: dict[str, dict[str, Any]] = {
    "prices and zones": {"spot": {T4: 0.4, A100: 1.5}},
    "limits": {"region": ""},
    "offerings": {"region": "uksouth"},
    "daemons": {"overhead": {"cpu": Decimal(2), "memory": Decimal(2**30)}},
}
