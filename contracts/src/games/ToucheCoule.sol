// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {ISessions} from "../ISessions.sol";
import {Match} from "../Match.sol";
import {Cells} from "./Cells.sol";
import {Chart} from "./Chart.sol";
import {IShip} from "./IShip.sol";
import {IToucheCoule} from "./IToucheCoule.sol";
import {Ship, saltOf} from "./Ship.sol";

/// @title Touché Coulé
contract ToucheCoule is IToucheCoule, Match {
    using Cells for Cells.Set;
    using Chart for uint256[];

    /// @dev The game's part of a match's head.
    struct Sea {
        uint40 anchor;
        uint16 ships;
        uint16 owners;
        uint8 width;
        uint8 height;
        bool captains;
    }

    /// @dev A ship, one slot. In storage `ally` is set for an owner's second ship only; `_crew` completes it.
    struct Hull {
        address owner;
        uint16 cell;
        uint16 ally;
        uint32 readyAt;
        bool captained;
    }

    /// @dev The numbers of an account's ships; 0 = none.
    struct Fleet {
        uint16 first;
        uint16 second;
    }

    /// @notice Ships that an account may have in a match, sunk ones included.
    uint8 public constant SHIPS_EACH = 2;
    /// @notice Ships that a match may hold, so that a turn always fits into one transaction.
    uint16 public constant MAX_SHIPS = 256;
    /// @notice Turns that a ship lies still after it was placed or moved.
    uint32 public constant REST = 5;
    /// @notice Seconds without a turn after which anybody may end a match.
    uint40 public constant IDLE = 1 days;
    /// @notice Gas that a captain has for a shot.
    uint256 public constant CAPTAIN_GAS = 40_000;
    /// @notice Gas that must be left before a captain is asked: its share, the 64th that stays here, the call itself.
    uint256 public constant CAPTAIN_RESERVE = 45_000;

    uint8 private constant _MIN_SIDE = 2;
    uint8 private constant _MAX_SIDE = 64;
    uint16 private constant _MIN_OWNERS = 2;
    /// @dev How far back the chain remembers the hashes of blocks.
    uint256 private constant _REACH = 256;

    /// @dev The built-in ship, of which all others are clones.
    address private immutable _SHIP;

    mapping(uint48 matchId => mapping(uint256 ship => Hull)) private _hulls;
    mapping(uint48 matchId => mapping(uint256 ship => address)) private _captains;
    mapping(uint48 matchId => mapping(address owner => Fleet)) private _fleets;
    /// @dev Bit ship - 1 is set while the ship is afloat.
    mapping(uint48 matchId => uint256) private _afloat;
    /// @dev The cells on which a ship lies.
    mapping(uint48 matchId => Cells.Set) private _occupied;

    constructor(ISessions sessions, uint48 firstMatch) Match(sessions, firstMatch) {
        _SHIP = address(new Ship());
    }

    /// @inheritdoc IToucheCoule
    function create(uint8 width, uint8 height, bool captains) external nonReentrant returns (uint48 matchId) {
        if (!_isSide(width) || !_isSide(height)) revert BadSize(width, height);
        Head memory head;
        (matchId, head) = _open(_account(), address(0), 0, 0);
        emit Size(matchId, ++head.seq, width, height, captains);
        _save(matchId, head, Sea(0, 0, 0, width, height, captains));
    }

    /// @inheritdoc IToucheCoule
    function register(uint48 matchId) external nonReentrant returns (uint16 ship) {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Open);
        ship = _register(matchId, head, address(0));
        Clones.cloneDeterministic(_SHIP, saltOf(matchId, ship));
    }

    /// @inheritdoc IToucheCoule
    function register(uint48 matchId, address captain) external nonReentrant returns (uint16 ship) {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Open);
        if (!_sea(head).captains) revert CaptainsNotAllowed(matchId);
        if (captain.code.length == 0) revert NoCode(captain);
        ship = _register(matchId, head, captain);
        _captains[matchId][ship] = captain;
    }

    /// @inheritdoc IToucheCoule
    function turn(uint48 matchId, uint32 turnNo) external nonReentrant {
        Head memory head = _head(matchId);
        if (head.status != Status.Open) _need(matchId, head, Status.Playing);
        if (turnNo != head.ply) revert StaleMove(head.ply, turnNo);
        (address account, Fleet memory fleet) = _player(matchId);
        uint256 afloat = _afloat[matchId];
        if (!_isAfloat(afloat, fleet.first) && !_isAfloat(afloat, fleet.second)) revert NoShipAfloat(matchId, account);

        Sea memory sea = _sea(head);
        if (turnNo == 0) _close(matchId, head, sea, account);
        else _play(matchId, head, sea, account, afloat);
        sea.anchor = uint40(block.number);
        _save(matchId, head, sea);
    }

    /// @inheritdoc IToucheCoule
    function changePosition(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Playing);
        (address account, Fleet memory fleet) = _player(matchId);
        (bool first, bool second) = _ready(matchId, head.ply, account, fleet);

        Sea memory sea = _sea(head);
        (uint40 entropyBlock, bytes32 seed) = _entropy(sea.anchor);
        if (first) _move(matchId, head, sea, fleet.first, entropyBlock, seed);
        if (second) _move(matchId, head, sea, fleet.second, entropyBlock, seed);
        sea.anchor = uint40(block.number);
        _save(matchId, head, sea);
    }

    /// @inheritdoc IToucheCoule
    function communicate(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Playing);
        (address account, Fleet memory fleet) = _player(matchId);
        (uint16 a, uint16 b) = (fleet.first, fleet.second);
        uint256 afloat = _afloat[matchId];
        uint16 able = (_hasMap(matchId, a) && _isAfloat(afloat, a) ? 1 : 0) +
            (_hasMap(matchId, b) && _isAfloat(afloat, b) ? 1 : 0);
        if (able < SHIPS_EACH) revert TooFewShips(able, SHIPS_EACH);

        if (!_tell(matchId, a, b, Cells.wordsOf(_cells(_sea(head))))) revert NothingToTell(a, b);
        emit Communicated(matchId, ++head.seq, account, a, b);
        _save(matchId, head);
    }

    /// @inheritdoc IToucheCoule
    function expire(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Playing);
        if (block.timestamp < head.deadline) revert NotExpired(uint40(block.timestamp), head.deadline);
        _end(matchId, head, address(0), Reason.Cancelled);
        _save(matchId, head);
    }

    /// @inheritdoc IToucheCoule
    function board(uint48 matchId) external view returns (BoardView memory view_) {
        Head memory head = _head(matchId);
        Sea memory sea = _sea(head);
        uint256 afloat = _afloat[matchId];
        view_.seq = head.seq;
        view_.status = head.status;
        view_.reason = head.reason;
        view_.ply = head.ply;
        view_.width = sea.width;
        view_.height = sea.height;
        view_.captains = sea.captains;
        view_.anchor = sea.anchor;
        view_.deadline = head.deadline;
        view_.ships = new ShipView[](sea.ships);
        for (uint16 ship = 1; ship <= sea.ships; ++ship) {
            Hull memory hull = _hulls[matchId][ship];
            address captain = hull.captained ? _captains[matchId][ship] : address(0);
            bool floats = _isAfloat(afloat, ship);
            view_.ships[ship - 1] = ShipView(hull.owner, captain, hull.cell, floats, hull.readyAt);
            if (floats && head.reason == Reason.Won) view_.winner = hull.owner;
        }
    }

    /// @inheritdoc IToucheCoule
    function occupied(uint48 matchId, uint8 word) external view returns (uint256 cells) {
        return word < 16 ? _occupied[matchId].words[word] : 0;
    }

    /// @inheritdoc IToucheCoule
    function mapOf(uint48 matchId, uint16 ship) external view returns (bytes memory codes) {
        Head memory head = _head(matchId);
        if (!_hasMap(matchId, ship)) revert NoMap(matchId, ship);
        uint256 cells = _cells(_sea(head));
        Hull memory hull = _hulls[matchId][ship];
        Fleet memory fleet = _fleets[matchId][hull.owner];
        uint16 ally = fleet.first == ship ? fleet.second : fleet.first;

        codes = new bytes(cells);
        uint256[] memory fired = Ship(shipAddress(matchId, ship)).fired(Cells.wordsOf(cells));
        for (uint256 cell; cell < cells; ++cell) {
            if (fired[cell >> 8] & Cells.bit(cell) != 0) codes[cell] = 0x02;
        }
        if (_isAfloat(_afloat[matchId], ally)) codes[_hulls[matchId][ally].cell] = 0x03;
        codes[hull.cell] = 0x01;
    }

    /// @inheritdoc IToucheCoule
    function shipAddress(uint48 matchId, uint16 ship) public view returns (address) {
        Hull storage hull = _hulls[matchId][ship];
        if (hull.owner == address(0)) revert NoMap(matchId, ship);
        if (hull.captained) return _captains[matchId][ship];
        return Clones.predictDeterministicAddress(_SHIP, saltOf(matchId, ship));
    }

    // ---- register

    function _register(uint48 matchId, Head memory head, address captain) private returns (uint16 ship) {
        address owner = _account(matchId);
        Fleet memory fleet = _fleets[matchId][owner];
        Sea memory sea = _sea(head);
        if (fleet.second != 0) revert ShipLimit(owner, SHIPS_EACH);
        if (sea.ships == MAX_SHIPS) revert MatchFull(MAX_SHIPS);
        ship = ++sea.ships;
        uint16 cell = _place(matchId, ship, _cells(sea));

        if (fleet.first == 0) {
            emit PlayerJoined(matchId, ++head.seq, owner, sea.owners++);
            _fleets[matchId][owner].first = ship;
        } else {
            _fleets[matchId][owner].second = ship;
        }
        _hulls[matchId][ship] = Hull(owner, cell, fleet.first, REST, captain != address(0));
        _occupied[matchId].add(cell);
        _afloat[matchId] |= _flag(ship);
        emit Registered(matchId, ++head.seq, ship, owner, _x(sea, cell), _y(sea, cell), captain);
        _save(matchId, head, sea);
    }

    /// @dev Drawn from what the sender can't choose, though it can choose when to send.
    function _place(uint48 matchId, uint16 ship, uint256 cells) private view returns (uint16) {
        return _freeCell(matchId, cells, keccak256(abi.encode(blockhash(block.number - 1), block.prevrandao, matchId, ship)));
    }

    // ---- turn

    /// @dev Turn 0: closes registration, fires nothing.
    function _close(uint48 matchId, Head memory head, Sea memory sea, address account) private {
        if (sea.owners < _MIN_OWNERS) revert TooFewOwners(sea.owners, _MIN_OWNERS);
        _start(matchId, head);
        _count(matchId, head, account, 0, 0);
    }

    /// @dev All ships afloat fire, then those hit sink: one that is sunk in this volley has fired in it.
    function _play(uint48 matchId, Head memory head, Sea memory sea, address account, uint256 afloat) private {
        (uint40 entropyBlock, bytes32 seed) = _entropy(sea.anchor);
        Hull[] memory crew = _crew(matchId, sea.ships, afloat);
        uint16[] memory by = _volley(matchId, head, sea, crew, seed);
        uint256 left = _sink(matchId, head, sea, crew, by);
        _count(matchId, head, account, entropyBlock, seed);
        if (left != afloat) {
            _afloat[matchId] = left;
            _settle(matchId, head, crew, left);
        }
    }

    /// @dev A turn is complete.
    function _count(uint48 matchId, Head memory head, address account, uint40 entropyBlock, bytes32 seed) private {
        head.deadline = uint40(block.timestamp) + IDLE;
        emit TurnPlayed(matchId, ++head.seq, account, head.ply++, entropyBlock, seed);
    }

    /// @return crew by ship number; nobody's where a ship is not afloat; `ally` is the owner's other ship afloat or 0
    function _crew(uint48 matchId, uint16 ships, uint256 afloat) private view returns (Hull[] memory crew) {
        mapping(uint256 ship => Hull) storage hulls = _hulls[matchId];
        crew = new Hull[](uint256(ships) + 1);
        for (uint16 ship = 1; ship <= ships; ++ship) {
            if (!_isAfloat(afloat, ship)) continue;
            Hull memory hull = hulls[ship];
            if (_isAfloat(afloat, hull.ally)) crew[hull.ally].ally = ship;
            else hull.ally = 0;
            crew[ship] = hull;
        }
    }

    /// @return by for each ship the first one that hit it; 0 = none
    function _volley(
        uint48 matchId,
        Head memory head,
        Sea memory sea,
        Hull[] memory crew,
        bytes32 seed
    ) private returns (uint16[] memory by) {
        uint256[] memory chart = _chart(sea, crew);
        by = new uint16[](crew.length);
        bytes memory shots = new bytes(3 * crew.length + 32);
        uint256 length;
        IShip.Orders memory orders;
        (orders.matchId, orders.turnNo, orders.width, orders.height) = (matchId, head.ply, sea.width, sea.height);
        for (uint16 ship = 1; ship < crew.length; ++ship) {
            Hull memory hull = crew[ship];
            if (hull.owner == address(0)) continue;
            orders.ship = ship;
            orders.owner = hull.owner;
            orders.cell = hull.cell;
            orders.ally = hull.ally == 0 ? Cells.NO_CELL : crew[hull.ally].cell;
            orders.seed = keccak256(abi.encode(seed, matchId, head.ply, ship));
            uint16 target = _fire(orders, hull.captained);
            if (target == Cells.NO_CELL) continue;
            length = _note(shots, length, ship, target);
            uint256 hit = chart.at(target);
            if (hit != 0 && by[hit] == 0) by[hit] = ship;
        }
        assembly ("memory-safe") {
            mstore(shots, length) // ships without a shot are left out
        }
        emit Fired(matchId, ++head.seq, shots);
    }

    function _chart(Sea memory sea, Hull[] memory crew) private pure returns (uint256[] memory chart) {
        chart = Chart.make(_cells(sea));
        for (uint256 ship = 1; ship < crew.length; ++ship) {
            Hull memory hull = crew[ship];
            if (hull.owner != address(0)) chart.put(hull.cell, ship);
        }
    }

    /// @return target NO_CELL for a miss
    function _fire(IShip.Orders memory orders, bool captained) private returns (uint16 target) {
        if (!captained) {
            return Ship(Clones.predictDeterministicAddress(_SHIP, saltOf(orders.matchId, orders.ship))).fire(orders);
        }
        (bool answered, uint256 answer) = _ask(_captains[orders.matchId][orders.ship], orders);
        bool legal = answered &&
            answer < uint256(orders.width) * orders.height &&
            answer != orders.cell &&
            answer != orders.ally;
        return legal ? uint16(answer) : Cells.NO_CELL;
    }

    /// @dev Calls foreign code: a plain `try` would copy whatever it returns, and revert where it has no code or
    /// answers what can't be decoded.
    function _ask(address captain, IShip.Orders memory orders) private returns (bool answered, uint256 answer) {
        if (gasleft() < CAPTAIN_RESERVE) revert NotEnoughGas(gasleft(), CAPTAIN_RESERVE);
        bytes memory data = abi.encodeCall(IShip.fire, (orders));
        assembly ("memory-safe") {
            answered := call(CAPTAIN_GAS, captain, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            answered := and(answered, eq(returndatasize(), 0x20))
            answer := mload(0x00)
        }
    }

    /// @dev Three bytes: 12 bits ship, 12 bits cell. What the word writes beyond them lies in the array too.
    function _note(bytes memory shots, uint256 at, uint256 ship, uint256 target) private pure returns (uint256 next) {
        assembly ("memory-safe") {
            mstore(add(add(shots, 0x20), at), shl(232, or(shl(12, ship), target)))
            next := add(at, 3)
        }
    }

    /// @return left the ships that are still afloat
    function _sink(
        uint48 matchId,
        Head memory head,
        Sea memory sea,
        Hull[] memory crew,
        uint16[] memory by
    ) private returns (uint256 left) {
        for (uint16 ship = 1; ship < crew.length; ++ship) {
            if (crew[ship].owner == address(0)) continue;
            if (by[ship] == 0) {
                left |= _flag(ship);
                continue;
            }
            uint16 cell = crew[ship].cell;
            _occupied[matchId].remove(cell);
            emit Touched(matchId, ++head.seq, ship, _x(sea, cell), _y(sea, cell), by[ship]);
        }
    }

    /// @dev Ends the match when fewer than two owners have a ship afloat.
    function _settle(uint48 matchId, Head memory head, Hull[] memory crew, uint256 left) private {
        address winner;
        for (uint256 ship = 1; ship < crew.length; ++ship) {
            if (!_isAfloat(left, ship) || crew[ship].owner == winner) continue;
            if (winner != address(0)) return;
            winner = crew[ship].owner;
        }
        _end(matchId, head, winner, winner == address(0) ? Reason.Draw : Reason.Won);
    }

    // ---- changePosition, communicate

    /// @dev Which ships of the account may move now; refused when none may.
    function _ready(
        uint48 matchId,
        uint32 ply,
        address account,
        Fleet memory fleet
    ) private view returns (bool first, bool second) {
        uint256 afloat = _afloat[matchId];
        (first, second) = (_isAfloat(afloat, fleet.first), _isAfloat(afloat, fleet.second));
        if (!first && !second) revert NoShipAfloat(matchId, account);
        uint32 a = first ? _hulls[matchId][fleet.first].readyAt : type(uint32).max;
        uint32 b = second ? _hulls[matchId][fleet.second].readyAt : type(uint32).max;
        (first, second) = (a <= ply, b <= ply);
        if (!first && !second) revert NotReady(ply, a < b ? a : b);
    }

    /// @dev The new cell is drawn before the old one is free, so that it is another one.
    function _move(
        uint48 matchId,
        Head memory head,
        Sea memory sea,
        uint16 ship,
        uint40 entropyBlock,
        bytes32 seed
    ) private {
        Hull memory hull = _hulls[matchId][ship];
        uint16 from = hull.cell;
        uint16 to = _freeCell(matchId, _cells(sea), keccak256(abi.encode(seed, matchId, ship)));
        _occupied[matchId].remove(from);
        _occupied[matchId].add(to);
        hull.cell = to;
        hull.readyAt = head.ply + REST;
        _hulls[matchId][ship] = hull;
        if (!hull.captained) Ship(Clones.predictDeterministicAddress(_SHIP, saltOf(matchId, ship))).moved(to);
        emit Moved(
            matchId,
            ++head.seq,
            ship,
            hull.owner,
            _x(sea, from),
            _y(sea, from),
            _x(sea, to),
            _y(sea, to),
            entropyBlock,
            seed
        );
    }

    /// @return taught whether one of the two learnt anything
    function _tell(uint48 matchId, uint16 a, uint16 b, uint256 words) private returns (bool taught) {
        Ship first = Ship(shipAddress(matchId, a));
        Ship second = Ship(shipAddress(matchId, b));
        uint256[] memory told = first.fired(words);
        taught = first.learn(second.fired(words), _hulls[matchId][a].cell);
        if (second.learn(told, _hulls[matchId][b].cell)) taught = true;
    }

    // ---- shared

    /// @dev The block that decides: after the anchor, so that nobody foresees it when acting there; the same one for
    /// 256 blocks, so that a caller who dislikes it can't try another; always within reach of `blockhash`.
    function _entropy(uint40 anchor) private view returns (uint40 number, bytes32 seed) {
        uint256 first = uint256(anchor) + 1;
        if (block.number <= first) revert TooSoon(uint40(block.number), uint40(first + 1));
        number = uint40(first + _REACH * ((block.number - 1 - first) / _REACH));
        seed = blockhash(number);
    }

    function _freeCell(uint48 matchId, uint256 cells, bytes32 seed) private view returns (uint16 cell) {
        cell = _occupied[matchId].draw(cells, Cells.NO_CELL, Cells.NO_CELL, seed);
        if (cell == Cells.NO_CELL) revert NoFreeCell(uint16(cells));
    }

    function _player(uint48 matchId) private view returns (address account, Fleet memory fleet) {
        account = _account(matchId);
        fleet = _fleets[matchId][account];
        if (fleet.first == 0) revert NotAPlayer(matchId, account);
    }

    function _seated(uint48 matchId, address account) internal view override returns (bool) {
        return _fleets[matchId][account].first != 0;
    }

    function _hasMap(uint48 matchId, uint16 ship) private view returns (bool) {
        Hull storage hull = _hulls[matchId][ship];
        return hull.owner != address(0) && !hull.captained;
    }

    function _save(uint48 matchId, Head memory head, Sea memory sea) private {
        head.game =
            uint104(sea.anchor) |
            (uint104(sea.ships) << 40) |
            (uint104(sea.owners) << 56) |
            (uint104(sea.width) << 72) |
            (uint104(sea.height) << 80) |
            (uint104(sea.captains ? 1 : 0) << 88);
        _save(matchId, head);
    }

    function _sea(Head memory head) private pure returns (Sea memory sea) {
        sea.anchor = uint40(head.game);
        sea.ships = uint16(head.game >> 40);
        sea.owners = uint16(head.game >> 56);
        sea.width = uint8(head.game >> 72);
        sea.height = uint8(head.game >> 80);
        sea.captains = uint8(head.game >> 88) != 0;
    }

    function _isAfloat(uint256 afloat, uint256 ship) private pure returns (bool) {
        return ship != 0 && afloat & _flag(ship) != 0;
    }

    function _flag(uint256 ship) private pure returns (uint256) {
        return uint256(1) << (ship - 1);
    }

    function _isSide(uint8 side) private pure returns (bool) {
        return side >= _MIN_SIDE && side <= _MAX_SIDE;
    }

    function _cells(Sea memory sea) private pure returns (uint256) {
        return uint256(sea.width) * sea.height;
    }

    function _x(Sea memory sea, uint16 cell) private pure returns (uint8) {
        return uint8(cell % sea.width);
    }

    function _y(Sea memory sea, uint16 cell) private pure returns (uint8) {
        return uint8(cell / sea.width);
    }
}
