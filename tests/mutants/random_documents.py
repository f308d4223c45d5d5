"""Random changes of a whole document, or of the context of all documents."""

import random
from collections.abc import Mapping

from tests.mutants.values import WORKLOADS
from tests.rules.recorded_cases import Bodies, Step

_CONVERTIBLE: Mapping[str, tuple[str, ...]] = {
    "HelmRelease": ("Application", "HelmValues"),
    "Workspace": ("InferenceSet",),
}
_RELEASES = ("1.28", "1.31", "1.33", "1.36")


def of_document(at: int, bodies: Bodies, rng: random.Random) -> Step:
    """A change of a whole document, or of what is around all of them."""
    known = [(body, body["metadata"]) for body in bodies if "metadata" in body]
    senders = ["/".join((body["kind"], meta.get("namespace", ""), meta["name"])) for body, meta in known]
    names = [meta["name"] for _, meta in known] + ["other"]
    changes: list[Step] = [
        {"remove": [at]},
        {"copy": at, "name": rng.choice(names)},
        {"copy": at, "namespace": "other"},
        {"copy": at, "name": "other", "namespace": "other"},
    ]
    if "apiVersion" in bodies[at]:
        changes += [
            {"about": at, "patch": True},
            {"about": at, "by": rng.choice([*senders, "ApplicationSet/argocd/other"])},
            {"cluster": {"kubernetes": rng.choice(_RELEASES)}},
            {"cluster": {"beyond": [["*", "*"]]}},
            {"cluster": {"today": "2030-06-10"}},
        ]
    kind = bodies[at]["kind"]
    if kind == "HelmRelease":
        changes.append({"set": [at, "spec", "valuesFrom"], "to": [{"kind": "ConfigMap", "name": "own"}]})
    into = WORKLOADS if kind in WORKLOADS else _CONVERTIBLE.get(kind, ())
    changes += [{"convert": at, "kind": other} for other in into]
    return rng.choice(changes)
