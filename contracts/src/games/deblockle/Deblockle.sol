// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {Escrow} from "../../Escrow.sol";
import {IDuel} from "../../IDuel.sol";
import {ISessions} from "../../ISessions.sol";
import {DeblockleBase} from "./DeblockleBase.sol";
import {DeblockleRules} from "./DeblockleRules.sol";
import {IDeblockle} from "./IDeblockle.sol";
import {Position} from "./Position.sol";

/// @title The functions of Deblockle that players call
contract Deblockle is DeblockleBase {
    using Position for uint256;

    /// @dev A roll or a hop, its player, the cube's id, and the cells before and after the move.
    struct Move {
        uint32 ply;
        address player;
        uint8 fromX;
        uint8 fromY;
        uint8 toX;
        uint8 toY;
        uint256 id;
        uint256 from;
        uint256 to;
    }

    /// @notice With a stake, the minimum for the clock and for a deposit's duration, in seconds.
    uint24 public constant MIN_STAKE_CLOCK = 60;
    /// @notice The number of passes in a row after which the match is a draw.
    uint8 public constant MAX_PASSES = 6;
    /// @notice The number of plies without a removal after which the match is a draw.
    uint8 public constant MAX_QUIET = 100;

    uint256 private constant _DIRECTIONS = 4;

    constructor(ISessions sessions, uint48 firstMatch) Duel(sessions, firstMatch) {}

    /// @inheritdoc IDeblockle
    function create(
        address opponent,
        uint8 cubes,
        uint8 ruleset,
        address token,
        uint96 stake,
        uint96 rate,
        uint24 clock,
        uint48 rematchOf
    ) external payable nonReentrant returns (uint48 matchId) {
        address account = _account();
        _requirePayer(account, stake);
        if (cubes == 0 || cubes > Position.CUBES) revert BadCubes(cubes);
        if (ruleset > uint8(type(Ruleset).max)) revert BadRuleset(ruleset);
        uint96 maximum = stake / MIN_STAKE_CLOCK;
        if (rate > maximum || (rate == 0 && stake != 0)) revert BadRate(rate, maximum);
        if (rematchOf != 0) _requireRematchable(rematchOf, account, opponent);
        MatchState memory state;
        (matchId, state) = _openDuel(account, 0, opponent, clock, stake == 0 ? 0 : MIN_STAKE_CLOCK, rematchOf);
        if (stake == 0) token = address(0);
        else (_stakes[matchId].amount, _stakes[matchId].rate) = (stake, rate);
        if (token != address(0)) _stakes[matchId].token = token;
        emit GameCreated(matchId, ++state.seq, cubes, Ruleset(ruleset), token, stake, rate);
        state.game = uint104(Position.setUp(cubes, Ruleset(ruleset) == Ruleset.Board, stake != 0));
        _save(matchId, state);
        Escrow.deposit(token, stake);
    }

    /// @inheritdoc IDeblockle
    function join(uint48 matchId, uint8 cubes, uint8 ruleset, address token, uint96 stake, uint96 rate, uint24 clock)
        external
        payable
        nonReentrant
    {
        MatchState memory state = _load(matchId);
        address account = _account(); // for an invited session key, the account that the key serves
        _join(matchId, state, 1, account);
        _requirePayer(account, _stakes[matchId].amount);
        _requireTerms(matchId, state, cubes, ruleset, token, stake, rate, clock);
        _emitTurnChanged(matchId, state);
        _save(matchId, state);
        Escrow.deposit(token, stake);
    }

    /// @inheritdoc IDeblockle
    function cancel(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        address account = _account(matchId);
        address inviter = _playerAt(matchId, 0);
        if (account != inviter) revert NotTheInviter(matchId, account, inviter);
        _end(matchId, state, address(0), Reason.Cancelled);
        _save(matchId, state);
    }

    /// @inheritdoc IDeblockle
    function makeMove(uint48 matchId, uint32 ply, uint8 fromX, uint8 fromY, uint8 toX, uint8 toY)
        external
        nonReentrant
    {
        MatchState memory state = _load(matchId);
        _requirePlaying(matchId, state);
        address player = _requireTurn(matchId, state, ply);
        (uint256 from, uint256 to) = (_cell(fromX, fromY), _cell(toX, toY));
        uint256 position = state.game;
        uint256 id = position.cubeOn(from);
        if (id == Position.NO_CUBE) revert EmptySquare(fromX, fromY);
        if (id / Position.CUBES != state.mover) revert NotYourCube(fromX, fromY);
        if (to == DeblockleRules.star(1 - state.mover)) revert RivalsStar(toX, toY);
        uint256 hopper = position.hopper();
        if (hopper != Position.NO_CUBE && hopper != id) {
            (uint8 x, uint8 y) = _square(position.cellOf(hopper));
            revert WrongPhase(x, y);
        }
        if ((position.occupied() >> to) & 1 == 1) revert SquareTaken(toX, toY);

        Move memory move = Move(ply, player, fromX, fromY, toX, toY, id, from, to);
        if (hopper == id) _hop(matchId, state, move);
        else _roll(matchId, state, move);
        _save(matchId, state);
    }

    /// @inheritdoc IDeblockle
    function passMove(uint48 matchId, uint32 ply) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requirePlaying(matchId, state);
        address player = _requireTurn(matchId, state, ply);
        uint256 position = state.game;
        bool rolling = position.hopper() == Position.NO_CUBE;
        if (position.strict() && (!rolling || DeblockleRules.rolls(position, state.mover) != 0)) {
            revert MoveRequired(matchId);
        }
        emit Passed(matchId, ++state.seq, ply, player, rolling ? Phase.Roll : Phase.Hop);
        state.game = uint104(position.setHopper(Position.NO_CUBE));
        _countPly(state, position.passes() + 1, position.quiet() + 1);
        _endPly(matchId, state, true);
        _save(matchId, state);
    }

    /// @inheritdoc IDeblockle
    function resign(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requirePlaying(matchId, state);
        uint8 winner = 1 - _seatOf(matchId, _player(matchId));
        _finish(matchId, state, winner, Reason.Resigned);
        _save(matchId, state);
    }

    /// @inheritdoc IDuel
    function claimTimeout(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requirePlaying(matchId, state);
        uint40 clockDeadline = state.deadline;
        state.deadline = _effectiveDeadline(matchId, state);
        _requireTimeout(matchId, state);
        state.deadline = clockDeadline; // `_recordStreamed` computes the start of the turn from the clock's deadline
        _finish(matchId, state, 1 - state.mover, Reason.Timeout);
        _save(matchId, state);
    }

    // A player gets at most both deposits, of 96 bits each.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @inheritdoc IDeblockle
    function withdraw(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        if (!_isSeated(matchId, msg.sender)) revert NotAPlayer(matchId, msg.sender);
        uint8 seat = _seatOf(matchId, msg.sender);
        Stake memory stake = _stakes[matchId];
        uint256 amount = _due(state, stake, seat);
        if (amount == 0) revert NothingDue(matchId, msg.sender);
        _stakes[matchId].withdrawn[seat] = uint128(stake.withdrawn[seat] + amount);
        emit Withdrawn(matchId, ++state.seq, msg.sender, stake.token, amount);
        _save(matchId, state);
        Escrow.pay(stake.token, msg.sender, amount);
    }

    // ---- moves

    // An id and a face are at most 8, a set of cells has 64 bits, and a position has 104.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _roll(uint48 matchId, MatchState memory state, Move memory move) private {
        uint256 direction;
        while (DeblockleRules.step(1 << move.from, direction) != 1 << move.to) {
            if (++direction == _DIRECTIONS) revert NotBeside(move.toX, move.toY);
        }
        uint256 position = state.game;
        uint256 orientation = DeblockleRules.rolled(position.orientationOf(move.id), direction);
        uint256 up = DeblockleRules.up(orientation);
        bool home = move.to == DeblockleRules.star(state.mover);
        if ((up == DeblockleRules.STAR) != home) revert StarOffSquare(uint8(up), move.toX, move.toY);

        position = position.placeCube(move.id, home ? Position.NO_CELL : move.to, orientation);
        uint256 hops = home ? 0 : DeblockleRules.hops(position, move.id);
        if (hops != 0) position = position.setHopper(move.id);
        emit Rolled(
            matchId,
            ++state.seq,
            move.ply,
            move.player,
            uint8(move.id),
            move.fromX,
            move.fromY,
            move.toX,
            move.toY,
            uint8(up),
            uint8(DeblockleRules.front(orientation)),
            uint8(DeblockleRules.right(orientation)),
            uint64(hops)
        );
        state.game = uint104(position);
        _countPly(state, 0, home ? 0 : position.quiet() + 1);
        if (home) {
            uint256 left = position.cubesLeft(state.mover);
            emit Removed(matchId, ++state.seq, move.player, uint8(move.id), uint8(left));
            if (left == 0) return _finish(matchId, state, state.mover, Reason.Won);
        }
        _endPly(matchId, state, hops == 0);
    }

    function _hop(uint48 matchId, MatchState memory state, Move memory move) private {
        uint256 position = state.game;
        uint256 orientation = position.orientationOf(move.id);
        if ((DeblockleRules.hops(position, move.id) >> move.to) & 1 == 0) {
            revert BadHop(uint8(DeblockleRules.up(orientation)), move.toX, move.toY);
        }
        emit Hopped(
            matchId, ++state.seq, move.ply, move.player, uint8(move.id), move.fromX, move.fromY, move.toX, move.toY
        );
        state.game = uint104(position.placeCube(move.id, move.to, orientation).setHopper(Position.NO_CUBE));
        _countPly(state, 0, position.quiet() + 1);
        _endPly(matchId, state, true);
    }

    /// @dev Counts a ply, and stores the new counts of passes and of plies without a removal.
    function _countPly(MatchState memory state, uint256 passes, uint256 quiet) private pure {
        uint256 position = state.game;
        state.game = uint104(position.setCounts(passes, quiet));
        ++state.ply;
    }

    /// @dev Ends a ply, and the match if it is a draw. Otherwise, ends the turn if `over` is true.
    function _endPly(uint48 matchId, MatchState memory state, bool over) private {
        uint256 position = state.game;
        if (position.passes() == MAX_PASSES || position.quiet() == MAX_QUIET) {
            return _finish(matchId, state, state.mover, Reason.Draw);
        }
        if (!over) return;
        _recordStreamed(matchId, state);
        state.mover = 1 - state.mover;
        _restartClock(state);
        _emitTurnChanged(matchId, state);
    }

    // The number of possible rolls is at most 16.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _emitTurnChanged(uint48 matchId, MatchState memory state) private {
        uint256 rolls = DeblockleRules.rolls(state.game, state.mover);
        emit TurnChanged(matchId, ++state.seq, _playerAt(matchId, state.mover), uint16(rolls));
    }

    /// @param seat the winner's seat, which has no meaning after a draw
    function _finish(uint48 matchId, MatchState memory state, uint8 seat, Reason reason) private {
        _recordStreamed(matchId, state);
        state.mover = seat;
        _end(matchId, state, reason == Reason.Draw ? address(0) : _playerAt(matchId, seat), reason);
    }

    // ---- checks

    function _requirePlaying(uint48 matchId, MatchState memory state) private pure {
        if (state.status == Status.Open) revert NotStarted(matchId);
        _requireStatus(matchId, state, Status.Playing);
    }

    /// @dev A session key has no control over money, so only the account itself can pay a stake.
    function _requirePayer(address account, uint96 stake) private view {
        if (stake != 0 && account != msg.sender) revert KeyCantPay(msg.sender);
    }

    function _requireRematchable(uint48 matchId, address account, address opponent) private view {
        bool over = _load(matchId).status == Status.Finished;
        bool same = _isSeated(matchId, account) && opponent == _playerAt(matchId, 1 - _seatOf(matchId, account));
        if (!over || !same) revert BadRematch(matchId);
    }

    // A coordinate is at most 8.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _square(uint256 cell) private pure returns (uint8 x, uint8 y) {
        return (uint8((cell % DeblockleRules.SIDE) + 1), uint8(cell / DeblockleRules.SIDE + 1));
    }
}
