"""A size that only some KAITO releases support, or that is unlikely to work."""

from collections.abc import Iterator

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import Model, models, newest, rows
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        problem = _problem(model, objects) if model.size else None
        if problem:
            yield Finding(model.item, (*model.resource_at, "instanceType"), *problem)


def _problem(model: Model, objects: Objects) -> Problem | None:
    supported_by = [row["name"] for row in rows(objects) if model.size.lower() in map(str.lower, row["sizes"])]
    if not supported_by:  # KAI002 reports it
        return None
    latest, sku = newest(objects)["name"], objects.catalog.sku(model.size)
    if sku is None:
        message = f"unknown Azure GPU size '{model.size}', which only KAITO accepts"
        return Problem(message, "use a size that both support, such as Standard_ND96amsr_A100_v4")
    if sku.manufacturer == "amd":
        message = f"'{model.size}' has AMD GPUs: the AKS add-on rejects them, and KAITO's images are built for NVIDIA"
        return Problem(message, "use a size with NVIDIA GPUs")
    if latest not in supported_by:
        message = f"KAITO {latest} no longer supports '{model.size}', and the installed release is unknown"
        return Problem(message, "use a size with compute capability 8.0 or more, such as Standard_NC24ads_A100_v4")
    return None


RULE = Rule(
    code="KAI003",
    name="size-not-supported-by-every-kaito",
    severity=Severity.WARNING,
    summary="An instanceType was dropped by newer KAITO releases, has AMD GPUs, or is a name that only KAITO uses.",
    help="KAITO dropped sizes with a compute capability below 8.0: T4, V100, M60. Its table has two AMD sizes that "
    "the add-on excludes, and the name Standard_ND96asr_A100_v4, which Azure does not use.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/sku/azure_sku_handler.go",
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/pkg/sku/azure_sku_handler.go",
        "https://learn.microsoft.com/azure/aks/ai-toolchain-operator",
    ),
    facts=("kaito/*",),
    check=_check,
)
