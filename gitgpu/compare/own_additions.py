"""What gitgpu adds to a NodePool's template and an AKSNodeClass, and how the spec keeps running nodes as they are."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from gitgpu.compare.change import Field
from gitgpu.model.names.labels import (
    CAPACITY_TYPE_LABEL,
    DEPLOY_DEVICE_PLUGIN_LABEL,
    DEPLOY_OPERANDS_LABEL,
    DEVICE_PLUGIN_CONFIG_LABEL,
    DRA_KUBELET_PLUGIN_LABEL,
    MIG_CONFIG_LABEL,
    SKU_NAME_LABEL,
)
from gitgpu.model.names.prefixes import NVIDIA_GPU_PREFIX
from gitgpu.model.syntax.requirement import Requirements

CLASS = "spec.template.spec.nodeClassRef.name"
# Labels that gitgpu adds for software that it installs; `labels` with null omits each of them.
ADDED = (DEPLOY_DEVICE_PLUGIN_LABEL, DRA_KUBELET_PLUGIN_LABEL)
DISCOVERED = (NVIDIA_GPU_PREFIX, "nvidia.com/cuda.")  # prefixes of labels that it adds for KAITO
# The path of a label of nodes, which is quoted if it has dots.
_LABEL = re.compile(r'spec\.template\.metadata\.labels\.(?:"([^"]*)"|([^."]*))\Z')
_TAINTS = {
    "spec.template.spec.taints[kubernetes.azure.com/scalesetpriority:NoSchedule]": (
        "spot",
        "spotTaint: false omits the taint kubernetes.azure.com/scalesetpriority",
    ),
    "spec.template.spec.taints[sku:NoSchedule]": ("gpu", "taints: [] omits the taint sku=gpu:NoSchedule"),
}
_EMPTY = {  # empty values that a NodePool may contain: path, and key of explicitDefaults
    "spec.template.spec.taints": "taints",
    "spec.template.spec.startupTaints": "startupTaints",
    "spec.template.metadata.labels": "labels",
    "spec.template.metadata.annotations": "annotations",
}
_AS_WRITTEN = ("spec.kubelet.", "spec.security.")  # fields of a class that have the same names in the spec
DERIVED = (SKU_NAME_LABEL, CAPACITY_TYPE_LABEL)  # zones and placement are set in the spec
_EXPLICIT = ("spec.fipsMode", "spec.gpu.mode", "spec.artifactStreaming.enabled")


def remedies(fields: Sequence[Field]) -> Iterator[str]:
    """What to write in the spec to avoid these changes of a NodePool."""
    for field in fields:
        if label := _LABEL.match(field.path):
            quoted, plain = label.groups()
            yield from _label_effects(quoted or plain, field)
        if field.path == CLASS and field.before:
            yield f"nodeClass: {{name: {field.before}}} keeps the AKSNodeClass"
        if field.path in _EMPTY and field.after is None and field.before in ([], {}):
            key = _EMPTY[field.path]
            yield f"explicitDefaults: {{nodePool: {{{key}: {field.before}}}}} keeps the empty {key}"
        taint, _, part = field.path.rpartition(".")
        value, remedy = _TAINTS.get(taint, ("", ""))
        if part == "value" and field.before is None and field.after == value:
            yield remedy


def _label_effects(key: str, field: Field) -> Iterator[str]:
    if key == DEPLOY_OPERANDS_LABEL and field.before is None:
        yield f"operatorOptOut: false omits the label {key}"
    if key == DEPLOY_OPERANDS_LABEL and field.after is None:
        yield f"operatorOptOut: true keeps the label {key}"
    if field.before is None and key != DEPLOY_OPERANDS_LABEL and (key in ADDED or key.startswith(DISCOVERED)):
        yield f"labels: {{{key}: null}} omits the label {key}"
    if key in (DEVICE_PLUGIN_CONFIG_LABEL, MIG_CONFIG_LABEL) and None not in (field.before, field.after):
        yield f"labels: {{{key}: {field.before}}} keeps the name of the configuration"


def class_remedies(fields: Sequence[Field]) -> Iterator[str]:
    """What to write in the spec to keep explicit defaults of an AKSNodeClass."""
    for field in fields:
        if field.after is not None or field.before is None:
            continue
        if field.path in _EXPLICIT:
            written = _nested(field.path.split(".")[1:], field.before)
            yield f"explicitDefaults: {{nodeClass: {written}}} keeps {field.path.removeprefix('spec.')}"
        elif field.path.startswith(_AS_WRITTEN):
            written = _nested(field.path.split(".")[1:], field.before)
            yield f"{written.removeprefix('{').removesuffix('}')} keeps {field.path.removeprefix('spec.')}"


def subnet_remedies(fields: Sequence[Field]) -> Iterator[str]:
    """What to write in the spec to keep nodes in their subnet."""
    for field in fields:
        if field.path == "spec.vnetSubnetID" and field.before:
            yield f"subnet: {field.before} keeps the subnet"


def requirement_remedies(before: Requirements, after: Requirements) -> Iterator[str]:
    """What to write in the spec so that a NodePool gets no requirement that gitgpu derives."""
    new = sorted(set(DERIVED) & after.keys() - before.keys())
    if new:
        yield f"nodeRequirements without sku and requirements does not add a requirement on {' and '.join(new)}"


def _nested(keys: Sequence[str], value: Any) -> str:
    """The value below these keys, as one line of YAML."""
    text = value if isinstance(value, str) else json.dumps(value)
    for key in reversed(keys):
        text = f"{{{key}: {text}}}"
    return text
