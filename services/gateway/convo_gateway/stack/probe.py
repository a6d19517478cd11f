"""Ask a loopback HTTP server something short, such as whether it is ready."""

import aiohttp

__all__ = ["answer", "answers"]

BODY_BYTES = 4_000_000


async def answer(url: str, timeout_s: float = 2.0) -> tuple[int, bytes]:
    """Status and body of a GET.

    Raises:
        OSError: nobody answers in time, or not in HTTP (TimeoutError is an OSError).
    """
    timeout = aiohttp.ClientTimeout(total=timeout_s)
    try:
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as reply:
            return reply.status, await reply.content.read(BODY_BYTES)
    except aiohttp.ClientError as error:
        raise OSError(f"{url}: {error}") from error
    except TimeoutError as error:
        raise TimeoutError(f"{url}: no answer in {timeout_s:.0f} seconds") from error


async def answers(url: str) -> bool:
    """Whether a GET is answered with 200 now."""
    try:
        status, _ = await answer(url)
    except OSError:
        return False
    return status == 200
