/** ABI of the OP-stack contract that prices a transaction's data. */

import * as Abi from "ox/Abi";

export default Abi.from(["function getL1Fee(bytes transaction) view returns (uint256)"]);
