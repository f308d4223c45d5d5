"""Delivery: objects of Flux and Argo CD."""

from gitgpu.conform.kinds import ANY, kinds

KINDS = kinds(ANY)
