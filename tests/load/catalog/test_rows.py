"""Catalog files: the user's own rows add and override, and an invalid row is a fault."""

import os
from pathlib import Path

import pytest

from gitgpu.load.catalog.folders import Folder, entries, row_names
from gitgpu.load.catalog.misplaced_files import no_catalog, strangers
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.read import MAX_BYTES, data_root, data_text
from gitgpu.model.dates import evidence_day

SKU = "Standard_NC16as_T4_v3"
GPU = data_text("catalog/gpus/T4.yaml")
OUTSIDE = "is not read: it points outside through a symbolic link"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The user's own directory for rows."""
    return tmp_path / "mine"


IMAGE = """\
name: plugin
repository: REPOSITORY
version: "1"
digest: null
provides: [device-plugin]
memory: null
mirror: null
source: ["https://contoso.com"]
verified: "2026-11-22"
"""


def put(own: Path, path: str, content: str) -> str:
    """Writes a row. Returns the path of the catalog."""
    (own / path).parent.mkdir(parents=True, exist_ok=True)
    (own / path).write_text(content, "utf-8")
    return str(own)


def faults(files: CatalogFiles) -> list[str]:
    """The faults, with paths relative to the catalog."""
    assert all(fault.message and fault.help for fault in files.faults)
    return [
        f"{fault.code} {Path(fault.span.file).name}:{fault.span.line}:{fault.span.column}" for fault in files.faults
    ]


def test_names_are_the_files_sorted() -> None:
    names = CatalogFiles().names("skus")
    assert SKU in names
    assert list(names) == sorted(names)
    assert CatalogFiles().names("nothing") == ()
    assert CatalogFiles().names("../skus") == CatalogFiles().names("../skus")


def test_a_row_has_its_data_and_its_origin() -> None:
    files = CatalogFiles()
    row = files.row("gpus", "T4")
    assert row is not None
    assert (row.kind, row.name, row.data["name"], row.origin) == ("gpus", "T4", "T4", "")
    assert row.places.span(("name",)).line == 1
    assert files.row("gpus", "T4") is row
    assert files.row("gpus", "T5") is None
    assert files.row("nothing", "T4") is None
    assert files.faults == []


def test_own_rows_are_added(own: Path) -> None:
    files = CatalogFiles([Folder(put(own, "gpus/T5.yaml", GPU.replace("name: T4", "name: T5")), "mine")])
    assert {"T4", "T5"} <= set(files.names("gpus"))
    row = files.row("gpus", "T5")
    assert row is not None
    assert row.origin == "mine"
    assert row.places.span().file == f"{own}/gpus/T5.yaml"


def test_own_rows_override_whole_rows_and_the_last_wins(own: Path, tmp_path: Path) -> None:
    one = put(own, "gpus/T4.yaml", GPU.replace("memoryGiB: 16", "memoryGiB: 17"))
    two = put(tmp_path / "yours", "gpus/T4.yaml", GPU.replace("memoryGiB: 16", "memoryGiB: 18"))
    rows = [
        CatalogFiles(Folder(path, "mine") for path in paths).row("gpus", "T4")
        for paths in ((), (one,), (one, two), (two, one))
    ]
    assert [row.data["memoryGiB"] for row in rows if row] == [16, 17, 18, 17]
    assert len(CatalogFiles([Folder(one, "mine")]).names("gpus")) == len(CatalogFiles().names("gpus"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ["CAT001 T9.yaml:1:1"]),
        ("- a\n", ["CAT001 T9.yaml:1:1"]),
        ("just words\n", ["CAT001 T9.yaml:1:1"]),
        (f"{GPU}---\n{GPU}", ["CAT001 T9.yaml:1:1"]),
        ("name: [\n", ["YML001 T9.yaml:1:8"]),
        (GPU, ["CAT002 T9.yaml:1:7"]),
        ("model: x\n", ["CAT002 T9.yaml:1:1"]),
        (GPU.replace("name: T4", "name: T9\nnmae: T9"), ["CAT004 T9.yaml:2:1"]),
        (GPU.replace("name: T4", "name: T9").replace("memoryGiB: 16", "memoryGiB: lots"), ["CAT004 T9.yaml:6:12"]),
    ],
)
def test_an_invalid_row_is_a_fault_and_is_not_used(own: Path, content: str, expected: list[str]) -> None:
    files = CatalogFiles([Folder(put(own, "gpus/T9.yaml", content), "mine")])
    assert files.row("gpus", "T9") is None
    assert faults(files) == expected
    assert files.row("gpus", "T9") is None
    assert faults(files) == expected  # reported once


