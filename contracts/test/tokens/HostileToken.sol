// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token that misbehaves in the way that the test chooses
contract HostileToken is ERC20 {
    enum Manner {
        Good,
        /// Takes a tenth of the transferred amount.
        FeeOnTransfer,
        /// Takes an extra tenth of the amount from the sender.
        FeeOnTop,
        /// Transfers, but returns false.
        SaysFalse,
        /// Returns true, but transfers nothing.
        MovesNothing,
        /// Transfers, and returns nothing.
        ReturnsNothing,
        /// Transfers, and returns 2.
        ReturnsTwo,
        /// Transfers, and returns true in 64 bytes.
        ReturnsLong,
        /// Transfers, and returns 31 bytes.
        ReturnsShort,
        /// Transfers, and returns 200,000 bytes.
        ReturnsHuge,
        /// Reverts transfers to `target`.
        RevertsTo,
        /// Reverts with 200,000 bytes.
        RevertsHuge,
        /// Uses up all gas.
        BurnsGas,
        /// Calls `target` with `calling` before the transfer.
        Reenters,
        /// Reports balances that are twice as high.
        LiesAboutBalances,
        /// Reverts balance queries.
        HidesBalances,
        /// Answers balance queries with 200,000 bytes.
        HugeBalances,
        /// Reports half of each balance.
        Rebases
    }

    Manner public manner;
    address public target;
    bytes public calling;
    /// The result of the token's own call: the first four bytes (`answer`), and true if it
    /// succeeded (`done`).
    bytes4 public answer;
    bool public done;

    constructor() ERC20("Hostile", "HST") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function shrink(address holder, uint256 amount) external {
        _burn(holder, amount);
    }

    function behave(Manner manner_, address target_, bytes calldata calling_) external {
        (manner, target, calling) = (manner_, target_, calling_);
    }

    /// @notice Returns the account's true balance, which can differ from what `balanceOf` returns.
    function ledger(address account) external view returns (uint256) {
        return super.balanceOf(account);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spendAllowance(from, msg.sender, amount);
        return _move(from, to, amount);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function balanceOf(address account) public view override returns (uint256) {
        uint256 balance = super.balanceOf(account);
        if (manner == Manner.HidesBalances) revert("hidden");
        if (manner == Manner.HugeBalances) _fill(200_000);
        if (manner == Manner.Rebases) return balance / 2;
        if (manner == Manner.LiesAboutBalances) return 2 * balance;
        return balance;
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (manner == Manner.RevertsTo && to == target) revert("not to you");
        if (manner == Manner.RevertsHuge) _revert(200_000);
        if (manner == Manner.BurnsGas) while (true) {}
        if (manner == Manner.Reenters) _reenter();
        if (manner == Manner.MovesNothing) return true;
        _transfer(from, to, amount);
        if (manner == Manner.FeeOnTransfer) _burn(to, amount / 10);
        if (manner == Manner.FeeOnTop) _burn(from, amount / 10);
        if (manner == Manner.ReturnsNothing) _fill(0);
        if (manner == Manner.ReturnsTwo) _fill(32, 2);
        if (manner == Manner.ReturnsLong) _fill(64, 1);
        if (manner == Manner.ReturnsShort) _fill(31, 1);
        if (manner == Manner.ReturnsHuge) _fill(200_000, 1);
        return manner != Manner.SaysFalse;
    }

    function _reenter() private {
        bytes memory data = calling;
        (bool ok, bytes memory said) = target.call(data);
        (done, answer) = (ok, bytes4(said));
    }

    function _fill(uint256 length) private pure {
        _fill(length, 0);
    }

    function _fill(uint256 length, uint256 word) private pure {
        assembly {
            mstore(0x00, word)
            return(0x00, length)
        }
    }

    function _revert(uint256 length) private pure {
        assembly {
            revert(0x00, length)
        }
    }
}
