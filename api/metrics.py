"""The figures of one server, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MILLISECONDS = tuple(value / 1000 for value in (0.5, 1, 2, 5, 10, 20, 50, 100, 500, 2000))


class Metrics:
    """A registry of its own, so that one process can hold several servers."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.sockets = Gauge("chainboard_sockets", "Open websockets", registry=registry)
        self.watches = Gauge("chainboard_watches", "Watches of all websockets", registry=registry)
        self.lagged = Counter(
            "chainboard_lagged_total", "Websockets closed because the client was too slow", registry=registry
        )
        self.steps = Histogram(
            "chainboard_publish_seconds",
            "From the bell to the messages in the queues, for steps that had any",
            buckets=MILLISECONDS,
            registry=registry,
        )
        self.rpc = Counter("chainboard_rpc_total", "JSON-RPC calls", ("method", "outcome"), registry=registry)
        self.faucet = Counter("chainboard_faucet_total", "Faucet requests", ("outcome",), registry=registry)
        self.indexed = Gauge("chainboard_indexed_head", "The last indexed block", registry=registry)
        self.node = Gauge("chainboard_node_head", "The newest block that the node told of", registry=registry)

    def page(self) -> bytes:
        """The text form."""
        return generate_latest(self.registry)
