#!/usr/bin/env node
// Runs npm's Solidity compiler, and writes only standard JSON. The package's own executable adds
// lines that begin with `>>>`.
import { readFileSync } from "node:fs";

let solc;
try {
  solc = (await import("solc")).default;
} catch {
  process.stderr.write("npm's solc is not installed: run `npm install` in the checkout\n");
  process.exit(1);
}
const answer = process.argv.includes("--version")
  ? `Version: ${solc.version()}\n`
  : solc.compile(readFileSync(0, "utf8"));
process.stdout.write(answer);
