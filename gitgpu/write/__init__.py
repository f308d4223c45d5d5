"""The last stage: manifests become text, and text becomes files.

`render` gives the exact bytes of one object, `layout` says which file holds it, `ownership` says which files on disk
are ours, `changes` compares what is there with what is wanted, and `apply` changes the disk.
"""
