"""Frozen, linked values: the content of the documents and the facts of the catalog, in the terms of the field.

Only `link` makes values from documents. A value keeps the places of its document, so that every later stage can say
where a decision comes from.
"""
