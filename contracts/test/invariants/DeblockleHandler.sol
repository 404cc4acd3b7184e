// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../src/IDuel.sol";
import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {Vm} from "../Vm.sol";
import {Handler} from "./Handler.sol";
import {MoneyHandler} from "./MoneyHandler.sol";

contract DeblockleHandler is MoneyHandler {
    /// @dev The seconds for which the deposits have streamed, computed from the events.
    struct Stream {
        bool running;
        uint8 mover;
        uint256 since;
        uint256[2] elapsed;
    }

    mapping(uint48 matchId => Stream) private _streams;

    constructor(address game, ISessions sessions) Handler(game, sessions) {}

    function _create() internal override {
        uint96 stake = _stake();
        uint96 rate = uint96(_draw(4) == 0 ? 0 : 1 + _draw(stake / (1 + _draw(1000)) + 1));
        address opponent = _draw(3) == 0 ? accounts[_draw(4)] : address(0);
        uint256 currency = _currency();
        (uint8 cubes, uint8 ruleset, uint24 clock) = (uint8(1 + _draw(4)), uint8(_draw(2)), uint24(60 + _draw(1000)));
        bytes memory data =
            abi.encodeCall(IDeblockle.create, (opponent, cubes, ruleset, currencies[currency], stake, rate, clock, 0));
        _pay(_sender(), _value(currencies[currency], stake), 0, data);
    }

    function _join(uint48 matchId) internal override {
        IDeblockle.BoardView memory b = _board(matchId);
        bytes memory data =
            abi.encodeCall(IDeblockle.join, (matchId, b.cubes, uint8(b.ruleset), b.token, b.stake, b.rate, b.clock));
        _pay(_sender(b.players[1]), _value(b.token, b.stake), matchId, data);
    }

    /// @dev Makes a random legal roll or hop, or passes if there is none.
    function _move(uint48 matchId) internal override {
        IDeblockle.BoardView memory b = _board(matchId);
        bool hops = b.phase == IDeblockle.Phase.Hop;
        uint256 moves = hops ? b.hops : b.rolls;
        if (moves == 0 || _draw(16) == 0) {
            return _pay(_sender(b.mover), 0, matchId, abi.encodeCall(IDeblockle.passMove, (matchId, b.ply)));
        }
        uint256 choice = _draw(64);
        while ((moves >> choice) & 1 == 0) {
            choice = (choice + 1) % 64;
        }
        uint256 seat = b.mover == b.players[0] ? 0 : 1;
        (uint8 x, uint8 y) = _place(b, hops ? b.hopper : uint8(4 * seat + choice / 4));
        (uint8 toX, uint8 toY) = hops ? (uint8(choice % 7) + 1, uint8(choice / 7) + 1) : _beside(x, y, choice % 4);
        bytes memory data = abi.encodeCall(IDeblockle.makeMove, (matchId, b.ply, x, y, toX, toY));
        _pay(_sender(b.mover), 0, matchId, data);
    }

    function _other(uint48 matchId) internal override {
        bytes[3] memory calls = [
            abi.encodeCall(IDeblockle.cancel, (matchId)),
            abi.encodeCall(IDeblockle.resign, (matchId)),
            abi.encodeCall(IDuel.claimTimeout, (matchId))
        ];
        _pay(_sender(_board(matchId).players[_draw(2)]), 0, matchId, calls[_draw(3)]);
    }

    function _place(IDeblockle.BoardView memory b, uint8 id) private pure returns (uint8 x, uint8 y) {
        for (uint256 i; i < b.left.length; ++i) {
            if (b.left[i].id == id) return (b.left[i].x, b.left[i].y);
        }
    }

    /// @param direction 0 forward (y - 1), 1 right (x + 1), 2 backward (y + 1), 3 left (x - 1)
    function _beside(uint8 x, uint8 y, uint256 direction) private pure returns (uint8, uint8) {
        if (direction == 0) return (x, y - 1);
        if (direction == 1) return (x + 1, y);
        return direction == 2 ? (x, y + 1) : (x - 1, y);
    }

    function _board(uint48 matchId) private view returns (IDeblockle.BoardView memory) {
        return IDeblockle(GAME).board(matchId);
    }

    function _onEvent(uint48 matchId, Vm.Log memory log) internal override {
        super._onEvent(matchId, log);
        Stream storage stream = _streams[matchId];
        bytes32 topic = log.topics[0];
        bool turn = topic == IDeblockle.TurnChanged.selector;
        if (stream.running && (turn || topic == IMatch.MatchEnded.selector)) {
            stream.elapsed[1 - stream.mover] += block.timestamp - stream.since;
        }
        if (turn || topic == IMatch.MatchStarted.selector) stream.since = block.timestamp;
        if (turn) stream.mover = address(uint160(uint256(log.topics[2]))) == _players(matchId)[0] ? 0 : 1;
        if (topic == IMatch.MatchStarted.selector) stream.running = true;
        if (topic == IMatch.MatchEnded.selector) stream.running = false;
    }

    function _players(uint48 matchId) internal view override returns (address[2] memory) {
        return _board(matchId).players;
    }

    function _terms(uint48 matchId) internal view override returns (address token, uint256 stake) {
        IDeblockle.BoardView memory b = _board(matchId);
        return (b.token, b.stake);
    }

    /// @dev Computes the streams from the times of the events, and compares them with the contract.
    function _owed(uint48 matchId) internal override returns (uint256 owed) {
        IDeblockle.BoardView memory b = _board(matchId);
        bool alone = b.status == IMatch.Status.Open || b.status == IMatch.Status.Cancelled;
        owed = uint256(b.stake) * (alone ? 1 : 2) - b.withdrawn[0] - b.withdrawn[1];
        (,,,, uint128[2] memory due) = IDeblockle(GAME).status(matchId);
        if (b.status == IMatch.Status.Finished || b.status == IMatch.Status.Cancelled) {
            if (due[0] + due[1] != owed) _fail("a match that has ended doesn't owe everything at once");
        }
        if (b.stake == 0 || alone) return owed;
        uint256[2] memory amounts = IDeblockle(GAME).streamed(matchId);
        _checkStreams(matchId, b, amounts);
        for (uint256 seat; seat < 2; ++seat) {
            uint256 earned = amounts[seat];
            if (b.reason == IMatch.Reason.Draw) earned = b.stake;
            else if (b.winner == b.players[seat]) earned = 2 * uint256(b.stake) - amounts[1 - seat];
            if (due[seat] + b.withdrawn[seat] != earned) _fail("a player doesn't get what the rules say");
        }
    }

    function _checkStreams(uint48 matchId, IDeblockle.BoardView memory b, uint256[2] memory amounts) private {
        Stream storage stream = _streams[matchId];
        for (uint256 seat; seat < 2; ++seat) {
            uint256 elapsed = stream.elapsed[seat];
            if (stream.running && seat != stream.mover) elapsed += block.timestamp - stream.since;
            uint256 limit = uint256(b.rate) * elapsed;
            if (limit > b.stake) limit = b.stake;
            if (amounts[seat] != limit) _fail("a stream differs from rate * seconds, up to the deposit");
        }
    }

    function _status(uint48 matchId) internal view override returns (IMatch.Status) {
        return _board(matchId).status;
    }

    function _deadline(uint48 matchId) internal view override returns (uint256) {
        return _board(matchId).deadline;
    }

    function _longestWait(uint48 matchId) internal view override returns (uint256) {
        return _board(matchId).clock;
    }

    function _boardHash(uint48 matchId) internal view override returns (bytes32) {
        IDeblockle.BoardView memory b = _board(matchId);
        b.seq = 0;
        b.withdrawn = [uint128(0), 0];
        return keccak256(abi.encode(b));
    }
}
