// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Match} from "../../../Match.sol";
import {Army} from "./Army.sol";
import {LandGraph} from "./LandGraph.sol";

/// @dev The state of a match outside its slot. `low` contains, from the lowest bits up: bit planes
/// 0 and 1 of the lands' owners (96 bits each; an owner is a seat + 1, or 0 for nobody), the
/// capital of each seat (7 bits each: land + 1, or 0 if there is none), and the stored item of each
/// seat (3 bits each). `high` contains bit plane 2 of the owners, the ports (96 bits each), the
/// hero's land of each seat (like the capitals), and the forced passes in a row of each seat (2
/// bits each).
/// @param items the items on the map, in the format of the library Items
/// @param pairs the attacks of the last launch, from the lowest bits up; each has 14 bits, with the
/// value 96 * from + to, and 0 ends the list. During the random draw COLLECT, this field contains
/// the collected item's land
struct World {
    uint256 low;
    uint256 high;
    uint256 items;
    uint256 pairs;
    uint256[7] army;
}

/// @dev A match in memory during a call. The calling functions load `army` and `graph` only if they
/// need them.
/// @param emittedArmy the army according to the events that have been emitted so far
struct Position {
    uint48 matchId;
    Match.MatchState state;
    uint256 low;
    uint256 high;
    uint256[7] army;
    uint256[7] emittedArmy;
    bytes graph;
}

