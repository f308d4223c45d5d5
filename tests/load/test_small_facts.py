"""Details of reading that do not show in larger inputs."""

from pathlib import Path
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.inventory.encodings import decode_output
from gitgpu.inventory.foreign_files import foreign_files
from gitgpu.inventory.secrets import secret_places, without
from gitgpu.inventory.sources import azure, terraform_show
from gitgpu.inventory.terraform.releases import release_values
from gitgpu.inventory.terraform.resources import state_resources
from gitgpu.load.allowed_paths import allowed_roots, outside_reason, real_path, work_tree
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.misplaced_files import no_catalog, strangers
from gitgpu.load.catalog.partial_rows import merge_mappings as merged_row
from gitgpu.load.explain.repairs import places_of_keys
from gitgpu.load.explain.suggestions import suggestion
from gitgpu.load.generated import advice, change_phrases, claimed_paths, has_conflict
from gitgpu.load.validate.compiler import local_references
from gitgpu.objects.delivery.images import images, written_images
from gitgpu.objects.delivery.jsonpatch import after_operation, apply_operations
from gitgpu.objects.delivery.merge import matching_entry, merge_value
from gitgpu.objects.delivery.partial_files import is_patch
from gitgpu.objects.delivery.patch_targets import is_pattern, is_selected
from gitgpu.objects.delivery.repository import address
from gitgpu.objects.delivery.substitution import Fill, substitute
from gitgpu.objects.manifest.placeholders import may_have_placeholder
from tests.helping.cases import for_each


@for_each(
    ("url", "plain"),
    [
        ("https://github.com/Contoso/Fleet.git", "github.com/contoso/fleet"),
        ("git@github.com:contoso/fleet.git", "github.com/contoso/fleet"),
        ("ssh://git@github.com/contoso/fleet/", "github.com/contoso/fleet"),
        ("https://user:word@dev.azure.com/a/b", "dev.azure.com/a/b"),
        ("github.com/a/b", "github.com/a/b"),
        ("", ""),
    ],
)
def test_addresses_of_repositories(url: str, plain: str) -> None:
    assert address(url) == plain


def test_where_a_run_may_read(tmp_path: Path) -> None:
    tree, inside, outside = tmp_path / "tree", tmp_path / "tree" / "a" / "b", tmp_path / "other"
    for folder in (inside, outside, tree / ".git"):
        folder.mkdir(parents=True)
    (inside / "link").symlink_to(outside)
    (inside / "near").symlink_to(tree / "a")
    allowed = allowed_roots([str(inside)])
    assert allowed == {str(inside), str(tree)}
    assert work_tree(str(inside / "file")) == str(tree)
    assert work_tree(str(outside)) == ""
    through, out = "points outside through a symbolic link", "is outside the directory and its Git work tree"
    for path, reason in {
        inside: "", tree / "x": "", inside / "near": "", inside / "link": through, inside / "link" / "x": through,
        outside: out, tmp_path / "tree2": out, tree / ".git" / "config": "is in the .git directory",
        tree / ".GIT": "is in the .git directory", tree / ".github": "", tree / "a\0": "",
    }.items():  # fmt: skip
        assert outside_reason(str(path), allowed) == reason, path


def test_a_named_directory_is_read_wherever_it_is(tmp_path: Path) -> None:
    modules = tmp_path / ".git" / "modules"
    modules.mkdir(parents=True)
    assert outside_reason(str(modules / "a.yaml"), allowed_roots([str(modules)])) == ""
    assert outside_reason("/etc/a.yaml", allowed_roots(["/"])) == ""
    assert real_path("a\0") == "a\0", "no file has such a name"


def test_rows_that_say_only_what_differs() -> None:
    base = {"a": {"b": 1, "c": {"d": 2}}, "e": [1, 2], "f": {"g": 1}}
    own = {"a": {"b": None, "c": {"x": 3}}, "e": [3], "f": 5, "h": {"i": 1}}
    assert merged_row(base, own) == {"a": {"b": None, "c": {"d": 2, "x": 3}}, "e": [3], "f": 5, "h": {"i": 1}}
    assert merged_row({"a": 1}, {"a": {"b": 2}}) == {"a": {"b": 2}}


