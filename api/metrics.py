"""The metrics of one server, in the format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bots.service.messages import ServiceStatus
from indexer.follow.health import STATES, Health
from sponsor.messages import SponsorStatus

MILLISECONDS = tuple(value / 1000 for value in (0.5, 1, 2, 5, 10, 20, 50, 100, 500, 2000))
COUNTERS = {
    "blocks": "Blocks indexed since this process started",
    "events": "Events indexed since this process started",
    "reorgs": "Reorgs handled since this process started",
    "dropped": "Blocks that reorgs and rollbacks have removed since this process started",
    "healed": "Blocks whose logs were read from receipts because the node had listed too few logs",
    "refused": "Inconsistent node answers that the indexer rejected",
    "resets": "Number of times that the index was rebuilt because the chain was replaced",
}
NAMES = {"dropped": "dropped_blocks", "healed": "healed_blocks", "refused": "refused_answers", "resets": "chain_resets"}
EMBEDDED_CHAIN = {
    "height": "The embedded chain's newest block",
    "saved_height": "Newest block in the last save of the embedded chain",
    "state_bytes": "Size of the embedded chain's last save in bytes, before compression",
    "saved_bytes": "Size of the embedded chain's saves on disk in bytes",
    "past_state_bytes": "Size of the embedded chain's past states on disk in bytes",
    "save_seconds": "Seconds that the embedded chain's last save took",
}


class Metrics(Collector):
    """The metrics of one server. They have their own registry, so that a process can have several
    servers. Other modules' counters are read when Prometheus requests the metrics."""

    def __init__(
        self,
        health: Callable[[], Health] = Health,
        embedded: Callable[[], Mapping[str, float]] = dict,
        opponents: Callable[[], ServiceStatus] | None = None,
        sponsor: Callable[[], SponsorStatus | None] | None = None,
    ) -> None:
        self.registry = registry = CollectorRegistry()
        self.sockets = Gauge("chainboard_sockets", "Open websockets", registry=registry)
        self.watches = Gauge(
            "chainboard_watches",
            "Matches and lobbies that websockets watch, each counted once for every websocket that watches it",
            registry=registry,
        )
        self.watchers = Gauge(
            "chainboard_watchers",
            "Matches that websockets watch, each counted once for every websocket that watches it",
            registry=registry,
        )
        self.lagged = Counter(
            "chainboard_lagged_total", "Websockets closed because the client was too slow", registry=registry
        )
        self.backlog = Gauge("chainboard_backlog_bytes", "Bytes that are queued for slow clients", registry=registry)
        self.publish_seconds = Histogram(
            "chainboard_publish_seconds",
            "Seconds from a database notification until all its messages are queued",
            buckets=MILLISECONDS,
            registry=registry,
        )
        self.rpc = Counter("chainboard_rpc_total", "JSON-RPC calls", ("method", "outcome"), registry=registry)
        self.faucet = Counter("chainboard_faucet_total", "Faucet requests", ("outcome",), registry=registry)
        self.opponents = Counter(
            "chainboard_opponents_requests",
            "Requests to play against a computer player",
            ("outcome",),
            registry=registry,
        )
        self.shared_limits = Gauge(
            "chainboard_limits_shared",
            "1 while the gateways share their rate limits in Redis, otherwise 0",
            registry=registry,
        )
        self.indexed = Gauge("chainboard_indexed_head", "The last indexed block", registry=registry)
        self.node = Gauge("chainboard_node_head", "The newest block that the node reported", registry=registry)
        self._health, self._embedded, self._opponents, self._sponsor = health, embedded, opponents, sponsor
        registry.register(self)

    def render(self) -> bytes:
        """Return the metrics in Prometheus's text format."""
        return generate_latest(self.registry)

    def collect(self) -> Iterable[Metric]:
        yield from _of_follower(self._health())
        for name, value in self._embedded().items():
            yield GaugeMetricFamily(f"chainboard_chain_{name}", EMBEDDED_CHAIN[name], value=value)
        if self._opponents is not None:
            yield from _of_opponents(self._opponents())
        if self._sponsor is not None and (found := self._sponsor()) is not None:
            yield from _of_sponsor(found)


def _of_follower(found: Health) -> Iterable[Metric]:
    """Yield the metrics of indexing: its state and, if they are known, its counters."""
    state = GaugeMetricFamily(
        "chainboard_state", "1 for the state that /api/health reports, 0 for all other states", labels=("state",)
    )
    for one in STATES:
        state.add_metric((one,), float(one == found.state))
    yield state
    if found.counters is not None:
        for field, about in COUNTERS.items():
            name = f"chainboard_{NAMES.get(field, field)}"
            yield CounterMetricFamily(name, about, value=getattr(found.counters, field))


def _of_opponents(found: ServiceStatus) -> Iterable[Metric]:
    yield GaugeMetricFamily(
        "chainboard_opponents_matches", "Matches that computer players are playing now", value=found.matches
    )
    yield GaugeMetricFamily(
        "chainboard_opponents_limit",
        "Maximum number of matches that computer players play at a time",
        value=found.limit,
    )
    about = "Wei that computer players have spent since their service started"
    yield CounterMetricFamily("chainboard_opponents_spent_wei", about, value=found.spent)


def _of_sponsor(found: SponsorStatus) -> Iterable[Metric]:
    paid = "Wei that the sponsor has paid or reserved today (UTC), including fees"
    yield GaugeMetricFamily("chainboard_sponsor_paid_wei", paid, value=found.paid)
    left = "Wei left in the sponsor's budget for today (UTC)"
    yield GaugeMetricFamily("chainboard_sponsor_left_wei", left, value=max(0, found.budget - found.paid))
    if found.balance is not None:
        yield GaugeMetricFamily("chainboard_sponsor_balance_wei", "Wei in the sponsor's account", value=found.balance)
    granted = "Transfers to visitors since the sponsor started"
    yield CounterMetricFamily("chainboard_sponsor_granted", granted, value=found.granted)
    rejected = CounterMetricFamily(
        "chainboard_sponsor_refused", "Requests that the sponsor rejected since it started", labels=("reason",)
    )
    for reason, number in found.refused.items():
        rejected.add_metric((reason,), number)
    yield rejected
