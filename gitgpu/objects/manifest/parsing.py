"""Parses manifests in other processes, while this one imports the modules that check them."""

from collections.abc import Iterable

from gitgpu.load.parse.parallel import Parsing, parse_all
from gitgpu.load.text import Text
from gitgpu.objects.delivery.kustomization_names import is_kustomization


def begin_parsing(texts: Iterable[Text], jobs: int | None) -> Parsing:
    """Starts parsing texts, except kustomizations, which are read separately, and probable templates.

    `jobs` is the option of lint. The result has the documents by name.
    """
    return parse_all([text for text in texts if not is_kustomization(text.name) and "{{" not in text.content], jobs)