def catalog(folder: Path, **files: str) -> Folder:
    """A directory with files."""
    for path, text in files.items():
        target = folder / path.replace("__", "/").replace("_yaml", ".yaml").replace("_txt", ".txt")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return Folder(str(folder), "mine")


@pytest.mark.parametrize(
    ("files", "is_catalog"),
    [
        ({}, False),
        ({"skus__a_yaml": "name: a\n"}, True),
        ({"skus__a_yaml": "name: b\n"}, True),
        ({"skus__a_yaml": "name: 5\n"}, False),
        ({"skus__a_yaml": "- x\n"}, True),
        ({"skus__a_yaml": "a: [\n"}, True),
        ({"sku__a_yaml": "name: a\n"}, True),
        ({"sku__a_yaml": "name: b\n"}, False),
        ({"sku__a_yaml": "- x\n"}, False),
        ({"a_yaml": "name: a\n"}, False),
        ({"skus__a_txt": "name: a\n"}, False),
    ],
)
def test_what_is_a_catalog(tmp_path: Path, files: dict[str, str], is_catalog: bool) -> None:
    diagnostic = no_catalog(catalog(tmp_path, **files))
    assert (diagnostic is None) is is_catalog
    assert diagnostic is None or diagnostic.code == "CAT006"
    if diagnostic and files:
        assert diagnostic.message == "is not a catalog: no folder in it contains a row"


def test_files_beside_rows(tmp_path: Path) -> None:
    folder = catalog(tmp_path, skus__a_yaml="", skus__b_txt="", other_yaml="", gpus___hidden="", unknown__c_txt="")
    (tmp_path / "skus" / ".hidden").touch()
    notes = [(Path(each.span.file).name, each.message) for each in strangers(folder)]
    assert ("b.txt", "is ignored: it is not a catalog row") in notes
    assert ("other.yaml", "is ignored: it is not in a folder") in notes
    assert {name for name, _ in notes} == {"b.txt", "other.yaml", "_hidden"}
    assert {(each.span.line, each.span.column) for each in strangers(folder)} == {(0, 0)}, "the file as a whole"
    missing = no_catalog(Folder(str(tmp_path / "none"), "none"))
    assert missing is not None
    assert missing.message == "is not a catalog: there is no such directory, or it is empty"
    assert missing.code == "CAT006"


def test_list_items_are_matched_by_merge_keys() -> None:
    every = [{"name": "a"}, {"containerPort": 80}, "x", {"other": 1}, {"name": None}]
    positions = [
        matching_entry(every, entry)
        for entry in ({"name": "a", "x": 1}, {"containerPort": 80}, "x", {"other": 1}, {"b": 1})
    ]
    assert positions == [0, 1, 2, 3, None]
    assert matching_entry(every, {"name": "b", "uid": None}) is None


def test_a_strategic_merge_joins_lists_by_name() -> None:
    body = {"env": [{"name": "a", "value": "1"}, {"name": "b"}], "args": ["x"], "spec": {"a": 1, "b": {"c": 2}}}
    patch: dict[str, Any] = {
        "env": [{"name": "b", "value": "2"}, {"name": "c"}],
        "args": ["y"],
        "spec": {"b": {"d": 3}},
    }
    assert merge_value(body, patch, listed=True) == {
        "env": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}, {"name": "c"}], "args": ["y"],
        "spec": {"a": 1, "b": {"c": 2, "d": 3}},
    }  # fmt: skip
    assert merge_value(body, patch, listed=False)["env"] == patch["env"]
    assert merge_value(body, {"spec": {"$patch": "replace", "x": 1}}, listed=True)["spec"] == {"x": 1}
    assert "spec" not in merge_value(body, {"spec": {"$patch": "delete"}}, listed=True)
    assert merge_value(
        body, {"env": [{"name": "a", "$patch": "delete"}, {"$patch": "replace", "name": "b"}]}, listed=True
    )["env"] == [{"name": "b"}]
    assert merge_value(body, {"$retainKeys": ["a"], "spec": None}, listed=True) == {"env": body["env"], "args": ["x"]}
    assert merge_value(5, {"a": 1}, listed=True) == {"a": 1}
    ports = {"ports": [{"port": 1}, {"port": 2}]}
    assert merge_value(ports, {"ports": [{"port": 2, "name": "x"}]}, listed=True)["ports"] == [
        {"port": 1}, {"port": 2, "name": "x"},
    ]  # fmt: skip
    assert merge_value(ports, {"ports": [{"name": "x"}]}, listed=True)["ports"] == [{"name": "x"}]


