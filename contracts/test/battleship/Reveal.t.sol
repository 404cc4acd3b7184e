// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IBattleship} from "../../src/games/battleship/IBattleship.sol";
import {vm} from "../Vm.sol";
import {BattleshipFixture} from "./BattleshipFixture.sol";

/// @title Tests `surrender` and `reveal`, with the test vectors of other implementations
contract RevealTest is BattleshipFixture {
    string private constant VECTORS = "../tests/fixtures/vectors/battleship.json";

    // ---- fleets

    // It should compute the commitment as other implementations do
    function test_Seal() public {
        string memory vectors = vm.readFile(VECTORS);
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(0);
        uint256 checked;
        for (uint256 i; _exists(vectors, "commitments", i); ++i) {
            bytes memory nonce = vm.parseBytes(_read(vectors, "commitments", i, "nonce"));
            if (nonce.length != 32) continue;
            string memory fleet = _read(vectors, "commitments", i, "ships");
            bytes32 computed = bytes32(vm.parseBytes(_read(vectors, "commitments", i, "commitment")));
            bytes memory revertData =
                abi.encodeWithSelector(IBattleship.BadReveal.selector, _board().commitments[0], computed);
            vm.expectRevert(revertData);
            vm.prank(ANNE);
            game.surrender(number, fleet, bytes32(nonce), "");
            ++checked;
        }
        vm.assertTrue(checked > 5, "checked vectors");
    }

    // It should find no fault in a valid fleet whose answers are true
    // It should find the fault of a false answer
    function test_ValidFleets() public {
        string memory vectors = vm.readFile(VECTORS);
        uint256 i;
        for (; _exists(vectors, "legal", i); ++i) {
            uint256 mask = vm.parseUint(_read(vectors, "legal", i, "mask"));
            ships[0] = _read(vectors, "legal", i, "ships");
            for (uint8 tile; tile < 99; tile += 11) {
                bool hit = (mask >> tile) & 1 == 1;
                _assertFault(tile, hit, 0);
                _assertFault(tile, !hit, 5);
            }
        }
        vm.assertEq(i, 30, "fleets");
    }

    // It should find the first fault of an invalid fleet
    function test_InvalidFleets() public {
        string memory vectors = vm.readFile(VECTORS);
        uint256 i;
        for (; _exists(vectors, "illegal", i); ++i) {
            ships[0] = _read(vectors, "illegal", i, "ships");
            uint8 fault = uint8(vm.parseJsonUint(vectors, _path("illegal", i, "fault")));
            _assertFault(40, true, fault);
        }
        vm.assertEq(i, 47, "fleets");
    }

    // It should find the first fault of an invalid fleet
    function test_FleetThatIsNotUtf8() public {
        bytes memory fleet = hex"fffec080";
        ships[0] = string(fleet);
        _assertFault(0, true, 1);
    }

    /// @dev Checks the fault that a surrender reveals after ANNE has answered one shot.
    function _assertFault(uint8 tile, bool hit, uint8 fault) private {
        uint256 before = vm.snapshotState();
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(tile);
        _move(hit, 0);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IBattleship.Revealed(number, seq + 2, ANNE, bytes(ships[0]), nonces[0], "", fault);
        _surrender(0);
        vm.assertEq(_board().faults[0], fault, "fault");
        vm.revertToState(before);
    }

    // It should compare only answered shots
    function test_PendingShotProvesNothing() public {
        ships[1] = OTHER_FLEET;
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(12);
        _move(0);
        _move(13);
        _move(9); // hits a ship in OTHER_FLEET, but BOB has not answered
        _surrender(1);
        vm.assertEq(_board().faults[1], 0, "fault");
    }

    // It should find the fault of a false answer
    function test_OneFalseAnswerOfMany() public {
        for (uint256 lie; lie < 3; ++lie) {
            _invite(NOBODY, CLOCK, NOBODY, 0);
            _accept(50);
            for (uint8 i; i < 3; ++i) {
                _move(i == lie, i);
                _move(51 + 9 * i + (i == 0 ? 1 : 2));
            }
            _surrender(0);
            vm.assertEq(_board().faults[0], 5, "fault");
        }
    }

    // ---- the commitment

    // It should revert with BadReveal, and accept the right fleet later
    function testFuzz_RevertWhen_TheFleetDiffers(string calldata fleet, bytes32 nonce) public {
        vm.assume(bytes(fleet).length < 256);
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(0);
        _surrender(0);
        bytes32 commitment = _board().commitments[1];
        bytes32 other = this.seal(fleet, nonce);
        vm.assume(other != commitment);
        vm.expectRevert(abi.encodeWithSelector(IBattleship.BadReveal.selector, commitment, other));
        vm.prank(BOB);
        game.reveal(number, fleet, nonce, "");
        _reveal(1);
        _assertEnded(BOB, IMatch.Reason.Resigned);
    }

    // It should revert with BadReveal, and accept the right fleet later
    function test_RevertWhen_AlmostTheSealedFleetIsRevealed() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(0);
        _surrender(0);
        string[5] memory fleets = [ships[1], string.concat(ships[1], " "), ships[0], ships[0], "PV0 SV8 DH90 BH36 CV4"];
        bytes32[5] memory others = [nonces[0], nonces[1], nonces[1], nonces[0], nonces[1]];
        bytes32 commitment = _board().commitments[1];
        for (uint256 i; i < fleets.length; ++i) {
            bytes32 computed = this.seal(fleets[i], others[i]);
            vm.expectRevert(abi.encodeWithSelector(IBattleship.BadReveal.selector, commitment, computed));
            vm.prank(BOB);
            game.reveal(number, fleets[i], others[i], "");
        }
        _reveal(1);
        _assertEnded(BOB, IMatch.Reason.Resigned);
    }

    // It should revert with NotAPlayer
    function test_RevertWhen_AnotherAccountReveals() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(0);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.surrender(number, ships[1], nonces[1], "");
        _surrender(0);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.reveal(number, ships[1], nonces[1], "");
    }

    // It should revert with AlreadyRevealed
    // It should revert with WrongStatus
    function test_RevertWhen_ThePlayerHasRevealed() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(0);
        _surrender(0);
        vm.expectRevert(abi.encodeWithSelector(IBattleship.AlreadyRevealed.selector, number, ANNE));
        _reveal(0);
        _reveal(1);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
        _reveal(1);
    }

    // It should revert with WrongStatus
    // It should revert with WrongPhase
    function test_RevertWhen_TheShootingIsNotOver() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Open, IMatch.Status.Playing));
        _reveal(0);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Open, IMatch.Status.Playing));
        _surrender(0);
        _accept(0);
        for (uint8 seat; seat < 2; ++seat) {
            vm.expectRevert(abi.encodeWithSelector(IBattleship.WrongPhase.selector, number, false));
            _reveal(seat);
        }
    }

    // It should revert with TooLong
    function test_RevertWhen_ATextIsTooLong() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(0);
        vm.expectRevert(abi.encodeWithSelector(IBattleship.TooLong.selector, 256, 255));
        vm.prank(ANNE);
        game.surrender(number, string(new bytes(256)), 0, "");
        vm.expectRevert(abi.encodeWithSelector(IBattleship.TooLong.selector, 281, 280));
        vm.prank(ANNE);
        game.surrender(number, ships[0], nonces[0], string(new bytes(281)));
        vm.prank(ANNE);
        game.surrender(number, ships[0], nonces[0], string(new bytes(280)));
    }

    // ---- surrender

    // It should let either player surrender, and reveal that player's fleet
    function test_Surrender() public {
        for (uint8 seat; seat < 2; ++seat) {
            _invite(NOBODY, CLOCK, NOBODY, 0);
            _accept(0);
            uint32 seq = game.seqOf(number);
            vm.expectEmit(address(game));
            emit IBattleship.GameOver(
                number, seq + 1, players[seat], IMatch.Reason.Resigned, uint40(block.timestamp + 1 days)
            );
            vm.expectEmit(address(game));
            emit IBattleship.Revealed(number, seq + 2, players[seat], bytes(ships[seat]), nonces[seat], "gg", 0);
            vm.prank(players[seat]);
            game.surrender(number, ships[seat], nonces[seat], "gg");
            vm.assertEq(_board().loser, players[seat]);
            vm.assertTrue(_board().revealed[seat] && !_board().revealed[1 - seat], "revealed");
        }
    }

    // ---- vectors

    function _path(string memory list, uint256 index, string memory key) private pure returns (string memory) {
        return string.concat(".", list, "[", vm.toString(index), "].", key);
    }

    function _exists(string memory json, string memory list, uint256 index) private view returns (bool) {
        return vm.keyExistsJson(json, _path(list, index, "ships"));
    }

    function _read(string memory json, string memory list, uint256 index, string memory key)
        private
        pure
        returns (string memory)
    {
        return vm.parseJsonString(json, _path(list, index, key));
    }
}
