"""Situations of nodes that Karpenter would remove: consolidation, drift, expiry, and what keeps it from them."""

from tests.diagnose.recording.parts import (
    DISRUPT,
    DRAIN,
    EXPIRE,
    LIFECYCLE,
    PROVISION,
    RUNNING,
    Body,
    Situation,
    budget,
    change,
    delete,
    node_pool,
    pod,
    situation,
    wait,
)

NODE, CLAIM = "Node aks-gpu-00001", "NodeClaim gpu-00001"
KEPT = {"metadata": {"annotations": {"karpenter.sh/do-not-disrupt": "true"}}}
NONE, BUSY = {"nodes": "0"}, {"nodes": "0", "schedule": "0 0 * * *", "duration": "8h"}
POLICY = {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "1m"}
LATER = (wait("10m"), DISRUPT, wait("1m"))
DRIFTING = change("NodePool", "gpu", {"spec": {"template": {"metadata": {"labels": {"team": "ml"}}}}})
GONE = (*RUNNING, delete("NodeClaim", "gpu-00001"), DRAIN, DRAIN, wait("30m"), DRAIN, DRAIN)
QUIET = ("nothing is wrong",)


def _pool(*budgets: Body, template: Body | None = None, **policy: str) -> list[Body]:
    limits: Body = {"budgets": list(budgets)} if budgets else {}
    disruption: Body = {**POLICY, **policy, **limits}
    return [node_pool(template=template, disruption=disruption)]


MOVING = {
    "consolidation-kept-by-pdb": Situation(situation(*RUNNING, *LATER, others=(budget(),)), {}, QUIET),
    "consolidation-kept-by-pod": Situation(
        situation(*RUNNING, *LATER, pods=[pod(metadata=KEPT["metadata"])]), {}, QUIET
    ),
    "consolidation-kept-by-node": Situation(
        situation(*RUNNING, change("Node", "aks-gpu-00001", KEPT), *LATER), {}, QUIET
    ),
    "consolidation-not-cheaper": Situation(situation(*RUNNING, *LATER), {}, QUIET),
    "consolidation-when-empty-only": Situation(
        situation(*RUNNING, *LATER, pools=_pool(consolidationPolicy="WhenEmpty")), {}, QUIET
    ),
    "consolidation-off": Situation(situation(*RUNNING, *LATER, pools=_pool(consolidateAfter="Never")), {}, QUIET),
    "consolidation-budget-always": Situation(
        situation(*RUNNING, delete("Pod", "chat-0", "ml"), *LATER, pools=_pool(NONE)),
        {NODE: "not-consolidated"}, ("allow no disruption",),
    ),
    "idle-node-kept-by-budget": Situation(
        situation(*RUNNING, delete("Pod", "chat-0", "ml"), *LATER, pools=_pool(BUSY)),
        {NODE: "not-consolidated"}, ("2026-01-01T08:00:00Z",),
    ),
    "consolidating-empty": Situation(situation(*RUNNING, delete("Pod", "chat-0", "ml"), *LATER), {}),
    "drifted-kept-by-pdb": Situation(situation(*RUNNING, DRIFTING, *LATER, others=(budget(),)), {}),
    "drifted-kept-by-budget": Situation(
        situation(*RUNNING, DRIFTING, *LATER, pools=_pool({**NONE, "reasons": ["Drifted"]})), {}
    ),
    "drifted-with-grace-period": Situation(
        situation(
            *RUNNING, DRIFTING, *LATER, pools=_pool(template={"terminationGracePeriod": "1h"}), others=(budget(),)
        ),
        {},
    ),
    "drain-kept-by-pdb": Situation(
        situation(*GONE, others=(budget(),)),
        {NODE: "not-drained"}, ("PodDisruptionBudget ml/chat",),
    ),
    "drain-kept-by-pod": Situation(
        situation(*GONE, pods=[pod(metadata=KEPT["metadata"])]),
        {NODE: "not-drained"}, ("karpenter.sh/do-not-disrupt",),
    ),
    "drain-with-grace-period": Situation(
        situation(*GONE, pools=[node_pool(template={"terminationGracePeriod": "4h"})], others=(budget(),)),
        {NODE: "not-drained"}, ("2026-01-01T04:02:02Z",),
    ),
    "expired-kept-by-pdb": Situation(
        situation(
            *RUNNING, wait("25h"), EXPIRE, DRAIN, DRAIN, wait("30m"), DRAIN,
            pools=[node_pool(template={"expireAfter": "24h"})], others=(budget(),),
        ),
        {NODE: "not-drained"}, ("PodDisruptionBudget ml/chat", "it has expired: expireAfter: 24h"),
    ),
    "never-expires": Situation(
        situation(*RUNNING, wait("1000h"), LIFECYCLE, pools=[node_pool(template={"expireAfter": "Never"})]), {}, QUIET
    ),
    "other-pool-while-draining": Situation(
        situation(*GONE, PROVISION, wait("1m"), others=(budget(),)), {NODE: "not-drained"}
    ),
}  # fmt: skip
