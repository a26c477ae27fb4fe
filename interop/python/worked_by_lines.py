"""
A client that is worked by lines of JSON: the first says where the server is, each further one what to do; each is answered by one line,
`{"value": …}` or `{"fault": "words"}`.
"""

import json
import sys
from contextlib import AsyncExitStack

import anyio


def text_of(blocks):
    return "\n".join(getattr(block, "text", "") for block in blocks)


async def call(client, order):
    heard = 0

    async def hear(progress, total, message):
        nonlocal heard
        heard += 1

    result = await client.call_tool(order["name"], order["arguments"], progress_callback=hear)
    is_error = result.is_error if hasattr(result, "is_error") else result.isError
    return {"text": text_of(result.content), "isError": bool(is_error), "progress": heard}


async def cancel(client, order, lines):
    """Until the next line comes. Whether the answer was there by then."""
    answered = False

    async def wait():
        nonlocal answered
        await client.call_tool(order["name"], order["arguments"])
        answered = True

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await lines.readline()
        group.cancel_scope.cancel()
    return answered


async def serve(client, order, lines):
    match order["do"]:
        case "list":
            return [tool.name for tool in (await client.list_tools()).tools]
        case "call":
            return await call(client, order)
        case "cancel":
            return await cancel(client, order, lines)
        case "resources":
            return [str(resource.uri) for resource in (await client.list_resources()).resources]
        case "read":
            return text_of((await client.read_resource(order["uri"])).contents)
        case "prompts":
            return [prompt.name for prompt in (await client.list_prompts()).prompts]
        case "prompt":
            messages = (await client.get_prompt(order["name"], order["arguments"])).messages
            return text_of([message.content for message in messages])


def words_of(fault):
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    return f"{getattr(fault, 'code', type(fault).__name__)} {fault}"


def say(answer):
    print(json.dumps(answer), flush=True)


def run(connect):
    """`connect(stack, target)` returns a client that is connected for as long as the stack is open."""

    async def main():
        lines = anyio.wrap_file(sys.stdin)
        target = json.loads(await lines.readline())
        try:
            async with AsyncExitStack() as stack:
                client = await connect(stack, target)
                say({"value": None})
                while line := await lines.readline():
                    try:
                        say({"value": await serve(client, json.loads(line), lines)})
                    except Exception as fault:
                        say({"fault": words_of(fault)})
        except Exception as fault:
            say({"fault": words_of(fault)})

    anyio.run(main)
