"""What was measured, for people and for programs."""

from typing import Any

from tests.bench.measure import Result
from tests.bench.processes import SERVERS


def services_cpu_s(result: Result) -> float:
    """CPU of all services together, servers and provider apart."""
    return sum(spent for name, spent in result.cpu_s.items() if name not in SERVERS)


def document(results: list[Result], machine: dict[str, Any]) -> dict[str, Any]:
    """Everything, as JSON."""
    return {"machine": machine, "cases": [_case(result) for result in results]}


def _case(result: Result) -> dict[str, Any]:
    case, least = result.case, result.floor
    per_thousand = 1_000 / case.conversations
    return {
        "name": case.name,
        "conversations": case.conversations,
        "in_flight": case.in_flight,
        "latency_s": case.latency_s,
        "wall_s": result.wall_s,
        "conversations_per_s": case.conversations / result.wall_s,
        "efficiency": result.efficiency,
        "calls": result.calls,
        "most_in_flight": result.most_in_flight,
        "counts": result.counts,
        "cpu_s_per_1000": {name: s * per_thousand for name, s in result.cpu_s.items()},
        "services_cpu_s_per_1000": services_cpu_s(result) * per_thousand,
        "provider_cpu_s_per_1000": result.provider_cpu_s * per_thousand,
        "peak_mib": result.peak_mib,
        "floor": {
            **least,
            "conversations_per_s": case.conversations / least["wall_s"],
            "cpu_s_per_1000": least["cpu_s"] * per_thousand,
            "efficiency": result.floor_efficiency,
        },
        "ratio": {
            "wall": result.wall_s / least["wall_s"],
            "cpu": services_cpu_s(result) / least["cpu_s"],
        },
    }


def table(results: list[Result], machine: dict[str, Any]) -> str:
    """The same for a terminal."""
    lines = [
        f"{machine['cores']} cores, load {machine['load_before']:.1f} before and {machine['load_after']:.1f} after"
    ]
    for result in results:
        lines += ["", *_lines(_case(result))]
    return "\n".join(lines)


def _lines(case: dict[str, Any]) -> list[str]:
    least, ratio = case["floor"], case["ratio"]
    latency = f"{case['latency_s'] * 1_000:.0f} ms" if case["latency_s"] else "no latency"
    lines = [
        f"{case['conversations']:,} conversations, {case['in_flight']} in flight, {latency}",
        f"  {'':20}{'convo':>12}{'floor':>12}{'ratio':>9}",
        _line("wall, s", case["wall_s"], least["wall_s"], ratio["wall"]),
        _line("conversations/s", case["conversations_per_s"], least["conversations_per_s"], None),
        _line(
            "CPU s per 1,000",
            case["services_cpu_s_per_1000"],
            least["cpu_s_per_1000"],
            ratio["cpu"],
        ),
    ]
    if case["efficiency"] is not None:
        lines.append(_line("efficiency", case["efficiency"], least["efficiency"], None, digits=3))
    at_once = f", {case['most_in_flight']} at once at most" if case["latency_s"] else ""
    counts = ", ".join(f"{n:,} {name}" for name, n in case["counts"].items())
    lines.append(f"  {case['calls']:,} calls{at_once}; {counts}")
    lines.append("  CPU s per 1,000    peak MiB")
    peaks = case["peak_mib"]
    for name, spent in case["cpu_s_per_1000"].items():
        peak = f"{peaks[name]:10.0f}" if name in peaks else f"{'':10}"
        lines.append(f"  {spent:15.2f}  {peak}  {name}")
    lines.append(f"  {case['provider_cpu_s_per_1000']:15.2f}  {'':10}  fake provider")
    return lines


def _line(name: str, ours: float, floors: float, ratio: float | None, *, digits: int = 2) -> str:
    tail = f"{ratio:9.2f}" if ratio is not None else ""
    return f"  {name:20}{ours:12.{digits}f}{floors:12.{digits}f}{tail}"
