"""Text to documents with a valid shape.

`read` is the only module here that opens files. `parse` turns text into plain data and keeps the place of every
value. `shape` checks a document against its schema: `validate` quickly decides whether it is valid, and `explain` finds
out why not. `normalise` fills in defaults. Nothing in this folder depends on GPUs.
"""
