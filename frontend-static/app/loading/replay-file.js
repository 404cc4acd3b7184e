/**
 * Reads a replay file, loads the renderer of the file's game, and begins to compare the file with
 * the chain.
 */

import { FileChecker } from "../../chain/verify/file-checker.js";
import { fileMatch } from "../../history/file-match.js";
import { UnreadableReplay, readReplay } from "../../history/replay-parser.js";
import { loadGame } from "./load-game.js";

/** @import { BoardChecker } from "../../chain/verify/checker.js" */
/** @import { Replay } from "../../history/replay-parser.js" */
/** @import { ServerState } from "../server-state.js" */
/** @import { OpenedFile, Ui } from "../ui.js" */
/** @typedef {{boardChecker: BoardChecker, redraw: () => void, server: ServerState, setAddress: (address: string) => void, ui: Ui}} Uses */

/** @param {Uses} app @param {Blob} file @param {string} route the address at which the page shows the file @returns {Promise<OpenedFile>} Throws UnreadableReplay. */
export async function openReplay(app, file, route) {
  const read = await readReplay(file);
  await loadGame(app, read.replay.game.slug);
  const checker = new FileChecker(app, read.replay);
  const opened = { ...matchOf(app, read, route), checker };
  void checker.run();
  return opened;
}

/** @param {Uses} app @param {{replay: Replay, history: import("../../history/match-history.js").FileHistory}} file @param {string} route */
function matchOf(app, file, route) {
  const { slug, layout } = file.replay.game;
  const means = { renderer: app.server.renderers.get(slug), layout: app.server.layouts.get(layout) };
  if (!means.renderer || !means.layout)
    throw new UnreadableReplay("replay.unknown-game", {
      game: slug,
      known: [...app.server.games.keys()].join(", "),
    });
  const address = (/** @type {number} */ seq) => (seq ? `${route}@${seq}` : route);
  const opened = fileMatch(file, /** @type {any} */ (means), app.ui, app.redraw, address, app.setAddress);
  if (!opened.isDrawable()) throw new UnreadableReplay("replay.not-drawn");
  return opened;
}
