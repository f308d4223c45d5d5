"""Measures speed against peers: each module in `figures/` compares one thing with a peer and yields rows of a table.

Only ratios count. Subjects take turns in one run and their medians are compared, so a slow or busy machine changes
both sides alike. Nothing here is a test: a machine may be too small for a goal, and the table says so.
"""
