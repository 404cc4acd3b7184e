// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Match} from "../../Match.sol";
import {ConquestEffects} from "./ConquestEffects.sol";
import {ConquestItems} from "./ConquestItems.sol";
import {ConquestRandom} from "./ConquestRandom.sol";
import {IConquest} from "./IConquest.sol";
import {Items} from "./rules/Items.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {Position, Positions, World} from "./rules/Position.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title Carries out all random draws except the luck of attacks
/// @dev This library is deployed separately and linked to the game, because a contract's size is
/// limited.
library ConquestDraws {
    using ConquestEffects for Position;
    using ConquestItems for Position;
    using Positions for Position;
    using Items for uint256;
    using LandGraph for bytes;
    using TurnBits for uint104;

    uint256 private constant _APPEARS_PERCENT = 12;
    uint256 private constant _FAT_PERCENT = 5;

    /// @notice Carries out the open draw, which is FIRST, TURN or COLLECT.
    function carryOut(World storage world, uint48 matchId, Match.MatchState memory state, address map)
        external
        returns (Match.MatchState memory)
    {
        uint8 kind = state.game.draw();
        bytes32 seed = ConquestRandom.seedOf(matchId, state);
        if (kind == TurnBits.FIRST) {
            _drawFirst(matchId, state, seed);
        } else if (kind == TurnBits.TURN) {
            _beginTurn(world, matchId, state, map, seed);
        } else {
            _collect(world, matchId, state, map, uint8(world.pairs), false, seed);
        }
        return state;
    }

    /// @notice Gives the fat bonus from a captured land to the seat to move.
    function collectFat(World storage world, uint48 matchId, Match.MatchState memory state, address map, uint8 land)
        external
        returns (Match.MatchState memory)
    {
        _collect(world, matchId, state, map, land, true, 0);
        return state;
    }

    // A seat is less than 6.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _drawFirst(uint48 matchId, Match.MatchState memory state, bytes32 seed) private {
        uint256 seats = state.game.seats();
        uint256 number = ConquestRandom.number(seed, matchId, state.ply, ConquestRandom.FIRST_SEAT, 0);
        uint256 first = seed == 0 ? 0 : number % seats;
        state.game = state.game.setFirstSeat(first);
        state.mover = uint8((first + seats - 1) % seats);
        emit IConquest.Phase(matchId, ++state.seq, state.mover, TurnBits.CAPITALS, TurnBits.NO_DRAW);
    }

    function _collect(
        World storage world,
        uint48 matchId,
        Match.MatchState memory state,
        address map,
        uint8 land,
        bool fat,
        bytes32 seed
    ) private {
        Position memory position = ConquestEffects.loadPosition(world, matchId, state);
        position.graph = LandGraph.load(map);
        position.loadArmy(world);
        position.collect(state.mover, land, fat, seed);
        position.save(world);
        position.saveArmy(world);
    }

    /// @dev Carries out the draw TURN. First, all items on the map lose one turn of their time, and
    /// expired items disappear. Then a new item can appear.
    function _beginTurn(World storage world, uint48 matchId, Match.MatchState memory state, address map, bytes32 seed)
        private
    {
        uint256 items = world.items;
        uint256 left = items;
        if (items != 0) {
            uint256 expired;
            (expired, left) = items.age();
            for (uint8 land; expired >> land != 0; ++land) {
                if ((expired >> land) & 1 == 1) emit IConquest.ItemExpired(matchId, ++state.seq, land);
            }
        }
        uint256 chance = _randomNumber(matchId, state, seed, ConquestRandom.ITEM_APPEARS);
        if (seed != 0 && chance % 100 < _APPEARS_PERCENT && left.count() < Items.MAX_ITEMS) {
            left = _addItem(world, matchId, state, map, left, seed);
        }
        if (left != items) world.items = left;
    }

    /// @dev Adds a random item to the map. If the item appears on a player's fort, the player gets
    /// it at once.
    /// @return the items on the map afterwards
    function _addItem(
        World storage world,
        uint48 matchId,
        Match.MatchState memory state,
        address map,
        uint256 items,
        bytes32 seed
    ) private returns (uint256) {
        Position memory position = ConquestEffects.loadPosition(world, matchId, state);
        position.graph = LandGraph.load(map);
        uint256 free = ~items.lands();
        uint256 forts = position.graph.forts() & free;
        uint256 others = position.neutral() & free & ~forts;
        if (forts | others == 0) return items;
        uint8 land =
            uint8(ConquestItems.pickLand(others, forts, _randomNumber(matchId, state, seed, ConquestRandom.ITEM_LAND)));
        bool fat = _randomNumber(matchId, state, seed, ConquestRandom.ITEM_IS_FAT) % 100 < _FAT_PERCENT;
        emit IConquest.ItemAppeared(matchId, ++state.seq, land, fat);
        uint8 owner = position.ownerOf(land);
        if (owner == Positions.NOBODY) return items.add(land, fat);
        position.loadArmy(world);
        position.collect(owner, land, fat, seed);
        position.save(world);
        position.saveArmy(world);
        return items;
    }

    function _randomNumber(uint48 matchId, Match.MatchState memory state, bytes32 seed, uint8 purpose)
        private
        pure
        returns (uint256)
    {
        return ConquestRandom.number(seed, matchId, state.ply, purpose, 0);
    }
}
