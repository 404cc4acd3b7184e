// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {CellSet} from "./CellSet.sol";
import {IShip} from "./IShip.sol";

/// @dev Returns the salt for a ship's clone. The clone's address can be computed from the salt and
/// need not be stored.
function saltOf(uint48 matchId, uint16 ship) pure returns (bytes32) {
    return bytes32((uint256(matchId) << 16) | ship);
}

/// @title The built-in ship: fires at a random cell where it has not fired yet
/// @notice The game deploys this contract once and clones it for each ship. A ship remembers only
/// the cells where it has fired. The positions of the ship and its ally come with each order, so
/// they are never out of date.
contract Ship is IShip {
    using CellSet for CellSet.Set;

    /// @notice Only the ship's game may call this function.
    error NotTheGame(address caller);
    /// @notice The orders are for another ship.
    error NotMyOrders(uint48 matchId, uint16 ship);

    /// @notice The game that this ship belongs to.
    address public immutable GAME;

    address private immutable _TEMPLATE;

    CellSet.Set private _fired;

    modifier onlyGame() {
        if (msg.sender != GAME) revert NotTheGame(msg.sender);
        _;
    }

    constructor() {
        GAME = msg.sender;
        _TEMPLATE = address(this);
    }

    /// @inheritdoc IShip
    /// @dev The ship compares its own address with the orders, because a player may name any
    /// contract as captain, even another player's built-in ship.
    function fire(Orders calldata orders) external onlyGame returns (uint16 target) {
        if (Clones.predictDeterministicAddress(_TEMPLATE, saltOf(orders.matchId, orders.ship), GAME) != address(this)) {
            revert NotMyOrders(orders.matchId, orders.ship);
        }
        uint256 cells = uint256(orders.width) * orders.height;
        target = _fired.draw(cells, orders.cell, orders.ally, orders.seed);
        if (target == CellSet.NO_CELL) target = _clearWord(cells, orders);
        _fired.add(target);
    }

    /// @notice Tells the ship that it has moved to `cell`. The ship forgets that it fired there.
    function moved(uint16 cell) external onlyGame {
        _fired.remove(cell);
    }

    /// @notice Tells the ship where its ally has fired.
    /// @param theirs the result of the ally's `fired`
    /// @param own this ship's position
    /// @return taught true if the ship learnt anything
    function learn(uint256[] calldata theirs, uint16 own) external onlyGame returns (bool taught) {
        for (uint256 word; word < theirs.length; ++word) {
            uint256 mine = _fired.words[word];
            uint256 both = mine | theirs[word];
            if (own >> 8 == word) both &= ~CellSet.bit(own);
            if (both == mine) continue;
            _fired.words[word] = both;
            taught = true;
        }
    }

    /// @notice Returns the cells where the ship has fired: bit i of word w is cell 256 * w + i.
    /// @param count the number of words of the board
    function fired(uint256 count) external view returns (uint256[] memory words) {
        words = new uint256[](count);
        for (uint256 word; word < count; ++word) words[word] = _fired.words[word];
    }

    /// @dev Draws a target after the ship has fired at every cell. The ship forgets its shots in
    /// one random word of the board, in which it may fire again.
    function _clearWord(uint256 cells, Orders calldata orders) private returns (uint16) {
        uint256 word = CellSet.firstWord(cells, orders.seed);
        uint256 free = CellSet.among(cells, word, orders.cell, orders.ally);
        while (free == 0) {
            // ends, because at least two of a board's four or more cells are neither the ship's nor
            // its ally's
            word = CellSet.nextWord(cells, word);
            free = CellSet.among(cells, word, orders.cell, orders.ally);
        }
        _fired.words[word] = 0;
        return CellSet.pick(free, word, orders.seed);
    }
}
