"""What other software prints when GPUs on AKS do not work, from the catalog: catalog/symptoms."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.pasted_text import is_in, shared_words

_WORD = re.compile(r"\w+")


class Symptom(NamedTuple):
    """A text that people paste.

    `text` is the part that is always the same, with a placeholder such as <name> for each part in its middle that
    differs; `rules` are codes. `reasons` are reasons of conditions, and error codes
    of Azure, that mean the same. A `general` one is followed by a text that says more.
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


def symptoms(catalog: Catalog) -> Iterator[Symptom]:
    """All symptoms, in order of name."""
    for name, row in catalog.rows("symptoms").items():
        lists = (tuple(row["commands"]), tuple(row["rules"]), tuple(row["source"]), tuple(row.get("reasons") or ()))
        texts = (row["text"], row["printed"], row["cause"], row["remedy"])
        yield Symptom(name, row["group"], *texts, *lists, general="general" in row)


def rules_of(name: str, catalog: Catalog) -> tuple[str, ...]:
    """The codes of the rules about a symptom. Raises KeyError if the catalog does not have it."""
    return tuple(catalog.must("symptoms", name)["rules"])


def found_symptoms(every: Sequence[Symptom], query: str) -> list[Symptom]:
    """The symptoms that a query is about: by their texts, else by a reason in it, else those that it is a part of."""
    found = pasted_symptoms(every, query) or [symptom for symptom in every if has_reason(symptom, query)]
    return [symptom for symptom in found if not symptom.general] or found or partial_symptoms(every, query)


def pasted_symptoms(every: Iterable[Symptom], query: str) -> list[Symptom]:
    """The symptoms whose text is part of what a user has pasted, or has all of its words.

    Those that say most come first: the longest text, and the general part of a message after all others.
    """
    words = query.lower().split()
    found = []
    for symptom in every:
        text = symptom.text.lower()
        if is_in(text, query) or (words and all(word in text for word in words)):
            found.append(symptom)
    return sorted(found, key=lambda symptom: (symptom.general, -len(symptom.text), symptom.name))


def partial_symptoms(every: Iterable[Symptom], query: str) -> list[Symptom]:
    """The symptoms that a part was pasted of, those with the most words in common first."""
    shared = {symptom: shared_words(symptom.text, query) for symptom in every}
    return sorted(filter(shared.get, shared), key=lambda symptom: (-shared[symptom], symptom.name))


def has_reason(symptom: Symptom, query: str) -> bool:
    """Whether a word of the query is one of its reasons, such as QuotaExceeded."""
    return not {reason.lower() for reason in symptom.reasons}.isdisjoint(_WORD.findall(query.lower()))
