"""`server_fastmcp.py http|sse|stdio [PORT]`: a server on FastMCP, of today and of before 2026-07-28."""

import sys

from fastmcp import Context, FastMCP
from offers import offer
from pydantic import BaseModel

server = FastMCP("interop-fastmcp")
offer(server, Context)


class Name(BaseModel):
    name: str


@server.tool()
async def ask(ctx: Context):
    """Asks for a name: in the middle of the call, or, where the revision has no way to, with its answer."""
    question = "What is your name?"
    if not is_modern(ctx):
        answer = await ctx.elicit(question, Name)
        return f"Hello, {answer.data.name}!" if answer.action == "accept" else answer.action
    from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

    answer = (ctx.input_responses or {}).get("name")
    if answer is not None:
        return f"Hello, {answer.content['name']}!"
    params = ElicitRequestFormParams(message=question, requested_schema=Name.model_json_schema())
    return InputRequiredResult(input_requests={"name": ElicitRequest(params=params)})


def is_modern(ctx):
    return getattr(ctx.request_context, "protocol_version", "") >= "2026-07-28"


if __name__ == "__main__":
    transport = sys.argv[1]
    if transport == "stdio":
        server.run("stdio", show_banner=False)
    else:
        server.run(transport, host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