@pytest.mark.parametrize(
    ("repository", "message", "remedy"),
    [
        (
            "https://contoso.azurecr.io/k8s",
            "starts with https://, and this value has no scheme",
            "use contoso.azurecr.io/k8s",
        ),
        (
            "oci://contoso.azurecr.io/k8s",
            "starts with oci://, and this value has no scheme",
            "use contoso.azurecr.io/k8s",
        ),
        (
            "https://contoso.azurecr.io/k8s/",
            "starts with https://, and this value has no scheme",
            "use contoso.azurecr.io/k8s",
        ),
        (
            "contoso.azurecr.io/k8s:1",
            "without scheme and tag",
            "for example registry.contoso.com/nvidia/k8s-device-plugin",
        ),
    ],
)
def test_the_repository_of_an_image_has_no_scheme(own: Path, repository: str, message: str, remedy: str) -> None:
    row = IMAGE.replace("REPOSITORY", repository)
    files = CatalogFiles([Folder(put(own, "containers/plugin.yaml", row), "mine")])
    assert files.row("containers", "plugin") is None
    (fault,) = files.faults
    assert (message in fault.message, remedy in fault.help) == (True, True)


def test_a_row_with_a_duplicate_key_is_reported(own: Path) -> None:
    files = CatalogFiles([Folder(put(own, "gpus/T9.yaml", GPU.replace("name: T4", "name: T9\nname: T9")), "mine")])
    files.row("gpus", "T9")
    assert faults(files) == ["YML002 T9.yaml:2:1"]


def test_a_row_that_cannot_be_read_is_a_fault(own: Path) -> None:
    path = put(own, "gpus/T4.yaml", "")
    (own / "gpus/T4.yaml").write_bytes(b"name: \xff")
    (own / "gpus/T9.yaml").mkdir()
    files = CatalogFiles([Folder(path, "mine")])
    assert files.row("gpus", "T4") is None  # nor the row that it overrides
    assert files.row("gpus", "T9") is None
    assert [fault.split()[0] for fault in faults(files)] == ["INP002", "INP001"]


def test_an_unknown_kind_of_row_is_a_fault(own: Path) -> None:
    files = CatalogFiles([Folder(put(own, "gpu/T9.yaml", GPU.replace("name: T4", "name: T9")), "mine")])
    assert files.row("gpu", "T9") is None
    assert faults(files) == ["CAT003 T9.yaml:1:1"]
    assert files.faults[0].message == "unknown catalog folder 'gpu'"
    assert files.faults[0].help == f"use one of {KINDS}"


def test_hidden_and_other_files_are_not_rows(own: Path) -> None:
    for name in ("gpus/.T9.yaml", "gpus/T9.json", "gpus/T9.yaml~", "gpus/README.md"):
        put(own, name, GPU)
    assert CatalogFiles([Folder(str(own), "mine")]).names("gpus") == CatalogFiles().names("gpus")


def test_the_fingerprint_of_the_catalog_depends_on_its_rows_and_not_on_its_path(own: Path, tmp_path: Path) -> None:
    def everything(*paths: str) -> list[bytes]:
        return list(CatalogFiles(Folder(path, "mine") for path in paths).everything())

    plain = everything()
    assert everything() == plain
    contents = everything(put(own, "gpus/T9.yaml", "name: T9\n"))
    assert [content for content in contents if content not in plain and b"name: T9" in content]
    assert everything(put(tmp_path / "deep" / "er", "gpus/T9.yaml", "name: T9\n")) == contents
    assert everything(put(own, "gpus/T9.yaml", "name: T9 # now\n")) != contents
    put(own, "gpus/T9.yaml", "name: T9\n")
    assert everything(put(own, "gpus/T8.yml", "")) != contents, "a file that is reported, because it is not a row"
    before = everything(str(own))
    (own / "gpus" / os.fsdecode(b"\xff.yml")).touch()
    assert everything(str(own)) != before, "even if its name is not UTF-8"


