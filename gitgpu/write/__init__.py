"""The last stage: manifests become text, and text becomes files.

`render` gives the exact bytes of one object, `layout` chooses its file, `cache` records the last build, `changes`
compares the files that exist with those that are wanted, and `apply` changes the disk.
"""
