/** The ABI of the OP-stack contract that calculates the fee for a transaction's data. */

import * as Abi from "ox/Abi";

export default Abi.from(["function getL1Fee(bytes transaction) view returns (uint256)"]);
