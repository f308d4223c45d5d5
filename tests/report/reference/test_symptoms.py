"""A symptom in a terminal."""

from gitgpu.model.symptoms import Symptom
from gitgpu.report.reference.symptoms import symptom_text

SYMPTOM = Symptom(
    "x",
    "pods",
    "Insufficient",
    "by kube-scheduler",
    "No running node has enough GPUs",
    "wait for a node that has more of them",
    ("kubectl get events -A --field-selector x=y",),
    (),
    (),
)


def test_text_is_broken_to_the_width_and_commands_are_not() -> None:
    assert symptom_text(SYMPTOM, 28) == (
        "Insufficient\n"
        "  (by kube-scheduler)\n"
        "  No running node has enough\n"
        "  GPUs\n"
        "  = help: wait for a node\n"
        "      that has more of them\n"
        "    kubectl get events -A --field-selector x=y\n"
    )


def test_a_pipe_gets_whole_lines() -> None:
    assert "\n  = help: wait for a node that has more of them\n" in symptom_text(SYMPTOM)