@for_each(
    ("operation", "after", "refusal"),
    [
        ({"op": "add", "path": "/l/-", "value": 9}, {"l": [1, 2, 9], "m": {"a/b": 3}}, ""),
        ({"op": "add", "path": "/l/2", "value": 9}, {"l": [1, 2, 9], "m": {"a/b": 3}}, ""),
        ({"op": "add", "path": "/l/3", "value": 9}, None, "/l/3 does not exist"),
        ({"op": "add", "path": "/l/0", "value": 9}, {"l": [9, 1, 2], "m": {"a/b": 3}}, ""),
        ({"op": "replace", "path": "/l/1", "value": 9}, {"l": [1, 9], "m": {"a/b": 3}}, ""),
        ({"op": "replace", "path": "/l/2", "value": 9}, None, "/l/2 does not exist"),
        ({"op": "replace", "path": "/l/-", "value": 9}, None, "/l/- does not exist"),
        ({"op": "remove", "path": "/l/1"}, {"l": [1], "m": {"a/b": 3}}, ""),
        ({"op": "remove", "path": "/m/a~1b"}, {"l": [1, 2], "m": {}}, ""),
        ({"op": "remove", "path": "/m/a~0b"}, None, "/m/a~0b does not exist"),
        ({"op": "replace", "path": "/m/x", "value": 1}, None, "/m/x does not exist"),
        ({"op": "add", "path": "/m/x/y", "value": 1}, None, "/m/x does not exist"),
        ({"op": "add", "path": "/m/a~1b/y", "value": 1}, None, "/m/a~1b/y does not exist"),
        ({"op": "move", "from": "/m/a~1b", "path": "/l/0"}, {"l": [3, 1, 2], "m": {}}, ""),
        ({"op": "copy", "from": "/l/1", "path": "/m/c"}, {"l": [1, 2], "m": {"a/b": 3, "c": 2}}, ""),
        ({"op": "copy", "from": "/l/2", "path": "/m/c"}, None, "/l/2 does not exist"),
        ({"op": "copy", "path": "/m/c"}, None, "an empty path is not the path of a value"),
        ({"op": "test", "path": "/l/0", "value": 1}, {"l": [1, 2], "m": {"a/b": 3}}, ""),
        ({"op": "test", "path": "/l/0", "value": True}, None, "/l/0 has a different value"),
        ({"op": "add", "path": "l", "value": 1}, None, "l is not the path of a value"),
        ({"op": "put", "path": "/l"}, None, "unknown operation put"),
    ],
)
def test_an_operation_that_is_refused_changes_nothing(operation: dict[str, Any], after: Any, refusal: str) -> None:
    body = {"l": [1, 2], "m": {"a/b": 3}}
    result = after_operation(body, operation)
    assert (result.value, result.refusal) == (after or body, refusal)
    assert body == {"l": [1, 2], "m": {"a/b": 3}}
    assert apply_operations(body, [{"op": "add", "path": "/x", "value": 1}, operation]) == (
        {**after, "x": 1} if after else body
    )


BODY = {
    "apiVersion": "apps/v1", "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "ns", "labels": {"app": "web", "tier": "gpu"}, "annotations": {"a": "b"}},
}  # fmt: skip


