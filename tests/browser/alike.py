"""A run in which 14 of 20 accepted conversations say the same: paused by its floor, with what is counted of them."""

from convo_events.cardinality import Cardinality, packed
from convo_events.distinct import gram_hashes
from convo_events.snapshot import Snapshot
from tests.gateway.read_model import ReadModel

ACCEPTED, COUNTED = 12_431, 12_400
_TURNS = (
    "Hi there, can you tell me how to paint the old boat before winter?",
    "Sand the hull first, then put on two coats of marine paint and let each of them dry.",
)
_MORE = """
insert into conversation
select (jsonb_populate_record(c, jsonb_build_object(
  'id', c.run || '.' || n || '.0', 'thread', n, 'seq', c.seq + n, 'settled_seq', c.settled_seq + n))).*
from conversation c, generate_series(1, 99) n where c.id = $1
"""
_SAID = """
insert into turn (conversation, number, role, body, finish)
select c.run || '.' || n || '.0', t.number, t.role,
  case when n % 20 < 14 then t.body
    else 'Number ' || n || ' asks' || repeat(' what ' || n || ' is', 1 + n % 7) || ' and why ' || (n * 7) end, 'stop'
from turn t join conversation c on c.id = t.conversation, generate_series(1, 99) n where c.id = $1
"""


async def an_alike_run(rows: ReadModel, run: str, frozen: Snapshot) -> None:
    """Write it."""
    await rows.run(
        run,
        name="All alike",
        snapshot=frozen.hash(),
        status="paused",
        reason="diversity_floor",
        detail="distinct-3 of the last 100 accepted conversations is 0.314, under the floor 0.500.",
        target=20_000,
        accepted=ACCEPTED,
        distinct3_floor=0.5,
    )
    first = await rows.conversation(run, 0, turns=_TURNS)
    await rows.execute(_MORE, first)
    await rows.execute(_SAID, first)
    sketches = [Cardinality() for _ in range(3)]
    for n, sketch in enumerate(sketches, 1):
        sketch.add(gram_hashes([[f"w{at}" for at in range(40_000)]], n))
    counts = [0, 2, 140, 900, 4_000, 9_000, 6_000, 3_000, 1_200, 400, 120, 30, 7, 0, 1]
    lengths = f'{{"counts": {counts}, "words": 520000, "longest": 702}}'
    await rows.insert(
        "run_distribution",
        run=run,
        accepted=COUNTED,
        position=1,
        window_size=100,
        distinct3=0.314,
        grams=[480_000, 455_200, 430_400],
        sketches=packed(sketches),
        lengths=f'{{"user": {lengths}, "assistant": {lengths}}}',
        openings='{"user": [["hi there can", 8100, 8140], ["number 14 asks", 12, 60], ["one more", 1, 44]],'
        ' "assistant": [["sand the hull", 8100, 8100], ["\u202eevil words", 20, 20]]}',
        sample=[f"{run}.{thread}.0" for thread in range(60)],
    )
