"""The manifests that `lint` checks."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.cli.lint.file_filter import FileFilter
from gitgpu.counting import Count, no_count
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.parse.parallel import Parsing
from gitgpu.load.text import Text


class ManifestTexts(NamedTuple):
    """The texts of `named` files and directories, the faults of files that could not be read, and the documents.

    `within` are the only files whose findings are reported and fixed; None if these are all. `on_count`
    gets the number of objects that are checked.
    """

    texts: Sequence[Text]
    faults: Sequence[Diagnostic]
    named: Sequence[str]
    parsing: Parsing
    within: FileFilter | None
    on_count: Count = no_count