@for_each(
    ("key", "text", "is_so"),
    [
        ("kind", "Deployment", True), ("kind", "Deploy", False), ("kind", "Deploy.*", True), ("kind", "(", False),
        ("group", "apps", True), ("version", "v1", True), ("name", "w.b", True), ("namespace", "ns", True),
        ("namespace", "given", True), ("namespace", "other", False), ("name", "", True), ("other", "x", False),
        ("labelSelector", "app=web", True), ("labelSelector", "app==web", True), ("labelSelector", "app!=web", False),
        ("labelSelector", "app = web, tier = gpu", True), ("labelSelector", "app=web,tier=cpu", False),
        ("labelSelector", "app", True), ("labelSelector", "x", False), ("labelSelector", "!x", True),
        ("labelSelector", "! app", False), ("labelSelector", "app in (web, api)", True),
        ("labelSelector", "app notin (web)", False), ("labelSelector", "x notin (web)", True),
        ("labelSelector", "app in (api)", False), ("labelSelector", "a b c", False), ("labelSelector", "", True),
        ("annotationSelector", "a=b", True), ("annotationSelector", "app=web", False),
    ],
)  # fmt: skip
def test_whether_a_selector_of_a_target_matches(key: str, text: str, is_so: bool) -> None:
    assert is_selected([(key, text)], BODY, "given") is is_so
    assert is_selected([("kind", "Deployment"), (key, text)], BODY, "given") is is_so
    assert [is_pattern(each) for each in ("a", "(")] == [True, False]


def test_a_pattern_that_may_take_too_long_is_not_tried_on_a_long_name() -> None:
    names = ["a" * length for length in (1, 5000)]
    assert [is_selected([("name", "(?!b)a*")], {"metadata": {"name": name}}) for name in names] == [True, False]


def test_images_that_are_replaced() -> None:
    texts = ["a=b:1", "a:1", "a@sha256:0", "host:5000/a", "a=host:5000/b:2@sha256:1", "a=b"]
    assert [tuple(image) for image in written_images(texts)] == [
        ("a", "b", "1", ""), ("a", "a", "1", ""), ("a", "a", "", "sha256:0"), ("host:5000/a", "host:5000/a", "", ""),
        ("a", "host:5000/b", "2", "sha256:1"), ("a", "b", "", ""),
    ]  # fmt: skip
    spec = {
        "images": [{"name": "a", "newTag": 5}, {"newName": "x"}, {"name": "b", "newName": "c", "digest": "sha256:0"}]
    }
    assert [tuple(image) for image in images(spec)] == [("a", "", "5", ""), ("b", "c", "", "sha256:0")]


@for_each(
    ("text", "known", "is_open", "result", "hole"),
    [
        ("${A}", {"A": "1"}, False, 1, False),
        ("x${A}", {"A": "1"}, False, "x1", False),
        ("${A}", {"A": "text"}, False, "text", False),
        ("${A}", {"A": ""}, False, None, False),
        ("${A:=d}", {"A": ""}, False, "d", False),
        ("${A-d}", {}, False, "d", False),
        ("${A:-d}", {}, True, "d", True),
        ("${A:=${B:=c}}", {}, False, "c", False),
        ("${A:=${B}}", {}, False, "${A:=${B}}", True),
        ("${A}", {}, False, "${A}", True),
        ("$${A}", {"A": "1"}, False, "${A}", False),
        ("${A/x/y}", {"A": "1"}, False, "${A/x/y}", True),
        ("${1}", {}, False, "${1}", True),
        ("${A", {"A": "1"}, False, "${A", False),
        ("${A} ${A}", {"A": "1"}, False, "1 1", False),
        ("{${A}}", {"A": "1"}, False, "{1}", False),
    ],
)
def test_which_variables_are_filled_in(
    text: str, known: dict[str, str], is_open: bool, result: Any, hole: bool
) -> None:
    made = substitute({"a": text}, Fill(tuple(known.items()), is_open))
    assert (made.body["a"], bool(made.holes)) == (result, hole)
    assert bool(made.typed) == (not isinstance(result, str))


