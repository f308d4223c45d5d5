"""Answers of Azure and chart repositories to rows of the user's catalog that contain what differs from gitgpu's.

Each module makes the rows of one kind. A row is the keys that `gitgpu catalog refresh` owns in it.
"""
