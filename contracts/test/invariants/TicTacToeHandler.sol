// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../src/IDuel.sol";
import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {ITicTacToe} from "../../src/games/tic_tac_toe/ITicTacToe.sol";
import {Handler} from "./Handler.sol";

contract TicTacToeHandler is Handler {
    constructor(address game, ISessions sessions) Handler(game, sessions) {}

    function _create() internal override {
        address challenger = _draw(3) == 0 ? address(0) : accounts[_draw(4)];
        uint24 clock = uint24(_draw(4) == 0 ? 0 : 30 + _draw(1000));
        _call(_sender(), 0, 0, abi.encodeCall(ITicTacToe.create, (challenger, clock)));
    }

    function _join(uint48 matchId) internal override {
        address challenger = ITicTacToe(GAME).board(matchId).challenger;
        _call(_sender(challenger), 0, matchId, abi.encodeCall(ITicTacToe.accept, (matchId)));
    }

    function _move(uint48 matchId) internal override {
        ITicTacToe.BoardView memory board = ITicTacToe(GAME).board(matchId);
        (uint16 row, uint16 column) = (uint16(_draw(3)), uint16(_draw(3)));
        _call(_sender(board.mover), 0, matchId, abi.encodeCall(ITicTacToe.move, (matchId, board.ply, row, column)));
    }

    function _other(uint48 matchId) internal override {
        ITicTacToe.BoardView memory board = ITicTacToe(GAME).board(matchId);
        bytes[6] memory calls = [
            abi.encodeCall(ITicTacToe.rematch, (matchId)),
            abi.encodeCall(ITicTacToe.offerRestart, (matchId)),
            abi.encodeCall(ITicTacToe.acceptRestart, (matchId, board.ply)),
            abi.encodeCall(ITicTacToe.close, (matchId)),
            abi.encodeCall(IDuel.claimTimeout, (matchId)),
            abi.encodeCall(ITicTacToe.resign, (matchId))
        ];
        address player = _draw(2) == 0 ? board.host : board.challenger;
        _call(_sender(player), 0, matchId, calls[_draw(6)]);
    }

    /// @dev Usually chooses the match of two accounts, because they can have only one at a time.
    function _match() internal override returns (uint48 matchId) {
        if (_draw(4) != 0) matchId = ITicTacToe(GAME).liveMatch(accounts[_draw(4)], accounts[_draw(4)]);
        return matchId == 0 ? super._match() : matchId;
    }

    function _status(uint48 matchId) internal view override returns (IMatch.Status) {
        return ITicTacToe(GAME).board(matchId).status;
    }

    function _deadline(uint48 matchId) internal view override returns (uint256) {
        return ITicTacToe(GAME).board(matchId).deadline;
    }

    function _longestWait(uint48 matchId) internal view override returns (uint256) {
        return ITicTacToe(GAME).board(matchId).clock;
    }

    function _boardHash(uint48 matchId) internal view override returns (bytes32) {
        ITicTacToe.BoardView memory board = ITicTacToe(GAME).board(matchId);
        (board.seq, board.rematch) = (0, 0); // a rematch is recorded in the old match
        return keccak256(abi.encode(board));
    }
}
