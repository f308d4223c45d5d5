"""`gitgpu mcp`: its tools, the server, and the process that runs a tool."""
