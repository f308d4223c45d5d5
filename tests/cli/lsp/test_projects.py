"""Which files belong together: fleets of several files, configurations, catalogs, manifests, and lone files."""

from pathlib import Path

import pytest
from lsprotocol import types

from tests.cli.lsp.conftest import EXAMPLE, Editor, applied, at

pytestmark = pytest.mark.asyncio
PARTS = [f"{part}\n" for part in EXAMPLE.split("---\n")]
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  containers:
  - name: c
    image: nvidia/cuda:13.0.1-base-ubuntu24.04
    resources:
      requests: {nvidia.com/gpu: 1}
"""


def write(folder: Path, files: dict[str, str]) -> None:
    """Writes files below a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


@pytest.fixture(scope="module")
def several(editor: Editor) -> str:
    """The folder of a fleet with one file for each document, its configuration, and a catalog of its own."""
    files = {f"several/fleet/{number:02}.yaml": part for number, part in enumerate(PARTS)}
    write(editor.folder, {**files, "several/.gitgpu.yaml": f"{CONFIG}catalog: [rows]\n"})
    row = 'name: eastus\nextends: gitgpu\nsource: [https://example.com]\nverified: "2026-11-01"\ndisplayName: Ours\n'
    write(editor.folder, {"several/rows/regions/eastus.yaml": row})
    return "several"


def file_with(text: str) -> tuple[str, str]:
    """The name and text of the file of a document."""
    number, part = next((number, part) for number, part in enumerate(PARTS) if text in part)
    return f"several/fleet/{number:02}.yaml", part


async def test_an_edit_of_one_file_is_a_finding_in_another(editor: Editor, several: str) -> None:
    pool, text = file_with("  name: t4-lab\n")
    workload, _ = file_with("pools: [t4-lab]")
    await editor.show(pool, text.replace("name: t4-lab", "name: t4-labs"))
    assert [found.code for found in await editor.findings(workload)] == ["LNK005"]
    editor.client.diagnostics.pop(editor.uri(workload))
    await editor.show(pool, text)
    assert await editor.findings(workload) == []


async def test_a_rename_changes_every_file(editor: Editor, several: str) -> None:
    pool, text = file_with("  name: a100-slices\n")
    await editor.show(pool, text)
    asked = types.RenameParams(editor.document(pool), at(text, "name: a100-slices", 7), "slices")
    edit = await editor.client.text_document_rename_async(asked)
    assert edit
    changed = set(edit.changes or {})
    places = ("name: a100-slices", "pool: a100-slices", "pools: [a100-slices]")
    assert changed == {editor.uri(file_with(place)[0]) for place in places}
    assert "A renamed pool is a new pool" in editor.client.messages[-1].message


async def test_an_open_configuration_applies_before_it_is_saved(editor: Editor, several: str) -> None:
    pool, text = file_with("  name: t4-mps\n")
    bare = text.replace("  # gitgpu: ignore[PRT014] jobs of one team, which can be restarted", "")
    assert [found.code for found in await editor.show(pool, bare)] == ["PRT014"]
    editor.client.diagnostics.pop(editor.uri(pool))
    await editor.show("several/.gitgpu.yaml", f"{CONFIG}allow:\n- code: PRT014\n  reason: tested\n")
    assert await editor.findings(pool) == []
    found = await editor.show("several/.gitgpu.yaml", f"{CONFIG}alow:\n- code: PRT014\n  reason: tested\n")
    assert [each.code for each in found] == ["CFG001"]
    text = f"{CONFIG}allow:\n- code: \n"
    await editor.show("several/.gitgpu.yaml", text)
    params = types.CompletionParams(editor.document("several/.gitgpu.yaml"), at(text, "code: ", 6))
    answer = await editor.client.text_document_completion_async(params)
    assert isinstance(answer, types.CompletionList)
    assert "PRT014" in {item.label for item in answer.items}
    await editor.show("several/.gitgpu.yaml", f"{CONFIG}catalog: [rows]\n")
    await editor.close(pool)


async def test_an_open_row_of_a_catalog_is_checked(editor: Editor, several: str) -> None:
    name = "several/rows/regions/eastus.yaml"
    row = (editor.folder / name).read_text("utf-8")
    assert await editor.show(name, row) == []
    found = await editor.show(name, row.replace("displayName", "displayNam"))
    assert [each.code for each in found] == ["CAT004"]
    assert await editor.show(name, row) == []
    params = types.CompletionParams(editor.document(name), at(row, "displayName"))
    answer = await editor.client.text_document_completion_async(params)
    assert isinstance(answer, types.CompletionList)
    assert {"geography", "zones"} <= {item.label for item in answer.items}
    hover = types.HoverParams(editor.document(name), at(row, "displayName", 3))
    assert "displayName" in str(await editor.client.text_document_hover_async(hover))
    await editor.close(name)


