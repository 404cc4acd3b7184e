// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ITurnBased} from "../../src/ITurnBased.sol";
import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests `create`, `join` and `leave`
contract StartTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    address private constant DAVE = address(0xDA7E);

    bytes private _graph = Graphs.row(12).encode();

    function _create(address[] memory invited) private {
        vm.prank(ANNE);
        number = game.create("a map", GRAIN, 3, invited, CLOCK, 0, _graph);
    }

    function _invited(address first, address second) private pure returns (address[] memory invited) {
        invited = new address[](2);
        (invited[0], invited[1]) = (first, second);
    }

    function _join(address account) private {
        vm.prank(account);
        game.join(number);
    }

    function _leave(address account) private {
        vm.prank(account);
        game.leave(number);
    }

    function _assertPlayers(address first, address second, address third) private view {
        address[] memory found = _board().players;
        vm.assertEq(found.length, 3, "number of players");
        vm.assertEq(found[0], first);
        vm.assertEq(found[1], second);
        vm.assertEq(found[2], third);
    }

    // ---- create

    // It should open a match on the map, give the caller seat 0 and reserve the other seats
    function test_Create() public {
        address[] memory invited = _invited(NOBODY, CAROL);
        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(1, 1, ANNE, CAROL, CLOCK, 77);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(1, 2, ANNE, 0);
        vm.expectEmit(address(game));
        emit IConquest.Map(1, 3, "a map", GRAIN, 3, _graph);
        vm.expectEmit(address(game));
        emit IConquest.Invited(1, 4, invited);
        vm.prank(ANNE);
        number = game.create("a map", GRAIN, 3, invited, CLOCK, 77, _graph);
        vm.assertEq(number, 1, "number");
        vm.assertEq(game.seqOf(1), 4, "sequence number");
        _assertPlayers(ANNE, NOBODY, NOBODY);
        vm.assertEq(_board().invited[1], NOBODY);
        vm.assertEq(_board().invited[2], CAROL);
        vm.assertEq(_board().alive, 1, "taken seats");
    }

    // It should show no mover, phase, draw or first seat before the match starts
    function test_OpenMatch() public {
        _create(new address[](0));
        IConquest.BoardView memory board = _board();
        vm.assertEq(uint8(board.status), uint8(IMatch.Status.Open), "status");
        vm.assertEq(board.seats, 3, "seats");
        vm.assertEq(board.clock, CLOCK, "clock");
        vm.assertEq(board.deadline, 0, "deadline");
        vm.assertEq(board.first, NONE, "first seat");
        vm.assertEq(board.mover, NONE, "mover");
        vm.assertEq(board.phase, NONE, "phase");
        vm.assertEq(board.draw, NO_DRAW, "draw");
        for (uint8 seat; seat < 3; ++seat) {
            vm.assertEq(board.capitals[seat], NONE, "capital");
            vm.assertEq(board.heroes[seat], NONE, "hero");
            vm.assertEq(board.owned[seat], 0, "lands");
        }
    }

    // It should accept the smallest and the largest terms
    function test_TermsInRange() public {
        for (uint8 seats = 2; seats <= 6; ++seats) {
            (uint8 grain, uint24 clock) = seats % 2 == 0 ? (uint8(48), uint24(60)) : (uint8(200), uint24(30 days));
            number = game.create(0, grain, seats, new address[](seats - 1), clock, 0, Graphs.row(24).encode());
            vm.assertEq(_board().seats, seats, "seats");
        }
    }

    // It should revert with BadPlayers
    function testFuzz_RevertWhen_TheNumberOfSeatsIsOutOfRange(uint8 seats) public {
        vm.assume(seats < 2 || seats > 6);
        vm.expectRevert(abi.encodeWithSelector(IConquest.BadPlayers.selector, seats, 2, 6));
        game.create(0, GRAIN, seats, new address[](0), CLOCK, 0, Graphs.row(96).encode());
    }

    // It should revert with BadPlayers
    function testFuzz_RevertWhen_ThereAreMoreInvitationsThanSeats(uint8 invitations) public {
        vm.assume(invitations > 2);
        vm.expectRevert(abi.encodeWithSelector(IConquest.BadPlayers.selector, invitations, 0, 2));
        _create(new address[](invitations));
    }

    // It should revert with BadGrain
    function testFuzz_RevertWhen_TheGrainIsOutOfRange(uint8 grain) public {
        vm.assume(grain < 48 || grain > 200);
        vm.expectRevert(abi.encodeWithSelector(IConquest.BadGrain.selector, grain, 48, 200));
        game.create(0, grain, 3, new address[](0), CLOCK, 0, _graph);
    }

    // It should revert with BadClock
    function testFuzz_RevertWhen_TheClockIsOutOfRange(uint24 clock) public {
        vm.assume(clock < 60 || clock > 30 days);
        vm.expectRevert(abi.encodeWithSelector(ITurnBased.BadClock.selector, clock, 60, 30 days));
        game.create(0, GRAIN, 3, new address[](0), clock, 0, _graph);
    }

    // It should revert with SamePlayer
    function test_RevertWhen_AnAccountIsInvitedTwice() public {
        vm.expectRevert(_samePlayer(ANNE));
        _create(_invited(NOBODY, ANNE));
        vm.expectRevert(_samePlayer(BOB));
        _create(_invited(BOB, BOB));
    }

    // ---- join

    // It should take the reserved seat, otherwise the first free seat
    function test_ReservedSeat() public {
        _create(_invited(NOBODY, CAROL));
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 5, CAROL, 2);
        _join(CAROL);
        _assertPlayers(ANNE, NOBODY, CAROL);
        _join(BOB);
        _assertPlayers(ANNE, BOB, CAROL);
        vm.assertEq(_board().invited[1], NOBODY);
        vm.assertEq(_board().invited[2], CAROL);
    }

    // It should start the match and its clock, and open the draw of the first seat
    function test_LastSeat() public {
        _create(new address[](0));
        _join(BOB);
        vm.warp(5000);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 5, CAROL, 2);
        vm.expectEmit(address(game));
        emit IMatch.MatchStarted(number, 6);
        vm.expectEmit(address(game));
        emit IConquest.Phase(number, 7, NONE, CAPITALS, FIRST);
        _join(CAROL);
        _assertPlayers(ANNE, BOB, CAROL);
        _assertTurn(NONE, CAPITALS, FIRST);
        vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Playing), "status");
        vm.assertEq(_board().first, NONE, "first seat");
        vm.assertEq(_board().drawBlock, block.number, "block of the draw");
        vm.assertEq(_board().deadline, 5000 + CLOCK, "deadline");
    }

    // It should revert with NotInvited
    function test_RevertWhen_AllFreeSeatsAreReserved() public {
        _create(_invited(NOBODY, CAROL));
        _join(BOB);
        vm.expectRevert(_notInvited(number, DAVE, CAROL));
        _join(DAVE);
        _create(_invited(BOB, CAROL));
        vm.expectRevert(_notInvited(number, DAVE, BOB));
        _join(DAVE);
        _join(BOB);
        vm.expectRevert(_notInvited(number, DAVE, CAROL));
        _join(DAVE);
    }

    // It should revert with SamePlayer
    function test_RevertWhen_TheAccountHasASeat() public {
        _create(new address[](0));
        _join(BOB);
        vm.expectRevert(_samePlayer(ANNE));
        _join(ANNE);
        vm.expectRevert(_samePlayer(BOB));
        _join(BOB);
    }

    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchIsNotOpen() public {
        _create(new address[](0));
        _leave(ANNE);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Cancelled, IMatch.Status.Open));
        _join(BOB);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Cancelled, IMatch.Status.Open));
        _leave(ANNE);
        _fill(3, _graph);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        _join(DAVE);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        _leave(BOB);
    }

    // ---- leave

    // It should free the seat, but keep the seat's reservation
    function test_Leave() public {
        _create(_invited(NOBODY, CAROL));
        _join(BOB);
        vm.expectEmit(address(game));
        emit IConquest.PlayerLeft(number, 6, BOB, 1);
        _leave(BOB);
        _assertPlayers(ANNE, NOBODY, NOBODY);
        _join(CAROL);
        vm.expectEmit(address(game));
        emit IConquest.PlayerLeft(number, 8, CAROL, 2);
        _leave(CAROL);
        _join(DAVE);
        _assertPlayers(ANNE, DAVE, NOBODY);
        vm.expectRevert(_notInvited(number, BOB, CAROL));
        _join(BOB);
        _join(CAROL);
        _assertPlayers(ANNE, DAVE, CAROL);
    }

    // It should cancel the match
    function test_TheCreatorLeaves() public {
        _create(_invited(BOB, CAROL));
        _join(BOB);
        vm.expectEmit(address(game));
        emit IConquest.PlayerLeft(number, 6, ANNE, 0);
        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, 7, NOBODY, IMatch.Reason.Cancelled);
        _leave(ANNE);
        vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Cancelled), "status");
        vm.assertEq(uint8(_board().reason), uint8(IMatch.Reason.Cancelled), "reason");
        vm.assertEq(_board().mover, NONE, "mover");
        _assertPlayers(NOBODY, BOB, NOBODY);
    }

    // It should revert with NotAPlayer
    function test_RevertWhen_TheAccountHasNoSeat() public {
        _create(_invited(BOB, CAROL));
        address[2] memory others = [DAVE, CAROL];
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(_notAPlayer(number, others[i]));
            _leave(others[i]);
        }
        _join(CAROL);
        _leave(CAROL);
        vm.expectRevert(_notAPlayer(number, CAROL));
        _leave(CAROL);
    }
}
