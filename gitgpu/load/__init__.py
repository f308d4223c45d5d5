"""Text to documents of proven shape.

`read` is the only module of gitgpu that reads the disk. `parse` turns text into plain data and keeps the place of every
value. `shape` checks a document against its schema: `validate` answers yes or no fast, `explain` says what is wrong if
the answer is no. `normalise` fills in defaults. Nothing in this folder depends on GPUs.
"""
