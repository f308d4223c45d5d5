"""Symptoms for people and for programs."""

from typing import Any

from gitgpu.model.symptoms import Symptom
from gitgpu.report.findings import Style
from gitgpu.report.terminal import fit_lines, paint


def symptom_facts(symptom: Symptom) -> dict[str, Any]:
    """A symptom for the JSON report."""
    return {
        "name": symptom.name,
        "text": symptom.text,
        "printed": symptom.printed,
        "cause": symptom.cause,
        "remedy": symptom.remedy,
        "commands": list(symptom.commands),
        "rules": list(symptom.rules),
        "sources": list(symptom.sources),
    }


def symptom_text(symptom: Symptom, style: Style) -> str:
    """A symptom in the terminal: what is printed, why, and what to do. Commands stay on one line, to be copied."""
    text = paint(fit_lines(symptom.text, style.width, more=0), "1", colour=style.colour)
    cause = fit_lines(f"  ({symptom.printed})\n  {symptom.cause}", style.width, more=0)
    remedy = fit_lines(f"  = help: {symptom.remedy}", style.width)
    return "\n".join((text, cause, remedy, *(f"    {command}" for command in symptom.commands), ""))
