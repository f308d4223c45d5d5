"""The text of the rows that an import writes for versions of charts and images that run."""

from collections.abc import Mapping
from typing import Any

from gitgpu.write.spec.text import mapping_lines

_HEAD = """\
# Written by `gitgpu import`: a cluster runs this version, which gitgpu's catalog does not have. The facts are those of
# the nearest version that it has, without images, drivers and versions of components. Correct what you know better,
# and remove the row once no cluster pins the version.
"""


def row_texts(rows: Mapping[str, Mapping[str, Any]]) -> Mapping[str, str]:
    """The text of each row, by its path below the directory of a catalog."""
    texts: dict[str, str] = {}
    for path, row in rows.items():
        lines = mapping_lines(row, (), "", {})
        texts[path] = _HEAD + "".join(f"{line}\n" for line in lines)
    return texts
