// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CellSet} from "../CellSet.sol";
import {IShip} from "../IShip.sol";

/// @title A captain that fires at each cell once, without looking at other ships' positions
/// @notice An owner's two ships share one map, so they never fire at the same cell twice. Built-in
/// ships have separate maps and waste shots on cells where their ally has already fired. One
/// deployed captain serves all owners in all matches and games. The captain keeps separate maps for
/// each calling contract, so that only the game can mark your cells as swept.
contract SweepCaptain is IShip {
    using CellSet for CellSet.Set;

    mapping(address game => mapping(uint48 matchId => mapping(address owner => CellSet.Set))) private _swept;

    /// @inheritdoc IShip
    function fire(Orders calldata orders) external returns (uint16 target) {
        CellSet.Set storage swept = _swept[msg.sender][orders.matchId][orders.owner];
        uint256 cells = uint256(orders.width) * orders.height;
        target = swept.draw(cells, orders.cell, orders.ally, orders.seed);
        if (target == CellSet.NO_CELL) {
            // All cells are swept. Clear only one word of the map, because the gas for a shot is
            // not always enough for more words.
            delete swept.words[CellSet.firstWord(cells, orders.seed)];
            target = swept.draw(cells, orders.cell, orders.ally, orders.seed);
        }
        if (target != CellSet.NO_CELL) swept.add(target);
    }
}
