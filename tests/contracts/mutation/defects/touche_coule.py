"""Defects to plant in Touché Coulé. An earlier implementation has them (section 1.5 of the game's
rules)."""

# ruff: noqa: E501

from tests.contracts.mutation.defects.types import Defects

DEFECTS: Defects = {
    "01": (
        "a counter that decreases each turn underflows when the ship's owner does not move",
        [("            orders.ship = ship;", "            record.readyAt - state.ply;\n            orders.ship = ship;")],
    ),
    "02a": (
        "anybody can change a ship",
        [("if (msg.sender != GAME) revert NotTheGame(msg.sender);", "")],
    ),
    "02b": (
        "a ship carries out the orders of another ship",
        [("(_TEMPLATE, saltOf(orders.matchId, orders.ship), GAME) != address(this)", "(_TEMPLATE, saltOf(orders.matchId, orders.ship), GAME) == address(0)")],
    ),
    "03": (
        "ships count from 0, and the number is a factor in the hash",
        [("keccak256(abi.encode(seed, matchId, state.ply, ship))", "keccak256(abi.encode(uint256(seed) * (ship - 1)))")],
    ),
    "04": (
        "a ship draws again and again until a cell is free",
        [("if (target == CellSet.NO_CELL) target = _clearWord(cells, orders);", "bytes32 again = orders.seed;\n        while (target == CellSet.NO_CELL) {\n            again = keccak256(abi.encode(again));\n            target = _fired.draw(cells, orders.cell, orders.ally, again);\n        }")],
    ),
    "05": (
        "the walk from a taken cell mixes up rows and columns",
        [
            ("cell = _occupied[matchId].draw(cells, CellSet.NO_CELL, CellSet.NO_CELL, seed);", "cell = _walk(matchId, cells, seed);"),
            ("    function _player(", """    function _walk(uint48 matchId, uint256 cells, bytes32 seed) private view returns (uint16) {
        Grid memory grid = _grid(_load(matchId));
        uint256 x = uint256(seed) % grid.width;
        uint256 y = (uint256(seed) >> 128) % grid.height;
        for (uint256 tried; tried < cells; ++tried) {
            uint256 cell = y * grid.width + x;
            if (_occupied[matchId].words[cell >> 8] & CellSet.bit(cell) == 0) return uint16(cell);
            uint256 p = x * grid.width + y + 1;
            x = p % grid.width;
            y = (p / grid.width) % grid.height;
        }
        return CellSet.NO_CELL;
    }

    function _player("""),
        ],
    ),
    "06a": (
        "a sunk ship keeps its cell",
        [("            _occupied[matchId].remove(cell);\n", "")],
    ),
    "06b": (
        "a sunk ship is hit again",
        [("= _shipsAfloat(matchId, afloat);", "= _shipsAfloat(matchId, type(uint256).max >> (256 - grid.ships));")],
    ),
    "07": (
        "width and height are swapped where cells become coordinates",
        [
            ("return uint8(cell % grid.width);", "return uint8(cell % grid.height);"),
            ("return uint8(cell / grid.width);", "return uint8(cell / grid.height);"),
        ],
    ),
    "08a": (
        "a ship can fire at its ally",
        [("orders.ally = record.ally == 0 ? CellSet.NO_CELL : records[record.ally - 1].cell;", "orders.ally = CellSet.NO_CELL;")],
    ),
    "08b": (
        "the map shows an ally's old cell after the ally has moved",
        [
            ("        record.cell = to;\n", "        lastCell[matchId][ship] = lastCell[matchId][ship] == 0 ? from + 1 : lastCell[matchId][ship];\n        record.cell = to;\n"),
            ("internal _occupied;\n", "internal _occupied;\n    mapping(uint48 => mapping(uint256 => uint16)) internal lastCell;\n"),
            ("codes[_shipRecords[matchId][ally].cell] = 0x03;", "codes[lastCell[matchId][ally] == 0 ? _shipRecords[matchId][ally].cell : lastCell[matchId][ally] - 1] = 0x03;"),
        ],
    ),
    "09": (
        "the two ships of an owner draw the same cells",
        [("keccak256(abi.encode(seed, matchId, state.ply, ship))", "keccak256(abi.encode(seed, matchId, state.ply, record.owner))")],
    ),
    "12a": (
        "anybody can play a turn",
        [
            ("if (fleet.first == 0) revert NotAPlayer(matchId, account);", ""),
            ("        if (!_isAfloat(afloat, fleet.first) && !_isAfloat(afloat, fleet.second)) revert NoShipAfloat(matchId, account);\n", ""),
        ],
    ),
    "12b": (
        "several turns can be played in one block",
        [
            ("if (block.number <= first) revert TooSoon(uint40(block.number), uint40(first + 1));", "if (block.number <= first) return (uint40(block.number), keccak256(abi.encode(block.number)));"),
        ],
    ),
    "13a": (
        "registration never closes",
        [
            ("        _requireStatus(matchId, state, Status.Open);\n        ship = _register(matchId, state, address(0));", "        ship = _register(matchId, state, address(0));"),
        ],
    ),
    "13b": ("the last owner afloat doesn't win", [("            _endIfDecided(matchId, state, records, ships, left);\n", "")]),
    "13c": (
        "a match continues after all ships have sunk",
        [("        _end(matchId, state, winner, winner == address(0) ? Reason.Draw : Reason.Won);", "        if (winner != address(0)) _end(matchId, state, winner, Reason.Won);")],
    ),
    "14": (
        "the ship is deployed before the contract checks whether it is allowed",
        [("        ship = _register(matchId, state, address(0));\n", "        Clones.clone(_SHIP_TEMPLATE);\n        ship = _register(matchId, state, address(0));\n")],
    ),
    "15a": (
        "`communicate` copies the map cell by cell",
        [
            ("            uint256 both = mine | theirs[word];", "            for (uint256 i; i < 256; ++i) {\n                if ((theirs[word] >> i) & 1 == 1) _fired.add(word * 256 + i);\n                else if (_fired.words[word] & CellSet.bit(i) == type(uint256).max) revert();\n            }\n            uint256 both = mine | theirs[word];"),
        ],
    ),
    "15b": (
        "only one of the two ships learns cells",
        [("        if (second.learn(firstFired, _shipRecords[matchId][b].cell)) learnt = true;", "        second.learn(new uint256[](0), 0);\n        firstFired;")],
    ),
}  # fmt: skip
