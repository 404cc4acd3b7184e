// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CellSet} from "../src/games/touche_coule/CellSet.sol";
import {IShip} from "../src/games/touche_coule/IShip.sol";

/// @title A captain that never looks where the others lie
/// @notice The owner's two ships share one map, so that they never fire at the same cell twice. Built-in ships keep a map
/// each, and waste shots where their ally has been. One deployed captain serves every owner in every match.
contract SweepCaptain is IShip {
    using CellSet for CellSet.Set;

    /// @notice Only the game gives orders; or anybody could cross out cells of yours.
    error NotTheGame(address caller);

    address public immutable GAME;

    mapping(uint48 matchId => mapping(address owner => CellSet.Set)) private _swept;

    constructor(address game) {
        GAME = game;
    }

    /// @inheritdoc IShip
    function fire(Orders calldata orders) external returns (uint16 target) {
        if (msg.sender != GAME) revert NotTheGame(msg.sender);
        CellSet.Set storage swept = _swept[orders.matchId][orders.owner];
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
