"""The values of Kueue's chart: its configuration, where the queues of teams need another one."""

import json

from gitgpu.emit.emitter import Body
from gitgpu.plan.decided.queues import Queues
from gitgpu.plan.queues import CONFIGURATION

# First, a team gets back what others have borrowed of its share; then, shares are made equal.
STRATEGIES = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]


def kueue_values(queues: Queues) -> Body:
    """The values of the chart; {} if the configuration of the chart is enough. A text in it is the whole one."""
    needed: Body = {}
    if queues.fair:
        needed["fairSharing"] = {"preemptionStrategies": STRATEGIES}
    if queues.claimed:
        mappings = [{"name": name, "deviceClassNames": [name]} for name in queues.claimed]
        needed["resources"] = {"deviceClassMappings": mappings}
    if not needed:
        return {}
    # As JSON, which is also valid YAML.
    text = json.dumps({**queues.configuration, **needed}, indent=2) + "\n"
    return {"managerConfig": {CONFIGURATION: text}}
