// Builds the page with esbuild: `node build.mjs SOURCE TARGET QUALITY`. SOURCE is frontend-static,
// and QUALITY is the compression quality of brotli, from 1 to 11.
//
// TARGET gets the files that the server sends:
// - scripts with source maps, and style sheets, all with hashes in their names
// - index.html and embed.html, which contain these names
// - icons
//
// Text files also get .br and .gz versions. The server itself uses the files in the folder server/:
// - node-render.mjs, which runs in Node
// - replay-SLUG.js for replays as HTML files
// - the licences of the bundled packages
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { parse } from "@formatjs/icu-messageformat-parser";
import { build } from "esbuild";
import * as Abi from "ox/Abi";

const [source, target, quality] = process.argv.slice(2);
/**
 * The output folder for esbuild, which writes nothing. Source maps and the hashes in names contain
 * paths relative to this folder. Paths relative to TARGET would differ on each machine.
 */
const OUTPUT = join(dirname(source), "built");
/** The entry of each page, and the module that the entry imports immediately. */
const PAGES = { "index.html": ["main.js", "page.js"], "embed.html": ["embed.js", "views/framed-match.js"] };
const SERVED_AS_IS = /\.(png|svg|webmanifest)$/;
const COMPRESSED = /\.(css|html|js|svg|webmanifest)$/;
const LEAST_BYTES = 1024;
/**
 * Modules that are loaded late and share little code with the page: the texts of a language, and
 * workers.
 */
const APART = /\/(keystore-worker\.js|i18n\/messages\/\w+\.json)$/;
const IMPORT_OF_PAGE = 'import "../../page.js"; ';
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
  preserveSymlinks: true, // node_modules may be a link to a folder elsewhere
  target: "es2022",
};
/** Caches the results of `read`, because several bundles read the same texts. @param {(path: string) => Promise<any>} read */
function once(read) {
  const kept = new Map();
  return ({ path }) => kept.get(path) ?? kept.set(path, read(path)).get(path);
}

/**
 * Parses messages with choices during the build, so that the page needs no parser:
 * https://formatjs.github.io/docs/guides/advanced-usage
 */
const readMessages = once(async (path) => {
  const texts = Object.entries(JSON.parse(await readFile(path, "utf8")));
  const messages = texts.map(([key, text]) => [key, /\{\w+,/.test(text) ? parse(text, { ignoreTag: true }) : text]);
  // With the loader "json", esbuild would also export each key of the file.
  return { contents: `export default ${JSON.stringify(Object.fromEntries(messages))}`, loader: "js" };
});
const parsedMessages = {
  name: "parsed messages",
  setup(build) {
    const parser = "@formatjs/icu-messageformat-parser";
    build.onResolve({ filter: new RegExp(`^${parser}$`) }, ({ kind, resolveDir }) =>
      build.resolve(`${parser}/no-parser.js`, { kind, resolveDir }),
    );
    build.onLoad({ filter: /\/messages\/\w+\.json$/ }, readMessages);
  },
};
/**
 * Parses ABIs during the build, so that the page needs no parser. In the sources, ABIs are written
 * as in Solidity.
 */
const parsedAbis = {
  name: "parsed ABIs",
  setup(build) {
    build.onLoad({ filter: /\.abi\.js$/ }, async ({ path }) => {
      const entries = (await readFile(path, "utf8")).matchAll(/"((?:error|event|function) [^"]+)"/g);
      return { contents: JSON.stringify(Abi.from([...entries].map(([, entry]) => entry))), loader: "json" };
    });
  },
};
const games = (await readdir(join(source, "games"))).filter((name) => name !== "shared").sort();
/** The files to write to TARGET: maps each path to the file's contents. */
const files = new Map();

const sha = (algorithm, text, encoding) => createHash(algorithm).update(text).digest(encoding);
const integrity = (text) => `sha384-${sha("sha384", text, "base64")}`;

/** Runs esbuild, and adds its output to `files` below `folder`. @returns the metafile's outputs, whose keys are their paths in OUTPUT, and the paths of all inputs */
async function bundle(folder, { plugins = [], ...own }) {
  const made = await build({
    ...options,
    ...own,
    plugins: [parsedMessages, parsedAbis, ...plugins],
    outdir: join(OUTPUT, folder),
    write: false,
  });
  for (const { path, contents } of made.outputFiles) files.set(relative(OUTPUT, path), Buffer.from(contents));
  const outputs = Object.entries(made.metafile.outputs);
  return {
    outputs: Object.fromEntries(outputs.map(([path, output]) => [relative(OUTPUT, join(source, path)), output])),
    inputs: Object.keys(made.metafile.inputs),
  };
}

const hashed = { entryNames: "[name]-[hash]", chunkNames: "[name]-[hash]" };
/** Generates the entry module of each replay-SLUG.js. */
const replayEntries = {
  name: "replays",
  setup(build) {
    build.onResolve({ filter: /^replay-/ }, ({ path }) => ({ path, namespace: "replay" }));
    build.onLoad({ filter: /./, namespace: "replay" }, ({ path }) => ({
      contents: `
        import * as renderer from "./games/${path.slice("replay-".length)}/renderer.js";
        import { start } from "./views/standalone.js";
        void start(renderer, (name) => import(\`./games/${path.slice("replay-".length)}/messages/\${name}.json\`));`,
      resolveDir: source,
    }));
  },
};