def test_objects_that_flux_leaves_alone() -> None:
    switch = "kustomize.toolkit.fluxcd.io/substitute"
    for key in ("labels", "annotations"):
        body = {"metadata": {key: {switch: "Disabled"}}, "a": "${A}"}
        assert substitute(body, Fill((("A", "1"),), False)).body == body
    named = substitute({"metadata": {"labels": {switch: "enabled"}}, "${A}": ["${A}"]}, Fill((("A", "1"),), False))
    assert named.body["${A}"] == [1]
    assert named.holes == {("${A}",)}


def test_headers_of_generated_files() -> None:
    line = advice("a/b.yaml")
    assert claimed_paths(f"# x\n# {line}\n".encode()) == {"a/b.yaml"}
    assert claimed_paths(f"{line}\n{advice('c')}".encode()) == {"a/b.yaml", "c"}
    assert claimed_paths(b"# Do not edit: change the spec and run `gitgpu build`.") == frozenset()
    assert claimed_paths(b"a: b\n") == claimed_paths(b"#" * 4096 + line.encode()) == frozenset()
    assert [has_conflict(text) for text in (b"a\n<<<<<<< HEAD\n", b" <<<<<<< x", b"<<<<<<<x", b"=======")] == [
        True, False, False, False,
    ]  # fmt: skip
    text = "# Generated\n# Patched by a in b.yaml.\n# Values from c.\nkind: x\n# Patched by d.\n"
    assert change_phrases(text) == ("Patched by a in b.yaml", "Values from c")


def test_the_bytes_of_outputs() -> None:
    for raw, wanted in {
        b"PK\x03\x04x": ("IMP004", 0, 0),
        b"\x1f\x8bx": ("INP002", 1, 1),
        b"\xff\xfea": ("IMP004", 1, 1),
        b"\xff\n": ("INP002", 1, 1),
    }.items():
        decoded = decode_output("a", raw)
        assert isinstance(decoded, Diagnostic)
        assert (decoded.code, decoded.span.line, decoded.span.column) == wanted
    for encoding in ("utf-16-le", "utf-16-be"):
        text = decode_output("a", "\ufeffä: 1\n".encode(encoding))
        assert not isinstance(text, Diagnostic)
        assert text.content == "ä: 1\n"


def test_files_in_formats_that_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path, text in {
        "a/main.tf": 'resource "azurerm_kubernetes_cluster" "x" {}', "a/more.tf": "gpu", "a/none.tf": "x",
        "b/x.bicep": "NVIDIA", "b/y.tpl": "kind: NodePool", "b/z.yaml": "gpu", "b/z.yaml.gz": "", "c.jsonc": "// gpu",
        "b/plan": "PK\x03\x04" + "x" * 26 + "tfplan", "b/zip": "PK\x03\x04" + "x" * 26 + "other",
        "b/my.plan": "PK\x03\x04",
    }.items():  # fmt: skip
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    notes = [f"{each.code} {each.span}: {each.message}" for each in foreign_files([".", "a", "b/y.tpl"])]
    assert notes == [
        "IMP003 c.jsonc:1:1: not read: JSON with comments",
        "IMP003 a/main.tf:1:1: not read: HCL, not JSON (and 1 other file in a)",
        "IMP004 b/my.plan:1:1: not read: a binary Terraform plan (and 1 other file in b)",
        "IMP003 b/x.bicep:1:1: not read: Bicep, not JSON",
        "IMP003 b/y.tpl:1:1: not read: a template, not YAML",
        "IMP004 b/z.yaml.gz:1:1: not read: a compressed file, not text",
    ]
    assert {each.severity for each in foreign_files(["."])} == {"warning"}
    assert foreign_files(["b/y.tpl"]) == []


JWT = "eyJ" + "a" * 20 + "." + "b" * 10 + "."


