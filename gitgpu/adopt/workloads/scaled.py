"""Finds the `scaling` that generates the existing scaler: candidates are compiled, and the first equal one is used."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, rows
from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.stack.view import View
from gitgpu.adopt.workloads.drafts import Draft, Site
from gitgpu.adopt.workloads.normal_scalers import autoscaler, differences, scaled_job, scaled_object
from gitgpu.adopt.workloads.proof import CompiledObjects, compile_each, join_compiled
from gitgpu.adopt.workloads.scaling import Scaler, authentication
from gitgpu.model.names.kinds import SCALED_JOB, SCALED_OBJECT, TRIGGER_AUTHENTICATION

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
        for number, document in tried.items():
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


def _difference(draft: Draft, document: SpecDocument, compiled: CompiledObjects, view: View) -> str:
    """Why the document does not generate the scaler; "" if it does."""
    scaler = draft.scaler
    if scaler is None:
        return ""
    identity = scaler.item.identity
    generated = compiled.find(identity.kind, identity.namespace or "default", identity.name)
    if generated is None:
        return _unread_authentication(scaler, view) or f"scaling cannot express {scaler.title}"
    normal = _NORMAL[identity.kind]
    running = normal(scaler.item.body["spec"], partial(_resolved, scaler, view))
    current = normal(generated["spec"], partial(_made_reference, compiled, document))
    fields = differences(running, current)
    unread = _unread_authentication(scaler, view) if fields == ["triggers"] else ""
    return unread or (f"scaling cannot express {' and '.join(fields)} of {scaler.title}" if fields else "")


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
