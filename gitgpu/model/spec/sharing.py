"""How pods share a GPU."""

from typing import NamedTuple


class Sharing(NamedTuple):
    """How many pods a GPU serves, and how: `way` is the spec's word, timeSlicing or mps, "" for whole GPUs."""

    way: str = ""
    replicas: int = 1
