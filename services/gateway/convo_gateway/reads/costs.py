"""What a run's calls used and cost, by role and model."""

from convo_events.store import Connection
from convo_gateway.shapes.counts import Avoided, ProviderCosts, RoleCosts, Tokens, known_micro


async def costs_of(c: Connection, run: str) -> list[RoleCosts]:
    """One for each role and model that was called, in order of their names."""
    rows = await c.fetch("select * from run_cost where run = $1 order by role, backend, model", run)
    return [
        RoleCosts(
            role=row["role"],
            backend=row["backend"],
            model=row["model"],
            calls=row["calls"],
            failed_calls=row["failed_calls"],
            known_micro=known_micro(row["cost_micro"], row["calls"], row["unpriced_calls"]),
            unknown_calls=row["unknown_calls"],
            unknown_micro=row["unknown_micro"],
            unpriced_calls=row["unpriced_calls"],
            estimated_calls=row["estimated_calls"],
            provider=ProviderCosts(
                calls=row["provider_calls"],
                micro=row["provider_micro"],
                booked_micro=row["provider_priced_micro"],
            )
            if row["provider_calls"]
            else None,
            tokens=Tokens(
                input=row["input_tokens"],
                cached=row["cached_tokens"],
                cache_write=row["cache_write_tokens"],
                output=row["output_tokens"],
                reasoning=row["reasoning_tokens"],
            ),
            mean_latency_ms=row["latency_ms"] / row["calls"] if row["calls"] else None,
            avoided=Avoided(
                verdicts=row["cached_verdicts"],
                micro=row["avoided_micro"],
                unpriced=row["avoided_unpriced"],
            )
            if row["cached_verdicts"]
            else None,
        )
        for row in rows
    ]
