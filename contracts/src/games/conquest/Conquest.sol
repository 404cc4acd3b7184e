// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISessions} from "../../ISessions.sol";
import {Match} from "../../Match.sol";
import {ConquestBase} from "./ConquestBase.sol";
import {ConquestBoard} from "./ConquestBoard.sol";
import {ConquestDraws} from "./ConquestDraws.sol";
import {ConquestEffects} from "./ConquestEffects.sol";
import {ConquestLobby} from "./ConquestLobby.sol";
import {ConquestStrikes} from "./ConquestStrikes.sol";
import {IConquest} from "./IConquest.sol";
import {Army} from "./rules/Army.sol";
import {Field, Fields, World} from "./rules/Field.sol";
import {Items} from "./rules/Items.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {LandSet} from "./rules/LandSet.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title The commands and views of Conquest
contract Conquest is ConquestBase {
    using Army for uint256[7];
    using ConquestEffects for Field;
    using Fields for Field;
    using Items for uint256;
    using LandGraph for bytes;
    using TurnBits for uint104;

    uint256 private constant _REINFORCEMENT_PER_LAND = 3;
    uint256 private constant _QUARTERS = 4;

    constructor(
        ISessions sessions,
        uint48 firstMatch
    ) Match(sessions, firstMatch) ConquestLobby(firstMatch) {}

    // ---- commands

    /// @inheritdoc IConquest
    function chooseCapital(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external nonReentrant {
        Field memory field = _beginCommandWithMap(matchId, ply, trail, TurnBits.CAPITALS);
        field.requireLand(land);
        uint8 owner = field.ownerOf(land);
        if (owner != NOBODY) revert NotNeutral(land, owner);
        _recordPlayerCommand(field, CHOOSE_CAPITAL, abi.encodePacked(land));
        field.setCapital(field.state.mover, land);
        field.transferLands(1 << land, NOBODY, field.state.mover);
        _endCapitalChoice(field);
        _saveField(field);
    }

    /// @inheritdoc IConquest
    function reinforce(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external nonReentrant {
        Field memory field = _beginCommandWithMap(matchId, ply, trail, TurnBits.REINFORCEMENT);
        field.requireLand(land);
        _requireOwn(field, land);
        _recordPlayerCommand(field, REINFORCE, abi.encodePacked(land));
        uint256 more = _REINFORCEMENT_PER_LAND * LandSet.size(field.owned(field.state.mover));
        uint256 soldiers = _load(field, land) + more;
        field.army.set(land, soldiers < Army.MAXIMUM ? soldiers : Army.MAXIMUM);
        field.emitArmy();
        _store(field, land);
        field.emitPhase(TurnBits.ACTION, TurnBits.NO_DRAW);
        _saveField(field);
    }

    /// @inheritdoc IConquest
    function buildPort(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external nonReentrant {
        Field memory field = _beginCommandWithMap(matchId, ply, trail, TurnBits.ACTION);
        MatchState memory state = field.state;
        field.requireLand(land);
        if (state.game.built()) revert OncePerTurn(BUILD_PORT);
        _requireOwn(field, land);
        if (field.graph.shores(land) == 0) revert NoWater(land);
        if ((field.ports() >> land) & 1 == 1) revert PortThere(land);
        _recordPlayerCommand(field, BUILD_PORT, abi.encodePacked(land));
        field.addPort(land);
        emit PortBuilt(matchId, ++state.seq, land);
        state.game = state.game.setBuilt();
        _endAction(field, state.game.attacked(), TurnBits.NO_DRAW);
        _saveField(field);
    }

    /// @inheritdoc IConquest
    function pass(uint48 matchId, uint32 ply, uint32 trail, bool phaseOnly) external nonReentrant {
        Field memory field = _beginCommand(matchId, ply, trail, phaseOnly ? TurnBits.ACTION : ANY_PHASE);
        _recordPlayerCommand(field, PASS, abi.encodePacked(phaseOnly ? PASS_PHASE : PASS_TURN));
        if (phaseOnly) field.emitPhase(TurnBits.MOVE, TurnBits.NO_DRAW);
        else _endTurn(field, field.state.game.isInEffect(4));
        _saveField(field);
    }

    /// @inheritdoc IConquest
    function surrender(uint48 matchId, uint32 ply, uint32 trail) external nonReentrant {
        Field memory field = _beginCommand(matchId, ply, trail, ANY_PHASE_OR_CAPITALS);
        _recordPlayerCommand(field, SURRENDER, "");
        _eliminateMover(field, Reason.Resigned);
        _saveField(field);
    }

    /// @inheritdoc IConquest
    function useItem(uint48 matchId, uint32 ply, uint32 trail) external nonReentrant {
        Field memory field = _beginCommand(matchId, ply, trail, ANY_PHASE);
        MatchState memory state = field.state;
        uint8 item = field.storedItem(state.mover);
        if (item == 0) revert NoItem();
        _recordPlayerCommand(field, USE_ITEM, "");
        field.setStoredItem(state.mover, 0);
        state.game = state.game.setUsed(item);
        emit ItemUsed(matchId, ++state.seq, state.mover, item);
        _saveField(field);
    }

    /// @inheritdoc IConquest
    function capture(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to) external nonReentrant {
        Field memory field = _beginCommandWithMap(matchId, ply, trail, TurnBits.ACTION);
        MatchState memory state = field.state;
        field.requireLand(from);
        field.requireLand(to);
        if (state.game.attacked()) revert OncePerTurn(ATTACK);
        _requireOwn(field, from);
        uint8 owner = field.ownerOf(to);
        if (owner != NOBODY) revert NotNeutral(to, owner);
        if (!state.game.isInEffect(1) && field.connectionOf(from, to) == Fields.NO_CONNECTION) {
            revert NotConnected(from, to);
        }
        _recordPlayerCommand(field, ATTACK, abi.encodePacked(from, to));
        field.transferLands(1 << to, NOBODY, state.mover);
        state.game = state.game.setAttacked();
        field.grantHeroIfEarned(state.mover);
        uint8 draw = _collect(field, to);
        _endAction(field, field.state.game.built(), draw);
        _saveField(field);
    }

    /// @inheritdoc IConquest
    function attack(uint48 matchId, uint32 ply, uint32 trail, bytes calldata pairs) external nonReentrant {
        Field memory field = _beginCommand(matchId, ply, trail, TurnBits.ACTION);
        ConquestStrikes.launch(_worlds[matchId], matchId, field.state, _mapOf(matchId), pairs);
        _recordPlayerCommand(field, ATTACK, pairs);
        field.state.game = field.state.game.setAttacked();
        field.emitPhase(TurnBits.ACTION, TurnBits.BATTLE);
        _saveField(field);
    }

    /// @inheritdoc IConquest
    function move(
        uint48 matchId,
        uint32 ply,
        uint32 trail,
        uint8 from,
        uint8 to,
        uint8 quarters,
        bool hero
    ) external nonReentrant {
        Field memory field = _beginCommandWithMap(matchId, ply, trail, TurnBits.MOVE);
        field.requireLand(from);
        field.requireLand(to);
        if (quarters == 0 || quarters > _QUARTERS) revert BadRatio(quarters);
        _requireOwn(field, from);
        _requireOwn(field, to);
        if (field.connectionOf(from, to) == Fields.NO_CONNECTION) revert NotConnected(from, to);
        uint8 seat = field.state.mover;
        if (hero && field.hero(seat) != from) revert NoHero(from);
        uint256 soldiers = (_load(field, from) * quarters) / _QUARTERS;
        uint256 room = Army.MAXIMUM - _load(field, to);
        if (soldiers > room) soldiers = room;
        if (soldiers == 0 && !hero) revert NothingToMove(from);
        _recordPlayerCommand(field, MOVE, abi.encodePacked(from, to, quarters, hero));
        field.army.set(from, field.army.soldiersOn(from) - soldiers);
        field.army.set(to, field.army.soldiersOn(to) + soldiers);
        field.emitArmy();
        _store(field, from);
        _store(field, to);
        if (hero) {
            field.setHero(seat, to);
            emit HeroAt(matchId, ++field.state.seq, seat, to);
        }
        _endTurn(field, field.state.game.isInEffect(4));
        _saveField(field);
    }

    // ---- callable by anybody

    /// @inheritdoc IConquest
    function settle(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        if (state.game.draw() == TurnBits.NO_DRAW) revert NothingToSettle();
        _save(matchId, _carryOut(matchId, state));
    }

    /// @inheritdoc IConquest
    function claimTimeout(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        _requireExpired(state);
        if (state.game.draw() != TurnBits.NO_DRAW) state = _carryOut(matchId, state);
        if (state.status != Status.Playing) return _save(matchId, state);
        Field memory field = ConquestEffects.loadField(_worlds[matchId], matchId, state);
        _recordCommand(field, PASS, abi.encodePacked(PASS_FORCED));
        uint8 passes = field.forcedPasses(state.mover) + 1;
        if (state.game.phase() == TurnBits.CAPITALS || passes == MAX_FORCED) {
            _eliminateMover(field, Reason.Timeout);
        } else {
            field.setForcedPasses(state.mover, passes);
            _endTurn(field, false);
        }
        _saveField(field);
    }

    // ---- views

    /// @inheritdoc IConquest
    function board(uint48 matchId) external view returns (BoardView memory shown) {
        bytes memory answer = ConquestBoard.show(_worlds[matchId], _players[matchId], _load(matchId), _mapOf(matchId));
        assembly ("memory-safe") {
            return(add(answer, 0x20), mload(answer))
        }
    }

    /// @inheritdoc IConquest
    function mapOf(uint48 matchId) external view returns (bytes memory graph) {
        _load(matchId);
        return LandGraph.load(_mapOf(matchId));
    }

    /// @inheritdoc IConquest
    function connection(uint48 matchId, uint8 from, uint8 to) external view returns (uint8) {
        return ConquestBoard.connection(_worlds[matchId], _load(matchId), _mapOf(matchId), from, to);
    }

    /// @inheritdoc IConquest
    function powers(
        uint48 matchId,
        uint8 from,
        uint8 to
    ) external view returns (uint256 attack20, uint256 defence20) {
        return ConquestBoard.powers(_worlds[matchId], _load(matchId), _mapOf(matchId), from, to);
    }

    // ---- helpers

    function _beginCommandWithMap(
        uint48 matchId,
        uint32 ply,
        uint32 trail,
        uint8 needed
    ) private returns (Field memory field) {
        field = _beginCommand(matchId, ply, trail, needed);
        field.graph = LandGraph.load(_mapOf(matchId));
    }

    /// @dev Takes the item from a captured land. The fat bonus takes effect immediately; the kind
    /// of any other item has to be drawn.
    /// @return draw the draw that is open afterwards
    function _collect(Field memory field, uint8 land) private returns (uint8 draw) {
        World storage world = _worlds[field.matchId];
        uint256 items = world.items;
        if (items == 0) return TurnBits.NO_DRAW;
        (bool found, bool fat, uint256 others) = items.remove(land);
        if (!found) return TurnBits.NO_DRAW;
        world.items = others;
        if (!fat) {
            world.pairs = land;
            return TurnBits.COLLECT;
        }
        field.save(world);
        address map = _mapOf(field.matchId);
        field.state = ConquestDraws.collectFat(world, field.matchId, field.state, map, land);
        (field.low, field.high) = (world.low, world.high);
    }

    /// @dev Loads the storage word of one land.
    function _load(Field memory field, uint8 land) private view returns (uint256) {
        uint256 index = land / Army.PER_WORD;
        field.emittedArmy[index] = field.army[index] = _worlds[field.matchId].army[index];
        return field.army.soldiersOn(land);
    }

    function _store(Field memory field, uint8 land) private {
        uint256 index = land / Army.PER_WORD;
        _worlds[field.matchId].army[index] = field.army[index];
    }
}