@pytest.mark.parametrize("changed", ["gitgpu", "first", "second"])
def test_the_fingerprint_depends_on_every_row_that_another_one_can_extend(tmp_path: Path, changed: str) -> None:
    labels = {"gitgpu": "", "first": "a", "second": "b"}
    folders = [Folder(put(tmp_path / name, "gpus/T4.yaml", GPU), label) for name, label in labels.items()]
    before = list(CatalogFiles(folders).everything())
    put(tmp_path / changed, "gpus/T4.yaml", f"{GPU}# now\n")
    assert list(CatalogFiles(folders).everything()) != before


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/full", "pipe", "nowhere", "folder"])
def test_what_is_not_a_regular_file_is_reported_and_not_read(own: Path, target: str) -> None:
    put(own, "gpus/T5.yaml", GPU.replace("name: T4", "name: T5"))
    odd = own / "gpus" / "T6.yaml"
    if target == "pipe":
        os.mkfifo(odd)
    elif target == "folder":
        odd.mkdir()
    else:
        odd.symlink_to(target)
    files = CatalogFiles([Folder(str(own), "mine")])
    files.read_own()
    assert faults(files) == ["INP001 T6.yaml:0:0"]
    assert files.faults[0].message == (OUTSIDE if target[0] == "/" else "cannot be read: not a regular file")
    assert files.faults[0].help == "replace it with a file, or remove it"
    assert "T5" in files.names("gpus")
    assert files.row("gpus", "T6") is None
    assert sum(map(len, files.everything())) < MAX_BYTES


KINDS = ", ".join(sorted(path.name.split(".")[0] for path in Path(data_root(), "schemas", "catalog").iterdir()))
MISSING = "is not a catalog: there is no such directory, or it is empty"
NO_ROWS = "is not a catalog: no folder in it contains a row"


@pytest.mark.parametrize(
    ("written", "messages"),
    [
        ({}, [MISSING]),
        ({"": "a file"}, [NO_ROWS]),
        ({"README.md": "x"}, [NO_ROWS]),
        ({"gpus/T4.yaml": "name: T4\n"}, []),
        ({"gpus/T4.yaml": "name: T5\n"}, []),  # a row with a wrong name
        ({"gpus/T4.yaml": "- a\n"}, []),
        ({"gpus/T4.yaml": "model: T4\n"}, [NO_ROWS]),
        ({"gpu/T4.yaml": "name: T4\n"}, []),  # a row in a misspelt folder
        ({"gpu/T4.yaml": "name: T5\n"}, [NO_ROWS]),
        ({"gpu/T4.yaml": "- a\n"}, [NO_ROWS]),
    ],
    ids=str,
)
def test_a_directory_without_a_row_is_not_a_catalog(own: Path, written: dict[str, str], messages: list[str]) -> None:
    for path, text in written.items():
        put(own, path, text)
    fault = no_catalog(Folder(str(own), "mine"))
    assert [(found.code, found.message) for found in [fault] if found] == [("CAT006", text) for text in messages]
    remedies = {
        MISSING: "correct the path, or write rows there with `gitgpu catalog refresh`",
        NO_ROWS: f"use a directory with folders such as {own}/skus; the kinds are {KINDS}",
    }
    assert [found.help for found in [fault] if found] == [remedies[text] for text in messages]


def test_files_of_a_catalog_that_are_not_rows_are_reported(own: Path) -> None:
    for path in ("gpus/T4.yaml", "gpus/T5.yml", "gpus/.hidden", "README.md", "T4.yaml", "T5.yml"):
        put(own, path, GPU)
    found = list(strangers(Folder(str(own), "mine")))
    assert {fault.code for fault in found} == {"CAT006"}
    folders = f"use a directory with folders such as {own}/skus; the kinds are {KINDS}"
    assert [(Path(fault.span.file).name, fault.message, fault.help) for fault in found] == [
        ("T5.yml", "is ignored: it is not a catalog row", "give it a name that ends in .yaml"),
        ("T4.yaml", "is ignored: it is not in a folder", folders),
        ("T5.yml", "is ignored: it is not in a folder", folders),
    ]


