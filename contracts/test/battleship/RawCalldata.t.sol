// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../Vm.sol";
import {BattleshipFixture} from "./BattleshipFixture.sol";

/// @title Tests calldata that a hostile client builds word by word
contract RawCalldataTest is BattleshipFixture {
    /// @dev The number of bits in the type of each argument of `move` and `invite`.
    uint256[5] private _moveBits = [48, 32, 8, 1, 8];
    uint256[5] private _inviteBits = [160, 256, 24, 160, 96];
    bytes private _move0;
    bytes private _invite0;

    function setUp() public override {
        super.setUp();
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(12);
        _move0 = abi.encodeCall(game.move, (number, 1, 12, true, 3));
        _invite0 = abi.encodeCall(game.invite, (NOBODY, bytes32(uint256(5)), CLOCK, NOBODY, 0));
    }

    // It should revert without data, and change nothing
    function testFuzz_RevertWhen_AnArgumentHasTooManyBits(uint256 dirt) public {
        for (uint256 argument; argument < 5; ++argument) {
            _assertDirtyReverts(_move0, argument, dirt, _moveBits[argument]);
            _assertDirtyReverts(_invite0, argument, dirt, _inviteBits[argument]);
        }
    }

    // It should revert without data, and change nothing
    function testFuzz_RevertWhen_TheCalldataIsTooShort(uint256 length) public {
        _assertRevertsWithoutData(_cut(_move0, length % _move0.length));
        _assertRevertsWithoutData(_cut(_invite0, length % _invite0.length));
    }

    // It should revert without data, and change nothing
    function test_RevertWhen_AStringIsOutsideTheCalldata() public {
        uint256[2][5] memory offsetsAndLengths = [
            [uint256(2 ** 255), 0],
            [uint256(2 ** 64), 0],
            [uint256(128), 2 ** 64],
            [uint256(128), 33],
            [uint256(1024), 0]
        ];
        for (uint256 i; i < offsetsAndLengths.length; ++i) {
            (uint256 offset, uint256 length) = (offsetsAndLengths[i][0], offsetsAndLengths[i][1]);
            _assertRevertsWithoutData(
                bytes.concat(game.surrender.selector, abi.encode(number, offset, nonces[0], 128, length, 0))
            );
        }
    }

    // It should decode strings that overlap, and ignore bytes at the end
    function test_StringsThatOverlap() public {
        bytes memory fleet = bytes(FLEET_0);
        bytes memory arguments = abi.encode(number, uint256(128), nonces[0], uint256(128), fleet.length);
        bytes memory data = bytes.concat(game.surrender.selector, arguments, fleet, new bytes(99));
        vm.prank(ANNE);
        (bool success,) = address(game).call(data);
        vm.assertTrue(success, "the surrender must succeed");
        vm.assertTrue(_board().revealed[0] && _board().faults[0] == 0, "the fleet is revealed and valid");
    }

    /// @dev Sets the bits in `dirt` above the bits of the argument's type.
    function _assertDirtyReverts(bytes memory data, uint256 argument, uint256 dirt, uint256 bits) private {
        if (bits == 256) return;
        dirt = (dirt | 1) << bits;
        bytes memory dirty = bytes.concat(data);
        assembly ("memory-safe") {
            let place := add(add(dirty, 0x24), mul(argument, 0x20))
            mstore(place, or(mload(place), dirt))
        }
        _assertRevertsWithoutData(dirty);
    }

    function _assertRevertsWithoutData(bytes memory data) private {
        bytes32 before = keccak256(abi.encode(_board()));
        _assertReverts(ANNE, address(game), data, "");
        vm.assertEq(keccak256(abi.encode(_board())), before);
    }

    function _cut(bytes memory data, uint256 length) private pure returns (bytes memory cut) {
        cut = new bytes(length);
        for (uint256 i; i < length; ++i) {
            cut[i] = data[i];
        }
    }
}
