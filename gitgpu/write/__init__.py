"""The last stage: manifests become text, and text becomes files.

`render` gives the exact bytes of one object, `layout` says which file holds it, `lock` remembers which files are
ours, `changes` compares what is there with what is wanted, and `apply` is the one module that touches the disk.
"""