def test_a_link_is_followed_inside_the_catalog_and_not_out_of_it(own: Path, tmp_path: Path) -> None:
    text = GPU.replace("name: T4", "name: T5")
    put(own, "T5.draft", text)
    put(tmp_path, "T6.yaml", text.replace("T5", "T6"))
    put(own, "gpus/T4.yaml", GPU)
    (own / "gpus" / "T5.yaml").symlink_to("../T5.draft")
    (own / "gpus" / "T6.yaml").symlink_to("../../T6.yaml")
    files = CatalogFiles([Folder(str(own), "mine")])
    files.read_own()
    assert [(Path(fault.span.file).name, fault.message) for fault in files.faults] == [("T6.yaml", OUTSIDE)]
    assert files.row("gpus", "T5") is not None


def test_the_names_in_a_directory_of_texts_are_those_that_it_would_have_on_disk(own: Path) -> None:
    texts = {"gpus/T5.yaml": GPU, "gpus/T4.yaml": GPU, "prices/eastus.yaml": "", "README.md": ""}
    for path, text in texts.items():
        put(own, path, text)
    folders = (Folder(str(own), "mine"), Folder(str(own), "mine", texts))
    assert [entries(folder) for folder in folders] == [["README.md", "gpus", "prices"]] * 2
    assert [entries(folder, "gpus") for folder in folders] == [["T4.yaml", "T5.yaml"]] * 2
    assert [list(row_names(folder, "prices")) for folder in folders] == [["eastus"]] * 2


def test_a_row_larger_than_the_limit_is_refused_before_it_is_read_completely(own: Path) -> None:
    with Path(put(own, "gpus/T5.yaml", "name: T5\n"), "gpus/T5.yaml").open("ab") as file:
        file.truncate(8 * MAX_BYTES)
    files = CatalogFiles([Folder(str(own), "mine")])
    files.read_own()
    assert faults(files) == ["INP003 T5.yaml:0:0"]
    assert max(map(len, files.everything())) < 2 * MAX_BYTES


def test_a_partial_row_overrides_only_its_fields(own: Path) -> None:
    put(
        own, "gpus/T4.yaml", 'name: T4\nextends: gitgpu\nmemoryGiB: 17\nsource: [https://a.b]\nverified: "2026-11-23"\n'
    )
    files = CatalogFiles([Folder(str(own), "mine")])
    files.read_own()
    row, whole = files.row("gpus", "T4"), CatalogFiles().row("gpus", "T4")
    assert files.faults == []
    assert row is not None
    assert whole is not None
    changed = {"memoryGiB": 17, "source": ["https://a.b"], "verified": "2026-11-23"}
    assert row.data == {key: value for key, value in {**whole.data, **changed}.items() if key != "asOf"}
    assert list(row.data) == [key for key in whole.data if key != "asOf"]
    assert (row.origin, row.places.span(("memoryGiB",)).line) == ("mine", 3)


def test_mappings_of_a_partial_row_are_merged(own: Path) -> None:
    text = 'name: eastus\nextends: gitgpu\nonDemand: {%s: 9.5}\nsource: [https://a.b]\nverified: "2026-11-23"\n'
    put(own, "prices/eastus.yaml", text % SKU)
    row, whole = (files.row("prices", "eastus") for files in (CatalogFiles([Folder(str(own), "mine")]), CatalogFiles()))
    assert row is not None
    assert whole is not None
    assert row.data["onDemand"] == {**whole.data["onDemand"], SKU: 9.5}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name: T4\nextends: contoso\nmemoryGiB: 17\n", "CAT007 T4.yaml:2:10"),
        ("name: T4\nextends: gitgpu\nmemoryGiB: 17\n", "CAT007 T4.yaml:2:1"),
        (
            "name: T4\nextends: gitgpu\nmemoryGiB: many\nsource: [https://a.b]\nverified: '2026-11-23'\n",
            "CAT004 T4.yaml:3:12",
        ),
        (
            "name: T4\nextends: gitgpu\nmemory: 17\nsource: [https://a.b]\nverified: '2026-11-23'\n",
            "CAT004 T4.yaml:3:1",
        ),
        ("name: T4\nextends: [gitgpu]\n", "CAT007 T4.yaml:2:10"),
    ],
)
def test_an_invalid_partial_row_is_a_fault(own: Path, text: str, place: str) -> None:
    files = CatalogFiles([Folder(put(own, "gpus/T4.yaml", text), "mine")])
    files.read_own()
    assert faults(files) == [place]


