// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {Ship} from "../../src/games/touche_coule/Ship.sol";
import {vm} from "../Vm.sol";
import {HostileCaptain} from "./HostileCaptain.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests `communicate`
contract CommunicateTest is ToucheCouleFixture {
    // It should teach each ship the other ship's shots, except at its own cell
    // It should revert with NothingToTell
    function testFuzz_Communicate(uint256[2] memory a, uint256[2] memory b) public {
        _begin(43, 6, 2, 1);
        for (uint256 word; word < 2; ++word) {
            _setFired(1, word, a[word] & ~_bit(_cell(1), word));
            _setFired(2, word, b[word] & ~_bit(_cell(2), word));
        }
        uint256[2][2] memory told = [_fired(1), _fired(2)];
        vm.assume(_learns(1, told[0], told[1]) || _learns(2, told[1], told[0]));
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IToucheCoule.Communicated(number, seq + 1, ANNE, 1, 2);
        _communicate();
        vm.assertEq(_board().seq, seq + 1, "seq");
        for (uint16 ship = 1; ship < 3; ++ship) {
            for (uint256 word; word < 2; ++word) {
                uint256 both = (told[0][word] | told[1][word]) & ~_bit(_cell(ship), word);
                vm.assertEq(_fired(ship)[word], both, "word");
            }
        }
        _assertNothingToTell();
    }

    // It should teach each ship the other ship's shots, except at its own cell
    function test_OnlyOneShipLearns() public {
        for (uint16 ship = 1; ship < 3; ++ship) {
            _begin(2, 2, 2, 1);
            uint256 shot = 15 & ~(1 << _cell(1) | 1 << _cell(2));
            _setFired(ship, 0, shot);
            _communicate();
            vm.assertEq(_fired(1)[0], shot, "ship 1");
            vm.assertEq(_fired(2)[0], shot, "ship 2");
        }
    }

    // It should revert with NothingToTell
    function test_RevertWhen_NeitherShipLearns() public {
        _begin(12, 12, 2, 1);
        _assertNothingToTell();
        _setFired(1, 0, 1 << _cell(2));
        _setFired(2, 0, 1 << _cell(1));
        _assertNothingToTell();
    }

    // It should revert with TooFewShips
    function test_RevertWhen_TheAccountLacksTwoBuiltInShips() public {
        _begin(12, 12, 1, 1);
        _assertTooFew(1);
        _open(12, 12, 1, 1);
        _registerCaptain(ANNE);
        _start();
        _assertTooFew(1);
        _open(12, 12, 0, 1);
        _registerCaptain(ANNE);
        _register(ANNE);
        _start();
        _assertTooFew(1);
        _open(12, 12, 0, 1);
        _registerCaptain(ANNE);
        _registerCaptain(ANNE);
        _start();
        _assertTooFew(0);
    }

    // It should revert with TooFewShips
    function test_RevertWhen_OneShipIsSunk() public {
        for (uint16 sunk = 1; sunk < 3; ++sunk) {
            _open(64, 64, 2, 1);
            HostileCaptain captain = _registerCaptain(CAROL);
            captain.behave(HostileCaptain.Manner.Fires, _cell(sunk));
            _start();
            _turn(ANNE);
            _assertTooFew(1);
            captain.behave(HostileCaptain.Manner.Fires, _cell(3 - sunk));
            _turn(ANNE);
            _assertTooFew(0);
        }
    }

    // It should cost little gas on a large board
    function test_LargeBoard() public limitsGas {
        _begin(64, 64, 2, 1);
        for (uint256 word; word < 16; ++word) {
            _setFired(1, word, 1 << (7 * word));
            _setFired(2, word, 1 << (11 * word + 3));
        }
        vm.prank(ANNE);
        game.communicate{gas: 330_000 - INTRINSIC_GAS}(number);
    }

    /// @dev Returns true if the ship doesn't know all shots of its ally, except at its own cell.
    function _learns(uint16 ship, uint256[2] memory mine, uint256[2] memory theirs) private view returns (bool learns) {
        for (uint256 word; word < 2; ++word) {
            learns = learns || theirs[word] & ~mine[word] & ~_bit(_cell(ship), word) != 0;
        }
    }

    function _communicate() private {
        vm.prank(ANNE);
        game.communicate(number);
    }

    function _assertNothingToTell() private {
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.NothingToTell.selector, 1, 2));
        _communicate();
    }

    function _assertTooFew(uint16 able) private {
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.TooFewShips.selector, able, 2));
        _communicate();
    }

    function _fired(uint16 ship) private view returns (uint256[2] memory words) {
        uint256[] memory fired = Ship(game.shipAddress(number, ship)).fired(2);
        (words[0], words[1]) = (fired[0], fired[1]);
    }

    /// @dev Returns the cell's bit if the cell is in this word, and otherwise 0.
    function _bit(uint16 cell, uint256 word) private pure returns (uint256) {
        return cell / 256 == word ? uint256(1) << (cell % 256) : 0;
    }
}
