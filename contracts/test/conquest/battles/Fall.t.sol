// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../../src/IMatch.sol";
import {IConquest} from "../../../src/games/conquest/IConquest.sol";
import {vm} from "../../Vm.sol";
import {ConquestFixture} from "../support/ConquestFixture.sol";
import {Graphs} from "../support/Graphs.sol";

/// @title Tests what happens when an attack conquers a land with a hero, or a capital
contract FallTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    // ---- heroes

    // It should kill the hero on a conquered land, and halve all soldiers of its seat
    function test_HeroDies() public {
        _begin(hex"00", hex"070103");
        _setSoldiers([uint24(90), 1, 9, 15, 9, 9, 9, 21]);
        _setHero(1, 1);
        _attack(hex"0001");
        bytes32 seed = _seedOfLuck(100, 0);
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0001", 1800, 168, 100, 81, true);
        _expectHeroDied(1, 1);
        _expectSoldiers(hex"01000000" hex"03000007" hex"0700000a");
        _expectTaken(hex"01", 1, 0);
        _expectPhase(0, MOVE, NO_DRAW);
        _settle(seed);
        _assertSoldiers([uint24(90), 0, 9, 7, 9, 9, 9, 10]);
        vm.assertEq(_board().heroes[1], NONE, "hero");
        vm.assertEq(_board().hadHero, 2, "seats that had their hero");
    }

    // It should halve the soldiers on each land
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_Halves(bytes32 random) public {
        _begin(2, Graphs.row(96).encode());
        _setLands(0, hex"00");
        _setLands(1, hex"0201");
        _setHero(1, 1);
        uint256[96] memory expected;
        for (uint256 land = 2; land < 96; ++land) {
            uint256 number_ = uint256(keccak256(abi.encode(random, land)));
            if (number_ % 2 == 0) _setOwner(land, 1);
            expected[land] = (number_ >> 8) % 100;
            _setSoldiers(land, expected[land]);
            if (land == 2 || number_ % 2 == 0) expected[land] /= 2;
        }
        _setSoldiers(0, 99_999);
        _attack(hex"0001");
        _settle(_seedOfLuck(100, 0));
        uint32[] memory soldiers = _board().soldiers;
        for (uint256 land = 2; land < 96; ++land) {
            vm.assertEq(soldiers[land], expected[land], "soldiers");
        }
    }

    // ---- capitals

    // It should eliminate the seat, and give all its lands to the conqueror
    function test_CapitalOfOneOfThree() public {
        _beginOfThree(hex"00", hex"010203", hex"0b0a");
        _setSoldiers([uint24(90), 5, 6, 7, 0, 0, 0, 0]);
        _setStored(1, 2);
        _setForced(1, 1);
        _setHero(1, 3);
        _attack(hex"0001");
        bytes32 seed = _seedOfLuck(100, 0);
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0001", 1800, 220, 100, 79, true);
        _expectSoldiers(hex"01000000");
        _expectOut(1, 0, IMatch.Reason.Won);
        _expectTaken(hex"010203", 1, 0);
        _expectPhase(0, MOVE, NO_DRAW);
        _settle(seed);
        _assertLands(0, hex"00010203");
        _assertSoldiers([uint24(90), 0, 6, 7, 0, 0, 0, 0]);
        IConquest.BoardView memory board = _board();
        vm.assertEq(board.alive, 5, "living seats");
        vm.assertEq(board.capitals[1], NONE, "capital");
        vm.assertEq(board.heroes[1], NONE, "hero");
        vm.assertEq(board.stored[1], 0, "stored item");
        vm.assertEq(board.forced[1], 0, "forced passes");
        _pass();
        _assertTurn(2, REINFORCEMENT, TURN);
    }

    // It should let the conqueror win if only one seat is left, and skip the other attacks
    function test_LastCapital() public {
        _begin(hex"00", hex"0102");
        _setSoldiers([uint24(90), 5, 0, 0, 0, 0, 0, 0]);
        _attack(hex"00010001");
        bytes32 seed = _seedOfLuck(100, 0);
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0001", 1800, 200, 100, 40, true);
        _expectSoldiers(hex"01000000");
        _expectOut(1, 0, IMatch.Reason.Won);
        _expectTaken(hex"0102", 1, 0);
        _expectEnd(ANNE, IMatch.Reason.Won);
        _settle(seed);
        _assertEnded(ANNE, IMatch.Reason.Won);
    }

    // It should halve the soldiers before the capital's lands change hands
    function test_CapitalWithTheHero() public {
        _beginOfThree(hex"00", hex"0102", hex"0b");
        _setSoldiers([uint24(90), 5, 31, 0, 0, 0, 0, 0]);
        _setHero(1, 1);
        _attack(hex"0001");
        _settle(_seedOfLuck(120, 0));
        _assertSoldiers([uint24(90), 0, 15, 0, 0, 0, 0, 0]);
        _assertLands(0, hex"000102");
    }

    // It should revert the next command with WrongStatus, and accept claimTimeout
    function test_CommandAfterTheDecidingBattle() public {
        _begin(hex"00", hex"0102");
        _setSoldiers([uint24(90), 5, 0, 0, 0, 0, 0, 0]);
        _attack(hex"0001");
        _decide(_seedOfLuck(100, 0));
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
        _pass();
        _timeout();
        _assertEnded(ANNE, IMatch.Reason.Won);
    }
}
