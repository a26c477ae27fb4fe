"""`server_mcp.py http|sse|stdio [PORT]`: a server on the official SDK for Python, in all its revisions."""

import sys
from typing import Annotated

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from offers import offer
from pydantic import BaseModel

server = MCPServer("interop-mcp")
offer(server, Context)


class Name(BaseModel):
    name: str


async def ask_name() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


@server.tool()
async def ask(name: Annotated[Name, Resolve(ask_name)]) -> str:
    """Asks for a name."""
    return f"Hello, {name.name}!"


if __name__ == "__main__":
    transport = sys.argv[1]
    if transport == "stdio":
        server.run("stdio")
    else:
        server.run("sse" if transport == "sse" else "streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
