"""A size that some release of KAITO knows, and that will hardly work."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.kaito_models import Model, models, rows
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, "Workspace", "InferenceSet"):
        why, remedy = _doubt(model, objects) if model.size else ("", "")
        if why:
            yield Finding(model.item, (*model.resource_at, "instanceType"), why, remedy)


def _doubt(model: Model, objects: Objects) -> tuple[str, str]:
    wanted = model.size.lower()
    knowing = [row["name"] for row in rows(objects) if wanted in (name.lower() for name in row["sizes"])]
    if not knowing:
        return "", ""
    newest, sku = rows(objects)[-1]["name"], objects.catalog.sku(model.size)
    if sku is None:
        message = f"Azure has no size '{model.size}'; it is KAITO's own name for another"
        return message, "name a size that both know, such as Standard_ND96amsr_A100_v4"
    if sku.manufacturer == "amd":
        message = f"'{model.size}' has GPUs of AMD: the AKS add-on refuses them, and KAITO's images are for NVIDIA"
        return message, "name a size with NVIDIA GPUs"
    if newest not in knowing:
        message = f"KAITO {newest} no longer knows '{model.size}'; which release runs here is uncertain"
        return message, "name a size with compute capability 8.0 or more, such as Standard_NC24ads_A100_v4"
    return "", ""


RULE = Rule(
    code="KAI003",
    name="doubtful-kaito-size",
    severity=Severity.WARNING,
    summary="An instanceType is one that newer KAITO dropped, that has AMD GPUs, or that only KAITO calls so.",
    help="KAITO took out what is below compute capability 8.0: T4, V100, M60. Its table has two AMD sizes that the "
    "add-on excludes, and one name, Standard_ND96asr_A100_v4, that Azure does not use.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/sku/azure_sku_handler.go",
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/pkg/sku/azure_sku_handler.go",
        "https://learn.microsoft.com/azure/aks/ai-toolchain-operator",
    ),
    check=_check,
    bad="""
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-4-mini, namespace: serving}
resource:
  instanceType: Standard_NC4as_T4_v3
  labelSelector: {matchLabels: {apps: phi-4-mini}}
inference: {preset: {name: phi-4-mini-instruct}}
""",
    good="""
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-4-mini, namespace: serving}
resource:
  instanceType: Standard_NV36ads_A10_v5
  labelSelector: {matchLabels: {apps: phi-4-mini}}
inference: {preset: {name: phi-4-mini-instruct}}
""",
)
