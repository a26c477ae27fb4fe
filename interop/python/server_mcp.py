"""`server_mcp.py http|sse|stdio [PORT]`: a server on the official SDK for Python, with what interop's plan for our own servers names."""

import sys
from typing import Annotated

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

server = MCPServer("interop-mcp")


class Name(BaseModel):
    name: str


async def ask_name() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


@server.tool()
async def add(a: int, b: int) -> str:
    """Adds."""
    return str(a + b)


@server.tool()
async def fail() -> str:
    """Fails."""
    raise ValueError("this always fails")


@server.tool()
async def count(to: int, ctx: Context) -> str:
    """Counts, and tells how far it has come."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to)
        await anyio.sleep(0.02)
    return f"counted to {to}"


@server.tool()
async def ask(name: Annotated[Name, Resolve(ask_name)]) -> str:
    """Asks for a name."""
    return f"Hello, {name.name}!"


@server.tool()
async def wait() -> str:
    """Takes half a minute."""
    await anyio.sleep(30)
    return "waited"


@server.resource("note://one", mime_type="text/plain")
async def note() -> str:
    """A note."""
    return "the first note"


@server.prompt()
async def greet(name: str) -> str:
    """Greets."""
    return f"Greet {name}, please."


if __name__ == "__main__":
    transport = sys.argv[1]
    if transport == "stdio":
        server.run("stdio")
    else:
        server.run("sse" if transport == "sse" else "streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
