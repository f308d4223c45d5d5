"""GPU Operator MIG settings: the strategy, and the file of layouts for its MIG manager."""

import json
from collections.abc import Iterator, Sequence

from gitgpu.emit.emitter import Body
from gitgpu.model.mig import Layout
from gitgpu.plan.decided.gpus import Partitioning

OFF = "all-disabled"  # the operator's layout for nodes without the label


def mig_values(wanted: Partitioning) -> Body:
    """The values of the operator's chart. A custom file replaces all layouts that the operator would generate."""
    config = {"name": "mig-layouts", "create": True, "data": {"config.yaml": _file(wanted)}}
    reboot = {"env": [{"name": "WITH_REBOOT", "value": "true"}]} if wanted.reboot else {}
    return {"mig": {"strategy": wanted.strategy}, "migManager": {"config": config, **reboot}}


def _file(wanted: Partitioning) -> str:
    """The text of the file, as JSON, which is also valid YAML."""
    layouts = {OFF: [{"devices": "all", "mig-enabled": False}]}
    layouts |= {name: list(_groups(layout)) for name, layout in wanted.layouts.items()}
    return json.dumps({"version": "v1", "mig-configs": layouts}, indent=2) + "\n"


def _groups(layouts: Sequence[Layout]) -> Iterator[Body]:
    for index, layout in enumerate(layouts):
        devices = (
            {"mig-enabled": True, "mig-devices": dict(sorted(layout.items()))} if layout else {"mig-enabled": False}
        )
        yield {"devices": "all" if len(layouts) == 1 else [index], **devices}
