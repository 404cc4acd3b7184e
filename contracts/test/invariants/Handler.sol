// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../src/IDuel.sol";
import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {Vm, vm} from "../Vm.sol";

/// @title Makes random calls to a game, and checks after each call what must always hold
/// @notice Forge calls `step` with random numbers. Each step derives a call from its number, which
/// is usually a legal call. `failure` describes the first violation.
abstract contract Handler {
    string public failure;
    /// @notice The number of the newest match.
    uint48 public newest;

    /// @dev True if the last call to the game succeeded.
    bool internal succeeded;
    /// @dev The selector of the last call's error, or 0 if there is none.
    bytes4 internal lastError;
    address internal immutable GAME;
    ISessions internal immutable SESSIONS;
    address[4] internal accounts = [address(0xA11E), address(0xB0B), address(0xCA201), address(0xDA7E)];
    /// @dev Session keys. `keys[i]` is linked to `accounts[i]` before the first match, so it never
    /// acts for itself.
    address[4] internal keys = [address(0x5E550), address(0x5E551), address(0x5E552), address(0x5E553)];
    /// @dev The time from which the key can't act for its account.
    mapping(address key => uint256) private _expiresAt;

    /// @dev The source of the random choices of a step.
    uint256 private _random;
    /// @dev The sequence number of each match's last event.
    mapping(uint48 matchId => uint32) private _lastSeq;
    mapping(uint48 matchId => bool) private _hasEnded;
    /// @dev The hash of each match's final board.
    mapping(uint48 matchId => bytes32) private _finalBoard;

    constructor(address game, ISessions sessions) {
        (GAME, SESSIONS) = (game, sessions);
        for (uint256 i; i < 4; ++i) {
            _linkKey(i, 30 days);
        }
    }

    /// @notice Makes one call, or changes the time or a session key.
    function step(uint256 random) external {
        _random = random;
        _act();
    }

    /// @dev Usually makes the call that continues one of the newest matches.
    function _act() internal virtual {
        if (_draw(8) == 0) return _change();
        if (newest == 0) return _create();
        uint48 matchId = _match();
        IMatch.Status status = IMatch.Status(_draw(32) == 0 ? _draw(5) : uint256(_status(matchId)));
        if (status == IMatch.Status.Open && _draw(16) != 0) return _join(matchId);
        if (status == IMatch.Status.Playing && _draw(16) != 0) return _move(matchId);
        if (status == IMatch.Status.None || _draw(4) != 0) return _create();
        _other(matchId);
    }

    /// @dev Moves the time or the blocks forward, links a session key, or revokes one. The time
    /// usually moves by less than a minute, and at most by 30 days.
    function _change() private {
        uint256 kind = _draw(16);
        uint256 account = _draw(4);
        if (kind < 9) {
            vm.warp(block.timestamp + 1 + _draw(1 minutes));
        } else if (kind == 9) {
            vm.warp(block.timestamp + 1 + _draw(_draw(8) == 0 ? 30 days : 1 hours));
        } else if (kind < 12) {
            vm.roll(block.number + 1 + _draw(300));
        } else if (kind < 15) {
            _linkKey(account, 1 + _draw(90 days));
        } else {
            vm.prank(accounts[account]);
            SESSIONS.revoke(keys[account]);
            _expiresAt[keys[account]] = 0;
        }
    }

    /// @dev Returns a random number below `limit`.
    function _draw(uint256 limit) internal returns (uint256) {
        _random = uint256(keccak256(abi.encode(_random)));
        return _random % limit;
    }

    /// @dev Returns a random account or, once in four times, a session key.
    function _sender() internal returns (address) {
        return _draw(4) == 0 ? keys[_draw(4)] : accounts[_draw(4)];
    }

    /// @dev Returns the account, or at random its session key, or once in 16 times somebody else.
    function _sender(address account) internal returns (address) {
        if (account == address(0) || _draw(16) == 0) return _sender();
        if (_draw(8) != 0) return account;
        for (uint256 i; i < 4; ++i) {
            if (accounts[i] == account) return keys[i];
        }
        return account;
    }

    /// @dev Returns the number of a random match, usually one of the newest three.
    function _match() internal virtual returns (uint48) {
        uint256 range = newest < 3 || _draw(32) == 0 ? newest : 3;
        return uint48(newest - _draw(range));
    }

    function _create() internal virtual;
    function _join(uint48 matchId) internal virtual;
    function _move(uint48 matchId) internal virtual;
    /// @dev Makes a call that ends the match, or any other call.
    function _other(uint48 matchId) internal virtual;

    // ---- ends

    /// @notice Ends all matches whose clock is running.
    function endAll() external virtual {
        for (uint48 matchId = 1; matchId <= newest; ++matchId) {
            timeOut(matchId);
        }
    }

    /// @notice Ends the match as a stranger, with nothing but timeouts.
    /// @return waited the time until the end, in seconds; 0 if no clock was running
    /// @return allowed the longest time that the rules allow, in seconds
    function timeOut(uint48 matchId) public returns (uint256 waited, uint256 allowed) {
        allowed = _longestWait(matchId);
        uint256 start = block.timestamp;
        while (_status(matchId) == IMatch.Status.Playing && _deadline(matchId) != 0) {
            uint256 deadline = _deadline(matchId);
            if (block.timestamp < deadline) vm.warp(deadline);
            vm.roll(block.number + 2);
            _call(address(0x57A), 0, matchId, _timeout(matchId));
            if (!succeeded) {
                _fail("nobody can end a match whose clock has run out");
                break;
            }
        }
        waited = block.timestamp - start;
        if (waited > allowed) _fail("a match took too long to end");
    }

    // ---- checks

    /// @dev Calls the game, and checks the result.
    /// @param matchId the match that the call names, or 0
    function _call(address sender, uint256 value, uint48 matchId, bytes memory data) internal {
        vm.recordLogs();
        vm.prank(sender);
        bytes memory result;
        (succeeded, result) = GAME.call{value: value}(data);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        lastError = succeeded ? bytes4(0) : bytes4(result);
        if (!succeeded) return;
        if (_isKey(sender) && _expiresAt[sender] <= block.timestamp && !_isPublic(bytes4(data))) {
            _fail("a session key outlived its term");
        }
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter == GAME) _checkEvent(logs[i]);
        }
        _checkEnd(matchId);
        if (newest != 0 && _draw(4) == 0) _checkEnd(uint48(1 + _draw(newest)));
    }

    /// @dev Checks that the event has the next number of its match.
    function _checkEvent(Vm.Log memory log) private {
        uint48 matchId = uint48(uint256(log.topics[1]));
        (uint32 seq) = abi.decode(log.data, (uint32));
        if (seq != ++_lastSeq[matchId]) _fail("an event number was skipped or used twice");
        if (matchId > newest) newest = matchId;
        if (log.topics[0] == IMatch.MatchEnded.selector) {
            if (_hasEnded[matchId]) _fail("a match ended twice");
            _hasEnded[matchId] = true;
        }
        _onEvent(matchId, log);
    }

    /// @dev Checks that the match's event count is right and, after its end, that its board stays
    /// the same.
    function _checkEnd(uint48 matchId) private {
        if (matchId == 0 || matchId > newest) return;
        if (IMatch(GAME).seqOf(matchId) != _lastSeq[matchId]) _fail("seqOf differs from the last event number");
        if (!_hasEnded[matchId]) return;
        bytes32 board = _boardHash(matchId);
        if (_finalBoard[matchId] == 0) _finalBoard[matchId] = board;
        if (_finalBoard[matchId] != board) _fail("a match changed after its end");
    }

    function _fail(string memory what) internal {
        if (bytes(failure).length == 0) failure = what;
    }

    function _linkKey(uint256 account, uint256 term) private {
        address[] memory games = new address[](1);
        games[0] = GAME;
        uint40 until = uint40(block.timestamp + term);
        vm.prank(accounts[account]);
        SESSIONS.offer(keys[account], games, until);
        vm.prank(keys[account]);
        SESSIONS.accept(accounts[account], games, until);
        _expiresAt[keys[account]] = until;
    }

    function _isKey(address sender) internal view returns (bool) {
        return sender == keys[0] || sender == keys[1] || sender == keys[2] || sender == keys[3];
    }

    function _onEvent(uint48 matchId, Vm.Log memory log) internal virtual {}

    /// @dev Returns true if anyone may call the function, in any match.
    function _isPublic(bytes4 selector) internal view virtual returns (bool) {
        return selector == IDuel.claimTimeout.selector;
    }

    /// @dev Returns the call that ends a turn, a phase or the match after the clock has run out.
    function _timeout(uint48 matchId) internal view virtual returns (bytes memory) {
        return abi.encodeCall(IDuel.claimTimeout, (matchId));
    }

    /// @dev Returns the time from which anyone can claim a timeout, if the match is running.
    function _deadline(uint48 matchId) internal view virtual returns (uint256);

    /// @dev Returns the longest time, in seconds, in which the rules allow a match to go on without
    /// any player.
    function _longestWait(uint48 matchId) internal view virtual returns (uint256);

    function _status(uint48 matchId) internal view virtual returns (IMatch.Status);

    /// @dev Returns a hash of everything that must not change after the end.
    function _boardHash(uint48 matchId) internal view virtual returns (bytes32);
}
