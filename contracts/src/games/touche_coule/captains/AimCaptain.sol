// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CellSet} from "../CellSet.sol";
import {IShip} from "../IShip.sol";
import {IToucheCoule} from "../IToucheCoule.sol";

/// @title A captain that aims at other ships
/// @notice The ships' positions are public. This captain reads them from the game, 256 cells per
/// call, and fires at a ship. The captain stores nothing, so one deployed captain can serve
/// everybody.
contract AimCaptain is IShip {
    using CellSet for uint256;

    /// @notice The maximum number of words that the captain reads for a shot. The limit of 40,000
    /// gas for a shot is always enough for these words.
    uint256 public constant LOOKS = 8;

    // The index of a word fits, because a board has less than 256 words.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @inheritdoc IShip
    /// @dev Assumes that the caller is the game. Any other caller learns only what it already
    /// knows.
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
