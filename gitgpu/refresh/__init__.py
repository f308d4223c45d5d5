"""What Azure and chart repositories answer, to rows of one's own that hold what differs from gitgpu's catalog.

Each module makes the rows of one kind. A row is the keys that `gitgpu catalog refresh` owns in it.
"""
