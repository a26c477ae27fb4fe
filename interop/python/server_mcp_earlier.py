"""`server_mcp_earlier.py http|sse|stdio [PORT]`: a server on the official SDK for Python before 2026-07-28."""

import sys

from mcp.server.fastmcp import Context, FastMCP
from offers import offer
from pydantic import BaseModel

transport = sys.argv[1]
server = FastMCP("interop-mcp-earlier", host="127.0.0.1", port=0 if transport == "stdio" else int(sys.argv[2]))
offer(server, Context)


class Name(BaseModel):
    name: str


@server.tool()
async def ask(ctx: Context) -> str:
    """Asks for a name."""
    answer = await ctx.elicit("What is your name?", schema=Name)
    return f"Hello, {answer.data.name}!" if answer.action == "accept" else answer.action


if __name__ == "__main__":
    server.run({"stdio": "stdio", "sse": "sse", "http": "streamable-http"}[transport])