PARTIAL = 'name: T4\nextends: gitgpu\n%s\nsource: [https://a.b]\nverified: "2026-11-23"\n'


@pytest.mark.parametrize(
    ("first", "changed"),
    [
        (PARTIAL % "notes: [Mine.]", {"notes": ["Mine."], "memoryGiB": 17}),  # both extend gitgpu's row
        (GPU.replace("model: ", "model: Other "), {"memoryGiB": 17}),  # a whole row is not gitgpu's
    ],
)
def test_partial_rows_of_several_directories_extend_the_row_of_gitgpu(
    own: Path, tmp_path: Path, first: str, changed: dict[str, object]
) -> None:
    put(own, "gpus/T4.yaml", first)
    put(tmp_path / "yours", "gpus/T4.yaml", PARTIAL % "memoryGiB: 17")
    files = CatalogFiles([Folder(str(own), "mine"), Folder(str(tmp_path / "yours"), "yours")])
    row, shipped = files.row("gpus", "T4"), files.shipped_row("gpus", "T4")
    assert (row is not None, shipped is not None, files.faults) == (True, True, [])
    assert row is not None
    assert shipped is not None
    about = {"source": ["https://a.b"], "verified": "2026-11-23"}
    assert row.data == {key: value for key, value in {**shipped.data, **about, **changed}.items() if key != "asOf"}


@pytest.mark.parametrize(
    ("line", "day"), [("", "2026-11-23"), ("asOf: 2026-11-02\n", "2026-11-02"), ("asOf: null\n", "2026-11-23")]
)
def test_a_partial_row_is_as_old_as_its_own_sources(own: Path, line: str, day: str) -> None:
    text = (PARTIAL % "memoryGiB: 17").replace("T4", "A100-80GB-PCIe") + line
    files = CatalogFiles([Folder(put(own, "gpus/A100-80GB-PCIe.yaml", text), "mine")])
    row, shipped = files.row("gpus", "A100-80GB-PCIe"), files.shipped_row("gpus", "A100-80GB-PCIe")
    assert shipped is not None
    assert evidence_day(shipped.data) == shipped.data["asOf"] != shipped.data["verified"]
    assert row is not None
    assert evidence_day(row.data) == day


def test_a_row_that_only_another_directory_of_yours_has_cannot_be_extended(own: Path, tmp_path: Path) -> None:
    put(own, "gpus/Z9.yaml", GPU.replace("name: T4", "name: Z9"))
    put(tmp_path / "yours", "gpus/Z9.yaml", (PARTIAL % "memoryGiB: 17").replace("T4", "Z9"))
    files = CatalogFiles([Folder(str(own), "mine"), Folder(str(tmp_path / "yours"), "yours")])
    files.read_own()
    assert faults(files) == ["CAT007 Z9.yaml:2:10"]
    assert files.shipped_row("gpus", "Z9") is None


def test_a_partial_row_needs_a_row_to_override(own: Path) -> None:
    text = 'name: Z9\nextends: gitgpu\nmemoryGiB: 1\nsource: [https://a.b]\nverified: "2026-11-23"\n'
    files = CatalogFiles([Folder(put(own, "gpus/Z9.yaml", text), "mine")])
    files.read_own()
    assert faults(files) == ["CAT007 Z9.yaml:2:10"]
    assert files.faults[0].message == "gitgpu's catalog has no gpus/Z9 to extend"
    assert files.faults[0].help == "remove extends and write a complete row"
