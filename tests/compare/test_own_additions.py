"""Which changes of a NodePool the spec can leave away, and with which key."""

import pytest

from gitgpu.compare.change import Field
from gitgpu.compare.own_additions import CLASS, OPT_OUT, remedies

LABEL = 'spec.template.metadata.labels."{}"'
KEY = "nvidia.com/gpu.deploy.device-plugin"
OPERANDS, PLUGIN = LABEL.format(OPT_OUT), LABEL.format(KEY)
CONFIG = LABEL.format("nvidia.com/device-plugin.config")
SPOT = "spec.template.spec.taints[kubernetes.azure.com/scalesetpriority:NoSchedule].value"


@pytest.mark.parametrize(
    ("field", "said"),
    [
        (Field(CLASS, "own", "gpu"), ["nodeClass: {name: own} keeps the AKSNodeClass"]),
        (Field(CLASS, None, "gpu"), []),
        (Field("spec.template.spec.nodeClassRef.kind", "AKSNodeClass", None), []),
        (
            Field("spec.template.spec.startupTaints", [], None),
            ["explicitDefaults: {nodePool: {startupTaints: []}} keeps the empty startupTaints"],
        ),
        (Field("spec.template.spec.startupTaints", None, []), []),
        (Field("spec.template.spec.startupTaints", [{"key": "team"}], None), []),
        (Field(OPERANDS, None, "false"), [f"operatorOptOut: false omits the label {OPT_OUT}"]),
        (Field(OPERANDS, "false", None), [f"operatorOptOut: true keeps the label {OPT_OUT}"]),
        (Field(OPERANDS, "true", "false"), []),
        (
            Field(PLUGIN, None, "true"),
            [f"labels: {{{KEY}: null}} omits the label {KEY}"],
        ),
        (Field(PLUGIN, "true", None), []),
        (Field(LABEL.format("team"), None, "research"), []),
        (
            Field(CONFIG, "shared", "time-slicing-4"),
            ["labels: {nvidia.com/device-plugin.config: shared} keeps the name of the configuration"],
        ),
        (Field(CONFIG, None, "time-slicing-4"), []),
        (Field(SPOT, None, "spot"), ["spotTaint: false omits the taint kubernetes.azure.com/scalesetpriority"]),
        (Field(SPOT, None, "other"), []),
        (Field(SPOT, "other", "spot"), []),
    ],
    ids=lambda value: f"{value.path} {value.before} {value.after}" if isinstance(value, Field) else "",
)
def test_what_keeps_a_nodepool_as_it_is(field: Field, said: list[str]) -> None:
    assert list(remedies([field])) == said