/// @title Functions for the owners of lands, the values of seats, and the strengths of lands
library Positions {
    using Army for uint256[7];
    using LandGraph for bytes;

    uint8 internal constant NOBODY = 255;
    uint8 internal constant NO_LAND = 255;
    uint256 internal constant LANDS = type(uint96).max;

    uint8 internal constant NO_CONNECTION = 0;
    uint8 internal constant BY_WATER = 1;
    uint8 internal constant BY_LAND = 2;

    uint256 private constant _PLANE_BITS = 96;
    uint256 private constant _SEAT_LANDS_SHIFT = 192;
    uint256 private constant _SEAT_LAND_BITS = 7;
    uint256 private constant _SEAT_LAND_MASK = 127;
    uint256 private constant _STORED_SHIFT = 234;
    uint256 private constant _FORCED_SHIFT = 234;

    // ---- owners

    function ownerOf(Position memory position, uint256 land) internal pure returns (uint8) {
        unchecked {
            uint256 low = position.low >> land;
            return uint8(((low & 1) | ((low >> (_PLANE_BITS - 1)) & 2) | (((position.high >> land) & 1) << 2)) - 1);
        }
    }

    /// @param seat the owner; for NOBODY, the result consists of the neutral lands and all bits
    /// beyond the map's lands
    function owned(Position memory position, uint256 seat) internal pure returns (uint256) {
        unchecked {
            uint256 code = seat + 1;
            uint256 set = (code & 1 == 0 ? ~position.low : position.low);
            set &= code & 2 == 0 ? ~(position.low >> _PLANE_BITS) : position.low >> _PLANE_BITS;
            return set & (code & 4 == 0 ? ~position.high : position.high) & LANDS;
        }
    }

    function neutral(Position memory position) internal pure returns (uint256) {
        unchecked {
            return owned(position, NOBODY) & ((1 << position.graph.lands()) - 1);
        }
    }

    /// @param seat the new owner; NOBODY makes the lands neutral
    function setOwner(Position memory position, uint256 set, uint256 seat) internal pure {
        unchecked {
            uint256 code = seat + 1;
            uint256 low = position.low & ~(set | (set << _PLANE_BITS));
            if (code & 1 != 0) low |= set;
            if (code & 2 != 0) low |= set << _PLANE_BITS;
            position.low = low;
            position.high = code & 4 == 0 ? position.high & ~set : position.high | set;
        }
    }

    // ---- ports, and the values of seats

    function ports(Position memory position) internal pure returns (uint256) {
        return (position.high >> _PLANE_BITS) & LANDS;
    }

    function addPort(Position memory position, uint256 land) internal pure {
        position.high |= 1 << (_PLANE_BITS + land);
    }

    /// @return the land of the seat's capital, or NO_LAND if there is none
    function capital(Position memory position, uint256 seat) internal pure returns (uint8) {
        return _seatLand(position.low, seat);
    }

    function setCapital(Position memory position, uint256 seat, uint256 land) internal pure {
        position.low = _withSeatLand(position.low, seat, land);
    }

    /// @return the land of the seat's hero, or NO_LAND if there is none
    function hero(Position memory position, uint256 seat) internal pure returns (uint8) {
        return _seatLand(position.high, seat);
    }

    function setHero(Position memory position, uint256 seat, uint256 land) internal pure {
        position.high = _withSeatLand(position.high, seat, land);
    }

    /// @return the seat's stored item, or 0 if there is none
    function storedItem(Position memory position, uint256 seat) internal pure returns (uint8) {
        return uint8((position.low >> (_STORED_SHIFT + 3 * seat)) & 7);
    }

    function setStoredItem(Position memory position, uint256 seat, uint256 item) internal pure {
        uint256 shift = _STORED_SHIFT + 3 * seat;
        position.low = (position.low & ~(uint256(7) << shift)) | (item << shift);
    }

    /// @return the number of the seat's forced passes in a row
    function forcedPasses(Position memory position, uint256 seat) internal pure returns (uint8) {
        return uint8((position.high >> (_FORCED_SHIFT + 2 * seat)) & 3);
    }

    function setForcedPasses(Position memory position, uint256 seat, uint256 passes) internal pure {
        uint256 shift = _FORCED_SHIFT + 2 * seat;
        position.high = (position.high & ~(uint256(3) << shift)) | (passes << shift);
    }

    /// @dev Clears the capital, the hero, the stored item and the forced passes of a seat that is
    /// out of the match.
    function clearSeat(Position memory position, uint256 seat) internal pure {
        setCapital(position, seat, NO_LAND);
        setHero(position, seat, NO_LAND);
        setStoredItem(position, seat, 0);
        setForcedPasses(position, seat, 0);
    }

    // ---- connections and strengths

    function connectionOf(Position memory position, uint256 from, uint256 to) internal pure returns (uint8) {
        unchecked {
            if ((position.graph.row(from) >> to) & 1 == 1) return BY_LAND;
            if (from == to || (ports(position) >> from) & 1 == 0) return NO_CONNECTION;
            return (position.graph.shores(from) >> to) & 1 == 1 ? BY_WATER : NO_CONNECTION;
        }
    }

    /// @return the attack strength in twentieths of a soldier: the soldiers on the land and, if the
    /// hero stands there, a fifth of the seat's soldiers
    function attackStrength(Position memory position, uint256 seat, uint256 from) internal pure returns (uint256) {
        unchecked {
            uint256 strength = 20 * position.army.soldiersOn(from);
            return hero(position, seat) == from ? strength + 4 * position.army.sum(owned(position, seat)) : strength;
        }
    }

    /// @return the defence strength in twentieths of a soldier: the soldiers on the land and its
    /// neighbours of the same seat, plus half of the soldiers on other lands of the seat with a
    /// port on the same water. If the hero stands on one of these lands, a fifth of the seat's
    /// soldiers is added, or a tenth if the hero's support comes by sea
    function defenceStrength(Position memory position, uint256 seat, uint256 to) internal pure returns (uint256) {
        unchecked {
            if (seat == NOBODY) return 20 * position.army.soldiersOn(to);
            uint256 lands = owned(position, seat);
            uint256 near = lands & (position.graph.row(to) | (1 << to));
            uint256 sea = ports(position) & lands & ~near;
            if (sea != 0) sea &= position.graph.shores(to);
            uint256 strength = 20 * position.army.sum(near) + 10 * position.army.sum(sea);
            uint256 heroLand = hero(position, seat);
            if (heroLand == NO_LAND || ((near | sea) >> heroLand) & 1 == 0) return strength;
            return strength + ((near >> heroLand) & 1 == 1 ? 4 : 2) * position.army.sum(lands);
        }
    }

    function _seatLand(uint256 word, uint256 seat) private pure returns (uint8) {
        unchecked {
            return uint8(((word >> (_SEAT_LANDS_SHIFT + _SEAT_LAND_BITS * seat)) & _SEAT_LAND_MASK) - 1);
        }
    }

    // NO_LAND plus 1 must become 0.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _withSeatLand(uint256 word, uint256 seat, uint256 land) private pure returns (uint256) {
        unchecked {
            uint256 shift = _SEAT_LANDS_SHIFT + _SEAT_LAND_BITS * seat;
            return (word & ~(_SEAT_LAND_MASK << shift)) | (uint256(uint8(land + 1)) << shift);
        }
    }
}
