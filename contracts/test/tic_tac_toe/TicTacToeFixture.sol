// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ITicTacToe} from "../../src/games/tic_tac_toe/ITicTacToe.sol";
import {Fixture} from "../Fixture.sol";
import {vm} from "../Vm.sol";

/// @title A match between ANNE, the host, and BOB, the challenger
/// @notice Cells are numbers from 0 to 8, row by row.
abstract contract TicTacToeFixture is Fixture {
    uint24 internal constant CLOCK = 60;

    ITicTacToe internal game;
    uint48 internal number;

    bytes internal hostWins = hex"0003010402";
    bytes internal challengerWins = hex"000401020806";
    /// @dev The drawn match in the game's rules.
    bytes internal drawn = hex"000102040305070608";

    function setUp() public virtual {
        game = ITicTacToe(_deployGame("TicTacToe"));
        number = _begin(ANNE, BOB, CLOCK);
    }

    /// @dev Starts a match with this host and this challenger.
    function _begin(address host, address challenger, uint24 clock) internal returns (uint48 matchId) {
        matchId = _create(host, challenger, clock);
        vm.prank(challenger);
        game.accept(matchId);
    }

    function _create(address host, address challenger, uint24 clock) internal returns (uint48) {
        vm.prank(host);
        return game.create(challenger, clock);
    }

    /// @dev Sets marks on these cells in turn, in the match `number`.
    function _play(bytes memory cells) internal {
        for (uint256 i; i < cells.length; ++i) {
            _move(uint8(cells[i]));
        }
    }

    function _move(uint16 cell) internal {
        ITicTacToe.BoardView memory board = _board();
        vm.prank(board.mover);
        game.move(number, board.ply, cell / 3, cell % 3);
    }

    function _board() internal view returns (ITicTacToe.BoardView memory) {
        return game.board(number);
    }

    function _assertStatus(uint48 matchId, IMatch.Status status) internal view {
        vm.assertEq(uint8(game.board(matchId).status), uint8(status), "status");
    }

    /// @dev Checks that the match `number` has ended.
    function _assertEnded(address winner, IMatch.Reason reason) internal view {
        ITicTacToe.BoardView memory board = _board();
        _assertEnd(board.status, board.reason, reason);
        vm.assertEq(board.winner, winner);
        vm.assertEq(board.mover, NOBODY);
        vm.assertEq(board.offeredBy, NOBODY);
        vm.assertEq(board.deadline, 0, "deadline");
    }

    function _gameExists(uint48 matchId) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITicTacToe.GameExists.selector, matchId);
    }
}
