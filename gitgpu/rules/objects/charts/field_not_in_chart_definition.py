"""A field that the CRD in the pinned chart does not have, or that only it requires."""

import re
from collections.abc import Iterator
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.syntax.version import version
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_CHART = "keda"  # the only chart whose CRDs lack fields of the kind, according to the catalog
# An exact version: with a range, it is not known which one is installed.
_EXACT = re.compile(r"v?[0-9]+\.[0-9]+\.[0-9]+")


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects, _CHART):
        facts = chart_row(release, objects)
        definitions = facts.get("definitions", {})
        if not _is_known(release, facts):
            continue
        for field in definitions.get("undeclared", ()):
            if release.version.removeprefix("v") not in field["declared"]:
                yield from _uses(release, field, objects)
        for field in definitions.get("required", ()) if _is_exactly(release, facts) else ():
            yield from _omits(release, field, objects)


def _is_known(release: Release, facts: Facts) -> bool:
    """Whether the CRDs of this version of the chart are known. Those of newer versions are not."""
    installs = release.value("crds", "install")
    if not release.whole or installs is False or not _EXACT.fullmatch(release.version):
        return False
    return bool(version(release.version) <= version(facts["version"]))


def _is_exactly(release: Release, facts: Facts) -> bool:
    return release.version.removeprefix("v") == str(facts["version"]).removeprefix("v")


def _uses(release: Release, field: Facts, objects: Objects) -> Iterator[Finding]:
    path = field["field"].split(".")
    for item in objects.of(KEDA_GROUP, field["kind"]):
        for place in _places(item, path):
            message = f"the CRD of {field['kind']} in chart {_CHART} {release.version} has no field {path[-1]}"
            remedy = "remove it, or use a newer version of the chart"
            if path[-1] == "metricType":
                remedy = "remove metricType, because AverageValue is the default"
            yield Finding(item, place, message, remedy, at_key=True)


def _omits(release: Release, field: Facts, objects: Objects) -> Iterator[Finding]:
    *above, last = field["field"].split(".")
    for item in objects.of(KEDA_GROUP, field["kind"]):
        for place in _places(item, above, items=True):
            owner = reach(item.body, *place)
            if isinstance(owner, dict) and last not in owner:
                message = f"the CRD of {field['kind']} in chart {_CHART} {release.version} requires {last} here"
                remedy = f"add {last}, or use a newer version of the chart"
                yield Finding(item, place, message, remedy)


def _places(item: Item, path: list[str], *, items: bool = False) -> list[Pointer]:
    """Every place of a field, in each item of the lists on its path; with `items`, of the items of the field."""
    places: list[tuple[Pointer, Any]] = [((), item.body)]
    for key in path:
        below: list[tuple[Pointer, Any]] = []
        for pointer, value in places:
            if isinstance(value, dict) and key in value:
                below += _items((*pointer, key), value[key])
        places = below
    pointers = [pointer for pointer, _ in places]
    return pointers if items else list(dict.fromkeys(_without_index(pointer) for pointer in pointers))


def _without_index(pointer: Pointer) -> Pointer:
    return pointer[:-1] if pointer and isinstance(pointer[-1], int) else pointer


def _items(pointer: Pointer, value: Any) -> list[tuple[Pointer, Any]]:
    if not isinstance(value, list):
        return [(pointer, value)]
    return [((*pointer, index), entry) for index, entry in enumerate(value)]


RULE = Rule(
    code="KED062",
    name="field-not-in-chart-definition",
    severity=Severity.ERROR,
    rejects=True,
    summary="An object of KEDA has a field that the CRD in the pinned chart does not have, or omits a required one.",
    help="The API server rejects unknown fields with server-side apply and with strict validation, and objects without "
    "a required field. Fields of pods and of TriggerAuthentications depend on the version of KEDA: before 2.20, "
    "onPodConditions needs a status. The chart also has its own copy of the CRDs, and in most versions its ScaledJob "
    "has no metricType (2.14.0, 2.20.0 and 2.20.1 have it). You do not need that field: AverageValue is the default, "
    "and the only value with which KEDA creates Jobs.",
    sources=(
        "https://github.com/kedacore/charts/blob/1444d00d90d7668cf7f53f270777d039371d90d0/keda/templates/crds/crd-scaledjobs.yaml",
        "https://github.com/kedacore/keda/blob/v2.19.0/config/crd/bases/keda.sh_scaledjobs.yaml",
        "https://github.com/kedacore/keda/blob/68a5b5028f35b22d50597c69819ab32c4e92f21a/pkg/scaling/scaledjob/metrics.go",
        "https://github.com/kedacore/keda/blob/68a5b5028f35b22d50597c69819ab32c4e92f21a/pkg/scalers/scaler.go",
    ),
    check=_check,
)
