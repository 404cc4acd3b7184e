// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../src/IDuel.sol";
import {IMatch} from "../../src/IMatch.sol";
import {IBattleship} from "../../src/games/battleship/IBattleship.sol";
import {vm} from "../Vm.sol";
import {BattleshipFixture} from "./BattleshipFixture.sol";

/// @title Tests how the reveals decide the winner, and the withdrawals
contract SettlementTest is BattleshipFixture {
    /// @dev True: the revealed fleet is valid and fits the answers. False: it doesn't fit them.
    /// None: the player doesn't reveal.
    enum Reveal {
        True,
        False,
        None
    }

    enum Side {
        Nobody,
        DeclaredWinner,
        DeclaredLoser
    }

    /// @dev A row: the reason for the end of the shooting, the reveals of the declared winner and
    /// of the declared loser, the winner of the match, and the reason for its end.
    struct Row {
        IMatch.Reason cause;
        Reveal winner;
        Reveal loser;
        Side wins;
        IMatch.Reason reason;
    }

    IMatch.Reason private constant WON = IMatch.Reason.Won;
    IMatch.Reason private constant RESIGNED = IMatch.Reason.Resigned;
    IMatch.Reason private constant TIMEOUT = IMatch.Reason.Timeout;
    IMatch.Reason private constant CHEATING = IMatch.Reason.CheatingProved;

    // It should decide the winner and the reason by the table of outcomes
    // It should pay both deposits to the winner, or each deposit to its player
    function test_TableOfOutcomes() public {
        Row[24] memory rows = [
            // The declared winner has hit all tiles.
            Row(WON, Reveal.True, Reveal.True, Side.DeclaredWinner, WON),
            Row(WON, Reveal.True, Reveal.False, Side.DeclaredWinner, CHEATING),
            Row(WON, Reveal.True, Reveal.None, Side.DeclaredWinner, WON),
            Row(WON, Reveal.False, Reveal.True, Side.DeclaredLoser, CHEATING),
            Row(WON, Reveal.False, Reveal.False, Side.Nobody, CHEATING),
            Row(WON, Reveal.False, Reveal.None, Side.Nobody, CHEATING),
            Row(WON, Reveal.None, Reveal.True, Side.DeclaredLoser, TIMEOUT),
            Row(WON, Reveal.None, Reveal.False, Side.Nobody, CHEATING),
            Row(WON, Reveal.None, Reveal.None, Side.Nobody, TIMEOUT),
            // The declared loser has surrendered, and has therefore revealed a fleet.
            Row(RESIGNED, Reveal.True, Reveal.True, Side.DeclaredWinner, RESIGNED),
            Row(RESIGNED, Reveal.True, Reveal.False, Side.DeclaredWinner, CHEATING),
            Row(RESIGNED, Reveal.False, Reveal.True, Side.DeclaredLoser, CHEATING),
            Row(RESIGNED, Reveal.False, Reveal.False, Side.Nobody, CHEATING),
            Row(RESIGNED, Reveal.None, Reveal.True, Side.Nobody, TIMEOUT),
            Row(RESIGNED, Reveal.None, Reveal.False, Side.Nobody, CHEATING),
            // The declared loser's time ran out.
            Row(TIMEOUT, Reveal.True, Reveal.True, Side.DeclaredWinner, TIMEOUT),
            Row(TIMEOUT, Reveal.True, Reveal.False, Side.DeclaredWinner, CHEATING),
            Row(TIMEOUT, Reveal.True, Reveal.None, Side.DeclaredWinner, TIMEOUT),
            Row(TIMEOUT, Reveal.False, Reveal.True, Side.DeclaredLoser, CHEATING),
            Row(TIMEOUT, Reveal.False, Reveal.False, Side.Nobody, CHEATING),
            Row(TIMEOUT, Reveal.False, Reveal.None, Side.Nobody, CHEATING),
            Row(TIMEOUT, Reveal.None, Reveal.True, Side.Nobody, TIMEOUT),
            Row(TIMEOUT, Reveal.None, Reveal.False, Side.Nobody, CHEATING),
            Row(TIMEOUT, Reveal.None, Reveal.None, Side.Nobody, TIMEOUT)
        ];
        for (uint256 i; i < rows.length; ++i) {
            for (uint8 loser; loser < 2; ++loser) {
                uint256 before = vm.snapshotState();
                _assertRow(rows[i], loser, STAKE);
                vm.revertToState(before);
                _assertRow(rows[i], loser, 0);
                vm.revertToState(before);
            }
        }
    }

    function _assertRow(Row memory row, uint8 loser, uint96 stake) private {
        uint8 winner = 1 - loser;
        if (row.winner == Reveal.False) ships[winner] = OTHER_FLEET;
        if (row.loser == Reveal.False) ships[loser] = OTHER_FLEET;
        _invite(NOBODY, CLOCK, NOBODY, stake);
        _endShooting(row.cause, loser);
        if (row.winner != Reveal.None) _reveal(winner);
        if (row.loser != Reveal.None && row.cause != RESIGNED) _reveal(loser);
        if (row.winner == Reveal.None || row.loser == Reveal.None) _timeout();

        address account = row.wins == Side.Nobody ? NOBODY : players[row.wins == Side.DeclaredWinner ? winner : loser];
        _assertEnded(account, row.reason);
        vm.assertEq(_board().faults[winner], row.winner == Reveal.False ? 5 : 0, "the winner's fault");
        vm.assertEq(_board().faults[loser], row.loser == Reveal.False ? 5 : 0, "the loser's fault");
        for (uint8 seat; seat < 2; ++seat) {
            _assertPaid(seat, account == NOBODY ? stake : account == players[seat] ? 2 * stake : 0);
        }
        vm.assertEq(address(game).balance, 0, "the contract's balance");
    }

    /// @dev Ends the shooting of an open match with this cause and this declared loser.
    function _endShooting(IMatch.Reason cause, uint8 loser) private {
        if (cause == WON) return _sink(loser);
        _accept(12);
        _move(1);
        _move(13);
        _move(10);
        if (loser == 0) _move(7);
        if (cause == RESIGNED) return _surrender(loser);
        vm.assertEq(_board().mover, players[loser]);
        _timeout();
    }

    /// @dev Checks that the player can withdraw this amount once, and nothing more.
    function _assertPaid(uint8 seat, uint256 amount) private {
        if (amount != 0) {
            uint256 before = players[seat].balance;
            _withdraw(seat);
            vm.assertEq(players[seat].balance - before, amount, "paid amount");
            vm.assertTrue(_board().withdrawn[seat], "withdrawn");
        }
        vm.expectRevert(_nothingDue(players[seat]));
        _withdraw(seat);
    }

    // ---- the end of the shooting

    // It should give the players the clock's time to reveal, but at least a day
    function test_RevealWindow() public {
        uint24[4] memory clocks = [uint24(0), 60, 1 days, 30 days];
        for (uint256 i; i < clocks.length; ++i) {
            _invite(NOBODY, clocks[i], NOBODY, 0);
            _accept(0);
            _surrender(0);
            uint256 deadline = block.timestamp + (clocks[i] > 1 days ? clocks[i] : 1 days);
            vm.assertEq(_board().deadline, deadline, "deadline");
        }
    }

    // It should revert with NotExpired
    // It should let anybody end the phase
    function testFuzz_ClaimTimeout(address anybody) public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Open, IMatch.Status.Playing));
        game.claimTimeout(number);
        _accept(0);
        for (uint256 i; i < 2; ++i) {
            uint40 deadline = _board().deadline;
            vm.warp(deadline - 1);
            vm.expectRevert(abi.encodeWithSelector(IMatch.NotExpired.selector, deadline - 1, deadline));
            game.claimTimeout(number);
            vm.warp(deadline);
            vm.prank(anybody);
            game.claimTimeout(number);
            if (i == 0) vm.assertEq(_board().loser, ANNE);
        }
        _assertEnded(NOBODY, TIMEOUT);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
        game.claimTimeout(number);
    }

    // It should revert with NoClock during the shooting, but not during the reveals
    function test_MatchWithoutAClock() public {
        _invite(NOBODY, 0, NOBODY, 0);
        _accept(0);
        vm.warp(block.timestamp + 1000 days);
        vm.expectRevert(abi.encodeWithSelector(IDuel.NoClock.selector, number));
        game.claimTimeout(number);
        _surrender(0);
        _timeout();
        _assertEnded(NOBODY, TIMEOUT);
    }

    // It should accept the reveal
    function test_LateReveal() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(0);
        _surrender(0);
        vm.warp(_board().deadline + 1000);
        _reveal(1);
        _assertEnded(BOB, RESIGNED);
    }

    // It should let the opponent of an invalid fleet win
    function test_InvalidFleetLosesInSpiteOfAllHits() public {
        string[4] memory fleets =
            ["no fleet", "PH12 SH81 DV7 BV51", "PH8 SH81 DV7 BV51 CH40", "PH12 SH81 DV7 BV51 CH49"];
        for (uint8 i; i < 4; ++i) {
            ships[1] = fleets[i];
            _invite(NOBODY, CLOCK, NOBODY, 0);
            _sink(0);
            _reveal(1);
            _reveal(0);
            vm.assertEq(_board().faults[1], i + 1, "fault");
            _assertEnded(ANNE, CHEATING);
        }
    }

    // ---- withdrawals

    // It should revert with WrongStatus before the end
    // It should revert with NotAPlayer
    function test_RevertWhen_NothingCanBeWithdrawn() public {
        _invite(NOBODY, CLOCK, NOBODY, STAKE);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Open, IMatch.Status.Finished));
        _withdraw(0);
        _accept(0);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Finished));
        _withdraw(0);
        _surrender(0);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Finished));
        _withdraw(1);
        _reveal(1);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.withdraw(number);
    }
}
