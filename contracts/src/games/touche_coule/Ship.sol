// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {CellSet} from "./CellSet.sol";
import {IShip} from "./IShip.sol";

/// @dev Returns the salt for a ship's clone. The clone's address follows from the salt, so the game
/// doesn't store this address.
function saltOf(uint48 matchId, uint16 ship) pure returns (bytes32) {
    return bytes32((uint256(matchId) << 16) | ship);
}

/// @title The built-in ship, which fires at random cells where it has not fired yet
/// @notice The game deploys this contract once and clones it for each ship. A clone stores only the
/// cells where its ship has fired. The positions of the ship and its ally are part of the orders,
/// so the clone never uses an outdated position.
contract Ship is IShip {
    using CellSet for CellSet.Set;

    /// @notice Only the game's contract, which deployed this ship, may call this function.
    error NotTheGame(address caller);
    /// @notice The orders are for a ship that this contract doesn't control.
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
    /// @dev Checks that the orders are for this clone. This is necessary because a player can name
    /// any contract as captain, even another player's built-in ship.
    function fire(Orders calldata orders) external onlyGame returns (uint16 target) {
        if (Clones.predictDeterministicAddress(_TEMPLATE, saltOf(orders.matchId, orders.ship), GAME) != address(this)) {
            revert NotMyOrders(orders.matchId, orders.ship);
        }
        uint256 cells = uint256(orders.width) * orders.height;
        target = _fired.draw(cells, orders.cell, orders.ally, orders.seed);
        if (target == CellSet.NO_CELL) target = _clearWord(cells, orders);
        _fired.add(target);
    }

    /// @notice Removes the ship's new position, `cell`, from the cells where the ship has fired.
    function moved(uint16 cell) external onlyGame {
        _fired.remove(cell);
    }

    /// @notice Adds the cells where an ally has fired to the cells where this ship has fired.
    /// @param theirs the cells where the ally has fired, as the ally's `fired` returns them
    /// @param own the position of this ship
    /// @return taught true if this ship learned anything new
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
    /// @param count the number of words, each for 256 cells, that the board needs
    function fired(uint256 count) external view returns (uint256[] memory words) {
        words = new uint256[](count);
        for (uint256 word; word < count; ++word) {
            words[word] = _fired.words[word];
        }
    }

    /// @dev Forgets the ship's shots in one word of 256 cells, so that the ship can fire there
    /// again. The ship calls this when it has fired at every cell. Starts at a random word and
    /// chooses the first word with a cell that is neither the ship's nor its ally's. Returns a
    /// random cell of this word.
    function _clearWord(uint256 cells, Orders calldata orders) private returns (uint16) {
        uint256 word = CellSet.firstWord(cells, orders.seed);
        uint256 free = CellSet.among(cells, word, orders.cell, orders.ally);
        while (free == 0) {
            // This loop ends: a board has at least four cells, so at least two of them are neither
            // the ship's nor its ally's.
            word = CellSet.nextWord(cells, word);
            free = CellSet.among(cells, word, orders.cell, orders.ally);
        }
        _fired.words[word] = 0;
        return CellSet.pick(free, word, orders.seed);
    }
}
