/** The part of the ABI of the session registry (contracts/src/Sessions.sol) that the page uses. */

import * as Abi from "ox/Abi";

export default Abi.from([
  "error KeyTaken(address key, address account)",
  "error BadKey(address key)",
  "error Expired(uint40 until, uint40 now_)",
  "error NotLinked(address key, address game)",
  "error BadSignature(address account)",
  "error NoOffer(address account, address key)",
  "error TooManyGames(uint256 given, uint256 allowed)",
  "function SESSIONS() view returns (address)",
  "function nonceOf(address account) view returns (uint256)",
  "function accountOf(address key, address game) view returns (address)",
  "function link(address account, address[] games, uint40 until, uint40 deadline, bytes signature)",
  "function revoke(address key)",
  "event Linked(address indexed account, address indexed key, address[] games, uint40 until)",
  "event Revoked(address indexed account, address indexed key)",
]);
