// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../Vm.sol";
import {ToucheCouleFixture} from "../touche_coule/ToucheCouleFixture.sol";

/// @title Measures the gas of a match's calls, which `snapshots/` records
contract ToucheCouleGasTest is ToucheCouleFixture {
    /// forge-config: default.isolate = true
    function test_Gas() public {
        number = game.create(12, 12, false);
        vm.snapshotGasLastCall("ToucheCoule", "create");
        _register(ANNE);
        vm.snapshotGasLastCall("ToucheCoule", "register");
        _register(ANNE);
        _register(BOB);
        _register(BOB);
        _start();
        vm.snapshotGasLastCall("ToucheCoule", "turn: the first");
        _rollToDraw();
        vm.prank(ANNE);
        game.turn(number, 1);
        vm.snapshotGasLastCall("ToucheCoule", "turn: four ships");
        vm.prank(ANNE);
        game.communicate(number);
        vm.snapshotGasLastCall("ToucheCoule", "communicate");
        _turns(5);
        _rollToDraw();
        vm.prank(ANNE);
        game.changePosition(number);
        vm.snapshotGasLastCall("ToucheCoule", "changePosition");
    }
}
