"""Large YAML files, read in a process of their own, as parsing one takes a processor for long.

The process is this module: it takes the file on standard input, and gives what was read, pickled, on standard output.
"""

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE

from convo_events.errors import Unavailable
from convo_gateway.catalog.uploads import Upload, read_yaml

LONGEST_S = 300.0
"""The largest file takes a fifth of it on a busy machine of two processors."""
_one_at_a_time = asyncio.Lock()


async def read_yaml_beside(content: bytes) -> Upload:
    """As ``read_yaml``, in another process; one file at a time.

    Raises:
        Unavailable: the process did not come to an end, or was ended.
    """
    async with _one_at_a_time:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__), stdin=PIPE, stdout=PIPE
        )
        try:
            async with asyncio.timeout(LONGEST_S):
                answer, _ = await process.communicate(content)
        except TimeoutError:
            message = "the file took too long to read; split it, or send JSON lines"
            raise Unavailable(message, part="gateway") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if process.returncode:
        raise Unavailable(
            f"the process that read the file ended with code {process.returncode}", part="gateway"
        )
    found = pickle.loads(answer)
    assert isinstance(found, Upload)
    return found


def main() -> None:
    """Read standard input."""
    found = read_yaml(sys.stdin.buffer.read())
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    main()