async def test_a_finding_is_allowed_with_a_reason(editor: Editor, several: str) -> None:
    pool, text = file_with("  name: t4-mps\n")
    bare = text.replace("  # gitgpu: ignore[PRT014] jobs of one team, which can be restarted", "")
    [found] = await editor.show(pool, bare)
    actions = {action.title: action for action in await editor.actions(pool, found)}
    here = actions["Allow PRT014 here, with a reason"]
    assert here.edit
    commented = applied(bare, list((here.edit.changes or {})[editor.uri(pool)]))
    assert commented == bare.replace("mps: {replicas: 4}", "mps: {replicas: 4}  # gitgpu: ignore[PRT014] REASON")
    assert await editor.show(pool, commented) == []
    entry = next(action for title, action in actions.items() if ".gitgpu.yaml" in title)
    assert entry.edit
    [(uri, edits)] = (entry.edit.changes or {}).items()
    assert uri == editor.uri("several/.gitgpu.yaml")
    config = applied(f"{CONFIG}catalog: [rows]\n", list(edits))
    await editor.show(pool, bare)
    editor.client.diagnostics.pop(editor.uri(pool))
    await editor.show("several/.gitgpu.yaml", config)
    assert await editor.findings(pool) == []
    await editor.close(pool)
    await editor.show("several/.gitgpu.yaml", f"{CONFIG}catalog: [rows]\n")


async def test_a_manifest_is_linted_and_fixed(editor: Editor) -> None:
    found = await editor.show("apps/pod.yaml", POD)
    codes = {each.code for each in found}
    assert codes
    fixes = [action for each in found for action in await editor.actions("apps/pod.yaml", each)]
    assert any(action.title.startswith("Allow ") for action in fixes)
    symbols = await editor.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(editor.document("apps/pod.yaml"))
    )
    assert [symbol.name for symbol in symbols or []] == ["Pod p"]
    await editor.close("apps/pod.yaml")


async def test_a_label_of_a_manifest_leads_to_the_pool(editor: Editor, several: str) -> None:
    text = POD.replace("  containers:", "  nodeSelector: {karpenter.sh/nodepool: t4-lab}\n  containers:")
    await editor.show("several/apps/pod.yaml", text)
    document, position = editor.document("several/apps/pod.yaml"), at(text, "t4-lab", 2)
    pool, pool_text = file_with("  name: t4-lab\n")
    answer = await editor.client.text_document_definition_async(types.DefinitionParams(document, position))
    assert isinstance(answer, list)
    assert [getattr(place, "uri", "") for place in answer] == [editor.uri(pool)]
    assert await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(document, position)) is None
    await editor.show(pool, pool_text)
    asked = types.RenameParams(editor.document(pool), at(pool_text, "name: t4-lab", 7), "lab")
    edit = await editor.client.text_document_rename_async(asked)
    assert edit
    assert editor.uri("several/apps/pod.yaml") not in (edit.changes or {}), "the manifest may be about another fleet"
    await editor.close("several/apps/pod.yaml")
    await editor.close(pool)


async def test_a_lone_document_of_a_fleet_is_checked_for_its_shape_alone(editor: Editor) -> None:
    _, text = file_with("pools: [t4-lab]")
    assert await editor.show("drafts/workload.yaml", text) == []
    found = await editor.show("drafts/workload.yaml", text.replace("pools:", "pool:"))
    assert {each.code for each in found} == {"SHP003"}
    await editor.close("drafts/workload.yaml")


async def test_findings_of_a_broken_fleet(editor: Editor, several: str) -> None:
    """Half of a document: what is known about the others is still answered."""
    pool, text = file_with("  name: t4-lab\n")
    workload, uses = file_with("pools: [t4-lab]")
    found = await editor.show(pool, text[: text.index("limits") + 3])
    assert [each.code for each in found] == ["YML001"]
    assert await editor.show(workload, uses) == [], "the name may be in what cannot be read"
    params = types.HoverParams(editor.document(workload), at(uses, "[t4-lab]", 2))
    answer = await editor.client.text_document_hover_async(params)
    assert "4 nodes, 4 GPUs" in str(answer), "of the last fleet that could be read"
    broken = uses.replace("pools: [t4-lab]", "pools: [t4-")
    await editor.show(workload, broken)
    asked = types.CompletionParams(editor.document(workload), at(broken, "[t4-", 4))
    offered = await editor.client.text_document_completion_async(asked)
    assert isinstance(offered, types.CompletionList)
    assert {"t4-share", "a100"} <= {item.label for item in offered.items}
    await editor.close(pool)
    await editor.close(workload)
