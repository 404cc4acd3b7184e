// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {Escrow} from "../../Escrow.sol";
import {IDuel} from "../../IDuel.sol";
import {ISessions} from "../../ISessions.sol";
import {BattleshipBase} from "./BattleshipBase.sol";
import {FleetCode} from "./FleetCode.sol";
import {IBattleship} from "./IBattleship.sol";
import {Settlement} from "./Settlement.sol";

/// @title The functions of Battleship that players call
contract Battleship is BattleshipBase {
    using Settlement for Settlement.State;

    /// @notice The shortest clock in a match with a stake, in seconds.
    uint24 public constant MIN_STAKE_CLOCK = 60;

    constructor(ISessions sessions, uint48 firstMatch) Duel(sessions, firstMatch) {}

    /// @inheritdoc IBattleship
    function invite(address opponent, bytes32 commitment, uint24 clock, address token, uint96 stake)
        external
        payable
        nonReentrant
        returns (uint48 matchId)
    {
        address account = _account();
        _requirePayer(account, stake);
        if (stake == 0) token = address(0);
        MatchState memory state;
        (matchId, state) = _openDuel(account, 0, opponent, clock, stake == 0 ? 0 : MIN_STAKE_CLOCK, 0);
        if (stake != 0) {
            _stakes[matchId] = Stake(token, stake);
            emit Staked(matchId, ++state.seq, token, stake);
        }
        _seal(matchId, state, 0, account, commitment);
        state.game = _NO_TILE;
        _save(matchId, state);
        Escrow.deposit(token, stake);
    }

    /// @inheritdoc IBattleship
    function accept(uint48 matchId, bytes32 commitment, uint8 tile) external payable nonReentrant {
        MatchState memory state = _load(matchId);
        Stake memory stake = _stakes[matchId];
        address account = _account(); // for an invited session key, the account that the key serves
        _join(matchId, state, 1, account);
        _requirePayer(account, stake.amount);
        _seal(matchId, state, 1, account, commitment);
        _shoot(matchId, state, 1, account, tile);
        _save(matchId, state);
        Escrow.deposit(stake.token, stake.amount);
    }

    /// @inheritdoc IBattleship
    function decline(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        address account = _account();
        address invited = _playerAt(matchId, 1);
        if (account != invited) revert NotInvited(matchId, account, invited);
        _end(matchId, state, address(0), Reason.Cancelled);
        _save(matchId, state);
    }

    /// @inheritdoc IBattleship
    function cancel(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        address account = _account(matchId);
        address inviter = _playerAt(matchId, 0);
        if (account != inviter) revert NotTheInviter(matchId, account, inviter);
        _end(matchId, state, address(0), Reason.Cancelled);
        _save(matchId, state);
    }

    /// @inheritdoc IBattleship
    function move(uint48 matchId, uint32 ply, uint8 answeredTile, bool hit, uint8 tile) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requirePhase(matchId, state, false);
        address account = _requireTurn(matchId, state, ply);
        uint8 pending = _pending(state);
        if (answeredTile != pending) revert StaleMove(pending, answeredTile);
        uint8 seat = state.mover;
        uint8 shooter = 1 - seat;
        uint256 hits = _recordAnswer(matchId, shooter, pending, hit);
        emit Answered(matchId, ++state.seq, ply, account, pending, hit);

        uint256 shots = (uint256(ply) + 1) / 2; // the shooter's answered shots: every second ply answers one of them
        if (hits == FleetCode.OCCUPIED) {
            _setSettlement(state, _endShooting(matchId, state, seat, Reason.Won));
            ++state.ply;
        } else if (hits + FleetCode.TILES - shots < FleetCode.OCCUPIED) {
            Settlement.State memory settlement = _settlement(state);
            _settle(matchId, state, settlement, 1 + shooter, Reason.CheatingProved);
            _setSettlement(state, settlement);
            ++state.ply;
        } else {
            _shoot(matchId, state, seat, account, tile);
            _restartClock(state);
        }
        _save(matchId, state);
    }

    /// @inheritdoc IBattleship
    function surrender(uint48 matchId, string calldata ships, bytes32 nonce, string calldata message)
        external
        nonReentrant
    {
        MatchState memory state = _load(matchId);
        _requirePhase(matchId, state, false);
        address account = _player(matchId);
        Settlement.State memory settlement = _endShooting(matchId, state, _seatOf(matchId, account), Reason.Resigned);
        _reveal(matchId, state, settlement, account, ships, nonce, message);
        _setSettlement(state, settlement);
        _save(matchId, state);
    }

    /// @inheritdoc IBattleship
    function reveal(uint48 matchId, string calldata ships, bytes32 nonce, string calldata message)
        external
        nonReentrant
    {
        MatchState memory state = _load(matchId);
        _requirePhase(matchId, state, true);
        Settlement.State memory settlement = _settlement(state);
        _reveal(matchId, state, settlement, _player(matchId), ships, nonce, message);
        if (settlement.revealed[0] && settlement.revealed[1]) _settleByReveals(matchId, state, settlement);
        _setSettlement(state, settlement);
        _save(matchId, state);
    }

    /// @inheritdoc IDuel
    function claimTimeout(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        _requireTimeout(matchId, state);
        Settlement.State memory settlement = _settlement(state);
        if (settlement.revealing) _settleByReveals(matchId, state, settlement);
        else settlement = _endShooting(matchId, state, state.mover, Reason.Timeout);
        _setSettlement(state, settlement);
        _save(matchId, state);
    }

    /// @inheritdoc IBattleship
    function withdraw(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        if (state.status != Status.Cancelled) _requireStatus(matchId, state, Status.Finished);
        if (!_isSeated(matchId, msg.sender)) revert NotAPlayer(matchId, msg.sender);
        uint8 seat = _seatOf(matchId, msg.sender);
        Settlement.State memory settlement = _settlement(state);
        Stake memory stake = _stakes[matchId];
        uint256 amount = _due(state.status, settlement, seat, stake.amount);
        if (amount == 0) revert NothingDue(matchId, msg.sender);
        settlement.withdrawn[seat] = true;
        emit Withdrawn(matchId, ++state.seq, msg.sender, stake.token, amount);
        _setSettlement(state, settlement);
        _save(matchId, state);
        Escrow.pay(stake.token, msg.sender, amount);
    }

    /// @dev Fires a shot. The player whose grid is the target becomes the player to move.
    function _shoot(uint48 matchId, MatchState memory state, uint8 seat, address account, uint8 tile) private {
        if (tile >= FleetCode.TILES) revert BadTile(tile);
        if (_hasFired(matchId, seat, tile)) revert TileTaken(tile);
        emit Shot(matchId, ++state.seq, state.ply++, account, tile);
        state.mover = 1 - seat;
        state.game = tile;
    }

    function _settleByReveals(uint48 matchId, MatchState memory state, Settlement.State memory settlement) private {
        (uint8 winner, Reason reason) = settlement.outcome();
        _settle(matchId, state, settlement, winner, reason);
    }
}
