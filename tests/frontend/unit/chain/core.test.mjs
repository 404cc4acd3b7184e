// Tests that the page's code for keys, signatures, ABI encoding, units and addresses returns the
// same results as the library ethers.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import * as ethers from "ethers";
import { Interface } from "../../../../frontend-static/lib/ethereum/abi.js";
import { getAddress, isAddress } from "../../../../frontend-static/lib/ethereum/address.js";
import {
  bytes32Text,
  concat,
  getBytes,
  hexlify,
  isHexString,
  randomHex,
  toQuantity,
  toUtf8Bytes,
} from "../../../../frontend-static/lib/ethereum/bytes.js";
import { formatUnits, parseUnits } from "../../../../frontend-static/lib/ethereum/ether.js";
import { keccak256, sha256 } from "../../../../frontend-static/lib/ethereum/hash.js";
import { developmentAccounts } from "../../../../frontend-static/chain/wallet/development-accounts.js";
import {
  addressOf,
  recoverTypedData,
  signTransaction,
  signTypedData,
  signedLike,
  typedDataJson,
} from "../../../../frontend-static/chain/wallet/signer.js";
import { LINK_TYPES, domainOf } from "../../../../frontend-static/chain/sessions/registry.js";

const ARTIFACTS = new URL("../../../../contracts/artifacts/", import.meta.url);
const ABIS = readdirSync(ARTIFACTS)
  .filter((name) => name.endsWith(".json"))
  .map((name) => [name, JSON.parse(readFileSync(new URL(name, ARTIFACTS), "utf8")).abi])
  .filter(([, abi]) => abi);

/** Yield pseudorandom numbers that depend only on a seed. */
function* numbers(seed) {
  for (let i = 0; ; i++) yield BigInt(ethers.id(`${seed} ${i}`));
}

/**
 * Return a random value of an ABI type. The value's length varies, and extreme values are frequent.
 */
function valueOf(type, next) {
  const draw = next.next().value;
  if (type.baseType === "array") {
    const length = type.arrayLength < 0 ? Number(draw % 4n) : type.arrayLength;
    return Array.from({ length }, () => valueOf(type.arrayChildren, next));
  }
  if (type.baseType === "tuple") return type.components.map((one) => valueOf(one, next));
  const [, name, size] = /^([a-z]+)(\d*)$/.exec(type.type);
  const bits = BigInt(size || 256);
  if (name === "uint") return draw % 5n === 0n ? 2n ** bits - 1n : draw % 2n ** bits;
  if (name === "int") return draw % 5n === 0n ? -(2n ** (bits - 1n)) : (draw % 2n ** bits) - 2n ** (bits - 1n);
  if (name === "bool") return draw % 2n === 0n;
  if (name === "address") return ethers.getAddress(ethers.toBeHex(draw % 2n ** 160n, 20));
  if (name === "bytes" && size) return ethers.toBeHex(draw % 2n ** (bits * 8n), Number(size));
  if (name === "bytes") return ethers.hexlify(ethers.getBytes(ethers.toBeHex(draw, 32)).slice(0, Number(draw % 33n)));
  return `é${"texte 文 ".repeat(Number(draw % 9n))}`;
}

/** Convert the library's value to our decoder's form: integers of at most 48 bits are numbers. */
function plain(type, value) {
  if (type.baseType === "array") return [...value].map((one) => plain(type.arrayChildren, one));
  if (type.baseType === "tuple")
    return Object.fromEntries(type.components.map((one, i) => [one.name, plain(one, value[i])]));
  return /^u?int([1-9]|[1-3][0-9]|4[0-8])$/.test(type.type) ? Number(value) : value;
}

const named = (inputs, values) =>
  Object.fromEntries(inputs.map((one, i) => [one.name || String(i), plain(one, values[i])]));

