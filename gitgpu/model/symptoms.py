"""What other software prints when GPUs on AKS do not work, from the catalog: catalog/symptoms."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.pasted_text import is_in, shared_words

_WORD = re.compile(r"\w+")
_PLAIN = re.compile(r"[A-Z][a-z]+")  # Degraded, but not BuildFailed


class Symptom(NamedTuple):
    """A text that people paste.

    `text` is the part that is always the same, with a placeholder such as <name> for each part in its middle that
    differs; `also` are further texts that mean the same, and `reasons` are reasons of conditions, and names of errors
    of Azure, CUDA and NVML. `rules` are codes. A `general` one is followed by a text that says more.
    """

    name: str
    group: str
    text: str
    printed: str
    cause: str
    remedy: str
    commands: tuple[str, ...]
    rules: tuple[str, ...]
    sources: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    general: bool = False
    also: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that it is printed as."""
        return self.text, *self.also


def symptoms(catalog: Catalog) -> Iterator[Symptom]:
    """All symptoms, in order of name."""
    for name, row in catalog.rows("symptoms").items():
        lists = (tuple(row["commands"]), tuple(row["rules"]), tuple(row["source"]), tuple(row.get("reasons") or ()))
        texts = (row["text"], row["printed"], row["cause"], row["remedy"])
        yield Symptom(name, row["group"], *texts, *lists, general="general" in row, also=tuple(row.get("also") or ()))


def rules_of(name: str, catalog: Catalog) -> tuple[str, ...]:
    """The codes of the rules about a symptom. Raises KeyError if the catalog does not have it."""
    return tuple(catalog.must("symptoms", name)["rules"])


def found_symptoms(every: Sequence[Symptom], query: str) -> list[Symptom]:
    """The symptoms that a query is about: by their texts, else by a reason in it, else those that it is a part of.

    A query that is only a reason is about that, even if the word is in a text too.
    """
    by_reason = [symptom for symptom in every if has_reason(symptom, query)]
    found = (by_reason if len(query.split()) == 1 else []) or pasted_symptoms(every, query) or by_reason
    return [symptom for symptom in found if not symptom.general] or found or partial_symptoms(every, query)


def pasted_symptoms(every: Iterable[Symptom], query: str) -> list[Symptom]:
    """The symptoms with a text that is part of what a user has pasted, or has all of its words.

    Those that say most come first: the longest text, and the general part of a message after all others.
    """
    lengths = {symptom: max((len(text) for text in symptom.texts if _has(text, query)), default=0) for symptom in every}
    found = filter(lengths.get, lengths)
    return sorted(found, key=lambda symptom: (symptom.general, -lengths[symptom], symptom.name))


def symptom_in(message: str, groups: Collection[str], catalog: Catalog) -> Symptom | None:
    """The symptom that a message is about, of those of these groups: others print similar texts about other things."""
    of_groups = (symptom for symptom in symptoms(catalog) if symptom.group in groups)
    return next(iter(pasted_symptoms(of_groups, message)), None) if message else None


def partial_symptoms(every: Iterable[Symptom], query: str) -> list[Symptom]:
    """The symptoms that a part was pasted of, those with the most words in common first."""
    shared = {symptom: max(shared_words(text, query) for text in symptom.texts) for symptom in every}
    return sorted(filter(shared.get, shared), key=lambda symptom: (-shared[symptom], symptom.name))


def has_reason(symptom: Symptom, query: str) -> bool:
    """Whether a word of the query is one of its reasons, such as QuotaExceeded.

    One that is also a word of any text, such as Missing, must be all of the query.
    """
    words = query.lower().split()
    reasons = (reason for reason in symptom.reasons if len(words) == 1 or not _PLAIN.fullmatch(reason))
    return not {reason.lower() for reason in reasons}.isdisjoint(_WORD.findall(query.lower()))


def _has(text: str, query: str) -> bool:
    """Whether a text is in a query, or has all of its words."""
    words = query.lower().split()
    return is_in(text.lower(), query) or (bool(words) and all(word in text.lower() for word in words))
