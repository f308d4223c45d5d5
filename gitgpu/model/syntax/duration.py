"""Durations in whole hours, minutes and seconds, as Karpenter, Flux and our spec write them: 1h30m."""

import re

# The units of the durations of a NodePool: its definition takes hours, minutes and seconds alone.
PARTS = re.compile(r"([0-9]+)([hms])", re.ASCII)
# No days: the Go parser behind these fields has no unit above an hour.
SECONDS = {"h": 3600, "m": 60, "s": 1}


def duration(length: int) -> str:
    """A number of seconds in the largest unit that leaves no rest: 90m, not 1h30m."""
    for unit, size in SECONDS.items():
        if length and length % size == 0:
            return f"{length // size}{unit}"
    return f"{length}s"


def seconds(text: str) -> int:
    """The seconds that a duration of proven shape stands for."""
    return sum(int(number) * SECONDS[unit] for number, unit in PARTS.findall(text))
