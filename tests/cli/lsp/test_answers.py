"""Each request of an editor, on the example fleet."""

from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.cli.lsp.conftest import EXAMPLE, Editor, applied, at

pytestmark = pytest.mark.asyncio
FLEET = "fleet.yaml"


@pytest_asyncio.fixture(autouse=True)
async def shown(editor: Editor) -> None:
    """The example fleet is open, as it is on disk."""
    await editor.show(FLEET, EXAMPLE)


async def offered(editor: Editor, text: str, position: types.Position) -> dict[str, types.CompletionItem]:
    """What completion offers in a text, by label."""
    await editor.show(FLEET, text)
    params = types.CompletionParams(editor.document(FLEET), position)
    answer = await editor.client.text_document_completion_async(params)
    assert isinstance(answer, types.CompletionList)
    return {item.label: item for item in answer.items}


async def hovered(editor: Editor, position: types.Position) -> str:
    """The text that hovering shows; "" if there is none."""
    params = types.HoverParams(editor.document(FLEET), position)
    answer = await editor.client.text_document_hover_async(params)
    return answer.contents.value if answer and isinstance(answer.contents, types.MarkupContent) else ""


async def test_keys_are_completed_with_their_descriptions(editor: Editor) -> None:
    text = EXAMPLE.replace("  limits: {gpus: 2}\n", "  limits: {gpus: 2}\n  dis\n")
    items = await offered(editor, text, at(text, "  dis\n", 5))
    assert {"disruption", "weight", "requirements"} <= items.keys()
    assert not {"limits", "sku", "clusters"} & items.keys(), "they are written already"
    chosen = items["disruption"]
    assert isinstance(chosen.documentation, types.MarkupContent)
    assert "GpuPool.spec.disruption" in chosen.documentation.value
    assert isinstance(chosen.text_edit, types.TextEdit)
    assert applied(text, [chosen.text_edit]) == text.replace("  dis\n", "  disruption:\n")


async def test_sizes_are_completed_with_gpu_memory_price_and_regions(editor: Editor) -> None:
    text = EXAMPLE.replace("sku: Standard_NC4as_T4_v3\n  limits: {gpus: 2}", "sku: \n  limits: {gpus: 2}")
    items = await offered(editor, text, at(text, "sku: \n", 5))
    detail = items["Standard_NC4as_T4_v3"].detail or ""
    assert detail.startswith("1 x T4 16 GiB, 4 vCPU, 28 GiB, $")
    assert "/h in westeurope" in detail
    resolved = await editor.client.completion_item_resolve_async(items["Standard_NC4as_T4_v3"])
    assert isinstance(resolved.documentation, types.MarkupContent)
    assert "price per hour" in resolved.documentation.value


@pytest.mark.parametrize(
    ("old", "new", "expected", "absent"),
    [
        ("pools: [t4-lab]", "pools: [^]", {"t4-lab", "a100"}, {"prod-swc"}),
        ("clusters: [models-swc]", "clusters: [models-swc, ^]", {"prod-swc"}, {"models-swc", "a100"}),
        ("driver: managed\n---", "driver: ^\n---", {"aks", "operator", "none"}, set()),
        ("profiles: {1g.10gb: 7}\n---\n# A Job", "profiles: {^}\n---\n# A Job", {"1g.10gb", "3g.40gb"}, {"1g.5gb"}),
        ("profiles: {1g.10gb: 7}\n---\n# A Job", "profiles: {3g.40gb: 1, ^}\n---\n# A Job", {"1g.10gb"}, {"7g.80gb"}),
        ("env: prod}\n  image", "^}\n  image", {"env"}, {"a100"}),
        ("env: prod}\n  image", "env: ^}\n  image", {"prod", "lab"}, {"a100"}),
        ("keda: addon\n", "keda: addon\n      versions:\n        gpu-operator: ^\n", {"v26.3.3"}, set()),
        ("region: uksouth", "region: uk^", {"uksouth", "swedencentral"}, set()),
        ("mig: 1g.10gb\n  cuda", "mig: ^\n  cuda", {"1g.10gb"}, {"3g.40gb"}),
        ("ignore[PRT014]", "ignore[^]", {"PRT014", "SKU008"}, {"SHP003"}),
        ("kind: Fleet\n", "kind: ^\n", {"Fleet", "GpuPool"}, set()),
    ],
)
async def test_values_are_completed(editor: Editor, old: str, new: str, expected: set[str], absent: set[str]) -> None:
    before, _, after = EXAMPLE.partition(old)
    assert after, old
    text = before + new.replace("^", "") + after
    position = at(before + new, new, new.index("^"))
    items = await offered(editor, text, position)
    assert expected <= items.keys()
    assert not absent & items.keys()


