// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../src/IDuel.sol";
import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {Bipf} from "../../src/games/battleship/Bipf.sol";
import {IBattleship} from "../../src/games/battleship/IBattleship.sol";
import {Handler} from "./Handler.sol";
import {MoneyHandler} from "./MoneyHandler.sol";

contract BattleshipHandler is MoneyHandler {
    string[3] private _fleets = ["PH12 SH81 DV7 BV51 CH40", "PV0 SV8 DH90 BH36 CV49", "PV0 SV8 DH90 BH36"];
    bytes[3] private _tiles = [
        bytes(hex"070c0d101928292a2b2c333c454e515253"),
        hex"000809111a24252627313a434c555a5b5c",
        hex"000809111a24252627313a434c555a5b5c"
    ];
    uint256 private _nonce;
    /// @dev The fleet that a player has sealed, and its nonce.
    mapping(uint48 matchId => uint256[2]) private _fleetOf;
    mapping(uint48 matchId => bytes32[2]) private _nonceOf;
    /// @dev True if the player has sealed an invalid fleet or answered falsely.
    mapping(uint48 matchId => bool[2]) private _liar;

    constructor(address game, ISessions sessions) Handler(game, sessions) {}

    function _create() internal override {
        uint96 stake = _stake();
        (uint256 fleet, bytes32 nonce) = (_fleet(), bytes32(++_nonce));
        uint256 currency = _currency();
        bytes memory data = _invitation(this.seal(_fleets[fleet], nonce), currencies[currency], stake);
        uint48 last = newest;
        _pay(_sender(), _value(currencies[currency], stake), 0, data);
        if (newest != last) _seal(newest, 0, fleet, nonce);
    }

    function _invitation(bytes32 commitment, address token, uint96 stake) private returns (bytes memory) {
        address opponent = _draw(3) == 0 ? accounts[_draw(4)] : address(0);
        return abi.encodeCall(IBattleship.invite, (opponent, commitment, uint24(60 + _draw(1000)), token, stake));
    }

    function _join(uint48 matchId) internal override {
        IBattleship.BoardView memory board = _board(matchId);
        (uint256 fleet, bytes32 nonce) = (_fleet(), bytes32(++_nonce));
        bytes32 commitment = this.seal(_fleets[fleet], nonce);
        bytes memory data = abi.encodeCall(IBattleship.accept, (matchId, commitment, uint8(_draw(99))));
        _pay(_sender(board.players[1]), _value(board.token, board.stake), matchId, data);
        if (board.status == IMatch.Status.Open && _status(matchId) == IMatch.Status.Playing) {
            _seal(matchId, 1, fleet, nonce);
        }
    }

    /// @dev Answers the pending shot, truthfully except for one player in four, and fires at a tile
    /// where the opponent usually has a ship. Reveals a fleet if no more shots are possible.
    function _move(uint48 matchId) internal override {
        IBattleship.BoardView memory board = _board(matchId);
        if (board.mover == address(0)) return _reveal(matchId, board.players);
        uint256 seat = board.mover == board.players[0] ? 0 : 1;
        bool truth = _contains(_tiles[_fleetOf[matchId][seat]], board.pending);
        bool hit = (matchId + seat) % 4 == 1 && _draw(8) == 0 ? !truth : truth;
        uint8 target = uint8(_draw(99));
        if (_draw(8) != 0) target = uint8(_tiles[_fleetOf[matchId][1 - seat]][target % 17]);
        for (uint256 i; i < 99 && (board.shots[seat] >> target) & 1 == 1; ++i) {
            target = (target + 1) % 99;
        }
        bytes memory data = abi.encodeCall(IBattleship.move, (matchId, board.ply, board.pending, hit, target));
        _pay(_sender(board.mover), 0, matchId, data);
        if (succeeded && hit != truth) _liar[matchId][seat] = true;
    }

    function _reveal(uint48 matchId, address[2] memory players) private {
        uint256 seat = _draw(2);
        if (_liar[matchId][seat] && _draw(8) != 0) seat = 1 - seat; // liars usually stay silent
        (string memory ships, bytes32 nonce) = (_fleets[_fleetOf[matchId][seat]], _nonceOf[matchId][seat]);
        bytes memory data = abi.encodeCall(IBattleship.reveal, (matchId, ships, nonce, ""));
        if (_draw(4) == 0) data = abi.encodeCall(IBattleship.surrender, (matchId, ships, nonce, ""));
        _pay(_sender(players[seat]), 0, matchId, data);
    }

    function _other(uint48 matchId) internal override {
        address[2] memory players = _board(matchId).players;
        if (_draw(4) == 0) return _reveal(matchId, players);
        bytes[3] memory calls = [
            abi.encodeCall(IBattleship.cancel, (matchId)),
            abi.encodeCall(IBattleship.decline, (matchId)),
            abi.encodeCall(IDuel.claimTimeout, (matchId))
        ];
        _pay(_sender(players[_draw(2)]), 0, matchId, calls[_draw(3)]);
    }

    function seal(string calldata fleet, bytes32 nonce) external pure returns (bytes32) {
        return Bipf.seal(fleet, nonce);
    }

    function _fleet() private returns (uint256) {
        return _draw(16) == 0 ? 2 : _draw(2);
    }

    function _seal(uint48 matchId, uint256 seat, uint256 fleet, bytes32 nonce) private {
        (_fleetOf[matchId][seat], _nonceOf[matchId][seat]) = (fleet, nonce);
        if (fleet == 2) _liar[matchId][seat] = true;
    }

    function _board(uint48 matchId) private view returns (IBattleship.BoardView memory) {
        return IBattleship(GAME).board(matchId);
    }

    function _contains(bytes memory tiles, uint8 tile) private pure returns (bool) {
        for (uint256 i; i < tiles.length; ++i) {
            if (uint8(tiles[i]) == tile) return true;
        }
        return false;
    }

    function _players(uint48 matchId) internal view override returns (address[2] memory) {
        return _board(matchId).players;
    }

    function _terms(uint48 matchId) internal view override returns (address token, uint256 stake) {
        IBattleship.BoardView memory board = _board(matchId);
        return (board.token, board.stake);
    }

    function _owed(uint48 matchId) internal override returns (uint256) {
        IBattleship.BoardView memory board = _board(matchId);
        for (uint256 seat; seat < 2; ++seat) {
            bool wins = board.winner != address(0) && board.winner == board.players[seat];
            if (wins && _liar[matchId][seat]) _fail("somebody who answered falsely has won");
        }
        if (board.status == IMatch.Status.Open) return board.stake;
        if (board.status == IMatch.Status.Playing) return 2 * uint256(board.stake);
        if (board.status == IMatch.Status.Cancelled) return board.withdrawn[0] ? 0 : board.stake;
        if (board.winner != address(0)) {
            return board.withdrawn[board.winner == board.players[0] ? 0 : 1] ? 0 : 2 * uint256(board.stake);
        }
        return (board.withdrawn[0] ? 0 : uint256(board.stake)) + (board.withdrawn[1] ? 0 : board.stake);
    }

    function _status(uint48 matchId) internal view override returns (IMatch.Status) {
        return _board(matchId).status;
    }

    function _deadline(uint48 matchId) internal view override returns (uint256) {
        return _board(matchId).deadline;
    }

    /// @dev After the last shot, each player has a day to reveal, or the time for one move.
    function _longestWait(uint48 matchId) internal view override returns (uint256) {
        uint256 clock = _board(matchId).clock;
        return clock + (clock > 1 days ? clock : 1 days);
    }

    function _boardHash(uint48 matchId) internal view override returns (bytes32) {
        IBattleship.BoardView memory board = _board(matchId);
        board.seq = 0;
        board.withdrawn = [false, false];
        return keccak256(abi.encode(board));
    }
}
