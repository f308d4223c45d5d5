"""The formats of a plan."""

from gitgpu import registry
from gitgpu.load.secret_values import without_credentials
from gitgpu.report import plans
from gitgpu.report.comparison.planned import PlanFormat, Planned
from gitgpu.report.findings import Style
from gitgpu.report.terminal import encodable


def plan_format_names() -> tuple[str, ...]:
    """The available formats, sorted; none of them is imported."""
    return registry.names(plans)


def render_plan(plan: Planned, form: str, style: Style) -> str:
    """The plan as text in one of `plan_format_names()`."""
    text = registry.load(plans, form, "FORMAT", PlanFormat).render(plan, style)
    return encodable(without_credentials(text))
