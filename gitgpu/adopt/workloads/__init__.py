"""Converts workloads with GPU requests to GpuWorkloads, whose pools the simulator finds.

The pods of a workload stay as they are: gitgpu only generates a patch, which their owner may include. A scaler or a
model is adopted only if its document, once compiled, generates an equal object.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gitgpu.adopt.adoption import Destination, Fate, Outcome, Part, Ruling, SpecDocument
from gitgpu.adopt.stack.chart_versions import why_secret_stays
from gitgpu.adopt.stack.view import View
from gitgpu.adopt.workloads.additions import additions
from gitgpu.adopt.workloads.drafts import Draft, drafts, site_of
from gitgpu.adopt.workloads.models import Served, same_model, served_models
from gitgpu.adopt.workloads.proof import CompiledObjects, compile_each, join_compiled
from gitgpu.adopt.workloads.scaled import Decided, decide
from gitgpu.adopt.workloads.scaling import Scaler, refers_to, scalers
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.names.kinds import CLUSTER_TRIGGER_AUTHENTICATION, SCALED_JOB, TRIGGER_AUTHENTICATION
from gitgpu.objects.workload.autoscalers import scaled_pods
from gitgpu.objects.workload.pod_templates import templates_in
from gitgpu.plan.kaito import KINDS


def workloads(view: View, documents: Sequence[SpecDocument]) -> Part:
    """The GpuWorkloads of a cluster. `documents` are its Fleet, its Cluster with its stack, and its GpuPools."""
    site, catalog = site_of(documents), view.catalog
    all_scalers = [_whole(scaler, view) for scaler in scalers(view.objects, site.server)]
    drafted = list(drafts(view, site, all_scalers))
    decisions, tried = decide(drafted, site, view)
    adopted_workloads = [workload for workload in decisions if _is_adopted(workload)]
    modelled = list(served_models(view.objects, site.pools))
    # What the decisions on scalers have not compiled already.
    rest = [workload.document for workload in adopted_workloads if workload.document.folder not in tried.patches]
    rest += [model.document for model in modelled if model.document]
    compiled = join_compiled(tried, compile_each(site.common(rest), rest, site.cluster.name, catalog))
    equal_models = [model for model in modelled if not _difference(model, compiled, view)]
    adopted = [workload.document for workload in adopted_workloads]
    adopted += [model.document for model in equal_models if model.document]
    outcomes = [
        *_workloads(drafted, decisions, compiled, view),
        *_scalers(all_scalers, drafted, decisions, view),
        *_models(modelled, compiled, view),
        *_references(decisions, view),
    ]
    return Part(tuple(adopted), tuple(outcomes))


def _whole(scaler: Scaler, view: View) -> Scaler:
    """The scaler; without candidates if one of its values was not read, because they would lack it."""
    secret = why_secret_stays(view.original(scaler.item))
    return scaler._replace(candidates=(), reason=secret) if secret else scaler


def _workloads(
    drafted: Iterable[Draft], decisions: Iterable[Decided], compiled: CompiledObjects, view: View
) -> Iterator[Outcome]:
    """The outcomes of objects whose pods request GPUs."""
    for draft in drafted:
        if draft.reason:
            yield Outcome(view.original(draft.item), Fate.INEXPRESSIBLE, draft.reason)
    for workload in decisions:
        observed, document = view.original(workload.draft.item), workload.document
        where = _place(document, view, "target")
        if workload.draft.item.identity.kind == SCALED_JOB.kind:
            continue  # it is its own scaler
        patch = compiled.patches.get(document.folder)
        yield Outcome(observed, Fate.ADOPTED, _patched(workload, patch), (), where)
        if workload.draft.cuda_at:
            reason = f"its image or a variable shows CUDA {document.spec['cuda']}"
            yield Outcome(
                observed, Fate.INFERRED, reason, workload.draft.cuda_at, where._replace(pointer=("spec", "cuda"))
            )


def _patched(workload: Decided, patch: Mapping[str, Any] | None) -> str:
    """What the patch of the workload would add to its pods. Its owner decides whether to include it."""
    spec = next((template.body["spec"] for template in templates_in(patch)), None) if patch else None
    if not spec:
        return "its pods stay as they are"
    added = additions(spec, workload.draft.pod.spec)
    if not added:
        return "its pods already set everything that they need: the patch adds nothing"
    folder = workload.document.folder
    return f"its pods stay as they are; the patch in workloads/{folder} would add {', '.join(added)}"


def _scalers(
    all_scalers: Iterable[Scaler], drafted: Iterable[Draft], decisions: Iterable[Decided], view: View
) -> Iterator[Outcome]:
    """The outcome of each scaler."""
    by_item = {id(workload.draft.scaler.item): workload for workload in decisions if workload.draft.scaler}
    not_adopted = {id(draft.scaler.item) for draft in drafted if draft.scaler and draft.reason}
    for scaler in all_scalers:
        observed, workload = view.original(scaler.item), by_item.get(id(scaler.item))
        if id(scaler.item) in not_adopted:
            yield Outcome(observed, Fate.INEXPRESSIBLE, "the workload that it scales is not adopted")
        elif workload is None:
            read = scaler.item.identity.kind == SCALED_JOB.kind or scaled_pods(scaler.item, view.objects) is not None
            reason = "scales no pods with GPUs" if read else "what it scales is not in the input"
            yield Outcome(observed, Fate.LEFT, reason)
        elif workload.is_scaled:
            where = _place(workload.document, view, "scaling")
            yield Outcome(observed, Fate.ADOPTED, "scaling generates the same object", (), where)
        else:
            yield Outcome(observed, *_unscaled(scaler, workload.reason))


def _unscaled(scaler: Scaler, reason: str) -> Ruling:
    """The outcome of a scaler that `scaling` does not generate, although its workload is adopted."""
    if scaler.elsewhere:
        return Ruling(Fate.LEFT, reason)
    return Ruling(Fate.INEXPRESSIBLE, f"it stays with its owner: {reason}")


def _is_adopted(workload: Decided) -> bool:
    """Whether the workload is adopted at all: not a ScaledJob without `scaling`, because its Job exists only in it."""
    return workload.is_scaled or workload.draft.item.identity.kind != SCALED_JOB.kind


def _difference(model: Served, compiled: CompiledObjects, view: View) -> str:
    """Why a document does not generate a model; "" if it does."""
    if not model.document:
        return model.reason
    if secret := why_secret_stays(view.original(model.item)):
        return secret
    kind, namespace, name = model.item.identity[1:]
    generated = compiled.find(kind, namespace or "default", name)
    if generated is None:
        instead = next((other for other in KINDS.values() if compiled.find(other, namespace or "default", name)), "")
        why = f": a GpuWorkload would create {instead} {name} in addition to it" if instead else ""
        return f"gitgpu does not generate the {kind}{why}"
    fields = same_model(model.item.body, generated)
    return f"a GpuWorkload would change {' and '.join(fields)}" if fields else ""


def _models(modelled: Iterable[Served], compiled: CompiledObjects, view: View) -> Iterator[Outcome]:
    """The outcome of each model of KAITO."""
    for model in modelled:
        reason = _difference(model, compiled, view)
        observed = view.original(model.item)
        if reason or not model.document:
            yield Outcome(observed, Fate.INEXPRESSIBLE, f"it stays with its owner: {reason}")
        else:
            yield Outcome(observed, Fate.ADOPTED, "", (), _place(model.document, view))


def _references(decisions: Iterable[Decided], view: View) -> Iterator[Outcome]:
    """The outcomes of TriggerAuthentications: gitgpu writes its own, named after the workload."""
    scaled = [(workload, workload.draft.scaler.item) for workload in decisions if workload.draft.scaler]
    for kind in (TRIGGER_AUTHENTICATION.kind, CLUSTER_TRIGGER_AUTHENTICATION.kind):
        for item in view.objects.of(KEDA_GROUP, kind):
            users = [workload for workload, scaler in scaled if refers_to(scaler, item)]
            observed = view.original(item)
            if users and all(workload.is_scaled for workload in users):
                where = _place(users[0].document, view, "scaling")
                yield Outcome(observed, Fate.ADOPTED, "gitgpu writes one for each workload that needs it", (), where)
            else:
                yield Outcome(observed, Fate.LEFT, "not used by a scaler, or only by one that stays with its owner")


def _place(document: SpecDocument, view: View, *keys: str) -> Destination:
    """The place of these keys in the spec of a GpuWorkload."""
    return Destination(document.kind, document.name, ("spec", *keys), view.cluster.name, document.namespace)
