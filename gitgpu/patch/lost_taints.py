"""Taints and tolerations that a patch removes from objects for which no rule checks this.

These are patches of workloads, which contain only part of an object's tolerations, AKS node pools, and the pods that
KEDA creates.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Diagnostic, Problem, Severity
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, SCALED_JOB
from gitgpu.model.spec.patch import Patch
from gitgpu.model.spec.taint import parse_taint
from gitgpu.objects.workload.pod_templates import templates_in
from gitgpu.patch.fault import fault
from gitgpu.patch.locator import Locator
from gitgpu.schedule.taint import HARD, taint_text, untolerated_taints
from gitgpu.source import Pointer

_OF_SCALED_JOB = ("spec", "jobTargetRef", "template", "spec", "tolerations")
_TAINTS = ("spec", "nodeTaints")
_REMEDY = "add the entry to the list too, or remove this part of the patch"
_ANY = "*"  # not a value of a taint: only a toleration of every value matches it


def lost_taints(manifest: Manifest, states: Sequence[Mapping[str, Any]], patch: Patch) -> Iterator[Diagnostic]:
    """A fault for each entry that the last state of an object lacks; `states` has one for each change of a patch."""
    for pointer, message in _lost(manifest, states[-1]):
        # The cause is the first operation after which the entry is missing.
        index = next(at for at, body in enumerate(states) if (pointer, message) in _lost(manifest, body))
        place = Locator(patch, index, states[index]).within(pointer)
        title = f"{manifest.ref.kind} {manifest.ref.name}"
        yield fault("PAT007", patch, place, Problem(message.format(title), _REMEDY), Severity.WARNING)


def _lost(manifest: Manifest, after: Any) -> Iterator[tuple[Pointer, str]]:
    """The entries that an object has lost; none if rules check the object."""
    if manifest.ref.kind == MANAGED_CLUSTERS_AGENT_POOL.kind:
        yield from _lost_taints(manifest.body, after)
    elif manifest.ref.kind == SCALED_JOB.kind:
        yield from _lost_tolerations(_OF_SCALED_JOB, manifest.body, after)
    elif manifest.role is Role.PATCH:
        for template in templates_in(manifest.body):
            yield from _lost_tolerations((*template.spec_at, "tolerations"), manifest.body, after)


def _lost_tolerations(at: Pointer, before: Any, after: Any) -> Iterator[tuple[Pointer, str]]:
    kept = reach(after, *at) or ()
    for toleration in reach(before, *at) or ():
        value = _ANY if toleration.get("operator") == "Exists" else toleration.get("value")
        effects = [toleration["effect"]] if "effect" in toleration else HARD
        taints = [{"key": toleration.get("key"), "value": value, "effect": effect} for effect in effects]
        if untolerated_taints(taints, kept):
            taint = taint_text({**toleration, "effect": effects[0]})
            yield at, f"the patch removes the toleration of {taint} from {{}}, which must run on GPU nodes"


def _lost_taints(before: Any, after: Any) -> Iterator[tuple[Pointer, str]]:
    def keeps_out(body: Any) -> bool:
        return any(parse_taint(str(taint)).effect in HARD for taint in reach(body, *_TAINTS) or ())

    if keeps_out(before) and not keeps_out(after):
        yield _TAINTS, "the patch removes the taint of {} that keeps pods without GPUs off its nodes"
