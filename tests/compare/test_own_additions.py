"""Changes to a NodePool that the spec can prevent, and the key for each."""

from gitgpu.compare.change import Field
from gitgpu.compare.own_additions import CLASS, class_remedies, remedies, requirement_remedies, subnet_remedies
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL
from gitgpu.model.syntax.requirement import requirement
from tests.helping.cases import for_each

LABEL = 'spec.template.metadata.labels."{}"'
KEY = "nvidia.com/gpu.deploy.device-plugin"
OPERANDS, PLUGIN = LABEL.format(DEPLOY_OPERANDS_LABEL), LABEL.format(KEY)
CONFIG = LABEL.format("nvidia.com/device-plugin.config")
SPOT = "spec.template.spec.taints[kubernetes.azure.com/scalesetpriority:NoSchedule].value"


@for_each(
    ("field", "expected"),
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
        (Field(OPERANDS, None, "false"), [f"operatorOptOut: false omits the label {DEPLOY_OPERANDS_LABEL}"]),
        (Field(OPERANDS, "false", None), [f"operatorOptOut: true keeps the label {DEPLOY_OPERANDS_LABEL}"]),
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
def test_which_keys_keep_a_nodepool_unchanged(field: Field, expected: list[str]) -> None:
    assert list(remedies([field])) == expected


GPU = "spec.template.spec.taints[sku:NoSchedule]"


@for_each(
    ("field", "expected"),
    [
        (Field(f"{GPU}.value", None, "gpu"), ["taints: [] omits the taint sku=gpu:NoSchedule"]),
        (Field(f"{GPU}.effect", None, "NoSchedule"), []),
        (Field(f"{GPU}.key", None, "gpu"), []),
        (Field("spec.template.metadata.labels.team", None, "x"), []),
        (
            Field(LABEL.format("nvidia.com/gpu.present"), None, "true"),
            ["labels: {nvidia.com/gpu.present: null} omits the label nvidia.com/gpu.present"],
        ),
        (
            Field(LABEL.format("nvidia.com/cuda.driver.major"), None, "580"),
            ["labels: {nvidia.com/cuda.driver.major: null} omits the label nvidia.com/cuda.driver.major"],
        ),
        (
            Field(LABEL.format("nvidia.com/dra-kubelet-plugin"), None, "true"),
            ["labels: {nvidia.com/dra-kubelet-plugin: null} omits the label nvidia.com/dra-kubelet-plugin"],
        ),
        (Field(LABEL.format("nvidia.com/other"), None, "x"), []),
        (
            Field(LABEL.format("nvidia.com/mig.config"), "all-1g.10gb", "own"),
            ["labels: {nvidia.com/mig.config: all-1g.10gb} keeps the name of the configuration"],
        ),
        (Field(LABEL.format("nvidia.com/mig.config"), "all-1g.10gb", None), []),
        *(
            (
                Field(path, {}, None),
                [f"explicitDefaults: {{nodePool: {{{key}: {{}}}}}} keeps the empty {key}"],
            )
            for path, key in (
                ("spec.template.spec.taints", "taints"),
                ("spec.template.metadata.labels", "labels"),
                ("spec.template.metadata.annotations", "annotations"),
            )
        ),
        (Field("spec.template.spec.other", [], None), []),
    ],
    ids=lambda value: f"{value.path} {value.before} {value.after}" if isinstance(value, Field) else "",
)
def test_which_keys_omit_additions_of_gitgpu(field: Field, expected: list[str]) -> None:
    assert list(remedies([field])) == expected


def test_which_keys_keep_a_class_unchanged() -> None:
    fields = [
        Field("spec.fipsMode", "Disabled", None),
        Field("spec.gpu.mode", "Driver", None),
        Field("spec.gpu.mode", None, "Driver"),
        Field("spec.gpu.mode", "Driver", "None"),
        Field("spec.artifactStreaming.enabled", False, None),
        Field("spec.kubelet.cpuCFSQuota", True, None),
        Field("spec.security.encryptionAtHost", False, None),
        Field("spec.osDiskSizeGB", 128, None),
        Field("spec.vnetSubnetID", "/own", None),
    ]
    assert list(class_remedies(fields)) == [
        "explicitDefaults: {nodeClass: {fipsMode: Disabled}} keeps fipsMode",
        "explicitDefaults: {nodeClass: {gpu: {mode: Driver}}} keeps gpu.mode",
        "explicitDefaults: {nodeClass: {artifactStreaming: {enabled: false}}} keeps artifactStreaming.enabled",
        "kubelet: {cpuCFSQuota: true} keeps kubelet.cpuCFSQuota",
        "security: {encryptionAtHost: false} keeps security.encryptionAtHost",
    ]
    assert list(subnet_remedies([*fields, Field("spec.vnetSubnetID", None, "/new")])) == [
        "subnet: /own keeps the subnet"
    ]


def test_requirements_that_gitgpu_derives() -> None:
    name, capacity, zone = "karpenter.azure.com/sku-name", "karpenter.sh/capacity-type", "topology.kubernetes.io/zone"
    requirements = {key: requirement(key, "Exists") for key in (name, capacity, zone)}
    both = f"nodeRequirements without sku and requirements does not add a requirement on {name} and {capacity}"
    assert list(requirement_remedies({}, requirements)) == [both]
    assert list(requirement_remedies({name: requirements[name]}, requirements)) == [both.replace(f"{name} and ", "")]
    assert (
        list(requirement_remedies(requirements, {})) == list(requirement_remedies({}, {zone: requirements[zone]})) == []
    )
