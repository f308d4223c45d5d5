"""The values of Kueue's chart: its configuration, where the queues of teams need another one."""

import json

from gitgpu.emit.emitter import Body
from gitgpu.plan.decided.queues import Queues
from gitgpu.plan.queues import CONFIGURATION

# While no manager runs, the webhooks refuse every new pod and job outside kube-system and its own namespace.
MANAGERS: Body = {"replicas": 2, "podDisruptionBudget": {"enabled": True}}
# The default of Kueue, which has no default in its configuration: a workload is stopped only if shares get more equal.
STRATEGIES = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]


def kueue_values(queues: Queues) -> Body:
    """The values of the chart, with a configuration only if that of the chart is not enough: the text is all of it."""
    needed: Body = {}
    if queues.fair:
        needed["fairSharing"] = {"preemptionStrategies": STRATEGIES}
    if queues.claimed:
        mappings = [{"name": name, "deviceClassNames": [name]} for name in queues.claimed]
        needed["resources"] = {"deviceClassMappings": mappings}
    if not needed:
        return {"controllerManager": MANAGERS}
    # As JSON, which is also valid YAML.
    text = json.dumps({**queues.configuration, **needed}, indent=2) + "\n"
    return {"controllerManager": MANAGERS, "managerConfig": {CONFIGURATION: text}}