def test_where_secrets_are() -> None:
    value = {
        "adminPassword": "x", "passwordSecretName": "x", "token": "", "apiKey": "x", "tokenPath": "x", "n": 5,
        "env": [{"name": "HF_TOKEN", "value": "x"}, {"name": "HOME", "value": "x"}, {"value": "x"}],
        "list": ["-----BEGIN RSA PRIVATE KEY-----", "https://u:p@h", "plain", "hf_" + "a" * 30, JWT],
        "text": "AccountKey=abcd;", "short": "AccountKey=ab",
    }  # fmt: skip
    assert list(secret_places(value)) == [
        ("adminPassword",), ("apiKey",), ("env", 0, "value"), ("list", 0), ("list", 1), ("list", 3), ("list", 4),
        ("text",),
    ]  # fmt: skip
    left = without(value, list(secret_places(value)))
    assert left["list"] == ["", "", "plain", "", ""]
    assert left["env"] == [{"name": "HF_TOKEN"}, {"name": "HOME", "value": "x"}, {"value": "x"}]
    assert "adminPassword" not in left
    assert (without(5, []), without(5, [()]), without([5], [(0,)])) == (5, None, [""])


@for_each(
    "text",
    [
        "$A",
        "<name>",
        "#{A}",
        "{{ a }}",
        "{% a %}",
        "__NAME__",
        "FILLED IN",
        "REPLACE_ME",
        "CHANGE IT",
        "YOUR_NAME",
        "INSERT X",
    ],
)
def test_signs_of_placeholders(text: str) -> None:
    assert may_have_placeholder(f"name: {text}")
    assert not may_have_placeholder(f"name: {text.lower().translate(str.maketrans('', '', '$<>#{}%_'))}")


def test_spellings_that_fit() -> None:
    name, path = {"pattern": "^[a-z-]+$"}, {"pattern": "^[A-Z]+$"}
    texts = {"abc/": "abc", "a b": "a-b", "Abc": "abc", "a1": "", "a_b": "a-b"}
    assert {text: suggestion(text, name) for text in texts} == texts
    assert (suggestion("abc", path), suggestion("abc", {}), suggestion(5, name)) == ("ABC", "", "")
    assert suggestion("Abc", {**name, "maxLength": 2}) == ""
    assert suggestion("never", {"pattern": "^Never$"}) == "Never"


def test_the_mappings_of_a_schema_that_know_a_key() -> None:
    deep: dict[str, Any] = {"properties": {"k": {}}}
    for _ in range(9):
        deep = {"properties": {"x": deep}}
    schema = {
        "properties": {
            "a": False,
            "b": {"$ref": "#/d"},
            "metadata": {"properties": {"k": {}}},
            "deep": deep,
            "k": False,
        },
        "d": {"properties": {"k": True}},
    }
    assert places_of_keys(schema, frozenset({"k"}), local_references(schema)) == {"k": [("b",)]}
    assert places_of_keys(schema, frozenset(), local_references(schema)) == {}
    within_itself: dict[str, Any] = {"properties": {"k": {"properties": {"k": {}}}}}
    assert places_of_keys(within_itself, frozenset({"k"}), local_references(within_itself)) == {"k": [()]}


def test_documents_of_other_shapes_are_no_answers_of_azure_or_terraform() -> None:
    resource = {"type": "Microsoft.ContainerService/managedClusters", "id": "/subscriptions/s"}
    answers: tuple[tuple[Any, bool], ...] = (
        (resource, True), ({**resource, "value": []}, True), ({"value": [resource]}, True),
        ([5, resource], True), (5, False), ("x", False), ([5], False), ([], False), (None, False),
        ({**resource, "apiVersion": "v1"}, False), ({"apiVersion": "v1", "agentPoolProfiles": []}, False),
        ({"agentPoolProfiles": []}, True), ({"agentPoolProfiles": {}}, False), ({"type": "a", "id": "/x"}, False),
        ({"id": f"{resource['id']}/resourceGroups/r/providers/{resource['type']}/a/agentPools/b"}, True),
        ({"id": f"{resource['id']}/agentPools/b"}, False), ({"id": 5}, False),
    )  # fmt: skip
    for data, is_one in answers:
        assert azure.SOURCE.recognises(data) is is_one, data
    shown: tuple[tuple[Any, bool], ...] = (
        ({"format_version": "1.0", "values": {}}, True), ({"format_version": "1.0", "planned_values": {}}, True),
        ({"values": {}}, False), ({"format_version": "1.0"}, False), ({"format_version": "1.0", "values": 5}, False),
        (5, False), ([], False), (None, False),
    )  # fmt: skip
    for data, is_one in shown:
        assert terraform_show.SOURCE.recognises(data) is is_one, data


