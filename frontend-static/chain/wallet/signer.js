/** Derives addresses from private keys. Signs transactions (EIP-1559) and typed data (EIP-712). */

import * as Address from "ox/Address";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import * as TxEnvelopeEip1559 from "ox/TxEnvelopeEip1559";
import * as TypedData from "ox/TypedData";

/** @typedef {`0x${string}`} Hex */
/** @typedef {{chainId: number, to: string, data: string, value: bigint, nonce: number, gasLimit: bigint, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint}} TransactionFields The fields of a transaction to sign. Fees are in wei per unit of gas. */
/** @typedef {{domain: any, types: Record<string, {name: string, type: string}[]>, primaryType: string, message: any}} TypedDataValue */

/** @param {string} key 32 bytes as 0x hex @returns {string} a checksummed address */
export function addressOf(key) {
  const publicKey = Secp256k1.getPublicKey({ privateKey: /** @type {Hex} */ (key) });
  return Address.fromPublicKey(publicKey, { checksum: true });
}

/** @param {TransactionFields} fields */
const envelopeOf = ({ to, data, nonce, gasLimit, ...fields }) =>
  TxEnvelopeEip1559.from({
    ...fields,
    to: /** @type {Hex} */ (to),
    data: /** @type {Hex} */ (data),
    nonce: BigInt(nonce),
    gas: gasLimit,
  });

/** @param {string} key @param {TransactionFields} fields @returns {string} the signed transaction as 0x hex */
export function signTransaction(key, fields) {
  const envelope = envelopeOf(fields);
  const payload = TxEnvelopeEip1559.getSignPayload(envelope);
  return TxEnvelopeEip1559.serialize(envelope, { signature: sign(key, payload) }).toLowerCase(); // lower case, because the addresses in the transaction are checksummed and contain capitals
}

/**
 * Return a transaction with a placeholder instead of a signature. It is as long as the signed
 * transaction. @param {TransactionFields} fields @returns {string} 0x hex
 */
export const signedLike = (fields) =>
  TxEnvelopeEip1559.serialize(envelopeOf(fields), {
    signature: { r: `0x${"5a".repeat(32)}`, s: `0x${"3c".repeat(32)}`, yParity: 1 },
  });

/** @param {string} key @param {TypedDataValue} value @returns {string} 65 bytes as 0x hex */
export const signTypedData = (key, value) => Signature.toHex(sign(key, TypedData.getSignPayload(value)));

/** Return typed data in the JSON format that wallets expect. @param {TypedDataValue} value @returns {string} JSON */
export const typedDataJson = ({ types, ...value }) =>
  TypedData.serialize(
    /** @type {any} */ ({
      ...value,
      types: { EIP712Domain: TypedData.extractEip712DomainTypes(value.domain), ...types },
    }),
  );

/** Return the address of the account that signed typed data. @param {TypedDataValue} value @param {string} signature @returns {string} the checksummed address. Throws if the signature is invalid. */
export function recoverTypedData(value, signature) {
  const payload = TypedData.getSignPayload(value);
  const found = Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(/** @type {Hex} */ (signature)) });
  return Address.checksum(found);
}

/** @param {string} key @param {Hex} payload */
const sign = (key, payload) => Secp256k1.sign({ payload, privateKey: /** @type {Hex} */ (key) });
