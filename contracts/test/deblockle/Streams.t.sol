// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests how deposits stream back
contract StreamsTest is DeblockleFixture {
    // ---- the example in the game's rules

    // It should count whole turns, and add up the seconds of all turns
    // It should pay the rest of both deposits to the winner
    function test_Example() public {
        _beginWithStake();
        _wait(10);
        _play(1, 1);
        _wait(30);
        _play(2, 2);
        _wait(5);
        _resign(1);
        _assertExample();
    }

    // It should count whole turns, and add up the seconds of all turns
    // It should pay the rest of both deposits to the winner
    /// @dev The players think as long in total as in the example. A roll and its hop are one turn.
    function test_ExampleWithAllPlies() public {
        _beginWithStake();
        uint8[10] memory durations = [4, 10, 2, 1, 9, 1, 1, 2, 10, 5];
        for (uint256 i; i < 10; ++i) {
            _wait(durations[i]);
            _play(i + 1, i + 1);
        }
        vm.assertEq(uint8(_board().reason), uint8(IMatch.Reason.Won), "reason");
        _assertExample();
    }

    function _assertExample() private {
        vm.assertEq(_board().winner, ANNE);
        _assertSeconds(30, 15);
        _assertStreamed(60, 30);
        _assertDue(1970, 30);
        _wait(1000); // after the end, nothing streams
        _assertStreamed(60, 30);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IDeblockle.Withdrawn(number, seq + 1, ANNE, NOBODY, 1970);
        _assertPaid(0, 1970);
        vm.assertEq(game.seqOf(number), seq + 1, "seq");
        _assertPaid(1, 30);
        vm.assertEq(_board().withdrawn[0], 1970, "withdrawn by ANNE");
        vm.assertEq(_board().withdrawn[1], 30, "withdrawn by BOB");
        _assertNothingDue(0);
        _assertNothingDue(1);
        vm.assertEq(address(game).balance, 0, "the contract's balance");
    }

    // ---- streams

    // It should publish the seconds of the waiting player at the end of each turn
    function test_Streamed() public {
        _beginWithStake();
        _wait(3);
        vm.expectEmit(address(game));
        emit IDeblockle.Streamed(number, 8, BOB, 3);
        vm.expectEmit(address(game));
        emit IDeblockle.TurnChanged(number, 9, BOB, 1 << 1);
        _play(1, 1);
        _wait(7);
        vm.expectEmit(address(game));
        emit IDeblockle.Streamed(number, 11, ANNE, 7);
        _play(2, 2);
        _wait(1);
        _play(3, 3); // the turn goes on
        _assertSeconds(7, 3);
        _wait(9);
        vm.expectEmit(address(game));
        emit IDeblockle.Streamed(number, game.seqOf(number) + 2, BOB, 13);
        _play(4, 4);
        _assertSeconds(7, 13);
        _wait(2);
        vm.expectEmit(address(game));
        emit IDeblockle.Streamed(number, game.seqOf(number) + 2, ANNE, 9);
        _pass();
        _assertSeconds(9, 13);
    }

    // It should show each second, and stop when the deposit has streamed back
    function testFuzz_Streamed(uint16 duration) public {
        _beginWithStake();
        _wait(duration);
        uint256 amount = duration < DURATION ? uint256(duration) * RATE : STAKE;
        _assertStreamed(0, amount);
        _assertDue(0, amount);
        _assertSeconds(0, 0);
        _play(1, 1);
        _assertSeconds(0, duration);
        _assertStreamed(0, amount);
    }

    // It should show each second, and stop when the deposit has streamed back
    function test_LastSecondOfADeposit() public {
        uint96[3][4] memory cases =
            [[uint96(1001), 2, 501], [uint96(1000), 3, 334], [uint96(60), 1, 60], [uint96(119), 1, 119]];
        for (uint256 i; i < 4; ++i) {
            (terms.stake, terms.rate) = (cases[i][0], cases[i][1]);
            _begin();
            uint256 duration = cases[i][2];
            vm.assertEq(_board().deadline, block.timestamp + duration, "deadline");
            _wait(duration - 1);
            _assertStreamed(0, (duration - 1) * cases[i][1]);
            vm.assertTrue((duration - 1) * cases[i][1] < cases[i][0], "a part is left");
            _wait(1);
            _assertStreamed(0, cases[i][0]);
            _wait(1);
            _assertStreamed(0, cases[i][0]);
        }
    }

    // It should limit the seconds to 2^32 - 1, even during a turn
    function test_SecondsDoNotWrap() public {
        (terms.stake, terms.rate) = (2 ** 60, 2 ** 27); // the deposit lasts for 2^33 seconds
        _begin();
        _wait(uint256(2) ** 32 + 2 ** 31);
        uint256 limit = (uint256(2) ** 32 - 1) * terms.rate;
        _assertStreamed(0, limit);
        _assertPaid(1, limit);
        vm.expectEmit(address(game));
        emit IDeblockle.Streamed(number, game.seqOf(number) + 2, BOB, type(uint32).max);
        _play(1, 1);
        _assertSeconds(0, type(uint32).max);
        _assertDue(0, 0);
        _wait(10);
        _play(2, 2);
        _wait(10);
        _play(3, 4);
        _assertSeconds(10, type(uint32).max); // the limit holds in later turns
        _resign(1);
        _assertPaid(0, 2 ** 61 - limit);
        vm.assertEq(address(game).balance, 0, "the contract's balance");
    }

    // It should pay even the largest stake
    function test_LargestStake() public {
        terms.stake = type(uint96).max;
        terms.rate = terms.stake / 60;
        terms.clock = 60;
        _begin();
        _wait(30);
        _resign(0);
        _assertStreamed(0, uint256(terms.rate) * 30);
        _assertPaid(1, 2 * uint256(terms.stake));
        vm.assertEq(_board().withdrawn[1], 2 * uint256(terms.stake), "withdrawn");
    }
}
