"""What Sphinx reads: written only where it has changed, and without what is gone."""

import json
from pathlib import Path

from tools.site.__main__ import data, sources, write
from tools.site.pages import Site, read

ROOT = Path(__file__).parents[3]
ABOUT = {"version": "1.0.0", "address": "https://example.com/gitgpu/"}


def test_only_changes_are_written(tmp_path: Path) -> None:
    write({"a/b.md": "one", "c.md": "two"}, tmp_path)
    before = (tmp_path / "c.md").stat().st_mtime_ns
    write({"c.md": "two", "d.md": "three"}, tmp_path)
    assert {path.name for path in tmp_path.rglob("*.md")} == {"c.md", "d.md"}
    assert (tmp_path / "c.md").stat().st_mtime_ns == before


def test_every_page_and_the_two_that_are_made_are_sources() -> None:
    site = Site(ROOT, read(ROOT), "https://github.com/me/gitgpu/blob/v1.0.0")
    made = sources(site, ABOUT)
    assert made.keys() == {page.name for page in site.pages} | {"size-explorer.md", "releases.md"}
    assert "\n```{toctree}\n" in made["index.md"]
    assert "\n# Reference: sizes\n\nThe [size explorer](../size-explorer.md) filters" in made["reference/sizes.md"]
    # A link to a file of the repository names the release.
    sample = "(https://github.com/me/gitgpu/blob/v1.0.0/docs/samples/rings/fleet.yaml)"
    assert sample in made["how-to/promote-from-staging-to-production.md"]


def test_the_data_of_the_scripts_is_json() -> None:
    site = Site(ROOT, read(ROOT), "")
    for name, script in data(site).items():
        head, _, rest = script.partition(" = ")
        assert head in ("window.GITGPU_SEARCH", "window.GITGPU_SIZES"), name
        assert json.loads(rest.rstrip().removesuffix(";"))
