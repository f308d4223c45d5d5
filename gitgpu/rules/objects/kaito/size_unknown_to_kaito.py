"""A size that KAITO cannot use."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.syntax.size_names import same_machine
from gitgpu.model.syntax.version import version
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import Model, installs, models, newest, rows
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects):
        if model.size and "." not in model.size and not _newer_than_catalog(objects):  # names with a dot are AWS sizes
            yield from _unknown_size(model, objects)


def _unknown_size(model: Model, objects: Objects) -> Iterator[Finding]:
    by_name: dict[str, str] = {}
    for row in rows(objects):
        by_name.update((name.lower(), name) for name in (*row["sizes"], *row["otherSizes"]))
    size = model.size.lower()
    prefixes = tuple(prefix.lower() for prefix in newest(objects)["prefixes"])
    # The prefix is enough, except where KAITO counts the GPUs for a preset.
    if size in by_name or (size.startswith(prefixes) and not any(model.presets())):
        return
    closest = same_machine(model.size, {name: _gpu(name, objects) for name in by_name.values()})
    sizes = ", ".join(newest(objects)["sizes"])
    message = f"KAITO does not know the size '{model.size}'"
    if size.startswith(prefixes):
        message += ", so it cannot count the GPUs for the preset"
    place = (*model.resource_at, "instanceType")
    repair = Repair(Change.VALUE, place, closest) if f"standard_{size}" == closest.lower() else None
    remedy = f"did you mean {closest}?" if closest else f"use one of {sizes}"
    yield Finding(model.item, place, message, remedy, repair=repair)


def _gpu(name: str, objects: Objects) -> str:
    """The GPU model of a size; "" for a size that is not in the catalog, such as one without GPUs."""
    sku = objects.catalog.sku(name)
    return sku.gpu.model if sku and sku.gpu else ""


def _newer_than_catalog(objects: Objects) -> bool:
    """Whether the installed KAITO is newer than the newest release in the catalog."""
    latest = version(newest(objects)["name"])
    return any(release.version[:1].isdigit() and version(release.version) > latest for release in installs(objects))


RULE = Rule(
    code="KAI002",
    name="size-unknown-to-kaito",
    twin="KTO009",
    severity=Severity.ERROR,
    rejects=True,
    summary="An instanceType is not in KAITO's table of sizes, and KAITO rejects it or cannot use it for a preset.",
    help="KAITO's admission webhook rejects names that do not start with Standard_N or Standard_D. It accepts "
    "others, but a preset needs a size that is in the table. Otherwise the Workspace never gets its nodes.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/sku/azure_sku_handler.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/estimator/nodesestimator/estimator.go",
    ),
    facts=("kaito/*",),
    check=_check,
    fixable=True,
)
