"""Node classes that keep KAITO from starting."""

from collections.abc import Iterator

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import NODE_CLASSES, installs
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release in installs(objects):
        # KAITO reads the list only then; the list of the chart is valid.
        if release.value("nodeProvisioner") != "karpenter" or release.value(*NODE_CLASSES) is None:
            continue
        classes = [mapping_at(entry) for entry in list_at(release.value(*NODE_CLASSES))]
        names = [str(entry.get("name") or "") for entry in classes]
        defaults = [name for name, entry in zip(names, classes, strict=True) if entry.get("default") is True]
        duplicate = next((name for index, name in enumerate(names) if name in names[:index]), None)
        place = release.locate(*NODE_CLASSES)
        if len(defaults) != 1:
            message = f"KAITO needs exactly one default node class, but {len(defaults)} are marked as default"
            yield Finding(*place, message, "set default: true on exactly one of them")
        if duplicate is not None or "" in names:
            message = f"duplicate node class {duplicate}" if duplicate else "a node class has no name"
            yield Finding(*place, message, "give each node class a unique name")


RULE = Rule(
    code="KAI090",
    name="invalid-kaito-node-classes",
    severity=Severity.ERROR,
    summary="The node classes in the values of the KAITO chart have no default, several defaults, or names that are "
    "not unique.",
    help="With nodeProvisioner: karpenter, KAITO reads the node classes at startup and exits with an error.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/pkg/nodeprovision/manager/factory.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/charts/kaito/workspace/values.yaml",
    ),
    check=_check,
)
