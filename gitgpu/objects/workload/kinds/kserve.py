"""The kinds of KServe: pkg/apis/serving of kserve/kserve at 0217bdabaaa2 and 01bfd2383253."""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import mapping_at
from gitgpu.model.names.kinds import INFERENCE_SERVICE, LLM_INFERENCE_SERVICE
from gitgpu.objects.workload.template import (
    Body,
    Count,
    Template,
    WorkloadKind,
    exactly,
    pod_spec_at,
    whole,
    with_labels_of,
)

_FRAMEWORKS = frozenset(
    "huggingface lightgbm model onnx paddle pmml pytorch sklearn tensorflow triton xgboost".split()  # noqa: SIM905
)


def _inference_service(body: Body) -> Iterator[Template]:
    """The containers of a component. With a model, its runtime has the containers that serve it, and more."""
    for name in ("predictor", "transformer", "explainer"):
        component = mapping_at(body, "spec", name)
        for template in pod_spec_at(body, ("spec", name), partial(_pods, component)):
            yield with_labels_of(body, template)._replace(partial=not _FRAMEWORKS.isdisjoint(component))


def _pods(component: Body) -> Count:
    low = whole(component, "minReplicas", 1)
    return Count(low, max(whole(component, "maxReplicas", low), low))


def _llm_inference_service(body: Body) -> Iterator[Template]:
    """The pods of the server, or of its leaders and workers; with `prefill`, also of another server.

    Configurations of the cluster add to all of them.
    """
    for at in (("spec",), ("spec", "prefill")):
        replicas = exactly(whole(mapping_at(body, *at), "replicas", 1))
        for name in ("template", "worker"):
            for template in pod_spec_at(body, (*at, name), partial(Count, *replicas)):
                yield template._replace(partial=True)


KINDS = (
    WorkloadKind(*INFERENCE_SERVICE, _inference_service),
    WorkloadKind(*LLM_INFERENCE_SERVICE, _llm_inference_service),
)
