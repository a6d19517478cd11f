"""What must hold after every run, whatever happened to it. The provider's own log is the judge."""

from collections import Counter
from itertools import combinations

from convo_events.masking import mask_of
from convo_events.settings import Settings
from convo_events.similarity import jaccard, shingles
from convo_events.snapshot import Snapshot
from convo_projector.rebuild import rebuild
from tests.journeys.pipeline import Pipeline, event_body


async def rebuilds_agree(p: Pipeline) -> None:
    """I8, I9: folding the archive or the log anew gives the live tables, row by row."""
    env = p.stack.env("projector")
    for source in ("archive", "log"):
        different = await rebuild(Settings.from_env(env), source, schema=f"rebuilt_{source}")
        assert not different, [str(difference) for difference in different[:5]]


async def check_all(p: Pipeline, run: str, snapshot: Snapshot) -> None:
    """I1 to I5, and that no two accepted conversations are too near; waits for calls that are still under way."""
    await p.booked(run)
    await one_verdict_each(p, run)
    await counters_add_up(p, run)
    await calls_agree_with_provider(p, run)
    await costs_agree(p, run)
    await all_accepted_are_apart(p, run, snapshot)
    await only_the_accepted_are_remembered(p, run)


async def one_verdict_each(p: Pipeline, run: str) -> None:
    """I2: every conversation has exactly one verdict in the log."""
    verdicts = await p.all(
        "select body from event where run = $1 and type like 'conversation.%' and not late", run
    )
    found = Counter((b["thread"], b["conversation"]) for b in map(event_body, verdicts))
    assert set(found.values()) <= {1}, f"two verdicts: {[k for k, n in found.items() if n > 1][:5]}"
    view = await p.view(run)
    if view["status"] == "completed":
        assert len(found) == view["target"]


async def counters_add_up(p: Pipeline, run: str) -> None:
    """I1: the counters are the conversations', and their sum with what is open is the target."""
    view = await p.view(run)
    rows = await p.all(
        "select status, count(*) as n from conversation where run = $1 group by 1", run
    )
    counted = {row["status"]: row["n"] for row in rows}
    for status in ("accepted", "rejected", "failed"):
        assert view[status] == counted.get(status, 0), (status, view, counted)
    settled = view["accepted"] + view["rejected"] + view["failed"] + view["cancelled"]
    assert settled <= view["target"]
    if view["status"] in ("completed", "cancelled"):
        assert settled == view["target"]
    reasons = await p.one("select coalesce(sum(n), 0)::int from reject_count where run = $1", run)
    assert reasons == view["rejected"] + view["failed"]


async def calls_agree_with_provider(p: Pipeline, run: str) -> None:
    """I3 and I4: every request the provider saw is an attempt in the ledger; a finished step is never sent again."""
    attempts = await p.all(
        "select step_key, attempt, state, basis from model_attempt where run = $1", run
    )
    booked = Counter(row["step_key"] for row in attempts)
    unknown = Counter(row["step_key"] for row in attempts if row["state"] == "unknown")
    # Cut, lost or timed out: whether such a call ever came to the provider, nobody knows; it is booked all the same.
    unsure = Counter(
        row["step_key"]
        for row in attempts
        if row["state"] not in ("finished", "failed") and row["basis"] != "free"
    )
    open_now = [row for row in attempts if row["state"] == "started"]
    assert not open_now, f"{len(open_now)} attempts were never settled"
    seen = {k: n for k, n in p.provider.requests_by_key().items() if k in booked}
    for key, n in booked.items():
        sent = seen.get(key, 0)
        assert sent <= n, f"step {key} was sent {sent} times and booked {n} times"
        assert n - sent <= unsure[key], f"step {key}: {n} attempts booked, {sent} sent"
    finished = Counter(r["step_key"] for r in attempts if r["state"] in ("finished", "failed"))
    assert set(finished.values()) <= {1}
    last = {k: max(r["attempt"] for r in attempts if r["step_key"] == k) for k in unknown}
    for row in attempts:
        if row["state"] == "finished" and row["step_key"] in last:
            assert row["attempt"] == last[row["step_key"]], "an attempt follows a finished one"


async def costs_agree(p: Pipeline, run: str) -> None:
    """I5: the events' cost is the ledger's is the one shown."""
    ledger = await p.one(
        "select coalesce(sum(cost_micro), 0)::bigint from model_attempt where run = $1", run
    )
    shown = await p.one(
        "select coalesce(sum(cost_micro + unknown_micro), 0)::bigint from run_cost where run = $1",
        run,
    )
    missing = await p.all(
        "select step_key, attempt, state, event_id, cost_micro from model_attempt a where run = $1"
        " and not exists (select from event e where e.id = a.event_id)",
        run,
    )
    assert not missing, f"booked and not folded: {missing[:5]}"
    by_role = await p.all(
        "select role, count(*) as calls, coalesce(sum(cost_micro), 0)::bigint as cost from model_attempt"
        " where run = $1 group by role order by role",
        run,
    )
    folded = await p.all(
        "select role, sum(calls)::int as calls, sum(cost_micro + unknown_micro)::bigint as cost"
        " from run_cost where run = $1 group by role order by role",
        run,
    )
    assert by_role == folded
    assert ledger == shown
    calls = await p.one("select count(*) from model_attempt where run = $1", run)
    counted = await p.one(
        "select coalesce(sum(calls), 0)::bigint from run_cost where run = $1", run
    )
    assert calls == counted
    spread = await p.one(
        "select coalesce(sum(cost_micro), 0)::bigint from conversation where run = $1", run
    )
    known = await p.one(
        "select coalesce(sum(cost_micro), 0)::bigint from run_cost where run = $1", run
    )
    assert spread == known


async def all_accepted_are_apart(p: Pipeline, run: str, snapshot: Snapshot) -> None:
    """No two accepted conversations are nearer than the limit, by exhaustive comparison."""
    limit = snapshot.config.diversity.near_duplicate
    if limit is None:
        return
    rows = await p.all(
        "select t.conversation, t.body from turn t join conversation c on c.id = t.conversation"
        " where c.run = $1 and c.status = 'accepted' order by t.conversation, t.number",
        run,
    )
    bodies: dict[str, list[str]] = {}
    for row in rows:
        bodies.setdefault(row["conversation"], []).append(row["body"])
    mask = mask_of(snapshot)
    sets = {name: shingles(texts, mask) for name, texts in bodies.items()}
    for (one, a), (other, b) in combinations(sets.items(), 2):
        assert jaccard(a, b) <= limit, f"{one} and {other} were both accepted"


async def only_the_accepted_are_remembered(p: Pipeline, run: str) -> None:
    """A memory is of an accepted conversation that another one of its thread follows."""
    wrong = await p.all(
        "select m.conversation, c.status from memory m join conversation c on c.id = m.conversation"
        " where m.run = $1 and (c.status <> 'accepted' or not exists"
        " (select from conversation n where n.run = m.run and n.thread = m.thread and n.number = m.number + 1))",
        run,
    )
    assert not wrong, wrong[:5]
