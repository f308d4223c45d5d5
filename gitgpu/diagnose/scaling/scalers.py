"""HorizontalPodAutoscalers and ScaledObjects that do not scale: their conditions, and KEDA's events."""

from collections.abc import Iterator

from gitgpu.access import reach, rows, text_at
from gitgpu.diagnose.cause import NOT_SCALED, Answer, Cause, Evidence, clause, subject_of
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.annotations import PAUSED_ANNOTATION
from gitgpu.model.names.kinds import HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT
from gitgpu.model.symptoms import symptom_in
from gitgpu.objects.objects import Item

_AT_MAXIMUM, _FAILED = "TooManyReplicas", ("KEDAScalerFailed", "ScaledObjectCheckFailed")


def scaler_answers(state: State) -> Iterator[Answer]:
    """The answers about autoscalers that do not scale, or scale no further."""
    scaled = {item.identity[2:]: _scaled_object_answer(item, state) for item in state.objects.of(*SCALED_OBJECT)}
    for item in state.objects.of(*HORIZONTAL_POD_AUTOSCALER):
        if answer := _autoscaler_answer(item, state):
            about = scaled.get((item.identity.namespace, _owner(item)))
            is_same = about is not None and not about.cause.normal and not answer.cause.normal
            yield answer._replace(cause=about.cause) if about and is_same else answer
    yield from filter(None, scaled.values())


def _owner(item: Item) -> str:
    """The ScaledObject whose autoscaler this is; "" if it is of none."""
    owners = rows(item.body, "metadata", "ownerReferences")
    return next((text_at(owner, "name") for owner in owners if owner.get("kind") == SCALED_OBJECT.kind), "")


def _autoscaler_answer(item: Item, state: State) -> Answer | None:
    active, limited = condition(item, "ScalingActive"), condition(item, "ScalingLimited")
    if active and active.status == "False" and active.reason != "ScalingDisabled":
        return _answer(item, state, str(active), active.message)
    if limited and limited.status == "True" and limited.reason == _AT_MAXIMUM:
        most = reach(item.body, "spec", "maxReplicas")
        message = f"the metric asks for more than maxReplicas: {most}"
        cause = Cause(NOT_SCALED, message, "raise maxReplicas, or accept the limit", normal=True)
        return Answer(subject_of(item), cause, (Evidence(subject_of(item).full_name, str(limited)),))
    return None


def _scaled_object_answer(item: Item, state: State) -> Answer | None:
    ready, fallback = condition(item, "Ready"), condition(item, "Fallback")
    failures = [event for event in state.events_of(item) if event.reason in _FAILED]
    said = failures[0].message if failures else ""
    if ready and ready.status == "False":
        return _answer(item, state, str(ready), said or ready.message)
    paused = condition(item, "Paused")
    if paused and paused.status == "True":
        message = f"it is paused: its annotation {PAUSED_ANNOTATION}, or one that starts so, holds its replicas"
        cause = Cause(NOT_SCALED, message, "remove the annotation to let it scale", normal=True)
        return Answer(subject_of(item), cause, (Evidence(subject_of(item).full_name, str(paused)),))
    if fallback and fallback.status == "True":
        replicas = reach(item.body, "spec", "fallback", "replicas")
        message = f"KEDA cannot read the metric and uses fallback.replicas: {replicas}"
        cause = Cause(NOT_SCALED, message, "correct the trigger")
        return Answer(
            subject_of(item), cause, (Evidence(subject_of(item).full_name, str(fallback)), *_failure(item, said))
        )
    return None


def _answer(item: Item, state: State, shown: str, message: str) -> Answer:
    known = symptom_in(message, ("scaling",), state.objects.catalog)
    text = (
        f"it does not scale: {clause(known.cause)}"
        if known
        else f"it does not scale: {message or 'no reason is given'}"
    )
    remedy = known.remedy if known else "correct what the message says"
    rules = known.rules if known else ()
    command = f"kubectl describe {item.identity.kind.lower()} -n {item.identity.namespace} {item.identity.name}"
    evidence = (Evidence(subject_of(item).full_name, shown), *(_failure(item, message) if message not in shown else ()))
    return Answer(subject_of(item), Cause(NOT_SCALED, text, remedy, (command,), rules), evidence)


def _failure(item: Item, message: str) -> tuple[Evidence, ...]:
    return (Evidence(subject_of(item).full_name, f"event: {message}"),) if message else ()
