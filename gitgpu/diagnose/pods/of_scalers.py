"""What autoscalers, and kube-scheduler, say about a pod, if the dump lacks the node pools."""

import re

from gitgpu.diagnose.cause import LIMIT, NO_POOL, UNKNOWN, Answer, Cause, clause, subject_of
from gitgpu.diagnose.nodes.refusals import Refusal, cause_of
from gitgpu.diagnose.pods.cluster import Cluster
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.events import Event
from gitgpu.model.symptoms import Symptom, symptoms
from gitgpu.objects.objects import Item

# In catalog/symptoms: a pool at its limit, for each autoscaler, and one that Azure has refused.
_MAXIMUM, _BACKOFF = "node-pool-at-maximum", "node-pool-in-backoff"
_LIMITS = ("exceed-limits", "node-limit-used")
_CLAIMS = "cannot-allocate-claims"
_REASONS = {"NotTriggerScaleUp": (_MAXIMUM, _BACKOFF), "FailedScheduling": _LIMITS}
# As serrors.Wrap of Karpenter writes the pool, and as releases before did: ... (NodePool=gpu) and ...: "gpu".
_POOL = re.compile(r"(?:exceed limits|exhausted) for [a-z]+(?:: \"| \(NodePool=)([a-z0-9.-]+)")


def of_scalers(item: Item, cluster: Cluster) -> Answer | None:
    """The answer of a pod by what was said about it last; None if that says nothing known."""
    state = cluster.state
    known = {symptom.name: symptom for symptom in symptoms(state.objects.catalog)}
    for event in state.events_of(item):
        found = [known[name] for name in _REASONS.get(event.reason, ()) if known[name].text in event.message]
        if found:
            return _answer(item, event, found[0], cluster)
    scheduled = condition(item, "PodScheduled")
    claims = known[_CLAIMS]
    if scheduled and claims.text in scheduled.message:
        cause = Cause(NO_POOL, clause(claims.cause), claims.remedy, claims.commands, claims.rules)
        return Answer(subject_of(item), cause)
    return None


def _answer(item: Item, event: Event, symptom: Symptom, cluster: Cluster) -> Answer:
    if symptom.name == _BACKOFF and cluster.refusals:
        return by_cloud(item, cluster.refusals[0], cluster)
    pool = _POOL.search(event.message) if symptom.name in _LIMITS else None
    message = f"pool {pool[1]}: {clause(symptom.cause)}" if pool else clause(symptom.cause)
    verdict = UNKNOWN if symptom.name == _BACKOFF else LIMIT
    cause = Cause(verdict, message, symptom.remedy, symptom.commands, symptom.rules, pool=pool[1] if pool else "")
    return Answer(subject_of(item), cause)


def by_cloud(item: Item, refusal: Refusal, cluster: Cluster) -> Answer:
    """The answer of a pod for which Azure has refused a node."""
    cause = cause_of(refusal, cluster.region, cluster.state.objects.catalog)
    return Answer(subject_of(item), cause, (refusal.evidence,))
