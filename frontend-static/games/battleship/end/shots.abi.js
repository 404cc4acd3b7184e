/** The ABI of the contract's functions that fire at a tile. */

import * as Abi from "ox/Abi";

export default Abi.from([
  "function accept(uint48 matchId, bytes32 commitment, uint8 tile)",
  "function move(uint48 matchId, uint32 ply, uint8 answeredTile, bool hit, uint8 tile)",
]);
