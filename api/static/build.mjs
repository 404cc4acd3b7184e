// Builds the page with esbuild: `node build.mjs SOURCE TARGET QUALITY`, where SOURCE is frontend-static and QUALITY that of brotli, 1 to 11.
//
// TARGET gets what the server sends: scripts and style sheets named by their hashes, with source maps; index.html and embed.html,
// which name them; icons. Each text stands beside its .br and .gz. What the server itself runs or quotes is in server/: node-render.mjs for
// Node, replay-SLUG.js for the HTML files of replays, and the licences of what is packed in.
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { build } from "esbuild";

const [source, target, quality] = process.argv.slice(2);
const PAGES = { "index.html": "main.js", "embed.html": "embed.js" };
const SERVED_AS_IS = /\.(png|svg|webmanifest)$/;
const COMPRESSED = /\.(css|html|js|svg|webmanifest)$/;
const LEAST_BYTES = 1024;
const SHEET = / *<link rel="stylesheet" href="(?:\.\.\/)*([\w./-]+)" \/>\n/g;

const options = {
  absWorkingDir: source,
  bundle: true,
  charset: "utf8",
  format: "esm",
  logLevel: "silent",
  metafile: true,
  minify: true,
  nodePaths: [fileURLToPath(new URL("../../node_modules", import.meta.url))],
  target: "es2022",
};
const games = (await readdir(join(source, "games"))).filter((name) => name !== "shared").sort();
/** What each file of TARGET holds, by its path in it. */
const files = new Map();

const sha = (algorithm, text, encoding) => createHash(algorithm).update(text).digest(encoding);
const integrity = (text) => `sha384-${sha("sha384", text, "base64")}`;

/** Runs esbuild; keeps its output below `folder`. @returns the metafile's outputs by their paths in TARGET, and their inputs */
async function bundle(folder, own) {
  const made = await build({ ...options, ...own, outdir: join(target, folder), write: false });
  for (const { path, contents } of made.outputFiles) files.set(relative(target, path), Buffer.from(contents));
  const outputs = Object.entries(made.metafile.outputs);
  return {
    outputs: Object.fromEntries(outputs.map(([path, output]) => [relative(target, join(source, path)), output])),
    inputs: Object.keys(made.metafile.inputs),
  };
}

const hashed = { entryNames: "[name]-[hash]", chunkNames: "[name]-[hash]" };
/** What each replay-SLUG.js begins with, by its name. */
const replayEntries = {
  name: "replays",
  setup(build) {
    build.onResolve({ filter: /^replay-/ }, ({ path }) => ({ path, namespace: "replay" }));
    build.onLoad({ filter: /./, namespace: "replay" }, ({ path }) => ({
      contents: `
        import * as renderer from "./games/${path.replace("replay-", "")}/renderer.js";
        import { begin } from "./views/standalone.js";
        void begin(renderer);`,
      resolveDir: source,
    }));
  },
};

const [scripts, , replays] = await Promise.all([
  bundle("", { ...hashed, entryPoints: Object.values(PAGES), splitting: true, sourcemap: "linked" }),
  bundle("server", {
    entryPoints: ["history/node-render.js"],
    platform: "node",
    splitting: true,
    outExtension: { ".js": ".mjs" },
  }),
  bundle("server", {
    entryPoints: games.map((slug) => ({ in: `replay-${slug}`, out: `replay-${slug}` })),
    format: "iife",
    plugins: [replayEntries],
  }),
]);

/** The page's sheets as one, those of the games after them. @param {string[]} sheets */
async function style(name, sheets) {
  const all = [...sheets, ...games.map((slug) => `games/${slug}/style.css`).filter((sheet) => sources.has(sheet))];
  const contents = all.map((sheet) => `@import "./${sheet}";\n`).join("");
  const made = await build({ ...options, stdin: { contents, resolveDir: source, loader: "css" }, write: false });
  const text = Buffer.from(made.outputFiles[0].contents);
  const path = `${name}-${sha("sha256", text, "hex").slice(0, 8).toUpperCase()}.css`;
  files.set(path, text);
  return path;
}

/** The scripts that an entry imports before it runs, itself last. */
function loadedWith(path, found = new Set()) {
  for (const { path: other, kind } of scripts.outputs[path].imports)
    if (kind === "import-statement") loadedWith(relative(target, join(source, other)), found);
  return found.add(path);
}

/** A page's HTML with the names and hashes of what was built. */
async function page(name, entry) {
  const text = await readFile(join(source, name), "utf8");
  const sheet = await style(
    name.replace(".html", ""),
    [...text.matchAll(SHEET)].map(([, path]) => path),
  );
  if (name === "index.html") files.set("style.css", files.get(sheet)); // other pages of the server link it
  const path = Object.keys(scripts.outputs).find((output) => scripts.outputs[output].entryPoint === entry);
  const up = /src="((?:\.\.\/)*)/.exec(text)[1];
  const named = (other) => `href="${up}${other}" integrity="${integrity(files.get(other))}"`;
  const links = [
    `<link rel="stylesheet" ${named(sheet)} />`,
    ...[...loadedWith(path)].slice(0, -1).map((other) => `<link rel="modulepreload" ${named(other)} />`),
    `<script type="module" src="${up}${path}" integrity="${integrity(files.get(path))}"></script>`,
  ];
  const script = / *<script type="module" src="[^"]*"><\/script>\n/;
  files.set(name, Buffer.from(text.replace(SHEET, "").replace(script, links.map((link) => `    ${link}\n`).join(""))));
}

/** The licences of the packages that are packed in, each with the package's name. */
async function licences() {
  const inputs = [scripts, replays].flatMap((made) => made.inputs);
  const packages = new Set(inputs.flatMap((path) => path.match(/.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []));
  const texts = [...packages].sort().map(async (path) => {
    const folder = join(source, path);
    const name = path.split("node_modules/").at(-1);
    const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
    return `${name}\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
  });
  files.set("server/licences.txt", Buffer.from((await Promise.all(texts)).join("\n")));
}

async function write(path, contents) {
  await mkdir(dirname(join(target, path)), { recursive: true });
  await writeFile(join(target, path), contents);
  if (path.startsWith("server/") || !COMPRESSED.test(path) || contents.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: Number(quality) };
  await Promise.all([
    promisify(brotliCompress)(contents, { params }).then((small) => writeFile(join(target, `${path}.br`), small)),
    promisify(gzip)(contents, { level: 9 }).then((small) => writeFile(join(target, `${path}.gz`), small)),
  ]);
}

const sources = new Set((await readdir(source, { recursive: true })).map((path) => path.replaceAll("\\", "/")));
await Promise.all([...Object.entries(PAGES).map(([name, entry]) => page(name, entry)), licences()]);
for (const path of sources) if (SERVED_AS_IS.test(path)) files.set(path, await readFile(join(source, path)));
await Promise.all([...files].map(([path, contents]) => write(path, contents)));