for (const [name, abi] of ABIS)
  test(`calls, results, errors and events of ${name} are encoded and decoded as in ethers`, () => {
    const [ours, theirs] = [new Interface(abi), new ethers.Interface(abi)];
    theirs.forEachFunction((one) => {
      const next = numbers(one.format());
      for (let turn = 0; turn < 4; turn++) {
        const args = one.inputs.map((input) => valueOf(input, next));
        const data = theirs.encodeFunctionData(one, args);
        assert.equal(ours.encodeFunctionData(one.format(), args), data);
        assert.deepEqual(ours.parseCall(data)?.args, named(one.inputs, args));
        const results = one.outputs.map((output) => valueOf(output, next));
        const answer = theirs.encodeFunctionResult(one, results);
        const decoded = new Interface([JSON.parse(one.format("json"))]).decodeFunctionResult(one.name, answer);
        assert.deepEqual(
          decoded,
          one.outputs.map((output, i) => plain(output, results[i])),
        );
      }
    });
    theirs.forEachError((one) => {
      const args = one.inputs.map((input) => valueOf(input, numbers(one.format())));
      const found = ours.parseError(theirs.encodeErrorResult(one, args));
      assert.deepEqual(found, { name: one.name, args: named(one.inputs, args) });
    });
    theirs.forEachEvent((one) => {
      const next = numbers(one.format());
      const args = one.inputs.map((input) => valueOf(input, next));
      const log = theirs.encodeEventLog(one, args);
      assert.equal(ours.topicOf(one.name), one.topicHash);
      assert.deepEqual(ours.parseLog(log), { name: one.name, args: named(one.inputs, args) });
    });
    assert.equal(ours.parseError("0x12345678"), null);
    assert.equal(ours.parseLog({ topics: [ethers.id("no")], data: "0x" }), null);
    assert.throws(() => ours.encodeFunctionData("noSuchFunction", []));
  });

test("keys have the same addresses and sign the same transactions as in ethers", async () => {
  const next = numbers("transactions");
  for (let turn = 0; turn < 40; turn++) {
    const key = ethers.toBeHex(next.next().value, 32);
    const wallet = new ethers.Wallet(key);
    assert.equal(addressOf(key), wallet.address);
    const [a, b, c] = [next.next().value, next.next().value, next.next().value];
    const fields = {
      chainId: turn % 2 ? 31337 : 2 ** 32 - 1,
      to: ethers.getAddress(ethers.toBeHex(a % 2n ** 160n, 20)),
      data: turn % 3 ? ethers.hexlify(ethers.getBytes(ethers.toBeHex(b, 32)).slice(0, turn % 33)) : "0x",
      value: turn % 4 ? b % 2n ** 70n : 0n,
      nonce: turn % 5 ? Number(c % 1_000_000n) : 0,
      gasLimit: 21_000n + (a % 10_000_000n),
      maxFeePerGas: (b % 10n ** 11n) + 1n,
      maxPriorityFeePerGas: turn % 6 ? 1n : 0n,
    };
    assert.equal(signTransaction(key, fields), await wallet.signTransaction({ ...fields, type: 2 }));
    const longest = ethers.Transaction.from(signedLike(fields));
    assert.deepEqual([longest.to, longest.data, longest.nonce], [fields.to, fields.data, fields.nonce]);
  }
  assert.throws(() => addressOf(`0x${"00".repeat(32)}`));
});

test("typed data is signed, and its signer recovered, as in ethers", async () => {
  const wallet = new ethers.Wallet(ethers.id("typed"));
  const [, other] = developmentAccounts();
  const domain = domainOf(other.address, 31337);
  const message = {
    account: wallet.address,
    key: other.address,
    games: [other.address, wallet.address],
    until: 2 ** 40 - 1,
    nonce: 2n ** 200n,
    deadline: 5,
  };
  const value = { domain, types: LINK_TYPES, primaryType: "Link", message };
  const signature = signTypedData(wallet.privateKey, value);
  assert.equal(signature, await wallet.signTypedData(domain, LINK_TYPES, message));
  assert.equal(recoverTypedData(value, signature), wallet.address);
  assert.throws(() => recoverTypedData(value, "0x1234"));
  const [made, wanted] = [
    JSON.parse(typedDataJson(value)),
    ethers.TypedDataEncoder.getPayload(domain, LINK_TYPES, message),
  ];
  assert.deepEqual(made.types, wanted.types);
  assert.equal(made.primaryType, wanted.primaryType);
  assert.equal(BigInt(made.message.nonce), 2n ** 200n);
  assert.equal(
    ethers.TypedDataEncoder.hash(made.domain, LINK_TYPES, made.message),
    ethers.TypedDataEncoder.hash(domain, LINK_TYPES, message),
  );
});

