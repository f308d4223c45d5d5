"""Symptoms for people and for programs."""

from typing import Any

from gitgpu.model.symptoms import Symptom
from gitgpu.report.terminal import fit_lines


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


def symptom_text(symptom: Symptom, width: int = 0) -> str:
    """A symptom in the terminal: what is printed, why, and what to do. Commands stay on one line, to be copied."""
    said = fit_lines(f"{symptom.text}\n  ({symptom.printed})\n  {symptom.cause}", width, more=0)
    remedy = fit_lines(f"  = help: {symptom.remedy}", width)
    return "\n".join((said, remedy, *(f"    {command}" for command in symptom.commands), ""))
