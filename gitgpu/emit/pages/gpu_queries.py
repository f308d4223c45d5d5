"""Queries about GPUs, for Container insights in the portal or anything else that speaks KQL."""

from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan


def write(plan: ClusterPlan) -> str:
    """Each query under its title; the portal runs the one at the cursor, as far as the next blank line."""
    if not plan.insights:
        return ""
    return "\n".join(f"// {query.title}\n{query.kql}" for query in plan.insights.queries)


PAGE = Page("gpu-queries.kql", write)