@for_each(
    ("path", "values"),
    [
        ("a.b", {"a": {"c": 1, "b": "new"}}),
        ("a[1].b", {"a": [None, {"b": "new"}]}),
        ("b.a", {"a": {"c": 1}, "b": {"a": "new"}}),
        ("a.c.d", {"a": {"c": {"d": "new"}}}),
        ("[0]", {"a": {"c": 1}}),  # the values of a chart are a mapping
        ("[0].a", {"a": {"c": 1}}),
        ("b[999]", {"a": {"c": 1}, "b": [*[None] * 999, "new"]}),
        ("b[1000]", {"a": {"c": 1}}),
        ("b[1000].a", {"a": {"c": 1}}),
    ],
)
def test_a_value_of_a_release_that_is_set_by_its_path(path: str, values: dict[str, Any]) -> None:
    release = release_values({"chart": "keda", "values": ["a: {c: 1}"], "set": [{"name": path, "value": "new"}]})
    assert release["values"] == values


@pytest.mark.parametrize(
    ("entry", "address_of_instance"),
    [
        ({"mode": "managed"}, "azurerm_kubernetes_cluster.a"),
        ({"mode": "data"}, "data.azurerm_kubernetes_cluster.a"),
        ({"mode": "data", "module": "module.gpu"}, "module.gpu.data.azurerm_kubernetes_cluster.a"),
    ],
)
def test_the_address_of_a_resource_in_a_state(entry: dict[str, str], address_of_instance: str) -> None:
    resource = {**entry, "type": "azurerm_kubernetes_cluster", "name": "a", "instances": [{"attributes": {}}]}
    (found,) = state_resources({"resources": [resource]})
    assert found.address == address_of_instance
    assert found.data is (entry["mode"] == "data")


def test_entries_of_a_list_that_is_set_have_any_order() -> None:
    rows = [{"name": f"a[{index}]", "value": f"v{index}"} for index in (1, 0, 2)]
    assert release_values({"chart": "keda", "set": rows})["values"] == {"a": ["v0", "v1", "v2"]}


def test_lists_of_later_values_of_a_release_replace_the_earlier_ones() -> None:
    texts = ["env: [{name: a, value: '1'}]\nx: {p: 1}\n", "env: [{name: b}]\nx: {q: 2}\n", "- no mapping\n", 5]
    values = release_values({"chart": "keda", "values": texts})
    assert values["values"] == {"env": [{"name": "b"}], "x": {"p": 1, "q": 2}}


@for_each(
    ("file", "is_so"),
    [
        ("a/patch.yaml", True), ("patches/a.yaml", True), ("a/my-patch.yaml", True), ("a/my.Patch.json", True),
        ("a/dispatch.yaml", False), ("a/patched.yaml", False), ("a/b.yaml", False), ("a/patch_x.yaml", True),
    ],
)  # fmt: skip
def test_files_that_are_named_as_patches(file: str, is_so: bool) -> None:
    assert is_patch(file, {}) is is_so
    assert is_patch("b.yaml", {"spec": [{"a": {"$patch": "delete"}}]})
    assert is_patch("b.yaml", {"$setElementOrder/x": []})
    assert not is_patch("b.yaml", {"spec": [{"a": {"patch": "delete"}}]})
