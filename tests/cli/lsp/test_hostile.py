"""Texts and requests that no editor should send: each is answered, nothing fails, and the server lives on."""

from collections.abc import Iterator
from typing import Any

import pytest
from lsprotocol import types

from tests.cli.lsp.conftest import EXAMPLE, Editor, at

pytestmark = pytest.mark.asyncio
POOL = EXAMPLE[EXAMPLE.index("apiVersion", EXAMPLE.index("# Whole T4s")) :].split("---\n")[0]
ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefg", "bcdefgh", strict=True)
)
TEXTS = {
    "half": POOL[: len(POOL) // 2],
    "half of a word": POOL[: POOL.index("limits") + 3],
    "open bracket": POOL.replace("{gpus: 4}", "{gpus: 4"),
    "open quote": POOL.replace("gpus: 4", 'gpus: "4'),
    "tabs": POOL.replace("  ", "\t"),
    "NUL": POOL.replace("t4-lab", "t4\0lab"),
    "lone surrogate": POOL.replace("t4-lab", "t4\ud83dlab"),
    "aliases": ALIASES,
    "deep": "a: " + "[" * 5000,
    "deep mapping": "\n".join(f"{' ' * depth}a:" for depth in range(300)),
    "long line": "a: " + "x" * 100_000,
    "line ends": POOL.replace("\n", "\r") + "\u2028\x85\x0b\x0c\x1c",
    "no mapping": "- 1\n- 2\n",
    "a scalar": "x",
    "markers": "---\n...\n---\n---",
    "empty": "",
    "merge keys": "a: &a {b: 1}\nc: {<<: *a, <<: 1}\n",
    "wrong types": POOL.replace("name: t4-lab", "name: [1, {a: b}]").replace("[lab-weu]", "{x: 1}"),
    "kind is a list": POOL.replace("kind: GpuPool", "kind: [GpuPool]"),
    "odd keys": "1: 2\ntrue: 3\n[a]: 4\n? {b: c}\n: 5\n",
    "conflict": f"<<<<<<< HEAD\n{POOL}=======\n{POOL}>>>>>>> other\n",
}
OUTSIDE = ("untitled:1", "git:/x/y.yaml?ref", "file:///nowhere/at/all.yaml", "file:///a%00b.yaml", "file://", "x")
NAMES = ("fleet.yaml", "apps/odd.yaml", ".gitgpu.yaml", "catalog/skus/odd.yaml")


async def ask(editor: Editor, uri: str, position: types.Position) -> list[Any]:
    """The answers to every request about a place."""
    client, document = editor.client, types.TextDocumentIdentifier(uri)
    here = types.Range(position, position)
    return [
        await client.text_document_completion_async(types.CompletionParams(document, position)),
        await client.text_document_hover_async(types.HoverParams(document, position)),
        await client.text_document_definition_async(types.DefinitionParams(document, position)),
        await client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(include_declaration=True), document, position)
        ),
        await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, position)),
        await client.text_document_document_symbol_async(types.DocumentSymbolParams(document)),
        await client.text_document_code_lens_async(types.CodeLensParams(document)),
        await client.text_document_code_action_async(
            types.CodeActionParams(document, here, types.CodeActionContext([]))
        ),
        await client.workspace_symbol_async(types.WorkspaceSymbolParams("")),
    ]


