"""The verdicts of several releases as one line: each placement once, and outcomes as numbers of placements."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.simulate.recording.parts import Body

Outcomes = Sequence[Sequence[Mapping[str, Any]]]  # each with a verdict for each pending pod, in the order of the pods


def packed(case: Body, by_release: Mapping[str, Outcomes]) -> Body:
    """The line of a case. A placement is a verdict without the name of its pod."""
    numbers: dict[tuple[tuple[str, Any], ...], int] = {}
    outcomes = {
        release: [[numbers.setdefault(_placement(verdict), len(numbers)) for verdict in run] for run in runs]
        for release, runs in by_release.items()
    }
    return {"case": case, "placements": [dict(placement) for placement in numbers], "outcomes": outcomes}


def unpacked(line: Body) -> dict[str, Outcomes]:
    """The verdicts of each release."""
    pods = [pod["metadata"]["name"] for pod in waiting_pods(line["case"])]
    places = line["placements"]
    return {
        release: [[{"pod": pod, **places[at]} for pod, at in zip(pods, run, strict=True)] for run in runs]
        for release, runs in line["outcomes"].items()
    }


def waiting_pods(case: Mapping[str, Any]) -> list[Body]:
    """The pods that need a node: pending ones, and those on nodes that are being drained."""
    nodes = (node["metadata"] for node in case.get("nodes", ()))
    removed = {node["name"] for node in nodes if "deletionTimestamp" in node}
    return [pod for pod in case["pods"] if "nodeName" not in pod["spec"] or pod["spec"]["nodeName"] in removed]


def _placement(verdict: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((key, value) for key, value in verdict.items() if key != "pod")
