"""What interop's plan for our own servers names, but for the question, which each library asks in a way of its own."""

import anyio


def offer(server, Context):
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
    async def wait() -> str:
        """Takes some seconds."""
        await anyio.sleep(4)
        return "waited"

    @server.resource("note://one", mime_type="text/plain")
    async def note() -> str:
        """A note."""
        return "the first note"

    @server.prompt()
    async def greet(name: str) -> str:
        """Greets."""
        return f"Greet {name}, please."