def places(text: str) -> Iterator[types.Position]:
    """Places in a text, and outside of it."""
    lines = text.count("\n")
    yield types.Position(lines // 2, 4)
    yield types.Position(lines + 7, 1_000_000)


async def lives(editor: Editor) -> None:
    """Asserts that the server still answers, and that no request has failed."""
    assert [entry.message for entry in editor.client.log_messages] == []
    assert await editor.show("good/fleet.yaml", EXAMPLE) == []
    position = at(EXAMPLE, "region: swedencentral", 2)
    params = types.HoverParams(editor.document("good/fleet.yaml"), position)
    answer = await editor.client.text_document_hover_async(params)
    assert answer
    assert "Cluster.spec.region" in getattr(answer.contents, "value", "")


@pytest.mark.parametrize("name", NAMES)
async def test_odd_texts_are_answered(editor: Editor, name: str) -> None:
    for text in list(TEXTS.values())[:: 1 if name == "fleet.yaml" else 3]:
        await editor.show(name, text)
        for position in places(text):
            await ask(editor, editor.uri(name), position)
    await editor.close(name)
    await lives(editor)


@pytest.mark.parametrize("uri", OUTSIDE)
async def test_files_outside_of_the_workspace_are_answered(editor: Editor, uri: str) -> None:
    item = types.TextDocumentItem(uri, "yaml", 1, EXAMPLE)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await ask(editor, uri, types.Position(3, 3))
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await ask(editor, uri, types.Position(3, 3))
    await lives(editor)


async def test_a_very_long_text_is_not_checked_and_the_user_is_told(editor: Editor) -> None:
    text = EXAMPLE + "# long\n" * 1_500_000
    item = types.TextDocumentItem(editor.uri("long.yaml"), "yaml", 1, text)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    answers = await ask(editor, editor.uri("long.yaml"), types.Position(3, 3))
    assert not any(answers[:5])
    assert "is longer than 4,000,000 characters" in editor.client.messages[-1].message
    await lives(editor)


async def test_names_cannot_format_a_hover(editor: Editor) -> None:
    hostile = "x](http://evil) <img src=x onerror=alert(1)> ```"
    text = EXAMPLE.replace("region: swedencentral", f"region: swedencentral # {hostile}").replace(
        'costCentre: "4711"', f'costCentre: "4711", note: "{hostile}"'
    )
    await editor.show("good/fleet.yaml", text)
    for place in ("costCentre", "note:", "region: swedencentral"):
        params = types.HoverParams(editor.document("good/fleet.yaml"), at(text, place, 2))
        answer = await editor.client.text_document_hover_async(params)
        assert "<img" not in str(answer)
    await lives(editor)


async def test_positions_count_utf_16_units_and_any_line_end(editor: Editor) -> None:
    text = EXAMPLE.replace("\n", "\r\n").replace("pools: [t4-lab]", 'pools: ["😀", t4-labs]')
    found = await editor.show("good/fleet.yaml", text)
    line = next(number for number, each in enumerate(text.split("\r\n")) if "t4-labs" in each)
    column = len('  pools: ["😀", '.encode("utf-16-le")) // 2
    missing = next(each for each in found if "t4-labs" in each.message)
    assert missing.range == types.Range(types.Position(line, column), types.Position(line, column + 7))
    await editor.show("good/fleet.yaml", EXAMPLE)
    await lives(editor)


async def test_a_damaged_catalog_is_a_finding_in_its_row(editor: Editor) -> None:
    folder = editor.folder / "damaged"
    (folder / "catalog/skus").mkdir(parents=True)
    (folder / "fleet.yaml").write_text(EXAMPLE, "utf-8")
    (folder / ".gitgpu.yaml").write_text("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [catalog]\n", "utf-8")
    row = folder / "catalog/skus/Standard_Odd.yaml"
    row.write_text("name: [Standard_Odd\n", "utf-8")
    await editor.show("damaged/fleet.yaml", EXAMPLE)
    assert [found.code for found in await editor.findings("damaged/catalog/skus/Standard_Odd.yaml")] == ["YML001"]
    text = EXAMPLE.replace("sku: Standard_NC4as_T4_v3\n  limits: {gpus: 2}", "sku: \n  limits: {gpus: 2}")
    await editor.show("damaged/fleet.yaml", text)
    params = types.CompletionParams(editor.document("damaged/fleet.yaml"), at(text, "sku: \n", 5))
    answer = await editor.client.text_document_completion_async(params)
    assert isinstance(answer, types.CompletionList)
    assert "Standard_NC4as_T4_v3" in {item.label for item in answer.items}, "from gitgpu's own catalog"
    await lives(editor)
