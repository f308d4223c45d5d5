"""An image of an adapter, a tuning or an embedding that is not an image reference."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, RAG_ENGINE, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.image_references import reference_problem
from gitgpu.objects.workload.kaito_models import Model, models
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_EMBEDDING: Pointer = ("spec", "embedding", "local", "image")


def _check(objects: Objects) -> Iterator[Finding]:
    places = [
        (model.item, place) for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind) for place in _places(model)
    ]
    places += [(item, _EMBEDDING) for item in objects.of(*RAG_ENGINE)]
    for item, place in places:
        if problem := reference_problem(reach(item.body, *place)):
            yield Finding(item, place, *problem)


def _places(model: Model) -> Iterator[Pointer]:
    for index, _ in enumerate((model.inference or {}).get("adapters") or ()):
        yield *model.inference_at, "adapters", index, "source", "image"
    if model.tuning is not None:
        yield "tuning", "input", "image"
        yield "tuning", "output", "image"


RULE = Rule(
    code="KAI096",
    name="invalid-kaito-image",
    severity=Severity.ERROR,
    summary="The image of an adapter, a tuning or an embedding is not an image reference.",
    help="KAITO puts it into a container, or pulls and pushes it with ORAS: a reference has no scheme. The pod stays "
    "in InvalidImageName, or the tuning fails when it pushes its result.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_types.go",
        "https://github.com/distribution/reference/blob/0965666a6ade2e06035fe352e38344be1e68951a/regexp.go",
    ),
    check=_check,
)
