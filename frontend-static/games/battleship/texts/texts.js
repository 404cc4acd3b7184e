/** The texts of Battleship, a table per language. A key that equals a shared one, but for the slug, overrides it. */

import en from "../messages/en.json" with { type: "json" };
import fr from "../messages/fr.json" with { type: "json" };
import zh from "../messages/zh.json" with { type: "json" };

export const texts = { en, fr, zh };
