"""Objects that may be incomplete: another file or a kustomization adds the rest."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gitgpu.access import text_at
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.delivery.partial_files import Incomplete, is_patch
from gitgpu.objects.objects import Given
from gitgpu.objects.validation.contract_check import Checked

MISFIT, GONE = "CNF001", "CNF016"
# An object with only these keys identifies an object and defines nothing.
_NO_CONTENT = {"apiVersion", "kind", "metadata"}
_ANNOTATIONS = "/metadata/annotations/"


def check_partial(
    given: Given, file: str, incomplete: Incomplete, check: Callable[[Given], Checked], *, by_hand: bool = False
) -> Checked:
    """Checks an object as a whole; if it does not match and may be only a part of an object, checks it as a part.

    A patch that no kustomization names is also a patch. Nothing is reported about a patch next to kustomizations, or
    one with only metadata: it is not applied as it is. An object that a kustomization completes remains an object, but
    rules do not read it. With `by_hand`, neither Flux nor Argo CD applies it, so that it may be a pod template.
    """
    item, faults = check(given)
    if file in incomplete.listed and any(fault.pointer.startswith(_ANNOTATIONS) for fault in faults):
        given = given._replace(body=_with_text_annotations(given.body))
        item, faults = check(given)
    if given.patch or all(fault.code not in (MISFIT, GONE) for fault in faults):
        return item, faults
    unlisted, named = file in incomplete.unlisted, is_patch(file, given.body)
    if named and (unlisted or given.body.keys() <= _NO_CONTENT):
        return item._replace(given=given._replace(patch=True), sound=False, flaws=frozenset()), []
    if all(fault.code != MISFIT for fault in faults):
        return item, faults
    if by_hand and file not in incomplete.listed and not named and _is_pod_template(given.body):
        return _checked_template(given, faults, check)
    if file not in incomplete.completed:
        return check(given._replace(patch=True)) if unlisted or named else (item, faults)
    return item._replace(flaws=frozenset()), check(given._replace(patch=True))[1]


def _is_pod_template(body: Mapping[str, Any]) -> bool:
    """Whether it is a Pod that kubectl refuses, because it has no name: Spark, Flink and Airflow complete them."""
    kind = (body["apiVersion"], body["kind"])
    return kind == ("v1", "Pod") and not any(text_at(body, "metadata", key) for key in ("name", "generateName"))


def _checked_template(given: Given, faults: Iterable[Diagnostic], check: Callable[[Given], Checked]) -> Checked:
    """Checks a pod template as a part of a Pod, with one note about what is missing."""
    item, wrong = check(given._replace(patch=True))
    places = {(fault.code, fault.pointer) for fault in wrong}
    missing_faults = (fault for fault in faults if fault.code == MISFIT and (fault.code, fault.pointer) not in places)
    for fault in missing_faults:
        message = f"{fault.message} in a Pod without a name: it is checked as a template that another tool completes"
        remedy = "add metadata.name if this Pod is applied as it is"
        return item, [*wrong, fault._replace(severity=Severity.INFO, message=message, help=remedy, edit=None)]
    return item, wrong


def _with_text_annotations(body: Mapping[str, Any]) -> dict[str, Any]:
    """The object as Kustomize writes it: numbers and booleans in annotations become text, those in labels do not."""
    metadata = body["metadata"]
    texts = {key: _text(value) for key, value in metadata["annotations"].items()}
    return {**body, "metadata": {**metadata, "annotations": texts}}


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (int, float)) else value


def in_both(faults: list[Diagnostic], others: list[Diagnostic]) -> list[Diagnostic]:
    """The faults of a patched object that its file has too. Faults of the patch itself have no place in that file."""
    same = {(fault.code, fault.pointer) for fault in others}
    return [fault for fault in faults if (fault.code, fault.pointer) in same]
