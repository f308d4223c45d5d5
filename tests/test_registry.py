"""With a registry of one's own, nothing that is built names a public one."""

from itertools import product
from urllib.parse import urlsplit

import pytest
import yaml

from tests.emit.fleets import CATALOG
from tests.support import SYSTEMS, built, open_places, works

OWN = {"mirror": "contoso.azurecr.io/mirror", "charts": "oci://contoso.azurecr.io/charts"}
REPOSITORIES = {urlsplit(row["repository"]).hostname for row in CATALOG.rows("charts").values()}
PUBLIC = {host for name, row in CATALOG.rows("registries").items() for host in (name, *row["also"])}
IMAGES = [
    *(row["repository"] for row in CATALOG.rows("containers").values()),
    *(image["image"] for row in CATALOG.rows("charts").values() for image in row.get("images", ())),
]
ENGINES = ("flux", "argocd")


def named(text: str) -> list[str]:
    """The public hosts in a file, but for those that are a part of the name of a copy."""
    rest = text.replace(f"{OWN['mirror']}/", "").splitlines()
    kept = [line for line, plain in zip(text.splitlines(), rest, strict=True) if line == plain]
    return [line for line in kept if any(str(host) in line for host in PUBLIC | REPOSITORIES)]


@pytest.mark.parametrize("name", ["", *SYSTEMS])
def test_no_file_of_any_system_names_a_public_registry(name: str) -> None:
    """For each maker of GPUs, in one place where the system works, with each engine."""
    places = {place.maker: place for place in open_places() if works(name, place)}
    for place, engine in product(places.values(), ENGINES):
        registry = yaml.safe_dump({"registry": OWN, "delivery": {"engine": engine}})
        files = built(name, place, fleet=registry).files
        assert files
        assert {path: lines for path, text in files.items() if (lines := named(text))} == {}


def test_every_image_of_the_catalog_is_in_a_public_registry() -> None:
    """Only those are taken from the mirror."""
    assert {image.partition("/")[0] for image in IMAGES} <= PUBLIC
