/** Solidity's own errors. https://docs.soliditylang.org/en/latest/control-structures.html#revert */

import * as Abi from "ox/Abi";

export default Abi.from(["error Error(string message)", "error Panic(uint256 code)"]);
