// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../Vm.sol";
import {BattleshipFixture} from "../battleship/BattleshipFixture.sol";

/// @title Measures the gas of a match's calls, which `snapshots/` records
contract BattleshipGasTest is BattleshipFixture {
    /// forge-config: default.isolate = true
    function test_Gas() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        vm.snapshotGasLastCall("Battleship", "invite");
        _invite(NOBODY, CLOCK, NOBODY, STAKE);
        vm.snapshotGasLastCall("Battleship", "invite: with a stake");
        _accept(50);
        vm.snapshotGasLastCall("Battleship", "accept: with a stake");
        _move(1);
        vm.snapshotGasLastCall("Battleship", "move: the first");
        _move(51);
        vm.snapshotGasLastCall("Battleship", "move");
        _surrender(0);
        vm.snapshotGasLastCall("Battleship", "surrender");
        _reveal(1);
        vm.snapshotGasLastCall("Battleship", "reveal");
        _withdraw(1);
        vm.snapshotGasLastCall("Battleship", "withdraw");
    }
}
