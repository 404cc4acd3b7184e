// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../Vm.sol";
import {DeblockleFixture} from "../deblockle/support/DeblockleFixture.sol";

/// @title Measures the gas of a match's calls, which `snapshots/` records
contract DeblockleGasTest is DeblockleFixture {
    /// forge-config: default.isolate = true
    function test_Gas() public {
        _create(NOBODY);
        vm.snapshotGasLastCall("Deblockle", "create");
        (terms.stake, terms.rate) = (STAKE, RATE);
        _create(NOBODY);
        vm.snapshotGasLastCall("Deblockle", "create: with a stake");
        _join();
        vm.snapshotGasLastCall("Deblockle", "join: with a stake");
        _wait(1 minutes);
        _play(1, 1);
        vm.snapshotGasLastCall("Deblockle", "makeMove: with a stake");
        _wait(1 minutes);
        _pass();
        vm.snapshotGasLastCall("Deblockle", "passMove: with a stake");
        _resign(0);
        vm.snapshotGasLastCall("Deblockle", "resign: with a stake");
        _withdraw(1);
        vm.snapshotGasLastCall("Deblockle", "withdraw");
    }
}
