/** The contract of a rollup that says what the data of a transaction costs. */

import * as Abi from "ox/Abi";

export default Abi.from(["function getL1Fee(bytes transaction) view returns (uint256)"]);
