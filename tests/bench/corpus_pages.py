"""How fast the corpus answers with a million conversations: ``python -m tests.bench.corpus_pages``.

It fills a Postgres of its own with made-up rows, serves them with a gateway, and asks as the page does: the first rows
of the list and the facets of the same filter, both at once. Printed are the times of each question over HTTP.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from convo_events.search_words import document
from convo_gateway.stack.infrastructure import Infrastructure
from tests.conftest import short_folder
from tests.gateway.serving import Served, make_streams, new_database, serving

RUNS = 40
DOCUMENTS = 20_000
"""Texts that differ; each is said in several conversations."""
TIMES = 12
PAGE = 200
REFUSED = 422
"""A question that takes too long is answered with what to do."""
_NOUNS = """
refund order delivery invoice account password bicycle recipe garden holiday ticket train doctor lease contract guitar
camera printer router window kitchen coffee weather museum budget salary school exam homework translate
"""
_WORDS = tuple(_NOUNS.split())
_CHINESE = "退款订单发票账户密码自行车食谱花园假期车票火车医生租约合同吉他相机窗户厨房咖啡天气博物馆预算工资学校"

_RUNS = """
insert into run_view (run, kind, name, config, config_version, mode, snapshot, target, seed, lanes, status, reason,
  detail, epoch, planned_at, started_at, generated, accepted, rejected, failed, cancelled, opened, closed,
  blocked_reason, blocked_detail, seq, language)
select 'run-' || lpad(r::text, 4, '0'), 'generation', 'Nightly ' || r, 'config-' || r % 8, 1,
  (array['dialogue','scripted','sessions'])[1 + r % 3], 'a', $1, 7, 4, 'completed', '', '', 1, now(), now(),
  $1, 0, 0, 0, 0, 4, 4, '', '', r, (array['en','ar','zh','de'])[1 + r % 4]
from generate_series(0, $2 - 1) r
"""
_ROWS = """
insert into conversation (id, run, thread, number, status, reason, layer, also, detail, score, criteria, persona, voice,
  planned_turns, turns, words, preview, cost_micro, unknown_calls, created_at, settled_at, seq, settled_seq)
select run || '.' || lane || '.0', run, lane, 0, status,
  case status when 'rejected' then (array['stage_direction','near_duplicate','judge_below_threshold','banned_phrase',
    'wrong_length','prompt_leak','repeated_turn','assistant_refusal'])[1 + h % 8]
  when 'failed' then (array['malformed_output','context_exceeded','judge_failed'])[1 + h % 3] else '' end,
  case status when 'rejected' then (array[1,2,3,1,1,1,1,1])[1 + h % 8] when 'failed' then 0 end,
  '[]', '', case when status in ('accepted', 'rejected') then round((1 + (h % 4001) / 1000.0)::numeric, 2) end,
  '[{"name": "helpful", "score": 4, "why": "It answers what was asked and says where to look."}]',
  'persona-' || floor(50 * power((h % 9973) / 9973.0, 2)), 'voice-' || h % 12, 8, 2 + h % 29, 40 + h % 1900,
  'Hello, I would like to know more about number ' || n, 200 + (h % 90000), 0,
  timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second', n, n
from (
  select n, 'run-' || lpad((n / $2)::text, 4, '0') as run, n % $2 as lane, h,
    case when h % 100 < 70 then 'accepted' when h % 100 < 92 then 'rejected' when h % 100 < 99 then 'failed' else 'open'
    end as status
  from (select n, abs(hashint8(n::bigint)::bigint) as h from generate_series(0, $1 - 1) n) x
) y
"""
_CORPUS = """
insert into corpus select c.id, c.run, false, r.config, r.mode, r.language, c.status, c.reason, c.layer, c.persona,
  c.voice, '', false, case when c.status <> 'open' then c.turns end, case when c.status <> 'open' then c.words end,
  c.score, case when c.status <> 'open' then c.cost_micro end, c.created_at
from conversation c join run_view r using (run) order by c.seq
"""
_SAID = """
insert into corpus_words select c.id, d.said from conversation c join doc d on d.n = c.seq % $1
where c.status <> 'open' order by c.seq
"""
_COUNTS = """
insert into corpus_count select g.run, f.facet, f.value, count(*) from corpus c
cross join lateral (values ('status', c.status), ('reason', c.reason), ('layer', coalesce(c.layer::text, '')),
  ('persona', c.persona), ('voice', c.voice), ('review', c.review), ('edited', c.edited::text)) f (facet, value)
