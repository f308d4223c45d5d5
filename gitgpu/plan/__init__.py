"""Choices: which of several valid options a cluster gets. After this stage nothing is left to decide.

`plan` in `cluster_plan` is pure and looks at one cluster at a time; two clusters never share a decision, only facts.
"""
