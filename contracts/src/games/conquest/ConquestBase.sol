// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConquestDraws} from "./ConquestDraws.sol";
import {ConquestEffects} from "./ConquestEffects.sol";
import {ConquestLobby} from "./ConquestLobby.sol";
import {ConquestStrikes} from "./ConquestStrikes.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {Position, Positions, World} from "./rules/Position.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title The first and last steps that all commands of Conquest share, and the order of turns
abstract contract ConquestBase is ConquestLobby {
    using ConquestEffects for Position;
    using Positions for Position;
    using LandGraph for bytes;
    using TurnBits for uint104;

    /// @notice The maximum number of commands in a match. If a turn ends when there have been this
    /// many commands or more, the match is a draw.
    uint32 public constant MAX_PLIES = 5000;
    /// @notice The number of forced passes in a row after which a seat is out of the match.
    uint8 public constant MAX_FORCED = 3;

    uint8 internal constant CHOOSE_CAPITAL = 0;
    uint8 internal constant REINFORCE = 1;
    uint8 internal constant BUILD_PORT = 2;
    uint8 internal constant PASS = 3;
    uint8 internal constant SURRENDER = 4;
    uint8 internal constant ATTACK = 5;
    uint8 internal constant MOVE = 6;
    uint8 internal constant USE_ITEM = 7;

    /// @dev The data of the command `pass`: what the pass ends, or that it was forced.
    uint8 internal constant PASS_TURN = 0;
    uint8 internal constant PASS_PHASE = 1;
    uint8 internal constant PASS_FORCED = 2;

    /// @dev The value of `needed` for commands that are possible in any phase of a turn.
    uint8 internal constant ANY_PHASE = 255;
    /// @dev The value of `needed` for commands that are possible in any phase, including the choice
    /// of capitals.
    uint8 internal constant ANY_PHASE_OR_CAPITALS = 254;

    // ---- the start of a command

    /// @dev Starts a command: carries out the open random draw, if any, and checks the command.
    /// Reverts unless the sender acts for the mover and the command names the current position.
    /// @param needed the phase in which the command is possible; it can also be ANY_PHASE or
    /// ANY_PHASE_OR_CAPITALS
    function _beginCommand(uint48 matchId, uint32 ply, uint32 trail, uint8 needed)
        internal
        returns (Position memory position)
    {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        if (state.game.draw() == TurnBits.FIRST) {
            if (ply != state.ply) revert StaleMove(state.ply, ply);
            state = _carryOut(matchId, state);
        }
        _requireTurn(matchId, state, ply);
        if (state.game.draw() != TurnBits.NO_DRAW) {
            state = _carryOut(matchId, state);
            _requireStatus(matchId, state, Status.Playing);
        }
        uint32 current = state.game.trail();
        if (trail != current) revert OtherPosition(current, trail);
        uint8 phase = state.game.phase();
        bool wrong =
            needed == ANY_PHASE ? phase == TurnBits.CAPITALS : needed != ANY_PHASE_OR_CAPITALS && phase != needed;
        if (wrong) revert WrongPhase(phase, needed);
        return ConquestEffects.loadPosition(_worlds[matchId], matchId, state);
    }

    /// @dev Carries out the open draw. Ends the match if the draw leaves only one living seat.
    function _carryOut(uint48 matchId, MatchState memory state) internal returns (MatchState memory) {
        World storage world = _worlds[matchId];
        address map = _mapOf(matchId);
        if (state.game.draw() != TurnBits.BATTLE) return ConquestDraws.carryOut(world, matchId, state, map);
        state = ConquestStrikes.carryOut(world, matchId, state, map);
        if (state.game.isOver()) _win(matchId, state, Reason.Won);
        return state;
    }

    function _requireOwn(Position memory position, uint8 land) internal pure {
        uint8 owner = position.ownerOf(land);
        if (owner != position.state.mover) revert NotYourLand(land, owner);
    }

    // ---- the end of a command

    /// @dev Adds a command to the trail, emits it as an event and restarts the mover's clock.
    function _recordCommand(Position memory position, uint8 kind, bytes memory data) internal {
        MatchState memory state = position.state;
        uint8 seat = state.mover;
        uint32 trail = uint32(bytes4(keccak256(abi.encodePacked(state.game.trail(), kind, seat, data))));
        state.game = state.game.setTrail(trail);
        emit Commanded(position.matchId, ++state.seq, state.ply++, kind, seat, data, trail);
        _restartClock(state);
    }

    /// @dev Records a command that the player gave, and resets the count of the seat's forced
    /// passes in a row.
    function _recordPlayerCommand(Position memory position, uint8 kind, bytes memory data) internal {
        _recordCommand(position, kind, data);
        if (position.forcedPasses(position.state.mover) != 0) position.setForcedPasses(position.state.mover, 0);
    }

    function _savePosition(Position memory position) internal {
        position.save(_worlds[position.matchId]);
        _save(position.matchId, position.state);
    }

    /// @dev Ends the action phase. With item 3, the phase continues until the mover has both
    /// attacked and built a port.
    function _endAction(Position memory position, bool otherDone, uint8 draw) internal {
        bool more = position.state.game.isInEffect(3) && !otherDone;
        position.emitPhase(more ? TurnBits.ACTION : TurnBits.MOVE, draw);
    }

    /// @dev Ends a turn. The next turn belongs to the next living seat or, if `again` (because of
    /// item 4), to the same seat.
    function _endTurn(Position memory position, bool again) internal {
        MatchState memory state = position.state;
        if (state.ply >= MAX_PLIES) return _endMatch(position.matchId, state, address(0), Reason.Draw);
        if (!again) state.mover = state.game.nextSeat(state.mover);
        _beginTurn(position);
    }

    function _beginTurn(Position memory position) private {
        position.state.game = position.state.game.resetTurn();
        position.emitPhase(TurnBits.REINFORCEMENT, TurnBits.TURN);
    }

    /// @dev Ends a seat's choice of a capital. The next seat chooses. After the last choice, the
    /// first seat begins its turn. If the first seat is out, the next living seat begins.
    function _endCapitalChoice(Position memory position) internal {
        MatchState memory state = position.state;
        (uint8 chooser, bool found) = state.game.nextChooser(state.mover);
        if (found) {
            state.mover = chooser;
            return position.emitPhase(TurnBits.CAPITALS, TurnBits.NO_DRAW);
        }
        uint8 first = state.game.firstSeat();
        state.mover = state.game.isAlive(first) ? first : state.game.nextSeat(first);
        _beginTurn(position);
    }

    /// @dev Eliminates the seat to move from the match. The seat's lands become neutral.
    function _eliminateMover(Position memory position, Reason reason) internal {
        MatchState memory state = position.state;
        position.eliminate(state.mover, Positions.NOBODY, reason);
        if (state.game.isOver()) _win(position.matchId, state, reason);
        else if (state.game.phase() == TurnBits.CAPITALS) _endCapitalChoice(position);
        else _endTurn(position, false);
    }

    /// @dev Ends the match. The last living seat wins.
    function _win(uint48 matchId, MatchState memory state, Reason reason) private {
        _endMatch(matchId, state, _playerAt(matchId, state.game.nextSeat(state.mover)), reason);
    }

    function _endMatch(uint48 matchId, MatchState memory state, address winner, Reason reason) private {
        _end(matchId, state, winner, reason);
        state.mover = NOBODY;
    }
}