cross join lateral (values (c.run), ('')) g (run) group by 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A filter as the page asks it."""

    name: str
    query: str


QUESTIONS = (
    Question("first paint", ""),
    Question("run", "run=run-0007"),
    Question("config", "config=config-3"),
    Question("status, common", "status=accepted"),
    Question("status, rare", "status=open"),
    Question("reason", "reason=stage_direction"),
    Question("layer", "layer=2"),
    Question("persona, rare", "persona=persona-49"),
    Question("voice", "voice=voice-7"),
    Question("mode", "mode=sessions"),
    Question("language", "language=ar"),
    Question("review", "review=flagged"),
    Question("turns", "turns_from=29"),
    Question("score", "score_from=4.99"),
    Question("cost", "cost_from=0.0901"),
    Question("three facets", "config=config-3&status=rejected&persona=persona-20"),
    Question("nothing is left", "status=failed&score_from=4.9"),
    Question(
        "facets and ranges", "language=zh&voice=voice-3&turns_from=20&cost_to=0.001&status=rejected"
    ),
    Question("sorted by score", "sort=-score"),
    Question("sorted by cost, of a run", "sort=cost&run=run-0007"),
    Question("sorted by words, of a reason", "sort=-words&reason=near_duplicate"),
    Question("sorted by turns, rare persona", "sort=-turns&persona=persona-49"),
    Question("search, common word", "text=order "),
    Question("search, rare word", "text=rare17 "),
    Question("search, nothing", "text=nowhere "),
    Question("search, two words", "text=guitar salary "),
    Question("search, beginning", "text=trans"),
    Question("search, phrase", 'text="garden holiday"'),
    Question("search, phrase that nobody said", 'text="order and and order"'),
    Question("search, Chinese", "text=自行车"),
    Question("search, rejected, by score", "text=museum budget &status=rejected&sort=-score"),
)


def documents() -> list[str]:
    """Words of conversations: common, rare, and Chinese in one of four."""
    made = []
    for n in range(DOCUMENTS):
        said = [f"{_WORDS[(n * k + k * k) % len(_WORDS)]} and" for k in range(3, 40)]
        if n % 4 == 2:
            at = n % (len(_CHINESE) - 12)
            said = [_CHINESE[at : at + 12], _CHINESE[: at + 1]]
        made.append(document([" ".join(said), f"rare{n // 20}" if n % 20 == 0 else "order"]))
    return made


async def fill(url: str, conversations: int) -> None:
    """A database with so many conversations."""
    c = await asyncpg.connect(url)
    try:
        indexes = await c.fetch(
            "select indexname, indexdef from pg_indexes where schemaname = 'public'"
            " and tablename in ('corpus', 'corpus_words', 'conversation')"
            " and indexname not like '%_pkey'"
        )
        for index in indexes:
            await c.execute(f"drop index {index['indexname']}")
        await c.execute("create temp table doc (n bigint primary key, said tsvector)")
        made = documents()
        await c.execute(
            "insert into doc select n, said::tsvector from unnest($1::bigint[], $2::text[]) x (n, said)",
            list(range(len(made))),
            made,
        )
        each = -(-conversations // RUNS)
        await c.execute(_RUNS, each, RUNS)
        await c.execute(_ROWS, conversations, each, timeout=900)
        await c.execute(_CORPUS, timeout=900)
        await c.execute(_SAID, len(made), timeout=900)
        await c.execute(_COUNTS, timeout=900)
        await c.execute("set maintenance_work_mem = '1GB'")
        for index in indexes:
            await c.execute(index["indexdef"], timeout=900)
        await c.execute("vacuum analyze", timeout=900)
    finally:
        await c.close()


async def ask(served: Served, question: Question) -> tuple[float, float, str]:
    """Seconds until the first rows are there, until the facets are there too, and what they say."""
    plain = "&".join(part for part in question.query.split("&") if not part.startswith("sort="))
    began = time.perf_counter()

    async def rows() -> float:
        answer = await served.get(f"/conversations?limit={PAGE}&{question.query}")
        assert answer.status in (200, REFUSED), answer.body
        return time.perf_counter() - began

    async def numbers() -> tuple[float, str]:
        answer = await served.get(f"/conversations/facets?{plain}")
        assert answer.status in (200, REFUSED), answer.body
        if answer.status == REFUSED:
            return time.perf_counter() - began, "refused"
        total, exact = answer.json["total"], answer.json["exact"]
        return time.perf_counter() - began, f"{total:,}{'' if exact else '+'}"

    listed, (counted, found) = await asyncio.gather(rows(), numbers())
    return listed, max(listed, counted), found


def quantile(times: Sequence[float], share: float) -> float:
    """The time, in milliseconds, that a share of the measurements does not exceed."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1_000


async def measure(served: Served, only: str) -> None:
    """Print the times of every question."""
    sys.stdout.write(
        f"{'question':36} {'found':>10} {'rows p50':>9} {'rows p99':>9} {'all p50':>9} {'all p99':>9}  (ms)\n"
    )
    for question in QUESTIONS:
        if only not in question.name:
            continue
        times = [await ask(served, question) for _ in range(TIMES)]
        listed, whole = [t[0] for t in times], [t[1] for t in times]
        sys.stdout.write(
            f"{question.name:36} {times[0][2]:>10} {quantile(listed, 0.5):9.0f} {quantile(listed, 0.99):9.0f}"
            f" {quantile(whole, 0.5):9.0f} {quantile(whole, 0.99):9.0f}\n"
        )
        sys.stdout.flush()


async def bench(infrastructure: Infrastructure, conversations: int, only: str, stay: bool) -> None:
    """Fill, serve and measure."""
    await make_streams(infrastructure)
    database = await new_database(infrastructure)
    began = time.perf_counter()
    await fill(database, conversations)
    sys.stdout.write(f"{conversations:,} conversations in {time.perf_counter() - began:.0f} s\n")
    async with serving(infrastructure.env("gateway", database_url=database), database) as served:
        await served.until_ready()
        await measure(served, only)
        if stay:
            sys.stdout.write(f"serving at {served.url}, database {database}\n")
            sys.stdout.flush()
            await asyncio.Event().wait()


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.corpus_pages")
    parser.add_argument("--conversations", type=int, default=1_000_000)
    parser.add_argument("--stay", action="store_true", help="serve until interrupted")
    parser.add_argument("--only", default="", help="questions with this in their name")
    chosen = parser.parse_args()
    with short_folder() as folder, Infrastructure(folder) as infrastructure:
        asyncio.run(bench(infrastructure, chosen.conversations, chosen.only, chosen.stay))


if __name__ == "__main__":
    main()
