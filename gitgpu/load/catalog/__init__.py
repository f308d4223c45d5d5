"""Rows of the catalog: facts in files, read on demand. The user's rows are added to gitgpu's, or replace them."""
