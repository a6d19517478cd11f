"""Rows of the read model for tests, as the projector writes them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import orjson

from convo_events.judge_answers import FAILURES
from tests.listing import list_new

BEGAN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SNAPSHOT = "a" * 64


class ReadModel:
    """Writes rows; every method fills in what a test does not care about."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._seq = 100

    async def insert(self, table: str, **row: Any) -> None:
        names = ", ".join(row)
        places = ", ".join(f"${at}" for at in range(1, len(row) + 1))
        await self.execute(f"insert into {table} ({names}) values ({places})", *row.values())

    async def execute(self, sql: str, *arguments: Any) -> None:
        connection = await asyncpg.connect(self.url)
        try:
            await connection.execute(sql, *arguments)
        finally:
            await connection.close()

    async def run(self, run: str, **changes: Any) -> str:
        self._seq += 1
        row = {
            "run": run,
            "kind": "generation",
            "name": f"Name of {run}",
            "config": "quick",
            "config_version": 3,
            "mode": "dialogue",
            "snapshot": SNAPSHOT,
            "target": 10,
            "seed": 7,
            "lanes": 4,
            "status": "running",
            "reason": "",
            "detail": "",
            "epoch": 1,
            "estimate_micro": 5_000_000,
            "expected_accepted": 8.0,
            "spend_cap_micro": None,
            "distinct3_floor": None,
            "not_before": None,
            "planned_at": BEGAN,
            "started_at": BEGAN,
            "ended_at": None,
            "generated": 0,
            "accepted": 0,
            "rejected": 0,
            "failed": 0,
            "cancelled": 0,
            "opened": 4,
            "closed": 0,
            "blocked_reason": "",
            "blocked_detail": "",
            "seq": self._seq,
        }
        await self.insert("run_view", **row | changes)
        return run

    async def set_run(self, run: str, **changes: Any) -> None:
        self._seq += 1
        changes = changes | {"seq": self._seq}
        sets = ", ".join(f"{name} = ${at}" for at, name in enumerate(changes, 2))
        await self.execute(f"update run_view set {sets} where run = $1", run, *changes.values())

    async def conversation(
        self, run: str, thread: int, number: int = 0, *, turns: Sequence[str] = (), **changes: Any
    ) -> str:
        """A conversation with its turns, user first; returns its id."""
        self._seq += 1
        conversation = f"{run}.{thread}.{number}"
        status = changes.get("status", "accepted")
        settled = status in ("accepted", "rejected", "failed")
        row = {
            "id": conversation,
            "run": run,
            "thread": thread,
            "number": number,
            "status": status,
            "reason": "",
            "layer": None,
            "hit": None,
            "also": "[]",
            "detail": "",
            "score": 4.5,
            "criteria": "[]",
            "persona": "pat",
            "voice": "plain",
            "planned_turns": len(turns),
            "turns": len(turns),
            "words": 9,
            "preview": turns[0][:120] if turns else "",
            "cost_micro": 1_200,
            "unknown_calls": 0,
            "created_at": BEGAN + timedelta(seconds=self._seq),
            "settled_at": BEGAN + timedelta(seconds=self._seq) if settled else None,
            "seq": self._seq,
            "settled_seq": self._seq if settled else None,
        }
        for name in ("hit", "also", "criteria"):
            if not isinstance(changes.get(name, ""), str):
                changes[name] = orjson.dumps(changes[name]).decode()
        await self.insert("conversation", **row | changes)
        for at, body in enumerate(turns):
            role = ("user", "assistant")[at % 2]
            turn = {"number": at, "role": role, "body": body, "finish": "stop"}
            await self.insert("turn", conversation=conversation, **turn)
        await list_new(self.url, run)
        return conversation

    async def origin(self, conversation: str, row: int, **changes: Any) -> None:
        """Where a conversation comes from: a row of import ``imp-1``."""
        for name, other in (("metadata", {}), ("left_out", [])):
            changes[name] = orjson.dumps(changes.get(name, other)).decode()
        origin = {"conversation": conversation, "source": "imp-1", "row": row}
        await self.insert("origin", **origin | changes)

    async def judge_health(self, run: str, **changes: Any) -> None:
        """A judge with scores of 4, 4, 5 and 1."""
        row: dict[str, Any] = {
            "run": run,
            "judge": "fake/judge",
            "scored": 4,
            **dict.fromkeys(FAILURES, 0),
            "compared": 0,
            "scale_min": 1.0,
            "scale_max": 5.0,
            "threshold": 2.5,
            "mean": 3.5,
            "squares": 9.0,
            "lowest": 1,
            "highest": 1,
            "bins": [1, 0, 0, 0, 0, 0, 2, 0, 1],
            "criteria": {"natural": [4, 3.5, 9.0]},
            "recent": [[seq, "scored", 4.0] for seq in range(1, 5)],
            **dict.fromkeys(("pass_pass", "pass_fail", "fail_pass", "fail_fail"), 0),
            "apart": 0.0,
            "recent_pairs": [],
            **dict.fromkeys(("rechecks", "recheck_micro", "recheck_unknown"), 0),
            "seq": 9,
        }
        row |= changes
        for name in ("bins", "criteria", "recent", "recent_pairs"):
            row[name] = orjson.dumps(row[name]).decode()
        await self.insert("judge_health", **row)

    async def review(
        self, conversation: str, version: int, reviewer: str, decision: str, **changes: Any
    ) -> None:
        """What somebody decided."""
        run, thread, number = conversation.split(".")
        await self.insert(
            "review",
            conversation=conversation,
            version=version,
            run=run,
            thread=int(thread),
            number=int(number),
            reviewer=reviewer,
            decision=decision,
            at=BEGAN,
            seq=version,
            **({"reason": "", "note": "", "edits": "[]"} | changes),
        )

    async def cost(self, run: str, role: str, **changes: Any) -> None:
        row = {
            "run": run,
            "role": role,
            "backend": "api",
            "model": "large",
            "calls": 10,
            "failed_calls": 1,
            "unknown_calls": 0,
            "unpriced_calls": 0,
            "estimated_calls": 0,
            "input_tokens": 1_000,
            "cached_tokens": 100,
            "output_tokens": 500,
            "reasoning_tokens": 0,
            "cost_micro": 2_000_000,
            "unknown_micro": 0,
            "latency_ms": 5_000,
        }
        await self.insert("run_cost", **row | changes)

    async def reason(self, run: str, reason: str, layer: int, precedence: int, n: int) -> None:
        await self.insert(
            "reject_count", run=run, reason=reason, layer=layer, precedence=precedence, n=n
        )

    async def call(self, run: str, step_key: str, **changes: Any) -> None:
        """One attempt of the ledger."""
        row = {
            "step_key": step_key,
            "attempt": 1,
            "run": run,
            "thread": 0,
            "conversation": 0,
            "step": 1,
            "role": "assistant",
            "backend": "api",
            "model": "large",
            "state": "finished",
            "worst_micro": 9_000,
            "cost_micro": 1_200,
            "basis": "exact",
            "usage": '{"input_tokens": 50, "output_tokens": 20}',
            "ended_at": BEGAN,
        }
        await self.insert("model_attempt", **row | changes)

    async def event(self, run: str, number: int, event: dict[str, Any], *, name: str = "") -> None:
        """An archived event; ``name`` is its id."""
        header = {
            "id": name or f"{run}:{number}",
            "at": "2026-03-01T12:00:00.000Z",
            "producer": "scheduler",
        }
        await self.insert(
            "event",
            seq=number,
            id=header["id"],
            run=run,
            thread=event.get("thread"),
            type=event["type"],
            late=False,
            body=orjson.dumps(header | {"event": event}).decode(),
        )

    async def folded(self, seq: int) -> None:
        """Say that the read model shows the log up to there."""
        await self.execute(
            "insert into fold_cursor (name, stream_created, seq) values ('read', 'x', $1) "
            "on conflict (name) do update set seq = $1",
            seq,
        )
