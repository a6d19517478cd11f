"""The provider behind the sockets: program in force, log, and the answer to each whole request."""

import asyncio
import hashlib
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import orjson

from tests.fake_provider.behaviour import Behaviour
from tests.fake_provider.completion import error_body, model_list
from tests.fake_provider.log import Call, CallLog, LogFile, Outcome
from tests.fake_provider.plans import failure
from tests.fake_provider.request import parse
from tests.fake_provider.rules import PROGRAM, Program
from tests.fake_provider.wire import Plan, Send, whole

_PAGE = 5000


class Received(NamedTuple):
    """One HTTP request that has arrived whole."""

    method: str
    target: str
    key: str | None
    token: str | None
    """Bearer token; compared, never logged."""
    body: bytes
    at: float
    at_unix: float


@dataclass(slots=True)
class Exchange:
    """A request under way: how it is answered and, unless it is a control request, its log entry."""

    plan: Plan
    log: CallLog
    replaced: asyncio.Event
    """Set when the program that the answer comes from is no longer in force."""
    call: Call | None = None
    counted: bool = False
    sent_bytes: int = 0

    def end(self, outcome: Outcome) -> None:
        """Log how it ended, now."""
        call = self.call
        if call is not None:
            call.sent_bytes = self.sent_bytes
            call.status = self.plan.status if self.sent_bytes else None
            now, now_unix = time.monotonic_ns() / 1e9, time.time_ns() / 1e9
            self.log.ended(call, outcome, now, now_unix, self.counted)


class Provider:
    """State shared by all connections."""

    def __init__(self, log_file: Path | None = None) -> None:
        self.file = LogFile(log_file) if log_file else None
        self.log = CallLog(self.file)
        self.open_sockets = 0
        self._bodies: deque[tuple[int, bytes]] = deque(maxlen=0)
        self._replaced = asyncio.Event()
        self._follow(Behaviour(Program()))

    def receive(self, request: Received) -> Exchange:
        """Log a request at its arrival and decide its answer."""
        path = urlsplit(request.target).path if "?" in request.target else request.target
        if path.startswith("/_"):
            return Exchange(self._control(request, path), self.log, self._replaced)
        counted = request.method == "POST" and path.endswith("/chat/completions")
        return self._chat(request, path) if counted else self._other(request, path)

    def _chat(self, request: Received, path: str) -> Exchange:
        sha256 = hashlib.sha256(request.body)
        asked = parse(request.body, sha256.digest(), request.key)
        if isinstance(asked, str):
            plan, model, stream = failure("invalid_request", asked), None, False
            if not self._behaviour.admits(request.token):
                plan = failure("bad_key")
        else:
            plan = self._behaviour.decide(asked, request.token, request.at_unix)
            model, stream = asked.model, asked.stream
        call = self._call(request, path, plan, sha256.hexdigest(), model, stream)
        self.log.arrived(call)
        if self._bodies.maxlen:
            self._bodies.append((call.seq, request.body))
        return Exchange(plan, self.log, self._replaced, call, counted=True)

    def _other(self, request: Received, path: str) -> Exchange:
        models = self._behaviour.program.models or ("fake-model",)
        if not self._behaviour.admits(request.token):
            plan = failure("bad_key")
        elif request.method == "GET" and path.endswith("/models"):
            plan = Plan("models", (Send(whole(200, model_list(models))),), 200)
        else:
            body = error_body(f"Unknown request URL: {request.method} {path}.", "not_found", None)
            plan = Plan("unknown_path", (Send(whole(404, body)),), 404)
        sha256 = hashlib.sha256(request.body).hexdigest()
        call = self._call(request, path, plan, sha256, None, False)
        self.log.arrived(call, counted=False)
        return Exchange(plan, self.log, self._replaced, call)

    def _call(
        self, request: Received, path: str, plan: Plan, sha256: str, model: str | None, stream: bool
    ) -> Call:
        return Call(
            seq=self.log.last_seq + 1,
            at=request.at,
            at_unix=request.at_unix,
            method=request.method,
            path=path,
            model=model,
            key=request.key,
            body_sha256=sha256,
            body_bytes=len(request.body),
            stream=stream,
            action=plan.action,
            rule=plan.rule,
            prompt_tokens=plan.prompt_tokens,
            completion_tokens=plan.completion_tokens,
        )

    def _control(self, request: Received, path: str) -> Plan:
        query = parse_qs(urlsplit(request.target).query)
        match request.method, path:
            case "GET", "/_log":
                after, limit = _number(query, "after", 0), _number(query, "limit", _PAGE)
                calls = self.log.page(after, max(1, min(limit, _PAGE)))
                # After a reset nothing is left of the calls before it, however far the numbers are.
                next_ = calls[-1].seq if calls else self.log.last_seq
                more = next_ < self.log.last_seq
                return _control_reply(200, {"calls": calls, "next": next_, "more": more})
            case "GET", "/_stats":
                return _control_reply(200, self.log.stats(self.open_sockets))
            case "GET", "/_keys":
                return _control_reply(200, self.log.counts_by_key())
            case "GET", "/_bodies":
                kept = {str(seq): body.decode(errors="replace") for seq, body in self._bodies}
                return _control_reply(200, kept)
            case "POST", "/_program":
                return self._load(request.body)
            case "POST", "/_reset":
                return self._reset(keep_program="keep_program" in query)
            case _:
                return _control_reply(404, {"error": f"no control {request.method} {path}"})

    def _load(self, body: bytes) -> Plan:
        try:
            program = PROGRAM.validate_json(body)
            self._follow(Behaviour(program))
        except ValueError as refused:
            return _control_reply(422, {"error": str(refused)})
        return _control_reply(200, {"rules": len(program.rules)})

    def _reset(self, keep_program: bool) -> Plan:
        self.log = CallLog(self.file, self.log.last_seq)
        self._bodies.clear()
        program = self._behaviour.program if keep_program else Program()
        self._follow(Behaviour(program))
        return _control_reply(200, {"last_seq": self.log.last_seq})

    def _follow(self, behaviour: Behaviour) -> None:
        """Put a program in force; what was held under the one before is answered."""
        self._behaviour = behaviour
        self._bodies = deque(self._bodies, maxlen=behaviour.program.keep_bodies)
        self._replaced.set()
        self._replaced = asyncio.Event()


def _control_reply(status: int, body: object) -> Plan:
    return Plan("control", (Send(whole(status, orjson.dumps(body))),), status)


def _number(query: dict[str, list[str]], name: str, otherwise: int) -> int:
    given = query.get(name, [""])[-1]
    return int(given) if given.isdigit() else otherwise
