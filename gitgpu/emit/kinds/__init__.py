"""What gitgpu can emit: one module, one kind of object, exported as EMITTER."""
