"""The container image that a catalog row stands for."""

from gitgpu.model.catalog import Facts


def image(row: Facts) -> str:
    """The reference: the tag for people to read, and the digest, where it is known, for the node to obey."""
    digest = f"@{row['digest']}" if row["digest"] else ""
    return f"{row['repository']}:{row['version']}{digest}"
