// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The part of a match's slot that Conquest defines: the turn so far, and the seats
/// @dev The fields in `MatchState.game`, from the lowest bits up, with their number of bits: the
/// trail (32), the phase (2), the open random draw (3), and the block in which it was opened (38);
/// the items in effect (4), and whether the mover has attacked (1) and has built a port (1); the
/// number of seats (3), the first seat (3), the living seats (6), the seats that have had their
/// hero (6), and which of seats 1 to 5 are reserved (5). The total is 104 bits. In an open match,
/// the living seats are the seats that players have taken.
library TurnBits {
    uint8 internal constant REINFORCEMENT = 0;
    uint8 internal constant ACTION = 1;
    uint8 internal constant MOVE = 2;
    uint8 internal constant CAPITALS = 3;

    uint8 internal constant NO_DRAW = 0;
    uint8 internal constant FIRST = 1;
    uint8 internal constant TURN = 2;
    uint8 internal constant BATTLE = 3;
    uint8 internal constant COLLECT = 4;

    uint256 private constant _PHASE_SHIFT = 32;
    uint256 private constant _DRAW_SHIFT = 34;
    uint256 private constant _ANCHOR_SHIFT = 37;
    uint256 private constant _ANCHOR_MASK = (1 << 38) - 1;
    uint256 private constant _USED_SHIFT = 75;
    uint256 private constant _ATTACKED_SHIFT = 79;
    uint256 private constant _BUILT_SHIFT = 80;
    uint256 private constant _SEATS_SHIFT = 81;
    uint256 private constant _FIRST_SHIFT = 84;
    uint256 private constant _ALIVE_SHIFT = 87;
    uint256 private constant _HAD_HERO_SHIFT = 93;
    /// @dev The position of the lowest bit for reserved seats, minus 1. Seat s has the bit at this
    /// position + s, and seat 0 is never reserved.
    uint256 private constant _RESERVED_SHIFT = 98;
    /// @dev The value of the first seat's field before the first seat is drawn.
    uint256 private constant _NOT_DRAWN = 7;

    // All fields together have 104 bits, and `trail` cuts off the lowest 32.
    // forge-lint: disable-start(unsafe-typecast)

    /// @dev Returns the bits of a new match, in which seat 0 is taken and the first seat hasn't
    /// been drawn.
    function newMatch(uint256 seats_) internal pure returns (uint104) {
        return uint104((seats_ << _SEATS_SHIFT) | (_NOT_DRAWN << _FIRST_SHIFT) | (1 << _ALIVE_SHIFT));
    }

    // ---- the trail

    function trail(uint256 bits) internal pure returns (uint32) {
        return uint32(bits);
    }

    function setTrail(uint256 bits, uint32 to) internal pure returns (uint104) {
        return uint104((bits & ~uint256(type(uint32).max)) | to);
    }

    // ---- phase and draw

    function phase(uint256 bits) internal pure returns (uint8) {
        return uint8((bits >> _PHASE_SHIFT) & 3);
    }

    function setPhase(uint256 bits, uint8 to) internal pure returns (uint104) {
        return uint104((bits & ~(uint256(3) << _PHASE_SHIFT)) | (uint256(to) << _PHASE_SHIFT));
    }

    function draw(uint256 bits) internal pure returns (uint8) {
        return uint8((bits >> _DRAW_SHIFT) & 7);
    }

    /// @return the block of the command that opened the draw
    function anchor(uint256 bits) internal pure returns (uint40) {
        return uint40((bits >> _ANCHOR_SHIFT) & _ANCHOR_MASK);
    }

    /// @dev Opens a draw, and records the current block as the block in which it was opened.
    function openDraw(uint256 bits, uint8 kind) internal view returns (uint104) {
        return uint104(closeDraw(bits) | (uint256(kind) << _DRAW_SHIFT) | (block.number << _ANCHOR_SHIFT));
    }

    function closeDraw(uint256 bits) internal pure returns (uint104) {
        return uint104(bits & ~((uint256(7) << _DRAW_SHIFT) | (_ANCHOR_MASK << _ANCHOR_SHIFT)));
    }

    // ---- the turn so far

    /// @return the items in effect: bit i is item i + 1
    function used(uint256 bits) internal pure returns (uint8) {
        return uint8((bits >> _USED_SHIFT) & 15);
    }

    function isInEffect(uint256 bits, uint256 item) internal pure returns (bool) {
        return (bits >> (_USED_SHIFT + item - 1)) & 1 == 1;
    }

    function setUsed(uint256 bits, uint256 item) internal pure returns (uint104) {
        return uint104(bits | (1 << (_USED_SHIFT + item - 1)));
    }

    function attacked(uint256 bits) internal pure returns (bool) {
        return (bits >> _ATTACKED_SHIFT) & 1 == 1;
    }

    function setAttacked(uint256 bits) internal pure returns (uint104) {
        return uint104(bits | (1 << _ATTACKED_SHIFT));
    }

    function built(uint256 bits) internal pure returns (bool) {
        return (bits >> _BUILT_SHIFT) & 1 == 1;
    }

    function setBuilt(uint256 bits) internal pure returns (uint104) {
        return uint104(bits | (1 << _BUILT_SHIFT));
    }

    /// @dev Starts a turn: no item is in effect, and the mover has not attacked or built a port.
    function resetTurn(uint256 bits) internal pure returns (uint104) {
        return uint104(bits & ~(uint256(63) << _USED_SHIFT));
    }

    // ---- seats

    function seats(uint256 bits) internal pure returns (uint8) {
        return uint8((bits >> _SEATS_SHIFT) & 7);
    }

    /// @return the first seat, or 7 if it has not been drawn yet
    function firstSeat(uint256 bits) internal pure returns (uint8) {
        return uint8((bits >> _FIRST_SHIFT) & 7);
    }

    function setFirstSeat(uint256 bits, uint256 seat) internal pure returns (uint104) {
        return uint104((bits & ~(uint256(7) << _FIRST_SHIFT)) | (seat << _FIRST_SHIFT));
    }

    function alive(uint256 bits) internal pure returns (uint8) {
        return uint8((bits >> _ALIVE_SHIFT) & 63);
    }

    function isAlive(uint256 bits, uint256 seat) internal pure returns (bool) {
        return (bits >> (_ALIVE_SHIFT + seat)) & 1 == 1;
    }

    function setAlive(uint256 bits, uint256 seat) internal pure returns (uint104) {
        return uint104(bits | (1 << (_ALIVE_SHIFT + seat)));
    }

    function clearAlive(uint256 bits, uint256 seat) internal pure returns (uint104) {
        return uint104(bits & ~(uint256(1) << (_ALIVE_SHIFT + seat)));
    }

    /// @return true if only one seat is left
    function isOver(uint256 bits) internal pure returns (bool) {
        uint256 living = alive(bits);
        return living & (living - 1) == 0;
    }

    function hadHero(uint256 bits) internal pure returns (uint8) {
        return uint8((bits >> _HAD_HERO_SHIFT) & 63);
    }

    function setHadHero(uint256 bits, uint256 seat) internal pure returns (uint104) {
        return uint104(bits | (1 << (_HAD_HERO_SHIFT + seat)));
    }

    /// @return true if the seat is reserved for an account
    function reserved(uint256 bits, uint256 seat) internal pure returns (bool) {
        return seat != 0 && (bits >> (_RESERVED_SHIFT + seat)) & 1 == 1;
    }

    function setReserved(uint256 bits, uint256 seat) internal pure returns (uint104) {
        return uint104(bits | (1 << (_RESERVED_SHIFT + seat)));
    }

    /// @return the next living seat after this seat, where seat 0 follows the last seat
    function nextSeat(uint256 bits, uint256 seat) internal pure returns (uint8) {
        uint256 count = seats(bits);
        do {
            seat = (seat + 1) % count;
        } while (!isAlive(bits, seat));
        return uint8(seat);
    }

    /// @return the seat that chooses its capital after this seat. The living seats choose in
    /// reverse turn order, so the first seat chooses last
    /// @return true if a seat still has to choose a capital
    function nextChooser(uint256 bits, uint256 seat) internal pure returns (uint8, bool) {
        uint256 count = seats(bits);
        while (seat != firstSeat(bits)) {
            seat = (seat + count - 1) % count;
            if (isAlive(bits, seat)) return (uint8(seat), true);
        }
        return (0, false);
    }
    // forge-lint: disable-end(unsafe-typecast)
}
