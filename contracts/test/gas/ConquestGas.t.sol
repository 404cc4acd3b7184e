// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../Vm.sol";
import {ConquestFixture} from "../conquest/support/ConquestFixture.sol";
import {Graphs} from "../conquest/support/Graphs.sol";

/// @title Measures the gas of a match's calls, which `snapshots/` records
contract ConquestGasTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    /// forge-config: default.isolate = true
    function test_Gas() public {
        vm.prank(ANNE);
        number = game.create("a map", GRAIN, 2, new address[](0), CLOCK, 0, _shore().encode());
        vm.snapshotGasLastCall("Conquest", "create: eight lands");
        vm.prank(BOB);
        game.join(number);
        vm.snapshotGasLastCall("Conquest", "join");

        _begin(hex"0001", hex"0706");
        _setSoldiers(1, 50);
        _passPhase();
        vm.snapshotGasLastCall("Conquest", "pass");
        _begin(hex"0001", hex"0702");
        _setSoldiers(1, 50);
        _attack(hex"0102");
        vm.snapshotGasLastCall("Conquest", "attack");
        _settle();
        vm.snapshotGasLastCall("Conquest", "settle: a battle");
        _begin(hex"0001", hex"0706");
        _capture(1, 2);
        vm.snapshotGasLastCall("Conquest", "capture");
        _begin(hex"0001", hex"0706");
        _setPhase(REINFORCEMENT);
        _reinforce(1);
        vm.snapshotGasLastCall("Conquest", "reinforce");
        _begin(hex"0001", hex"0706");
        _setSoldiers(0, 50);
        _setPhase(MOVE);
        _move(0, 1, 2, false);
        vm.snapshotGasLastCall("Conquest", "move");
    }
}
