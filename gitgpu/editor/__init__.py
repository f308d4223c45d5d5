"""What an editor shows about a text: a text and a place in it to an answer. Only `gitgpu lsp` imports this.

The answers are values of the Language Server Protocol (lsprotocol, which comes with pygls). Nothing here reads a file.
"""
