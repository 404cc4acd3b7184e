/** The ABI of the OP Stack's contract that calculates a transaction's data fee. */

import * as Abi from "ox/Abi";

export default Abi.from(["function getL1Fee(bytes transaction) view returns (uint256)"]);
