// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CellSet} from "./CellSet.sol";
import {IShip} from "./IShip.sol";
import {ShipMap} from "./ShipMap.sol";
import {ToucheCouleStorage} from "./ToucheCouleStorage.sol";

/// @title A turn of Touché Coulé: all ships fire, and then the ships that were hit sink
abstract contract ToucheCouleTurn is ToucheCouleStorage {
    using CellSet for CellSet.Set;
    using ShipMap for uint256[];

    /// @notice The time without a turn, in seconds, after which anyone can cancel a match.
    uint40 public constant IDLE = 1 days;
    /// @notice The gas that a captain can use for a shot.
    uint256 public constant CAPTAIN_GAS = 40_000;
    /// @notice The gas that must be left before the game calls a captain. This amount covers the
    /// captain's gas, the 1/64 that the game keeps, and the cost of the call. The call can load two
    /// addresses for the first time: the captain's and, if the captain delegates to another
    /// contract (EIP-7702), the address of that contract.
    uint256 public constant CAPTAIN_RESERVE = 48_000;

    /// @dev Plays a turn. All ships afloat fire before any of them sinks, so a ship that is hit in
    /// this volley still fires in it.
    function _play(uint48 matchId, MatchState memory state, Grid memory grid, address account, uint256 afloat)
        internal
    {
        (uint40 entropyBlock, bytes32 seed) = _entropy(grid.anchor);
        (ShipRecord[] memory records, uint16[] memory ships) = _shipsAfloat(matchId, afloat);
        uint16[] memory hitBy = _volley(matchId, state, grid, records, ships, seed);
        uint256 left = _sink(matchId, state, grid, records, ships, hitBy);
        _completeTurn(matchId, state, account, entropyBlock, seed);
        if (left != afloat) {
            _afloat[matchId] = left;
            _endIfDecided(matchId, state, records, ships, left);
        }
    }

    /// @dev Counts a turn, emits its event, and restarts the time after which anyone can cancel the
    /// match.
    function _completeTurn(uint48 matchId, MatchState memory state, address account, uint40 entropyBlock, bytes32 seed)
        internal
    {
        state.deadline = uint40(block.timestamp) + IDLE;
        emit TurnPlayed(matchId, ++state.seq, account, state.ply++, entropyBlock, seed);
    }

    /// @dev Loads the ships that are afloat. Sunk ships cost almost no gas.
    /// @return records the ships afloat; here, `ally` is 1 + the index of the same owner's other
    /// ship, or 0 if the owner has only one ship afloat
    /// @return ships the numbers of these ships, in ascending order
    function _shipsAfloat(uint48 matchId, uint256 afloat)
        private
        view
        returns (ShipRecord[] memory records, uint16[] memory ships)
    {
        mapping(uint256 ship => ShipRecord) storage stored = _shipRecords[matchId];
        uint256 count = CellSet.count(afloat);
        (records, ships) = (new ShipRecord[](count), new uint16[](count));
        uint16 index;
        uint16 ship;
        for (uint256 rest = afloat; rest != 0; rest >>= 1) {
            ++ship;
            if (rest & 1 == 0) continue;
            ShipRecord memory record = stored[ship];
            if (_isAfloat(afloat, record.ally)) {
                uint16 first = uint16(CellSet.count(afloat & (_shipBit(record.ally) - 1)));
                (records[first].ally, record.ally) = (index + 1, first + 1);
            } else {
                record.ally = 0;
            }
            (records[index], ships[index]) = (record, ship);
            ++index;
        }
    }

    /// @dev Fires all shots of a turn and emits them as one event.
    /// @return hitBy for each ship, in the order of `ships`, the number of the first ship that hit
    /// it; 0 if no ship did
    function _volley(
        uint48 matchId,
        MatchState memory state,
        Grid memory grid,
        ShipRecord[] memory records,
        uint16[] memory ships,
        bytes32 seed
    ) private returns (uint16[] memory hitBy) {
        uint256[] memory shipMap = _shipMap(grid, records);
        hitBy = new uint16[](records.length);
        bytes memory shots = new bytes(3 * records.length + 32);
        uint256 length;
        IShip.Orders memory orders;
        (orders.matchId, orders.turnNo, orders.width, orders.height) = (matchId, state.ply, grid.width, grid.height);
        for (uint256 index; index < records.length; ++index) {
            ShipRecord memory record = records[index];
            uint16 ship = ships[index];
            orders.ship = ship;
            orders.owner = record.owner;
            orders.cell = record.cell;
            orders.ally = record.ally == 0 ? CellSet.NO_CELL : records[record.ally - 1].cell;
            orders.seed = keccak256(abi.encode(seed, matchId, state.ply, ship));
            uint16 target = _fire(orders, record.hasCaptain);
            if (target == CellSet.NO_CELL) continue;
            length = _addShot(shots, length, ship, target);
            uint256 hit = shipMap.shipOn(target);
            if (hit != 0 && hitBy[hit - 1] == 0) hitBy[hit - 1] = ship;
        }
        assembly ("memory-safe") {
            mstore(shots, length) // cut off the unused bytes
        }
        emit Fired(matchId, ++state.seq, shots);
    }

    /// @return shipMap for each cell, 1 + the index of the ship on it, or 0 if there is no ship
    function _shipMap(Grid memory grid, ShipRecord[] memory records) private pure returns (uint256[] memory shipMap) {
        shipMap = ShipMap.make(_cells(grid));
        for (uint256 index; index < records.length; ++index) {
            shipMap.put(records[index].cell, index + 1);
        }
    }

    // A legal answer is the number of a cell.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Fires one shot.
    /// @return target the cell that the ship fired at, or NO_CELL for a miss
    function _fire(IShip.Orders memory orders, bool hasCaptain) private returns (uint16 target) {
        if (!hasCaptain) return _builtInShip(orders.matchId, orders.ship).fire(orders);
        (bool answered, uint256 answer) = _callCaptain(_captains[orders.matchId][orders.ship], orders);
        bool legal = answered && answer < uint256(orders.width) * orders.height && answer != orders.cell
            && answer != orders.ally;
        return legal ? uint16(answer) : CellSet.NO_CELL;
    }

    /// @dev Calls a captain, which is foreign code. Unlike this function, Solidity's `try` would
    /// copy everything that the captain returns. It would also revert if the captain has no code or
    /// its result can't be decoded.
    function _callCaptain(address captain, IShip.Orders memory orders) private returns (bool answered, uint256 answer) {
        if (gasleft() < CAPTAIN_RESERVE) revert NotEnoughGas(gasleft(), CAPTAIN_RESERVE);
        bytes memory data = abi.encodeCall(IShip.fire, (orders));
        assembly ("memory-safe") {
            answered := call(CAPTAIN_GAS, captain, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            answered := and(answered, eq(returndatasize(), 0x20))
            answer := mload(0x00)
        }
    }

    /// @dev Appends a shot as three bytes: 12 bits for the ship and 12 bits for the cell. The
    /// function writes a whole word of 32 bytes, so the array needs 32 spare bytes at its end.
    function _addShot(bytes memory shots, uint256 start, uint256 ship, uint256 cell)
        private
        pure
        returns (uint256 next)
    {
        assembly ("memory-safe") {
            mstore(add(add(shots, 0x20), start), shl(232, or(shl(12, ship), cell)))
            next := add(start, 3)
        }
    }

    /// @dev Sinks the ships that were hit.
    /// @return left the ships that are still afloat
    function _sink(
        uint48 matchId,
        MatchState memory state,
        Grid memory grid,
        ShipRecord[] memory records,
        uint16[] memory ships,
        uint16[] memory hitBy
    ) private returns (uint256 left) {
        for (uint256 index; index < records.length; ++index) {
            if (hitBy[index] == 0) {
                left |= _shipBit(ships[index]);
                continue;
            }
            uint16 cell = records[index].cell;
            _occupied[matchId].remove(cell);
            emit Touched(matchId, ++state.seq, ships[index], _x(grid, cell), _y(grid, cell), hitBy[index]);
        }
    }

    /// @dev Ends the match if fewer than two owners have a ship afloat.
    function _endIfDecided(
        uint48 matchId,
        MatchState memory state,
        ShipRecord[] memory records,
        uint16[] memory ships,
        uint256 left
    ) private {
        address winner;
        for (uint256 index; index < records.length; ++index) {
            if (!_isAfloat(left, ships[index]) || records[index].owner == winner) continue;
            if (winner != address(0)) return;
            winner = records[index].owner;
        }
        _end(matchId, state, winner, winner == address(0) ? Reason.Draw : Reason.Won);
    }
}
