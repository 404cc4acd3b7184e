/** Regular expressions of text formats. */

/** An account's address; whether its checksum is right is another question. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** A decimal number that is not negative. */
export const AMOUNT = /^(\d+\.?\d*|\.\d+)$/;
