"""Frozen, linked meaning: what the documents say and what the catalog knows, in the field's own words.

`link` is the only road from documents to values. A value keeps the places of its document, so that every later stage
can say where a decision comes from.
"""
