// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {Escrow} from "../../Escrow.sol";
import {IDuel} from "../../IDuel.sol";
import {ISessions} from "../../ISessions.sol";
import {Sealed} from "./BattleshipBase.sol";
import {Ships} from "./FleetCode.sol";
import {IBattleship} from "./IBattleship.sol";
import {Aftermath} from "./Settlement.sol";

/// @title Battleship: its entries
contract Battleship is Sealed {
    using Aftermath for Aftermath.State;

    /// @notice The shortest clock of a match with a stake, in seconds.
    uint24 public constant MIN_STAKE_CLOCK = 60;

    constructor(ISessions sessions, uint48 firstMatch) Duel(sessions, firstMatch) {}

    /// @inheritdoc IBattleship
    function invite(
        address opponent,
        bytes32 commitment,
        uint24 clock,
        address token,
        uint96 stake
    ) external payable nonReentrant returns (uint48 matchId) {
        address account = _account();
        _needPayer(account, stake);
        if (stake == 0) token = address(0);
        Head memory head;
        (matchId, head) = _invite(account, 0, opponent, clock, stake == 0 ? 0 : MIN_STAKE_CLOCK, 0);
        if (stake != 0) {
            _stakes[matchId] = Stake(token, stake);
            emit Staked(matchId, ++head.seq, token, stake);
        }
        _seal(matchId, head, 0, account, commitment);
        head.game = _NO_TILE;
        _save(matchId, head);
        Escrow.take(token, stake);
    }

    /// @inheritdoc IBattleship
    function accept(uint48 matchId, bytes32 commitment, uint8 tile) external payable nonReentrant {
        Head memory head = _head(matchId);
        Stake memory stake = _stakes[matchId];
        address account = _account(); // an invited key that serves another account is asked for that one
        _join(matchId, head, 1, account);
        _needPayer(account, stake.amount);
        _seal(matchId, head, 1, account, commitment);
        _shoot(matchId, head, 1, account, tile);
        _save(matchId, head);
        Escrow.take(stake.token, stake.amount);
    }

    /// @inheritdoc IBattleship
    function decline(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Open);
        address account = _account();
        address invited = _at(matchId, 1);
        if (account != invited) revert NotInvited(matchId, account, invited);
        _end(matchId, head, address(0), Reason.Cancelled);
        _save(matchId, head);
    }

    /// @inheritdoc IBattleship
    function cancel(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Open);
        address account = _account(matchId);
        address inviter = _at(matchId, 0);
        if (account != inviter) revert NotTheInviter(matchId, account, inviter);
        _end(matchId, head, address(0), Reason.Cancelled);
        _save(matchId, head);
    }

    /// @inheritdoc IBattleship
    function move(uint48 matchId, uint32 ply, uint8 answeredTile, bool hit, uint8 tile) external nonReentrant {
        Head memory head = _head(matchId);
        _needPhase(matchId, head, false);
        address account = _turn(matchId, head, ply);
        uint8 pending = _pending(head);
        if (answeredTile != pending) revert StaleMove(pending, answeredTile);
        uint8 seat = head.mover;
        uint8 shooter = 1 - seat;
        uint256 hits = _answer(matchId, shooter, pending, hit);
        emit Answered(matchId, ++head.seq, ply, account, pending, hit);

        uint256 shots = (uint256(ply) + 1) / 2; // of the shooter, answered: each second ply answers one of them
        if (hits == Ships.OCCUPIED) {
            _setAfter(head, _over(matchId, head, seat, Reason.Won));
            ++head.ply;
        } else if (hits + Ships.TILES - shots < Ships.OCCUPIED) {
            Aftermath.State memory state = _after(head);
            _settle(matchId, head, state, 1 + shooter, Reason.CheatingProved);
            _setAfter(head, state);
            ++head.ply;
        } else {
            _shoot(matchId, head, seat, account, tile);
            _restartClock(head);
        }
        _save(matchId, head);
    }

    /// @inheritdoc IBattleship
    function surrender(
        uint48 matchId,
        string calldata ships,
        bytes32 nonce,
        string calldata message
    ) external nonReentrant {
        Head memory head = _head(matchId);
        _needPhase(matchId, head, false);
        address account = _player(matchId);
        Aftermath.State memory state = _over(matchId, head, _seatOf(matchId, account), Reason.Resigned);
        _reveal(matchId, head, state, account, ships, nonce, message);
        _setAfter(head, state);
        _save(matchId, head);
    }

    /// @inheritdoc IBattleship
    function reveal(
        uint48 matchId,
        string calldata ships,
        bytes32 nonce,
        string calldata message
    ) external nonReentrant {
        Head memory head = _head(matchId);
        _needPhase(matchId, head, true);
        Aftermath.State memory state = _after(head);
        _reveal(matchId, head, state, _player(matchId), ships, nonce, message);
        if (state.revealed[0] && state.revealed[1]) _judge(matchId, head, state);
        _setAfter(head, state);
        _save(matchId, head);
    }

    /// @inheritdoc IDuel
    function claimTimeout(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Playing);
        _needTimeout(matchId, head);
        Aftermath.State memory state = _after(head);
        if (state.revealing) _judge(matchId, head, state);
        else state = _over(matchId, head, head.mover, Reason.Timeout);
        _setAfter(head, state);
        _save(matchId, head);
    }

    /// @inheritdoc IBattleship
    function withdraw(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        if (head.status != Status.Cancelled) _need(matchId, head, Status.Finished);
        if (!_seated(matchId, msg.sender)) revert NotAPlayer(matchId, msg.sender);
        uint8 seat = _seatOf(matchId, msg.sender);
        Aftermath.State memory state = _after(head);
        Stake memory stake = _stakes[matchId];
        uint256 amount = _due(head.status, state, seat, stake.amount);
        if (amount == 0) revert NothingDue(matchId, msg.sender);
        state.withdrawn[seat] = true;
        emit Withdrawn(matchId, ++head.seq, msg.sender, stake.token, amount);
        _setAfter(head, state);
        _save(matchId, head);
        Escrow.pay(stake.token, msg.sender, amount);
    }

    /// @dev Fires, and gives the move to who is fired at.
    function _shoot(uint48 matchId, Head memory head, uint8 seat, address account, uint8 tile) private {
        if (tile >= Ships.TILES) revert BadTile(tile);
        if (_hasFired(matchId, seat, tile)) revert TileTaken(tile);
        emit Shot(matchId, ++head.seq, head.ply++, account, tile);
        head.mover = 1 - seat;
        head.game = tile;
    }

    function _judge(uint48 matchId, Head memory head, Aftermath.State memory state) private {
        (uint8 winner, Reason reason) = state.verdict();
        _settle(matchId, head, state, winner, reason);
    }
}
