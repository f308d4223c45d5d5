"""Rows of the catalog: facts as files, read on demand, and rows of your own beside or instead of gitgpu's."""
