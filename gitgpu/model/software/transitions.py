"""What a change of the version of a chart or image requires, and what it does to pods, nodes and CRDs."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.access import ABSENT, value_at
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.syntax.version import NUMBERS

HELM, FLUX, ARGO = "Helm", "Flux", "Argo CD"


class Verdict(StrEnum):
    """Whether the version may be changed in place. The last two do not say whether that is safe.

    The terms follow ADR-021 of NVIDIA AICR:
    https://github.com/NVIDIA/aicr/blob/06e1e4896da67924956f825b9bd4896333a9faeb/docs/design/021-component-upgrade-safety.md
    """

    SAFE = "safe"
    MANUAL = "manual"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"
    UNVERSIONED = "unversioned"


class Breaking(NamedTuple):
    """A breaking change, and where upstream documents it."""

    change: str
    source: str


class Form(StrEnum):
    """What installs software: its chart, or objects that name its image."""

    CHART = "chart"
    IMAGE = "image"


class Identity(NamedTuple):
    """What makes a release the same one after a change: its name, its namespace, and the name of its chart.

    `by` is what installs it, Helm or Argo CD. `storage` is the namespace in which Flux stores it.
    """

    by: str
    release: str
    namespace: str
    chart: str
    storage: str = ""

    def __str__(self) -> str:
        return f"release {self.release} of chart {self.chart} in namespace {self.namespace}"


class Installation(NamedTuple):
    """How software is installed before the change.

    `values` are a chart release's values, None if unknown. `pods` are the names of the owners of an image's pods.
    """

    form: Form
    values: Mapping[str, Any] | None = None
    pods: tuple[str, ...] = ()


class Transition(NamedTuple):
    """One change of version. `evicts` says which workloads leave their nodes.

    `helm upgrade` does not apply `crds`; `crds_by` is what does, "" if the user has to.
    """

    software: str
    old: str
    new: str
    verdict: Verdict
    why: str
    actions: tuple[str, ...] = ()
    restarts: tuple[str, ...] = ()
    evicts: str = ""
    crds: tuple[str, ...] = ()
    breaking: tuple[Breaking, ...] = ()
    source: tuple[str, ...] = ()
    crds_by: str = ""


def transition(
    software: str, versions: tuple[str, str], catalog: Catalog, installed: Installation | None = None
) -> Transition:
    """What the catalog knows about a change. Without a record it is unknown, even if the opposite change has one.

    Without `installed`, it is what the change requires in general.
    """
    old, new = versions
    row = catalog.facts("transitions", software)
    steps = row["steps"] if row else ()
    step = next((step for step in steps if (step["from"], step["to"]) == (old, new)), None)
    if row and step:
        return _recorded(software, _applicable(step, installed), tuple(row["source"]))
    if NUMBERS.match(old) and NUMBERS.match(new):
        why = "the catalog has no record of this change"
        return Transition(software, old, new, Verdict.UNKNOWN, why)
    return Transition(software, old, new, Verdict.UNVERSIONED, "at least one of the versions is not a number")


def as_replacement(step: Transition, old: Identity, new: Identity, catalog: Catalog) -> Transition:
    """A change after which the release is another one: nothing is upgraded in place.

    Flux: ReleaseTargetChanged in internal/action/verify.go of fluxcd/helm-controller (0f61a8607a62, 2026-07-23).
    """
    row = catalog.facts("definitions", old.chart)
    parts = row["parts"] if row and old.by == HELM else ()
    # Helm keeps definitions from a folder, and those that the default values turn off are not there.
    template_parts = [part for part in parts if not part["folder"] and all(part.get("values", {}).values())]
    deleted = [name for part in template_parts for name in part["definitions"]]
    verdict = step.verdict if step.verdict is Verdict.BLOCKED else Verdict.MANUAL
    actions = ["Its pods stop before the new ones start: do it when no workload has to start or end on these nodes."]
    if deleted:
        names = ", ".join(deleted)
        actions.append(f"Back up the objects of {names}: these are in templates of the chart, and are deleted with it.")
    is_elsewhere = old == new._replace(storage=old.storage)
    reason = f"it is stored in namespace {new.storage}" if is_elsewhere else "it is another release"
    why = f"{old.by} deletes {old} and creates {new}, because {reason}"
    if step.verdict is Verdict.UNKNOWN and step.source:
        why = f"{why}. {step.why}"
    return step._replace(verdict=verdict, why=why, actions=(*actions, *step.actions))


def _applicable(step: Facts, installed: Installation | None) -> Facts:
    """The step as it applies to the installed software. For an image alone, what only a chart has is omitted."""
    if installed is None:
        return step
    if installed.form is Form.IMAGE:
        restarts = installed.pods or step.get("restarts", ())
        breaking = [breaking for breaking in step.get("breaking", ()) if breaking.get("only") in (None, *restarts)]
        return {**step, "crds": (), "restarts": restarts, "breaking": breaking}
    for case in step.get("cases", ()):
        if installed.values is not None and all(_holds(condition, installed.values) for condition in case["when"]):
            return {**step, **case}
    return step


def _holds(condition: Facts, values: Mapping[str, Any]) -> bool:
    """Whether a value of the chart, or its default, meets the condition of a case."""
    value = value_at(values, condition["value"].split("."))
    return bool((condition["default"] if value in (ABSENT, None) else value) == condition["is"])


def _recorded(software: str, step: Facts, source: tuple[str, ...]) -> Transition:
    return Transition(
        software,
        step["from"],
        step["to"],
        Verdict(step["verdict"]),
        step["why"],
        actions=tuple(step.get("actions", ())),
        restarts=tuple(step.get("restarts", ())),
        evicts=step.get("evicts", ""),
        crds=tuple(step.get("crds", ())),
        breaking=tuple(Breaking(breaking["change"], breaking["source"]) for breaking in step.get("breaking", ())),
        source=source,
    )
