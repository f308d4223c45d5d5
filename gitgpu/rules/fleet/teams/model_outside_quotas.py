"""A model on a pool whose GPUs Kueue counts: KAITO's pods have no queue."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.teams._reach import quotas_by_cluster
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import POOLS, Fault, served_models
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of models that are in a quota, and the team or priority of a model, once for all its clusters."""
    by_cluster = quotas_by_cluster(inputs)
    reported = set()
    for placed in served_models(inputs):
        if placed.cluster.stack.queues == "none":
            continue
        model = placed.model
        named = {pool.name for pool in placed.pools}
        teams = {quota.team.name for quota in by_cluster[placed.cluster.name] if quota.unit.pool.name in named}
        texts: list[Fault] = [
            (("spec", key), f"spec.{key} has no effect: Kueue does not queue models", f"remove spec.{key}")
            for key in ("team", "priority")
            if getattr(model, key)
        ]
        if teams:
            message = f"Kueue does not queue models, so the quotas of {join_names(sorted(teams))} do not count its GPUs"
            texts.append((POOLS, message, "use a pool that no team has a quota of"))
        for place, message, remedy in texts:
            if (key := (model.origin.ref, place, message)) not in reported:
                reported.add(key)
                yield Finding(model.origin, place, message, remedy)


RULE = Rule(
    code="TEA017",
    name="model-outside-quotas",
    severity=Severity.WARNING,
    summary="A model uses GPUs that quotas of teams count, but Kueue does not queue it.",
    help="Kueue admits the kinds that it has integrations for, and pods with the label of a queue. KAITO's pods have "
    "none: they start without a quota, and workloads that Kueue admits to the same GPUs can stay Pending.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/pkg/controller/jobframework/interface.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/inference/preset_inferences.go",
    ),
    check=_check,
)
