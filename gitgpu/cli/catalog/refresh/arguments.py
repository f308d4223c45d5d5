"""The command line of `gitgpu catalog refresh`."""

from typing import NamedTuple


class Arguments(NamedTuple):
    """The options of `gitgpu catalog refresh`. The first five are files by what they contain."""

    skus: tuple[str, ...]
    prices: tuple[str, ...]
    usage: tuple[str, ...]
    versions: tuple[str, ...]
    charts: tuple[str, ...]
    out: str | None
    today: str
    dry_run: bool
    output_format: str

    @property
    def of_azure(self) -> tuple[str, ...]:
        """The files without a date of their own. Only the index of a chart repository can have one."""
        return (*self.skus, *self.prices, *self.usage, *self.versions)
