"""Pods that are held back before the scheduler looks at them: by Kueue, or by another scheduling gate."""

from gitgpu.access import rows, text_at
from gitgpu.diagnose.cause import SUSPENDED, Answer, Cause, Evidence, subject_of
from gitgpu.diagnose.pods.not_created import admission_answer
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.groups import KUEUE_GROUP
from gitgpu.objects.objects import Item

_OF_KUEUE = f"{KUEUE_GROUP}/"


def gate_answer(item: Item, state: State) -> Answer | None:
    """The answer of a pod with scheduling gates; None if it has none."""
    gates = [text_at(gate, "name") for gate in rows(item.body, "spec", "schedulingGates")]
    if not gates:
        return None
    evidence = Evidence(subject_of(item).full_name, f"schedulingGates: {', '.join(gates)}")
    if any(gate.startswith(_OF_KUEUE) for gate in gates):
        answer = admission_answer(item, state)
        return answer._replace(evidence=(evidence, *answer.evidence))
    message = f"a scheduling gate holds it back: {gates[0]}"
    remedy = "whatever set the gate has to remove it"
    return Answer(subject_of(item), Cause(SUSPENDED, message, remedy, normal=True), (evidence,))