@pytest.mark.parametrize(
    ("place", "beyond", "expected"),
    [
        ("disruption:\n    consolidateAfter: 30m", 2, "GpuPool.spec.disruption"),
        ("Standard_NV36ads_A10_v5, Standard", 3, "price per hour"),
        ("ignore[PRT014]", 9, "PRT014"),
        ("pools: [t4-lab]", 10, "4 nodes, 4 GPUs, $"),
        ("clusters: [models-swc]", 14, "swedencentral, Kubernetes 1.36, 1 pool: a100-models"),
        ("name: a100-slices", 7, "prod-eus: 4 nodes, 4 GPUs, $"),
    ],
)
async def test_hovering_explains(editor: Editor, place: str, beyond: int, expected: str) -> None:
    assert expected in await hovered(editor, at(EXAMPLE, place, beyond))


async def test_a_name_leads_to_its_document_and_its_uses(editor: Editor) -> None:
    position = at(EXAMPLE, "pools: [a100-slices]", 9)
    params = types.DefinitionParams(editor.document(FLEET), position)
    answer = await editor.client.text_document_definition_async(params)
    assert isinstance(answer, list)
    [place] = answer
    assert isinstance(place, types.Location)
    assert place.range.start == at(EXAMPLE, "name: a100-slices", 6)
    asked = types.ReferenceParams(types.ReferenceContext(include_declaration=False), editor.document(FLEET), position)
    uses = await editor.client.text_document_references_async(asked) or []
    expected = [at(EXAMPLE, "pool: a100-slices", 6), at(EXAMPLE, "[a100-slices]", 1)]
    assert [use.range.start for use in uses] == expected


async def test_a_pool_is_renamed_wherever_it_is_meant(editor: Editor) -> None:
    position = at(EXAMPLE, "pools: [a100-slices]", 9)
    where = types.PrepareRenameParams(editor.document(FLEET), position)
    prepared: Any = await editor.client.text_document_prepare_rename_async(where)
    assert prepared.start == at(EXAMPLE, "[a100-slices]", 1)
    asked = types.RenameParams(editor.document(FLEET), position, "slices")
    edit = await editor.client.text_document_rename_async(asked)
    assert edit
    assert edit.changes
    [(uri, edits)] = edit.changes.items()
    assert uri == editor.uri(FLEET)
    renamed = applied(EXAMPLE, list(edits))
    assert renamed == EXAMPLE.replace("a100-slices", "slices")
    assert await editor.show(FLEET, renamed) == []


@pytest.mark.parametrize("name", ["t4-lab", "Not A Name", "x" * 70])
async def test_a_name_that_does_not_fit_is_refused(editor: Editor, name: str) -> None:
    asked = types.RenameParams(editor.document(FLEET), at(EXAMPLE, "pools: [a100-slices]", 9), name)
    with pytest.raises(Exception, match=r"already|is not a DNS label"):
        await editor.client.text_document_rename_async(asked)


async def test_documents_are_symbols(editor: Editor) -> None:
    answer = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.document(FLEET)))
    names = [symbol.name for symbol in answer or []]
    assert names[:2] == ["Fleet contoso-ai", "Cluster prod-swc"]
    assert len(names) == EXAMPLE.count("apiVersion:")
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("slices"))
    assert [(symbol.name, symbol.container_name) for symbol in found or []] == [("a100-slices", "GpuPool")]


async def test_lenses_say_what_a_pool_costs_and_where_a_workload_runs(editor: Editor) -> None:
    lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(editor.document(FLEET))) or []
    titles = {}
    for each in lenses:
        about: Any = each.data
        if about["name"] in ("t4-lab", "rerank", "phi-4-mini"):
            resolved = await editor.client.code_lens_resolve_async(each)
            assert resolved.command
            titles[about["name"]] = resolved.command.title
    assert titles["t4-lab"].startswith("lab-weu: 4 nodes, 4 GPUs, $")
    assert titles["rerank"] == "lab-weu: 4 of 4 replicas on 4 nodes of t4-lab"
    assert titles["phi-4-mini"] == "models-swc: may run on a100-models"


@pytest.mark.parametrize(
    ("only", "kinds"), [([], {"quickfix", "source.fixAll.gitgpu"}), (["source.fixAll"], {"source.fixAll.gitgpu"})]
)
async def test_only_the_wanted_kinds_of_actions_are_listed(editor: Editor, only: list[str], kinds: set[str]) -> None:
    text = EXAMPLE.replace("driver: managed\n---", "drivr: managed\n---")
    found = await editor.show(FLEET, text)
    context = types.CodeActionContext(found, [types.CodeActionKind(kind) for kind in only] or None)
    params = types.CodeActionParams(editor.document(FLEET), found[0].range, context)
    answer: Any = await editor.client.text_document_code_action_async(params)
    assert {getattr(action.kind, "value", action.kind) for action in answer} == kinds
