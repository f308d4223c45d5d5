"""A symptom in a terminal."""

from gitgpu.model.symptoms import Symptom
from gitgpu.report.findings import Style
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
    assert symptom_text(SYMPTOM, Style(width=28)) == (
        "Insufficient\n"
        "  (by kube-scheduler)\n"
        "  No running node has enough\n"
        "  GPUs\n"
        "  = help: wait for a node\n"
        "      that has more of them\n"
        "    kubectl get events -A --field-selector x=y\n"
    )


def test_a_pipe_gets_whole_lines() -> None:
    assert "\n  = help: wait for a node that has more of them\n" in symptom_text(SYMPTOM, Style())


def test_the_text_that_was_searched_is_bold_on_a_terminal() -> None:
    assert symptom_text(SYMPTOM, Style(colour=True)).startswith("\x1b[1mInsufficient\x1b[0m\n  (by kube-scheduler)\n")
