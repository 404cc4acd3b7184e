"""Computes the cost of a deployment: its gas at current fees, and the fee that the chain charges
for its data."""

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
    """The cost of a deployment. `gas` contains the gas of each step. `l1_fee` is the fee for
    publishing the data on the layer-1 chain, in wei, or 0 if the chain charges no such fee."""

    gas: tuple[tuple[Step, int], ...]
    quote: FeeQuote
    l1_fee: int

    @property
    def total_gas(self) -> int:
        return sum(gas for _step, gas in self.gas)

    @property
    def expected(self) -> int:
        """The cost of the deployment at current fees, in wei."""
        return self.total_gas * self.quote.price + self.l1_fee

    @property
    def required(self) -> int:
        """The amount, in wei, that the account must hold. It is the price of the gas limits at the
        maximum fee, which nodes require, plus the current fee for the data. The deployment can
        still cost more, because both fees can rise until the last step is mined."""
        return sum(min(gas * 5 // 4, MAX_GAS) for _step, gas in self.gas) * self.quote.fees.max_fee + self.l1_fee

    def lines(self, coin: str) -> list[str]:
        """Return the cost in words, with one line for each item. `coin` is the name of the chain's
        coin."""
        width = max(len(step.title) for step, _gas in self.gas)
        found = [f"  {step.title:{width}}  {gas:>12,} gas" for step, gas in self.gas]
        found.append(f"  {'total':{width}}  {self.total_gas:>12,} gas at {self.quote.price / GWEI:.9g} gwei")
        if self.l1_fee:
            l1_fee = f"{ether(self.l1_fee)} {coin}"
            found.append(f"  {'data fee':{width}}  {l1_fee} at the current price, in addition to the fee for gas")
        expected, required = (f"{ether(wei)} {coin}" for wei in (self.expected, self.required))
        found.append(f"This costs about {expected} at current fees; the account must hold at least {required}")
        return found


async def cost_of(request: Request, plan: DeploymentPlan) -> DeploymentCost:
    """Return the cost of the plan's steps at current fees. Raises DeployError if the chain would
    reject a step."""
    gas = [(step, await _gas(request, step)) for step in plan.steps]
    oracle = L1FeeOracle(request)
    l1_fee = sum([await oracle.estimate(step.to, step.data) for step in plan.steps])
    return DeploymentCost(tuple(gas), await fee_quote(request), l1_fee)


async def _gas(request: Request, step: Step) -> int:
    try:
        gas = int(await request("eth_estimateGas", ({"to": step.to, "data": step.data},)), 16)
    except RpcError as error:
        raise DeployError(f"the chain would reject {step.title}: {error}") from error
    if gas > MAX_GAS:
        raise DeployError(f"{step.title} needs {gas:,} gas, but a transaction may use at most {MAX_GAS:,}")
    return gas


def ether(wei: int) -> str:
    """Format wei as decimal ether without an exponent. Amounts below a billionth of an ether are
    exact. Larger amounts are rounded to a billionth."""
    return f"{wei / ETHER:.{18 if wei < GWEI else 9}f}".rstrip("0").rstrip(".")
