// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {DeblockleRules} from "./DeblockleRules.sol";
import {IDeblockle} from "./IDeblockle.sol";
import {Position} from "./Position.sol";

/// @title The storage and views of Deblockle, and the computation of streams and amounts due
/// @dev `MatchState.game` contains the position. After the match, `MatchState.mover` is the
/// winner's seat; after a draw, it has no meaning. The clock runs for a whole turn. In a match with
/// a stake, the start of the turn is therefore the deadline minus the clock.
abstract contract DeblockleBase is IDeblockle, Duel {
    using Position for uint256;

    /// @dev The stakes of a match, in three storage slots. The end of a turn writes only the first
    /// slot.
    /// @param streamed the seconds for which each deposit has streamed in finished turns, 32 bits
    /// per seat
    /// @param withdrawn the amounts that the players have withdrawn so far, by seat
    struct Stake {
        uint96 amount;
        uint96 rate;
        uint64 streamed;
        address token;
        uint128[2] withdrawn;
    }

    mapping(uint48 matchId => Stake stake) internal _stakes;

    // ---- streams

    // The seconds of a seat have at most 32 bits, see `_streamedSeconds`.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Adds the seconds of the current turn to the seconds for which the waiting player's
    /// deposit has streamed. Call this at the end of a turn.
    function _recordStreamed(uint48 matchId, MatchState memory state) internal {
        uint256 position = state.game;
        if (!position.staked()) return;
        uint8 waitingSeat = 1 - state.mover;
        Stake storage stake = _stakes[matchId];
        uint256 streamedBySeat = stake.streamed;
        uint256 total = _streamedSeconds(state, streamedBySeat, waitingSeat);
        unchecked {
            streamedBySeat &= uint256(type(uint32).max) << (32 * state.mover);
            stake.streamed = uint64(streamedBySeat | (total << (32 * waitingSeat)));
        }
        emit Streamed(matchId, ++state.seq, _playerAt(matchId, waitingSeat), uint32(total));
    }

    // The conversion of `streamed` selects the seconds of one seat, and a time fits in 40 bits.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Returns the time from which the timeout can be claimed: the clock's deadline, or the
    /// time when the waiting player's deposit has run out, whichever is earlier.
    function _effectiveDeadline(uint48 matchId, MatchState memory state) internal view returns (uint40) {
        uint256 position = state.game;
        if (state.status != Status.Playing || !position.staked()) return state.deadline;
        Stake storage stake = _stakes[matchId];
        uint256 duration = (uint256(stake.amount) + stake.rate - 1) / stake.rate;
        uint256 before = uint32(stake.streamed >> (32 * (1 - state.mover)));
        uint256 left = duration > before ? duration - before : 0;
        return left < state.clock ? uint40(_turnStart(state) + left) : state.deadline;
    }

    // The conversion selects the seconds of one seat.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Returns the seconds for which the seat's deposit has streamed, including the current
    /// turn. The limit of 2^32 - 1 also applies during a turn, so that the result doesn't decrease
    /// when the turn ends.
    function _streamedSeconds(MatchState memory state, uint256 streamedBySeat, uint8 seat)
        private
        view
        returns (uint256 total)
    {
        total = uint32(streamedBySeat >> (32 * seat));
        if (state.status == Status.Playing && seat != state.mover) total += block.timestamp - _turnStart(state);
        if (total > type(uint32).max) total = type(uint32).max;
    }

    function _turnStart(MatchState memory state) private pure returns (uint256) {
        return state.deadline - state.clock;
    }

    /// @dev Returns the part of the seat's deposit that has streamed back so far.
    function _refunded(MatchState memory state, Stake memory stake, uint8 seat) private view returns (uint256) {
        uint256 amount = _streamedSeconds(state, stake.streamed, seat) * stake.rate;
        return amount < stake.amount ? amount : stake.amount;
    }

    /// @dev Returns the total that the seat has earned so far, including withdrawn amounts. This
    /// total never decreases. After the match, the totals of both seats add up to the two deposits.
    function _earned(MatchState memory state, Stake memory stake, uint8 seat) private view returns (uint256) {
        if (state.status == Status.Open) return 0;
        if (state.status == Status.Cancelled) return seat == 0 ? stake.amount : 0;
        if (state.status == Status.Finished) {
            if (state.reason == Reason.Draw) return stake.amount;
            if (seat == state.mover) return 2 * uint256(stake.amount) - _refunded(state, stake, 1 - seat);
        }
        return _refunded(state, stake, seat);
    }

    /// @return the amount that the seat can withdraw now
    function _due(MatchState memory state, Stake memory stake, uint8 seat) internal view returns (uint256) {
        return _earned(state, stake, seat) - stake.withdrawn[seat];
    }

    // ---- terms

    /// @dev Reverts unless the match has the terms that the call names. After a reorg, another
    /// match can have the same number.
    function _requireTerms(
        uint48 matchId,
        MatchState memory state,
        uint8 cubes,
        uint8 ruleset,
        address token,
        uint96 stake,
        uint96 rate,
        uint24 clock
    ) internal view {
        Stake storage terms = _stakes[matchId];
        if (token != terms.token) revert WrongToken(token, terms.token);
        if (stake != terms.amount) revert WrongStake(stake, terms.amount);
        uint256 position = state.game;
        (uint8 size, uint8 own) = (uint8(position.cubesPerPlayer()), uint8(_ruleset(position)));
        if (cubes != size || ruleset != own || rate != terms.rate || clock != state.clock) {
            revert OtherTerms(size, own, terms.rate, state.clock);
        }
    }

    // ---- views

    /// @inheritdoc IDeblockle
    function board(uint48 matchId) external view returns (BoardView memory shown) {
        MatchState memory state = _load(matchId);
        Stake memory stake = _stakes[matchId];
        uint256 position = state.game;
        (shown.seq, shown.status, shown.reason) = (state.seq, state.status, state.reason);
        (shown.ply, shown.clock, shown.deadline) = (state.ply, state.clock, _effectiveDeadline(matchId, state));
        (shown.token, shown.stake, shown.rate) = (stake.token, stake.amount, stake.rate);
        (shown.passes, shown.quiet) = (uint8(position.passes()), uint8(position.quiet()));
        shown.ruleset = _ruleset(position);
        shown.cubes = uint8(position.cubesPerPlayer());
        (shown.phase, shown.hopper) = (_phase(state), uint8(Position.NO_CUBE));
        if (state.status == Status.Playing) {
            (shown.mover, shown.hopper) = (_playerAt(matchId, state.mover), uint8(position.hopper()));
            if (shown.phase == Phase.Roll) shown.rolls = uint16(DeblockleRules.rolls(position, state.mover));
            else shown.hops = uint64(DeblockleRules.hops(position, shown.hopper));
        } else if (state.status == Status.Finished && state.reason != Reason.Draw) {
            shown.winner = _playerAt(matchId, state.mover);
        }
        for (uint8 seat; seat < 2; ++seat) {
            shown.players[seat] = _playerAt(matchId, seat);
            shown.streamed[seat] = uint32(stake.streamed >> (32 * seat));
        }
        shown.withdrawn = stake.withdrawn;
        shown.left = _cubes(position);
    }

    /// @inheritdoc IDeblockle
    function gameState(uint48 matchId) external view returns (Phase phase, uint8 activePlayer, Cube[] memory cubes) {
        MatchState memory state = _load(matchId);
        return (_phase(state), state.mover, _cubes(state.game));
    }

    // A seat is 0 or 1.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @inheritdoc IDeblockle
    function cubeState(uint48 matchId, uint8 x, uint8 y)
        external
        view
        returns (uint8 seat, Cube memory cube, string memory net)
    {
        uint256 position = _load(matchId).game;
        uint256 id = position.cubeOn(_cell(x, y));
        if (id == Position.NO_CUBE) revert EmptySquare(x, y);
        cube = _cube(position, id);
        seat = uint8(id / Position.CUBES);
        bytes memory faces = "?SXLHTP";
        net = string(
            bytes.concat(
                bytes.concat(" ", faces[cube.front], "\n"),
                bytes.concat(faces[7 - cube.right], faces[cube.up], faces[cube.right], "\n"),
                bytes.concat(" ", faces[7 - cube.front], "\n"),
                bytes.concat(" ", faces[7 - cube.up])
            )
        );
    }

    /// @inheritdoc IDeblockle
    function status(uint48 matchId)
        external
        view
        returns (
            address[2] memory players,
            address token,
            uint96 rate,
            uint96[2] memory deposits,
            uint128[2] memory due
        )
    {
        MatchState memory state = _load(matchId);
        Stake memory stake = _stakes[matchId];
        (token, rate) = (stake.token, stake.rate);
        bool joined = state.status == Status.Playing || state.status == Status.Finished;
        for (uint8 seat; seat < 2; ++seat) {
            players[seat] = _playerAt(matchId, seat);
            if (seat == 0 || joined) deposits[seat] = stake.amount;
            due[seat] = uint128(_due(state, stake, seat));
        }
    }

    /// @inheritdoc IDeblockle
    function streamed(uint48 matchId) external view returns (uint256[2] memory amounts) {
        MatchState memory state = _load(matchId);
        Stake memory stake = _stakes[matchId];
        if (stake.amount == 0) return amounts;
        for (uint8 seat; seat < 2; ++seat) {
            amounts[seat] = _refunded(state, stake, seat);
        }
    }

    // ---- squares

    /// @dev Returns the cell number of a square. Reverts with OffBoard if the square doesn't exist.
    function _cell(uint8 x, uint8 y) internal pure returns (uint256) {
        uint256 side = DeblockleRules.SIDE;
        if (x == 0 || x > side || y == 0 || y > side) revert OffBoard(x, y);
        return side * (y - 1) + x - 1;
    }

    function _phase(MatchState memory state) private pure returns (Phase) {
        if (state.status == Status.Finished || state.status == Status.Cancelled) return Phase.End;
        uint256 position = state.game;
        return position.hopper() == Position.NO_CUBE ? Phase.Roll : Phase.Hop;
    }

    function _ruleset(uint256 position) private pure returns (Ruleset) {
        return position.strict() ? Ruleset.Board : Ruleset.Near;
    }

    function _cubes(uint256 position) private pure returns (Cube[] memory cubes) {
        cubes = new Cube[](position.cubesLeft(0) + position.cubesLeft(1));
        uint256 next = 0;
        for (uint256 index; index < 2 * Position.CUBES; ++index) {
            uint256 id = position.idInSetup(index);
            if (position.cellOf(id) != Position.NO_CELL) cubes[next++] = _cube(position, id);
        }
    }

    // An id, a face and a coordinate are at most 8.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _cube(uint256 position, uint256 id) private pure returns (Cube memory) {
        (uint256 cell, uint256 orientation) = (position.cellOf(id), position.orientationOf(id));
        uint256 side = DeblockleRules.SIDE;
        return Cube(
            uint8(id),
            uint8((cell % side) + 1),
            uint8(cell / side + 1),
            uint8(DeblockleRules.up(orientation)),
            uint8(DeblockleRules.front(orientation)),
            uint8(DeblockleRules.right(orientation))
        );
    }
}
