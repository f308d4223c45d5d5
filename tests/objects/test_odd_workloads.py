"""The pods of objects of each kind are read whatever is written in them: rules decide what is wrong."""

import copy
from collections.abc import Iterator
from typing import Any

from gitgpu.objects.objects import Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.pod_templates import templates_in
from gitgpu.objects.workload.pods import pod_of
from gitgpu.objects.workload.queues import queue_of, suspension_place
from gitgpu.objects.workload.shaped_pods import group_of
from tests.helping.cases import for_each
from tests.journeys.test_kinds_of_workloads import objects
from tests.rules.objects.samples import somewhere

ODD: tuple[Any, ...] = (
    *(None, "x", "{{a}}", "$(b)", 5, -1, 1.5, True, [], {}, [None], ["a"], [[1]], {"a": 1}),
    *([{"name": None}], [{"name": {"x": 1}}], {"name": [1]}),
)
# Optional fields that the objects lack, by kind.
MORE: dict[str, list[tuple[str | int, ...]]] = {
    "PipelineRun": [("spec", "taskRunSpecs"), ("spec", "pipelineSpec", "tasks", 0, "matrix")],
    "TaskRun": [("spec", "stepSpecs"), ("spec", "computeResources"), ("spec", "taskSpec", "stepTemplate")],
    "Workflow": [
        *(("spec", key) for key in ("podMetadata", "templateDefaults", "volumeClaimTemplates", "volumes")),
        *(("spec", "templates", 0, key) for key in ("dag", "metadata", "sidecars", "steps")),
    ],
}


def places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield at
    if isinstance(value, dict | list):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(below, (*at, key))


def changed(body: dict[str, Any], at: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    result: Any = copy.deepcopy(body)
    inner = result
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return dict(result)


@for_each("body", objects(), ids=lambda body: f"{body['apiVersion']}-{body['kind']}")
def test_every_object_is_read(body: dict[str, Any]) -> None:
    read = 0
    for at in (*places(body), *MORE.get(body["kind"], ())):
        if at[:1] != ("spec",):
            continue
        for value in ODD:
            odd = changed(body, at, value)
            item = Item(somewhere(odd)[0], identity(odd), Scope.NAMESPACED)
            suspension_place(item)
            for template in templates_in(odd):
                count = template.counted()
                assert isinstance(count.low, int), (at, value)
                if isinstance(template.body.get("spec"), dict):
                    pod = pod_of(item, template)
                    queue_of(pod)
                    group_of(pod)
                    read += 1
    assert read > 50
