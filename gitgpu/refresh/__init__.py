"""Answers of Azure and chart repositories to rows of the user's catalog, which contain what differs from gitgpu's.

Each module makes the rows of one kind: the keys in them that `gitgpu catalog refresh` owns.
"""
