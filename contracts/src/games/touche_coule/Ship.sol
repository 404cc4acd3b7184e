// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {CellSet} from "./CellSet.sol";
import {IShip} from "./IShip.sol";

/// @dev What a ship is cloned with, so that its address can be computed and need not be stored.
function saltOf(uint48 matchId, uint16 ship) pure returns (bytes32) {
    return bytes32((uint256(matchId) << 16) | ship);
}

/// @title The built-in ship: fires at a random cell where it has not fired yet
/// @notice Deployed once by the game and cloned for each ship. The map of a ship is where it has fired; where it and its
/// ally lie is told with each order, so that a map never remembers an ally that has moved on.
contract Ship is IShip {
    using CellSet for CellSet.Set;

    /// @notice Only the ship's game may call this.
    error NotTheGame(address caller);
    /// @notice These orders are for another ship.
    error NotMyOrders(uint48 matchId, uint16 ship);

    /// @notice The game that this ship belongs to.
    address public immutable GAME;

    address private immutable _ORIGINAL;

    CellSet.Set private _fired;

    modifier onlyGame() {
        if (msg.sender != GAME) revert NotTheGame(msg.sender);
        _;
    }

    constructor() {
        GAME = msg.sender;
        _ORIGINAL = address(this);
    }

    /// @inheritdoc IShip
    /// @dev The address is checked because a player may name any contract as captain, another's built-in ship too.
    function fire(Orders calldata orders) external onlyGame returns (uint16 target) {
        if (Clones.predictDeterministicAddress(_ORIGINAL, saltOf(orders.matchId, orders.ship), GAME) != address(this)) {
            revert NotMyOrders(orders.matchId, orders.ship);
        }
        uint256 cells = uint256(orders.width) * orders.height;
        target = _fired.draw(cells, orders.cell, orders.ally, orders.seed);
        if (target == CellSet.NO_CELL) target = _forget(cells, orders);
        _fired.add(target);
    }

    /// @notice The ship lies at `cell` now, and so knows it again.
    function moved(uint16 cell) external onlyGame {
        _fired.remove(cell);
    }

    /// @notice Learns where an ally has fired.
    /// @param theirs the ally's `fired`
    /// @param own where this ship lies
    /// @return taught whether it learnt anything
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

    /// @notice Where the ship has fired: bit i of word w is cell 256 * w + i.
    /// @param count how many words the board has
    function fired(uint256 count) external view returns (uint256[] memory words) {
        words = new uint256[](count);
        for (uint256 word; word < count; ++word) words[word] = _fired.words[word];
    }

    /// @dev Everything was fired at: forgets one word, the drawn one or the first after it in which that frees a cell.
    function _forget(uint256 cells, Orders calldata orders) private returns (uint16) {
        uint256 word = CellSet.firstWord(cells, orders.seed);
        uint256 free = CellSet.among(cells, word, orders.cell, orders.ally);
        while (free == 0) {
            // ends: a board has at least four cells, two of them neither the ship's nor its ally's
            word = CellSet.nextWord(cells, word);
            free = CellSet.among(cells, word, orders.cell, orders.ally);
        }
        _fired.words[word] = 0;
        return CellSet.pick(free, word, orders.seed);
    }
}
