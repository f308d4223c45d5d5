"""The situations, and what must be said about each."""

from tests.diagnose.recording.moving import MOVING
from tests.diagnose.recording.parts import (
    BIND,
    GPU,
    H100,
    JOIN_NOT_READY,
    JOIN_WITHOUT,
    LAUNCH,
    LIFECYCLE,
    PROVISION,
    RUNNING,
    Situation,
    join,
    node_class,
    node_pool,
    plugin,
    pod,
    refuse,
    situation,
    wait,
)
from tests.diagnose.recording.refusing import REFUSING

CHAT, CLAIM, NODE = "Pod ml/chat-0", "NodeClaim gpu-00001", "Node aks-gpu-00001"
STARTUP = {"key": "gpu.example.com/starting", "effect": "NoSchedule"}
UNINITIALIZED = {"key": "node.cloudprovider.kubernetes.io/uninitialized", "value": "true", "effect": "NoSchedule"}
TWO_GPUS = "Standard_NC48ads_A100_v4"

FITTING = {
    "running": Situation(situation(*RUNNING), {}, ("nothing is wrong",), ("help",)),
    "fits-on-running-node": Situation(
        situation(
            *LAUNCH,
            wait("2m"),
            join(2),
            LIFECYCLE,
            LIFECYCLE,
            BIND,
            {"create": pod("chat-1")},
            PROVISION,
            wait("1m"),
            pools=[node_pool(sizes=(TWO_GPUS,))],
        ),
        {"Pod ml/chat-1": "fits-now"},
        ("aks-gpu-00001",),
        ("no-pool",),
    ),
}

WAITING = {
    "claim-created": Situation(situation(PROVISION, wait("10s")), {CHAT: "waiting-for-node"}, ("gpu-00001",)),
    "registering": Situation(
        situation(*LAUNCH, wait("2m"), LIFECYCLE),
        {CHAT: "waiting-for-node", CLAIM: "waiting-for-node"},
        ("its kubelet has not joined",),
        ("stuck-node",),
    ),
    "joined-not-ready-yet": Situation(
        situation(*LAUNCH, wait("2m"), JOIN_NOT_READY, LIFECYCLE, wait("30s"), LIFECYCLE),
        {CHAT: "waiting-for-node"},
        (),
        ("stuck-node", "look at the kubelet"),
    ),
    "gpus-not-registered-yet": Situation(
        situation(*LAUNCH, wait("2m"), JOIN_WITHOUT, LIFECYCLE, wait("1m"), LIFECYCLE),
        {CHAT: "waiting-for-node"},
        ("not registered yet",),
        ("stuck-node",),
    ),
    "two-pods-two-nodes": Situation(
        situation(*LAUNCH, wait("1m"), LIFECYCLE, pods=[pod(), pod("chat-1")]),
        {CHAT: "waiting-for-node", "Pod ml/chat-1": "waiting-for-node"},
        ("gpu-00002",),
    ),
    "started-again-after-timeout": Situation(
        situation(
            *LAUNCH, wait("2m"), LIFECYCLE, wait("16m"), LIFECYCLE, LIFECYCLE, LIFECYCLE, *LAUNCH, wait("1m"), LIFECYCLE
        ),
        {CHAT: "waiting-for-node"},
        ("gpu-00002",),
    ),
}

