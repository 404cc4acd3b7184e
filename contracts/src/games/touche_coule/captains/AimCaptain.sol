// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CellSet} from "../CellSet.sol";
import {IShip} from "../IShip.sol";
import {IToucheCoule} from "../IToucheCoule.sol";

/// @title A captain that aims at other ships
/// @notice The positions of ships are public. This captain looks them up, 256 cells per call to the
/// game. It stores nothing, so it can serve everybody.
contract AimCaptain is IShip {
    using CellSet for uint256;

    /// @notice The maximum number of words of 256 cells that the captain looks up. The captain's
    /// 40,000 gas are always enough for that.
    uint256 public constant LOOKS = 8;

    /// @inheritdoc IShip
    /// @dev The caller is the game whose positions are looked up. Any other caller only gets an
    /// answer from its own data.
    function fire(Orders calldata orders) external view returns (uint16) {
        uint256 cells = uint256(orders.width) * orders.height;
        uint256 word = CellSet.firstWord(cells, orders.seed);
        for (uint256 looks; looks < LOOKS && looks < CellSet.wordsOf(cells); ++looks) {
            uint256 ships = IToucheCoule(msg.sender).occupied(orders.matchId, uint8(word));
            ships &= cells.among(word, orders.cell, orders.ally);
            if (ships != 0) return CellSet.pick(ships, word, orders.seed);
            word = CellSet.nextWord(cells, word);
        }
        return CellSet.NO_CELL; // a miss
    }
}
