"""Durations in whole hours, minutes and seconds, as in Karpenter, Flux and the spec: 1h30m."""

import re

# The units in durations of a NodePool, whose CRD allows only hours, minutes and seconds.
PARTS = re.compile(r"([0-9]+)([hms])", re.ASCII)
# No days: Go's parser for these fields has no unit above the hour.
SECONDS = {"h": 3600, "m": 60, "s": 1}


def duration(length: int) -> str:
    """A number of seconds in the largest unit without a remainder: 90m, not 1h30m."""
    for unit, size in SECONDS.items():
        if length and length % size == 0:
            return f"{length // size}{unit}"
    return f"{length}s"


def seconds(text: str) -> int:
    """The number of seconds in a valid duration."""
    return sum(int(number) * SECONDS[unit] for number, unit in PARTS.findall(text))
