// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {Graphs} from "../conquest/support/Graphs.sol";
import {Handler} from "./Handler.sol";

contract ConquestHandler is Handler {
    using Graphs for Graphs.Graph;

    uint8 private constant LANDS = 8;

    bytes private _graph;

    constructor(address game, ISessions sessions) Handler(game, sessions) {
        Graphs.Graph memory graph = Graphs.row(LANDS);
        graph.addWater(hex"000507");
        _graph = graph.encode();
    }

    function _create() internal override {
        address[] memory invited = new address[](1);
        if (_draw(3) == 0) invited[0] = accounts[_draw(4)];
        (uint8 players, uint24 clock) = (uint8(2 + _draw(3)), uint24(60 + _draw(1000)));
        bytes32 seed = bytes32(_draw(type(uint256).max));
        bytes memory data = abi.encodeCall(IConquest.create, (seed, 76, players, invited, clock, 0, _graph));
        _call(_sender(), 0, 0, data);
    }

    function _join(uint48 matchId) internal override {
        bytes memory data = abi.encodeCall(IConquest.join, (matchId));
        if (_draw(16) == 0) data = abi.encodeCall(IConquest.leave, (matchId));
        _call(_sender(), 0, matchId, data);
    }

    /// @dev Settles the open draw, or makes a command as the player to move.
    function _move(uint48 matchId) internal override {
        vm.roll(block.number + 2);
        IConquest.BoardView memory board = IConquest(GAME).board(matchId);
        if (board.drawBlock != 0) return _call(_sender(), 0, matchId, abi.encodeCall(IConquest.settle, (matchId)));
        address mover = board.mover < board.players.length ? board.players[board.mover] : address(0);
        _call(_sender(mover), 0, matchId, _command(matchId, board));
    }

    function _other(uint48 matchId) internal override {
        bytes memory data = abi.encodeCall(IConquest.settle, (matchId));
        if (_draw(2) == 0) data = abi.encodeCall(IConquest.claimTimeout, (matchId));
        _call(_sender(), 0, matchId, data);
    }

    function _command(uint48 id, IConquest.BoardView memory board) private returns (bytes memory) {
        (uint32 ply, uint32 trail) = (board.ply, board.trail);
        (uint8 from, uint8 to, uint256 kind) = (uint8(_draw(LANDS)), uint8(_draw(LANDS)), _draw(16));
        if (board.phase == 3) return abi.encodeCall(IConquest.chooseCapital, (id, ply, trail, from));
        if (board.phase == 0 && kind > 3) return abi.encodeCall(IConquest.reinforce, (id, ply, trail, from));
        if (kind == 0) return abi.encodeCall(IConquest.pass, (id, ply, trail, to % 2 == 0));
        if (kind == 1) return abi.encodeCall(IConquest.useItem, (id, ply, trail));
        if (kind == 2) return abi.encodeCall(IConquest.buildPort, (id, ply, trail, from));
        if (kind == 3 && to == 0) return abi.encodeCall(IConquest.surrender, (id, ply, trail));
        if (kind < 8) return abi.encodeCall(IConquest.capture, (id, ply, trail, from, to));
        if (kind < 14) return abi.encodeCall(IConquest.attack, (id, ply, trail, abi.encodePacked(from, to)));
        return abi.encodeCall(IConquest.move, (id, ply, trail, from, to, uint8(1 + kind % 4), from % 2 == 0));
    }

    function _status(uint48 matchId) internal view override returns (IMatch.Status) {
        return IConquest(GAME).board(matchId).status;
    }

    function _isPublic(bytes4 selector) internal pure override returns (bool) {
        return selector == IConquest.claimTimeout.selector || selector == IConquest.settle.selector;
    }

    function _deadline(uint48 matchId) internal view override returns (uint256) {
        return IConquest(GAME).board(matchId).deadline;
    }

    /// @dev A player is out after three forced passes, and the match ends with the last player but
    /// one.
    function _longestWait(uint48 matchId) internal view override returns (uint256) {
        IConquest.BoardView memory board = IConquest(GAME).board(matchId);
        return (3 * board.players.length - 1) * board.clock;
    }

    function _boardHash(uint48 matchId) internal view override returns (bytes32) {
        IConquest.BoardView memory board = IConquest(GAME).board(matchId);
        return keccak256(abi.encode(board));
    }
}
