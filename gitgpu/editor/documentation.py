"""Pages of rules and sizes, and the codes that can be suppressed."""

from collections.abc import Iterator
from functools import cache

from lsprotocol.types import CompletionItemKind

from gitgpu.editor.choice import Choice
from gitgpu.editor.context import code_block
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.availability import sale_of
from gitgpu.model.sku import Sku
from gitgpu.report.markdown_text import cell
from gitgpu.report.reference.faults import faults
from gitgpu.report.reference.pages import page_of
from gitgpu.report.reference.rules import markdown
from gitgpu.report.sizes import page, sale_lines
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules


def codes() -> Iterator[Choice]:
    """The codes of all rules, which an allowance can name."""
    for code, rule in sorted(_rules().items()):
        yield Choice(code, rule.summary, CompletionItemKind.Constant, data=f"rule {code}")


def code_page(code: str) -> str:
    """The page of a rule or another code in Markdown; "" if there is no such code."""
    link = f"\n[{code} in the documentation]({page_of(code)})\n"
    rule = _rules().get(code)
    if rule:
        return f"**{code}** {rule.name}\n\n{markdown(rule)}{link}"
    fault = next((fault for fault in faults() if fault.code == code), None)
    return f"**{code}**\n\n{fault.summary}\n\n{fault.help}\n{link}" if fault else ""


def size_page(catalog: Catalog, sku: Sku) -> str:
    """Everything that the catalog knows about a size, in Markdown."""
    origin = f"from: {sku.origin}\n" if sku.origin else ""
    return f"**{cell(sku.name)}**\n\n{code_block(origin + page(sku.row) + sale_lines(sale_of(catalog, sku)))}"


@cache
def _rules() -> dict[str, AnyRule]:
    every: list[AnyRule] = [*fleet_rules(), *object_rules()]
    return {rule.code: rule for rule in every}
