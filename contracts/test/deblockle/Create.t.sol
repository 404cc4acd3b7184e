// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";
import {IMatch} from "../../src/IMatch.sol";
import {ITurnBased} from "../../src/ITurnBased.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests `create`
contract CreateTest is DeblockleFixture {
    /// @dev The numbers of possible first rolls in the game's rules, by the number of cubes.
    uint8[5] private _firstRolls = [0, 1, 5, 8, 11];
    /// @dev The starting positions in the game's rules: the id, the square and the faces `up`,
    /// `front` and `right` of each cube.
    bytes[5] private _setUps = [
        bytes(""),
        hex"00470203060441050301",
        hex"0037020306015704010204310503010551040102",
        hex"003702030601570401020431050301055104010202450401020643060402",
        hex"00350203060155020306023701030203570306020431060402055102030606330203060753050301"
    ];

    // ---- create

    // It should open a match and take the deposit
    function test_Create() public {
        terms = Terms(3, BOARD, NOBODY, STAKE, RATE, CLOCK);
        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(1, 1, ANNE, BOB, CLOCK, 0);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(1, 2, ANNE, 0);
        vm.expectEmit(address(game));
        emit IDeblockle.GameCreated(1, 3, 3, IDeblockle.Ruleset.Board, NOBODY, STAKE, RATE);
        _create(BOB);
        vm.assertEq(number, 1, "number");
        vm.assertEq(address(game).balance, STAKE, "the contract's balance");

        IDeblockle.BoardView memory board = _board();
        vm.assertEq(uint8(board.status), uint8(IMatch.Status.Open), "status");
        vm.assertEq(board.seq, 3, "seq");
        vm.assertEq(board.players[0], ANNE);
        vm.assertEq(board.players[1], BOB);
        vm.assertEq(board.mover, NOBODY);
        vm.assertEq(board.clock, CLOCK, "clock");
        vm.assertEq(board.deadline, 0, "deadline");
        vm.assertEq(board.rolls, 0, "rolls");
        vm.assertEq(board.token, NOBODY);
        vm.assertEq(board.stake, STAKE, "stake");
        vm.assertEq(board.rate, RATE, "rate");
    }

    // It should set up the cubes of the game's rules
    // It should give seat 0 the first turn
    function test_SetUps() public {
        for (uint8 cubes = 1; cubes <= 4; ++cubes) {
            for (uint8 ruleset; ruleset < 2; ++ruleset) {
                (terms.cubes, terms.ruleset) = (cubes, ruleset);
                _create(NOBODY);
                _assertSetUp(cubes, ruleset);
                _join();
                _assertSetUp(cubes, ruleset);
                IDeblockle.BoardView memory board = _board();
                vm.assertEq(board.mover, ANNE);
                uint256 rolls;
                for (uint256 bit; bit < 16; ++bit) {
                    rolls += board.rolls >> bit & 1;
                }
                vm.assertEq(rolls, _firstRolls[cubes], "the number of first rolls");
            }
        }
    }

    function _assertSetUp(uint8 cubes, uint8 ruleset) private view {
        IDeblockle.BoardView memory board = _board();
        vm.assertEq(board.cubes, cubes, "cubes");
        vm.assertEq(uint8(board.ruleset), ruleset, "ruleset");
        vm.assertEq(uint8(board.phase), uint8(IDeblockle.Phase.Roll), "phase");
        vm.assertEq(board.hopper, NO_CUBE, "hopper");
        bytes memory encoded;
        for (uint256 i; i < board.left.length; ++i) {
            IDeblockle.Cube memory cube = board.left[i];
            encoded = abi.encodePacked(encoded, cube.id, 16 * cube.x + cube.y, cube.up, cube.front, cube.right);
        }
        vm.assertEq(encoded, _setUps[cubes]);
    }

    // It should revert with BadCubes
    function testFuzz_RevertWhen_TheNumberOfCubesIsInvalid(uint8 cubes) public {
        vm.assume(cubes == 0 || cubes > 4);
        terms.cubes = cubes;
        vm.expectRevert(abi.encodeWithSelector(IDeblockle.BadCubes.selector, cubes));
        _create(NOBODY);
    }

    // It should revert with BadRuleset
    function testFuzz_RevertWhen_TheRulesetIsUnknown(uint8 ruleset) public {
        vm.assume(ruleset > 1);
        terms.ruleset = ruleset;
        vm.expectRevert(abi.encodeWithSelector(IDeblockle.BadRuleset.selector, ruleset));
        _create(NOBODY);
    }

    // It should open a match if the deposit lasts for at least a minute
    // It should revert with BadRate otherwise
    function testFuzz_Rate(uint96 stake, uint96 rate) public {
        vm.assume(stake != 0);
        uint96 maximum = stake / 60;
        _assertRate(stake, rate, maximum);
        _assertRate(stake, 0, maximum);
        _assertRate(stake, maximum, maximum);
        _assertRate(stake, maximum + 1, maximum);
    }

    function _assertRate(uint96 stake, uint96 rate, uint96 maximum) private {
        (terms.stake, terms.rate) = (stake, rate);
        bool valid = rate != 0 && rate <= maximum;
        if (!valid) vm.expectRevert(_badRate(rate, maximum));
        _create(NOBODY);
    }

    // It should revert with BadRate if a match without a stake has a rate
    function testFuzz_RevertWhen_AMatchWithoutAStakeHasARate(uint96 rate) public {
        vm.assume(rate != 0);
        terms.rate = rate;
        vm.expectRevert(_badRate(rate, 0));
        _create(NOBODY);
    }

    // It should revert with BadClock
    function testFuzz_RevertWhen_TheClockIsOutOfRange(uint24 clock, bool staked) public {
        uint24 minimum = staked ? 60 : 30;
        vm.assume((clock < minimum && (staked || clock != 0)) || clock > 30 days);
        _assertBadClock(clock, minimum, staked);
    }

    // It should revert with BadClock
    function test_RevertWhen_TheClockIsJustOutOfRange() public {
        _assertBadClock(29, 30, false);
        _assertBadClock(30 days + 1, 30, false);
        _assertBadClock(0, 60, true);
        _assertBadClock(59, 60, true);
        _assertBadClock(30 days + 1, 60, true);
        uint24[5] memory clocks = [uint24(0), 30, 30 days, 60, 30 days];
        for (uint256 i; i < 5; ++i) {
            (terms.stake, terms.rate) = i < 3 ? (0, 0) : (STAKE, RATE);
            terms.clock = clocks[i];
            _begin();
            vm.assertEq(_board().clock, clocks[i], "clock");
        }
    }

    function _assertBadClock(uint24 clock, uint24 minimum, bool staked) private {
        terms.clock = clock;
        (terms.stake, terms.rate) = staked ? (STAKE, RATE) : (0, 0);
        vm.expectRevert(abi.encodeWithSelector(ITurnBased.BadClock.selector, clock, minimum, 30 days));
        _create(NOBODY);
    }

    // It should revert with SamePlayer
    function test_RevertWhen_TheCallerPlaysBothSeats() public {
        vm.expectRevert(_samePlayer(ANNE));
        _create(ANNE);
        _create(NOBODY);
        vm.expectRevert(_samePlayer(ANNE));
        _join(ANNE, terms);
        _create(BOB);
        vm.expectRevert(_samePlayer(ANNE));
        _join(ANNE, terms);
    }

    // ---- rematches

    // It should open a rematch for the two players
    // It should revert with BadRematch
    function test_Rematch() public {
        _begin();
        uint48 first = number;
        bytes memory revertData = abi.encodeWithSelector(IDeblockle.BadRematch.selector, first);
        vm.expectRevert(revertData);
        _create(ANNE, BOB, first); // the match is not over
        _resign(0);
        address[2][4] memory others = [[ANNE, CAROL], [CAROL, ANNE], [CAROL, BOB], [ANNE, NOBODY]];
        for (uint256 i; i < 4; ++i) {
            vm.expectRevert(revertData);
            _create(others[i][0], others[i][1], first);
        }
        vm.expectRevert(_noSuchMatch(99));
        _create(ANNE, BOB, 99);

        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(first + 1, 1, BOB, ANNE, CLOCK, first);
        _create(BOB, ANNE, first);
        vm.prank(BOB);
        game.cancel(number);
        vm.expectRevert(abi.encodeWithSelector(IDeblockle.BadRematch.selector, number));
        _create(ANNE, BOB, number); // a cancelled match
        _create(ANNE, BOB, first);
        vm.assertEq(_board().players[1], BOB);
    }

    function _badRate(uint96 rate, uint96 maximum) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IDeblockle.BadRate.selector, rate, maximum);
    }
}
