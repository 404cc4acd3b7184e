// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConquestEffects} from "./ConquestEffects.sol";
import {ConquestRandom} from "./ConquestRandom.sol";
import {IConquest} from "./IConquest.sol";
import {Army} from "./rules/Army.sol";
import {Field, Fields} from "./rules/Field.sol";
import {LandSet} from "./rules/LandSet.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title Draws the item that a seat gets, and applies items with an immediate effect
/// @dev All functions need the army and the graph.
library ConquestItems {
    using Army for uint256[7];
    using ConquestEffects for Field;
    using Fields for Field;
    using TurnBits for uint104;

    uint8 internal constant MORE_SOLDIERS = 5;
    uint8 internal constant FEWER_SOLDIERS = 6;
    uint8 internal constant LAND_LOST = 7;
    uint8 internal constant FAT = 8;

    /// @dev 85 of the 95 items that are not fat are bonuses.
    uint256 private constant _ITEM_CHANCES = 95;
    uint256 private constant _BONUS_CHANCES = 85;
    uint256 private constant _BONUS_KINDS = 5;
    uint256 private constant _PENALTY_KINDS = 2;

    /// @dev Gives a seat the item that lay on its land.
    /// @param seed 0 = hash no longer available: the seat gets nothing, except the fat bonus, which
    /// needs no chance
    function collect(Field memory field, uint8 seat, uint8 land, bool fat, bytes32 seed) internal {
        uint8 item = fat ? FAT : seed == 0 ? 0 : _drawItem(field, seed);
        emit IConquest.ItemCollected(field.matchId, ++field.state.seq, seat, land, item);
        if (item == FAT) return _takeLargest(field, seat);
        if (item == LAND_LOST) return _loseLand(field, seat, seed);
        if (item == MORE_SOLDIERS || item == FEWER_SOLDIERS) {
            field.army.changeByTenth(field.owned(seat), item == MORE_SOLDIERS);
            field.emitArmy();
        } else if (item != 0) {
            field.setStoredItem(seat, item);
        }
    }

    function _drawItem(Field memory field, bytes32 seed) private pure returns (uint8) {
        bool isBonus = _randomNumber(field, seed, ConquestRandom.ITEM_IS_BONUS) % _ITEM_CHANCES < _BONUS_CHANCES;
        uint256 kind = _randomNumber(field, seed, ConquestRandom.ITEM_KIND);
        return uint8(isBonus ? 1 + (kind % _BONUS_KINDS) : FEWER_SOLDIERS + (kind % _PENALTY_KINDS));
    }

    /// @dev Makes a land neutral that is neither capital nor the strongest. Does nothing if there
    /// is none.
    function _loseLand(Field memory field, uint8 seat, bytes32 seed) private {
        uint256 lands = field.owned(seat);
        lands &= ~((1 << field.capital(seat)) | (1 << field.army.strongest(lands)));
        if (lands == 0) return;
        uint256 land = pickLand(lands, 0, _randomNumber(field, seed, ConquestRandom.LOST_LAND));
        field.killHeroOn(land, seat);
        field.transferLands(1 << land, seat, Fields.NOBODY);
    }

    /// @dev Takes the largest land that is not a capital from each of the two living seats with the
    /// most soldiers, except the collector. See item 8 in section 5.4 of Conquest's rules.
    function _takeLargest(Field memory field, uint8 seat) private {
        uint256 alive = field.state.game.alive();
        uint8 first = _strongestSeat(field, alive);
        uint8 second = _strongestSeat(field, alive & ~(1 << first));
        if (first != seat) _takeLargestOf(field, seat, first);
        if (second != seat) _takeLargestOf(field, seat, second);
        field.grantHeroIfEarned(seat);
    }

    function _takeLargestOf(Field memory field, uint8 seat, uint8 victim) private {
        uint256 land = field.army.strongest(field.owned(victim) & ~(1 << field.capital(victim)));
        if (land == Fields.NO_LAND) return;
        field.killHeroOn(land, victim);
        field.transferLands(1 << land, victim, seat);
    }

    /// @param candidates one bit per seat
    /// @return seat the seat with the most soldiers in total, the lowest on a tie; NOBODY if there
    /// are no candidates
    function _strongestSeat(Field memory field, uint256 candidates) private pure returns (uint8 seat) {
        seat = Fields.NOBODY;
        uint256 most = 0;
        for (uint8 each; candidates >> each != 0; ++each) {
            if ((candidates >> each) & 1 == 0) continue;
            uint256 soldiers = field.army.sum(field.owned(each));
            if (seat == Fields.NOBODY || soldiers > most) (seat, most) = (each, soldiers);
        }
    }

    /// @return land the land with this number, in ascending order, if each land of `heavy` counts
    /// twice
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

    function _randomNumber(Field memory field, bytes32 seed, uint8 purpose) private pure returns (uint256) {
        return ConquestRandom.number(seed, field.matchId, field.state.ply, purpose, 0);
    }
}
