"""`server_fastmcp.py http|sse|stdio [PORT]`: a server on FastMCP, with what interop's plan for our own servers names."""

import sys

import anyio
from fastmcp import Context, FastMCP
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

server = FastMCP("interop-fastmcp")


class Name(BaseModel):
    name: str


@server.tool
async def add(a: int, b: int) -> str:
    """Adds."""
    return str(a + b)


@server.tool
async def fail() -> str:
    """Fails."""
    raise ValueError("this always fails")


@server.tool
async def count(to: int, ctx: Context) -> str:
    """Counts, and tells how far it has come."""
    for number in range(1, to + 1):
        await ctx.report_progress(number, to)
        await anyio.sleep(0.02)
    return f"counted to {to}"


@server.tool
async def ask(ctx: Context) -> str:
    """Asks for a name: in the middle of the call, or, where the revision has no way to, with its answer."""
    question = "What is your name?"
    if ctx.request_context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        answer = await ctx.elicit(question, Name)
        return f"Hello, {answer.data.name}!" if answer.action == "accept" else answer.action
    answer = (ctx.input_responses or {}).get("name")
    if answer is not None:
        return f"Hello, {answer.content['name']}!"
    params = ElicitRequestFormParams(message=question, requested_schema=Name.model_json_schema())
    return InputRequiredResult(input_requests={"name": ElicitRequest(params=params)})


@server.tool
async def wait() -> str:
    """Takes half a minute."""
    await anyio.sleep(30)
    return "waited"


@server.resource("note://one", mime_type="text/plain")
async def note() -> str:
    """A note."""
    return "the first note"


@server.prompt
async def greet(name: str) -> str:
    """Greets."""
    return f"Greet {name}, please."


if __name__ == "__main__":
    transport = sys.argv[1]
    if transport == "stdio":
        server.run("stdio", show_banner=False)
    else:
        server.run(transport, host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
