"""Symptoms for people and for programs."""

from typing import Any

from gitgpu.model.symptoms import Symptom


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


def symptom_text(symptom: Symptom) -> str:
    """A symptom in the terminal: what is printed, why, and what to do."""
    commands = "".join(f"    {command}\n" for command in symptom.commands)
    return f"{symptom.text}\n  ({symptom.printed})\n  {symptom.cause}\n  = help: {symptom.remedy}\n{commands}"
