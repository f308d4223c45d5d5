"""`gitgpu validate`, and its findings in a fleet that has changed."""
