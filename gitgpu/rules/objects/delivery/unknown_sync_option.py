"""A sync option that Argo CD does not know."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.annotations import SYNC_OPTIONS_ANNOTATION
from gitgpu.model.names.kinds import APPLICATION
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_OPTIONS: Pointer = ("spec", "syncPolicy", "syncOptions")
_ANNOTATION: Pointer = ("metadata", "annotations", SYNC_OPTIONS_ANNOTATION)


def _check(objects: Objects) -> Iterator[Finding]:
    options = objects.once_per_run("sync options", lambda: list(_options(objects)))
    yield from _application_findings(objects, options)
    yield from _annotation_findings(objects, options)


def _options(objects: Objects) -> Iterator[str]:
    for name, values in objects.catalog.must("delivery", "argocd")["options"].items():
        yield from (f"{name}={value}" for value in values)


def _application_findings(objects: Objects, options: list[str]) -> Iterator[Finding]:
    for item in objects.of(*APPLICATION):
        for index, option in enumerate(reach(item.body, *_OPTIONS) or ()):
            if option not in options:
                closest = _near(option, options)
                repair = Repair(Change.VALUE, (*_OPTIONS, index), closest) if closest else None
                message = f"unknown Argo CD sync option '{option}'"
                yield Finding(item, (*_OPTIONS, index), message, _remedy(closest), repair=repair)


def _annotation_findings(objects: Objects, options: list[str]) -> Iterator[Finding]:
    for item in objects.items:
        written = [part.strip() for part in (reach(item.body, *_ANNOTATION) or "").split(",")]
        wrong_options = [option for option in written if option and option not in options]
        if wrong_options:
            closest = _near(wrong_options[0], options)
            repair = None
            # With two wrong options, a repair of one would still be wrong.
            if closest and len(wrong_options) == 1:
                written[written.index(wrong_options[0])] = closest
                repair = Repair(Change.VALUE, _ANNOTATION, ",".join(written))
            message = f"unknown Argo CD sync option '{wrong_options[0]}'"
            yield Finding(item, _ANNOTATION, message, _remedy(closest), repair=repair)


def _near(option: str, options: list[str]) -> str:
    """The option that equals this one except for case and spaces."""
    plain = "".join(option.split()).lower()
    return next((candidate for candidate in options if candidate.lower() == plain), "")


def _remedy(closest: str) -> str:
    return f"use {closest}" if closest else "use an option from the Argo CD documentation, such as Prune=false"


RULE = Rule(
    code="GIT002",
    name="unknown-sync-option",
    severity=Severity.WARNING,
    summary="An Application, or an annotation of an object, has an unknown sync option.",
    help="Argo CD compares options exactly and does not report unknown ones, so an object may not be protected as "
    "intended.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/docs/user-guide/sync-options.md",
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/gitops-engine/pkg/sync/common/types.go",
    ),
    check=_check,
    fixable=True,
)
