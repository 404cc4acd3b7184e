// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../IMatch.sol";
import {Match} from "../../Match.sol";
import {IConquest} from "./IConquest.sol";
import {Army} from "./rules/Army.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {Position, Positions, World} from "./rules/Position.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title Functions that change lands, heroes and seats, and emit the events for these changes
library ConquestEffects {
    using Army for uint256[7];
    using Positions for Position;
    using LandGraph for bytes;
    using TurnBits for uint104;

    /// @dev The number of different land types that a seat needs to get its hero.
    uint256 private constant _TYPES = 4;

    // ---- from storage and back

    /// @dev Loads a match from storage.
    /// @return position the match, whose army and graph are not loaded yet
    function loadPosition(World storage world, uint48 matchId, Match.MatchState memory state)
        internal
        view
        returns (Position memory position)
    {
        (position.matchId, position.state) = (matchId, state);
        (position.low, position.high) = (world.low, world.high);
    }

    function loadArmy(Position memory position, World storage world) internal view {
        uint256 lands = position.graph.lands();
        for (uint256 index; index * Army.PER_WORD < lands; ++index) {
            position.emittedArmy[index] = position.army[index] = world.army[index];
        }
    }

    function save(Position memory position, World storage world) internal {
        if (world.low != position.low) world.low = position.low;
        if (world.high != position.high) world.high = position.high;
    }

    function saveArmy(Position memory position, World storage world) internal {
        for (uint256 index; index < Army.WORDS; ++index) {
            if (world.army[index] != position.army[index]) world.army[index] = position.army[index];
        }
    }

    function requireLand(Position memory position, uint8 land) internal pure {
        uint256 lands = position.graph.lands();
        if (land >= lands) revert IConquest.NoSuchLand(land, lands);
    }

    // ---- events

    function emitPhase(Position memory position, uint8 phase, uint8 draw) internal {
        Match.MatchState memory state = position.state;
        state.game = state.game.setPhase(phase);
        if (draw != TurnBits.NO_DRAW) state.game = state.game.openDraw(draw);
        emit IConquest.Phase(position.matchId, ++state.seq, state.mover, phase, draw);
    }

    /// @dev Emits the changes to the army since the last event Soldiers. Emits nothing if the army
    /// hasn't changed.
    function emitArmy(Position memory position) internal {
        bytes memory changes = position.emittedArmy.changes(position.army);
        if (changes.length == 0) return;
        emit IConquest.Soldiers(position.matchId, ++position.state.seq, changes);
        for (uint256 index; index < Army.WORDS; ++index) {
            position.emittedArmy[index] = position.army[index];
        }
    }

    // ---- lands

    // A map has at most 96 lands.
    // forge-lint: disable-next-item(unsafe-typecast)
    function transferLands(Position memory position, uint256 lands, uint8 from, uint8 to) internal {
        position.setOwner(lands, to);
        emit IConquest.LandsTaken(position.matchId, ++position.state.seq, uint96(lands), from, to);
    }

    // A map has at most 96 lands.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev If the owner's hero stands on the land, kills the hero and halves the soldiers on all
    /// lands of the owner. The army must be loaded.
    function killHeroOn(Position memory position, uint256 land, uint8 owner) internal {
        if (position.hero(owner) == land) {
            emit IConquest.HeroDied(position.matchId, ++position.state.seq, owner, uint8(land));
            position.setHero(owner, Positions.NO_LAND);
            position.army.halve(position.owned(owner));
        }
        emitArmy(position);
    }

    /// @dev Gives a seat its hero if the seat owns lands of four types. Each seat gets its hero at
    /// most once per match. The graph must be loaded.
    function grantHeroIfEarned(Position memory position, uint8 seat) internal {
        Match.MatchState memory state = position.state;
        if ((state.game.hadHero() >> seat) & 1 == 1) return;
        uint8 capital = position.capital(seat);
        if (capital == Positions.NO_LAND || position.graph.countTypes(position.owned(seat)) < _TYPES) return;
        state.game = state.game.setHadHero(seat);
        position.setHero(seat, capital);
        emit IConquest.HeroAt(position.matchId, ++state.seq, seat, capital);
    }

    // ---- seats

    /// @dev Removes a seat from the match, and gives its lands to another seat or makes them
    /// neutral.
    /// @param to the seat that gets the lands; NOBODY makes them neutral
    function eliminate(Position memory position, uint8 seat, uint8 to, IMatch.Reason reason) internal {
        position.state.game = position.state.game.clearAlive(seat);
        position.clearSeat(seat);
        emit IConquest.PlayerOut(position.matchId, ++position.state.seq, seat, to, reason);
        uint256 lands = position.owned(seat);
        if (lands != 0) transferLands(position, lands, seat, to);
    }
}
