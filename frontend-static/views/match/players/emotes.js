/**
 * The emotes next to a player's name. The latest emote is visible for a while. Next to the name of
 * this page's player, there is also a button that opens a row of all emotes.
 */

import { EMOTES } from "../../../app/match/emotes.js";
import { h } from "../../../lib/dom.js";
import { t, translate } from "../../../i18n/translate.js";
import { nameOf } from "../../../names/names.js";

/** @import { Emotes } from "../../../app/match/emotes.js" */
/** @import { Accounts } from "../../../chain/wallet/accounts.js" */
/** @typedef {{accounts: Accounts, emotes: Emotes}} Uses */

const FACE_PATH = "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5.6 6v1M10.4 6v1";
/** The pictograms of the emotes, as SVG paths in a square of 16 by 16 units. @type {Record<string, string>} */
const PICTOGRAM_PATHS = {
  "well-played": "m8 1.8 1.9 4 4.3.5-3.2 3 .9 4.4L8 11.5l-3.9 2.2.9-4.4-3.2-3 4.3-.5Z",
  "nice-shot": "M8 3.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6ZM8 1v4M8 11v4M1 8h4M11 8h4",
  oops: `${FACE_PATH}M5.3 11.4Q8 8.6 10.7 11.4`,
  thinking: "M2 3h12v8H8l-3.5 3V11H2ZM5 7h.6M7.7 7h.6M10.4 7h.6",
  hurry: "M3.5 1.5h9M3.5 14.5h9M4.5 1.5c0 3.5 3.5 4.5 3.5 6.5s-3.5 3-3.5 6.5M11.5 1.5C11.5 5 8 6 8 8s3.5 3 3.5 6.5",
  hello: `${FACE_PATH}M5 9.4Q8 13 11 9.4`,
};

/** @param {string} emote */
const pictogram = (emote) =>
  h(
    "svg",
    { class: "icon", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" },
    h("path", { d: PICTOGRAM_PATHS[emote] }),
  );

/** @param {Uses} app @param {string} match @param {string} address */
export function emotesOf({ accounts, emotes }, match, address) {
  const bubble = emotes.bubbleOf(match, address);
  const isOpen = emotes.open === match;
  const own = address === accounts.me && emotes.isOffered(match);
  return [
    h(
      "span",
      { key: "bubble", class: "bubble", role: "status", "data-emote": bubble?.emote },
      bubble?.emote && [
        h("span", { class: "unseen" }, `${nameOf(address)}: `),
        pictogram(bubble.emote),
        h("span", null, t(`emote.${bubble.emote}`)),
      ],
      bubble?.why && h("span", { class: "refused", title: translate(bubble.why) }, translate(bubble.why)),
    ),
    own &&
      h(
        "button",
        {
          key: "emote-button",
          id: "emote-button",
          type: "button",
          class: "quiet round",
          "aria-expanded": String(isOpen),
          "aria-keyshortcuts": "e",
          "aria-label": t("emote.open"),
          title: t("emote.open"),
          onclick: () => emotes.toggle(match),
        },
        pictogram("hello"),
      ),
    own && isOpen && row(emotes, match),
  ];
}

/** The row of emotes that was last scrolled into view. @type {HTMLElement|null} */
let revealed = null;

/** Scroll a row of emotes into view. If the board is tall, the row can open outside the window. @param {HTMLElement} it */
function reveal(it) {
  revealed = it;
  it.scrollIntoView({ block: "nearest" });
}

/** @param {Emotes} emotes @param {string} match */
const row = (emotes, match) =>
  h(
    "div",
    {
      key: "emotes",
      class: "emotes",
      role: "group",
      "aria-label": t("emote.heading"),
      "data-then": "emote-button",
      drawn: (/** @type {HTMLElement} */ it) => it !== revealed && reveal(it),
    },
    EMOTES.map((emote, i) =>
      h(
        "button",
        {
          type: "button",
          class: "small",
          "data-emote": emote,
          "aria-keyshortcuts": String(i + 1),
          onclick: () => void emotes.send(match, emote),
        },
        pictogram(emote),
        t(`emote.${emote}`),
      ),
    ),
    h(
      "button",
      {
        type: "button",
        id: "emote-mute",
        class: "small quiet",
        "aria-pressed": String(emotes.isMuted),
        onclick: () => emotes.mute(),
      },
      t("emote.mute"),
    ),
  );
