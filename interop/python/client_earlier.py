"""The client of the official SDK for Python before 2026-07-28, worked by lines."""

from mcp import ClientSession, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult
from worked_by_lines import run


def server_at(target):
    if target["kind"] == "stdio":
        command, *args = target["command"]
        return stdio_client(StdioServerParameters(command=command, args=args))
    return (sse_client if target["kind"] == "sse" else streamable_http_client)(target["url"])


async def connect(stack, target):
    async def answer(context, params):
        return ElicitResult(action="accept", content=target["answer"])

    read, write, *_ = await stack.enter_async_context(server_at(target))
    session = await stack.enter_async_context(ClientSession(read, write, elicitation_callback=answer))
    await session.initialize()
    return session


run(connect)
