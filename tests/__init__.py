"""The tests mirror the folders of gitgpu."""
