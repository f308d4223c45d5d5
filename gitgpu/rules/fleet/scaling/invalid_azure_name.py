"""A name in Azure that a placeholder makes invalid."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import MAPPING
from gitgpu.diagnostic import Severity
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.model.inputs import Inputs
from gitgpu.plan.placeholders import fill
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of, signals
from gitgpu.source import Pointer


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each name once, for the first cluster where it is invalid: the schema has checked what is written."""
    keys = fleet_schema()["definitions"]["trigger"]["properties"]
    for workload, _, signal in signals(inputs):
        named = workload.clusters
        clusters = [each for each in clusters_of(inputs, workload) if named is None or each.name in named]
        for pointer, text, part in _texts(signal.settings, keys[signal.metric]) if signal.in_azure else ():
            for cluster in clusters:
                name = fill(text, workload, cluster)
                if name != text and not _is_valid(name, part):
                    words = part.get("x-gitgpu-words", "shorter")
                    message = f"on {cluster.name}, {text} is {name}, which is invalid: it must be {words}"
                    place = (*signal.place, signal.metric, *pointer)
                    yield Finding(workload.origin, place, message, "write the name, or override it for this cluster")
                    break


def _texts(value: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, Mapping[str, Any]]]:
    """The texts with a pattern in the settings of a trigger, with their places and schemas."""
    for key, below in value.items():
        part = schema["properties"][key]
        if isinstance(below, MAPPING):
            yield from (((key, *place), text, inner) for place, text, inner in _texts(below, part))
        elif isinstance(below, str) and "pattern" in part:
            yield (key,), below, part


def _is_valid(name: str, schema: Mapping[str, Any]) -> bool:
    lengths = range(schema.get("minLength", 0), schema.get("maxLength", len(name)) + 1)
    return len(name) in lengths and bool(re.search(schema["pattern"], name))


RULE = Rule(
    code="SCL078",
    name="invalid-azure-name",
    severity=Severity.ERROR,
    summary="A name of a queue, topic or account is invalid once its placeholders are filled.",
    help="{cluster}, {namespace} and {name} in a trigger stand for names that may be longer, or have other characters, "
    "than Azure allows there: a storage account has only lowercase letters and digits. KEDA then finds no queue.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_queue_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_servicebus_scaler.go",
    ),
    check=_check,
)
