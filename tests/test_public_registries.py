"""With your own registry, no output refers to a public one."""

from itertools import product
from urllib.parse import urlsplit

import pytest
import yaml

from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from tests.emit.fleets import CATALOG
from tests.helping.cases import for_each
from tools.support_matrix import SYSTEMS, built, open_places, works

OWN = {"mirror": "contoso.azurecr.io/mirror", "charts": "oci://contoso.azurecr.io/charts"}
REPOSITORIES = {urlsplit(row["repository"]).hostname for row in CATALOG.rows("charts").values()}
PUBLIC = {host for name, row in CATALOG.rows("registries").items() for host in (name, *row["also"])}
IMAGES = [
    *(row["repository"] for row in CATALOG.rows("containers").values()),
    *(image["image"] for row in CATALOG.rows("charts").values() for image in row.get("images", ())),
]
ENGINES = ("flux", "argocd")
HEAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso-ai}
spec:
  delivery: {repository: https://github.com/contoso/gpu-fleet}
"""


def named(text: str) -> list[str]:
    """The public hosts in a file, except those that are part of the name of a copy."""
    rest = text.replace(f"{OWN['mirror']}/", "").splitlines()
    kept = [line for line, plain in zip(text.splitlines(), rest, strict=True) if line == plain]
    return [line for line in kept if any(str(host) in line for host in PUBLIC | REPOSITORIES)]


@pytest.mark.parametrize("name", ["", *SYSTEMS])
def test_no_file_of_any_system_names_a_public_registry(name: str) -> None:
    """For each GPU vendor, in one place where the system works, with each delivery engine."""
    places = {place.maker: place for place in open_places() if works(name, place)}
    for place, engine in product(places.values(), ENGINES):
        registry = yaml.safe_dump({"registry": OWN, "delivery": {"engine": engine}})
        files = built(name, place, fleet=registry).files
        assert files
        assert {path: lines for path, text in files.items() if (lines := named(text))} == {}


def test_every_image_of_the_catalog_is_in_a_public_registry() -> None:
    """Only images from public registries are read from the mirror."""
    assert {image.partition("/")[0] for image in IMAGES} <= PUBLIC


@for_each(
    ("key", "value", "remedy"),
    [
        ("mirror", "https://contoso.azurecr.io/mirror", "use contoso.azurecr.io/mirror"),
        ("mirror", "contoso.azurecr.io/mirror/", "use contoso.azurecr.io/mirror"),
        ("mirror", "Contoso.azurecr.io", "use contoso.azurecr.io"),
        ("mirror", "contoso.azurecr.io/mirror:v1", "correct the value, for example contoso.azurecr.io/mirror"),
        ("mirror", "contoso", "correct the value, for example contoso.azurecr.io/mirror"),
        (
            "charts",
            "https://contoso.azurecr.io/charts",
            "correct the value, for example oci://contoso.azurecr.io/charts",
        ),
        ("charts", "oci://contoso.azurecr.io/charts/", "use oci://contoso.azurecr.io/charts"),
        ("pullSecret", "My_Secret", "use my-secret"),
    ],
)
def test_an_invalid_registry_is_refused_at_its_place(key: str, value: str, remedy: str) -> None:
    [fault] = shape([Text("fleet.yaml", f"{HEAD}  registry: {{{key}: {value}}}\n", "fleet.yaml")])[1]
    assert (fault.code, fault.span.line, fault.pointer) == ("SHP003", 6, f"/spec/registry/{key}")
    assert fault.help == remedy


@pytest.mark.parametrize("mirror", ["localhost:5000", "harbor.contoso.com:8443/a/b-c_d", "10.0.0.1/mirror"])
def test_valid_registries_are_accepted(mirror: str) -> None:
    assert shape([Text("fleet.yaml", f"{HEAD}  registry: {{mirror: {mirror}}}\n", "fleet.yaml")])[1] == []