STUCK = {
    "never-registers": Situation(
        situation(*LAUNCH, wait("12m"), LIFECYCLE),
        {CHAT: "stuck-node"},
        ("its kubelet has not joined",),
    ),
    "joined-never-ready": Situation(
        situation(*LAUNCH, wait("2m"), JOIN_NOT_READY, LIFECYCLE, wait("20m"), LIFECYCLE),
        {CHAT: "stuck-node", NODE: "node-not-ready"},
        ("not Ready",),
    ),
    "without-gpus": Situation(
        situation(*LAUNCH, wait("2m"), JOIN_WITHOUT, LIFECYCLE, wait("20m"), LIFECYCLE, daemonsets=[]),
        {CHAT: "stuck-node", NODE: "stuck-node"},
        ("Karpenter counts its GPUs and starts no other node", "22 minutes"),
    ),
    "plugin-not-tolerating": Situation(
        situation(*LAUNCH, wait("2m"), JOIN_WITHOUT, LIFECYCLE, wait("20m"), LIFECYCLE, daemonsets=[plugin([])]),
        {CHAT: "stuck-node", NODE: "stuck-node"},
        ("does not tolerate the taint sku=gpu:NoSchedule", "add a toleration"),
    ),
    "startup-taint-left": Situation(
        situation(
            *LAUNCH, wait("2m"), join(), LIFECYCLE, wait("20m"), LIFECYCLE,
            pools=[node_pool(template={"startupTaints": [STARTUP]})],
        ),
        {CHAT: "stuck-node"},
        ("gpu.example.com/starting",),
        ("without its GPUs",),
    ),
    "cloud-taint-left": Situation(
        situation(*LAUNCH, wait("2m"), join(taints=[UNINITIALIZED]), LIFECYCLE, wait("20m"), LIFECYCLE),
        {CHAT: "stuck-node"},
        ("node.cloudprovider.kubernetes.io/uninitialized",),
        ("without its GPUs",),
    ),
    "fewer-gpus": Situation(
        situation(
            *LAUNCH, wait("2m"), join(7), LIFECYCLE, wait("10m"), LIFECYCLE,
            pools=[node_pool(sizes=(H100,))], pods=[pod(gpus=8)],
        ),
        {NODE: "node-fault"},
        ("7 of the 8 GPUs",),
    ),
}  # fmt: skip

OTHER = {"key": "sku", "operator": "Equal", "value": "other"}
UNPLACED = {
    "taint-not-tolerated": Situation(
        situation(PROVISION, wait("2m"), pods=[pod(tolerations=[OTHER])]), {CHAT: "no-pool"}, ("sku=gpu",)
    ),
    "label-of-no-pool": Situation(
        situation(PROVISION, wait("2m"), pods=[pod(nodeSelector={"team": "search"})]), {CHAT: "no-pool"}, ("team",)
    ),
    "more-gpus-than-any-size": Situation(
        situation(PROVISION, wait("2m"), pods=[pod(gpus=4)]), {CHAT: "no-pool"}, (), ("cloud-refused",)
    ),
    "other-region": Situation(
        situation(PROVISION, wait("2m"), pods=[pod(nodeSelector={"topology.kubernetes.io/zone": "westeurope-1"})]),
        {CHAT: "no-pool"}, ("westeurope-1",),
    ),
    "limit-reached": Situation(
        situation(*RUNNING, {"create": pod("chat-1")}, PROVISION, wait("2m"), pools=[node_pool(limits={GPU: "1"})]),
        {"Pod ml/chat-1": "limit"}, ("limit",), ("no-pool", "ml/chat-0"),
    ),
    "class-not-ready": Situation(
        situation(
            PROVISION, wait("2m"),
            nodeclasses=[node_class(SubnetNotFound="subnet /subscriptions/0/subnets/gpu was not found")],
        ),
        {CHAT: "node-class-not-ready"}, ("subnet",),
    ),
    "class-missing": Situation(
        situation(PROVISION, wait("2m"), nodeclasses=[]), {CHAT: "node-class-not-ready"}, ("not found",)
    ),
    "class-fails-at-launch": Situation(
        situation(
            refuse("class", "Performing kubernetes upgrade, need to get latest images"),
            *LAUNCH, LIFECYCLE, wait("30s"),
        ),
        {CHAT: "waiting-for-node"},
    ),
    "suspended-by-a-gate": Situation(
        situation(PROVISION, wait("2m"), pods=[pod(schedulingGates=[{"name": "example.com/wait"}])]),
        {CHAT: "suspended"}, ("example.com/wait",), ("no-pool",),
    ),
}  # fmt: skip

SITUATIONS = {**FITTING, **WAITING, **STUCK, **REFUSING, **UNPLACED, **MOVING}