test("the accounts of a development chain are those of its mnemonic", () => {
  const parent = ethers.HDNodeWallet.fromPhrase(`${"test ".repeat(11)}junk`, "", "m/44'/60'/0'/0");
  const wanted = Array.from({ length: 10 }, (_, i) => [
    parent.deriveChild(i).address,
    parent.deriveChild(i).privateKey,
  ]);
  assert.deepEqual(
    developmentAccounts().map(({ address, key }) => [address, key]),
    wanted,
  );
});

test("addresses have the same checksums as in ethers", () => {
  const next = numbers("addresses");
  for (let turn = 0; turn < 50; turn++) {
    const checked = ethers.getAddress(ethers.toBeHex(next.next().value % 2n ** 160n, 20));
    const digits = checked.slice(2);
    for (const one of [checked, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`])
      assert.deepEqual([isAddress(one), getAddress(one)], [true, checked]);
    const swapped = digits.replace(/[a-z]/i, (one) =>
      one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
    );
    const wrong = `0x${swapped}`;
    assert.equal(isAddress(wrong), ethers.isAddress(wrong));
    if (!isAddress(wrong)) assert.throws(() => getAddress(wrong), /is not an address/);
  }
  for (const none of ["", "0x", `0x${"1".repeat(39)}`, `0x${"g".repeat(40)}`, `${"1".repeat(40)}`])
    assert.equal(isAddress(none), false, none);
});

test("amounts are parsed and formatted as in ethers", () => {
  for (const decimals of [0, 6, 18])
    for (const text of ["0", "1", "12.5", "0.000001", ".5", "7.", "123456789012345678901234567890", "-1"]) {
      let wanted;
      try {
        wanted = ethers.parseUnits(text, decimals);
      } catch {
        assert.throws(() => parseUnits(text, decimals), `${text} ${decimals}`);
        continue;
      }
      assert.equal(parseUnits(text, decimals), wanted, text);
      assert.equal(formatUnits(wanted, decimals), ethers.formatUnits(wanted, decimals).replace(/\.0$/, ""));
    }
  for (const none of ["", ".", "-", "1e3", "0x10", "1,5", " 1", "1.2.3"])
    assert.throws(() => parseUnits(none, 18), none);
  assert.throws(() => parseUnits("0.0000001", 6), /more than 6 decimals/);
});

test("bytes, hex and hashes are the same as in ethers", () => {
  const bytes = Uint8Array.from([0, 1, 255]);
  assert.equal(hexlify(bytes), "0x0001ff");
  assert.deepEqual(getBytes("0x0001FF"), bytes);
  assert.equal(getBytes(bytes), bytes);
  for (const none of ["0x1", "0xgg", "12", ""]) {
    assert.equal(isHexString(none), false);
    assert.throws(() => getBytes(none), /is not hex/);
  }
  assert.deepEqual(concat(bytes, bytes), Uint8Array.from([...bytes, ...bytes]));
  for (const number of [0, 1, 255, 2 ** 40, 2n ** 255n]) assert.equal(toQuantity(number), ethers.toQuantity(number));
  for (const text of ["", "a", "é文😀"]) {
    assert.deepEqual(toUtf8Bytes(text), ethers.toUtf8Bytes(text));
    for (const value of [toUtf8Bytes(text), hexlify(toUtf8Bytes(text))]) {
      assert.equal(keccak256(value), ethers.keccak256(value));
      assert.equal(sha256(value), ethers.sha256(value));
    }
  }
  assert.equal(bytes32Text(ethers.encodeBytes32String("MKR")), "MKR");
  assert.match(randomHex(32), /^0x[0-9a-f]{64}$/);
  assert.notEqual(randomHex(32), randomHex(32));
});
