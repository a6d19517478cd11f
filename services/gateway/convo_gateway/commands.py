"""A checked wish, handed to the scheduler, and its answer."""

import logging

import nats.errors
from pydantic import ValidationError

from convo_events import subjects
from convo_events.commands import Command, Reply
from convo_events.errors import NotFound, Refused, Unavailable
from convo_gateway.connections import Connections

log = logging.getLogger(__name__)

PATIENCE_S = 10.0
"""How long a command may take. A pause waits for the calls that were granted before it."""


async def ask_scheduler(connections: Connections, command: Command) -> Reply:
    """The scheduler's answer to a command that it carried out.

    Raises:
        NotFound: there is no such run.
        Refused: the run's state does not allow it.
        Unavailable: NATS or the scheduler is away. After a silence the command may have been carried out; asking again
            is safe.
    """
    wish = command.model_dump(mode="json")
    try:
        answer = await connections.broker.request(wish, subjects.COMMAND, timeout=PATIENCE_S)
        reply = Reply.model_validate_json(answer.body)
    except nats.errors.NoRespondersError:
        raise _away("no scheduler is running; start one, or wait for it to take over") from None
    except (nats.errors.TimeoutError, TimeoutError):
        raise _away(f"the scheduler did not answer within {PATIENCE_S:.0f} seconds") from None
    except (nats.errors.Error, OSError) as error:
        raise _away(f"the scheduler cannot be asked: {error}") from None
    except ValidationError:
        log.exception("unreadable answer of the scheduler", extra={"action": "command"})
        raise _away("the scheduler's answer could not be read") from None
    match reply.code:
        case "":
            return reply
        case "not_found":
            raise NotFound(reply.message or f"there is no run {command.run}")
        case "unavailable":
            raise _away(reply.message or "the scheduler cannot do this now")
        case _:
            message = reply.message or f"run {command.run} is {reply.status}"
            raise Refused(message, code=reply.code, state=reply.status)


def _away(message: str) -> Unavailable:
    return Unavailable(message, part="scheduler", retry_after_s=2)
