"""Ids, derived and never random, so that a repeat makes the same id.

Every id is URL-safe ASCII. ``digest`` uses SHA-256 and Crockford-like base 32 (RFC 4648 lower case without padding).
"""

import base64
import hashlib
import zlib

SHARDS = 16
"""How many subjects one class of one run is spread over."""


def digest(*parts: str, length: int = 16) -> str:
    """The first ``length`` base-32 characters of a hash over the parts, unambiguous in their borders."""
    joined = "\x1f".join(f"{len(part)}:{part}" for part in parts)
    raw = hashlib.sha256(joined.encode("utf-8", "surrogatepass")).digest()
    enough = -(-length // 8) * 5  # 5 bytes make 8 characters
    return base64.b32encode(raw[:enough]).decode().lower().rstrip("=")[:length]


def run_id(idempotency_key: str) -> str:
    """The id of the run that a start request with this key makes."""
    return "run-" + digest("run", idempotency_key, length=12)


def conversation_id(run: str, thread: int, conversation: int) -> str:
    """The id of conversation number ``conversation`` (from 0) of a thread (from 0)."""
    return f"{run}.{thread}.{conversation}"


def step_key(run: str, thread: int, step: int, snapshot: str, input_hash: str) -> str:
    """The identity of one piece of paid work: the same work always has the same key."""
    return digest("step", run, str(thread), str(step), snapshot, input_hash, length=32)


def step_event_id(run: str, thread: int, step: int, emit: int) -> str:
    """Id of the ``emit``-th request (from 1) of a step."""
    return f"s:{run}:{thread}:{step}:{emit}"


def outcome_id(run: str, thread: int, step: int, attempt: int) -> str:
    """Id of what attempt ``attempt`` (from 1; 0 for unpaid work) of a step came back with."""
    return f"o:{run}:{thread}:{step}:{attempt}"


def imported_id(run: str, thread: int, conversation: int) -> str:
    """Id of the one outcome that brings an imported conversation into a run, however often it is asked for."""
    return f"i:{run}:{thread}:{conversation}"


def call_event_id(key: str, attempt: int, what: str) -> str:
    """Id of a fact about a call that has no outcome, such as ``lost`` or ``aborted``."""
    return f"c:{key}:{attempt}:{what}"


def verdict_id(run: str, thread: int, conversation: int) -> str:
    """Id of the one verdict of a conversation."""
    return f"v:{run}:{thread}:{conversation}"


def review_id(conversation: str, version: int) -> str:
    """Id of one review of a conversation."""
    return f"w:{conversation}:{version}"


def control_id(run: str, epoch: int, what: str) -> str:
    """Id of a fact about a run's life at one control epoch."""
    return f"r:{run}:{epoch}:{what}"


def shard(run: str, thread: int) -> int:
    """The shard of a thread's subject: CRC-32 of the thread modulo ``SHARDS``."""
    return zlib.crc32(f"{run}/{thread}".encode()) % SHARDS
