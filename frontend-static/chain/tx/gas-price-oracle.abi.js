/** The ABI of the contract that calculates the fee for a transaction's data on OP Stack chains. */

import * as Abi from "ox/Abi";

export default Abi.from(["function getL1Fee(bytes transaction) view returns (uint256)"]);
