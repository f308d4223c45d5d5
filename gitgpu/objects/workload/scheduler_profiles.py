"""Profiles of AKS's scheduler that pods select as their schedulerName, from the object that AKS reads."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import rows, text_at
from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.names.kinds import SCHEDULER_CONFIGURATION
from gitgpu.objects.objects import Item, Objects

NAME = "upstream"  # AKS reads no object with a different name
CONFIGURATION = ("spec", "rawConfig")  # the configuration of kube-scheduler as YAML


class Profile(NamedTuple):
    """A profile: its object, its name and its settings."""

    item: Item
    name: str
    body: Mapping[str, Any]

    @property
    def only_scores(self) -> bool:
        """Whether it allows the same nodes as the default profile, and only prefers others."""
        arguments = [row.get("args") or {} for row in rows(self.body, "pluginConfig")]
        return not self.body.get("plugins") and not any("addedAffinity" in args for args in arguments)


def scheduler_profiles(objects: Objects) -> Iterator[Profile]:
    """The profiles of every SchedulerConfiguration. A configuration that cannot be read has none."""
    for item in objects.of(*SCHEDULER_CONFIGURATION):
        for body in rows(mapping_in(text_at(item.body, *CONFIGURATION)), "profiles"):
            yield Profile(item, text_at(body, "schedulerName"), body)
