"""Logs, metrics and traces, set up once by the shell of a service; every name is defined here."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from opentelemetry import propagate, trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Span, SpanKind
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from convo_events.settings import Settings

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """The metrics of one process. No run, thread or conversation is ever a label."""

    def __init__(self) -> None:
        """Make every metric in a registry of its own."""
        own = self.registry = CollectorRegistry()
        self.steps = Counter(
            "convo_steps_total", "Steps that came back.", ["stage", "outcome"], registry=own
        )
        self.stage_seconds = Histogram(
            "convo_stage_duration_seconds",
            "From taking a step to its outcome in the log.",
            ["stage"],
            buckets=SECONDS,
            registry=own,
        )
        self.inflight = Gauge("convo_inflight", "Steps in work.", ["stage"], registry=own)
        self.queue_depth = Gauge(
            "convo_queue_depth", "Steps that wait for a worker.", ["stage"], registry=own
        )
        self.conversations = Counter(
            "convo_conversations_total",
            "Conversations with a verdict.",
            ["outcome", "layer"],
            registry=own,
        )
        self.rejects = Counter(
            "convo_rejects_total", "Rejected and failed, by reason.", ["reason"], registry=own
        )
        self.llm_tokens = Counter(
            "convo_llm_tokens_total", "Tokens of calls.", ["model", "direction"], registry=own
        )
        self.llm_cost_usd = Counter(
            "convo_llm_cost_usd_total", "Known cost of calls.", ["model", "purpose"], registry=own
        )
        self.llm_errors = Counter(
            "convo_llm_errors_total", "Calls that failed.", ["model", "kind"], registry=own
        )
        self.llm_seconds = Histogram(
            "convo_llm_call_duration_seconds",
            "Calls from sending to the last byte.",
            ["model"],
            buckets=SECONDS,
            registry=own,
        )
        self.judge_answers = Counter(
            "convo_judge_answers_total",
            "Answers of judges, by what they came to.",
            ["state"],
            registry=own,
        )
        self.lag_events = Gauge(
            "convo_projector_lag_events", "Events in the log not folded yet.", registry=own
        )
        self.folded = Counter(
            "convo_folded_events_total", "Events folded, late ones apart.", ["late"], registry=own
        )
        self.dead_letters = Counter(
            "convo_dead_letters_total", "Messages no worker could handle.", ["stage"], registry=own
        )
        self.runs = Gauge("convo_runs", "Runs by status.", ["status"], registry=own)
        self.distinct3 = Gauge(
            "convo_diversity_distinct3",
            "Lowest distinct-3 over the last 100 accepted, over live runs.",
            registry=own,
        )
        self.ws_clients = Gauge("convo_ws_clients", "Open websockets.", registry=own)
        self.build = Gauge(
            "convo_build_info", "Version of this process.", ["version", "service"], registry=own
        )


def configure_logs(settings: Settings) -> None:
    """Send every log line of this process to standard error, as JSON or as text."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer()
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)


def configure_traces(settings: Settings, service: str, version: str) -> TracerProvider | None:
    """Send spans to the collector named in the settings; None and no spans where there is none."""
    if not settings.otlp_endpoint:
        return None
    # Imported only here: few have a collector, and its client takes every service a tenth of a second to load.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(
        resource=Resource.create(
            {
                "service.name": f"convo-{service}",
                "service.version": version,
                "service.instance.id": settings.instance,
            }
        )
    )
    exporter = OTLPSpanExporter(endpoint=f"{settings.otlp_endpoint.rstrip('/')}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return provider


@contextmanager
def span(
    name: str, parent: str = "", kind: SpanKind = SpanKind.INTERNAL, **attributes: str | int | float
) -> Iterator[Span]:
    """A span ``convo.<room>.<verb>`` under the W3C ``traceparent`` that rode in an envelope."""
    if not isinstance(trace.get_tracer_provider(), TracerProvider):
        yield trace.INVALID_SPAN  # nothing is traced: spare the bookkeeping of every step
        return
    context = propagate.extract({"traceparent": parent}) if parent else None
    with trace.get_tracer("convo").start_as_current_span(
        name,
        context=context,
        kind=kind,
        attributes={f"convo.{k}": v for k, v in attributes.items()},
    ) as made:
        yield made


def traceparent() -> str:
    """The present span as a W3C ``traceparent``; empty where nothing is traced."""
    carrier: dict[str, str] = {}
    propagate.inject(carrier)
    return carrier.get("traceparent", "")
