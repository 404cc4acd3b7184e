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
import {Items} from "./rules/Items.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {LandSet} from "./rules/LandSet.sol";
import {Position, Positions, World} from "./rules/Position.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title The functions of Conquest that players call
contract Conquest is ConquestBase {
    using Army for uint256[7];
    using ConquestEffects for Position;
    using Positions for Position;
    using Items for uint256;
    using LandGraph for bytes;
    using TurnBits for uint104;

    uint256 private constant _REINFORCEMENT_PER_LAND = 3;
    uint256 private constant _QUARTERS = 4;

    constructor(ISessions sessions, uint48 firstMatch) Match(sessions, firstMatch) ConquestLobby(firstMatch) {}

    // ---- commands

    /// @inheritdoc IConquest
    function chooseCapital(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external nonReentrant {
        Position memory position = _beginCommandWithMap(matchId, ply, trail, TurnBits.CAPITALS);
        position.requireLand(land);
        uint8 owner = position.ownerOf(land);
        if (owner != NOBODY) revert NotNeutral(land, owner);
        _recordPlayerCommand(position, CHOOSE_CAPITAL, abi.encodePacked(land));
        position.setCapital(position.state.mover, land);
        position.transferLands(1 << land, NOBODY, position.state.mover);
        _endCapitalChoice(position);
        _savePosition(position);
    }

    /// @inheritdoc IConquest
    function reinforce(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external nonReentrant {
        Position memory position = _beginCommandWithMap(matchId, ply, trail, TurnBits.REINFORCEMENT);
        position.requireLand(land);
        _requireOwn(position, land);
        _recordPlayerCommand(position, REINFORCE, abi.encodePacked(land));
        uint256 more = _REINFORCEMENT_PER_LAND * LandSet.size(position.owned(position.state.mover));
        uint256 soldiers = _load(position, land) + more;
        position.army.set(land, soldiers < Army.MAXIMUM ? soldiers : Army.MAXIMUM);
        position.emitArmy();
        _store(position, land);
        position.emitPhase(TurnBits.ACTION, TurnBits.NO_DRAW);
        _savePosition(position);
    }

    /// @inheritdoc IConquest
    function buildPort(uint48 matchId, uint32 ply, uint32 trail, uint8 land) external nonReentrant {
        Position memory position = _beginCommandWithMap(matchId, ply, trail, TurnBits.ACTION);
        MatchState memory state = position.state;
        position.requireLand(land);
        if (state.game.built()) revert OncePerTurn(BUILD_PORT);
        _requireOwn(position, land);
        if (position.graph.shores(land) == 0) revert NoWater(land);
        if ((position.ports() >> land) & 1 == 1) revert PortThere(land);
        _recordPlayerCommand(position, BUILD_PORT, abi.encodePacked(land));
        position.addPort(land);
        emit PortBuilt(matchId, ++state.seq, land);
        state.game = state.game.setBuilt();
        _endAction(position, state.game.attacked(), TurnBits.NO_DRAW);
        _savePosition(position);
    }

    /// @inheritdoc IConquest
    function pass(uint48 matchId, uint32 ply, uint32 trail, bool phaseOnly) external nonReentrant {
        Position memory position = _beginCommand(matchId, ply, trail, phaseOnly ? TurnBits.ACTION : ANY_PHASE);
        _recordPlayerCommand(position, PASS, abi.encodePacked(phaseOnly ? PASS_PHASE : PASS_TURN));
        if (phaseOnly) position.emitPhase(TurnBits.MOVE, TurnBits.NO_DRAW);
        else _endTurn(position, position.state.game.isInEffect(4));
        _savePosition(position);
    }

    /// @inheritdoc IConquest
    function surrender(uint48 matchId, uint32 ply, uint32 trail) external nonReentrant {
        Position memory position = _beginCommand(matchId, ply, trail, ANY_PHASE_OR_CAPITALS);
        _recordPlayerCommand(position, SURRENDER, "");
        _eliminateMover(position, Reason.Resigned);
        _savePosition(position);
    }

    /// @inheritdoc IConquest
    function useItem(uint48 matchId, uint32 ply, uint32 trail) external nonReentrant {
        Position memory position = _beginCommand(matchId, ply, trail, ANY_PHASE);
        MatchState memory state = position.state;
        uint8 item = position.storedItem(state.mover);
        if (item == 0) revert NoItem();
        _recordPlayerCommand(position, USE_ITEM, "");
        position.setStoredItem(state.mover, 0);
        state.game = state.game.setUsed(item);
        emit ItemUsed(matchId, ++state.seq, state.mover, item);
        _savePosition(position);
    }

    /// @inheritdoc IConquest
    function capture(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to) external nonReentrant {
        Position memory position = _beginCommandWithMap(matchId, ply, trail, TurnBits.ACTION);
        MatchState memory state = position.state;
        position.requireLand(from);
        position.requireLand(to);
        if (state.game.attacked()) revert OncePerTurn(ATTACK);
        _requireOwn(position, from);
        uint8 owner = position.ownerOf(to);
        if (owner != NOBODY) revert NotNeutral(to, owner);
        if (!state.game.isInEffect(1) && position.connectionOf(from, to) == Positions.NO_CONNECTION) {
            revert NotConnected(from, to);
        }
        _recordPlayerCommand(position, ATTACK, abi.encodePacked(from, to));
        position.transferLands(1 << to, NOBODY, state.mover);
        state.game = state.game.setAttacked();
        position.grantHeroIfEarned(state.mover);
        uint8 draw = _collect(position, to);
        _endAction(position, position.state.game.built(), draw);
        _savePosition(position);
    }

    /// @inheritdoc IConquest
    function attack(uint48 matchId, uint32 ply, uint32 trail, bytes calldata pairs) external nonReentrant {
        Position memory position = _beginCommand(matchId, ply, trail, TurnBits.ACTION);
        ConquestStrikes.launch(_worlds[matchId], matchId, position.state, _mapOf(matchId), pairs);
        _recordPlayerCommand(position, ATTACK, pairs);
        position.state.game = position.state.game.setAttacked();
        position.emitPhase(TurnBits.ACTION, TurnBits.BATTLE);
        _savePosition(position);
    }

    /// @inheritdoc IConquest
    function move(uint48 matchId, uint32 ply, uint32 trail, uint8 from, uint8 to, uint8 quarters, bool hero)
        external
        nonReentrant
    {
        Position memory position = _beginCommandWithMap(matchId, ply, trail, TurnBits.MOVE);
        position.requireLand(from);
        position.requireLand(to);
        if (quarters == 0 || quarters > _QUARTERS) revert BadRatio(quarters);
        _requireOwn(position, from);
        _requireOwn(position, to);
        if (position.connectionOf(from, to) == Positions.NO_CONNECTION) revert NotConnected(from, to);
        uint8 seat = position.state.mover;
        if (hero && position.hero(seat) != from) revert NoHero(from);
        uint256 soldiers = (_load(position, from) * quarters) / _QUARTERS;
        uint256 room = Army.MAXIMUM - _load(position, to);
        if (soldiers > room) soldiers = room;
        if (soldiers == 0 && !hero) revert NothingToMove(from);
        _recordPlayerCommand(position, MOVE, abi.encodePacked(from, to, quarters, hero));
        position.army.set(from, position.army.soldiersOn(from) - soldiers);
        position.army.set(to, position.army.soldiersOn(to) + soldiers);
        position.emitArmy();
        _store(position, from);
        _store(position, to);
        if (hero) {
            position.setHero(seat, to);
            emit HeroAt(matchId, ++position.state.seq, seat, to);
        }
        _endTurn(position, position.state.game.isInEffect(4));
        _savePosition(position);
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
        Position memory position = ConquestEffects.loadPosition(_worlds[matchId], matchId, state);
        _recordCommand(position, PASS, abi.encodePacked(PASS_FORCED));
        uint8 passes = position.forcedPasses(state.mover) + 1;
        if (state.game.phase() == TurnBits.CAPITALS || passes == MAX_FORCED) {
            _eliminateMover(position, Reason.Timeout);
        } else {
            position.setForcedPasses(state.mover, passes);
            _endTurn(position, false);
        }
        _savePosition(position);
    }

    // ---- views

    /// @inheritdoc IConquest
    function board(uint48 matchId) external view returns (BoardView memory) {
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
    function powers(uint48 matchId, uint8 from, uint8 to) external view returns (uint256 attack20, uint256 defence20) {
        return ConquestBoard.powers(_worlds[matchId], _load(matchId), _mapOf(matchId), from, to);
    }

    // ---- helpers

    function _beginCommandWithMap(uint48 matchId, uint32 ply, uint32 trail, uint8 needed)
        private
        returns (Position memory position)
    {
        position = _beginCommand(matchId, ply, trail, needed);
        position.graph = LandGraph.load(_mapOf(matchId));
    }

    /// @dev Collects the item, if there is one, from a captured land. The fat bonus takes effect
    /// immediately. A later random draw decides the type of any other item.
    /// @return draw the kind of draw that decides the item's type; NO_DRAW if no draw is needed
    function _collect(Position memory position, uint8 land) private returns (uint8 draw) {
        World storage world = _worlds[position.matchId];
        uint256 items = world.items;
        if (items == 0) return TurnBits.NO_DRAW;
        (bool found, bool fat, uint256 others) = items.remove(land);
        if (!found) return TurnBits.NO_DRAW;
        world.items = others;
        if (!fat) {
            world.pairs = land;
            return TurnBits.COLLECT;
        }
        position.save(world);
        address map = _mapOf(position.matchId);
        position.state = ConquestDraws.collectFat(world, position.matchId, position.state, map, land);
        (position.low, position.high) = (world.low, world.high);
    }

    /// @dev Loads the storage word that contains the number of soldiers on a land, and returns this
    /// number.
    function _load(Position memory position, uint8 land) private view returns (uint256) {
        uint256 index = land / Army.PER_WORD;
        position.emittedArmy[index] = position.army[index] = _worlds[position.matchId].army[index];
        return position.army.soldiersOn(land);
    }

    function _store(Position memory position, uint8 land) private {
        uint256 index = land / Army.PER_WORD;
        _worlds[position.matchId].army[index] = position.army[index];
    }
}
