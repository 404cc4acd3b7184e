// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests `useItem`, and the effects of used items except on attacks
contract UseItemTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    // It should put the stored item into effect until the turn ends
    function test_UseItem() public {
        for (uint8 item = 1; item <= 4; ++item) {
            for (uint8 phase; phase < 3; ++phase) {
                _begin(hex"00", hex"07");
                _setPhase(phase);
                _setStored(0, item);
                _expectCommand(7, "");
                uint32 seq = _expect();
                emit IConquest.ItemUsed(number, seq, 0, item);
                _useItem();
                _assertTurn(0, phase, NO_DRAW);
                vm.assertEq(_board().used, 1 << (item - 1), "items in effect");
                vm.assertEq(_board().stored[0], 0, "stored item");
                _pass();
                vm.assertEq(_board().used, 0, "items in effect");
            }
        }
    }

    // It should let several items be in effect
    function test_SeveralItems() public {
        _begin(hex"00", hex"07");
        for (uint8 item = 1; item <= 4; ++item) {
            _setStored(0, item);
            _useItem();
        }
        vm.assertEq(_board().used, 15, "items in effect");
    }

    // It should revert with NoItem
    function test_RevertWhen_NoItemIsStored() public {
        _begin(hex"00", hex"07");
        _setStored(1, 1);
        vm.expectRevert(IConquest.NoItem.selector);
        _useItem();
    }

    // It should capture any neutral land with item 1
    function test_DistantCapture() public {
        _begin(hex"00", hex"07");
        vm.expectRevert(_notConnected(0, 4));
        _capture(0, 4);
        _setStored(0, 1);
        _useItem();
        _capture(0, 4);
        _assertLands(0, hex"0004");
    }

    // It should continue the action phase until the seat has captured a land and built a port
    function test_CaptureAndPort() public {
        for (uint256 order; order < 2; ++order) {
            _begin(hex"00", hex"07", _shore().encode());
            _setUsed(3);
            if (order == 0) _buildPort(0);
            else _capture(0, 1);
            _assertTurn(0, ACTION, NO_DRAW);
            if (order == 0) _capture(0, 5);
            else _buildPort(0);
            _assertTurn(0, MOVE, NO_DRAW);
        }
    }

    // It should give the seat another turn with item 4 if a command ends this turn
    function test_TwoTurns() public {
        for (uint256 way; way < 2; ++way) {
            _begin(hex"0001", hex"07");
            _setUsed(4);
            _setPhase(MOVE);
            if (way == 0) _pass();
            else _move(0, 1, 4, false);
            _assertTurn(0, REINFORCEMENT, TURN);
            vm.assertEq(_board().used, 0, "items in effect");
            _settle();
            _pass();
            _assertTurn(1, REINFORCEMENT, TURN);
        }
    }

    // It should give no other turn if a timeout or a surrender ends this turn
    function test_NoSecondTurn() public {
        for (uint256 way; way < 2; ++way) {
            _beginOfThree(hex"00", hex"05", hex"0b");
            _setUsed(4);
            if (way == 0) _timeout();
            else _surrender();
            _assertTurn(1, REINFORCEMENT, TURN);
            vm.assertEq(_board().used, 0, "items in effect");
        }
    }

    // It should keep the stored item of a seat until the seat uses it
    function test_ItemsOfSeats() public {
        _begin(6, Graphs.row(24).encode());
        for (uint8 seat; seat < 6; ++seat) {
            _setLands(seat, abi.encodePacked(4 * seat));
            _setStored(seat, 1 + seat % 3);
        }
        for (uint8 seat; seat < 6; ++seat) {
            vm.assertEq(_board().stored[seat], 1 + seat % 3, "stored item");
            _useItem();
            vm.assertEq(_board().stored[seat], 0, "stored item");
            _pass();
            _settle();
        }
    }
}
