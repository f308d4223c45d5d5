"""The document of a team before it is known whether it generates what runs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.adopt.teams.running import Key
from gitgpu.inventory.observed import Observed


class Draft(NamedTuple):
    """A team: the spec of its GpuTeam without `clusters`, and the ClusterQueue or the first ResourceQuota it is from.

    `reason` says why it is not adopted, "" if it is; `unrelated` that it has no quota of GPUs of the fleet.
    """

    name: str
    observed: Observed
    spec: Mapping[str, Any]
    reason: str = ""
    unrelated: bool = False

    @property
    def patches(self) -> Sequence[Mapping[str, Any]]:
        """The patches of its objects."""
        found: Sequence[Mapping[str, Any]] = self.spec.get("patches", ())
        return found

    @property
    def flavors(self) -> set[str]:
        """The ResourceFlavors that its quota names."""
        return {entry["flavor"] for entry in self.spec.get("quota", ()) if "flavor" in entry}

    def patches_of(self, key: Key) -> list[Mapping[str, Any]]:
        """The patches of one of its objects."""
        kind, namespace, _ = key
        return [
            patch
            for patch in self.patches
            if patch["target"]["kind"] == kind and patch["target"].get("namespace", namespace) == namespace
        ]
