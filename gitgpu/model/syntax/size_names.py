"""The parts of names of Azure sizes, to find the size that a misspelt name means: the same machine, or none.

Azure's convention: family, vCPUs, constrained vCPUs, features, accelerator, version, such as Standard_NC24ads_A100_v4
(https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions). A similar spelling is not enough:
NC24ads_A100_v4 and NC48ads_A100_v4 differ in one digit, but one has half the GPUs of the other.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from gitgpu.spelling import first_names, nearest

# What separates the words of a name; people also write blanks, hyphens or dots.
_SPLIT = re.compile(r"[-_.\s]+")
# The first word: nc24ads is the family nc, 24 vCPUs, and the features ads.
_FIRST = re.compile(r"(?P<family>[a-z]+?)(?P<vcpus>\d+)(?P<features>[a-z]*)(?P<rest>.*)\Z")
_VERSION = re.compile(r"v\d+\Z")
_STANDARD = "standard"
_VENDORS = frozenset(("amd", "gpu", "nvidia", "tesla"))  # words in front of a GPU
_CUTOFF = 0.75  # one wrong letter in the four of H100; one slip in `standard` leaves 0.87


class Parts(NamedTuple):
    """The parts of a name. `words` are between the features and the version: usually the accelerator."""

    family: str
    vcpus: str
    features: str
    words: tuple[str, ...]
    version: str


@cache  # each unknown name is compared with all sizes of the catalog
def parts(name: str) -> Parts | None:
    """The parts of a name, in lower case; None if it does not follow Azure's convention."""
    words = [word for word in _SPLIT.split(name.strip().lower()) if word]
    # People misspell the prefix too: Stanadrd_NC24ads_A100_v4.
    if words and nearest(words[0], [_STANDARD], _CUTOFF):
        words = words[1:]
    joined = "_".join(words).removeprefix(_STANDARD)
    first, *rest = joined.split("_")
    match = _FIRST.match(first)
    if not match:
        return None
    following = [match["rest"], *rest] if match["rest"] else rest
    version = following.pop() if following and _VERSION.match(following[-1]) else ""
    return Parts(match["family"], match["vcpus"], match["features"], tuple(following), version)


def family(name: str, models: Collection[str]) -> str:
    """The letters before the vCPUs, in upper case; "" if the name does not follow the convention, or names a GPU."""
    parsed = None if gpu_model(name, models) else parts(name)
    gpus = {_plain(model) for model in models if model}
    return "" if parsed is None or gpus.intersection(map(_plain, parsed.words)) else parsed.family.upper()


def gpu_model(name: str, models: Collection[str]) -> str:
    """The GPU that a name starts with instead of a size, such as A100 in nvidia-a100-80gb; "" if there is none.

    Not Standard_A10, which was a size without a GPU.
    """
    words = [word for word in _SPLIT.split(name.strip().lower()) if word not in _VENDORS]
    starts = {"".join(words), *words[:1]}
    return next((model for model in models if model and _plain(model) in starts), "")


def same_machine(name: str, known: Mapping[str, str]) -> str:
    """The known size that a name means; "" if none has the same family, vCPUs and GPU.

    `known` has the GPU model of each size, such as A100, or "", because not every name contains it.
    """
    plain = _SPLIT.sub("", name).lower().removeprefix(_STANDARD)
    by_plain_name = {_SPLIT.sub("", name).lower().removeprefix(_STANDARD): name for name in known}
    if plain in by_plain_name:
        return by_plain_name[plain]
    meant = parts(name)
    return _nearest_machine(meant, known) if meant else ""


def _nearest_machine(meant: Parts, known: Mapping[str, str]) -> str:
    models = {_plain(model) for model in known.values() if model}
    ranked = []
    for candidate, model in known.items():
        own = parts(candidate)
        if own and _is_same(meant, own, _plain(model), models):
            ranked.append((_distance(meant, own), candidate))
    ranked.sort()
    if not ranked:
        return ""
    shortest, best = ranked[0]
    if len(ranked) > 1 and ranked[1][0] == shortest:  # naming one of two equally near sizes would be a guess
        return ""
    return best


def similar_sizes(name: str, known: Mapping[str, str]) -> str:
    """A remedy with the known sizes of the series in a name, or else the sizes of its family and vCPUs; or "".

    For a GPU, the command that lists its sizes.
    """
    if model := gpu_model(name, known.values()):
        return f"`gitgpu sku list --model {model.replace(' ', '-')}` shows the sizes with this GPU"
    if series := same_series(name, known):
        return f"the sizes of this series are {first_names(series)}"
    alike = same_vcpus(name, known)
    return f"the sizes of this family with as many vCPUs are {first_names(alike)}" if alike else ""


def same_series(name: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """The known sizes with the family and GPU in a name, fewest vCPUs first; none if the name has no GPU."""
    meant = parts(name)
    if meant is None or not meant.words:
        return ()
    wanted = _plain("".join(meant.words))
    matching = []
    for candidate, model in known.items():
        own = parts(candidate)
        if own and own.family == meant.family and _plain(model) == wanted:
            matching.append((int(own.vcpus), candidate))
    return tuple(candidate for _, candidate in sorted(matching))


def same_vcpus(name: str, known: Collection[str]) -> tuple[str, ...]:
    """The known sizes with the family and number of vCPUs in a name, such as NC16, in order of name."""
    meant = parts(name)
    if meant is None:
        return ()
    same = []
    for candidate in sorted(known):
        own = parts(candidate)
        if own and (own.family, own.vcpus) == (meant.family, meant.vcpus):
            same.append(candidate)
    return tuple(same)


def _is_same(meant: Parts, own: Parts, model: str, models: set[str]) -> bool:
    if (meant.family, meant.vcpus) != (own.family, own.vcpus):
        return False
    accelerator = _plain("".join(meant.words))
    named = next((name for name in (accelerator, *map(_plain, meant.words)) if name in models), "")
    if named:
        return named == model
    return not accelerator or bool(nearest(accelerator, ["".join(own.words), model], _CUTOFF))


def _distance(meant: Parts, own: Parts) -> tuple[float, float, bool]:
    from difflib import SequenceMatcher  # noqa: PLC0415  only unknown sizes need it

    # Sorted, because the order of the feature letters is easy to mix up: adst, asdt.
    alike = SequenceMatcher(None, "".join(sorted(meant.features)), "".join(sorted(own.features))).ratio()
    words = SequenceMatcher(None, meant.words, own.words).ratio()
    # Rounded, so that a tie does not depend on the last bit of a division.
    return round(-alike, 6), round(-words, 6), meant.version != own.version


@cache
def _plain(model: str) -> str:
    return "".join(letter for letter in model.lower() if letter.isalnum())
