// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IShip} from "../../src/games/touche_coule/IShip.sol";

/// @title A captain that behaves in the way that the test chooses
/// @notice At first, the captain fires at no cell of the board.
contract HostileCaptain is IShip {
    enum Manner {
        /// Fires at `target`.
        Fires,
        /// Fires at `target`, and keeps the call's gas and the hash of its data.
        Remembers,
        /// Fires at `target` if the call has at least 39,500 gas, and otherwise reverts.
        NeedsGas,
        /// Calls a contract, keeps its answer, and fires at `target`.
        Calls,
        /// Reverts without data.
        Reverts,
        /// Reverts with 100,000 bytes.
        RevertsHuge,
        /// Returns 100,000 bytes.
        ReturnsHuge,
        /// Uses up all gas in a loop.
        Loops,
        /// Uses up all gas with an invalid instruction.
        Invalid,
        /// Returns nothing.
        ReturnsNothing,
        /// Returns 31 bytes.
        ReturnsShort,
        /// Returns 33 bytes.
        ReturnsLong,
        /// Returns two words.
        ReturnsTwo
    }

    Manner public manner;
    /// The cell to fire at. It has 256 bits, because captains can return any word.
    uint256 public target = type(uint16).max;
    /// The gas of the last call, and the hash of its data. The first values are not zero, because
    /// the captain lacks the gas to change a zero.
    uint256 public given = 1;
    bytes32 public received = bytes32(uint256(1));
    /// The result of the captain's own call: true if it succeeded (`done`), and the first four
    /// bytes (`answer`).
    bool public done;
    bytes4 public answer;

    address private _called;
    bytes private _calling;

    function behave(Manner manner_, uint256 target_) external {
        (manner, target) = (manner_, target_);
    }

    /// @notice Makes the captain call this contract in each of its shots.
    function prepare(address called, bytes calldata calling) external {
        (manner, _called, _calling) = (Manner.Calls, called, calling);
    }

    function fire(Orders calldata) external returns (uint16) {
        uint256 left = gasleft();
        Manner now_ = manner;
        if (now_ == Manner.Remembers) (given, received) = (left, keccak256(msg.data));
        if (now_ == Manner.NeedsGas && left < 39_500) revert();
        if (now_ == Manner.Calls) _call();
        if (now_ == Manner.Reverts) revert();
        if (now_ == Manner.RevertsHuge) _revert(100_000);
        if (now_ == Manner.Loops) while (true) {}
        if (now_ == Manner.Invalid) _invalid();
        _return(_length(now_));
    }

    function _length(Manner now_) private pure returns (uint256) {
        if (now_ == Manner.ReturnsHuge) return 100_000;
        if (now_ == Manner.ReturnsNothing) return 0;
        if (now_ == Manner.ReturnsShort) return 31;
        if (now_ == Manner.ReturnsLong) return 33;
        if (now_ == Manner.ReturnsTwo) return 64;
        return 32;
    }

    function _call() private {
        (bool success, bytes memory result) = _called.call(_calling);
        (done, answer) = (success, bytes4(result));
    }

    function _return(uint256 length) private view {
        uint256 cell = target;
        assembly {
            mstore(0x00, cell)
            return(0x00, length)
        }
    }

    function _revert(uint256 length) private pure {
        assembly {
            revert(0x00, length)
        }
    }

    function _invalid() private pure {
        assembly {
            invalid()
        }
    }
}
