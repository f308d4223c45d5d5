"""Text to documents of proven shape.

`read` is the only module of gitgpu that reads the disk. `yaml` turns text into plain data and keeps the place of every
value. `shape` holds a document against its schema: `checker` answers yes or no fast, `words` says what is wrong when
the answer is no. `normalise` fills in defaults. Nothing here knows what a GPU is.
"""
