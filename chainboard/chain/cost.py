"""What a deployment costs: its gas at today's fees, and what the chain takes for its data."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.abi import MAX_GAS
from contracts.deploy import DeployError, DeploymentPlan, Step
from contracts.rpc_errors import Request, RpcError
from transactions.fees import FeeQuote, fee_quote
from transactions.l1_fee import L1FeeOracle

ETHER, GWEI = 10**18, 10**9


@dataclass(frozen=True, slots=True)
class DeploymentCost:
    """`gas` by step; `l1_fee`: wei for the data on a chain beneath, 0 where there is none."""

    gas: tuple[tuple[Step, int], ...]
    quote: FeeQuote
    l1_fee: int

    @property
    def total_gas(self) -> int:
        return sum(gas for _step, gas in self.gas)

    @property
    def likely(self) -> int:
        """Wei, at the fees of now."""
        return self.total_gas * self.quote.price + self.l1_fee

    @property
    def required(self) -> int:
        """Wei that must be there: a node wants the gas limits at the fee that is offered, and the fee for the data of
        now. No limit of what is paid: both fees may rise until the last step is in a block."""
        return sum(min(gas * 5 // 4, MAX_GAS) for _step, gas in self.gas) * self.quote.fees.max_fee + self.l1_fee

    def lines(self, coin: str) -> list[str]:
        """The cost in words, a line each. `coin`: what the chain calls its coin."""
        width = max(len(step.title) for step, _gas in self.gas)
        found = [f"  {step.title:{width}}  {gas:>12,} gas" for step, gas in self.gas]
        found.append(f"  {'all':{width}}  {self.total_gas:>12,} gas at {self.quote.price / GWEI:.9g} gwei")
        if self.l1_fee:
            l1_fee = f"{ether(self.l1_fee)} {coin}"
            found.append(f"  {'its data':{width}}  {l1_fee} at the fee of now, which this chain takes beside the gas")
        likely, required = (f"{ether(wei)} {coin}" for wei in (self.likely, self.required))
        found.append(f"It will cost about {likely} while fees stay as they are; {required} must be there")
        return found


async def cost_of(request: Request, plan: DeploymentPlan) -> DeploymentCost:
    """What the plan's steps cost now. Raises DeployError for one that the chain would not take."""
    gas = [(step, await _gas(request, step)) for step in plan.steps]
    oracle = L1FeeOracle(request)
    l1_fee = sum([await oracle.estimate(step.to, step.data) for step in plan.steps])
    return DeploymentCost(tuple(gas), await fee_quote(request), l1_fee)


async def _gas(request: Request, step: Step) -> int:
    try:
        gas = int(await request("eth_estimateGas", ({"to": step.to, "data": step.data},)), 16)
    except RpcError as error:
        raise DeployError(f"the chain would not create {step.title}: {error}") from error
    if gas > MAX_GAS:
        raise DeployError(f"{step.title} needs {gas:,} gas, more than the {MAX_GAS:,} that a transaction may use")
    return gas


def ether(wei: int) -> str:
    """Ether in decimals, without an exponent: to a billionth, or small ones to the last wei."""
    return f"{wei / ETHER:.{18 if wei < GWEI else 9}f}".rstrip("0").rstrip(".")
