"""Who may say and hear what on NATS: one user a service, nothing more than it needs.

Only the migrator may create, change or delete streams and consumers. A worker pulls from its own
consumer and publishes outcomes; it cannot read the log of others nor give a step to anybody.
Consumers check an outcome against the ledger all the same: a permission does not stop a user from
naming somebody else's subject as the reply of a pull request.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["GRANTS", "USERS", "Grant", "authorization"]

LOG = "CONVO_LOG"
DEAD = "CONVO_DEAD"


@dataclass(frozen=True, slots=True)
class Grant:
    """Subjects one user may publish to and subscribe to."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]
    answers: bool = False
    """May answer a request on the reply subject it came with."""


def _writes(*subjects: str) -> tuple[str, ...]:
    """Publishing to the log, and asking what was stored last on the same subjects.

    The question settles a batch whose acknowledgement got lost.
    """
    return (*subjects, *(f"$JS.API.DIRECT.GET.{LOG}.{subject}" for subject in subjects))


def _settings(user: str) -> tuple[str, ...]:
    """Reading the settings of the streams, checked at start, and burying a message."""
    return (
        "$JS.API.INFO",
        f"$JS.API.STREAM.INFO.{LOG}",
        f"$JS.API.STREAM.INFO.{DEAD}",
        f"convo.dead.{user}",
    )


def _worker(user: str, durable: str, *subjects: str, asked: tuple[str, ...] = ()) -> Grant:
    """A worker of one queue; ``asked`` are subjects on which it answers questions."""
    return Grant(
        publish=(
            *_writes(*subjects),
            *_settings(user),
            f"$JS.API.CONSUMER.INFO.{LOG}.{durable}",
            f"$JS.API.CONSUMER.MSG.NEXT.{LOG}.{durable}",
            f"$JS.ACK.{LOG}.{durable}.>",
        ),
        subscribe=(f"_INBOX_{user}.>", "convo.ctl.>", *asked),
        answers=bool(asked),
    )


GRANTS: Mapping[str, Grant] = {
    "scheduler": Grant(
        publish=(
            *_writes(
                *(
                    f"convo.ev.{kind}.>"
                    for kind in ("run", "review", "gen", "filter", "judge", "sys")
                )
            ),
            *_settings("scheduler"),
            f"$JS.API.STREAM.MSG.GET.{LOG}",
            f"$JS.API.CONSUMER.INFO.{LOG}.>",
            "convo.ctl.>",
        ),
        subscribe=("_INBOX_scheduler.>", "convo.cmd.run", "convo.tick"),
        answers=True,
    ),
    "generator": _worker("generator", "gen", "convo.ev.out.>", "convo.ev.call.>"),
    "filters": _worker(
        "filters", "filter", "convo.ev.out.>", "convo.ev.sys.rules.0", asked=("convo.cmd.look",)
    ),
    "judge": _worker("judge", "judge", "convo.ev.out.>", "convo.ev.call.>"),
    "projector": Grant(
        publish=(
            *_writes("convo.ev.out.>", "convo.ev.call.>"),
            *_settings("projector"),
            f"$JS.API.STREAM.MSG.GET.{LOG}",
            f"$JS.API.DIRECT.GET.{LOG}",
            f"$JS.API.DIRECT.GET.{LOG}.>",
            f"$JS.API.CONSUMER.CREATE.{LOG}",
            f"$JS.API.CONSUMER.CREATE.{LOG}.>",
            f"$JS.API.CONSUMER.INFO.{LOG}.>",
            f"$JS.API.CONSUMER.MSG.NEXT.{LOG}.>",
            f"$JS.FC.{LOG}.>",
            "convo.tick",
        ),
        subscribe=("_INBOX_projector.>",),
    ),
    "gateway": Grant(
        publish=(*_settings("gateway"), f"$JS.API.CONSUMER.INFO.{LOG}.>", "convo.cmd.>"),
        subscribe=("_INBOX_gateway.>", "convo.tick"),
    ),
    "migrator": Grant(
        publish=("$JS.API.>", "$JS.ACK.>", "convo.>"),
        subscribe=("_INBOX_migrator.>", "convo.>"),
        answers=True,
    ),
}
"""The grant of each user. The inbox prefix of a user is `_INBOX_<user>`."""

USERS = tuple(GRANTS)


def authorization(passwords: Mapping[str, str]) -> str:
    """Text of `authorization.conf`, which nats.conf includes.

    Args:
        passwords: password of each of `USERS`, in clear text: the file must be readable by the
            server alone.
    """
    users = "\n".join(_user(name, passwords[name], grant) for name, grant in GRANTS.items())
    return f"authorization {{\n  timeout: 5\n  users: [\n{users}\n  ]\n}}\n"


def _user(name: str, password: str, grant: Grant) -> str:
    answers = "allow_responses: true, " if grant.answers else ""
    return (
        f"    {{ user: {json.dumps(name)}, password: {json.dumps(password)}, permissions: {{\n"
        f"      {answers}publish: {json.dumps(list(grant.publish))},\n"
        f"      subscribe: {json.dumps(list(grant.subscribe))} }} }}"
    )
