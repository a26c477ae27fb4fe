"""The client of the official SDK for Python, worked by lines."""

from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client
from mcp_types import ElicitResult
from worked_by_lines import run


def server_at(target):
    if target["kind"] == "stdio":
        command, *args = target["command"]
        return StdioServerParameters(command=command, args=args)
    return sse_client(target["url"]) if target["kind"] == "sse" else target["url"]


async def connect(stack, target):
    async def answer(context, params):
        return ElicitResult(action="accept", content=target["answer"])

    return await stack.enter_async_context(Client(server_at(target), mode=target["mode"], elicitation_callback=answer))


run(connect)
