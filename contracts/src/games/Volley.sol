// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Cells} from "./Cells.sol";
import {Chart} from "./Chart.sol";
import {Fleets} from "./Fleets.sol";
import {IShip} from "./IShip.sol";

/// @title Touché Coulé, part two: a turn
abstract contract Volley is Fleets {
    using Cells for Cells.Set;
    using Chart for uint256[];

    /// @notice Seconds without a turn after which anybody may end a match.
    uint40 public constant IDLE = 1 days;
    /// @notice Gas that a captain has for a shot.
    uint256 public constant CAPTAIN_GAS = 40_000;
    /// @notice Gas that must be left before a captain is asked: its share, the 64th that stays here, and the call itself
    /// to an address not touched before, whose code may stand at another one (EIP-7702).
    uint256 public constant CAPTAIN_RESERVE = 48_000;

    /// @dev All ships afloat fire, then those hit sink: one that is sunk in this volley has fired in it.
    function _play(uint48 matchId, Head memory head, Sea memory sea, address account, uint256 afloat) internal {
        (uint40 entropyBlock, bytes32 seed) = _entropy(sea.anchor);
        Hull[] memory crew = _crew(matchId, sea.ships, afloat);
        uint16[] memory by = _volley(matchId, head, sea, crew, seed);
        uint256 left = _sink(matchId, head, sea, crew, by);
        _count(matchId, head, account, entropyBlock, seed);
        if (left != afloat) {
            _afloat[matchId] = left;
            _settle(matchId, head, crew, left);
        }
    }

    /// @dev A turn is complete.
    function _count(uint48 matchId, Head memory head, address account, uint40 entropyBlock, bytes32 seed) internal {
        head.deadline = uint40(block.timestamp) + IDLE;
        emit TurnPlayed(matchId, ++head.seq, account, head.ply++, entropyBlock, seed);
    }

    /// @return crew by ship number; nobody's where a ship is not afloat; `ally` is the owner's other ship afloat or 0
    function _crew(uint48 matchId, uint16 ships, uint256 afloat) private view returns (Hull[] memory crew) {
        mapping(uint256 ship => Hull) storage hulls = _hulls[matchId];
        crew = new Hull[](uint256(ships) + 1);
        for (uint16 ship = 1; ship <= ships; ++ship) {
            if (!_isAfloat(afloat, ship)) continue;
            Hull memory hull = hulls[ship];
            if (_isAfloat(afloat, hull.ally)) crew[hull.ally].ally = ship;
            else hull.ally = 0;
            crew[ship] = hull;
        }
    }

    /// @return by for each ship the first one that hit it; 0 = none
    function _volley(
        uint48 matchId,
        Head memory head,
        Sea memory sea,
        Hull[] memory crew,
        bytes32 seed
    ) private returns (uint16[] memory by) {
        uint256[] memory chart = _chart(sea, crew);
        by = new uint16[](crew.length);
        bytes memory shots = new bytes(3 * crew.length + 32);
        uint256 length;
        IShip.Orders memory orders;
        (orders.matchId, orders.turnNo, orders.width, orders.height) = (matchId, head.ply, sea.width, sea.height);
        for (uint16 ship = 1; ship < crew.length; ++ship) {
            Hull memory hull = crew[ship];
            if (hull.owner == address(0)) continue;
            orders.ship = ship;
            orders.owner = hull.owner;
            orders.cell = hull.cell;
            orders.ally = hull.ally == 0 ? Cells.NO_CELL : crew[hull.ally].cell;
            orders.seed = keccak256(abi.encode(seed, matchId, head.ply, ship));
            uint16 target = _fire(orders, hull.captained);
            if (target == Cells.NO_CELL) continue;
            length = _note(shots, length, ship, target);
            uint256 hit = chart.at(target);
            if (hit != 0 && by[hit] == 0) by[hit] = ship;
        }
        assembly ("memory-safe") {
            mstore(shots, length) // ships without a shot are left out
        }
        emit Fired(matchId, ++head.seq, shots);
    }

    function _chart(Sea memory sea, Hull[] memory crew) private pure returns (uint256[] memory chart) {
        chart = Chart.make(_cells(sea));
        for (uint256 ship = 1; ship < crew.length; ++ship) {
            Hull memory hull = crew[ship];
            if (hull.owner != address(0)) chart.put(hull.cell, ship);
        }
    }

    /// @return target NO_CELL for a miss
    function _fire(IShip.Orders memory orders, bool captained) private returns (uint16 target) {
        if (!captained) return _builtIn(orders.matchId, orders.ship).fire(orders);
        (bool answered, uint256 answer) = _ask(_captains[orders.matchId][orders.ship], orders);
        bool legal = answered &&
            answer < uint256(orders.width) * orders.height &&
            answer != orders.cell &&
            answer != orders.ally;
        return legal ? uint16(answer) : Cells.NO_CELL;
    }

    /// @dev Calls foreign code: a plain `try` would copy whatever it returns, and revert where it has no code or
    /// answers what can't be decoded.
    function _ask(address captain, IShip.Orders memory orders) private returns (bool answered, uint256 answer) {
        if (gasleft() < CAPTAIN_RESERVE) revert NotEnoughGas(gasleft(), CAPTAIN_RESERVE);
        bytes memory data = abi.encodeCall(IShip.fire, (orders));
        assembly ("memory-safe") {
            answered := call(CAPTAIN_GAS, captain, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            answered := and(answered, eq(returndatasize(), 0x20))
            answer := mload(0x00)
        }
    }

    /// @dev Three bytes: 12 bits ship, 12 bits cell. What the word writes beyond them lies in the array too.
    function _note(bytes memory shots, uint256 at, uint256 ship, uint256 target) private pure returns (uint256 next) {
        assembly ("memory-safe") {
            mstore(add(add(shots, 0x20), at), shl(232, or(shl(12, ship), target)))
            next := add(at, 3)
        }
    }

    /// @return left the ships that are still afloat
    function _sink(
        uint48 matchId,
        Head memory head,
        Sea memory sea,
        Hull[] memory crew,
        uint16[] memory by
    ) private returns (uint256 left) {
        for (uint16 ship = 1; ship < crew.length; ++ship) {
            if (crew[ship].owner == address(0)) continue;
            if (by[ship] == 0) {
                left |= _flag(ship);
                continue;
            }
            uint16 cell = crew[ship].cell;
            _occupied[matchId].remove(cell);
            emit Touched(matchId, ++head.seq, ship, _x(sea, cell), _y(sea, cell), by[ship]);
        }
    }

    /// @dev Ends the match when fewer than two owners have a ship afloat.
    function _settle(uint48 matchId, Head memory head, Hull[] memory crew, uint256 left) private {
        address winner;
        for (uint256 ship = 1; ship < crew.length; ++ship) {
            if (!_isAfloat(left, ship) || crew[ship].owner == winner) continue;
            if (winner != address(0)) return;
            winner = crew[ship].owner;
        }
        _end(matchId, head, winner, winner == address(0) ? Reason.Draw : Reason.Won);
    }
}