/**
 * Makes each late part import the page first, although the page is already loaded by then. This
 * way, esbuild puts all code that the page and its parts share into one chunk. Otherwise, it would
 * make a chunk for each set of parts that share code.
 */
const lateParts = {
  name: "late parts",
  setup(build) {
    build.onResolve({ filter: /\.js$/ }, async ({ path, importer, kind, pluginData, resolveDir }) => {
      if (kind !== "dynamic-import" || pluginData === lateParts) return undefined;
      const found = await build.resolve(path, { importer, kind, pluginData: lateParts, resolveDir });
      const isEarly = found.path === join(source, "page.js");
      return isEarly || APART.test(found.path) ? undefined : { path: relative(source, found.path), namespace: "late" };
    });
    build.onLoad({ filter: /./, namespace: "late" }, ({ path }) => {
      const part = JSON.stringify(`./${path}`);
      const ofLayout = path.startsWith("layouts/") ? `export { default } from ${part};` : "";
      return { contents: `import "./page.js"; export * from ${part}; ${ofLayout}`, resolveDir: source };
    });
    build.onLoad({ filter: /\/games\/[\w-]+\/renderer\.js$/ }, async ({ path }) => ({
      // esbuild doesn't call `onResolve` for imports with a pattern, such as
      // `games/${slug}/renderer.js`, so add the import of the page here
      contents: IMPORT_OF_PAGE + (await readFile(path, "utf8")),
    }));
  },
};

/**
 * Leaves out the mnemonic words that ox's signer imports, because the page doesn't call the
 * function that needs them. Only development accounts use the words, and they import them late.
 */
const signerAlone = {
  name: "signer alone",
  setup(build) {
    build.onResolve({ filter: /\/Mnemonic\.js$/ }, ({ importer }) =>
      importer.endsWith("/Secp256k1.js") ? { path: "none", namespace: "none" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "none" }, () => ({ contents: "" }));
  },
};

const script = { ...hashed, splitting: true, sourcemap: "linked" };
const [whole, framed, , replays] = await Promise.all([
  bundle("", { ...script, entryPoints: ["main.js"], plugins: [lateParts, signerAlone] }),
  bundle("", { ...script, entryPoints: ["embed.js"] }),
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

/** The built scripts of both pages. */
const outputs = { ...whole.outputs, ...framed.outputs };

/** Bundles these style sheets, followed by the games' style sheets, and returns the bundle's path. @param {string[]} sheets */
async function style(name, sheets) {
  const all = [...sheets, ...games.map((slug) => `games/${slug}/style.css`).filter((sheet) => sources.has(sheet))];
  const contents = all.map((sheet) => `@import "./${sheet}";\n`).join("");
  const made = await build({ ...options, stdin: { contents, resolveDir: source, loader: "css" }, write: false });
  const text = Buffer.from(made.outputFiles[0].contents);
  const path = `${name}-${sha("sha256", text, "hex").slice(0, 8).toUpperCase()}.css`;
  files.set(path, text);
  return path;
}

/** Returns the scripts that an entry imports before it runs, followed by the entry itself. */
function loadedWith(path, found = new Set()) {
  for (const { path: other, kind } of outputs[path].imports)
    if (kind === "import-statement") loadedWith(relative(OUTPUT, join(source, other)), found);
  return found.add(path);
}

/** Adds a page's HTML, which names the built files and their hashes. */
async function page(name, entries) {
  const text = await readFile(join(source, name), "utf8");
  const sheet = await style(
    name.replace(".html", ""),
    [...text.matchAll(SHEET)].map(([, path]) => path),
  );
  if (name === "index.html") files.set("style.css", files.get(sheet)); // other pages on this server link to style.css
  const [path, ...more] = entries.map((one) =>
    Object.keys(outputs).find((output) => outputs[output].entryPoint === one),
  );
  const early = new Set([path, ...more].flatMap((one) => [...loadedWith(one)]));
  early.delete(path);
  const up = /src="((?:\.\.\/)*)/.exec(text)[1];
  const named = (other) => `href="${up}${other}" integrity="${integrity(files.get(other))}"`;
  const links = [
    `<link rel="stylesheet" ${named(sheet)} />`,
    ...[...early].map((other) => `<link rel="modulepreload" ${named(other)} />`),
    `<script type="module" src="${up}${path}" integrity="${integrity(files.get(path))}"></script>`,
  ];
  const script = / *<script type="module" src="[^"]*"><\/script>\n/;
  files.set(name, Buffer.from(text.replace(SHEET, "").replace(script, links.map((link) => `    ${link}\n`).join(""))));
}

/** Adds the licences of the bundled packages, each with the package's name. */
async function licences() {
  const inputs = [whole, replays].flatMap((made) => made.inputs);
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
await Promise.all([...Object.entries(PAGES).map(([name, entries]) => page(name, entries)), licences()]);
for (const path of sources) if (SERVED_AS_IS.test(path)) files.set(path, await readFile(join(source, path)));
await Promise.all([...files].map(([path, contents]) => write(path, contents)));
