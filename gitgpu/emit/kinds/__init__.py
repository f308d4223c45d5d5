"""What gitgpu can emit: one module, one thing, exported as EMITTER."""
