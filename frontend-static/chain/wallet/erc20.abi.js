/**
 * The part of the ERC-20 token standard that the page uses. https://eips.ethereum.org/EIPS/eip-20
 */

import * as Abi from "ox/Abi";

export default Abi.from([
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function approve(address, uint256) returns (bool)",
]);
