"""Queries about GPUs, for Container insights in the portal or any other tool for KQL."""

from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan


def write(plan: ClusterPlan) -> str:
    """Each query below its title. The portal runs the query at the cursor, up to the next blank line."""
    if not plan.insights:
        return ""
    return "\n".join(f"// {query.title}\n{query.kql}" for query in plan.insights.queries)


PAGE = Page("gpu-queries.kql", write)
