#!/usr/bin/env node
// npm's Solidity compiler as an executable that writes plain standard JSON. The package's own
// executable mixes in `>>>` lines.
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
