/** The account drawer's switches for sounds, emotes and turn notifications. */

import { h } from "../../lib/dom.js";
import { t, translate } from "../../i18n/translate.js";

/** @import { Emotes } from "../../app/match/emotes.js" */
/** @import { Notices } from "../../app/notices/notices.js" */
/** @typedef {{emotes: Emotes, notices: Notices}} Uses */

/** @param {Uses} app */
export function noticesSection({ emotes, notices }) {
  return h(
    "section",
    { "aria-labelledby": "notices-title" },
    h("h3", { id: "notices-title" }, t("notices.heading")),
    toggle("sound-switch", "notices.sound", notices.sound, () => notices.switchSound()),
    toggle("emotes-switch", "notices.emotes", !emotes.isMuted, () => emotes.mute()),
    toggle("notices-switch", "notices.switch", notices.enabled, () => void notices.switchNotices()),
    h(
      "p",
      { class: "hint", id: "notices-why", role: "status", "data-why": notices.rejection?.key },
      notices.rejection ? translate(notices.rejection) : t("notices.about"),
    ),
  );
}

/** @param {string} id @param {string} key @param {boolean} on @param {() => void} onclick */
const toggle = (id, key, on, onclick) =>
  h(
    "div",
    { class: "row" },
    h("span", { id: `${id}-label` }, t(key)),
    h(
      "button",
      {
        id,
        type: "button",
        class: "small",
        role: "switch",
        "aria-checked": String(on),
        "aria-labelledby": `${id}-label`,
        onclick,
      },
      t(on ? "notices.on" : "notices.off"),
    ),
  );
