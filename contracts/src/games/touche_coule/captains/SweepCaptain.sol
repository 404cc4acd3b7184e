// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CellSet} from "../CellSet.sol";
import {IShip} from "../IShip.sol";

/// @title A captain that never looks where the others lie
/// @notice The owner's two ships share one map, so that they never fire at the same cell twice. Built-in ships keep a map
/// each, and waste shots where their ally has been. One deployed captain serves every owner in every match of every game:
/// it keeps apart what each caller teaches it, so that nobody crosses out cells of yours.
contract SweepCaptain is IShip {
    using CellSet for CellSet.Set;

    mapping(address game => mapping(uint48 matchId => mapping(address owner => CellSet.Set))) private _swept;

    /// @inheritdoc IShip
    function fire(Orders calldata orders) external returns (uint16 target) {
        CellSet.Set storage swept = _swept[msg.sender][orders.matchId][orders.owner];
        uint256 cells = uint256(orders.width) * orders.height;
        target = swept.draw(cells, orders.cell, orders.ally, orders.seed);
        if (target == CellSet.NO_CELL) {
            // all is swept: begin anew with one word, which is all that the gas of a shot surely pays for
            delete swept.words[CellSet.firstWord(cells, orders.seed)];
            target = swept.draw(cells, orders.cell, orders.ally, orders.seed);
        }
        if (target != CellSet.NO_CELL) swept.add(target);
    }
}
