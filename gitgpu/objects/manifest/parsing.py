"""Parses manifests in other processes, while this one imports the modules that check them."""

from collections.abc import Sequence

from gitgpu.counting import Count, no_count
from gitgpu.load.parse.parallel import Parsing, parse_all
from gitgpu.load.text import Text
from gitgpu.objects.delivery.kustomization_names import is_kustomization


def begin_parsing(texts: Sequence[Text], jobs: int | None, on_count: Count = no_count) -> Parsing:
    """Starts parsing texts, except kustomizations, which are read separately, and probable templates.

    `jobs` is the option of lint. The result has the documents by name. `on_count` gets the number of texts
    that are done.
    """
    chosen_texts = [text for text in texts if not is_kustomization(text.name) and "{{" not in text.content]

    def count(done: int, distinct: int) -> None:
        on_count(len(texts) - distinct + done, len(texts))  # the others, and copies, take no time

    return parse_all(chosen_texts, jobs, count)
