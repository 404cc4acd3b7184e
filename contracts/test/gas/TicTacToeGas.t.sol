// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../Vm.sol";
import {TicTacToeFixture} from "../tic_tac_toe/TicTacToeFixture.sol";

/// @title Measures the gas of a match's calls, which `snapshots/` records
contract TicTacToeGasTest is TicTacToeFixture {
    /// forge-config: default.isolate = true
    function test_Gas() public {
        number = _create(ANNE, CAROL, CLOCK);
        vm.snapshotGasLastCall("TicTacToe", "create");
        vm.prank(CAROL);
        game.accept(number);
        vm.snapshotGasLastCall("TicTacToe", "accept");
        _move(0);
        vm.snapshotGasLastCall("TicTacToe", "move: the first");
        _move(3);
        vm.snapshotGasLastCall("TicTacToe", "move");
        _move(1);
        _move(4);
        _move(2);
        vm.snapshotGasLastCall("TicTacToe", "move: the winning one");
        vm.prank(CAROL);
        game.rematch(number);
        vm.snapshotGasLastCall("TicTacToe", "rematch");
    }
}
