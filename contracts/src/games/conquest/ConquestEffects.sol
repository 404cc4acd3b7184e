// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../IMatch.sol";
import {Match} from "../../Match.sol";
import {IConquest} from "./IConquest.sol";
import {Army} from "./rules/Army.sol";
import {Field, Fields, World} from "./rules/Field.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title Changes to lands, heroes and seats, with their events
library ConquestEffects {
    using Army for uint256[7];
    using Fields for Field;
    using LandGraph for bytes;
    using TurnBits for uint104;

    /// @dev Number of land types that bring a hero.
    uint256 private constant _TYPES = 4;

    // ---- from storage and back

    /// @return field with `low` and `high`, without army and graph
    function loadField(
        World storage world,
        uint48 matchId,
        Match.MatchState memory state
    ) internal view returns (Field memory field) {
        (field.matchId, field.state) = (matchId, state);
        (field.low, field.high) = (world.low, world.high);
    }

    function loadArmy(Field memory field, World storage world) internal view {
        uint256 lands = field.graph.lands();
        for (uint256 index; index * Army.PER_WORD < lands; ++index) {
            field.emittedArmy[index] = field.army[index] = world.army[index];
        }
    }

    function save(Field memory field, World storage world) internal {
        if (world.low != field.low) world.low = field.low;
        if (world.high != field.high) world.high = field.high;
    }

    function saveArmy(Field memory field, World storage world) internal {
        for (uint256 index; index < Army.WORDS; ++index) {
            if (world.army[index] != field.army[index]) world.army[index] = field.army[index];
        }
    }

    function requireLand(Field memory field, uint8 land) internal pure {
        uint256 lands = field.graph.lands();
        if (land >= lands) revert IConquest.NoSuchLand(land, lands);
    }

    // ---- events

    function emitPhase(Field memory field, uint8 phase, uint8 draw) internal {
        Match.MatchState memory state = field.state;
        state.game = state.game.setPhase(phase);
        if (draw != TurnBits.NO_DRAW) state.game = state.game.openDraw(draw);
        emit IConquest.Phase(field.matchId, ++state.seq, state.mover, phase, draw);
    }

    /// @dev Emits nothing if no land has changed since the last event.
    function emitArmy(Field memory field) internal {
        bytes memory changes = field.emittedArmy.changes(field.army);
        if (changes.length == 0) return;
        emit IConquest.Soldiers(field.matchId, ++field.state.seq, changes);
        for (uint256 index; index < Army.WORDS; ++index) field.emittedArmy[index] = field.army[index];
    }

    // ---- lands

    function transferLands(Field memory field, uint256 lands, uint8 from, uint8 to) internal {
        field.setOwner(lands, to);
        emit IConquest.LandsTaken(field.matchId, ++field.state.seq, uint96(lands), from, to);
    }

    /// @dev If a hero stood on the land, it dies and all soldiers of its seat are halved. Needs the
    /// army.
    function killHeroOn(Field memory field, uint256 land, uint8 owner) internal {
        if (field.hero(owner) == land) {
            emit IConquest.HeroDied(field.matchId, ++field.state.seq, owner, uint8(land));
            field.setHero(owner, Fields.NO_LAND);
            field.army.halve(field.owned(owner));
        }
        emitArmy(field);
    }

    /// @dev Gives a seat its hero if it owns lands of four types, once per match. Needs the graph.
    function grantHeroIfEarned(Field memory field, uint8 seat) internal {
        Match.MatchState memory state = field.state;
        if ((state.game.hadHero() >> seat) & 1 == 1) return;
        uint8 capital = field.capital(seat);
        if (capital == Fields.NO_LAND || field.graph.countTypes(field.owned(seat)) < _TYPES) return;
        state.game = state.game.setHadHero(seat);
        field.setHero(seat, capital);
        emit IConquest.HeroAt(field.matchId, ++state.seq, seat, capital);
    }

    // ---- seats

    /// @param to the seat that gets the lands; if nobody, they become neutral
    function eliminate(Field memory field, uint8 seat, uint8 to, IMatch.Reason reason) internal {
        field.state.game = field.state.game.clearAlive(seat);
        field.clearSeat(seat);
        emit IConquest.PlayerOut(field.matchId, ++field.state.seq, seat, to, reason);
        uint256 lands = field.owned(seat);
        if (lands != 0) transferLands(field, lands, seat, to);
    }
}
