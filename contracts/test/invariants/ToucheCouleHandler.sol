// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {vm} from "../Vm.sol";
import {HostileCaptain} from "../touche_coule/HostileCaptain.sol";
import {Handler} from "./Handler.sol";

contract ToucheCouleHandler is Handler {
    HostileCaptain private immutable _CAPTAIN = new HostileCaptain();

    constructor(address game, ISessions sessions) Handler(game, sessions) {}

    function _create() internal override {
        (uint8 width, uint8 height) = (uint8(2 + _draw(6)), uint8(2 + _draw(6)));
        _call(_sender(), 0, 0, abi.encodeCall(IToucheCoule.create, (width, height, _draw(3) != 0)));
    }

    /// @dev Registers a ship, or starts the match.
    function _join(uint48 matchId) internal override {
        if (_draw(4) == 0) return _turn(matchId);
        bytes memory data = _draw(4) == 0
            ? abi.encodeWithSignature("register(uint48,address)", matchId, address(_CAPTAIN))
            : abi.encodeWithSignature("register(uint48)", matchId);
        _call(_sender(), 0, matchId, data);
    }

    function _move(uint48 matchId) internal override {
        if (_draw(4) == 0) return _other(matchId);
        _turn(matchId);
    }

    /// @dev Plays the next turn, usually as a ship's owner, and usually in a block in which this is
    /// possible.
    function _turn(uint48 matchId) private {
        IToucheCoule.BoardView memory board = IToucheCoule(GAME).board(matchId);
        if (_draw(8) != 0) vm.roll(block.number + 2);
        _call(_owner(board), 0, matchId, abi.encodeCall(IToucheCoule.turn, (matchId, board.ply)));
    }

    /// @dev Makes a different call, or changes what the captain does.
    function _other(uint48 matchId) internal override {
        uint256 kind = _draw(8);
        if (kind < 2) {
            uint256 manners = uint256(type(HostileCaptain.Manner).max) + 1;
            return _CAPTAIN.behave(HostileCaptain.Manner(_draw(manners)), uint16(_draw(64)));
        }
        bytes memory data = abi.encodeCall(IToucheCoule.changePosition, (matchId));
        if (kind < 5) data = abi.encodeCall(IToucheCoule.communicate, (matchId));
        if (kind == 5) data = abi.encodeCall(IToucheCoule.expire, (matchId));
        _call(_owner(IToucheCoule(GAME).board(matchId)), 0, matchId, data);
    }

    function _owner(IToucheCoule.BoardView memory board) private returns (address) {
        if (board.ships.length == 0) return _sender();
        return _sender(board.ships[_draw(board.ships.length)].owner);
    }

    function _status(uint48 matchId) internal view override returns (IMatch.Status) {
        return IToucheCoule(GAME).board(matchId).status;
    }

    function _isPublic(bytes4 selector) internal pure override returns (bool) {
        return selector == IToucheCoule.expire.selector;
    }

    function _timeout(uint48 matchId) internal pure override returns (bytes memory) {
        return abi.encodeCall(IToucheCoule.expire, (matchId));
    }

    function _deadline(uint48 matchId) internal view override returns (uint256) {
        return IToucheCoule(GAME).board(matchId).deadline;
    }

    function _longestWait(uint48) internal pure override returns (uint256) {
        return 1 days;
    }

    function _boardHash(uint48 matchId) internal view override returns (bytes32) {
        IToucheCoule.BoardView memory board = IToucheCoule(GAME).board(matchId);
        return keccak256(abi.encode(board));
    }
}
