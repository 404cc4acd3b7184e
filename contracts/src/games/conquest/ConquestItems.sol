// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConquestEffects} from "./ConquestEffects.sol";
import {ConquestRandom} from "./ConquestRandom.sol";
import {IConquest} from "./IConquest.sol";
import {Army} from "./rules/Army.sol";
import {LandSet} from "./rules/LandSet.sol";
import {Position, Positions} from "./rules/Position.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title Chooses the type of a collected item, and applies the items that take effect immediately
/// @dev All functions need a position with its army and graph.
library ConquestItems {
    using Army for uint256[7];
    using ConquestEffects for Position;
    using Positions for Position;
    using TurnBits for uint104;

    uint8 internal constant MORE_SOLDIERS = 5;
    uint8 internal constant FEWER_SOLDIERS = 6;
    uint8 internal constant LAND_LOST = 7;
    uint8 internal constant FAT = 8;

    /// @dev Of 95 items that are not the fat bonus, on average 85 are bonuses and 10 are penalties.
    uint256 private constant _ITEM_CHANCES = 95;
    uint256 private constant _BONUS_CHANCES = 85;
    uint256 private constant _BONUS_KINDS = 5;
    uint256 private constant _PENALTY_KINDS = 2;

    /// @dev Gives a seat the item that lay on one of its lands.
    /// @param seed the deciding block's hash, or 0 if it is no longer available. Without the hash,
    /// the seat gets no item except the fat bonus
    function collect(Position memory position, uint8 seat, uint8 land, bool fat, bytes32 seed) internal {
        uint8 item = fat ? FAT : seed == 0 ? 0 : _drawItem(position, seed);
        emit IConquest.ItemCollected(position.matchId, ++position.state.seq, seat, land, item);
        if (item == FAT) return _takeLargest(position, seat);
        if (item == LAND_LOST) return _loseLand(position, seat, seed);
        if (item == MORE_SOLDIERS || item == FEWER_SOLDIERS) {
            position.army.changeByTenth(position.owned(seat), item == MORE_SOLDIERS);
            position.emitArmy();
        } else if (item != 0) {
            position.setStoredItem(seat, item);
        }
    }

    function _drawItem(Position memory position, bytes32 seed) private pure returns (uint8) {
        bool isBonus = _randomNumber(position, seed, ConquestRandom.ITEM_IS_BONUS) % _ITEM_CHANCES < _BONUS_CHANCES;
        uint256 kind = _randomNumber(position, seed, ConquestRandom.ITEM_KIND);
        return uint8(isBonus ? 1 + (kind % _BONUS_KINDS) : FEWER_SOLDIERS + (kind % _PENALTY_KINDS));
    }

    /// @dev Makes a random land of the seat neutral. The capital and the land with the most
    /// soldiers are excluded. Does nothing if the seat has no other land.
    function _loseLand(Position memory position, uint8 seat, bytes32 seed) private {
        uint256 lands = position.owned(seat);
        lands &= ~((1 << position.capital(seat)) | (1 << position.army.strongest(lands)));
        if (lands == 0) return;
        uint256 land = pickLand(lands, 0, _randomNumber(position, seed, ConquestRandom.LOST_LAND));
        position.killHeroOn(land, seat);
        position.transferLands(1 << land, seat, Positions.NOBODY);
    }

    /// @dev Finds the two living seats with the most soldiers. Each of them, except the collector,
    /// loses a land to the collector. The lost land is the seat's land with the most soldiers,
    /// apart from its capital. This effect is item 8 in section 5.4 of the rules.
    function _takeLargest(Position memory position, uint8 seat) private {
        uint256 alive = position.state.game.alive();
        uint8 first = _strongestSeat(position, alive);
        uint8 second = _strongestSeat(position, alive & ~(1 << first));
        if (first != seat) _takeLargestOf(position, seat, first);
        if (second != seat) _takeLargestOf(position, seat, second);
        position.grantHeroIfEarned(seat);
    }

    function _takeLargestOf(Position memory position, uint8 seat, uint8 victim) private {
        uint256 land = position.army.strongest(position.owned(victim) & ~(1 << position.capital(victim)));
        if (land == Positions.NO_LAND) return;
        position.killHeroOn(land, victim);
        position.transferLands(1 << land, victim, seat);
    }

    /// @param candidates the seats to compare: bit i is seat i
    /// @return seat the seat with the most soldiers in total (the lowest number on a tie), or
    /// NOBODY if there are no candidates
    function _strongestSeat(Position memory position, uint256 candidates) private pure returns (uint8 seat) {
        seat = Positions.NOBODY;
        uint256 most = 0;
        for (uint8 each; candidates >> each != 0; ++each) {
            if ((candidates >> each) & 1 == 0) continue;
            uint256 soldiers = position.army.sum(position.owned(each));
            if (seat == Positions.NOBODY || soldiers > most) (seat, most) = (each, soldiers);
        }
    }

    /// @dev Chooses a land. Each land of `heavy` is twice as likely as each land of `light`.
    /// @param number a random number
    /// @return land the land at position `number` modulo the list's length, in an ascending list
    /// that contains each land of `heavy` twice
    function pickLand(uint256 light, uint256 heavy, uint256 number) internal pure returns (uint256 land) {
        unchecked {
            number %= _weight(light, heavy);
            for (uint256 step = 64; step != 0; step >>= 1) {
                uint256 lower = (1 << (land + step)) - 1;
                if (_weight(light & lower, heavy & lower) <= number) land += step;
            }
        }
    }

    function _weight(uint256 light, uint256 heavy) private pure returns (uint256) {
        unchecked {
            return LandSet.size(light) + 2 * LandSet.size(heavy);
        }
    }

    function _randomNumber(Position memory position, bytes32 seed, uint8 purpose) private pure returns (uint256) {
        return ConquestRandom.number(seed, position.matchId, position.state.ply, purpose, 0);
    }
}
