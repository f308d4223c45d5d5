"""Finds the `scaling` that generates the existing scaler: candidates are compiled, and the first equal one is used."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach, rows
from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.field_outcomes import fields
from gitgpu.adopt.kept_patches import PATCHES
from gitgpu.adopt.stack.view import View
from gitgpu.adopt.workloads.drafts import Draft, Site
from gitgpu.adopt.workloads.normal_scalers import autoscaler, differences, scaled_job, scaled_object
from gitgpu.adopt.workloads.proof import CompiledObjects, compile_each, join_compiled
from gitgpu.adopt.workloads.scaling import Scaler, authentication
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.names.kinds import SCALED_JOB, SCALED_OBJECT, TRIGGER_AUTHENTICATION
from gitgpu.source import dotted_text

# Fields that a patch keeps, because `scaling` has no key for them.
_PATCHED = (
    "initialCooldownPeriod",
    "advanced",
    "scalingStrategy",
    "successfulJobsHistoryLimit",
    "failedJobsHistoryLimit",
    "envSourceContainerName",
)
_NORMAL = {SCALED_OBJECT.kind: scaled_object, SCALED_JOB.kind: scaled_job, "HorizontalPodAutoscaler": autoscaler}


class Decided(NamedTuple):
    """A draft with the document that generates its scaler; or one without `scaling`, and the reason."""

    draft: Draft
    document: SpecDocument
    reason: str = ""

    @property
    def is_scaled(self) -> bool:
        """Whether the document generates the existing scaler."""
        return "scaling" in self.document.spec


def decide(drafts: Sequence[Draft], site: Site, view: View) -> tuple[list[Decided], CompiledObjects]:
    """A decision for each draft that has a document, and everything that was compiled for it."""
    all_compiled = CompiledObjects({}, {})
    waiting = {number: draft for number, draft in enumerate(drafts) if draft.document}
    done: dict[int, Decided] = {}
    reasons: dict[int, str] = {}
    rounds = max((len(draft.scaler.candidates) for draft in waiting.values() if draft.scaler), default=0)
    # Each round compiles the cluster once, with the next candidate of every draft.
    for index in range(rounds):
        tried = _candidates(waiting, index)
        candidates = list(tried.values())
        compiled = compile_each(site.common(candidates), candidates, site.cluster.name, view.catalog)
        all_compiled = join_compiled(all_compiled, compiled)
        for number, bare in tried.items():
            document = _with_kept_fields(waiting[number], bare, compiled, view)
            reason = _difference(waiting[number], document, compiled, view)
            if not reason:
                done[number] = Decided(waiting.pop(number), document)
            # The first candidate is the likeliest, so its difference says the most.
            reasons.setdefault(number, reason)
    for number, draft in waiting.items():  # none of the candidates generates its scaler
        if draft.document:
            reason = reasons.get(number) or (draft.scaler.reason if draft.scaler else "")
            done[number] = Decided(draft, draft.document, reason)
    return [done[number] for number in sorted(done)], all_compiled


def _candidates(drafts: Mapping[int, Draft], at: int) -> dict[int, SpecDocument]:
    """The documents with the candidate at this position as their `scaling`, for scalers with so many candidates."""
    documents: dict[int, SpecDocument] = {}
    for number, draft in drafts.items():
        if draft.document and draft.scaler and at < len(draft.scaler.candidates):
            spec = {**draft.document.spec, "scaling": dict(draft.scaler.candidates[at])}
            documents[number] = draft.document._replace(spec=spec)
    return documents


def _with_kept_fields(draft: Draft, document: SpecDocument, compiled: CompiledObjects, view: View) -> SpecDocument:
    """The document, with a patch of its scaler for fields that `scaling` has no key for."""
    scaler = draft.scaler
    if scaler is None:
        return document
    spec = mapping_at(scaler.item.body, "spec")
    others = _fields(scaler, document, compiled, view)
    is_named = reach(spec, "advanced", "scalingModifiers")  # its formula names triggers
    if not others or set(others) - set(_PATCHED) or is_named:
        return document
    kind = scaler.item.identity.kind
    kept = _beyond({field: spec.get(field) for field in others}, mapping_at(_generated(scaler, compiled), "spec"))
    names = " and ".join(dotted_text(path) for path, _ in fields(kept))
    patch = {"target": {"kind": kind}, "patch": {"spec": kept}}
    comments = {**document.comments, PATCHES: f"Kept: scaling has no key for {names}."}
    return document._replace(spec={**document.spec, "patches": [patch]}, comments=comments)


def _beyond(value: Any, present: Any) -> Any:
    """The part of a value that another one does not have."""
    if not isinstance(value, dict) or not isinstance(present, dict):
        return value
    return {key: _beyond(inner, present.get(key)) for key, inner in value.items() if inner != present.get(key)}


def _generated(scaler: Scaler, compiled: CompiledObjects) -> Mapping[str, Any] | None:
    identity = scaler.item.identity
    return compiled.find(identity.kind, identity.namespace or "default", identity.name)


def _fields(scaler: Scaler, document: SpecDocument, compiled: CompiledObjects, view: View) -> list[str]:
    """The fields of the running scaler that are different in the generated one, if there is one."""
    generated = _generated(scaler, compiled)
    if generated is None:
        return []
    normal = _NORMAL[scaler.item.identity.kind]
    running = normal(scaler.item.body["spec"], partial(_resolved, scaler, view))
    patched = merge_patch(generated["spec"], reach(document.spec, "patches", 0, "patch", "spec") or {})
    return differences(running, normal(patched, partial(_made_reference, compiled, document)))


def _difference(draft: Draft, document: SpecDocument, compiled: CompiledObjects, view: View) -> str:
    """Why the document does not generate the scaler; "" if it does."""
    scaler = draft.scaler
    if scaler is None:
        return ""
    if _generated(scaler, compiled) is None:
        return _unread_authentication(scaler, view) or f"scaling cannot express {scaler.title}"
    others = _fields(scaler, document, compiled, view)
    unread = _unread_authentication(scaler, view) if others == ["triggers"] else ""
    return unread or (f"scaling cannot express {' and '.join(others)} of {scaler.title}" if others else "")


def _unread_authentication(scaler: Scaler, view: View) -> str:
    """Why the identity of a scaler is not known, because the input lacks the object that its triggers name."""
    for trigger in rows(scaler.item.body, "spec", "triggers"):
        reference = mapping_at(trigger, "authenticationRef")
        if reference and authentication(scaler.item, reference, view.objects) is None:
            kind = reference.get("kind") or TRIGGER_AUTHENTICATION.kind
            return f"the input does not contain {kind} {reference.get('name')}, which it uses"
    return ""


def _resolved(scaler: Scaler, view: View, reference: Mapping[str, Any]) -> Any:
    """The spec that a reference to a TriggerAuthentication leads to; the reference itself if that was not read."""
    if not reference:
        return None
    spec = authentication(scaler.item, reference, view.objects)
    return dict(spec) if spec is not None else dict(reference)


def _made_reference(compiled: CompiledObjects, document: SpecDocument, reference: Mapping[str, Any]) -> Any:
    if not reference:
        return None
    generated = compiled.find(TRIGGER_AUTHENTICATION.kind, document.namespace, str(reference.get("name")))
    return dict(mapping_at(generated, "spec")) if generated else dict(reference)
