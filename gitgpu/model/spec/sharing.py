"""How pods share a GPU."""

from typing import NamedTuple


class Sharing(NamedTuple):
    """How many pods share a GPU, and how. `way` is timeSlicing or mps, or "" for whole GPUs."""

    way: str = ""
    replicas: int = 1
