"""A number or boolean in the values of a chart where a pod needs a string."""

from collections.abc import Iterator
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer, dotted_text

_VARIABLES = ("env", "extraEnv", "extraEnvs")  # lists of environment variables in these charts


def _check(objects: Objects) -> Iterator[Finding]:
    unquoted_releases = (release for release in releases(objects) if chart_row(release, objects).get("unquoted"))
    for release in unquoted_releases:
        for path in _bare_values(release.values, ()):
            item, place = release.locate(*path)
            repair = None if release.text and item is release.item else Repair(Change.QUOTE, place)
            where = dotted_text(path)
            message = f"{where} must be a string, because the pod needs one"
            yield Finding(item, place, message, "put the value in quotes", repair=repair)


def _bare_values(values: Any, above: Pointer) -> Iterator[Pointer]:
    for key, value in mapping_at(values).items():
        path = (*above, key)
        if key == "nodeSelector":
            yield from ((*path, name) for name, label in mapping_at(value).items() if _is_bare(label))
        elif key == "tolerations" or key in _VARIABLES:
            yield from _bare_entries(value, path)
        else:
            yield from _bare_values(value, path)


def _bare_entries(values: Any, path: Pointer) -> Iterator[Pointer]:
    for index, entry in enumerate(list_at(values)):
        if _is_bare(reach(entry, "value")):
            yield (*path, index, "value")


def _is_bare(value: Any) -> bool:
    return isinstance(value, bool | int | float)


RULE = Rule(
    code="STK037",
    name="unquoted-chart-value",
    severity=Severity.ERROR,
    summary="Environment variables, node selectors or tolerations in the values of a chart are numbers or booleans.",
    help="The chart copies these values into its objects. An environment variable, a node selector and the value "
    "of a toleration must be strings, so the API server does not accept the object, and the release fails.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/479",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/templates/clusterpolicy.yaml",
    ),
    check=_check,
    fixable=True,
)
